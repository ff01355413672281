"""Text and data mining reserved by a site: `/.well-known/tdmrep.json`, header and meta element (hazards Q5)."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling import read_pages
from mass_pipeline.crawling.fetching.reservations import TdmReservations
from mass_pipeline_tests.crawling.loopback import RESERVATIONS, Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK, Crawl, crawled, fetch_once

Rule = tuple[str, object]


def rules(*pairs: Rule) -> bytes:
    return json.dumps([{"location": location, "tdm-reservation": value} for location, value in pairs]).encode()


def reserved(*pairs: Rule) -> Page:
    return Page(rules(*pairs), content_type="application/json")


def covers(path: str, *pairs: Rule) -> bool:
    return TdmReservations.from_response(200, rules(*pairs)).covers("http://a.example" + path)


class TestRules:
    @pytest.mark.parametrize(
        ("location", "path", "expected"),
        [
            ("/", "/msze", True),
            ("*", "/msze", True),
            ("/msze", "/msze/dzis", True),
            ("msze", "/msze/dzis", True),
            ("/msze", "/kontakt", False),
            ("/*.pdf$", "/a/b.pdf", True),
            ("/*.pdf$", "/a/b.pdf2", False),
            ("/święta", "/%C5%9Bwi%C4%99ta", True),
        ],
    )
    def test_a_location_is_a_pattern_as_in_robots_txt(self, location: str, path: str, expected: bool) -> None:
        assert covers(path, (location, 1)) is expected

    def test_an_exception_before_the_rule_is_open(self) -> None:
        assert not covers("/public/a", ("/public/", 0), ("/", 1))
        assert covers("/other", ("/public/", 0), ("/", 1))

    def test_where_first_and_longest_match_differ_the_reservation_counts(self) -> None:
        assert covers("/public/a", ("/", 1), ("/public/", 0))
        assert covers("/own/a", ("/", 0), ("/own/", 1))

    @pytest.mark.parametrize("value", [1, "1", True, 1.0])
    def test_the_reservation_is_seen_however_it_is_written(self, value: object) -> None:
        assert covers("/", ("/", value))

    @pytest.mark.parametrize("value", [0, "0", False, None, [], "no"])
    def test_anything_else_reserves_nothing(self, value: object) -> None:
        assert not covers("/", ("/", value))

    def test_a_single_rule_outside_a_list_counts(self) -> None:
        assert TdmReservations.from_response(200, b'{"location": "/", "tdm-reservation": 1}').covers("http://a.example/")

    def test_a_damaged_file_that_wishes_a_reservation_reserves_all(self) -> None:
        assert TdmReservations.from_response(200, b'[{"location": "/", "tdm-reservation": 1,}]').covers("http://a.example/x")

    @pytest.mark.parametrize("body", [b"", b"<html>tdm-reservation: 1</html>", b"null", b"3", b"[1, []]", b"[" * 100_000, b'"x"'])
    def test_what_is_no_list_of_rules_reserves_nothing(self, body: bytes) -> None:
        assert not TdmReservations.from_response(200, body).covers("http://a.example/")

    @pytest.mark.parametrize("status", [199, 201, 404])
    def test_a_missing_file_reserves_nothing(self, status: int) -> None:
        assert not TdmReservations.from_response(status, rules(("/", 1))).covers("http://a.example/")

    @pytest.mark.parametrize("location", ["", " ", "/a\n/b", 3])
    def test_a_location_that_is_no_single_line_is_no_rule(self, location: object) -> None:
        body = json.dumps([{"location": location, "tdm-reservation": 1}]).encode()

        assert not TdmReservations.from_response(200, body).covers("http://a.example/a/b")

    def test_of_a_file_without_end_the_first_rules_count(self) -> None:
        many = [*((f"/open{n}", 0) for n in range(499)), ("/a", 1), ("/b", 1)]

        assert [covers(path, *many) for path in ("/a", "/b")] == [True, False]

    def test_a_file_is_read_up_to_a_quarter_of_a_mebibyte(self) -> None:
        """A longer one is damaged: it wishes a reservation, so all is reserved."""
        body = rules(("/msze", 1))
        read = body[:-1] + b" " * (262_144 - len(body)) + b"]"
        longer = read[:-1] + b" ]"

        assert [TdmReservations.from_response(200, one).covers("http://a.example/x") for one in (read, longer)] == [False, True]

    def test_of_a_location_two_thousand_characters_count(self) -> None:
        location = "/" + "a" * 2500

        assert [covers(location[:length], (location, 1)) for length in (1999, 2000)] == [False, True]

    @given(st.binary(max_size=200))
    def test_no_bytes_raise(self, body: bytes) -> None:
        TdmReservations.from_response(200, body).covers("http://a.example/")

    @given(st.lists(st.tuples(st.text(max_size=20), st.booleans()), max_size=5), st.sampled_from(["/", "/a", "/a/b.pdf"]))
    def test_kept_rules_say_the_same(self, pairs: list[tuple[str, bool]], path: str) -> None:
        fresh = TdmReservations.from_response(200, rules(*pairs))

        assert TdmReservations.restored(fresh.text).covers("http://a.example" + path) == fresh.covers("http://a.example" + path)


SITE = {"/": Page(links("/open", "/own/a")), "/open": Page("Msze 9:00"), "/own/a": Page("Msze 10:00")}


class TestCrawl:
    def test_reserved_pages_are_not_asked_for(self, crawl: Crawl) -> None:
        """Q5: the reservation stops mining and is logged."""
        crawled = crawl({"a.example": {**SITE, RESERVATIONS: reserved(("/own/*", 1))}})

        assert crawled.outcome("http://a.example/own/a") == "forbidden_by_robots"
        assert crawled.page("http://a.example/own/a").reason == "reserved by /.well-known/tdmrep.json"
        assert crawled.ok == ["http://a.example/", "http://a.example/open"]
        assert "/own/a" not in crawled.server.paths()
        assert crawled.report.politeness["tdm_reserved"] == 1

    def test_it_is_asked_once_behind_robots_txt(self, crawl: Crawl) -> None:
        order = [request.path for request in crawl({"a.example": SITE}).server.requests]

        assert order[:3] == ["/robots.txt", RESERVATIONS, "/"]
        assert order.count(RESERVATIONS) == 1

    def test_it_is_not_asked_where_robots_txt_forbids_it(self, crawl: Crawl) -> None:
        robots = Page("User-agent: *\nDisallow: /.well-known/", content_type="text/plain")
        crawled = crawl({"a.example": {**SITE, "/robots.txt": robots, RESERVATIONS: reserved(("/", 1))}})

        assert RESERVATIONS not in [request.path for request in crawled.server.requests]
        assert len(crawled.ok) == 3

    @pytest.mark.parametrize("answer", [Page("busy", 500), Page("", 302, headers={"Location": "/"}), b"no http at all\r\n\r\n"])
    def test_no_answer_is_no_reservation(self, crawl: Crawl, answer: Page | bytes) -> None:
        assert len(crawl({"a.example": {**SITE, RESERVATIONS: answer}}).ok) == 3

    def test_it_is_kept_over_a_restart_for_a_day_and_no_longer(self, tmp_path: Path) -> None:
        def asked(hours: float, page: Page) -> int:
            found = crawled(tmp_path, {"a.example": {**SITE, RESERVATIONS: page}}, ahead=timedelta(hours=hours), revisit="all")
            return sum(request.path == RESERVATIONS for request in found.server.requests)

        assert [asked(0, reserved(("/own/", 1))), asked(20, reserved()), asked(25, reserved())] == [1, 0, 1]
        assert {page.url: page.outcome for page in read_pages(tmp_path)}["http://a.example/own/a"] == "forbidden_by_robots"

    def test_a_page_alone_obeys_it_too(self) -> None:
        with Loopback({"a.example": {**SITE, RESERVATIONS: reserved(("/", 1))}}) as server:
            result = fetch_once("http://a.example/", config=QUICK, connect_to=server.connect_to)

        assert (result.outcome, server.paths()) == ("forbidden_by_robots", ["/robots.txt"])
