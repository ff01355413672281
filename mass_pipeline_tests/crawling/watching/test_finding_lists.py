"""Lists, feeds and the search for them: what of a site is watched at all."""

from __future__ import annotations

import sqlite3

import pytest

from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.crawling.watching.store import searched_sites
from mass_pipeline_tests.crawling.loopback import Page, tagged
from mass_pipeline_tests.crawling.watching.conftest import HOST, NEWS, URL, Watch, article, configured, mass, news_list


class TestLists:
    @pytest.mark.row("J1")
    def test_the_pager_is_followed_until_something_known_comes(self, watch: Watch) -> None:
        """J1: more is new than the first page holds."""
        pages = {f"/a{n}": article(mass(n), "1.10.2026") for n in range(8)}

        def page(*numbers: int, following: str = "") -> Page:
            older = f'<a rel="next" href="{following}">starsze</a>' if following else ""
            return news_list(*((f"/a{n}", f"Msza {n}", "1.10.2026") for n in numbers), after=older)

        w = watch({**pages, "/aktualnosci/": page(1, 0)})
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
        w.round()
        w.server.sites[HOST] |= {"/aktualnosci/": first, "/aktualnosci/?strona=2": Page(status=500)}
        w.round(days=21)
        after_failure = len(w.rows)
        w.server.sites[HOST]["/aktualnosci/?strona=2"] = news_list(("/a2", "A2", ""), ("/a1", "A1", ""), ("/a0", "A0", ""))
        w.round(days=0.1)

        assert (after_failure, len(w.rows)) == (2, 4)
        assert w.asked()[0] == "/aktualnosci/?strona=2"
        assert "http_5xx http://parafia.example/aktualnosci/?strona=2" in w.errors

    @pytest.mark.row("J1")
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
        w.round(configured(pages=f"{NEWS}{{page}}"), first_pager_pages=5)

        assert len(w.rows) == 2

    @pytest.mark.row("C3")
    def test_an_xpath_names_the_links_that_count(self, watch: Watch) -> None:
        """C3: only the block that holds the news."""
        body = f"<div id=news><a href=/a>{'Msza ' * 5}</a></div><div><a href=/other>Zupełnie inna sprawa niż nowiny</a></div>"
        w = watch({"/aktualnosci/": tagged(body), "/a": article(mass(1)), "/other": article(mass(2))})
        w.round(configured(xpath="//div[@id='news']//a"))

        assert w.asked() == ["/aktualnosci/", "/a"]

    def test_an_xpath_that_finds_nothing_any_more_is_an_error_with_its_remedy(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": tagged("<div id=news><a href=/a>Msza</a></div>"), "/a": article(mass(1))})
        w.round(configured(xpath="//div[@id='news']//a"))
        w.server.sites[HOST]["/aktualnosci/"] = tagged("<main><a href=/b>Nowa Msza</a></main>")
        w.round(configured(xpath="//div[@id='news']//a"), days=21)

        assert f"error {NEWS} its XPath finds no link any more: compare the page with the file of sites" in w.errors

    def test_a_list_page_that_holds_the_announcements_itself_is_read_at_every_change(self, watch: Watch) -> None:
        def sheet(*numbers: int) -> Page:
            return tagged("<h1>Ogłoszenia</h1><ol>" + "".join(f"<li>{mass(n)}</li>" for n in numbers) + "</ol>")

        w = watch({"/aktualnosci/": sheet(1, 2, 3)})
        w.round()
        w.server.sites[HOST]["/aktualnosci/"] = sheet(2, 3, 4)
        w.round(days=21)

        assert w.texts == sorted(map(mass, (1, 2, 3, 4)))
        assert {row.source for row in w.rows} == {"page"}

    def test_of_an_archive_only_the_newest_articles_are_fetched(self, watch: Watch) -> None:
        pages = {f"/a{n}": article(mass(n)) for n in range(6)}
        w = watch({**pages, "/aktualnosci/": news_list(*((f"/a{n}", f"A{n}", "") for n in range(6)))})
        w.round(first_articles=2)
        w.round(days=21)

        assert len(w.rows) == 2

    @pytest.mark.row("C2", "C1")
    def test_heavier_lists_are_looked_at_first(self, watch: Watch) -> None:
        """C2: groups by weight."""
        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}light"), WatchedList(f"{URL}heavy", weight=3.0)))
        w = watch({"/light": news_list(), "/heavy": news_list()})
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
        w.round(site("late", 1.0), sites_at_once=1)
        w.round(site("light", 1.0), days=1, sites_at_once=1)
        w.round(site("heavy", 2.0), days=20, sites_at_once=1)  # overdue for the shortest time
        w.round(site("late", 1.0), site("light", 1.0), site("heavy", 2.0), days=60, sites_at_once=1)
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
        w.round(site)
        w.server.sites[HOST]["/feed/"] = self._feed(2, 1)
        w.round(site, days=21)

        assert [row.source for row in w.rows] == ["feed", "feed"]

    def test_a_feed_too_short_for_all_that_is_new_sends_the_watch_to_the_pages(self, watch: Watch) -> None:
        site = WatchedSite("p", URL, lists=(WatchedList(f"{URL}feed/", "feed", weight=2.0), WatchedList(NEWS)))
        pages = {f"/a{n}": article(mass(n), "1.10.2026") for n in range(6)}
        w = watch({**pages, "/feed/": self._feed(0), "/aktualnosci/": news_list(("/a0", "A0", ""))})
        w.round(site)
        w.server.sites[HOST] |= {
            "/feed/": self._feed(5, 4),
            "/aktualnosci/": news_list(("/a5", "A5", ""), ("/a4", "A4", ""), after='<a rel="next" href="?strona=2">starsze</a>'),
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
        w.round(site)
        w.server.sites[HOST]["/posts.xml"] = part("new")
        w.round(site, days=21)

        assert [row.url for row in w.rows] == [f"{URL}new"]


class TestSearching:
    @pytest.mark.row("C3")
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
        w.round(WatchedSite("p", URL))
        lists = sqlite3.connect(w.state / "watch.sqlite").execute("SELECT kind, url FROM lists ORDER BY list_id").fetchall()

        assert lists == [("feed", f"{URL}feed/"), ("page", NEWS)]
        assert w.texts == sorted(row.text for row in w.rows)
        assert {row.url for row in w.rows} == {f"{URL}a{n}" for n in range(1, 4)}
        assert searched_sites(w.state) == {"p"}

    def test_a_list_with_a_single_entry_is_a_list_where_its_name_says_so(self, watch: Watch) -> None:
        """J6: the second entry would be noticed weeks later otherwise."""
        menu = "<nav><a href=/>Start</a><a href=/historia>Historia</a><a href=/aktualnosci>Aktualności</a></nav>"
        w = watch(
            {
                "/": tagged(f"{menu}<p>Witamy"),
                "/historia": tagged(f"{menu}<h1>Historia</h1><p>Kościół z 1904 roku, <a href=/galeria>galeria zdjęć parafii</a>"),
                "/galeria": tagged(f"{menu}<p>Zdjęcia"),
                "/aktualnosci": tagged(f"{menu}<h1>Aktualności</h1><p>1.10.2026 <a href=/a1>Msza święta w niedzielę</a>"),
                "/a1": article(mass(1), "1.10.2026"),
            }
        )
        w.round(WatchedSite("p", URL))

        assert len(w.rows) == 1

    def test_a_site_without_news_is_left_alone_for_weeks(self, watch: Watch) -> None:
        w = watch({"/": tagged("<h1>Parafia</h1><p>Zapraszamy.</p>")})
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
        w.round(WatchedSite("p", URL))
        w.server.sites[HOST]["/"] = Page(status=500)
        del w.server.sites[HOST]["/aktualnosci/"]
        w.round(WatchedSite("p", URL), days=21)
        w.round(WatchedSite("p", URL), days=0.01)

        assert w.asked() == []
