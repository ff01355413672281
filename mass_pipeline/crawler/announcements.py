"""Announcements of parishes as records: single items of announcement pages, their day, their topic, what they change (C6, C8).

Works on pages already fetched; when to fetch them is planned by `polling`. Not here: the models of relevance, the
reading of changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Protocol

from mass_pipeline.crawler.relevance import Topic, Words, score
from mass_pipeline.extraction.changes import ScheduleChange, read_changes
from mass_pipeline.extraction.news import read_news
from mass_pipeline.extraction.publication_date import is_date_line, read_date
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.model.document import Document, LineKind, Region
from mass_pipeline.model.identifiers import content_id, fold

_ABOUT_ANNOUNCEMENTS: Final = re.compile(r"ogloszen|aktualnosc|komunikat")
_NUMBERED: Final = re.compile(r"^\s*(?:\d{1,2}[.)]|[a-z]\)|[-–•*])\s+(?=\S)")
_LEAST_ITEMS: Final = 3  # fewer list items are a menu or a row of links, not a week's announcements
_LEAST_WORDS: Final = 4
_MAIN: Final = frozenset({Region.MAIN})


class FetchedPage(Protocol):
    """What is needed of a page; `crawler.CrawledPage` has it."""

    @property
    def parish_id(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def link_text(self) -> str | None: ...
    @property
    def content_type(self) -> str | None: ...
    @property
    def body(self) -> bytes | None: ...


@dataclass(frozen=True, slots=True)
class AnnouncementRow:
    """One announcement.

    Attributes:
        announcement_id: from parish, page and words; the same words on the same page keep it.
        title: of the page. issued: its day, None when the page does not tell (then no changes are read).
        position: order on the page, from 0.
        score, relevant: by the topic's chosen model.
        changes: what it changes in the order of Masses; only read for relevant announcements.
    """

    announcement_id: str
    parish_id: str
    url: str
    title: str
    issued: date | None
    position: int
    text: str
    score: float
    relevant: bool
    changes: tuple[ScheduleChange, ...] = ()


def is_announcement_page(document: Document) -> bool:
    """Whether a page is about announcements, by its title, its headings, its address or the link to it."""
    headings = (line.text for line in document.lines if line.kind is LineKind.HEADING and line.region in _MAIN)
    words = (document.title, document.link_text, document.url, *headings)
    return any(_ABOUT_ANNOUNCEMENTS.search(fold(text)) for text in words)


def announcement_items(main_text: str) -> list[str]:
    """Single announcements of a page: the lines of its main text, without their numbers and bullets.

    Returns:
        In order; empty when there are fewer than three of at least four words, which is a menu or a single notice.
    """
    items = [_NUMBERED.sub("", line).strip() for line in main_text.splitlines()]
    long = [text for text in items if len(text.split()) >= _LEAST_WORDS and not is_date_line(text)]
    return long if len(long) >= _LEAST_ITEMS else []


def read_announcements(pages: Iterable[FetchedPage], topic: Topic) -> list[AnnouncementRow]:
    """Announcements of crawled pages.

    Args:
        pages: of one or many parishes; pages that are not about announcements give nothing.
        topic: tells relevant announcements from others.

    Returns:
        Rows sorted by (parish_id, url, position).
    """
    rows = [row for page in pages if page.body for row in _rows(page, page.body, topic)]
    return sorted(rows, key=lambda row: (row.parish_id, row.url, row.position))


def _rows(page: FetchedPage, body: bytes, topic: Topic) -> Iterator[AnnouncementRow]:
    document = read_document(body, content_type=page.content_type, url=page.url, link_text=page.link_text or "")
    if not is_announcement_page(document):
        return
    news = read_news(body, url=page.url, anchor=page.link_text or "", content_type=page.content_type)
    items = announcement_items(news.text)
    issued = news.date or _date_of(document)
    for position, text in enumerate(items):
        value = score(Words(text), topic)
        relevant = value >= topic.thresholds[topic.chosen]
        changes = tuple(read_changes(text, issued)) if relevant and issued else ()
        identifier = content_id(page.parish_id, page.url, text)
        yield AnnouncementRow(
            identifier, page.parish_id, page.url, news.title or document.title, issued, position, text, value, relevant, changes
        )


def _date_of(document: Document) -> date | None:
    """The first date of the title, a heading or a short line: "Ogłoszenia na niedzielę 8 listopada 2026"."""
    lines = (line for line in document.lines if line.region in _MAIN and line.kind is not LineKind.LIST_ITEM)
    short = (line.text for line in lines if len(line.text) <= 80)
    return next((day for day in map(read_date, (document.title, *short)) if day is not None), None)
