"""Canonical URLs: one spelling for one page. No network, no policy about where a crawl may go (see scope, gate, traps).

WHATWG URL parsing by ada-url; on top of it the rules V6 and the option B4. `canonicalize` is idempotent.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import ada_url

MAX_HREF_CHARS: Final = 4096  # hazards U10: longer ones are refused before any work is done
_HTTP: Final = ("http:", "https:")
# WHATWG serialisation of an http(s) URL: scheme, credentials (dropped), host, port, path, query, fragment (dropped)
_PARSED: Final = re.compile(r"(https?://)(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#@:]+)(:\d+)?([^?#]*)(\?[^#]*)?(?:#.*)?", re.DOTALL)
_CANONICAL: Final = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[^/?#:@\[\]]+)(?::(\d+))?(/[^?#]*)(\?[^#]*)?", re.DOTALL)
_UNRESERVED_ESCAPE: Final = re.compile(r"%(4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|3\d|2[de]|5f|7e)", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"%[0-9a-fA-F]{2}")
_INDEX_NAME: Final = re.compile(r"/index\.html?$", re.IGNORECASE)  # V6
_SESSION_SEGMENT: Final = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/?#;]*", re.IGNORECASE)
_NOISE_PARAMETER: Final = re.compile(
    r"(?:utm_[a-z_]+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl"
    r"|phpsessid|jsessionid|aspsessionid[a-z]*|cfid|cftoken|sessionid|session_id|osCsid|zenid)",
    re.IGNORECASE,
)
# Short names are only session ids when the value looks like one: `?s=kontakt` and `?sid=12` are pages.
_SESSION_PARAMETER: Final = re.compile(r"(?:s|sid|sess|session)=[0-9a-z]{24,}", re.IGNORECASE)
_DATED: Final = re.compile(
    r"(?:^|[/=_.-])(?:19|20)\d\d[-/_.]?(?:0[1-9]|1[0-2])(?:[-/_.]?[0-3]\d)?(?=$|[/?&=_.-])"
    r"|[?&](?:month|miesiac|day|dzien|date|data|year|rok|cal[a-z_]*)=[\d-]+",
    re.IGNORECASE,
)


_NO_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_UNICODE: Final = frozenset({"utf-8", "utf-16le", "utf-16be", ""})  # queries of UTF-16 pages are UTF-8


class BadUrl(ValueError):
    """The text is no http(s) URL; the message is the reason, from a closed list."""


class UrlParts(NamedTuple):
    """What the policies need of a canonical URL."""

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def url(self) -> str:
        """The canonical URL."""
        return f"{self.origin}{self.path}{self.query}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: robots.txt and politeness hold per origin (RFC 9309 2.3)."""
        default = 443 if self.scheme == "https" else 80
        return f"{self.scheme}://{self.host}" if self.port == default else f"{self.scheme}://{self.host}:{self.port}"


def canonicalize(href: str, base: str | None = None) -> str:
    """The one spelling of a link.

    WHATWG parsing and resolution; http(s) only; credentials, fragment, default port and a trailing dot of the host dropped;
    escapes of unreserved characters decoded, others in upper case (`%7e` = `~`); `index.html` dropped; tracking parameters
    and session ids dropped.

    Args:
        href: as written in the page; at most 4,096 characters.
        base: canonical URL it is relative to.

    Raises:
        BadUrl: `too_long`, `unparsable`, `scheme` or `no_host`.

    >>> canonicalize("../Msze/./index.html?utm_source=fb#top", "http://Parafia.PL:80/a/b/")
    'http://parafia.pl/a/Msze/'
    """
    if len(href) > MAX_HREF_CHARS:
        raise BadUrl("too_long")
    parsed = _join(href, base)
    match = _PARSED.fullmatch(parsed)
    if match is None:
        raise BadUrl("no_host" if parsed.startswith(_HTTP) else "scheme")
    scheme, host, port, path, query = match.groups()
    name = host.removesuffix(".")
    if not name or name.endswith("."):
        raise BadUrl("no_host")
    plain_path = _INDEX_NAME.sub("/", _SESSION_SEGMENT.sub("", _unescape(path))) or "/"
    url = f"{scheme}{name}{port or ''}{plain_path}{_query(query or '')}"
    # Parsed once more: without its trailing dot a host can turn out to be an address in disguise (`0x7f.1.`).
    return url if url == parsed else _join(url, None)


