"""The one follower of redirects and retries: watch, link collection and robots.txt ask through it, single pages for the
retries of each hop (`http_client`); a crawl of a whole site spreads the same rules over its frontier (`sites.site`).

Belongs here: where an answer redirects, which answers are asked for again, which hops are followed, what an answer is. Not here:
one request and its pauses (`downloader`), what a page means. Where its users differed: docs/decisions/0031-one-follower.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.host_turns import in_turn
from mass_pipeline.crawling.fetching.outcomes import RETRIED_STATUSES, Failure, Outcome, outcome_of_answer
from mass_pipeline.crawling.fetching.scope import Scope, is_blacklisted
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, from_header, split

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})  # RFC 9110 15.4: what a robot may follow by itself


@dataclass(frozen=True, slots=True)
class Stop:
    """Why a hop is not taken."""

    outcome: Outcome
    reason: str


def next_hop(answer: Answer, url: str) -> str | Stop | None:
    """The canonical URL that an answer of a URL leads to; None when it leads nowhere, a `Stop` when that is no address."""
    location = answer.headers.get("Location")
    if answer.status not in _REDIRECTS or not location:
        return None
    try:
        return canonicalize(from_header(location), url)
    except BadUrl as error:
        return Stop(Outcome.BAD_URL, f"redirects to a bad address ({error})")


_NO_HEADERS: Final[Mapping[str, str]] = {}
_ONCE_MORE: Final = 2  # requests of a URL whose first answer was broken or did not come whole (hazards T2)


Fetch = Callable[..., Awaitable[Answer]]
"""Makes one request: `downloader.Downloader.fetch`."""
GoOn = Callable[[str, str], Stop | None]
"""`(from, to)`, both canonical: None to follow the redirect. Told of every hop."""


@dataclass(slots=True)
class Chain:
    """Where a chain of redirects ended, and how.

    Attributes:
        url: asked last; after redirects when `passed` is not empty.
        outcome: `ok` and `truncated` have a page in `answer`; `not_modified` has none.
        reason: why, for people.
        answer: of `url`; None when none came, or none was asked for.
        passed: URLs that redirects led to, in order.
        left_for: where a redirect led that was not followed.
        asked: whether any URL answered.
        host_is_dead: the host gives nothing more for now.
    """

    url: str
    outcome: Outcome = Outcome.OK
    reason: str = ""
    answer: Answer | None = None
    passed: list[str] = field(default_factory=list)
    left_for: str = ""
    asked: bool = False
    host_is_dead: bool = False

    def ends(self, outcome: Outcome, reason: str) -> Chain:
        """The chain with its end."""
        self.outcome, self.reason = outcome, reason
        return self


def judge_answer(answer: Answer, *, was_conditional: bool = False, any_type: bool = False) -> tuple[Outcome, str]:
    """Outcome of the answer a chain ends with, and why; a page came with 200 alone."""
    status = answer.status
    if status == 304 and was_conditional:
        return Outcome.NOT_MODIFIED, ""
    if status != 200:
        return outcome_of_answer(status), f"HTTP {status}"
    if answer.bomb:
        return Outcome.TOO_LARGE, "decompression bomb"
    if not any_type and not answer.is_text:
        return Outcome.NOT_TEXT, (answer.headers.get("Content-Type") or "")[:100]
    return (Outcome.TRUNCATED, answer.cut_short) if answer.cut_short else (Outcome.OK, "")


class Follower:
    """Follows redirects, and asks again where that helps.

    Args:
        attempts: requests of one URL that is busy, silent or out of order; the pace of the host holds the waits.
        patience_seconds: waits so long for other runs; None leaves that to the caller (`LeasedElsewhere`).
        max_redirects: None takes that of the settings for pages.
    """

    def __init__(
        self,
        fetch: Fetch,
        config: CrawlConfig,
        *,
        attempts: int,
        patience_seconds: float | None = None,
        max_redirects: int | None = None,
    ) -> None:
        self._fetch_once = fetch
        self._config = config
        self._attempts = attempts
        self._patience_seconds = patience_seconds
        self._max_redirects = config.max_redirects if max_redirects is None else max_redirects

    async def follow(
        self,
        url: str,
        headers: Mapping[str, str] = _NO_HEADERS,
        *,
        any_type: bool = False,
        scope: Scope | None = None,
        is_start: bool = False,
        go_on: GoOn = lambda start, target: None,
    ) -> Chain:
        """Ask for a URL, and for those it leads to; never raises for what a server does.

        Args:
            url: canonical.
            headers: conditions of the request.
            any_type: binaries are welcome.
            scope: of the site, which no redirect leaves; None: they may lead anywhere.
            is_start: the start page of the site: where it leads belongs to the site.
            go_on: asked before every hop within the scope.

        Raises:
            LeasedElsewhere: another run has its turn, and patience was not asked for.
        """
        chain = Chain(url)
        for _ in range(self._max_redirects + 1):
            answer = await self.ask(chain, headers, any_type)
            if answer is None:
                return chain
            target = next_hop(answer, chain.url)
            if target is None:
                chain.answer = answer
                return chain.ends(*judge_answer(answer, was_conditional=bool(headers), any_type=any_type))
            if isinstance(target, Stop):
                return chain.ends(target.outcome, target.reason)
            if scope is not None and is_start:
                scope.follow_start(chain.url, target, self._config.never_crawl + self._config.removed_hosts)
            stop = self._out_of(scope, target) or go_on(chain.url, target) or self._never(chain, target, url)
            if stop is not None:
                chain.left_for = target
                return chain.ends(stop.outcome, stop.reason)
            chain.url = target
            chain.passed.append(target)
        return chain.ends(Outcome.TRAP, f"more than {self._max_redirects} redirects")

    @staticmethod
    def _out_of(scope: Scope | None, target: str) -> Stop | None:
        is_covered = scope is None or scope.covers(split(target))
        return None if is_covered else Stop(Outcome.OUT_OF_SCOPE, f"redirects to another site, {target}")

    def _never(self, chain: Chain, target: str, start: str) -> Stop | None:
        if is_blacklisted(split(target).host, self._config.never_crawl):
            return Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}, which is never crawled")
        return Stop(Outcome.TRAP, "redirects in a circle") if target in (start, *chain.passed) else None

    async def ask(self, chain: Chain, headers: Mapping[str, str], any_type: bool) -> Answer | None:
        """The best answer of the URL that a chain has reached; None and the chain's end when there is none."""
        best: Answer | None = None
        attempt = 0
        while True:
            attempt += 1
            try:
                fetch = partial(self._fetch_once, chain.url, split(chain.url), headers, any_type=any_type)
                answer = await (fetch() if self._patience_seconds is None else in_turn(fetch, self._patience_seconds))
            except Failure as error:
                if best is None and self._helps(error, attempt):
                    continue
                if best is None:
                    chain.host_is_dead = error.host_is_dead
                    chain.ends(error.outcome, error.reason)
                return best
            chain.asked = True
            best = answer if best is None else _better(best, answer)
            busy = answer.status in RETRIED_STATUSES and attempt < self._attempts
            cut = answer.status == 200 and not answer.complete and attempt < _ONCE_MORE
            if not busy and not cut:
                return best

    def _helps(self, error: Failure, attempt: int) -> bool:
        """Whether to ask again: broken HTTP is read leniently then, the rest as often as the caller wants."""
        if error.host_is_dead or not error.retriable:
            return False
        return attempt < (max(_ONCE_MORE, self._attempts) if error.outcome is Outcome.PROTOCOL_ERROR else self._attempts)


def _better(first: Answer, second: Answer) -> Answer:
    """Of two answers of one URL the later, unless the first brought more of the page."""
    was_cut = first.status == 200 and not first.complete
    brought_less = second.status != 200 or (not second.complete and len(second.body) < len(first.body))
    return first if was_cut and brought_less else second
