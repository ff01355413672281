"""The one check every request passes: page, redirect hop, robots, frame, sitemap. Resolves names; opens no connection.

Names are looked up once, every address of the answer is judged, and the transport connects to exactly the addresses
approved here: a second look-up (DNS rebinding) never happens between check and connection.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Final

from mass_pipeline.crawling.fetching.addresses import Address, ConnectTo, is_own, is_public, parse_address
from mass_pipeline.crawling.fetching.outcomes import Failure, Outcome
from mass_pipeline.crawling.fetching.urls import split

PORTS: Final = frozenset({80, 443, 8080, 8443})
_DNS_SECONDS: Final = 300.0  # C5; longer than a site's crawl needs, short enough to follow a move
_NEGATIVE_DNS_SECONDS: Final = 30.0
_RESOLVER_SECONDS: Final = 10.0  # resolv.conf(5): two tries of five seconds at one server
_RESOLVERS: Final = 16  # names asked for at once
_MAX_LITERALS: Final = 10_000

Resolve = Callable[[str, int], Awaitable[list[str]]]


class GateRefusal(Failure):
    """A request must not or cannot be made."""


async def resolve_by_system(host: str, port: int) -> list[str]:
    """Addresses of a name by the system's resolver, in its order; other work of the loop's threads waits for no name.

    Raises:
        OSError: there is no such name, or the resolver says nothing for ten seconds.
    """
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    try:
        async with asyncio.timeout(_RESOLVER_SECONDS):
            answer = await asyncio.get_running_loop().run_in_executor(_resolvers(), look_up)
    except TimeoutError as error:
        raise OSError(f"the resolver did not answer in {_RESOLVER_SECONDS:g} s") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in answer))


@cache
def _resolvers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_RESOLVERS, thread_name_prefix="names")


class Gate:
    """Approves hosts and hands out the addresses to connect to.

    Attributes:
        refused: number of requests refused because of their address or port.
    """

    def __init__(
        self, *, allow_private: bool = False, connect_to: ConnectTo | None = None, resolve: Resolve = resolve_by_system
    ) -> None:
        self._allow_private = allow_private
        self._connect_to = connect_to if allow_private else None
        self._resolve = resolve
        self._known: dict[str, tuple[float, list[str] | GateRefusal]] = {}
        self._pending: dict[str, asyncio.Task[list[tuple[str, int]]]] = {}
        self._led_elsewhere: set[tuple[str, int]] = set()
        self._literals: dict[tuple[str, int], list[tuple[str, int]]] = {}
        self.refused = 0

    async def approve(self, url: str) -> list[tuple[str, int]]:
        """Addresses and port to connect to for a canonical URL.

        Raises:
            GateRefusal: wrong port, no public address, or no address at all.
        """
        parts = split(url)
        return await self.addresses(parts.host, parts.port)

    def leads_elsewhere(self, host: str, port: int) -> bool:
        """Whether the last answer of `addresses` for a host came from `connect_to`."""
        return (host, port) in self._led_elsewhere

    async def addresses(self, host: str, port: int) -> list[tuple[str, int]]:
        """As `approve`, for a host as it stands in a canonical URL."""
        instead = self._connect_to(host, port) if self._connect_to else None
        if instead is not None:
            address = parse_address(instead[0])
            if address is None or not is_own(address):
                raise self._refusal(f"connect_to gave {instead[0]}, which is not loopback")
            if instead != (host, port):
                self._led_elsewhere.add((host, port))
            return [instead]
        known = self._literals.get((host, port))
        if known is not None:
            return known
        literal = self._check_port_and_literal(host, port)
        if literal is not None:
            if len(self._literals) > _MAX_LITERALS:
                self._literals.clear()
            self._literals[host, port] = [(str(literal), port)]
            return self._literals[host, port]
        answer = await self._lookup(host, port)
        addresses = [address for text in answer if (address := parse_address(text)) is not None]
        if len(addresses) != len(answer) or not addresses:
            raise self._refusal(f"{host} resolves to something that is no address")
        for address in addresses:
            self._check(address, port, host)
        return [(str(address), port) for address in addresses]

    def prefetch(self, host: str, port: int) -> None:
        """Look a name up ahead of its first request (C5); errors show when the request comes."""
        if host in self._known or host in self._pending or parse_address(host) is not None:
            return
        task = asyncio.get_running_loop().create_task(self.addresses(host, port))
        self._pending[host] = task
        task.add_done_callback(lambda done: (self._pending.pop(host, None), done.cancelled() or done.exception(), None)[-1])

    def _check_port_and_literal(self, host: str, port: int) -> Address | None:
        literal = parse_address(host)
        if literal is not None:
            self._check(literal, port, host)
        elif port not in PORTS and not self._allow_private:
            raise self._refusal(f"port {port}")
        return literal

    def _check(self, address: Address, port: int, host: str) -> None:
        if self._allow_private and is_own(address):
            return
        if not is_public(address):
            raise self._refusal(f"{host} is the non-public address {address}")
        if port not in PORTS:
            raise self._refusal(f"port {port}")

    def _refusal(self, reason: str) -> GateRefusal:
        self.refused += 1
        return GateRefusal(Outcome.BLOCKED_ADDRESS, reason)

    async def _lookup(self, host: str, port: int) -> list[str]:
        now = asyncio.get_running_loop().time()
        known = self._known.get(host)
        if known is None or known[0] <= now:
            try:
                answer: list[str] | GateRefusal = await self._resolve(host, port)
            except OSError as error:
                answer = GateRefusal(Outcome.DNS_ERROR, f"{host}: {error.strerror or error}")
            except UnicodeError:
                answer = GateRefusal(Outcome.DNS_ERROR, f"{host} is no name")
            seconds = _NEGATIVE_DNS_SECONDS if isinstance(answer, GateRefusal) else _DNS_SECONDS
            known = self._known[host] = (now + seconds, answer)
        if isinstance(known[1], GateRefusal):
            raise GateRefusal(known[1].outcome, known[1].reason)
        return known[1]
