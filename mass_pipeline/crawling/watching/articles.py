"""An article as announcements: its record (C6), its single announcements, which are relevant (C8), which are repeats (C4). Pure.

Not here: how an article was found and fetched (site_visit), how a page is read as one (behind the port `ArticleReader`), what it
changes in the order of Masses (read when it is published).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from mass_pipeline.crawling.pages.near_duplicates import distance, simhash
from mass_pipeline.crawling.pages.relevance import Topic, Words, score
from mass_pipeline.model.document import Wrapper
from mass_pipeline.model.identifiers import content_id, fold
from mass_pipeline.reading.words.weekday_patterns import EVENING, IN_THE_MORNING, MONTH, WEEKDAY

_ALIKE: Final = 80  # of 100: a sentence more or less, a source named, a word changed
_WORD: Final = re.compile(r"\w+")
_TELLING: Final = frozenset({"nie", "bez", "tylko", "odwolana", "odwolany", "odwolane", "zamiast", "jedynie"})
_DAYS: Final = re.compile(rf"^(?:{WEEKDAY}|dzis|jutr|{IN_THE_MORNING}|{EVENING}|{MONTH})")


@dataclass(frozen=True, slots=True)
class Article:
    """What a fetched page tells.

    Attributes:
        issued: day of publication, None when the page does not tell.
        items: its single announcements; empty when it is one text.
        text: its whole main text.
    """

    title: str
    author: str
    keywords: str
    description: str
    headings: tuple[str, ...]
    issued: date | None
    text: str
    items: tuple[str, ...]


class ArticleReader(Protocol):
    """Reads a page as an article. It may be sent to another process: a function of a module."""

    def __call__(
        self, body: bytes, *, url: str, anchor: str = "", content_type: str | None = None, wrapper: Wrapper | None = None
    ) -> Article:
        """The article of a page.

        Args:
            body: as received: markup, or PDF.
            url, anchor, content_type: as known from list and answer.
            wrapper: XPath of the fields, where the site has a template.
        """
        ...


@dataclass(frozen=True, slots=True)
class Announcement:
    """One relevant announcement of an article, with its place there and its score."""

    announcement_id: str
    position: int
    text: str
    score: float


def relevant_announcements(article: Article, topic: Topic, *, site_id: str, url: str, issued: date | None) -> list[Announcement]:
    """The announcements of an article that belong to the topic, by its chosen model.

    Args:
        article: as read.
        topic: decides; announcements without enough of its words are left out: better none than wrong.
        site_id, url, issued: go into the identifier; the same words issued on another day are another announcement.

    Returns:
        In order of the page; an article that is not divided gives at most one.
    """
    least = topic.thresholds[topic.chosen]
    unique: dict[str, Announcement] = {}  # the same words twice are the first of them
    for position, words in enumerate(_words(article, divided=topic.divided)):
        value = score(words, topic)
        if value >= least:
            identifier = content_id(site_id, url, issued.isoformat() if issued else "", words.text)
            unique.setdefault(identifier, Announcement(identifier, position, words.text, value))
    return list(unique.values())


def _words(article: Article, *, divided: bool) -> Iterator[Words]:
    if article.items and divided:
        yield from (Words(text) for text in article.items)
    elif article.text:
        meta = f"{article.keywords} {article.description}"
        yield Words(article.text, article.title, " ".join(article.headings), meta)


def text_print(text: str) -> int:
    """Fingerprint of a text for `is_repeat`: simhash over its folded words, as a signed 64-bit number for SQLite."""
    value = simhash(" ".join(_WORD.findall(fold(text))).encode())
    return value - (1 << 64) if value >= 1 << 63 else value


def is_repeat(text: str, own_print: int, other: str, other_print: int, max_bits: int) -> bool:
    """Whether two texts are one, small differences aside (C4).

    A difference in a number, a weekday or a negation is never small: an announcement of last week with another hour is news.

    >>> one = "Zapraszamy wszystkich na Mszę świętą odpustową w niedzielę o godz. 12.00, po niej procesja i agapa"
    >>> def same(other): return is_repeat(one, text_print(one), other, text_print(other), 8)
    >>> same(one + "."), same(one.replace("12.00", "11.00"))
    (True, False)
    """
    left, right = fold(text), fold(other)
    if left == right:
        return True
    mask = (1 << 64) - 1
    if not own_print or not other_print or distance(own_print & mask, other_print & mask) > max_bits:
        return False
    from rapidfuzz import fuzz  # few texts get here

    if fuzz.token_sort_ratio(left, right) < _ALIKE:
        return False
    mine, theirs = Counter(_WORD.findall(left)), Counter(_WORD.findall(right))
    return not any(_tells(word) for word in (mine - theirs) + (theirs - mine))


def _tells(word: str) -> bool:
    return any(c.isdigit() for c in word) or word in _TELLING or _DAYS.match(word) is not None
