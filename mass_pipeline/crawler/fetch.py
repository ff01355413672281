"""Fetch single pages by the crawler's rules: gate, robots.txt, pace, redirects. No frontier, no state folder (see engine).

Whoever fetches several pages gives each call the same `HostMemory`: robots.txt is then asked once a day, and hosts are left
their pauses between the calls.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

from mass_pipeline.crawler.clock import Clock, SystemClock
from mass_pipeline.crawler.config import CrawlConfig
from mass_pipeline.crawler.downloader import Downloader, Failure, OriginRules, Restored
from mass_pipeline.crawler.gate import Gate, GateRefusal
from mass_pipeline.crawler.outcomes import REFUSING_STATUSES, Outcome, outcome_of_status
from mass_pipeline.crawler.politeness import Pace
from mass_pipeline.crawler.records import ConnectTo, FetchResult
from mass_pipeline.crawler.robots import RobotsState
from mass_pipeline.crawler.spider import parse
from mass_pipeline.crawler.transport import AiohttpTransport, Answer
from mass_pipeline.crawler.urls import BadUrl, canonicalize, split


class HostMemory:
    """What is known of hosts between single fetches of one process: rules and pace per origin. Threads may share it."""

    def __init__(self) -> None:
        self._known: dict[str, Restored] = {}
        self._lock = threading.Lock()

    def restored(self, origin: str) -> Restored | None:
        """How an origin stood after the last fetch; None for a new one. Rules that could not be had are asked for anew."""
        with self._lock:
            found = self._known.get(origin)
            return None if found is None else replace(found, pace=replace(found.pace))

    def changed(self, origin: str, pace: Pace, rules: OriginRules) -> None:
        """Remember an origin."""
        with self._lock:
            kept = None if rules.rules is None or rules.rules.state is RobotsState.UNREACHABLE else rules.rules
            self._known[origin] = Restored(replace(pace), kept, rules.fetched_at, rules.mining, rules.mining_at)


def fetch_once(
    url: str,
    *,
    config: CrawlConfig,
    connect_to: ConnectTo | None = None,
    clock: Clock | None = None,
    memory: HostMemory | None = None,
) -> FetchResult:
    """One page through gate, robots.txt and politeness, redirects followed; never raises for what a server does.

    A broken or incomplete answer is asked for once more; what came is kept.

    Args:
        url: as a person may have written it.
        config: settings of the crawl; limits and identity hold here too.
        connect_to: as for `crawl_sites`.
        memory: of hosts, shared by the calls that belong together.
    """
    try:
        start = canonicalize(url if "://" in url else "http://" + url)
    except BadUrl as error:
        return FetchResult(url, None, Outcome.BAD_URL.value, str(error))
    return asyncio.run(_fetch_following(start, config, connect_to, clock or SystemClock(), memory or HostMemory()))


async def _fetch_following(
    start: str, config: CrawlConfig, connect_to: ConnectTo | None, clock: Clock, memory: HostMemory
) -> FetchResult:
    gate = Gate(allow_private=config.allow_private_hosts, connect_to=connect_to)
    url = start
    began = clock.steady()
    async with AiohttpTransport(gate, config) as transport:
        downloader = Downloader(config, gate, transport, clock, restored=memory.restored, changed=memory.changed)
        for _ in range(config.max_redirects + 1):
            try:
                answer = await _fetch_twice(downloader, url)
                location = answer.headers.get("Location")
                if not 300 <= answer.status <= 399 or not location:
                    return _result(start, url, answer, round((clock.steady() - began) * 1000))
                url = canonicalize(location, url)
            except BadUrl as error:
                return FetchResult(start, url, Outcome.BAD_URL.value, f"redirects to a bad address ({error})")
            except (Failure, GateRefusal) as error:
                return FetchResult(start, None, error.outcome.value, error.reason)
            finally:
                downloader.remember(split(url))
    return FetchResult(start, None, Outcome.TRAP.value, f"more than {config.max_redirects} redirects")


async def _fetch_twice(downloader: Downloader, url: str) -> Answer:
    """An answer; asked for again when the first was broken or not complete, and then the longer one."""
    first: Answer | None = None
    try:
        first = await downloader.fetch(url, split(url))
        if first.complete:
            return first
    except Failure as error:
        if error.outcome is not Outcome.PROTOCOL_ERROR or error.host_is_dead:
            raise
    try:
        second = await downloader.fetch(url, split(url))
    except (Failure, GateRefusal):
        if first is None:
            raise
        return first
    return second if first is None or second.complete or len(second.body) >= len(first.body) else first


def _result(start: str, url: str, answer: Answer, elapsed_ms: int) -> FetchResult:
    outcome = Outcome.REFUSED if answer.status in REFUSING_STATUSES else outcome_of_status(answer.status)
    if outcome is Outcome.OK:
        if answer.bomb:
            outcome = Outcome.TOO_LARGE
        elif not answer.is_text:
            outcome = Outcome.NOT_TEXT
        elif answer.truncated or not answer.complete:
            outcome = Outcome.TRUNCATED
    has_text = outcome in (Outcome.OK, Outcome.TRUNCATED)
    headers = answer.headers
    return FetchResult(
        start, url, outcome.value, answer.fault if has_text else f"HTTP {answer.status}", answer.status,
        headers.get("Content-Type"), answer.body if has_text else b"", parse(answer).encoding if has_text else "",
        headers.get("ETag"), headers.get("Last-Modified"), elapsed_ms, answer.truncated or not answer.complete,
        answer.tls_verified,
    )  # fmt: skip
