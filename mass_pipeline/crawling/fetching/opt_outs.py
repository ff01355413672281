"""Which addresses a removal request means: a host with its subdomains, or one page. No files, no network.

Belongs: the value and whether it covers a URL. Not here: erasing (crawling.state.erasing and each store), the record (resources).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawling.fetching.scope import is_blacklisted
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize, split
from mass_pipeline.model.errors import UsageError

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
        try:
            parts = split(canonicalize(str(url)))
        except BadUrl:
            return False
        return is_blacklisted(parts.host, self.hosts) or page_key(str(url)) in self.pages

    def __bool__(self) -> bool:
        return bool(self.hosts or self.pages)


def page_key(url: str) -> str:
    """An address as pages are told apart here: neither scheme nor `www.` make another one; "" for what is no address."""
    try:
        return canonicalize(url).partition("://")[2].removeprefix(_WWW)
    except BadUrl:
        return ""


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
