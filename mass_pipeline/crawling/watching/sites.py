"""Which sites are watched, and what an operator says about them: list pages, XPath, templates, weights (C1, C3, C7, C9).

A file of sites is data: another set of sites, or another topic, needs no code. Not here: what is found on the sites.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote_plus

from lxml import etree

from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
from mass_pipeline.model.document import Wrapper
from mass_pipeline.model.errors import BadInput

ListKind = Literal["page", "feed", "sitemap"]
LIST_KINDS: Final[tuple[ListKind, ...]] = ("page", "feed", "sitemap")
_PAGE: Final = "{page}"
_QUERY: Final = "{query}"


@dataclass(frozen=True, slots=True)
class WatchedList:
    """One page that lists articles.

    Attributes:
        url: canonical.
        kind: a page, a feed (RSS, Atom), or a sitemap.
        weight: of its group; a list of weight 2 is looked at sooner and at half the expectation (C2).
        xpath: the elements or addresses that are links to articles; "" for the general reading (C3).
        pages: address of further pages with `{page}` for the number from 2 on, where the list links to none (J1).
        found: whether it was found by itself rather than configured.
    """

    url: str
    kind: ListKind = "page"
    weight: float = 1.0
    xpath: str = ""
    pages: str = ""
    found: bool = False


@dataclass(frozen=True, slots=True)
class WatchedSite:
    """One site.

    Attributes:
        site_id: whom its articles belong to: a parish, or any other name; unique.
        url: start page, canonical.
        scope_prefix: path that belongs to it on a shared host, else `/`.
        lists: configured list pages; () lets them be found.
        wrapper: XPath of the fields of its articles (C7).
        crawled_lists, crawled_menu, crawled_hosts: lists, menu, and addresses of further hosts that the start page leads to, as
            an earlier crawl shows them; taken for a site that was never searched.
    """

    site_id: str
    url: str
    scope_prefix: str = "/"
    lists: tuple[WatchedList, ...] = ()
    wrapper: Wrapper = field(default_factory=Wrapper)
    crawled_lists: tuple[WatchedList, ...] = ()
    crawled_menu: frozenset[str] = frozenset()
    crawled_hosts: tuple[str, ...] = ()


def read_sites(path: Path) -> list[WatchedSite]:
    """The sites of a file.

    Args:
        path: TOML with tables `[[site]]` (keys of `WatchedSite`, `id` for `site_id`; `[[site.list]]` with keys of
            `WatchedList`, and `queries` for a `url` that holds `{query}`); or plain lines: a URL, or id, tab, URL.

    Raises:
        BadInput: naming the file, the site and what is wrong.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path}: the file of sites cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})."
        ) from error
    sites = list(_from_toml(path, text) if path.suffix == ".toml" else _from_lines(path, text))
    if not sites:
        raise BadInput(f"{path}: no site in it.")
    names = [site.site_id for site in sites]
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{path}: the site {name!r} stands there twice.")
    return sites


def with_configuration(sites: Iterable[WatchedSite], configured: Iterable[WatchedSite]) -> list[WatchedSite]:
    """Sites with the lists and templates that an operator configured for some of them, matched by `site_id` (C3, C7)."""
    known = {site.site_id: site for site in configured}
    return [
        replace(site, lists=known[site.site_id].lists, wrapper=known[site.site_id].wrapper) if site.site_id in known else site
        for site in sites
    ]


def _from_lines(path: Path, text: str) -> Iterator[WatchedSite]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split("\t")]
        if len(parts) > 3 or not all(parts):
            raise BadInput(f"{path}, line {number}: expected a URL, or id, tab, URL and perhaps tab and path prefix.")
        name, url = (parts[0], parts[0]) if len(parts) == 1 else (parts[0], parts[1])
        yield WatchedSite(name, _canonical(f"{path}, line {number}", url), parts[2] if len(parts) > 2 else "/")


def _from_toml(path: Path, text: str) -> Iterator[WatchedSite]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: {error}") from error
    for number, table in enumerate(data.get("site", []), 1):
        where = f"{path}, site {table.get('id', number)}"
        if not isinstance(table.get("id"), str) or not isinstance(table.get("url"), str):
            raise BadInput(f"{where}: needs id and url.")
        _refuse_unknown(where, table, {"id", "url", "scope_prefix", "list", "wrapper"})
        wrapper = table.get("wrapper", {})
        _refuse_unknown(where, wrapper, {f.name for f in fields(Wrapper)})
        for expression in wrapper.values():
            _check_xpath(where, expression)
        lists = tuple(made for entry in table.get("list", []) for made in _lists(where, entry))
        yield WatchedSite(table["id"], _canonical(where, table["url"]), table.get("scope_prefix", "/"), lists, Wrapper(**wrapper))


def _lists(where: str, entry: Mapping[str, Any]) -> Iterator[WatchedList]:
    _refuse_unknown(where, entry, {"url", "kind", "weight", "xpath", "pages", "queries"})
    url, kind, weight, xpath = entry.get("url", ""), entry.get("kind", "page"), entry.get("weight", 1.0), entry.get("xpath", "")
    pages = entry.get("pages", "")
    if kind not in LIST_KINDS:
        raise BadInput(f"{where}: kind = {kind!r}, expected one of {', '.join(LIST_KINDS)}.")
    if not isinstance(weight, int | float) or weight <= 0:
        raise BadInput(f"{where}: weight = {weight!r}, expected a number over 0.")
    if pages and _PAGE not in pages:
        raise BadInput(f"{where}: pages = {pages!r} needs {_PAGE} where the number of the page belongs.")
    _check_xpath(where, xpath)
    for query in entry.get("queries", [""]):
        if bool(query) != (_QUERY in url):
            raise BadInput(f"{where}: {_QUERY} in url and the key queries belong together.")
        asked = quote_plus(query)
        yield WatchedList(_canonical(where, url.replace(_QUERY, asked)), kind, float(weight), xpath, pages.replace(_QUERY, asked))


def _refuse_unknown(where: str, table: Mapping[str, Any], known: set[str]) -> None:
    if unknown := sorted(set(table) - known):
        raise BadInput(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(known))}.")


def _check_xpath(where: str, expression: str) -> None:
    try:
        if expression:
            etree.XPath(expression)
    except etree.XPathSyntaxError as error:
        raise BadInput(f"{where}: the XPath {expression!r} is malformed ({error}).") from error


def _canonical(where: str, url: str) -> str:
    try:
        return canonicalize(url if "://" in url else f"http://{url}")
    except BadUrl as error:
        raise BadInput(f"{where}: {url!r} is no http(s) address ({error}).") from error
