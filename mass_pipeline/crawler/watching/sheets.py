"""Sheets of announcements: whether an article is one, and its single announcements. Pure."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.extraction.news import NewsRecord
from mass_pipeline.extraction.publication_date import is_date_line
from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.model.identifiers import fold

_MARKED: Final = re.compile(r"^\s*(?:\d{1,2}[.)]|[a-z]\)|[-–•*])\s+(?=\S)")
_NUMBERED: Final = re.compile(r"(?m)^\s*\d{1,2}[.)]\s")
_SHEET_WORDS: Final = re.compile(r"oglosze|komunikat")
_LEAST_ITEMS: Final = 3  # fewer lines are a single notice, or a row of links
_LEAST_WORDS: Final = 4


def is_sheet(news: NewsRecord, document: Document) -> bool:
    """Whether an article is a sheet of announcements: called so, or a list or numbered lines; else it is prose."""
    words = fold(" ".join((news.title, news.anchor, news.url, *news.headings[:1])))
    if _SHEET_WORDS.search(words):
        return True
    listed = sum(line.kind is LineKind.LIST_ITEM and line.text in news.text for line in document.lines)
    return max(listed, len(_NUMBERED.findall(news.text))) >= _LEAST_ITEMS


def announcement_items(main_text: str) -> list[str]:
    """Single announcements of a sheet: the lines of its main text, without their numbers and bullets.

    Returns:
        In order; empty when there are fewer than three of at least four words, which is a menu or a single notice.
    """
    items = [_MARKED.sub("", line).strip() for line in main_text.splitlines()]
    long = [text for text in items if len(text.split()) >= _LEAST_WORDS and not is_date_line(text)]
    return long if len(long) >= _LEAST_ITEMS else []
