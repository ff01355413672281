"""The definitions of the product over the web that `moved_installation.WEB` names."""

from __future__ import annotations

from mass_pipeline.definitions import build_defs
from mass_pipeline_tests.benchmarks.moved_installation import served_web

defs = build_defs(web=served_web)
