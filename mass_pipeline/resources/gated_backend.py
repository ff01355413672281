"""Open sockets for httpx only where the gate allows: the address that was checked is the one connected to.

Checking a host name and letting the client resolve it again would leave a hole (DNS rebinding); so the name is resolved here,
once per connection, and TLS still verifies the name.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any

import httpcore

from mass_pipeline.crawler.fetching.addresses import ConnectTo, is_own, is_public, parse_address
from mass_pipeline.crawler.fetching.gate import PORTS
from mass_pipeline.model.errors import Forbidden

Resolve = Callable[[str, int], list[str]]

__all__ = ("ConnectTo", "GatedBackend", "Resolve")


class GatedBackend(httpcore.NetworkBackend):
    """Network backend of httpcore that resolves, asks the gate, and connects to the checked address."""

    def __init__(
        self, *, allow_private_hosts: bool = False, connect_to: ConnectTo | None = None, resolve: Resolve | None = None
    ) -> None:
        self._allow_private_hosts = allow_private_hosts
        self._connect_to = connect_to if allow_private_hosts else None
        self._resolve = resolve or _resolve
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first allowed address of the host.

        Raises:
            Forbidden: the gate refuses every address. httpcore.ConnectError: nobody answers, or no such host.
        """
        address, target_port = self._choose(host, port)
        return self._backend.connect_tcp(address, target_port, timeout, local_address, socket_options)

    def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.NetworkStream:
        """Never: no page is behind a local socket."""
        raise Forbidden(path, "local sockets are not asked")

    def sleep(self, seconds: float) -> None:
        """Pause between connection retries of httpcore."""
        self._backend.sleep(seconds)

    def _choose(self, host: str, port: int) -> tuple[str, int]:
        mapped = self._connect_to(host, port) if self._connect_to else None
        if mapped:
            return mapped
        if port not in PORTS and not self._allow_private_hosts:
            raise Forbidden(host, f"port {port} is not one of the web's")
        try:
            addresses = self._resolve(host, port)
        except OSError as error:
            raise httpcore.ConnectError(f"no address for {host}") from error
        refused = [address for address in addresses if not self._is_allowed(address)]
        if refused or not addresses:
            raise Forbidden(host, f"its address {', '.join(refused) or '(none)'} is not on the public internet")
        return addresses[0], port

    def _is_allowed(self, text: str) -> bool:
        address = parse_address(text)
        return address is not None and (is_public(address) or (self._allow_private_hosts and is_own(address)))


def _resolve(host: str, port: int) -> list[str]:
    return list(dict.fromkeys(str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