def canonical_or_none(href: str, base: str | None = None) -> str | None:
    """`canonicalize`; None for what is no address."""
    try:
        return canonicalize(href, base)
    except BadUrl:
        return None


def in_encoding(href: str, encoding: str) -> str:
    """A link with its query in the encoding of its page, as browsers send it (WHATWG URL 4.4, "query state").

    >>> in_encoding("?dzień=święto", "windows-1250"), in_encoding("/święto?", "utf-8")
    ('?dzie%F1=%9Cwi%EAto', '/święto?')
    """
    if encoding in _UNICODE or href.isascii():
        return href
    before, mark, query = href.partition("?")
    try:
        return before + mark + _NO_ASCII.sub(lambda match: _escaped(match[0].encode(encoding, "xmlcharrefreplace")), query)
    except LookupError:  # an encoding that Python does not know
        return href


def from_header(value: str) -> str:
    """An address out of a header, whose bytes stand as Latin-1: what is no ASCII becomes escapes (Fetch, "location URL").

    >>> from_header("/msze/wi\u00ea.html")
    '/msze/wi%EA.html'
    """
    return value if value.isascii() else _NO_ASCII.sub(lambda match: _escaped(match[0].encode("latin-1", "replace")), value)


def base_of(url: str, written: str | None) -> str:
    """What the links of a page are relative to: its `<base href>` where that is an address, else its own.

    Args:
        url: canonical, of the page.
        written: the `href` of its `<base>`, None without one.
    """
    return (canonical_or_none(written, url) if written else None) or url


def split(url: str) -> UrlParts:
    """Parts of a canonical URL."""
    match = _CANONICAL.fullmatch(url)
    if match is None:
        raise BadUrl("not canonical")
    scheme, host, port, path, query = match.groups()
    return UrlParts(scheme, host, int(port) if port else (443 if scheme == "https" else 80), path, query or "")


def identity(url: str, merge_case_and_slash: bool = False) -> str:
    """Key under which URLs count as one: the canonical URL, or B4's lower case without a trailing slash.

    >>> identity("http://a.pl/Msze/", merge_case_and_slash=True)
    'http://a.pl/msze'
    """
    return url.lower().rstrip("/") if merge_case_and_slash else url


def is_dated(url: str) -> bool:
    """Whether the path or query is a date: calendars and archives go on for ever.

    >>> is_dated("http://a.pl/kalendarz/2026-11"), is_dated("http://a.pl/msze/")
    (True, False)
    """
    return _DATED.search(url, url.find("/", 8)) is not None


def _join(href: str, base: str | None) -> str:
    """WHATWG serialisation of a reference."""
    try:
        if not href.isascii():
            href = href.encode("utf-8", "replace").decode()  # surrogates: a page may hold them through character references
        return ada_url.normalize_url(href) if base is None else str(ada_url.join_url(base, href))
    except ValueError as error:
        raise BadUrl("unparsable") from error


def _escaped(content: bytes) -> str:
    return "".join(f"%{byte:02X}" for byte in content)


def _unescape(path: str) -> str:
    """Decode what needs no escape, until nothing is left (`%%34%31` hides another escape)."""
    if "%" not in path:
        return path
    if _UNRESERVED_ESCAPE.search(path):
        left: list[str] = []
        for char in path:  # an escape can only end where a character has just come to stand: one pass finds them all
            left.append(char)
            while len(left) > 2 and left[-3] == "%" and _UNRESERVED_ESCAPE.fullmatch("".join(left[-3:])):
                left[-3:] = chr(int("".join(left[-2:]), 16))
        path = "".join(left)
    return _ESCAPE.sub(lambda match: match[0].upper(), path)


def _query(search: str) -> str:
    if len(search) < 2:
        return ""
    kept = [
        pair
        for pair in _unescape(search[1:]).split("&")
        if pair and not _NOISE_PARAMETER.fullmatch(pair.partition("=")[0]) and not _SESSION_PARAMETER.fullmatch(pair)
    ]
    return "?" + "&".join(kept) if kept else ""


def place_of(parts: UrlParts) -> str:
    """Name of the server that a pace holds for: host and port; http and https of one host are one server.

    >>> place_of(split("https://a.pl/x")), place_of(split("http://a.pl:8080/"))
    ('a.pl', 'a.pl:8080')
    """
    return parts.host if parts.port in (80, 443) else f"{parts.host}:{parts.port}"
