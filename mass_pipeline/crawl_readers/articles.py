"""Read a page as an article, by the site's template where there is one: adapter of the watch's port `ArticleReader`. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from mass_pipeline.crawling.watching.articles import Article
from mass_pipeline.model.document import Document, LineKind, Region, Wrapper
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes.issued import is_name_of_event, is_name_of_sheet
from mass_pipeline.reading.changes.sheets import announcement_items, is_sheet
from mass_pipeline.reading.text.news import NewsRecord, read_news
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.church_calendar import church_sunday
from mass_pipeline.reading.words.weekday_patterns import SUNDAY
from mass_pipeline.reading.words.written_dates import SAYS_PUBLISHED, first_of_span, is_date_line, read_date

_SHORT_LINE: Final = 80
_SHEET: Final = re.compile(rf"oglosze|komunikat|{SUNDAY}")
_NEAR: Final = timedelta(14)
_BETWEEN_NUMBERS: Final = re.compile(r"(?<=\d)[-_](?=\d)")
_DASHES: Final = re.compile(r"[-_/]+")
_COMPACT: Final = re.compile(r"(?<!\d)(20[0-4]\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?!\d)")
_YEAR: Final = re.compile(r"(?<!\d)20[0-4]\d(?!\d)")


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
