"""A polite, crash-proof crawler of many small sites. Knows no Dagster, no environment; time comes in as a clock.

Entry points (imported when first used, so that naming the package costs nothing): `crawl_sites`, `read_pages`, `read_page`,
`CrawlConfig`, `Seed`, `CrawlReport`, `Progress`, `CrawledPage`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mass_pipeline.crawling.fetching.addresses import ConnectTo
    from mass_pipeline.crawling.fetching.config import CrawlConfig
    from mass_pipeline.crawling.sites.engine import crawl_sites
    from mass_pipeline.crawling.sites.frontier import Link, LinkScorer
    from mass_pipeline.crawling.sites.reading import read_history, read_page, read_pages
    from mass_pipeline.crawling.sites.records import CrawledPage, CrawlReport, Progress, Seed, SiteReport

__all__ = [
    "ConnectTo", "CrawlConfig", "CrawlReport", "CrawledPage", "Link", "LinkScorer", "Progress", "Seed",
    "SiteReport", "crawl_sites", "read_history", "read_page", "read_pages",
]  # fmt: skip

_HOMES: Final = {
    "fetching.addresses": ("ConnectTo",),
    "fetching.config": ("CrawlConfig",),
    "sites.engine": ("crawl_sites",),
    "sites.reading": ("read_history", "read_page", "read_pages"),
    "sites.records": ("CrawlReport", "CrawledPage", "Progress", "Seed", "SiteReport"),
    "sites.frontier": ("Link", "LinkScorer"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
