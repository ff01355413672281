"""robots.txt for the HTTP client of directories: asked once a day per origin, unreachable means disallowed for now (RFC 9309).

The rules themselves are the crawler's (`crawler.robots`); here only their life in this client.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from mass_pipeline.crawler.fetching.robots import RobotsRules, RobotsState
from mass_pipeline.model.errors import FetchError, Forbidden, RetryLater

_MAX_AGE: Final = timedelta(hours=24)  # RFC 9309 2.4
_MAX_DELAY_SECONDS: Final = 60.0

Ask = Callable[[str], tuple[int, bytes]]  # URL -> status and body after redirects; raises FetchError


class RobotsGuard:
    """Tells whether a URL may be asked, and how long its host wants to be left alone."""

    def __init__(self, ask: Ask, clock: Callable[[], datetime]) -> None:
        self._ask = ask
        self._clock = clock
        self._known: dict[str, tuple[datetime, RobotsRules]] = {}

    def require_allowed(self, url: str) -> float:
        """Seconds that Crawl-delay asks for, 0 when it asks for none, at most a minute.

        Raises:
            Forbidden: the rules forbid the URL.
            RetryLater: robots.txt does not answer, which forbids everything for now.
        """
        rules = self._rules(url)
        if rules.state is RobotsState.UNREACHABLE:
            raise RetryLater(url, f"robots.txt is out of order ({rules.reason}), so nothing may be asked now")
        if not rules.is_allowed(url):
            raise Forbidden(url, "robots.txt forbids it")
        return min(rules.crawl_delay() or 0.0, _MAX_DELAY_SECONDS)

    def _rules(self, url: str) -> RobotsRules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        known = self._known.get(origin)
        if known and self._clock() - known[0] < _MAX_AGE:
            return known[1]
        try:
            rules = RobotsRules.from_response(*self._ask(origin + "/robots.txt"))
        except Forbidden:
            raise
        except FetchError as error:
            rules = RobotsRules.unreachable(error.reason)
        if rules.state is not RobotsState.UNREACHABLE:
            self._known[origin] = (self._clock(), rules)
        return rules
