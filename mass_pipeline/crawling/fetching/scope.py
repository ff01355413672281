"""Which URLs belong to a parish: its own host, the host its start URL redirects to, its path on a shared host; and which of them
their owners want to be left out (`OptOuts`). Pure; not here: erasing (state.erasing), the record of wishes (resources).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.fetching.addresses import parse_address
from mass_pipeline.crawling.fetching.urls import BadUrl, UrlParts, canonical_or_none, canonicalize, split
from mass_pipeline.model.errors import UsageError

if TYPE_CHECKING:
    from tldextract import TLDExtract


@functools.cache
def public_suffixes() -> TLDExtract:
    """The bundled snapshot of the list, with those under which people have sites of their own, like blogspot.com."""
    import tldextract  # reads the list (80 ms) and brings an HTTP client; crawls of plain addresses never need it

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, fallback_to_snapshot=True, include_psl_private_domains=True)


@functools.lru_cache(maxsize=10_000)
def registrable_domain(host: str) -> str:
    """Domain a webmaster can register, by the public suffix list (bundled snapshot); the host itself when there is none.

    >>> registrable_domain("www.parafia.krakow.pl"), registrable_domain("127.0.0.1")
    ('parafia.krakow.pl', '127.0.0.1')
    """
    if parse_address(host) is not None:
        return host
    found = public_suffixes()(host)
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

    Args:
        start: its start URL.
        moved_to: see the attribute; those that are known already.

    Attributes:
        hosts: `host:port` of every host that belongs to it; http and https of one host are one site, `www.` makes no difference.
        prefix: path prefix, `/` for a host of its own; with a query (`/parafia.php?id=7`) that script with these parameters.
        moved_to: canonical URLs on other hosts that the start page has led to, each once, the last one last.
    """

    __slots__ = ("_folder", "_preferred", "_query", "hosts", "moved_to", "prefix")

    def __init__(self, start: UrlParts, prefix: str = "/", moved_to: Iterable[str] = ()) -> None:
        self.hosts: set[str] = set()
        path, _, query = prefix.strip().partition("?")
        self.prefix = "/" + path.lstrip("/")
        self._query = frozenset(filter(None, query.split("&")))
        self._preferred: dict[str, UrlParts] = {}
        self._folder = self.prefix if self.prefix.endswith("/") else self.prefix + "/"
        self.admit(start)
        self.moved_to = list(moved_to)
        for url in self.moved_to:
            self.move(split(url))

    def admit(self, parts: UrlParts) -> None:
        """Add a host."""
        self.hosts.add(_place(parts))

    def move(self, parts: UrlParts) -> None:
        """The start page redirects there: its host belongs to the site, and links are asked under this scheme and spelling."""
        self.admit(parts)
        self._preferred[_place(parts)] = parts

    def follow_start(self, url: str, target: str, never: tuple[str, ...]) -> bool:
        """The start page redirects to another host, to https or to `www.`: that is where the site lives.

        Args:
            never: registrable domains that are never crawled.

        Returns:
            Whether it leads to another origin that may be crawled.
        """
        parts = split(target)
        if parts.origin == split(url).origin or is_blacklisted(parts.host, never):
            return False
        self.move(parts)
        if target in self.moved_to:
            self.moved_to.remove(target)
        self.moved_to.append(target)
        return True

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


_WWW: Final = "www."


@dataclass(frozen=True, slots=True)
class OptOuts:
    """What is to be forgotten and never asked for again.

    Attributes:
        hosts: with all their subdomains, without `www.`.
        pages: addresses without scheme and `www.`, as `page_key` gives them.
    """

    hosts: tuple[str, ...] = ()
    pages: frozenset[str] = frozenset()

    @classmethod
    def of(cls, hosts: Iterable[str], urls: Iterable[str]) -> OptOuts:
        """The removals of hosts and page addresses; what is no address removes nothing."""
        keys = (page_key(url) for url in urls)
        return cls(tuple(host.lower().removeprefix(_WWW) for host in hosts), frozenset(key for key in keys if key))

    def covers(self, url: object) -> bool:
        """Whether a URL lies on a removed host or is a removed page; what is no URL is not covered.

        >>> OptOuts.of(["parafia.example"], []).covers("https://www.parafia.example/msze")
        True
        """
        if not url or not (self.hosts or self.pages):
            return False
        address = canonical_or_none(str(url))
        return address is not None and (is_blacklisted(split(address).host, self.hosts) or page_key(address) in self.pages)

    def __bool__(self) -> bool:
        return bool(self.hosts or self.pages)


def page_key(url: str) -> str:
    """An address as pages are told apart here: neither scheme nor `www.` make another one; "" for what is no address."""
    return (canonical_or_none(url) or "").partition("://")[2].removeprefix(_WWW)


def target_of(text: str) -> tuple[str, str]:
    """What a person asks to have removed: `(host, "")` or `("", URL)`.

    Raises:
        UsageError: it is neither.
    """
    text = text.strip()
    if "/" not in text and "." in text:
        try:
            return split(canonicalize(f"http://{text}/")).host.removeprefix(_WWW), ""
        except BadUrl:
            pass
    elif page_key(text):
        return "", canonicalize(text)
    raise UsageError(f"{text!r} is neither a host like parafia.example nor an address like https://parafia.example/msze.")
