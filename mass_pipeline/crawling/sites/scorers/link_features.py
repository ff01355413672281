"""What the learnt scorer sees of a link: anchor, address, words around, place on the page, words of the page. Hashed n-grams.

The same link gives the same numbers on every machine and in every release of the libraries (CRC-32, no random hash).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from mass_pipeline.crawling.fetching.urls import is_dated
from mass_pipeline.model.identifiers import fold

BITS: Final = 14
_SLOTS: Final = 1 << BITS
_WORD: Final = re.compile(r"[^\W\d_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GRAM: Final = 4
_MOST_WORDS: Final = 12
_ENDINGS: Final = frozenset({"html", "htm", "php", "asp", "aspx", "jsp", "index", "www", "pl"})
_FIRST_PLACES: Final = (3, 8, 20)  # classes of the link's number on its page


@dataclass(frozen=True, slots=True)
class LinkSight:
    """A link as it stands on a page.

    Attributes:
        anchor: anchor text.
        url: canonical address.
        context: words around the link.
        title: title of the page that holds it.
        position: number of the link on the page, from 0.
        depth: of the page that holds it.
        likeness: of that page to the topic, 0 to 1.
    """

    anchor: str
    url: str
    context: str = ""
    title: str = ""
    position: int = 0
    depth: int = 0
    likeness: float = 0.0


def features(sight: LinkSight) -> list[int]:
    """Slots that are on, sorted, each once; numbers below `2 ** BITS`.

    >>> features(LinkSight("Msze", "http://a.pl/m")) == features(LinkSight("MSZE", "http://b.pl/m"))
    True
    """
    return sorted({zlib.crc32(name.encode("utf-8", "surrogatepass")) % _SLOTS for name in _names(sight)})


def _names(sight: LinkSight) -> Iterator[str]:
    yield from _ngrams("a", _words(sight.anchor))
    yield from _ngrams("u", _words_of_address(sight.url))
    yield from (f"c:{word}" for word in _words(sight.context))
    yield from (f"t:{word}" for word in _words(sight.title))
    yield f"place:{sum(sight.position >= first for first in _FIRST_PLACES)}"
    yield f"depth:{min(sight.depth, 3)}"
    yield f"like:{min(int(sight.likeness * 5), 4)}"
    if is_dated(sight.url):
        yield "dated"
    if not sight.anchor.strip():
        yield "silent"


def _ngrams(kind: str, words: list[str]) -> Iterator[str]:
    for word in words:
        yield f"{kind}:{word}"
        padded = f"^{word}$"
        yield from (f"{kind}{_GRAM}:{padded[i : i + _GRAM]}" for i in range(len(padded) - _GRAM + 1))
    yield from (f"{kind}2:{one} {two}" for one, two in pairwise(words))
    yield f"{kind}#:{min(len(words), 5)}"


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))[:_MOST_WORDS]


def _words_of_address(url: str) -> list[str]:
    """Words of path and query; the host says nothing about a page."""
    path = _CAMEL.sub(" ", unquote(url[url.find("/", 8) :])) if url.count("/") > 2 else ""
    return [word for word in _words(path) if word not in _ENDINGS]
