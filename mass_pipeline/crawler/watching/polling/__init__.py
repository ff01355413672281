"""When to look at a news page again (C1, C2, J6): often enough to be fresh, seldom enough to be polite. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.crawler.watching.polling.config import PollingConfig
    from mass_pipeline.crawler.watching.polling.planner import PageHistory, next_poll, record_poll

__all__ = ["PageHistory", "PollingConfig", "next_poll", "record_poll"]

__getattr__ = lazy_names(
    __name__,
    {
        "PollingConfig": "config",
        "PageHistory": "planner",
        "next_poll": "planner",
        "record_poll": "planner",
    },
)
