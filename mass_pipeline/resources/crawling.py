"""How this installation crawls: the crawler's settings with who asks, and where all its runs agree on hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.resources.settings import Settings

_DIRECTORY_BYTES: Final = 10 * 1024 * 1024  # lists of a whole country in one answer
_LONGEST_WAIT_SECONDS: Final = 3600.0


def crawl_config(settings: Settings, *, is_local: bool) -> CrawlConfig:
    """Settings of every request to a parish site.

    Args:
        is_local: the demo web is asked, on loopback.
    """
    config = settings.section(CrawlConfig)
    return replace(config, contact=settings.general.contact, allow_private_hosts=is_local, leases=settings.leases)


def directory_config(settings: Settings, *, is_local: bool) -> CrawlConfig:
    """Settings of every request to a directory: one host that is asked for hours, so more patience and no hurry.

    A directory says which parish is which, so its certificate must be good; it may lie where no parish site would be looked for.
    """
    directory = settings.section(DirectoryConfig)
    return replace(
        crawl_config(settings, is_local=is_local),
        start_delay_seconds=directory.request_gap_seconds,
        host_gap_seconds=directory.request_gap_seconds,
        connect_seconds=directory.timeout_seconds,
        idle_seconds=directory.timeout_seconds,
        max_attempts=directory.max_attempts,
        host_failure_limit=directory.max_attempts,
        max_wait_seconds=_LONGEST_WAIT_SECONDS,
        max_body_bytes=_DIRECTORY_BYTES,
        max_host_bytes=0,
        allow_unverified_tls=False,
        never_crawl=(),
        night_window="",
    )
