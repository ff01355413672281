"""Endless sites: which URLs look like a trap, and when a site has given enough. Pure counters, no I/O.

Sources: V2, V6, hazards L1; Heritrix' repeated-segment rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.urls import UrlParts, is_dated

MAX_SEGMENTS: Final = 20  # Heritrix TooManyPathSegmentsDecideRule


class TrapGuard:
    """Watches the URLs of one site."""

    __slots__ = ("_config", "_per_prefix", "_variants", "dated_pages", "pages")

    def __init__(self, config: CrawlConfig) -> None:
        self._config = config
        self._variants: Counter[Hashable] = Counter()
        self._per_prefix: Counter[Hashable] = Counter()
        self.pages = 0
        self.dated_pages = 0

    def refuses(self, url: str, parts: UrlParts) -> str | None:
        """Reason why a new URL is taken for a trap, None for a good one; counts the good ones."""
        if len(url) > self._config.max_url_chars:
            return f"longer than {self._config.max_url_chars} characters"
        segments = [segment for segment in parts.path.split("/") if segment]
        if len(segments) > MAX_SEGMENTS:
            return f"more than {MAX_SEGMENTS} path segments"
        if len(segments) != len(set(segments)):
            most = max(Counter(segments).values())
            if most > self._config.max_segment_repeats or _repeats_a_pair(segments):
                return "repeated path segments"
        if parts.query:
            self._variants[parts.path] += 1
            if self._variants[parts.path] > self._config.max_query_variants:
                return f"more than {self._config.max_query_variants} queries of one path"
        prefix = segments[0] if len(segments) > 1 else ""
        self._per_prefix[prefix] += 1
        if self._per_prefix[prefix] > self._config.max_pages_per_prefix:
            return f"more than {self._config.max_pages_per_prefix} URLs below one prefix"
        return None

    def count_page(self, url: str) -> None:
        """A page was kept."""
        if is_dated(url):
            self.dated_pages += 1
        else:
            self.pages += 1

    def is_full(self, url: str) -> bool:
        """Whether the budget that the URL belongs to is spent."""
        if is_dated(url):
            return self.dated_pages >= self._config.max_dated_pages_per_site
        return self.pages >= self._config.max_pages_per_site


def _repeats_a_pair(segments: list[str]) -> bool:
    """`/bar/foo/bar/foo/`: the same two segments twice in a row (V6)."""
    return any(segments[i : i + 2] == segments[i + 2 : i + 4] for i in range(len(segments) - 3))
