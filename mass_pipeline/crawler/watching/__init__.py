"""Announcements that never sleep: watch the lists of sites, fetch what is new, keep what belongs to a topic (C1-C9, J1-J6).

Knows no Dagster, no environment; time comes in as a clock. Every request goes through the crawler's one door.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.crawler.watching.config import WatchConfig
    from mass_pipeline.crawler.watching.engine import watch_sites
    from mass_pipeline.crawler.watching.reading import next_due, read_announcements_of, searched_sites
    from mass_pipeline.crawler.watching.records import GraveError, Notify, PublishedAnnouncement, WatchProgress, WatchReport
    from mass_pipeline.crawler.watching.sites import WatchedList, WatchedSite, read_sites, with_configuration

__all__ = [
    "GraveError",
    "Notify",
    "PublishedAnnouncement",
    "WatchConfig",
    "WatchProgress",
    "WatchReport",
    "WatchedList",
    "WatchedSite",
    "next_due",
    "read_announcements_of",
    "read_sites",
    "searched_sites",
    "watch_sites",
    "with_configuration",
]

__getattr__ = lazy_names(
    __name__,
    {
        "GraveError": "records",
        "Notify": "records",
        "PublishedAnnouncement": "records",
        "WatchConfig": "config",
        "WatchProgress": "records",
        "WatchReport": "records",
        "WatchedList": "sites",
        "WatchedSite": "sites",
        "next_due": "reading",
        "read_announcements_of": "reading",
        "read_sites": "sites",
        "searched_sites": "reading",
        "watch_sites": "engine",
        "with_configuration": "sites",
    },
)
