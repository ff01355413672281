"""Where the crawls of this process have large bodies read: beside the event loop, in a process that can be ended."""

from __future__ import annotations

import logging
from functools import cache
from typing import Final

from mass_pipeline.crawling.pages.feeds import Feed, read_feed
from mass_pipeline.guard import Guard, Limits

log = logging.getLogger(__name__)

LARGE_BYTES: Final = 500_000  # a tree of that takes 10 to 30 ms; the event loop may be held for 200 at most
LARGE_FEED_BYTES: Final = 100_000  # a sitemap of that has a thousand entries: 50 ms
_LIMITS: Final = Limits(cpu_seconds=5, wall_seconds=300)  # a page of 5 MB takes half a second, a sitemap three


@cache
def shared_guard() -> Guard:
    """Begins with the first large body and ends with the program."""
    return Guard(_LIMITS, modules=(__name__, "mass_pipeline.crawling.pages.spider"))


async def read_feed_aside(content: bytes, url: str) -> Feed:
    """`read_feed`; of a large or packed one in the other process. One that cannot be read has no entries."""
    try:
        if len(content) <= LARGE_FEED_BYTES and not content.startswith(b"\x1f\x8b"):
            return read_feed(content, url)
        return await shared_guard().call_aside(read_feed, content, url, size=len(content))
    except Exception as error:  # whatever a feed does, it ends at the feed
        log.warning("feed.unreadable url=%r error=%s", url, type(error).__name__)
        return Feed("none")
