"""How this installation crawls: the crawler's settings with who asks, and where all its runs agree on hosts."""

from __future__ import annotations

from dataclasses import replace

from mass_pipeline.crawler import CrawlConfig
from mass_pipeline.resources.settings import Settings


def crawl_config(settings: Settings, *, is_local: bool) -> CrawlConfig:
    """Settings of every request to a parish site.

    Args:
        is_local: the demo web is asked, on loopback.
    """
    config: CrawlConfig = settings.section(CrawlConfig)
    return replace(config, contact=settings.general.contact, allow_private_hosts=is_local, leases=settings.leases)
