"""Which addresses are public: an own table, because the standard library's `is_global` fails open on some (hazards 0.1).

Pure: an address in, a verdict out. Source: IANA IPv4 and IPv6 Special-Purpose Address Registries (state 2025-10-09),
multicast and the deprecated site-local block.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

ConnectTo = Callable[[str, int], tuple[str, int] | None]
"""`(host, port) -> (loopback address, port)` to connect to instead, or None: a hosts file for tests and the demo web."""

_DENIED_V4: Final = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
            "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
            "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # public by the registry, but a cloud answers there with what belongs to the machine
        ),
    )
)  # fmt: skip
_ALLOWED_V4: Final = (IPv4Address("192.0.0.9"), IPv4Address("192.0.0.10"))  # RFC 7723, RFC 8155: global inside 192.0.0.0/24
# Of IPv6 only 2000::/3 is given out; inside it these are not for the public. Embedded IPv4 (mapped, NAT64, 6to4, Teredo) is
# denied as a whole: no parish needs it, and it smuggles private addresses.
_GLOBAL_V6: Final = IPv6Network("2000::/3")
_DENIED_V6: Final = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
_OWN_NETWORKS: Final = tuple(
    map(IPv4Network, ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")),
)
_OWN_NETWORKS_V6: Final = tuple(map(IPv6Network, ("::1/128", "fc00::/7")))

Address = IPv4Address | IPv6Address


def is_public(address: Address) -> bool:
    """Whether anybody on the internet may be reached under the address; unknown means no.

    >>> is_public(ip_address("8.8.8.8")), is_public(ip_address("64:ff9b::a9fe:a9fe"))
    (True, False)
    """
    if isinstance(address, IPv4Address):
        return address in _ALLOWED_V4 or not any(address in network for network in _DENIED_V4)
    return address in _GLOBAL_V6 and address.scope_id is None and not any(address in network for network in _DENIED_V6)


def is_own(address: Address) -> bool:
    """Whether it is loopback or a private network: what `--allow-private-hosts` opens.

    Link-local stays closed: cloud machines hand out credentials there.

    >>> is_own(ip_address("127.0.0.2")), is_own(ip_address("169.254.169.254"))
    (True, False)
    """
    if isinstance(address, IPv4Address):
        return any(address in network for network in _OWN_NETWORKS)
    return any(address in network for network in _OWN_NETWORKS_V6)


def parse_address(host: str) -> Address | None:
    """The address a canonical URL's host spells, None for a name (ada has turned every disguise into plain digits).

    >>> parse_address("[::1]"), parse_address("parafia.pl")
    (IPv6Address('::1'), None)
    """
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None
