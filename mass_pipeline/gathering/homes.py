"""What verification sees of a home page: visible text, title, contact pages. Asking for it: `asking`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
from mass_pipeline.gathering.hosts import host_of
from mass_pipeline.gathering.ports import HomePage
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.text.charset import decode
from mass_pipeline.reading.text.tree_cost import is_pathological

_MAX_TEXT: Final = 200_000  # characters; a home page that is longer says who it is at its beginning
_CONTACT: Final = re.compile(r"kontakt|adres|kancelaria|dane teleadresowe|o parafii|o nas|historia")
_HIDDEN_TAGS: Final = ("script", "style", "noscript", "template")


def parse_home(url: str, body: bytes, content_type: str | None) -> HomePage:
    """Title, visible text (with alternative texts of images) and contact pages of a page.

    Args:
        url: the URL that answered; links are resolved against it.
        body: content encoding removed.
        content_type: header as sent.

    Returns:
        Nothing but the URL of markup made to hurt, of which no tree should be built.
    """
    markup = decode(body, content_type).text[:_MAX_TEXT]
    if is_pathological(markup):
        return HomePage(url, "", "", ())
    tree = LexborHTMLParser(markup)
    for node in tree.css(",".join(_HIDDEN_TAGS)):
        node.decompose()
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading else ""
    shown = tree.body.text(separator=" ") if tree.body else ""
    images = " ".join(node.attributes.get("alt") or "" for node in tree.css("img[alt]"))
    described = " ".join(node.attributes.get("content") or "" for node in tree.css('meta[name="description"]'))
    text = " ".join(f"{title} {described} {shown} {images}".split())
    return HomePage(url, text, title, tuple(dict.fromkeys(_links_to_more(tree, url))))


def _links_to_more(tree: LexborHTMLParser, url: str) -> Iterator[str]:
    """Frames and meta refreshes first, as they are the page itself; then links that look like a contact page."""
    for node in tree.css("frame[src], iframe[src]"):
        yield from _same_host(node.attributes.get("src"), url)
    for node in tree.css('meta[http-equiv="refresh" i]'):
        yield from _same_host((node.attributes.get("content") or "").partition("=")[2].strip("\"' "), url)
    ranked = []
    for node in tree.css("a[href]"):
        href = node.attributes.get("href")
        found = _CONTACT.search(fold(node.text())) or _CONTACT.search(fold(href or ""))
        if found:
            ranked.append((_CONTACT.pattern.split("|").index(found[0]), href))
    for _, href in sorted(ranked, key=lambda item: item[0]):
        yield from _same_host(href, url)


def _same_host(href: str | None, base: str) -> Iterator[str]:
    try:
        target = canonicalize(href or "", base)
    except BadUrl:
        return
    if host_of(target) == host_of(base) and target != base:
        yield target
