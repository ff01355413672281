"""A crawl that ends when the schedule was found twice, and takes it up again when something changed."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from mass_pipeline.crawl_readers.stop_rule import ScheduleFoundTwice
from mass_pipeline.crawling import CrawlReport, Seed
from mass_pipeline_tests.crawling.loopback import Page
from mass_pipeline_tests.crawling.made import crawled, page

LIST = "<h1>Msze święte</h1><p>Niedziele i święta: 8.00, 10.30, 12.00</p><p>Dni powszednie: 7.00, 18.00</p>"
TABLE = "<h2>Porządek Mszy św.</h2><p>niedziela - 8:00, 10:30, 12:00<br>w tygodniu - 7:00 i 18:00</p>"
OTHER = "<h2>Porządek Mszy św.</h2><p>niedziela - 9:00, 11:00<br>w tygodniu - 17:00</p>"
SUNDAY = "<h2>Porządek Mszy św.</h2><p>niedziela - 8:00, 10:30, 12:00</p>"


def rule_after(*markups: str) -> str:
    rule = ScheduleFoundTwice()
    for number, markup in enumerate(markups):
        rule.observe(page(f"/{number}", markup))
    return rule.reason


class TestScheduleFoundTwice:
    def test_two_pages_that_state_the_same_week_in_their_own_words_are_enough(self) -> None:
        assert rule_after(LIST, "<p>Historia</p>", TABLE) == "schedule found twice"

    def test_one_page_is_not(self) -> None:
        assert rule_after(LIST) == ""

    def test_two_pages_that_disagree_are_not(self) -> None:
        assert rule_after(LIST, OTHER) == ""

    def test_the_same_block_on_every_page_states_it_once(self) -> None:
        assert rule_after(LIST, f"<p>Galeria</p>{LIST}", f"<p>Historia</p>{LIST}") == ""

    def test_a_summary_of_sunday_alone_confirms_nothing(self) -> None:
        assert rule_after(SUNDAY, SUNDAY.replace("niedziela", "w niedziele")) == ""

    def test_a_page_that_changes_its_mind_takes_its_word_back(self) -> None:
        rule = ScheduleFoundTwice()
        rule.observe(page("/a", LIST))
        rule.observe(page("/b", TABLE))
        rule.observe(page("/b", OTHER))

        assert rule.reason == ""

    def test_bytes_that_are_no_page_say_nothing(self) -> None:
        assert rule_after("", "\0\1\2", "<" * 5000) == ""


class TestEarlyStop:
    START = Page("<a href=/a>Msze św.</a><a href=/b>Porządek nabożeństw</a><a href=/c>Historia</a>", headers={"ETag": '"1"'})
    SITE: ClassVar = {"/": START, "/a": Page(LIST), "/b": Page(TABLE), "/c": Page("Historia")}

    def visit(
        self, state: Path, site: dict[str, Page], start: str = "/", **settings: object
    ) -> tuple[CrawlReport, list[str], dict[str, str]]:
        seed = Seed("a", f"http://a.example{start}")
        found = crawled(state, {"a.example": site}, seed, stop_rule=ScheduleFoundTwice, **settings)
        asked = [path for path in found.asked if path in site]
        return found.report, asked, {page.url[16:]: page.outcome for page in found.pages}

    def test_asks_no_further_page_and_says_why(self, tmp_path: Path) -> None:
        report, asked, outcomes = self.visit(tmp_path, self.SITE)

        assert asked == ["/", "/a", "/b"]
        assert outcomes == {"/": "ok", "/a": "ok", "/b": "ok", "/c": "not_needed"}
        assert report.sites[0].reason == "stopped: schedule found twice"
        assert report.finished

    def test_a_later_visit_asks_known_pages_alone_while_they_agree(self, tmp_path: Path) -> None:
        self.visit(tmp_path, self.SITE)
        _, asked, outcomes = self.visit(tmp_path, self.SITE, revisit="all")

        assert asked == ["/", "/a", "/b"]
        assert outcomes["/c"] == "not_needed"

    def test_looks_further_when_a_page_changed(self, tmp_path: Path) -> None:
        self.visit(tmp_path, self.SITE)
        _, asked, outcomes = self.visit(tmp_path, {**self.SITE, "/a": Page(OTHER)}, revisit="all")

        assert asked == ["/", "/a", "/b", "/c"]
        assert outcomes["/c"] == "ok"

    def test_a_new_start_page_is_asked_for_whatever_the_stored_pages_say(self, tmp_path: Path) -> None:
        site = {**self.SITE, "/nowa": Page("<a href=/c>Historia</a>")}
        self.visit(tmp_path, site)
        report, asked, _ = self.visit(tmp_path, site, start="/nowa")

        assert asked == ["/nowa"]
        assert report.sites[0].reason == "stopped: schedule found twice"

    def test_an_undisturbed_site_is_not_opened_again(self, tmp_path: Path) -> None:
        self.visit(tmp_path, self.SITE)

        assert self.visit(tmp_path, self.SITE)[1] == []
