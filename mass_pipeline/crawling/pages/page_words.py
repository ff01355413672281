"""The words of a page by where they stand: title, headings, meta elements, everything visible. Markup in, plain words out.

Quick and rough, for judging hundreds of pages while they are crawled; what is published is read by `extraction`.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.crawling.pages.relevance import Words
from mass_pipeline.reading.text.tree_cost import is_pathological

_MAX_CHARS: Final = 100_000  # words beyond change no score; a page may hold megabytes
_MOST_MARKUP: Final = 1_000_000  # a tree of it takes 50 ms of the event loop
_MARKUP: Final = re.compile(r"<[^<>]{0,2000}>")
_UNSEEN: Final = ["script", "style", "noscript", "template"]


def words_of(markup: str) -> Words:
    """Title, h1 to h3, meta keywords and description, and the visible text; each "" where there is none.

    >>> words_of("<title>Parafia</title><h1>Msze</h1><p>Niedziela 8.00")
    Words(text='Parafia Msze Niedziela 8.00', title='Parafia', headings='Msze', meta='')
    """
    markup = markup[:_MOST_MARKUP]
    if is_pathological(markup):
        return Words(" ".join(unescape(_MARKUP.sub(" ", markup[: 4 * _MAX_CHARS])).split())[:_MAX_CHARS])
    tree = LexborHTMLParser(markup)
    tree.strip_tags(_UNSEEN)
    title = tree.css_first("title")
    name = _plain(title.text()) if title else ""
    headings = " ".join(_plain(node.text(separator=" ")) for node in tree.css("h1,h2,h3"))
    meta = " ".join(
        _plain(node.attributes.get("content") or "")
        for node in tree.css("meta[name][content]")
        if (node.attributes.get("name") or "").lower() in ("keywords", "description")
    )
    body = tree.body
    text = _plain(body.text(separator=" ")[: 4 * _MAX_CHARS]) if body else ""
    return Words(" ".join(filter(None, (name, meta, text)))[:_MAX_CHARS], name, headings, meta)


def _plain(text: str) -> str:
    return " ".join(text.split())
