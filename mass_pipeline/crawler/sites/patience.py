"""When a site is given up for this run: hosts that are dead or fail at page after page, time that is spent. No I/O.

What a host is left alone for is the downloader's to say; here waits are never shortened, only tries left out.
"""

from __future__ import annotations

from mass_pipeline.crawler.fetching.config import CrawlConfig


class Patience:
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

    def saw(self, host: str, url_id: int, status: int) -> None:
        """An answer came. A page that fails tells of itself, page after page that fails tells of the site."""
        broken = self._broken.setdefault(host, set())
        if status < 500:
            broken.clear()
            return
        broken.add(url_id)
        if len(broken) >= self._config.site_error_limit:
            self.given_up[host] = f"the host failed at {len(broken)} pages in a row (HTTP {status})"

    def allows(self, attempts: int, host: str) -> bool:
        """Whether a URL that was tried so often may be tried again: not where other pages fail like it."""
        return attempts < self._config.max_attempts and len(self._broken.get(host, ())) <= 1
