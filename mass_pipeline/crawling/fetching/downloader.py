"""One polite request: robots.txt, reservations, pace, address limit, gate, transport, Retry-After. Pages are followed by `chain`.

Belongs here: what must hold for every request whoever asks. Not here: which URL comes next (frontier), what a page means
(spider).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Awaitable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from types import TracebackType
from typing import Final, Self

from mass_pipeline.crawling.fetching.addresses import ConnectTo
from mass_pipeline.crawling.fetching.chain import Follower, Stop
from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.gate import Gate
from mass_pipeline.crawling.fetching.host_table import open_hosts
from mass_pipeline.crawling.fetching.host_turns import HostTurns, Turn
from mass_pipeline.crawling.fetching.hosts import Grant, HostState, HostStore, OriginRules
from mass_pipeline.crawling.fetching.outcomes import BUSY_STATUSES, Failure, LeasedElsewhere, Outcome
from mass_pipeline.crawling.fetching.politeness import (
    Pace,
    backoff_seconds,
    crawl_delay_of,
    retry_after_seconds,
)
from mass_pipeline.crawling.fetching.reservations import MAX_BYTES as RESERVATIONS_MAX_BYTES
from mass_pipeline.crawling.fetching.reservations import PATH as RESERVATIONS_PATH
from mass_pipeline.crawling.fetching.reservations import TdmReservations
from mass_pipeline.crawling.fetching.robots import RobotsRules, RobotsState
from mass_pipeline.crawling.fetching.scope import OptOuts, is_blacklisted
from mass_pipeline.crawling.fetching.transport import AiohttpTransport, Answer, TransportFailure
from mass_pipeline.crawling.fetching.urls import UrlParts, place_of

REMOVED: Final = "removed at the wish of its owner"
ROBOTS_PATH: Final = "/robots.txt"
_NO_HEADERS: Final[Mapping[str, str]] = {}
# The gate lets nobody ask for robots.txt there, whatever an older copy says.
_NOBODY: Final = frozenset({Outcome.BLOCKED_ADDRESS, Outcome.DNS_ERROR})
# Somebody is there, but gives no rules for now: RFC 9309 2.3.1.4, complete disallow.
_NO_RULES: Final = frozenset({Outcome.DEFERRED, Outcome.TRAP, Outcome.BAD_URL, Outcome.OUT_OF_SCOPE})


class Downloader:
    """Makes requests, politely; an async context manager that keeps connections.

    Args:
        connect_to: where to connect instead; only honoured with `config.allow_private_hosts`.
        memory: keeps hosts over restarts; None when nobody does.

    Attributes:
        counters: requests, bytes, politeness figures.
    """

    def __init__(
        self,
        config: CrawlConfig,
        clock: Clock,
        connect_to: ConnectTo | None,
        *,
        memory: HostStore | None = None,
    ) -> None:
        self._config = config
        self._gate = Gate(allow_private=config.allow_private_hosts, connect_to=connect_to)
        self._transport = AiohttpTransport(self._gate, config, clock)
        self._clock = clock
        self._memory, self._began = memory, clock.steady()
        self._removals = OptOuts.of(config.removed_hosts, config.removed_urls)
        self._chance = random.Random(config.seed)
        self._hosts: dict[str, HostState] = {}
        self._origins: dict[str, OriginRules] = {}
        # Of a run alone where no table is named, or nobody waits for anything (tests).
        self._turns = HostTurns(open_hosts(config.leases) if config.leases and not config.no_delay else None, config)
        self.counters: Counter[str] = Counter()
        self.most: dict[str, float] = {"in_flight_per_host": 0, "crawl_delay_s": 0.0}

    async def __aenter__(self) -> Self:
        await self._turns.__aenter__()
        await self._transport.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._transport.__aexit__(kind, error, trace)
        await self._turns.__aexit__(kind, error, trace)
        self.counters["blocked_addresses"] += self._gate.refused

    def prefetch(self, parts: UrlParts) -> None:
        """Look a host's name up ahead of its first request (C5)."""
        self._gate.prefetch(parts.host, parts.port)

    async def fetch(
        self, url: str, parts: UrlParts, headers: Mapping[str, str] = _NO_HEADERS, *, any_type: bool = False
    ) -> Answer:
        """One page, if robots.txt allows it.

        Raises:
            Failure: forbidden, blocked, or no usable answer.
            LeasedElsewhere: another run is asking there; nothing was sent.
        """
        if self._removals.covers(url):
            raise Failure(Outcome.OUT_OF_SCOPE, REMOVED, host_is_dead=is_blacklisted(parts.host, self._removals.hosts))
        rules = await self.rules_of(parts)
        if rules.state is RobotsState.UNREACHABLE:
            raise Failure(Outcome.DEFERRED, rules.reason, host_is_dead=True)
        if not rules.is_allowed(url):
            self.counters["robots_refused"] += 1
            raise Failure(Outcome.FORBIDDEN_BY_ROBOTS, rules.reason or "robots.txt")
        if (await self._reservations_of(parts, rules)).covers(url):
            self.counters["tdm_reserved"] += 1
            raise Failure(Outcome.FORBIDDEN_BY_ROBOTS, f"reserved by {RESERVATIONS_PATH}")
        return await self._request(url, parts, headers, self._config.max_body_bytes, any_type)

    async def call(self, method: str, url: str, parts: UrlParts, headers: Mapping[str, str], content: bytes | None) -> Answer:
        """One request to a service that answers programs (Places, a web hook): robots.txt, which is for readers of pages, is not
        asked; address, pace and limits hold as for pages. Any status is an answer.

        Raises:
            Failure: blocked, or no usable answer.
        """
        if self._removals.covers(url):
            raise Failure(Outcome.OUT_OF_SCOPE, REMOVED)
        limit = self._config.max_body_bytes
        return await self._request(url, parts, headers, limit, any_type=True, method=method, content=content)

    async def rules_of(self, parts: UrlParts) -> RobotsRules:
        """robots.txt of an origin, from memory, an earlier run, or the server; at most 24 hours old."""
        origin = parts.origin
        entry = self._origins.get(origin)
        if entry is not None and entry.rules is not None and self._is_fresh(entry.fetched_at):
            return entry.rules
        self._host(parts)
        entry = self._origins.setdefault(origin, OriginRules())
        async with entry.lock:
            if entry.failure is not None:
                raise entry.failure
            if entry.rules is None or not self._is_fresh(entry.fetched_at):
                await self._learn_from_others(parts)
            if entry.rules is None or not self._is_fresh(entry.fetched_at):
                await self._fetch_rules(origin, parts, entry)
            assert entry.rules is not None
            return entry.rules

    def leave(self, parts: UrlParts, *, forget: bool = False) -> None:
        """Nothing more is asked of a host for now: how it stands is kept for later runs, and other runs may ask it.

        Args:
            forget: free its memory, as nobody will ask it again in this run.
        """
        key, entry = place_of(parts), self._origins.get(parts.origin)
        host = self._hosts.get(key)
        if host is not None and entry is not None:
            self._remember(parts.origin, host, entry)
        self._turns.surrender(key)
        if forget and host is not None and not host.lock.locked():
            del self._hosts[key]
            for origin in _origins_of(parts):
                self._origins.pop(origin, None)

    # robots.txt

    def _is_fresh(self, fetched_at: float) -> bool:
        age = self._clock.now().timestamp() - fetched_at
        return 0 <= age < self._config.robots_max_age_seconds

    async def _fetch_rules(self, origin: str, parts: UrlParts, entry: OriginRules) -> None:
        try:
            rules = await self._read_robots(origin, entry.rules)
        except Failure as error:
            entry.failure = error
            raise
        entry.rules = rules
        entry.fetched_at = self._clock.now().timestamp()
        pace = self._host(parts).pace
        pace.crawl_delay = crawl_delay_of(rules.crawl_delay(), self._config)
        self.most["crawl_delay_s"] = max(self.most["crawl_delay_s"], pace.crawl_delay)
        if not self._config.no_delay and pace.crawl_delay:
            pace.not_before = max(pace.not_before, self._clock.steady() + pace.crawl_delay)
        await self._share_rules(parts, entry)

    async def _read_robots(self, origin: str, stale: RobotsRules | None) -> RobotsRules:
        """What the robots.txt of an origin allows; the last good copy while the file cannot be had (RFC 9309 2.4).

        Args:
            stale: an older copy; with one in hand one try is enough, for the host may be busy.

        Raises:
            Failure: nobody is there at all, or nobody may be asked: said so, rather than that robots.txt forbids it.
        """
        config, attempts = self._config, self._config.max_attempts if stale is None else 1
        ask = partial(self._request, limit=config.robots_max_bytes)
        follower = Follower(ask, config, attempts=attempts, max_redirects=config.robots_max_redirects)
        chain = await follower.follow(origin + ROBOTS_PATH, any_type=True, go_on=self._off_removals)
        answer = chain.answer
        if chain.outcome in _NOBODY or (stale is None and answer is None and chain.outcome not in _NO_RULES):
            raise Failure(chain.outcome, chain.reason, host_is_dead=True)
        if answer is None:
            rules = RobotsRules.unreachable(f"robots.txt: {chain.reason}")
        else:
            whole = answer.complete and not answer.bomb
            rules = RobotsRules.from_response(answer.status, answer.body, complete=whole, cut=answer.truncated)
        is_worse = rules.state is RobotsState.UNREACHABLE and stale is not None and stale.state is not RobotsState.UNREACHABLE
        return stale if is_worse and stale is not None else rules

    def _off_removals(self, start: str, target: str) -> Stop | None:
        return Stop(Outcome.OUT_OF_SCOPE, f"redirects to {target}, removed") if self._removals.covers(target) else None

    # Reservations against text and data mining

    async def _reservations_of(self, parts: UrlParts, rules: RobotsRules) -> TdmReservations:
        """What an origin reserves; asked once a day, after robots.txt and within its rules."""
        entry = self._origins.setdefault(parts.origin, OriginRules(rules=rules, fetched_at=self._clock.now().timestamp()))
        if entry.mining is None or not self._is_fresh(entry.mining_at):
            async with entry.lock:
                if entry.mining is None or not self._is_fresh(entry.mining_at):
                    await self._fetch_reservations(parts, rules, entry)
        assert entry.mining is not None
        return entry.mining

    async def _fetch_reservations(self, parts: UrlParts, rules: RobotsRules, entry: OriginRules) -> None:
        url = parts.origin + RESERVATIONS_PATH
        entry.mining_at = self._clock.now().timestamp()
        if not rules.is_allowed(url):
            entry.mining = TdmReservations()
            return
        try:
            answer = await self._request(url, parts, _NO_HEADERS, RESERVATIONS_MAX_BYTES, any_type=True)
        except Failure as error:
            if error.outcome is Outcome.DEFERRED:
                raise
            entry.mining = entry.mining or TdmReservations()  # no answer is no reservation; the page itself is asked next
            return
        if answer.status >= 500 or answer.status in BUSY_STATUSES:
            entry.mining = entry.mining or TdmReservations()
            return
        entry.mining = TdmReservations.from_response(answer.status, b"" if answer.bomb else answer.body)
        await self._share_rules(parts, entry)

    async def _share_rules(self, parts: UrlParts, entry: OriginRules) -> None:
        """Rules of an origin were had: for later runs, and for those that ask the host after this one."""
        self._remember(parts.origin, self._host(parts), entry)
        await self._turns.put_rules(place_of(parts), entry.note(parts.origin, self._clock))

    # Turns among the runs of an installation

    async def _learn_from_others(self, parts: UrlParts) -> None:
        """What other runs know of a host, robots.txt above all, before it is asked again."""
        host = self._host(parts)
        async with host.lock:
            turn = await self._take_turn(host, parts)
            if turn is not None:
                self._turns.release(turn)

    async def _take_turn(self, host: HostState, parts: UrlParts) -> Turn | None:
        turn = await self._turns.host(place_of(parts))
        if turn is not None and turn.is_new:
            turn.is_new = False
            self._learn(host, turn.grant, lost_at=self._clock.steady())
        return turn

    def _learn(self, host: HostState, grant: Grant, *, lost_at: float) -> None:
        host.learn(grant, self._clock.steady(), self._config, lost_at=lost_at)
        for note in grant.rules:
            self._origins.setdefault(note.origin, OriginRules()).learn(note, self._clock)

    # Requests

    async def _request(
        self,
        url: str,
        parts: UrlParts,
        headers: Mapping[str, str],
        limit: int,
        any_type: bool,
        method: str = "GET",
        content: bytes | None = None,
    ) -> Answer:
        host = self._host(parts)
        addresses = await self._gate.addresses(parts.host, parts.port)
        async with host.lock:
            turn = await self._take_turn(host, parts)
            try:
                await self._wait(host)
                if self._memory is not None:
                    await self._memory.written()
                # Many hosts of the demo web share one loopback address.
                is_led = self._gate.leads_elsewhere(parts.host, parts.port)
                async with AsyncExitStack() if is_led else self._turns.address(addresses[0][0]):
                    if turn is not None and not self._turns.may_ask(turn):
                        raise LeasedElsewhere(place_of(parts), self._turns.trouble)
                    asked = self._transport.ask(url, headers, limit, any_type=any_type, method=method, content=content)
                    answer = await self._send(host, parts, asked)
                if turn is not None and answer.status in BUSY_STATUSES:
                    await self._turns.report(turn, host.note(self._clock.steady()))
            finally:
                if turn is not None:
                    self._turns.release(turn, host.note(self._clock.steady()))
        return answer

    async def _send(self, host: HostState, parts: UrlParts, asked: Awaitable[Answer]) -> Answer:
        self._count_request(host)
        try:
            answer = await asked
            self._answered(host, parts, answer)
            return answer
        except TransportFailure as error:
            self._failed(host, parts, 0.0)
            is_dead, may_help = host.unanswered >= self._config.host_failure_limit, error.outcome is not Outcome.TLS_ERROR
            raise Failure(error.outcome, error.reason, retriable=may_help, host_is_dead=is_dead) from error
        finally:  # whatever an answer says, and whether or not it can be read
            host.in_flight -= 1
            host.pace.rest(self._clock.steady(), self._config)

    def _count_request(self, host: HostState) -> None:
        """Watch ourselves: the figures show up in the report."""
        host.in_flight += 1
        self.most["in_flight_per_host"] = max(self.most["in_flight_per_host"], host.in_flight)
        self.counters["requests"] += 1
        self.counters["early_requests"] += self._clock.steady() < host.pace.not_before

    async def _wait(self, host: HostState) -> None:
        config = self._config
        wait = host.pace.not_before - self._clock.steady()
        if wait > config.max_wait_seconds:
            raise Failure(Outcome.DEFERRED, f"the host asks for {wait:.0f} s of rest", host_is_dead=True)
        if host.unanswered >= config.host_failure_limit:
            raise Failure(Outcome.DEFERRED, "the host failed too often in a row", host_is_dead=True)
        while wait > 0:
            await self._clock.sleep(wait)
            wait = host.pace.not_before - self._clock.steady()  # a timer may fire a moment early

    def _answered(self, host: HostState, parts: UrlParts, answer: Answer) -> None:
        now = self._clock.steady()
        self.counters["body_bytes"] += answer.wire_bytes
        if answer.status in BUSY_STATUSES:
            asked = retry_after_seconds(answer.headers.get("Retry-After"), self._clock.now(), self._config)
            self.counters["retry_after_obeyed"] += asked > 0
            host.pace.asked_until = max(host.pace.asked_until, now + asked) if asked else host.pace.asked_until
            self._failed(host, parts, asked)
            return
        host.unanswered = 0
        if answer.status >= 500:
            host.pace.failed(now, 0.0 if self._config.no_delay else self._backoff(host.pace.failures + 1), self._config)
            return
        host.pace.recovered()
        host.pace.answered(now, answer.latency, 200 <= answer.status <= 299, self._config)

    def _failed(self, host: HostState, parts: UrlParts, at_least: float) -> None:
        host.unanswered += 1
        wait = max(at_least, self._backoff(host.pace.failures + 1))
        host.pace.failed(self._clock.steady(), wait, self._config)
        for origin in _origins_of(parts):
            if origin in self._origins:
                self._remember(origin, host, self._origins[origin])

    def _backoff(self, failures: int) -> float:
        return backoff_seconds(failures, self._config, self._chance)

    def _host(self, parts: UrlParts) -> HostState:
        key = place_of(parts)
        host = self._hosts.get(key)
        is_known = host is not None and parts.origin in self._origins
        if host is None:
            host = self._hosts[key] = HostState(Pace(0.0 if self._config.no_delay else self._config.start_delay_seconds))
        if self._memory is not None and not is_known:
            self._learn(host, self._memory.load_host(parts.origin, self._clock.now().timestamp()), lost_at=self._began)
        return host

    def _remember(self, origin: str, host: HostState, entry: OriginRules) -> None:
        if self._memory is not None:
            note = host.note(self._clock.steady())
            self._memory.put_host(note, entry.note(origin, self._clock), self._clock.now().timestamp())


def _origins_of(parts: UrlParts) -> list[str]:
    """Both faces of a host."""
    return [UrlParts(scheme, *parts[1:]).origin for scheme in ("http", "https")]
