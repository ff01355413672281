"""When a site is given up for this run: hosts that are dead, policies that end one, time that is spent. No I/O.

What a host is left alone for is the downloader's to say, what its answers mean `answer_policies`'; here waits are never
shortened, only tries left out.
"""

from __future__ import annotations

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.sites import answer_policies


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
        self._policies = tuple(make(config) for make in answer_policies.AFTER_ANSWER)
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

    def saw(self, host: str, url_id: int, answer: Answer) -> None:
        """An answer came: every policy hears of it, and the first that ends its host says why."""
        reasons = [policy.saw(host, url_id, answer) for policy in self._policies]
        if reason := next(filter(None, reasons), ""):
            self.given_up[host] = reason

    def allows(self, attempts: int, host: str) -> bool:
        """Whether a URL that was tried so often may be tried again."""
        return attempts < self._config.max_attempts and all(policy.allows_another_try(host) for policy in self._policies)

    def asks_last(self, outcome: str | None) -> bool:
        """Whether a URL that ended so in an earlier run waits until all others were asked."""
        return any(outcome in policy.asked_last for policy in self._policies)
