"""All hostile shapes, and what in the product reads each kind of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from mass_pipeline_tests.hostile import announced, files, markup, schedules
from mass_pipeline_tests.hostile.repeated import Maker

if TYPE_CHECKING:
    from mass_pipeline.reading.regular.reading import PageReading

PAGE_URL: Final = "https://parafia.example/msze.html"
_TODAY: Final = date(2026, 11, 22)


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to hurt.

    Attributes:
        name: unique.
        reader: key of `READERS`.
        make: gives an input of about so many bytes.
        largest: bytes up to which the shape makes sense.
    """

    name: str
    reader: str
    make: Maker
    largest: int = 5_000_000


def _page(body: bytes) -> object:
    from mass_pipeline.reading.regular.reading import read_page
    from mass_pipeline.reading.text.reader import read_document

    return judged_page(read_page(read_document(body, url=PAGE_URL)))


def judged_page(reading: PageReading) -> object:
    """What follows when a page was read: its candidate hours, and the judgement of what it states."""
    from mass_pipeline.reading.text.candidates import find_candidates
    from mass_pipeline.site_reading.ownership.sites import judge_site

    masses = {place: verdict.mass for place, verdict in reading.verdicts.items() if verdict.mass is not None}
    found = find_candidates(reading.document, parish_id="1", page_score=reading.score, readings=masses)
    return found, judge_site([reading], _TODAY, ("Parafia św. Jana", "Borek")).schedule


def _text(body: bytes) -> object:
    from mass_pipeline.reading.regular.reading import read_text

    return read_text(body.decode("utf-8", "surrogatepass"))


def _links(body: bytes) -> object:
    from mass_pipeline.crawling.pages.links import read_links

    return [(link.href, link.text(), link.followed) for link in read_links(body).links]


def _news(body: bytes) -> object:
    from mass_pipeline.crawl_readers.articles import read_article
    from mass_pipeline.crawling.fetching.scope import Scope
    from mass_pipeline.crawling.fetching.urls import split
    from mass_pipeline.crawling.watching.finding import read_list

    url = "https://parafia.example/aktualnosci"
    return read_list(body, url=url, scope=Scope(split(url))), read_article(body, url=url)


def _changes(body: bytes) -> object:
    from mass_pipeline.reading.changes import read_changes

    return read_changes(body.decode("utf-8", "replace"), _TODAY)


def _article(body: bytes) -> object:
    from mass_pipeline.crawl_readers.articles import read_article

    return read_article(body, url="https://parafia.example/aktualnosci/ogloszenia")


def _feed(body: bytes) -> object:
    from mass_pipeline.crawling.pages.feeds import read_feed

    return read_feed(body, "https://parafia.example/feed")


def _http(body: bytes) -> object:
    from mass_pipeline.crawling.fetching.lenient import NoHttp, frame

    try:
        return "framed", frame(body)
    except NoHttp as error:
        return str(error)


def _gzip(body: bytes) -> object:
    from mass_pipeline.crawling.fetching.decompression import BadEncoding, unpack

    try:
        return unpack(body, "gzip", 10 * 2**20)
    except BadEncoding as error:
        return str(error)


READERS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "page": _page,
    "text": _text,
    "links": _links,
    "news": _news,
    "changes": _changes,
    "article": _article,
    "feed": _feed,
    "http": _http,
    "gzip": _gzip,
}

SHAPES: Final = (
    *(Shape(name, "page", make) for name, make in schedules.SHAPES.items()),
    *(Shape(f"{name}, text", "text", make) for name, make in schedules.TEXTS.items()),
    *(Shape(name, "page", make) for name, make in markup.PAGES.items()),
    *(Shape(name, "links", make) for name, make in markup.LINKS.items()),
    *(Shape(name, "news", make) for name, make in markup.NEWS.items()),
    *(Shape(name, "changes", make) for name, make in announced.CHANGES.items()),
    *(Shape(name, "article", make) for name, make in announced.ARTICLES.items()),
    *(Shape(name, reader, make, largest) for name, (reader, make, largest) in files.SHAPES.items()),
)


def shape(name: str) -> Shape:
    """The shape of that name."""
    return next(one for one in SHAPES if one.name == name)
