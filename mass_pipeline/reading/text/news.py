"""A news page as a structured record: title, day, main text, author, anchor text, keywords and description (C6, C7).

A wrapper (XPath per field) is used where one is given for a site, text density otherwise. The day is that of metadata, of the
address, or of the line beside the title: days that the text only speaks of, of changes, of comments, and today's date in a header
are not meant.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.model.document import Wrapper
from mass_pipeline.model.errors import UsageError
from mass_pipeline.reading.text.markup_tree import drop_frame, find_main, lines_of, main_lines, parse_markup, text_of
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.written_dates import SAYS_PUBLISHED, is_date_line, read_date

_TITLE_NAMES: Final = (  # the sure ones first: on a blog, `title` is the name of the blog
    re.compile(r"(?i)(?:^|\s)(?:entry-title|post-title|contentheading|article-title|news-title)(?:$|\s)"),
    re.compile(r"(?i)(?:^|[\s_-])(?:tytul|title|headline)(?:$|[\s_-])"),
)
_AUTHOR: Final = re.compile(r"(?i)^(?:wpisany przez|autor|napisał\w*|przez|opracował\w*)\s*:?\s*(.{3,60})$")
_AUTHOR_NAMES: Final = re.compile(r"(?i)(?:^|[\s_-])(?:author|byline|post-author|autor)(?:$|[\s_-])")
_HEADLINE: Final = re.compile(r'"headline"\s*:\s*"([^"]+)"')
_JUNK_LINE: Final = re.compile(
    r"(?i)^(?:powrót|czytaj (?:dalej|więcej)|drukuj|pdf|udostępnij|poprzedni|następn[ya]|dodano:.*|opublikowano:.*)\b.{0,60}$"
)
_URL_DAY: Final = re.compile(r"/(20\d\d)[/-](\d\d)[/-](\d\d)(?=[/-]|$)")
_DATE_NAMES: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:date|data|dated|posted-on|published|pubdate|createdate|date-header)(?:$|[\s_-])"
)
_SAYS_OTHER: Final = re.compile(r"(?i)dziś|dzisiaj|popraw|modyf|aktualiz|zmienion|działa od")
_META_NAMES: Final = ("article:published_time", "datePublished", "date", "dc.date", "dc.date.issued", "pubdate", "publish-date")
_JSON_LD: Final = re.compile(r'"datePublished"\s*:\s*"([^"]+)"')
_TITLE_MAX: Final = 160
_LINES_BEHIND: Final = 5
_LINES_ABOVE: Final = 3
_TITLE_SEPARATORS: Final = re.compile(r"\s+[|–—:»-]\s+|: ")


@dataclass(frozen=True, slots=True)
class NewsRecord:
    """What a news page tells.

    Attributes:
        url: of the page. anchor: words of the link that led to it.
        title: "" when none was found. date: of publication, None when the page does not tell.
        text: main text, paragraphs separated by line breaks; "" when the page has none.
        author, keywords, description: "" when absent.
        headings: h1 to h3 of the page's subject, in order.
    """

    url: str
    anchor: str
    title: str
    date: date | None
    text: str
    author: str = ""
    keywords: str = ""
    description: str = ""
    headings: tuple[str, ...] = ()


def read_news(
    content: bytes | str, *, url: str = "", anchor: str = "", content_type: str | None = None, wrapper: Wrapper | None = None
) -> NewsRecord:
    """Read a news page.

    Args:
        content: bytes as received, or decoded text.
        url, anchor: as known from the crawl.
        content_type: Content-Type header, when known.
        wrapper: XPath expressions for this site's pages.

    Raises:
        UsageError: when an XPath of the wrapper is malformed.
    """
    tree = parse_markup(content, content_type)
    if tree is None:
        return NewsRecord(url, anchor, "", None, "")
    wrapper = wrapper or Wrapper()
    subject = copy.deepcopy(tree)
    drop_frame(subject)
    main = find_main(subject)
    if main is None:  # all of it is frame
        lines = [line.text for line in read_document(content, content_type=content_type).lines]
    else:
        lines = main_lines(main)
    around = [line for line in lines_of(subject) if len(line) <= _TITLE_MAX]
    title = _by_xpath(tree, wrapper.title) or _title(tree, subject, around, anchor)
    author = _by_xpath(tree, wrapper.author) or _author(tree, around)
    day = read_date(_by_xpath(tree, wrapper.date)) or publication_date(tree, url, _nearest_first(around, title))
    text = _by_xpath(tree, wrapper.text, join="\n") or "\n".join(_cleaned(lines, title, author))
    headings = tuple(text_of(node) for node in subject.iter("h1", "h2", "h3"))
    return NewsRecord(url, anchor, title, day, text, author, _meta(tree, "keywords"), _meta(tree, "description"), headings)


def _by_xpath(tree: Element, expression: str, join: str = " ") -> str:
    if not expression:
        return ""
    try:
        found = tree.xpath(expression)
    except etree.XPathError as error:
        raise UsageError(f"wrapper XPath {expression!r}: {error}; correct it in the configuration of the site") from error
    items = found if isinstance(found, list) else [found]
    return join.join("\n".join(lines_of(item)) if isinstance(item, etree._Element) else str(item).strip() for item in items)


def _meta(tree: Element, name: str) -> str:
    wanted = (meta for meta in tree.iter("meta") if name in ((meta.get("name") or "").lower(), meta.get("property")))
    return next(((meta.get("content") or "").strip() for meta in wanted), "")


def _title(tree: Element, subject: Element, around: Sequence[str], anchor: str) -> str:
    stated = _meta(tree, "og:title") or next(iter(_HEADLINE.findall(etree.tostring(tree, encoding="unicode"))), "")
    if stated:
        return stated
    document = next((text_of(node) for node in tree.iter("title")), "")
    for candidate in (*_named_titles(subject), *(text_of(node) for node in subject.iter("h1", "h2", "h3", "h4"))):
        if 3 <= len(candidate) <= _TITLE_MAX and (fold(candidate) in fold(document) or candidate == anchor):
            return candidate
    heading = next((text_of(node) for node in subject.iter("h1", "h2", "h3") if text_of(node)), "")
    choices = (next(_named_titles(subject), ""), _line_above_date(around), heading, anchor, _TITLE_SEPARATORS.split(document)[0])
    return next((choice for choice in choices if 3 <= len(choice) <= _TITLE_MAX), "")


def _named_titles(subject: Element) -> Iterator[str]:
    for pattern in _TITLE_NAMES:
        for node in subject.iter("*"):
            names = f"{node.get('class') or ''} {node.get('itemprop') or ''}"
            if pattern.search(names) and 3 <= len(text_of(node)) <= _TITLE_MAX:
                yield text_of(node)


def _line_above_date(lines: Sequence[str]) -> str:
    """The line above a date of publication: the title on pages that mark nothing."""
    for before, line in itertools.pairwise(lines):
        if is_date_line(before):
            continue
        if is_date_line(line) or (SAYS_PUBLISHED.search(line) and read_date(line) is not None):
            return before
    return ""


def _nearest_first(lines: Sequence[str], title: str) -> list[str]:
    """Lines after the title first, then those right above it, then the others: a side column may show today's date."""
    wanted = fold(title)
    position = next((i for i in range(len(lines) - 1, -1, -1) if fold(lines[i]) == wanted), 0)
    above = max(0, position - _LINES_ABOVE)
    return [
        *lines[position : position + _LINES_BEHIND],
        *lines[above:position],
        *lines[position + _LINES_BEHIND :],
        *lines[:above],
    ]


