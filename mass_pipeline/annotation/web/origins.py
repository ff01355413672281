"""Where a request comes from, as little as we need: an address prefix, hashed with a key that lives in memory only.

No address and no hash of one is ever written: votes carry a random token that a prefix gets until the key is destroyed.
Source: hazards W6, W7, section 5 (Q4).
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from mass_pipeline.model.errors import ConfigurationError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
IPV4_PREFIX: Final = 24
IPV6_PREFIX: Final = 48
NOWHERE: Final = "nowhere"  # a peer without address, as a Unix socket has


def parse_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Networks of trusted proxies. Raises ConfigurationError for a text that is none."""
    try:
        return tuple(ipaddress.ip_network(text, strict=False) for text in texts)
    except ValueError as error:
        raise ConfigurationError(
            f"trusted_proxies: {error}; expected addresses or networks such as 127.0.0.1 or 10.0.0.0/8."
        ) from error


def client_prefix(peer: str | None, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """Network of the client: IPv4 /24 or IPv6 /48.

    Args:
        peer: address of the connection.
        forwarded_for: X-Forwarded-For headers in order; believed only as far as trusted proxies wrote them.
        trusted: networks of those proxies.

    >>> client_prefix("203.0.113.9", ["198.51.100.1"], ())
    '203.0.113.0/24'
    """
    address = _parse(peer or "")
    hops = [hop.strip() for header in forwarded_for for hop in header.split(",")]
    while address is not None and hops and any(address in network for network in trusted):
        nearer = _parse(hops.pop())
        if nearer is None:
            break
        address = nearer
    if address is None:
        return NOWHERE
    length = IPV4_PREFIX if address.version == 4 else IPV6_PREFIX
    rest = address.max_prefixlen - length
    return f"{type(address)(int(address) >> rest << rest)}/{length}"


def _parse(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped if isinstance(mapped, ipaddress.IPv4Address) else address


class OriginBook:
    """Random tokens for address prefixes, forgotten together with their key."""

    def __init__(self, life: timedelta) -> None:
        self._life = life
        self._lock = threading.Lock()
        self._since: datetime | None = None
        self._key = b""
        self._tokens: dict[bytes, str] = {}

    def token(self, prefix: str, now: datetime) -> str:
        """The token of a prefix: the same until the key's life is over, unrelated to it afterwards."""
        with self._lock:
            if self._since is None or now - self._since >= self._life:
                self._since, self._key, self._tokens = now, secrets.token_bytes(32), {}
            digest = hmac.digest(self._key, prefix.encode(), hashlib.sha256)
            return self._tokens.setdefault(digest, secrets.token_hex(16))
