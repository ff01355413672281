"""Shared by the laboratory's tests: the crawl over a loopback server."""

from __future__ import annotations

from mass_pipeline_tests.crawling.conftest import crawl

__all__ = ["crawl"]
