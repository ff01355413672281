"""The sites of each diocese that are crawled and watched."""

from __future__ import annotations

from mass_pipeline.crawling import Seed
from mass_pipeline.resources.lake import TableReader


def seeds_of(parish_urls: TableReader, key: str) -> list[Seed]:
    """Sites of a diocese to crawl, sorted by parish: every parish whose look-up gave a URL."""
    seeds = [
        Seed(str(row["parish_id"]), str(row["url"]), str(row["scope_prefix"] or "/"))
        for row in parish_urls.rows(("parish_id", "diocese_key", "url", "scope_prefix"))
        if row["url"] and row["diocese_key"] == key
    ]
    return sorted(seeds, key=lambda seed: seed.parish_id)