def _author(tree: Element, around: Sequence[str]) -> str:
    for node in tree.iter("*"):
        if _AUTHOR_NAMES.search(f"{node.get('class') or ''} {node.get('rel') or ''}"):
            words = text_of(node)
            match = _AUTHOR.match(words)
            if 3 <= len(words) <= 60 and not re.search(r"\d", words):
                return match[1] if match else words
    return next((match[1] for match in map(_AUTHOR.match, around) if match), "")


def _cleaned(lines: Sequence[str], title: str, author: str) -> list[str]:
    """The lines after the title, without date, author and service lines."""
    start = next((i + 1 for i, line in enumerate(lines) if title and fold(line) == fold(title)), 0)
    kept = []
    for line in lines[start:]:
        is_author = bool(author) and fold(line) == fold(author)
        if not (is_date_line(line) or is_author or _AUTHOR.match(line) or _JUNK_LINE.match(line)):
            kept.append(line)
    return kept


def publication_date(tree: Element, url: str = "", near_title: Iterable[str] = ()) -> date | None:
    """The day of publication, None when the page does not tell.

    Args:
        tree: of the whole page.
        url: its address; `/2026/10/04/` in it counts.
        near_title: lines around the title and after the text, where pages without any markup put the date.
    """
    match = _URL_DAY.search(url)
    sources = (*_from_metadata(tree), *_from_elements(tree), "-".join(match.groups()) if match else "", *_from_lines(near_title))
    return next((day for day in map(read_date, sources) if day is not None), None)


def _from_metadata(tree: Element) -> Iterator[str]:
    for meta in tree.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        if name in _META_NAMES or name.lower() in _META_NAMES:
            yield meta.get("content") or ""
    for script in tree.iter("script"):
        if "ld+json" in (script.get("type") or ""):
            yield from _JSON_LD.findall(script.text or "")


def _from_elements(tree: Element) -> Iterator[str]:
    for node in tree.iter("*"):
        words = text_of(node) if _names_a_date(node) else ""
        if words and len(words) < 80 and not _SAYS_OTHER.search(words):
            yield f"{node.get('datetime') or node.get('content') or ''} {words}"


def _names_a_date(node: Element) -> bool:
    if node.tag == "time" or node.get("itemprop") == "datePublished":
        return True
    names = f"{node.get('class') or ''} {node.get('id') or ''}"
    return bool(names.strip()) and node.tag != "body" and _DATE_NAMES.search(names) is not None


def _from_lines(lines: Iterable[str]) -> Iterator[str]:
    kept = [line for line in lines if not _SAYS_OTHER.search(line)]
    yield from (line for line in kept if SAYS_PUBLISHED.search(line))
    yield from (line for line in kept if is_date_line(line))
