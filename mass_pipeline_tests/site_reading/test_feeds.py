"""Sites whose pages show nothing by themselves and name a feed: its entries are read as pages, from the crawl to the order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling import CrawledPage
from mass_pipeline.crawling.pages.feeds import read_feed
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.feed_entries import day_of, entry_pages, is_feed
from mass_pipeline.site_reading.pages import SiteReader, SiteReading
from mass_pipeline_tests.crawling.conftest import crawl
from mass_pipeline_tests.crawling.loopback import Answer, Page
from mass_pipeline_tests.crawling.made import Crawl

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


class TestBorders:
    def test_a_day_that_no_calendar_holds_costs_the_entry_its_day_and_nobody_anything_else(self, crawl: Crawl) -> None:
        feed = rss(item(ORDER, day="Fri, 27 Nov 99999999999999999999 10:00:00 GMT"))
        site, _ = read(crawl, {"/": Page(SHELL), "/aktualnosci.xml": feed})

        assert hours(site) == {"07:30", "09:00", "11:15", "18:00"}
        assert site.unreadable == {}

    def test_a_feed_that_cannot_be_read_is_counted_with_its_address_and_its_site_goes_on(
        self, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("mass_pipeline.site_reading.pages.entry_pages", _overflow)
        site, _ = read(crawl, {"/": Page(SHELL), "/aktualnosci.xml": rss(item(ORDER))})

        assert site.unreadable == {FEED: "OverflowError: cannot convert float infinity to integer"}
        assert [page.url for page in site.pages] == ["http://a.example/", FEED]


def _overflow(*_content: object, **_settings: object) -> None:
    raise OverflowError("cannot convert float infinity to integer")


class TestBrokenFeeds:
    """Feeds as they are found on the web; other readers cope with them."""

    @pytest.mark.parametrize(
        ("written", "day"),
        [
            ("Tue, 18 Sept 2018 15:53:56 +0300", date(2018, 9, 18)),
            ("Pt, 27 lis 2026 10:00:00 +0100", date(2026, 11, 27)),
            ("27.11.2026 10:00", date(2026, 11, 27)),
            ("Fri, 27 Nov 2026", date(2026, 11, 27)),
            ("Fri, 27 Nov 2026 24:00:00 GMT", date(2026, 11, 27)),
            ("Sat, 28 Nov 2026 23:30:00 GMT", date(2026, 11, 29)),
            ("2026-11-28T23:30:00Z", date(2026, 11, 29)),
            ("2026-11-28", date(2026, 11, 28)),
            ("0001-01-01T00:00:00+14:00", None),
            ("wczoraj", None),
        ],
    )
    def test_days_are_those_of_poland_in_whatever_notation(self, written: str, day: date | None) -> None:
        assert day_of(written) == day

    @given(st.text())
    def test_no_text_makes_the_search_for_its_day_fail(self, text: str) -> None:
        assert day_of(text) is None or isinstance(day_of(text), date)

    @pytest.mark.parametrize(
        ("fields", "expected"),
        [
            ("<link>/a</link><pubDate>wczoraj</pubDate><d:date>2026-11-27T10:00:00Z</d:date>", ("/a", "", date(2026, 11, 27))),
            ('<a:link rel="related" href="/x"/><link>/a</link>', ("/a", "", None)),
            ("<m:title>obraz</m:title><title>Ogłoszenia</title><link>/a</link>", ("/a", "Ogłoszenia", None)),
            (
                "<title>Og&oacute;lne &brak; R&D &lt;3</title><link>/a?b=1&c=2</link>",
                ("/a?b=1&c=2", "Ogólne &brak; R&D <3", None),
            ),
            ("<link><![CDATA[/a?b=1&c=2]]></link>", ("/a?b=1&c=2", "", None)),
        ],
    )
    def test_what_an_entry_says_itself_counts(self, fields: str, expected: tuple[str, str, date | None]) -> None:
        feed = (
            f'<rss xmlns:a="http://www.w3.org/2005/Atom" xmlns:d="d" xmlns:m="m"><channel><item>{fields}</item></channel></rss>'
        )
        (entry,) = read_feed(feed.encode(), FEED).entries

        assert (entry.url.removeprefix("http://a.example"), entry.anchor, entry.published) == expected

    def test_a_picture_with_an_address_does_not_hide_the_text(self) -> None:
        fields = f'<m:content url="/x.jpg"/><description>{escape(ORDER)}</description>'
        feed = f'<rss xmlns:m="m"><channel><item>{fields}</item></channel></rss>'

        assert ORDER in entry_pages(feed.encode(), url=FEED)[0].markup

    def test_the_base_of_an_element_holds_for_its_links(self) -> None:
        """RFC 4287, section 2."""
        entry = '<entry xml:base="2026/"><link href="og1"/></entry>'
        feed = f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/">{entry}</feed>'

        assert [one.url for one in read_feed(feed.encode(), FEED).entries] == ["http://a.example/blog/2026/og1"]

    def test_warnings_of_the_server_before_a_feed_are_passed_over(self) -> None:
        feed = b"<br />\n<b>Warning</b>: foo() in /srv/x.php on line 3\n<?xml version='1.0'?><rss><channel/></rss>"

        assert is_feed(feed)
        assert read_feed(feed).kind == "rss"
        assert read_feed(b"<html><body><rss><item><link>/a</link></item></rss>").kind == "none"

    def test_an_ampersand_of_an_address_is_part_of_it(self) -> None:
        sitemap = b"<urlset><url><loc>https://p.example.pl/?id=1&x=2</loc></url></urlset>"

        assert [one.url for one in read_feed(sitemap).entries] == ["https://p.example.pl/?id=1&x=2"]


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
