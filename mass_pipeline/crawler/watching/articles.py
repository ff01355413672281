"""An article as announcements: its record (C6), its single announcements, which are relevant (C8), which are repeats (C4). Pure.

Not here: how an article was found and fetched (looks), what it changes in the order of Masses (read when it is published).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from mass_pipeline.announcement_grammar.issued import is_name_of_event, is_name_of_sheet
from mass_pipeline.announcement_grammar.sheets import announcement_items, is_sheet
from mass_pipeline.crawler.pages.near_duplicates import distance, simhash
from mass_pipeline.crawler.pages.relevance import Topic, Words, score
from mass_pipeline.extraction.news import NewsRecord, Wrapper, read_news
from mass_pipeline.extraction.publication_date import SAYS_PUBLISHED, first_of_span, is_date_line, read_date
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.language.church_sundays import church_sunday
from mass_pipeline.language.day_words import EVENING, IN_THE_MORNING, MONTH, SUNDAY, WEEKDAY
from mass_pipeline.model.document import Document, LineKind, Region
from mass_pipeline.model.identifiers import content_id, fold

_SHORT_LINE: Final = 80
_ALIKE: Final = 80  # of 100: a sentence more or less, a source named, a word changed
_WORD: Final = re.compile(r"\w+")
_TELLING: Final = frozenset({"nie", "bez", "tylko", "odwolana", "odwolany", "odwolane", "zamiast", "jedynie"})
_SHEET: Final = re.compile(rf"oglosze|komunikat|{SUNDAY}")
_NEAR: Final = timedelta(14)
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d)[-_](?=\d)")
_DASHES: Final = re.compile(r"[-_/]+")
_COMPACT: Final = re.compile(r"(?<!\d)(20[0-4]\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)")
_YEAR: Final = re.compile(r"(?<!\d)20[0-4]\d(?!\d)")
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


@dataclass(frozen=True, slots=True)
class Announcement:
    """One relevant announcement of an article, with its place there and its score."""

    announcement_id: str
    position: int
    text: str
    score: float


def read_article(
    body: bytes, *, url: str, anchor: str = "", content_type: str | None = None, wrapper: Wrapper | None = None
) -> Article:
    """Read a page as an article, by the site's template where there is one, else by text density (C7).

    Args:
        body: as received: markup, or PDF.
        url, anchor, content_type: as known from list and answer.
        wrapper: XPath of the fields.
    """
    document = read_document(body, content_type=content_type, url=url, link_text=anchor)
    if body.startswith(b"%PDF-"):
        news = NewsRecord(url, anchor, document.title or anchor, None, "\n".join(line.text for line in document.lines))
    else:
        news = read_news(body, url=url, anchor=anchor, content_type=content_type, wrapper=wrapper)
    told = news.date or _day_of(news, document, anchor)
    issued = _of_sheet(news.title, told) or told or _sunday_of_title(news, document, anchor, url)
    items = tuple(announcement_items(news.text)) if is_sheet(news, document) else ()
    return Article(news.title or anchor, news.author, news.keywords, news.description, news.headings, issued, news.text, items)


def _day_of(news: NewsRecord, document: Document, anchor: str) -> date | None:
    """The first date of the title, of the link, or of a short line: "Ogłoszenia na niedzielę 8 listopada 2026"."""
    lines = (line for line in document.lines if line.region is Region.MAIN and line.kind is not LineKind.LIST_ITEM)
    short = (line.text for line in lines if len(line.text) <= _SHORT_LINE)
    names = (name for name in (news.title, anchor, document.title, *short) if _tells_issue(name))
    return next((day for day in map(_first_day, names) if day is not None), None)


def _tells_issue(name: str) -> bool:
    """Whether the date in a title or line is that of its issue: "Koncert 12 grudnia 2026" names the day of the concert."""
    said = is_date_line(name) or SAYS_PUBLISHED.search(name) is not None
    return said or is_name_of_sheet(name) or not is_name_of_event(name)


def _first_day(name: str) -> date | None:
    """The day a name tells; of a week from Monday on the Sunday before it, from which its weekdays are counted."""
    begins = first_of_span(name)
    if begins is None:
        return read_date(name)
    return begins - timedelta(1) if begins.weekday() == 0 else begins


def _of_sheet(title: str, told: date | None) -> date | None:
    """The day a sheet names in its title, where another one near it stands on the page: weekdays are counted from this one."""
    words = fold(title)
    if told is None or _SHEET.search(words) is None:
        return None
    named = _first_day(title) or church_sunday(words, told.year)
    return named if named is not None and abs(named - told) <= _NEAR else None


def _sunday_of_title(news: NewsRecord, document: Document, anchor: str, url: str) -> date | None:
    """The Sunday a title names in the church's year, of the year that it, or the address, names: "XV Niedziela zwykła 2023"."""
    address = url.partition("://")[2].partition("/")[2]
    in_address = _day_of_address(address)
    if in_address is not None:
        return in_address
    titles = (news.title, anchor, document.title)
    year = next((int(match[0]) for match in map(_YEAR.search, (*titles, address)) if match), 0)
    sundays = (church_sunday(fold(title), year) for title in titles) if year else ()
    return next((day for day in sundays if day is not None), None)


def _day_of_address(address: str) -> date | None:
    """The day an address tells: "ogloszenia-15-10-2023", "ogloszenia_20261122.html", "ogloszenia-22-listopada-2026"."""
    words = _DASHES.sub(" ", address)
    if is_name_of_event(words):
        return None
    whole = read_date(_COMPACT.sub(r" \1-\2-\3 ", address))
    if whole is not None or not is_name_of_sheet(words):
        return whole
    return read_date(_BETWEEN_NUMBERS.sub(".", address)) or read_date(words)


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
    found = []
    for position, words in enumerate(_words(article, divided=topic.divided)):
        value = score(words, topic)
        if value >= least:
            identifier = content_id(site_id, url, issued.isoformat() if issued else "", words.text)
            found.append(Announcement(identifier, position, words.text, value))
    unique = {one.announcement_id: one for one in reversed(found)}
    return sorted(unique.values(), key=lambda one: one.position)


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
