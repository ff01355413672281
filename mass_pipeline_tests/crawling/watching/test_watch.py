"""Watching a site over days: what is new is fetched once, what fails is tried again, nothing is lost or repeated."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling.state.schema import WATCH_FILE
from mass_pipeline.crawling.watching import site_visit
from mass_pipeline.crawling.watching.articles import Article
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.crawling.watching.store import keep_readings, next_due
from mass_pipeline.demo_web.source import DEMO_FOLDER
from mass_pipeline.guard import TooCostly
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.crawling.loopback import Page, tagged
from mass_pipeline_tests.crawling.watching.conftest import HOST, NEWS, URL, Watch, article, configured, listed, mass, news_list


class TestArticles:
    @pytest.mark.row("J1", "C6", "V12")
    def test_an_article_of_a_list_becomes_a_record_with_everything_asked_for(self, watch: Watch) -> None:
        """C6: source site, address, anchor, title, day, text, model and score, moments."""
        w = watch(
            {"/aktualnosci/": news_list(("/a", "Zmiana godzin Mszy", "15.11.2026")), "/a": article(mass(1), title="Zmiana")}
        )
        report = w.round()
        [row] = w.rows

        assert (report.looks, report.articles, report.new_announcements) == (1, 1, 1)
        assert (row.site_id, row.site, row.url, row.list_url, row.source) == ("p", HOST, f"{URL}a", NEWS, "list")
        assert (row.anchor, row.title, row.issued) == ("Zmiana godzin Mszy", "Zmiana", date(2026, 11, 15))
        assert mass(1) in row.text
        assert (row.topic, row.model) == ("services", "boolean")
        assert row.score >= 2
        assert row.first_seen_at == row.fetched_at == datetime(2026, 11, 16, 2, tzinfo=UTC)

    @pytest.mark.row("C8")
    def test_what_is_not_about_the_topic_is_not_kept(self, watch: Watch) -> None:
        """C8: better none than wrong."""
        w = watch(listed("15.11.2026", a=article("Zbieramy makulaturę na misje w garażu.")))
        report = w.round()

        assert (report.articles, w.rows) == (1, [])

    @pytest.mark.row("J3", "C4")
    def test_a_known_article_is_never_fetched_again_and_an_unchanged_list_costs_one_conditional_request(
        self, watch: Watch
    ) -> None:
        w = watch(listed("1.10.2026", a=article(mass(1), "1.10.2026")))
        w.round()
        w.round(days=30)
        second = w.asked()

        assert second == ["/aktualnosci/"]
        assert len(w.rows) == 1

    @pytest.mark.row("C1")
    def test_nothing_is_asked_before_it_is_due(self, watch: Watch) -> None:
        w = watch(listed("1.10.2026", a=article(mass(1), "1.10.2026")))
        w.round()
        due = next_due(w.state)
        w.round(days=0.04)

        assert due is not None
        assert due > w.clock.moment
        assert w.asked() == []

        w.round(days=0.05)  # an hour after the first look

        assert w.asked() == ["/aktualnosci/"]

    @pytest.mark.row("J6")
    def test_a_new_article_is_found_at_the_next_look(self, watch: Watch) -> None:
        w = watch(
            {"/aktualnosci/": news_list(("/a", "Msza", "1.10.2026")), "/a": article(mass(1), "1.10.2026"), "/b": article(mass(2))}
        )
        w.round()
        w.server.sites[HOST]["/aktualnosci/"] = news_list(("/b", "Nowa", "15.11.2026"), ("/a", "Msza", "1.10.2026"))
        w.round(days=21)

        assert w.asked() == ["/aktualnosci/", "/b"]
        assert len(w.rows) == 2

    def test_a_young_article_that_was_corrected_is_read_again_and_what_it_no_longer_says_is_withdrawn(self, watch: Watch) -> None:
        w = watch(listed("15.11.2026", a=article(mass(1))))
        w.round()
        w.server.sites[HOST]["/a"] = article(mass(2))
        w.round(days=6)

        assert [mass(2) in row.text for row in w.rows] == [True]

    @pytest.mark.row("C4")
    def test_the_same_words_on_two_pages_are_kept_once(self, watch: Watch) -> None:
        """C4: exact copies by digest, near copies by simhash."""
        other = article(mass(1)).body.replace("<h1>", "<h1 class='x'>")  # type: ignore[union-attr,arg-type]
        w = watch(listed(a=article(mass(1)), b=article(mass(1)), c=tagged(str(other))))
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
        w.round()

        assert [row.issued for row in w.rows] == [date(2026, 11, 8), date(2026, 11, 15)]

    def test_a_page_that_asks_not_to_be_kept_is_not_kept(self, watch: Watch) -> None:
        body = article(mass(1)).body
        hidden = Page(str(body).replace("<head>", '<head><meta name="robots" content="noindex">'))
        w = watch(listed(a=hidden))
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
        w.round()
        [row] = w.rows

        assert row.url == f"{URL}sheet.pdf"
        assert row.issued == date(2026, 11, 15)

    @pytest.mark.row("C7")
    def test_the_template_of_a_site_reads_its_fields(self, watch: Watch) -> None:
        """C7: a wrapper by XPath where one is given."""
        from dataclasses import replace

        from mass_pipeline.model.document import Wrapper

        body = f"<table><tr><td>Menu</td><td id=t><b>Tytuł</b><i>3.11.2026</i><p>{mass(1)}</p></td></tr></table>"
        wrapper = Wrapper(title="//td[@id='t']/b", date="//td[@id='t']/i", text="//td[@id='t']/p")
        w = watch(listed(a=tagged(body)))
        w.round(replace(configured(), wrapper=wrapper))
        [row] = w.rows

        assert (row.title, row.issued, row.text) == ("Tytuł", date(2026, 11, 3), mass(1))


class TestFailures:
    def test_a_failing_article_is_tried_again_and_its_page_stands_in_the_error_log(self, watch: Watch) -> None:
        w = watch(listed("15.11.2026", a=[Page(status=500), article(mass(1))]))
        w.round()
        before = len(w.rows)
        w.round(days=0.1)

        assert (before, len(w.rows)) == (0, 1)
        assert f"2026-11-16T02:00:00Z http_5xx {URL}a HTTP 500" in w.errors

    def test_a_host_that_is_down_costs_its_articles_no_try_and_is_told_after_some_looks(self, watch: Watch) -> None:
        w = watch({"/robots.txt": Page(status=503), "/aktualnosci/": news_list()})
        for _ in range(6):
            report = w.round(days=3, grave_after=3)

        assert report.failing == {"p": "robots.txt answered 503"}
        assert [(error.kind, error.site_id) for error in w.told] == [("site", "p")]
        assert w.errors.count(f"deferred {NEWS}") == 6

    def test_a_host_that_asks_for_rest_costs_the_articles_that_wait_no_try(self, watch: Watch) -> None:
        w = watch(listed(a=Page("", 503, headers={"Retry-After": "3600"}), b=article(mass(1))))
        w.round()
        with closing(sqlite3.connect(w.state / WATCH_FILE)) as state:
            tries = dict(state.execute("SELECT url, attempts FROM articles"))

        assert tries == {f"{URL}a": 1, f"{URL}b": 0}

    @pytest.mark.row("J4")
    def test_an_exception_at_a_page_is_logged_with_place_and_trace_told_and_survived(self, watch: Watch) -> None:
        """J4: whatever a page does ends at the page."""

        def read(body: bytes, *, url: str, **keys: Any) -> Article:
            if url.endswith("/bad"):
                raise ZeroDivisionError("a page that nobody thought of")
            return read_article(body, url=url, **keys)

        w = watch(listed(bad=article(mass(2)), a=article(mass(1))))
        w.read_article = read
        w.round()

        assert len(w.rows) == 1
        assert f"exception {URL}bad" in w.errors
        assert "ZeroDivisionError" in w.errors
        assert [error.kind for error in w.told] == ["unexpected"]

    def test_an_article_whose_reading_is_ended_costs_itself_alone(self, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:

        real = site_visit.parsed_aside

        async def end_bad_ones(parse: Callable[[bytes], object], body: bytes) -> object:
            if b"Zbyt drogie" in body:
                raise TooCostly("cpu", 20, len(body))
            return await real(parse, body)

        monkeypatch.setattr(site_visit, "parsed_aside", end_bad_ones)
        bad = article(mass(2), title="Zbyt drogie")
        w = watch(listed(bad=bad, a=article(mass(1))))
        w.round()
        w.clock.moment += timedelta(days=30)
        w.round()

        assert len(w.rows) == 1
        assert f"error {URL}bad too_costly: over 20 s of CPU for " in w.errors
        assert w.told == []
        assert "/bad" not in w.asked()

    def test_robots_txt_closes_a_list_quietly(self, watch: Watch) -> None:
        w = watch(
            {
                "/robots.txt": Page("User-agent: *\nDisallow: /aktualnosci/", content_type="text/plain"),
                "/aktualnosci/": news_list(),
            }
        )
        w.round()

        assert w.asked() == []
        assert w.errors == ""

    @pytest.mark.row("J2")
    def test_links_out_of_the_site_are_not_followed(self, watch: Watch) -> None:
        """J2."""
        w = watch(
            {"/aktualnosci/": news_list(("http://other.example/a", "Gdzie indziej", ""), ("/a", "A", "")), "/a": article(mass(1))}
        )
        w.round()

        assert {request.host for request in w.server.requests} == {HOST}

    @pytest.mark.row("J5")
    def test_the_progress_log_names_every_request(self, watch: Watch) -> None:
        """J5."""
        w = watch(listed(a=article(mass(1))))
        w.round()
        lines = (w.state / "progress.log").read_text().splitlines()

        assert lines == [f"2026-11-16T02:00:00Z ok {NEWS}", f"2026-11-16T02:00:00Z ok {URL}a"]

    def test_a_state_belongs_to_one_topic(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": news_list()})
        w.round()

        with pytest.raises(StorageError, match="topic 'services'"):
            w.round(topic="education")

    @pytest.mark.row("J1")
    def test_there_is_one_stream_of_requests_per_host(self, watch: Watch) -> None:
        """J1: several sites of one host take turns."""
        sites = [WatchedSite(f"p{n}", URL, lists=(WatchedList(f"{URL}list{n}"),)) for n in range(5)]
        pages = {f"/list{n}": Page(str(news_list((f"/a{n}", "A", "")).body), delay=0.02) for n in range(5)}
        w = watch({**pages, **{f"/a{n}": article(mass(n)) for n in range(5)}})
        report = w.round(*sites)

        assert (w.server.most_in_flight[HOST], report.most_in_flight_per_host, report.early_requests) == (1, 1, 0)
        assert len(w.rows) == 5

    def test_many_sites_of_one_host_do_not_keep_others_waiting(self, watch: Watch) -> None:
        crowd = [WatchedSite(f"p{n:02}", URL, lists=(WatchedList(f"{URL}list{n}", weight=9.0),)) for n in range(30)]
        other = WatchedSite("other", "http://other.example/", lists=(WatchedList("http://other.example/news"),))
        w = watch({f"/list{n}": Page("<p>Nic</p>", delay=0.02) for n in range(30)})
        w.server.sites["other.example"] = {"/news": news_list()}
        w.round(*crowd, other, sites_at_once=2)
        hosts = [request.host for request in w.server.requests if request.path.startswith(("/list", "/news"))]

        assert hosts.index("other.example") < 5


class TestReadings:
    def test_are_kept_with_their_announcement_as_long_as_it_says_the_same(self, watch: Watch) -> None:
        w = watch({"/aktualnosci/": news_list(("/1", "Nowina", "15.11.2026")), "/1": article(mass(1))})
        w.round()
        (row,) = w.rows
        keep_readings(w.state, "services", {row.announcement_id: "read"})
        w.round(days=30)

        assert [one.reading for one in w.rows] == ["read"]
        assert row.reading == ""
