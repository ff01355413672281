"""The sites of each diocese that are crawled and watched."""

from __future__ import annotations

from mass_pipeline.crawler import Seed
from mass_pipeline.model.columns import PARISH_URLS
from mass_pipeline.resources.lake import TableReader


def seeds_by_diocese(parish_urls: TableReader) -> dict[str, list[Seed]]:
    """Diocese -> sites to crawl, sorted by parish: every parish whose look-up gave a URL."""
    seeds: dict[str, list[Seed]] = {}
    columns = [name for name in PARISH_URLS.names if name in ("parish_id", "diocese_key", "url", "scope_prefix")]
    for row in parish_urls.rows(columns):
        if row["url"]:
            seed = Seed(str(row["parish_id"]), str(row["url"]), str(row["scope_prefix"] or "/"))
            seeds.setdefault(str(row["diocese_key"]), []).append(seed)
    return {key: sorted(found, key=lambda seed: seed.parish_id) for key, found in seeds.items()}
