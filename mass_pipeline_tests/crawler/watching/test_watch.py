"""Watching a site over days: what is new is fetched once, what fails is tried again, nothing is lost or repeated."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime

import pytest

from mass_pipeline.crawler.watching import WatchedList, WatchedSite, next_due, searched_sites
from mass_pipeline.demo_web.source import DEMO_FOLDER
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.crawler.loopback import Page
from mass_pipeline_tests.crawler.watching.conftest import HOST, NEWS, URL, Watch, article, configured, mass, news_list, tagged


class TestArticles:
    def test_an_article_of_a_list_becomes_a_record_with_everything_asked_for(self, watch: Watch) -> None:
        """C6: source site, address, anchor, title, day, text, model and score, moments."""
        w = watch(
            {"/aktualnosci/": news_list(("/a", "Zmiana godzin Mszy", "15.11.2026")), "/a": article(mass(1), title="Zmiana")}
        )
        with w.server:
            report = w.round()
        [row] = w.rows

        assert (report.looks, report.articles, report.new_announcements) == (1, 1, 1)
        assert (row.site_id, row.site, row.url, row.list_url, row.source) == ("p", HOST, f"{URL}a", NEWS, "list")
        assert (row.anchor, row.title, row.issued) == ("Zmiana godzin Mszy", "Zmiana", date(2026, 11, 15))
        assert mass(1) in row.text
        assert (row.topic, row.model) == ("services", "boolean")
        assert row.score >= 2
        assert row.first_seen_at == row.fetched_at == datetime(2026, 11, 16, 2, tzinfo=UTC)

    def test_what_is_not_about_the_topic_is_not_kept(self, watch: Watch) -> None:
        """C8: better none than wrong."""
        w = watch(
            {
                "/aktualnosci/": news_list(("/a", "Makulatura", "15.11.2026")),
                "/a": article("Zbieramy makulaturę na misje w garażu."),
            }
        )
        with w.server:
            report = w.round()

        assert (report.articles, w.rows) == (1, [])

    def test_a_known_article_is_never_fetched_again_and_an_unchanged_list_costs_one_conditional_request(
        self, watch: Watch
    ) -> None:
        w = watch({"/aktualnosci/": news_list(("/a", "Msza", "1.10.2026")), "/a": article(mass(1), "1.10.2026")})
        with w.server:
            w.round()
            w.round(days=30)
            second = w.asked()

        assert second == ["/aktualnosci/"]
        assert len(w.rows) == 1

    def test_nothing_is_asked_before_it_is_due(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": news_list(("/a", "Msza", "1.10.2026")), "/a": article(mass(1), "1.10.2026")})
        with w.server:
            w.round()
            due = next_due(w.state)
            w.round(days=0.2)

        assert due is not None
        assert due > w.clock.moment
        assert w.asked() == []

    def test_a_new_article_is_found_at_the_next_look(self, watch: Watch) -> None:
        w = watch(
            {"/aktualnosci/": news_list(("/a", "Msza", "1.10.2026")), "/a": article(mass(1), "1.10.2026"), "/b": article(mass(2))}
        )
        with w.server:
            w.round()
            w.server.sites[HOST]["/aktualnosci/"] = news_list(("/b", "Nowa", "15.11.2026"), ("/a", "Msza", "1.10.2026"))
            w.round(days=21)

        assert w.asked() == ["/aktualnosci/", "/b"]
        assert len(w.rows) == 2

    def test_a_young_article_that_was_corrected_is_read_again_and_what_it_no_longer_says_is_withdrawn(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": news_list(("/a", "Msza", "15.11.2026")), "/a": article(mass(1))})
        with w.server:
            w.round()
            w.server.sites[HOST]["/a"] = article(mass(2))
            w.round(days=6)

        assert [mass(2) in row.text for row in w.rows] == [True]

    def test_the_same_words_on_two_pages_are_kept_once(self, watch: Watch) -> None:
        """C4: exact copies by digest, near copies by simhash."""
        other = article(mass(1)).body.replace("<h1>", "<h1 class='x'>")  # type: ignore[union-attr,arg-type]
        w = watch(
            {
                "/aktualnosci/": news_list(("/a", "A", ""), ("/b", "B", ""), ("/c", "C", "")),
                "/a": article(mass(1)),
                "/b": article(mass(1)),
                "/c": tagged(str(other)),
            }
        )
        with w.server:
            w.round()

        assert len(w.rows) == 1

    def test_the_same_words_of_another_week_are_another_announcement(self, watch: Watch) -> None:
        """ "W piątek nie będzie Mszy" of last week and of this week speak of two Fridays."""
        w = watch(
            {
                "/aktualnosci/": news_list(("/a", "A", "8.11.2026"), ("/b", "B", "15.11.2026")),
                "/a": article(mass(1), "8.11.2026"),
                "/b": article(mass(1), "15.11.2026"),
            }
        )
        with w.server:
            w.round()

        assert [row.issued for row in w.rows] == [date(2026, 11, 8), date(2026, 11, 15)]

    def test_a_page_that_asks_not_to_be_kept_is_not_kept(self, watch: Watch) -> None:
        body = article(mass(1)).body
        hidden = Page(str(body).replace("<head>", '<head><meta name="robots" content="noindex">'))
        w = watch({"/aktualnosci/": news_list(("/a", "A", "")), "/a": hidden})
        with w.server:
            w.round()

        assert w.rows == []

    def test_announcements_in_a_pdf_file_are_read(self, watch: Watch) -> None:
        """Some parishes hang out their sheet as a PDF file and nothing else."""
        pdf = (DEMO_FOLDER / "files" / "porzadek-mszy.pdf").read_bytes()
        w = watch(
            {
                "/aktualnosci/": news_list(("/sheet.pdf", "Porządek Mszy", "15.11.2026")),
                "/sheet.pdf": Page(pdf, content_type=None),
            }
        )
        with w.server:
            w.round()
        [row] = w.rows

        assert row.url == f"{URL}sheet.pdf"
        assert row.issued == date(2026, 11, 15)

    def test_the_template_of_a_site_reads_its_fields(self, watch: Watch) -> None:
        """C7: a wrapper by XPath where one is given."""
        from dataclasses import replace

        from mass_pipeline.extraction.news import Wrapper

        body = f"<table><tr><td>Menu</td><td id=t><b>Tytuł</b><i>3.11.2026</i><p>{mass(1)}</p></td></tr></table>"
        wrapper = Wrapper(title="//td[@id='t']/b", date="//td[@id='t']/i", text="//td[@id='t']/p")
        w = watch({"/aktualnosci/": news_list(("/a", "A", "")), "/a": tagged(body)})
        with w.server:
            w.round(replace(configured(), wrapper=wrapper))
        [row] = w.rows

        assert (row.title, row.issued, row.text) == ("Tytuł", date(2026, 11, 3), mass(1))


class TestLists:
    def test_the_pager_is_followed_until_something_known_comes(self, watch: Watch) -> None:
        """J1: more is new than the first page holds."""
        pages = {f"/a{n}": article(mass(n), "1.10.2026") for n in range(8)}

        def page(*numbers: int, following: str = "") -> Page:
            older = f'<a rel="next" href="{following}">starsze</a>' if following else ""
            return news_list(*((f"/a{n}", f"Msza {n}", "1.10.2026") for n in numbers), after=older)

        w = watch({**pages, "/aktualnosci/": page(1, 0)})
        with w.server:
            w.round()
            w.server.sites[HOST] |= {
                "/aktualnosci/": page(7, 6, following="?strona=2"),
                "/aktualnosci/?strona=2": page(5, 4, following="?strona=3"),
                "/aktualnosci/?strona=3": page(3, 2, following="?strona=4"),
                "/aktualnosci/?strona=4": page(1, 0, following="?strona=5"),
            }
            w.round(days=21)

        assert [path for path in w.asked() if "aktualnosci" in path] == [
            "/aktualnosci/", "/aktualnosci/?strona=2", "/aktualnosci/?strona=3", "/aktualnosci/?strona=4",
        ]  # fmt: skip
        assert len(w.rows) == 8

    def test_a_look_that_broke_off_at_a_further_page_goes_on_there(self, watch: Watch) -> None:
        pages = {f"/a{n}": article(mass(n), "1.10.2026") for n in range(4)}
        first = news_list(("/a3", "A3", ""), after='<a rel="next" href="?strona=2">starsze</a>')
        w = watch({**pages, "/aktualnosci/": news_list(("/a0", "A0", ""))})
        with w.server:
            w.round()
            w.server.sites[HOST] |= {"/aktualnosci/": first, "/aktualnosci/?strona=2": Page(status=500)}
            w.round(days=21)
            after_failure = len(w.rows)
            w.server.sites[HOST]["/aktualnosci/?strona=2"] = news_list(("/a2", "A2", ""), ("/a1", "A1", ""), ("/a0", "A0", ""))
            w.round(days=0.1)

        assert (after_failure, len(w.rows)) == (2, 4)
        assert w.asked()[0] == "/aktualnosci/?strona=2"
        assert "http_5xx http://parafia.example/aktualnosci/?strona=2" in w.errors

    def test_pages_without_links_to_one_another_are_found_by_their_number(self, watch: Watch) -> None:
        w = watch(
            {
                "/aktualnosci/": news_list(("/a1", "A1", "")),
                "/aktualnosci/2": news_list(("/a2", "A2", "")),
                "/aktualnosci/3": Page(status=404),
                "/a1": article(mass(1)),
                "/a2": article(mass(2)),
            }
        )
        with w.server:
            w.round(configured(pages=f"{NEWS}{{page}}"), first_pager_pages=5)

        assert len(w.rows) == 2

    def test_an_xpath_names_the_links_that_count(self, watch: Watch) -> None:
        """C3: only the block that holds the news."""
        body = f"<div id=news><a href=/a>{'Msza ' * 5}</a></div><div><a href=/other>Zupełnie inna sprawa niż nowiny</a></div>"
        w = watch({"/aktualnosci/": tagged(body), "/a": article(mass(1)), "/other": article(mass(2))})
        with w.server:
            w.round(configured(xpath="//div[@id='news']//a"))

        assert w.asked() == ["/aktualnosci/", "/a"]

    def test_an_xpath_that_finds_nothing_any_more_is_an_error_with_its_remedy(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": tagged("<div id=news><a href=/a>Msza</a></div>"), "/a": article(mass(1))})
        with w.server:
            w.round(configured(xpath="//div[@id='news']//a"))
            w.server.sites[HOST]["/aktualnosci/"] = tagged("<main><a href=/b>Nowa Msza</a></main>")
            w.round(configured(xpath="//div[@id='news']//a"), days=21)

        assert f"error {NEWS} its XPath finds no link any more: compare the page with the file of sites" in w.errors

    def test_a_list_page_that_holds_the_announcements_itself_is_read_at_every_change(self, watch: Watch) -> None:
        def sheet(*numbers: int) -> Page:
            return tagged("<h1>Ogłoszenia</h1><ol>" + "".join(f"<li>{mass(n)}</li>" for n in numbers) + "</ol>")

        w = watch({"/aktualnosci/": sheet(1, 2, 3)})
        with w.server:
            w.round()
            w.server.sites[HOST]["/aktualnosci/"] = sheet(2, 3, 4)
            w.round(days=21)

        assert w.texts == sorted(map(mass, (1, 2, 3, 4)))
        assert {row.source for row in w.rows} == {"page"}

    def test_of_an_archive_only_the_newest_articles_are_fetched(self, watch: Watch) -> None:
        pages = {f"/a{n}": article(mass(n)) for n in range(6)}
        w = watch({**pages, "/aktualnosci/": news_list(*((f"/a{n}", f"A{n}", "") for n in range(6)))})
        with w.server:
            w.round(first_articles=2)
            w.round(days=21)

        assert len(w.rows) == 2

    def test_heavier_lists_are_looked_at_first(self, watch: Watch) -> None:
        """C2: groups by weight."""
        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}light"), WatchedList(f"{URL}heavy", weight=3.0)))
        w = watch({"/light": news_list(), "/heavy": news_list()})
        with w.server:
            w.round(site)

        assert w.asked() == ["/heavy", "/light"]

    def test_sites_with_heavier_lists_have_their_turn_first_then_the_longest_overdue(self, watch: Watch) -> None:
        """C2, over sites."""

        def site(name: str, weight: float) -> WatchedSite:
            return WatchedSite(
                name, f"http://{name}.example/", lists=(WatchedList(f"http://{name}.example/news", weight=weight),)
            )

        w = watch({})
        w.server.sites |= {f"{name}.example": {"/news": news_list()} for name in ("late", "light", "heavy")}
        with w.server:
            w.round(site("late", 1.0), sites_at_once=1)
            w.round(site("light", 1.0), days=1, sites_at_once=1)
            w.round(site("late", 1.0), site("light", 1.0), site("heavy", 2.0), days=40, sites_at_once=1)
        hosts = [request.host for request in w.server.requests if request.path == "/news"]

        assert hosts == ["heavy.example", "late.example", "light.example"]


class TestFeeds:
    @staticmethod
    def _feed(*numbers: int) -> Page:
        items = "".join(f"<item><title>A{n}</title><link>{URL}a{n}</link></item>" for n in numbers)
        return tagged(f"<rss><channel>{items}</channel></rss>", "application/rss+xml")

    def test_a_feed_tells_what_is_new(self, watch: Watch) -> None:
        w = watch({"/feed/": self._feed(1), "/a1": article(mass(1)), "/a2": article(mass(2))})
        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}feed/", "feed"),))
        with w.server:
            w.round(site)
            w.server.sites[HOST]["/feed/"] = self._feed(2, 1)
            w.round(site, days=21)

        assert [row.source for row in w.rows] == ["feed", "feed"]

    def test_a_feed_too_short_for_all_that_is_new_sends_the_watch_to_the_pages(self, watch: Watch) -> None:
        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}feed/", "feed", weight=2.0), WatchedList(NEWS)))
        pages = {f"/a{n}": article(mass(n), "1.10.2026") for n in range(6)}
        w = watch({**pages, "/feed/": self._feed(0), "/aktualnosci/": news_list(("/a0", "A0", ""))})
        with w.server:
            w.round(site)
            w.server.sites[HOST] |= {
                "/feed/": self._feed(5, 4),
                "/aktualnosci/": news_list(
                    ("/a5", "A5", ""), ("/a4", "A4", ""), after='<a rel="next" href="?strona=2">starsze</a>'
                ),
                "/aktualnosci/?strona=2": news_list(("/a3", "A3", ""), ("/a2", "A2", ""), ("/a1", "A1", ""), ("/a0", "A0", "")),
            }
            w.round(site, days=3)

        assert len(w.rows) == 6

    def test_a_sitemap_tells_articles_dated_since_the_last_look(self, watch: Watch) -> None:
        def sitemap(*entries: tuple[str, str]) -> Page:
            urls = "".join(f"<url><loc>{URL}{name}</loc><lastmod>{day}</lastmod></url>" for name, day in entries)
            return tagged(f"<urlset>{urls}</urlset>", "application/xml")

        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}sitemap.xml", "sitemap"),))
        w = watch({"/sitemap.xml": sitemap(("old", "2020-01-01")), "/old": article(mass(1)), "/new": article(mass(2))})
        with w.server:
            w.round(site)
            w.server.sites[HOST]["/sitemap.xml"] = sitemap(("old", "2020-01-01"), ("new", "2026-11-20"))
            w.round(site, days=21)

        assert [row.url for row in w.rows] == [f"{URL}new"]
        assert [row.source for row in w.rows] == ["sitemap"]

    def test_the_parts_of_a_sitemap_index_are_read_though_it_stays_the_same(self, watch: Watch) -> None:
        def part(*names: str) -> Page:
            urls = "".join(f"<url><loc>{URL}{name}</loc><lastmod>2026-11-30</lastmod></url>" for name in names)
            return tagged(f"<urlset>{urls}</urlset>", "application/xml")

        index = tagged(f"<sitemapindex><sitemap><loc>{URL}posts.xml</loc></sitemap></sitemapindex>", "application/xml")
        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}sitemap.xml", "sitemap"),))
        w = watch({"/sitemap.xml": index, "/posts.xml": part(), "/new": article(mass(2))})
        with w.server:
            w.round(site)
            w.server.sites[HOST]["/posts.xml"] = part("new")
            w.round(site, days=21)

        assert [row.url for row in w.rows] == [f"{URL}new"]


class TestSearching:
    def test_lists_are_found_by_themselves_with_feed_and_without_the_menu(self, watch: Watch) -> None:
        """C1, C3: no configuration; the pages of the menu are no articles."""
        places = (("/", "Start"), ("/msze", "Msze"), ("/aktualnosci/", "Aktualności"), ("/kontakt", "Kontakt"))
        menu = "<div>" + "".join(f'<a href="{path}">{name}</a>' for path, name in places) + "</div>"
        posts = "".join(f'<div><a href="/a{n}">Ogłoszenie numer {n}</a> {n}.11.2026</div>' for n in range(1, 4))
        w = watch(
            {
                "/": tagged(
                    f"<html><head><link rel=alternate type=application/rss+xml href=/feed/></head><body>{menu}<h1>Parafia</h1>"
                ),
                "/msze": tagged(f"{menu}<h1>Msze święte</h1><p>Niedziela: 8.00, 10.00, 12.00. Nowenna w środę o 17.30.</p>"),
                "/kontakt": tagged(f"{menu}<h1>Kontakt</h1><p>Kancelaria</p>"),
                "/aktualnosci/": tagged(f"{menu}<h1>Aktualności</h1>{posts}"),
                "/feed/": TestFeeds._feed(1),
                **{f"/a{n}": article(mass(n), f"{n}.11.2026") for n in range(1, 4)},
            }
        )
        with w.server:
            w.round(WatchedSite("p", URL))
        lists = sqlite3.connect(w.state / "watch.sqlite").execute("SELECT kind, url FROM lists ORDER BY list_id").fetchall()

        assert lists == [("feed", f"{URL}feed/"), ("page", NEWS)]
        assert w.texts == sorted(row.text for row in w.rows)
        assert {row.url for row in w.rows} == {f"{URL}a{n}" for n in range(1, 4)}
        assert searched_sites(w.state) == {"p"}

    def test_a_site_without_news_is_left_alone_for_weeks(self, watch: Watch) -> None:
        w = watch({"/": tagged("<h1>Parafia</h1><p>Zapraszamy.</p>")})
        with w.server:
            w.round(WatchedSite("p", URL))
            w.round(WatchedSite("p", URL), days=7)
            quiet = w.asked()
            w.round(WatchedSite("p", URL), days=24)

        assert (quiet, w.asked()) == ([], ["/"])

    def test_a_list_that_vanished_is_searched_anew(self, watch: Watch) -> None:
        start = tagged('<a href="/aktualnosci/">Aktualności</a>')
        w = watch(
            {"/": start, "/aktualnosci/": news_list(("/a", "Msza jedna", "15.11.2026"), ("/b", "Msza druga", "14.11.2026"))}
        )
        with w.server:
            w.round(WatchedSite("p", URL))
            w.server.sites[HOST] |= {
                "/": tagged('<a href="/nowosci/">Nowości</a>'),
                "/nowosci/": news_list(("/c", "Msza trzecia", "16.11.2026"), ("/d", "Msza czwarta", "14.11.2026")),
                "/c": article(mass(3)),
            }
            del w.server.sites[HOST]["/aktualnosci/"]
            w.round(WatchedSite("p", URL), days=21)
            w.round(WatchedSite("p", URL), days=1)

        assert mass(3) in " ".join(w.texts)

    def test_a_site_that_moved_to_another_host_is_followed_there(self, watch: Watch) -> None:
        w = watch({"/": Page(status=301, headers={"Location": "http://new.example/"})})
        w.server.sites["new.example"] = {
            "/": tagged('<a href="/aktualnosci/">Aktualności</a>'),
            "/aktualnosci/": news_list(("/a", "Msza jedna", "15.11.2026"), ("/b", "Msza druga", "14.11.2026")),
            "/a": article(mass(1)),
        }
        with w.server:
            w.round(WatchedSite("p", URL))
            w.server.sites["new.example"]["/aktualnosci/"] = news_list(("/c", "Nowa", "20.11.2026"), ("/a", "Msza", "15.11.2026"))
            w.server.sites["new.example"]["/c"] = article(mass(3))
            w.round(WatchedSite("p", URL), days=21)

        assert {row.url for row in w.rows} == {"http://new.example/a", "http://new.example/c"}

    def test_hosts_known_from_a_crawl_belong_to_the_site(self, watch: Watch) -> None:
        lists = (WatchedList("http://new.example/aktualnosci/", found=True),)
        site = WatchedSite("p", URL, crawled_lists=lists, crawled_hosts=("http://new.example/",))
        w = watch({})
        w.server.sites["new.example"] = {"/aktualnosci/": news_list(("/a", "A", "")), "/a": article(mass(1))}
        with w.server:
            w.round(site)

        assert [row.url for row in w.rows] == ["http://new.example/a"]

    def test_a_search_that_fails_beside_lists_that_work_is_put_off(self, watch: Watch) -> None:
        head = "<link rel=alternate type=application/rss+xml href=/feed/>"
        w = watch(
            {
                "/": tagged(f'{head}<a href="/aktualnosci/">Aktualności</a>'),
                "/aktualnosci/": news_list(("/a", "Msza jedna", "15.11.2026"), ("/b", "Msza druga", "14.11.2026")),
                "/feed/": TestFeeds._feed(1),
                "/a1": article(mass(1)),
            }
        )
        with w.server:
            w.round(WatchedSite("p", URL))
            w.server.sites[HOST]["/"] = Page(status=500)
            del w.server.sites[HOST]["/aktualnosci/"]
            w.round(WatchedSite("p", URL), days=21)
            w.round(WatchedSite("p", URL), days=0.01)

        assert w.asked() == []

    def test_the_lists_of_an_earlier_crawl_are_taken(self, watch: Watch) -> None:
        site = WatchedSite("p", URL, crawled_lists=(WatchedList(NEWS, found=True),))
        w = watch({"/aktualnosci/": news_list(("/a", "A", "")), "/a": article(mass(1))})
        with w.server:
            w.round(site)

        assert w.asked() == ["/aktualnosci/", "/a"]


class TestFailures:
    def test_a_failing_article_is_tried_again_and_its_page_stands_in_the_error_log(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": news_list(("/a", "A", "15.11.2026")), "/a": [Page(status=500), article(mass(1))]})
        with w.server:
            w.round()
            before = len(w.rows)
            w.round(days=0.1)

        assert (before, len(w.rows)) == (0, 1)
        assert f"2026-11-16T02:00:00Z http_5xx {URL}a HTTP 500" in w.errors

    def test_a_host_that_is_down_costs_its_articles_no_try_and_is_told_after_some_looks(self, watch: Watch) -> None:
        w = watch({"/robots.txt": Page(status=503), "/aktualnosci/": news_list()})
        with w.server:
            for _ in range(6):
                report = w.round(days=3, grave_after=3)

        assert report.failing == {"p": "robots.txt answered 503"}
        assert [(error.kind, error.site_id) for error in w.told] == [("site", "p")]
        assert w.errors.count(f"deferred {NEWS}") == 6

    def test_an_exception_at_a_page_is_logged_with_place_and_trace_told_and_survived(
        self, watch: Watch, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """J4: whatever a page does ends at the page."""
        from mass_pipeline.crawler.watching import turns

        real = turns.read_article

        def read(body: bytes, *, url: str, **keys: object) -> object:
            if url.endswith("/bad"):
                raise ZeroDivisionError("a page that nobody thought of")
            return real(body, url=url, **keys)  # type: ignore[arg-type]

        monkeypatch.setattr(turns, "read_article", read)
        w = watch(
            {"/aktualnosci/": news_list(("/bad", "B", ""), ("/a", "A", "")), "/bad": article(mass(2)), "/a": article(mass(1))}
        )
        with w.server:
            w.round()

        assert len(w.rows) == 1
        assert f"exception {URL}bad" in w.errors
        assert "ZeroDivisionError" in w.errors
        assert [error.kind for error in w.told] == ["unexpected"]

    def test_robots_txt_closes_a_list_quietly(self, watch: Watch) -> None:
        w = watch(
            {
                "/robots.txt": Page("User-agent: *\nDisallow: /aktualnosci/", content_type="text/plain"),
                "/aktualnosci/": news_list(),
            }
        )
        with w.server:
            w.round()

        assert w.asked() == []
        assert w.errors == ""

    def test_links_out_of_the_site_are_not_followed(self, watch: Watch) -> None:
        """J2."""
        w = watch(
            {"/aktualnosci/": news_list(("http://other.example/a", "Gdzie indziej", ""), ("/a", "A", "")), "/a": article(mass(1))}
        )
        with w.server:
            w.round()

        assert {request.host for request in w.server.requests} == {HOST}

    def test_the_progress_log_names_every_request(self, watch: Watch) -> None:
        """J5."""
        w = watch({"/aktualnosci/": news_list(("/a", "A", "")), "/a": article(mass(1))})
        with w.server:
            w.round()
        lines = (w.state / "progress.log").read_text().splitlines()

        assert lines == [f"2026-11-16T02:00:00Z ok {NEWS}", f"2026-11-16T02:00:00Z ok {URL}a"]

    def test_a_state_belongs_to_one_topic(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": news_list()})
        with w.server:
            w.round()

            with pytest.raises(StorageError, match="topic 'services'"):
                w.round(topic="education")

    def test_there_is_one_stream_of_requests_per_host(self, watch: Watch) -> None:
        """J1: several sites of one host take turns."""
        sites = [WatchedSite(f"p{n}", URL, lists=(WatchedList(f"{URL}list{n}"),)) for n in range(5)]
        pages = {f"/list{n}": Page(str(news_list((f"/a{n}", "A", "")).body), delay=0.02) for n in range(5)}
        w = watch({**pages, **{f"/a{n}": article(mass(n)) for n in range(5)}})
        with w.server:
            report = w.round(*sites)

        assert (w.server.most_in_flight[HOST], report.most_in_flight_per_host, report.early_requests) == (1, 1, 0)
        assert len(w.rows) == 5

    def test_many_sites_of_one_host_do_not_keep_others_waiting(self, watch: Watch) -> None:
        crowd = [WatchedSite(f"p{n:02}", URL, lists=(WatchedList(f"{URL}list{n}", weight=9.0),)) for n in range(30)]
        other = WatchedSite("other", "http://other.example/", lists=(WatchedList("http://other.example/news"),))
        w = watch({f"/list{n}": Page("<p>Nic</p>", delay=0.02) for n in range(30)})
        w.server.sites["other.example"] = {"/news": news_list()}
        with w.server:
            w.round(*crowd, other, sites_at_once=2)
        hosts = [request.host for request in w.server.requests if request.path.startswith(("/list", "/news"))]

        assert hosts.index("other.example") < 5
