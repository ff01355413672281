"""What kind of host a URL lies on: a site of its own, a social network, a diocese, a portal. By registrable domain.

A parish's blog at `parish.blogspot.com` is a site of its own (public suffix list, private part); the portal of the same owner is
not. The system of 2018 judged by substrings and lost real parish sites.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from urllib.parse import urlsplit

from mass_pipeline.crawling.fetching.scope import public_suffixes
from mass_pipeline.gathering.tables import rows_of


class HostKind(StrEnum):
    """How a host may serve as a parish's web site."""

    OWN = "own_site"
    DIOCESAN = "diocesan_site"  # profile pages: evidence, crawled only below the parish's path
    SOCIAL = "social_network"  # a contact, never crawled
    PORTAL = "portal"  # search engines, maps, encyclopaedias, shops: never a parish's site
    PARKED = "parked_domain"


def kind_of(url: str) -> HostKind:
    """Kind of the URL's host.

    >>> kind_of("https://pl-pl.facebook.com/parafia"), kind_of("http://swanna.blogspot.com/")
    (<HostKind.SOCIAL: 'social_network'>, <HostKind.OWN: 'own_site'>)
    """
    host = host_of(url)
    table = _table()
    labels = host.split(".")
    for start in range(len(labels)):
        domain = ".".join(labels[start:])
        kind = table.get(domain) or (table.get("=" + domain) if start == 0 else None)
        if kind is not None and not (kind is HostKind.PORTAL and _is_private_site(host)):
            return kind
    return HostKind.OWN


def host_of(url: str) -> str:
    """Host without `www.` and port, lower case; "" when the URL has none.

    >>> host_of("http://www.Parafia.example:8080/x")
    'parafia.example'
    """
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""
    return host.removeprefix("www.")


def _is_private_site(host: str) -> bool:
    """Whether the host lies below a suffix under which people have sites of their own, like blogspot.com."""
    found = public_suffixes()(host)
    return bool(found.is_private and found.domain)


@cache
def _table() -> Mapping[str, HostKind]:
    return {domain: HostKind(row["kind"]) for row in rows_of("hosts") for domain in row["domains"].split()}
