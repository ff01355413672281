"""What the answers of a host mean for the rest of a site's crawl: one class per policy, and the table of those that hold.

Another policy is a class here, its row in `AFTER_ANSWER`, and its setting in `fetching.config`; nothing else asks or names
policies. Belongs here: rules over answers that came. Not here: pauses and dead hosts (`fetching.downloader`), what a single
answer is (`fetching.chain`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.fetching.transport import Answer


class AnswerPolicy(Protocol):
    """Hears of every answer of one site in one run.

    Attributes:
        asked_last: outcomes of a run whose URLs the next run asks after all others.
    """

    asked_last: frozenset[Outcome]

    def saw(self, host: str, url_id: int, answer: Answer) -> str:
        """An answer came: why nothing more is asked of its host in this run; "" while it may be asked."""
        ...

    def allows_another_try(self, host: str) -> bool:
        """Whether a URL of a host that was not answered well may be asked again in this run."""
        ...


class FailingPages:
    """A page that fails tells of itself, page after page that fails tells of the site (hazards P8)."""

    asked_last = frozenset({Outcome.HTTP_5XX})  # else the same pages ended every run, and nobody ever asked for the others

    def __init__(self, config: CrawlConfig) -> None:
        self._limit = config.site_error_limit
        self._broken: dict[str, set[int]] = {}  # host -> pages in a row that it answered with a server error

    def saw(self, host: str, url_id: int, answer: Answer) -> str:
        """See `AnswerPolicy`."""
        broken = self._broken.setdefault(host, set())
        if answer.status < 500:
            broken.clear()
            return ""
        broken.add(url_id)
        return f"the host failed at {len(broken)} pages in a row (HTTP {answer.status})" if len(broken) >= self._limit else ""

    def allows_another_try(self, host: str) -> bool:
        """Not where other pages fail like it."""
        return len(self._broken.get(host, ())) <= 1


AFTER_ANSWER: Final[tuple[Callable[[CrawlConfig], AnswerPolicy], ...]] = (FailingPages,)
