"""Where a request comes from, as little as we need: an address prefix, hashed with a key that is destroyed after days at most.

No address is ever written: votes carry the token that a prefix has until its key is destroyed, and no token outlives it as more
than a number.
Source: hazards W6, W7, section 5 (Q4).
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import os
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.model.errors import ConfigurationError, StorageError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
IPV4_PREFIX: Final = 24
IPV6_PREFIX: Final = 48
IPV6_ALLOCATION: Final = 32  # RIPE-738 5.1.1: what a provider gets at least; whoever rents some /48 of it is one network
IPV6_HOUSEHOLD: Final = 56  # RIPE-690: what a provider gives a household at least
_PERIOD_DIGITS: Final = 7
_TOKEN_DIGITS: Final = 24  # with the period and its dot 32 characters, as the column of votes holds
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
    return _network_of(peer, forwarded_for, trusted, IPV4_PREFIX, IPV6_PREFIX)


def client_address(peer: str | None, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str:
    """Address of the client: one of IPv4, or the IPv6 /56 that a household or a phone has; arguments as of `client_prefix`.

    >>> client_address("203.0.113.9", ["198.51.100.1"], ()), client_address("2001:db8:1:23ff::7", [], ())
    ('203.0.113.9/32', '2001:db8:1:2300::/56')
    """
    return _network_of(peer, forwarded_for, trusted, 32, IPV6_HOUSEHOLD)


def _network_of(
    peer: str | None, forwarded_for: Sequence[str], trusted: Sequence[Network], ipv4_length: int, ipv6_length: int
) -> str:
    address = _parse(peer or "")
    hops = [hop.strip() for header in forwarded_for for hop in header.split(",")]
    while address is not None and hops and any(address in network for network in trusted):
        nearer = _parse(hops.pop())
        if nearer is None:
            break
        address = nearer
    if address is None:
        return NOWHERE
    length = ipv4_length if address.version == 4 else ipv6_length
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
    """Tokens for address prefixes, made with a key that is destroyed when its life is over.

    A token is `<period>.<keyed hash of the prefix>`: tokens of one period tell networks apart, tokens of different periods do
    not (the same network may stand behind both). The key outlives a restart in a file that only its owner can read, so that
    restarting the app makes no network a new one; with its destruction no token leads back to a prefix.

    Args:
        life: of a key.
        keep: file of the key; None keeps it in memory alone.
    """

    def __init__(self, life: timedelta, keep: Path | None = None) -> None:
        self._life = life
        self._keep = keep
        self._lock = threading.Lock()
        self._known = _read_key(keep)

    def token(self, prefix: str, now: datetime) -> str:
        """The token of a prefix: the same until the key's life is over, unrelated to it afterwards.

        All prefixes of one allocation (`allocation_of`) have the same.
        """
        with self._lock:
            if self._known is None or not -self._life <= now - self._known.since < self._life:
                self._known = _Key(now, secrets.token_bytes(32), secrets.token_hex(4)[:_PERIOD_DIGITS])
                _write_key(self._keep, self._known)
            digest = hmac.digest(self._known.key, allocation_of(prefix).encode(), hashlib.sha256).hex()
            return f"{self._known.period}.{digest[:_TOKEN_DIGITS]}"


def allocation_of(prefix: str) -> str:
    """The network that a prefix belongs to: an IPv6 /32, anything else as it is.

    >>> allocation_of("2001:db8:77::/48"), allocation_of("203.0.113.0/24"), allocation_of(NOWHERE)
    ('2001:db8::/32', '203.0.113.0/24', 'nowhere')
    """
    if ":" not in prefix:
        return prefix
    return str(ipaddress.IPv6Network(prefix).supernet(new_prefix=IPV6_ALLOCATION))


def period_of(token: str) -> str:
    """The key period a token comes from; "" for one of unknown period.

    >>> period_of("1f3a9c0.8d2b"), period_of("8d2b")
    ('1f3a9c0', '')
    """
    return token.partition(".")[0] if "." in token else ""


@dataclass(frozen=True, slots=True)
class _Key:
    since: datetime
    key: bytes = field(repr=False)
    period: str


def _read_key(file: Path | None) -> _Key | None:
    """The kept key; None when there is none or it is damaged: a new one is made then."""
    if file is None or not file.exists():
        return None
    try:
        kept = json.loads(file.read_text(encoding="ascii"))
        since, key, period = datetime.fromisoformat(kept["since"]), bytes.fromhex(kept["key"]), str(kept["period"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    is_sound = since.tzinfo is not None and len(key) == 32 and len(period) == _PERIOD_DIGITS and period.isalnum()
    return _Key(since, key, period) if is_sound else None


def _write_key(file: Path | None, known: _Key) -> None:
    """Replace the kept key: the old one is gone from then on."""
    if file is None:
        return
    content = json.dumps({"since": known.since.isoformat(), "key": known.key.hex(), "period": known.period})
    aside = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        aside.unlink(missing_ok=True)
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(file)
    except OSError as error:
        raise StorageError(f"{file}: the key of networks cannot be kept ({error.strerror}). Mend its folder.") from error
