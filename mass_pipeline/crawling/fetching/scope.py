"""Which URLs belong to a parish: its own host, the host its start URL redirects to, its path on a shared host. Pure."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from mass_pipeline.crawling.fetching.addresses import parse_address
from mass_pipeline.crawling.fetching.urls import UrlParts


@functools.cache
def _suffixes() -> object:
    import tldextract  # reads the public suffix list (80 ms); crawls of plain addresses never need it

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True)


@functools.lru_cache(maxsize=10_000)
def registrable_domain(host: str) -> str:
    """Domain a webmaster can register, by the public suffix list (bundled snapshot); the host itself when there is none.

    >>> registrable_domain("www.parafia.krakow.pl"), registrable_domain("127.0.0.1")
    ('parafia.krakow.pl', '127.0.0.1')
    """
    if parse_address(host) is not None:
        return host
    found = _suffixes()(host)  # type: ignore[operator]
    if not found.suffix:
        return ".".join(host.split(".")[-2:])  # the list's default rule: an unknown top level is a public suffix
    return str(found.top_domain_under_public_suffix or host)


def is_blacklisted(host: str, never_crawl: tuple[str, ...]) -> bool:
    """Whether the host belongs to a domain that is never crawled; by whole labels, never by substring.

    >>> is_blacklisted("pl-pl.facebook.com", ("facebook.com",)), is_blacklisted("chnk.pl", ("nk.pl",))
    (True, False)
    """
    labels = host.split(".")
    return any(".".join(labels[i:]) in never_crawl for i in range(len(labels)))


class Scope:
    """The URLs of one site.

    Attributes:
        hosts: `host:port` of every host that belongs to it; http and https of one host are one site, `www.` makes no difference.
        prefix: path prefix, `/` for a host of its own; with a query (`/parafia.php?id=7`) that script with these parameters.
    """

    __slots__ = ("_folder", "_preferred", "_query", "hosts", "prefix")

    def __init__(self, start: UrlParts, prefix: str = "/", moved_to: Iterable[UrlParts] = ()) -> None:
        self.hosts: set[str] = set()
        path, _, query = prefix.strip().partition("?")
        self.prefix = "/" + path.lstrip("/")
        self._query = frozenset(filter(None, query.split("&")))
        self._preferred: dict[str, UrlParts] = {}
        self._folder = self.prefix if self.prefix.endswith("/") else self.prefix + "/"
        self.admit(start)
        for parts in moved_to:
            self.move(parts)

    def admit(self, parts: UrlParts) -> None:
        """Add a host."""
        self.hosts.add(_place(parts))

    def move(self, parts: UrlParts) -> None:
        """The start page redirects there: its host belongs to the site, and links are asked under this scheme and spelling."""
        self.admit(parts)
        self._preferred[_place(parts)] = parts

    def spelling(self, parts: UrlParts) -> UrlParts:
        """A covered URL under the scheme and host that the site answers under.

        >>> from mass_pipeline.crawling.fetching.urls import split
        >>> scope = Scope(split("http://a.pl/"))
        >>> scope.move(split("https://www.a.pl/"))
        >>> scope.spelling(split("http://a.pl/msze")).url
        'https://www.a.pl/msze'
        """
        preferred = self._preferred.get(_place(parts))
        if preferred is None:
            return parts
        return parts._replace(scheme=preferred.scheme, host=preferred.host, port=preferred.port)

    def covers(self, parts: UrlParts) -> bool:
        """Whether a URL belongs to the site.

        >>> from mass_pipeline.crawling.fetching.urls import split
        >>> scope = Scope(split("http://diecezja.pl/parafia-x/"), "/parafia-x/")
        >>> scope.covers(split("https://www.diecezja.pl/parafia-x/msze")), scope.covers(split("http://diecezja.pl/parafia-xy/"))
        (True, False)
        """
        if _place(parts) not in self.hosts:
            return False
        if self._query:
            return parts.path == self.prefix and self._query <= set(parts.query.lstrip("?").split("&"))
        return (
            self.prefix == "/"
            or parts.path.startswith(self._folder)
            or parts.path == self._folder[:-1]
            or parts.path == self.prefix
        )


def _place(parts: UrlParts) -> str:
    # One server may hold several sites on odd ports; 80 and 443 are the two faces of one.
    port = "" if parts.port in (80, 443) else f":{parts.port}"
    return parts.host.removeprefix("www.") + port
