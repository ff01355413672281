"""Ask an origin for its robots.txt, by the one follower of redirects and retries (`chain`).

Belongs here: what becomes of an answer, or of none. Not here: what the file says (`robots`), how long it is remembered and
what else a host is left alone for (`downloader`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from mass_pipeline.crawling.fetching.chain import Chain, Follower, Stop
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.opt_outs import OptOuts
from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.fetching.robots import RobotsRules, RobotsState
from mass_pipeline.crawling.fetching.transport import Answer
from mass_pipeline.crawling.fetching.urls import UrlParts

PATH: Final = "/robots.txt"
_NO_HEADERS: Final[Mapping[str, str]] = {}
# The gate lets nobody ask there, whatever an older copy says.
_NOBODY: Final = frozenset({Outcome.BLOCKED_ADDRESS, Outcome.DNS_ERROR})
# Somebody is there, but gives no rules for now: RFC 9309 2.3.1.4, complete disallow.
_NO_RULES: Final = frozenset({Outcome.DEFERRED, Outcome.TRAP, Outcome.BAD_URL, Outcome.OUT_OF_SCOPE})

Request = Callable[[str, UrlParts, Mapping[str, str], int, bool], Awaitable[Answer]]
"""`(url, parts, headers, most bytes, any type)`: one request with its pauses, robots.txt not asked before."""


class RobotsFile:
    """Finds the rules of origins; remembers none.

    Args:
        request: made for every hop; it leaves hosts their pauses.
        removals: hosts that are asked for nothing, not even where a redirect leads there.
    """

    def __init__(self, request: Request, config: CrawlConfig, removals: OptOuts) -> None:
        self._request = request
        self._config = config
        self._removals = removals

    async def fetch(
        self, url: str, parts: UrlParts, headers: Mapping[str, str] = _NO_HEADERS, *, any_type: bool = False
    ) -> Answer:
        """One hop, for the follower."""
        return await self._request(url, parts, headers, self._config.robots_max_bytes, any_type)

    async def rules_of(self, origin: str, stale: RobotsRules | None) -> RobotsRules:
        """What the robots.txt of an origin allows; the last good copy while the file cannot be had (RFC 9309 2.4).

        Args:
            origin: scheme, host and port of a canonical URL.
            stale: an older copy; with one in hand one try is enough, for the host may be busy.

        Raises:
            Failure: nobody is there at all, or nobody may be asked: said so, rather than that robots.txt forbids it.
            LeasedElsewhere: another run is asking the host.
        """
        config = self._config
        attempts = config.max_attempts if stale is None else 1
        follower = Follower(self, config, attempts=attempts, max_redirects=config.robots_max_redirects)
        chain = await follower.follow(origin + PATH, any_type=True, go_on=self._go_on)
        if chain.outcome in _NOBODY or (stale is None and chain.answer is None and chain.outcome not in _NO_RULES):
            raise Failure(chain.outcome, chain.reason, host_is_dead=True)
        rules = _rules_in(chain)
        if rules.state is RobotsState.UNREACHABLE and stale is not None and stale.state is not RobotsState.UNREACHABLE:
            return stale
        return rules

    def _go_on(self, start: str, target: str) -> Stop | None:
        return Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}, removed") if self._removals.covers(target) else None


def _rules_in(chain: Chain) -> RobotsRules:
    answer = chain.answer
    if answer is None:
        return RobotsRules.unreachable(f"robots.txt: {chain.reason}")
    whole = answer.complete and not answer.bomb
    return RobotsRules.from_response(answer.status, answer.body, complete=whole, cut=answer.truncated)
