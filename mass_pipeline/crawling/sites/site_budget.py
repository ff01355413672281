"""When a site has given enough, or is given up for this run, and when a page is asked for again (J6). No I/O.

What a host is left alone for is the downloader's to say, what a single answer is `fetching.chain`'s; here waits are never
shortened, only tries and pages left out. Sources of the traps: V2, V6, hazards L1; Heritrix' repeated-segment rule. The
interval rule is Heritrix' and Nutch's adaptive schedule in its simplest form: multiply or divide by a constant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import LOST
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import UrlParts, is_dated
from mass_pipeline.crawling.sites.store import KnownUrl

_LONGER: Final = 1.5
_SHORTER: Final = 0.5


def days_after_loss(known: KnownUrl | None, outcome: str, config: CrawlConfig) -> float | None:
    """Days until a page is asked for that was known and is gone now, or leads elsewhere: soon, since webmasters err; then later.

    Args:
        known: the page as it stood before this visit; None for one nothing was kept of.
        outcome: of this visit.

    Returns:
        None for an outcome that is no loss.
    """
    if known is None or outcome not in LOST:
        return None
    return next_interval_days(known.interval_days, False, config) if known.outcome == outcome else config.revisit_min_days


def next_interval_days(previous: float | None, changed: bool, config: CrawlConfig) -> float:
    """Days until the next visit of a page.

    Args:
        previous: days between the last two visits; None for a page seen for the first time.
        changed: whether its body differs from the stored one.

    >>> next_interval_days(None, False, CrawlConfig()), next_interval_days(8, True, CrawlConfig())
    (7.0, 4.0)
    """
    if previous is None:
        return config.revisit_first_days
    wanted = previous * (_SHORTER if changed else _LONGER)
    return min(max(wanted, config.revisit_min_days), config.revisit_max_days)


class SiteBudget:
    """Of one site.

    Args:
        ends: moment of the steady clock when the time of the whole crawl is spent.

    Attributes:
        given_up: host -> why nothing more is asked of it in this run.
        parked_at: when it first had to wait for another run; None while it does not.
    """

    def __init__(self, config: CrawlConfig, ends: float) -> None:
        self._config = config
        self._ends = ends
        self._broken: dict[str, set[int]] = {}  # host -> pages in a row that it answered with a server error
        self.given_up: dict[str, str] = {}
        self.parked_at: float | None = None

    def spent(self, began: float, now: float) -> str:
        """Why there is no time left for a site that was begun then, by the steady clock; "" while there is."""
        if now > self._ends:
            return "time budget of the crawl is spent"
        return "time budget of the site is spent" if now - began > self._config.max_site_seconds else ""

    def lasts(self, now: float) -> bool:
        """Whether to go on waiting for another run that asks the host."""
        self.parked_at = self.parked_at or now
        return now - self.parked_at <= self._config.max_site_seconds

    def observe(self, host: str, url_id: int, answer: Answer) -> None:
        """An answer came. A page that fails tells of itself, page after page that fails tells of the site (hazards P8)."""
        broken = self._broken.setdefault(host, set())
        if answer.status < 500:
            broken.clear()
            return
        broken.add(url_id)
        if len(broken) >= self._config.site_error_limit:
            self.given_up[host] = f"the host failed at {len(broken)} pages in a row (HTTP {answer.status})"

    def allows(self, attempts: int, host: str) -> bool:
        """Whether a URL that was tried so often may be tried again; not where other pages of its host fail like it."""
        return attempts < self._config.max_attempts and len(self._broken.get(host, ())) <= 1


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
