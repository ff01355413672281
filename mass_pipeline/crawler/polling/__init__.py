"""When to look at a news page again (C1, C2, J6): often enough to be fresh, seldom enough to be polite. Pure."""

from mass_pipeline.crawler.polling.config import PollingConfig
from mass_pipeline.crawler.polling.planner import PageHistory, due_pages, next_poll, record_poll

__all__ = ["PageHistory", "PollingConfig", "due_pages", "next_poll", "record_poll"]
