"""A whole crawl over a loopback web: what is found, what is kept, how every URL ends."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mass_pipeline.crawling import Link, Seed, read_history, read_page
from mass_pipeline.crawling.fetching.outcomes import Outcome
from mass_pipeline.crawling.sites.frontier import best_first, breadth_first
from mass_pipeline.laboratory.orders import Order
from mass_pipeline.model.columns import CRAWLED_PAGES, OUTCOMES
from mass_pipeline_tests.crawling.loopback import Page, links
from mass_pipeline_tests.crawling.made import Crawl


class TestWhatIsFound:
    @pytest.mark.row("P5")
    def test_every_page_within_three_links_is_kept_and_no_deeper_one(self, crawl: Crawl) -> None:
        """P5."""
        site = {"/": Page(links("/1"))} | {f"/{n}": Page(links(f"/{n + 1}", text=f"page {n}")) for n in range(1, 6)}
        crawled = crawl({"a.example": site})

        assert crawled.ok == [f"http://a.example/{n}" for n in ("", 1, 2, 3)]
        assert [page.depth for page in crawled.pages] == [0, 1, 2, 3]

    @pytest.mark.row("V7")
    def test_frames_areas_base_refresh_and_broken_markup_lead_on(self, crawl: Crawl) -> None:
        """B3, V7."""
        start = (
            '<a href="ramki">r</a><iframe src=/ramka></iframe><map><area href="/mapa"></map>'
            '<meta http-equiv=refresh content="5; url=/dalej"><p><a href=/a>a<td><b><a href="/b">b</b>'
        )
        based = '<base href="/katalog/"><a href="msze">x</a>'
        site = {"/": Page(start), "/ramki": Page('<frameset><frame src="menu.html"></frameset>'), "/menu.html": Page(based)} | {
            path: Page(path) for path in ("/ramka", "/mapa", "/dalej", "/a", "/b", "/katalog/msze")
        }
        crawled = crawl({"a.example": site})

        assert len(crawled.ok) == 9

    def test_bad_links_are_passed_over_and_every_good_one_is_found(self, crawl: Crawl) -> None:
        """U7, B1."""
        bad = ["mailto:x@y.pl", "javascript:void(0)", "tel:1", "http://[", "http://a.example:99999/", "data:text/html,x"]
        crawled = crawl({"a.example": {"/": Page(links(*bad, "/dobra", "http://other.example/")), "/dobra": Page("ok")}})

        assert crawled.ok == ["http://a.example/", "http://a.example/dobra"]
        assert [page.url for page in crawled.pages] == crawled.ok

    @pytest.mark.row("P7")
    def test_records_carry_the_fields_of_p7(self, crawl: Crawl) -> None:
        crawled = crawl({"a.example": {"/": Page('<a href="/msze">Msze <b>święte</b></a>'), "/msze": Page("Niedziela 9:00")}})
        page = crawled.page("http://a.example/msze")

        assert (page.parish_id, page.depth, page.link_text, page.referrer) == ("a.example", 1, "Msze święte", "http://a.example/")
        assert (page.start_url, page.domain, page.body) == ("http://a.example/", "a.example", b"Niedziela 9:00")
        assert all(hasattr(page, column) for column in CRAWLED_PAGES.names)

    @pytest.mark.row("V3")
    def test_pages_can_be_read_by_url_and_the_history_knows_their_time(self, crawl: Crawl) -> None:
        """V3."""
        crawled = crawl({"a.example": {"/": Page("start")}})
        page = read_page(crawled.state, "http://a.example/")

        assert page is not None
        assert page.body == b"start"
        assert [(url, outcome) for _, url, outcome, _ in read_history(crawled.state)] == [("http://a.example/", "ok")]
        assert read_page(crawled.state, "http://a.example/x") is None

    def test_a_shorter_way_found_later_brings_the_pages_behind_it_within_reach(self, crawl: Crawl) -> None:
        """performance 2.4: depth-first meets /x at depth 3 first; its child is within reach over the start page."""
        site = {
            "/": Page(links("/x", "/a")),
            "/a": Page(links("/b")),
            "/b": Page(links("/x")),
            "/x": Page(links("/y")),
            "/y": Page("y"),
        }
        crawled = crawl({"a.example": site}, order=Order("depth_first"))

        assert "http://a.example/y" in crawled.ok


class TestScope:
    def test_the_host_that_the_start_url_redirects_to_belongs_to_the_site(self, crawl: Crawl) -> None:
        old = {"/": Page("", 301, headers={"Location": "http://new.example/"})}
        new = {"/": Page(links("/msze", "http://old.example/x")), "/msze": Page("9:00")}
        crawled = crawl({"old.example": old, "new.example": new})

        assert crawled.ok == ["http://new.example/", "http://new.example/msze"]
        assert crawled.page("http://old.example/").final_url == "http://new.example/"
        assert crawled.report.sites[0].outcome == "ok"

    @pytest.mark.row("P5")
    def test_a_later_redirect_to_another_host_is_not_followed(self, crawl: Crawl) -> None:
        site = {"/": Page(links("/out")), "/out": Page("", 302, headers={"Location": "http://b.example/"})}
        crawled = crawl({"a.example": site, "b.example": {"/": Page("b")}})

        assert crawled.outcome("http://a.example/out") == "redirect"
        assert crawled.server.paths("b.example") == []

    def test_www_and_the_bare_host_are_one_site_asked_under_one_name(self, crawl: Crawl) -> None:
        bare = {"/": Page("", 301, headers={"Location": "http://www.a.example/"})}
        full = {"/": Page(links("http://a.example/msze", "/msze")), "/msze": Page("9:00")}
        crawled = crawl({"a.example": bare, "www.a.example": full})

        assert crawled.ok == ["http://www.a.example/", "http://www.a.example/msze"]
        assert crawled.server.paths("a.example") == ["/robots.txt", "/"]

    def test_parishes_on_one_host_keep_to_their_paths(self, crawl: Crawl) -> None:
        site = {
            "/anna/": Page(links("/anna/msze", "/jan/", "/")),
            "/anna/msze": Page("9:00"),
            "/jan/": Page(links("/jan/msze", "/anna/msze")),
            "/jan/msze": Page("10:00"),
        }
        seeds = [Seed("anna", "http://portal.example/anna/", "/anna/"), Seed("jan", "http://portal.example/jan/", "/jan/")]
        crawled = crawl({"portal.example": site}, *seeds)

        assert [(page.parish_id, page.url) for page in crawled.pages if page.outcome == "ok"] == [
            ("anna", "http://portal.example/anna/"),
            ("anna", "http://portal.example/anna/msze"),
            ("jan", "http://portal.example/jan/"),
            ("jan", "http://portal.example/jan/msze"),
        ]
        assert crawled.server.most_in_flight["portal.example"] == 1

    def test_a_page_that_two_parishes_ask_for_is_fetched_once(self, crawl: Crawl) -> None:
        site = {"/": Page(links("/msze")), "/msze": Page("9:00"), "/b": Page(links("/msze"))}
        crawled = crawl({"a.example": site}, Seed("one", "http://a.example/"), Seed("two", "http://a.example/b"))

        assert crawled.server.paths().count("/msze") == 1

    def test_blacklisted_domains_are_never_asked(self, crawl: Crawl) -> None:
        crawled = crawl({"pl-pl.facebook.com": {"/": Page("x")}})

        assert crawled.server.requests == []
        assert crawled.report.sites[0].outcome == "out_of_scope"


class TestRobots:
    @pytest.mark.row("V5")
    def test_disallowed_pages_are_not_asked_and_robots_txt_is_asked_once(self, crawl: Crawl) -> None:
        robots = Page("User-agent: *\nDisallow: /tajne", content_type="text/plain")
        site = {"/robots.txt": robots, "/": Page(links("/tajne/x", "/jawne")), "/jawne": Page("ok"), "/tajne/x": Page("no")}
        crawled = crawl({"a.example": site})

        assert crawled.server.paths() == ["/robots.txt", "/", "/jawne"]
        assert crawled.outcome("http://a.example/tajne/x") == "forbidden_by_robots"

    def test_noindex_keeps_no_text_and_nofollow_no_links(self, crawl: Crawl) -> None:
        """P11."""
        site = {
            "/": Page(links("/n", "/h", "/f", "/reserved", "/f2") + '<a rel="nofollow" href="/r">r</a>'),
            "/n": Page('<meta name="ROBOTS" content="NoIndex"><a href="/behind">x</a>'),
            "/h": Page("secret", headers={"X-Robots-Tag": "none"}),
            "/f": Page('<meta name=robots content="nofollow"><a href="/never">x</a>'),
            "/behind": Page("b"),
            "/reserved": Page("r", headers={"tdm-reservation": "1"}),
            "/never": Page("n"),
            "/r": Page("r"),
        }
        site["/f2"] = Page('<meta name="robots" content="noarchive">x')
        crawled = crawl({"a.example": site})

        assert [crawled.outcome(f"http://a.example/{name}") for name in "nhf"] == ["noindex", "noindex", "ok"]
        assert crawled.outcome("http://a.example/reserved") == crawled.outcome("http://a.example/f2") == "noindex"
        assert crawled.page("http://a.example/n").body is None
        assert crawled.outcome("http://a.example/behind") == "ok"
        assert "/never" not in crawled.server.paths()
        assert "/r" not in crawled.server.paths()


class TestOutcomes:
    def test_the_closed_list_is_the_one_of_the_table(self) -> None:
        assert {outcome.value for outcome in Outcome} == set(OUTCOMES)

    @pytest.mark.row("V4")
    def test_every_kind_of_answer_has_its_outcome(self, crawl: Crawl) -> None:
        names = ("gone", "closed", "broken", "image", "loop", "big", "same1", "same2", "empty", "paused")
        site = {
            "/": Page(links(*(f"/{name}" for name in names), "/plik.zip")),
            "/gone": Page("", 410),
            "/closed": Page("", 403),
            "/broken": Page("", 500),
            "/image": Page(b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(5000), content_type="text/html"),
            "/loop": Page("", 302, headers={"Location": "/loop"}),
            "/big": Page("9:00 " + "x" * 40_000),
            "/same1": Page("the same"),
            "/same2": Page("the same"),
            "/empty": Page(""),
            "/paused": Page("", 204),
        }
        crawled = crawl({"a.example": site}, max_body_bytes=20_000)
        outcomes = {name: crawled.outcome(f"http://a.example/{name}") for name in names}

        assert outcomes == {
            "gone": "http_4xx", "closed": "refused", "broken": "http_5xx", "image": "not_text", "loop": "redirect",
            "big": "truncated", "same1": "ok", "same2": "duplicate", "empty": "ok", "paused": "protocol_error",
        }  # fmt: skip
        assert crawled.page("http://a.example/big").truncated
        assert len(crawled.page("http://a.example/big").body or b"") == 20_000
        assert sum(crawled.report.outcomes.values()) == len(crawled.pages)

    def test_a_page_that_recovers_is_asked_again(self, crawl: Crawl) -> None:
        """P2."""
        crawled = crawl({"a.example": {"/": [Page("", 500), Page("", 503), Page("Msze 9:00")]}})

        assert crawled.ok == ["http://a.example/"]

    def test_a_host_that_refuses_connections_ends_as_refused(self, crawl: Crawl) -> None:
        crawled = crawl({"a.example": {}}, Seed("gone", "http://127.0.0.1:1/"))

        assert crawled.report.sites[0].outcome == "refused"

    def test_an_unexpected_exception_ends_at_the_page(self, crawl: Crawl) -> None:
        """J4: it is logged with time, place and traceback, and the crawl goes on."""

        class Faulty:
            def score(self, link: Link) -> float:
                if link.url.endswith("/a"):
                    raise RuntimeError("scorer broke")
                return 0.0

        sites = {"a.example": {"/": Page(links("/b", "/a")), "/a": Page("a"), "/b": Page("b")}, "b.example": {"/": Page("fine")}}
        seeds = [Seed("a", "http://a.example/"), Seed("b", "http://b.example/")]
        crawled = crawl(sites, *seeds, order=lambda config, site: breadth_first(Faulty()))

        assert crawled.report.outcomes == {"error": 1, "ok": 2}
        assert "scorer broke" in (crawled.state / "errors.log").read_text()
        assert "http://b.example/" in (crawled.state / "progress.log").read_text()


class TestTraps:
    @pytest.mark.row("V2")
    def test_an_endless_maze_ends_at_the_page_budget_with_the_schedule_among_its_pages(self, crawl: Crawl) -> None:
        """L1."""
        site = {
            f"/labirynt/{n}": Page(links(*(f"/labirynt/{n * 3 + i}" for i in range(1, 4)), text=f"sala {n} " * n))
            for n in range(200)
        }
        site |= {"/": Page(links("/labirynt/0", "/porzadek-mszy")), "/porzadek-mszy": Page("Niedziela: 9:00")}
        crawled = crawl({"a.example": site}, max_pages_per_site=15, max_depth=20)

        assert len(crawled.ok) == 15
        assert "http://a.example/porzadek-mszy" in crawled.ok

    def test_a_calendar_spends_its_own_budget_and_not_that_of_the_site(self, crawl: Crawl) -> None:
        months = [f"/kalendarz/{year}-{month:02}" for year in range(1970, 2100) for month in range(1, 13)]
        site = {path: Page(links(following, text=f"miesiąc {path}")) for path, following in pairwise(months)}
        site |= {"/": Page(links(months[0], "/msze")), "/msze": Page("9:00")}
        crawled = crawl({"a.example": site}, max_depth=20, max_dated_pages_per_site=5)

        assert len(crawled.ok) == 7

    @pytest.mark.parametrize(
        "href", ["/a/b/a/b/a/b/", "/x/" + "y" * 300, "/foo/foo/foo/", "/" + "/".join("abcdefghijklmnopqrstuvwxyz")]
    )
    @pytest.mark.row("V6")
    def test_addresses_that_look_like_traps_are_not_asked(self, crawl: Crawl, href: str) -> None:
        crawled = crawl({"a.example": {"/": Page(links(href)), href: Page("trap")}})

        assert crawled.server.paths() == ["/robots.txt", "/"]
        assert crawled.ok == ["http://a.example/"]

    def test_a_series_that_repeats_itself_is_closed(self, crawl: Crawl) -> None:
        """C4."""
        words = " ".join(f"słowo{n}" for n in range(400))
        site = {f"/p{n}": Page(links(f"/p{n + 1}", text=f"{words} {n}")) for n in range(100)}
        crawled = crawl({"a.example": site | {"/": Page(links("/p0"))}}, max_depth=20, max_pages_per_site=200)
        wide = crawl(
            {
                "b.example": {"/": Page(links(*(f"/p{n}" for n in range(100))))}
                | {f"/p{n}": Page(f"{words} {n}") for n in range(100)}
            },
            state="wide",
            max_pages_per_site=200,
        )

        assert len(crawled.ok) == 21
        assert 30 <= len(wide.ok) < 40

    @pytest.mark.row("P5")
    def test_what_budget_and_series_leave_out_is_told_and_no_page_of_masses_or_announcements_is(self, crawl: Crawl) -> None:
        """120 pages that differ in one number each, once as pictures, once as announcements."""
        words = " ".join(f"słowo{n}" for n in range(400))
        anchors = "".join(f'<a href="/id/{n}">{name} {n}</a>' for n, name in enumerate(["Zdjęcie"] * 120))
        series = {f"/id/{n}": Page(f"{words} {n}") for n in range(120)}
        pictures = {"/": Page(anchors), **series}
        sheets = {"/": Page(anchors.replace("Zdjęcie", "Ogłoszenia")), **series}
        seeds = [Seed(name, f"http://{name}.example/") for name in ("few", "pictures", "sheets")]
        crawled = crawl({"pictures.example": pictures, "sheets.example": sheets}, *seeds[1:], max_pages_per_site=200)
        few = crawl({"few.example": sheets}, seeds[0], state="few", max_pages_per_site=50)
        left_out = {site.parish_id: dict(site.left_out) for site in (*crawled.report.sites, *few.report.sites)}

        assert left_out["pictures"].keys() == {"its series repeats itself"}
        assert left_out["pictures"]["its series repeats itself"] + len([url for url in crawled.ok if "pictures" in url]) == 121
        assert left_out["sheets"] == {}
        assert left_out["few"] == {"page budget of the site is spent": 71}

    def test_a_calendar_of_equal_days_is_closed_after_ten_copies(self, crawl: Crawl) -> None:
        days = [f"/kalendarz.php?rok=2026&miesiac=11&dzien={day}" for day in range(1, 31)]
        site = {day: Page("brak wydarzeń") for day in days} | {"/": Page(links(*days, "/msze")), "/msze": Page("9:00")}
        crawled = crawl({"a.example": site})

        assert len(crawled.server.paths()) == len(["/robots.txt", "/", "/msze"]) + 1 + 10
        assert "http://a.example/msze" in crawled.ok

    def test_session_ids_make_no_new_pages(self, crawl: Crawl) -> None:
        hrefs = [f"/msze?PHPSESSID={n:032x}" for n in range(50)]
        crawled = crawl({"a.example": {"/": Page(links(*hrefs)), "/msze": Page("9:00")}})

        assert crawled.ok == ["http://a.example/", "http://a.example/msze"]


@pytest.mark.row("V9")
class TestStrategies:
    SITE = {"/": Page(links("/a", "/b", "/c"))} | {
        f"/{name}": Page(links(f"/{name}1", f"/{name}2")) for name in "abc"
    } | {f"/{name}{n}": Page(f"{name}{n}") for name in "abc" for n in (1, 2)}  # fmt: skip

    def order(self, crawl: Crawl, strategy: str) -> list[str]:
        return crawl({"a.example": self.SITE}, order=Order(strategy), state=strategy).server.paths()[1:]

    def test_breadth_first_takes_level_after_level(self, crawl: Crawl) -> None:
        assert [len(path) for path in self.order(crawl, "breadth_first")] == [1, 2, 2, 2, 3, 3, 3, 3, 3, 3]

    def test_depth_first_finishes_a_branch_before_the_next(self, crawl: Crawl) -> None:
        assert [path[1:2] for path in self.order(crawl, "depth_first")[1:]] == ["a"] * 3 + ["b"] * 3 + ["c"] * 3

    def test_random_order_depends_on_the_seed_alone(self, crawl: Crawl) -> None:
        one, two = (crawl({"a.example": self.SITE}, order=Order("random", seed=7), state=f"r{n}").server.paths() for n in (1, 2))

        assert one == two
        assert sorted(one) == sorted(["/robots.txt", *self.SITE])

    def test_best_first_follows_a_plugged_in_scorer(self, crawl: Crawl) -> None:
        class LikesC:
            def score(self, link: Link) -> float:
                return float("c" in link.url.rsplit("/", 1)[1])

        crawled = crawl({"a.example": self.SITE}, order=lambda config, site: best_first(LikesC()))

        assert crawled.asked[1:5] == ["/", "/c", "/c1", "/c2"]
