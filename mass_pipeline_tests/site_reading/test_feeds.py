"""Sites whose pages show nothing by themselves and name a feed: its entries are read as pages, from the crawl to the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

from mass_pipeline.crawler import CrawledPage
from mass_pipeline.extraction.feed_entries import entry_pages, is_feed
from mass_pipeline.schedule_grammar.judging.sites import read_site
from mass_pipeline.site_reading.pages import SiteReader, SiteReading
from mass_pipeline_tests.crawler.conftest import Crawl, crawl
from mass_pipeline_tests.crawler.loopback import Answer, Page

__all__ = ["crawl"]
TODAY = date(2026, 11, 23)
FEED = "http://a.example/aktualnosci.xml"
ORDER = "<h2>Porządek Mszy Świętych</h2><p>Niedziele: 7:30, 9:00, 11:15</p><p>Dni powszednie: 18:00</p>"
NAMED = '<link rel="alternate" type="application/rss+xml" title="Wpisy" href="/aktualnosci.xml">'
SHELL = f'<html><head><title>Parafia</title>{NAMED}<script src="/app.js"></script></head><body><div id="app"></div></body></html>'


def rss(*items: str) -> Page:
    """A feed with these items."""
    head = '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">'
    return Page(f"{head}<channel>{''.join(items)}</channel></rss>", content_type="application/rss+xml")


def item(text: str, link: str = "/wpis/1", day: str = "Sun, 04 Oct 2026 08:00:00 +0200", field: str = "content:encoded") -> str:
    """An item whose text stands in a field."""
    return (
        f"<item><title>Msze święte w naszej parafii</title><link>{link}</link><pubDate>{day}</pubDate>"
        f"<{field}><![CDATA[{text}]]></{field}></item>"
    )


class _Rows:
    def __init__(self, pages: Sequence[CrawledPage]) -> None:
        self._pages = pages

    def rows(self, columns: Sequence[str]) -> Iterator[Mapping[str, object]]:
        return ({name: getattr(page, name) for name in columns} for page in self._pages)


def read(crawl: Crawl, files: Mapping[str, Answer | list[Answer]]) -> tuple[SiteReading, list[str]]:
    """The site as it is read after a crawl, and the paths that were asked for."""
    crawled = crawl({"a.example": files}, few_links=5, sitemaps="never")
    (site,) = SiteReader(lambda: TODAY).sites(_Rows(crawled.pages))
    return site, crawled.server.paths()


def hours(site: SiteReading) -> set[str]:
    """All hours of the order."""
    return {one.mass.time for one in read_site([page.reading for page in site.pages]).masses}


class TestEntriesAsPages:
    def test_an_order_in_an_entry_is_read_with_its_address_its_day_and_the_body_it_came_in(self, crawl: Crawl) -> None:
        site, paths = read(crawl, {"/": Page(SHELL), "/aktualnosci.xml": rss(item(ORDER))})
        page = next(page for page in site.pages if page.url == "http://a.example/wpis/1")
        feed = next(page for page in site.pages if page.url == FEED)

        assert paths == ["/robots.txt", "/", "/aktualnosci.xml"]
        assert hours(site) == {"07:30", "09:00", "11:15", "18:00"}
        assert (page.sha256, page.fetched_at, page.checked_at) == (feed.sha256, feed.fetched_at, feed.checked_at)
        assert "4.10.2026" in [line.text for line in page.document.lines]
        assert page.document.title == "Msze święte w naszej parafii"

    @pytest.mark.parametrize(
        "entry",
        [
            item(ORDER, day="Sun, 06 Oct 2019 08:00:00 +0200"),
            item(ORDER, link="http://diecezja.example/wpis/1"),
            item(f"{ORDER} Czytaj więcej…", field="description"),
            item("<p>Zapraszamy na pielgrzymkę.</p>"),
        ],
        ids=["old", "of another host", "cut short", "without an order"],
    )
    def test_what_is_no_order_of_today_leaves_the_site_as_it_was(self, crawl: Crawl, entry: str) -> None:
        site, _ = read(crawl, {"/": Page(SHELL), "/aktualnosci.xml": rss(entry)})

        assert read_site([page.reading for page in site.pages]).status == "javascript_only"
        assert {page.url for page in site.pages} == {"http://a.example/", FEED}

    def test_a_page_that_shows_its_text_is_read_and_not_its_entry(self, crawl: Crawl) -> None:
        shown = Page(f"<html><body>{ORDER.replace('9:00', '9:30')}</body></html>")
        start = SHELL.replace("</body>", '<a href="/wpis/1"></a></body>')
        site, _ = read(crawl, {"/": Page(start), "/wpis/1": shown, "/aktualnosci.xml": rss(item(ORDER))})

        assert hours(site) == {"07:30", "09:30", "11:15", "18:00"}

    def test_an_empty_page_of_the_entry_itself_gives_way_to_it(self, crawl: Crawl) -> None:
        start = SHELL.replace("</body>", '<a href="/wpis/1"></a></body>')
        site, _ = read(crawl, {"/": Page(start), "/wpis/1": Page(SHELL + " "), "/aktualnosci.xml": rss(item(ORDER))})

        assert [page.url for page in site.pages] == ["http://a.example/", FEED, "http://a.example/wpis/1"]
        assert "18:00" in hours(site)


class TestOtherSites:
    def test_a_site_with_text_is_not_asked_for_its_feed(self, crawl: Crawl) -> None:
        start = f"<html><head>{NAMED}</head><body><p>Witamy na stronie naszej parafii. {'Historia i dzień dzisiejszy. ' * 9}</p>"
        site, paths = read(crawl, {"/": Page(start), "/aktualnosci.xml": rss(item(ORDER))})

        assert paths == ["/robots.txt", "/"]
        assert hours(site) == set()

    def test_nor_are_the_entries_of_one_that_it_links_to_read(self, crawl: Crawl) -> None:
        start = (
            f'<html><body><p>{"Historia i dzień dzisiejszy parafii. " * 9}</p><a href="/aktualnosci.xml">RSS</a></body></html>'
        )
        site, paths = read(crawl, {"/": Page(start), "/aktualnosci.xml": rss(item(ORDER))})

        assert paths == ["/robots.txt", "/", "/aktualnosci.xml"]
        assert hours(site) == set()


class TestForms:
    def test_atom_with_markup_and_with_escaped_markup(self) -> None:
        feed = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A &amp; B</title><link href="/1"/>
            <updated>2026-10-04T08:00:00Z</updated><content type="xhtml">
            <div xmlns="http://www.w3.org/1999/xhtml"><p>Msze: 8:00</p></div></content></entry>
            <entry><link href="/2"/><content type="html">&lt;p&gt;Msze: 9:00&lt;/p&gt;</content></entry>
            <entry><link href="/3"/><content type="text">a &lt; b</content></entry>
            <entry><link href="/4"/><content src="/x"/></entry></feed>"""
        pages = entry_pages(feed.encode(), url="http://a.example/feed")

        assert [(page.url, page.published) for page in pages] == [
            ("http://a.example/1", date(2026, 10, 4)),
            ("http://a.example/2", None),
            ("http://a.example/3", None),
        ]
        assert "<p>Msze: 8:00</p>" in pages[0].markup.replace(' xmlns="http://www.w3.org/1999/xhtml"', "")
        assert "<p>Msze: 9:00</p>" in pages[1].markup
        assert "<p>a &lt; b</p>" in pages[2].markup
        assert "<h1>A &amp; B</h1><p>4.10.2026</p>" in pages[0].markup

    def test_entities_of_the_document_stay_as_they_are_written(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text("secret words", "utf-8")
        feed = f"""<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]><rss><channel><item>
            <description>Msze: 8:00 &x;</description></item></channel></rss>"""

        assert not any("secret words" in page.markup for page in entry_pages(feed.encode(), url="http://a.example/"))

    def test_a_feed_is_known_by_its_beginning(self) -> None:
        assert is_feed(b'<?xml version="1.0"?><!-- x --><rss version="2.0">')
        assert not is_feed(b"<html><body>&lt;rss&gt;</body></html>")
        assert entry_pages(b"no feed") == ()
