"""What a crawl knows stays known: over failures, 304s of a year, waits, wrong clocks, killed runs and damaged files."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from mass_pipeline.crawling import CrawledPage, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.sites.store import MOST_DEATHS
from mass_pipeline.crawling.state.schema import CRAWL_FILE
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page, Request, links, tagged
from mass_pipeline_tests.crawling.made import QUICK, Crawl, crawled
from mass_pipeline_tests.shared import PATIENCE_SECONDS, comes_true

SEEDS = [Seed("a", "http://a.example/")]
MASSES = "http://a.example/msze"
POLITE: Final[dict[str, object]] = {
    "no_delay": False, "start_delay_seconds": 0, "host_gap_seconds": 0.05, "max_wait_seconds": 2, "revisit": "all",
}  # fmt: skip


SITE: dict[str, Answer | list[Answer]] = {
    "/": tagged(links("/msze", "/historia")),
    "/msze": tagged("Msze 9:00"),
    "/historia": tagged("x"),
}

MANY: Final = {
    f"{name}.example": {
        "/": Page(links(*(f"/{n}" for n in range(30)))),
        **{f"/{n}": Page(f"page {n} of {name}", delay=0.004 * (n % 5)) for n in range(30)},
    }
    for name in "abcdef"
}


def crawl_at(state: Path, server: Loopback, ahead: timedelta = timedelta(0), **settings: object) -> dict[str, CrawledPage]:
    found = crawled(state, server, *SEEDS, ahead=ahead, **({"evidence": [MASSES]} | POLITE | settings))
    return {page.url: page for page in found.pages}


class TestMoments:
    def test_a_year_of_304_keeps_the_words_and_confirms_them_every_week(self, tmp_path: Path) -> None:
        """The page a schedule rests on is asked every week; another one, that never changes, ever more seldom."""
        with Loopback({"a.example": SITE}) as server:
            first = crawl_at(tmp_path, server)[MASSES]
            for week in range(1, 53):
                page = crawl_at(tmp_path, server, timedelta(weeks=week), revisit="due", host_gap_seconds=0)[MASSES]

                assert page.checked_at is not None
                assert page.checked_at - datetime.now(UTC) > timedelta(weeks=week) - timedelta(minutes=5)
            asked = server.paths()

        assert (page.outcome, page.body, page.fetched_at) == ("not_modified", b"Msze 9:00", first.fetched_at)
        assert asked.count("/msze") == 53
        assert asked.count("/historia") < 15

    def test_a_failed_look_moves_only_the_moment_of_asking(self, tmp_path: Path) -> None:
        with Loopback({"a.example": SITE}) as server:
            first = crawl_at(tmp_path, server)[MASSES]
            server.sites["a.example"]["/msze"] = Page("down", 500)
            page = crawl_at(tmp_path, server, timedelta(days=7), max_attempts=1)[MASSES]

        assert (page.outcome, page.body, page.body_sha256) == ("http_5xx", b"Msze 9:00", first.body_sha256)
        assert (page.fetched_at, page.checked_at) == (first.fetched_at, first.checked_at)
        assert page.asked_at is not None
        assert first.asked_at is not None
        assert page.asked_at - first.asked_at > timedelta(days=6)

    def test_a_visit_planned_by_a_clock_years_ahead_is_made_when_the_clock_is_right_again(self, tmp_path: Path) -> None:
        with Loopback({"a.example": SITE}) as server:
            crawl_at(tmp_path, server, timedelta(days=3650))
            before = len(server.paths())
            crawl_at(tmp_path, server, revisit="due")
            again = server.paths()[before:]

        assert {"/msze", "/historia"} <= set(again)


class TestDoubtedPages:
    """Someone says that the hours of a page are wrong: it is asked again before its time, once, and no more than once a day."""

    def test_it_is_asked_in_the_next_crawl(self, tmp_path: Path) -> None:
        with Loopback({"a.example": SITE}) as server:
            counts = []
            for ahead, doubted in ((0, False), (2, False), (2, True), (2, True), (3, True)):
                pages = {MASSES: datetime.now(UTC) + timedelta(days=1, hours=12)} if doubted else {}
                settings = {"revisit": "due", "host_gap_seconds": 0, "evidence": [], "doubted": pages}
                crawl_at(tmp_path, server, timedelta(days=ahead), **settings)
                counts.append(server.paths().count("/msze"))

        assert counts == [1, 1, 2, 2, 2]


class TestPagesThatAreLost:
    """A page that was known and is gone, or leads elsewhere, is looked at again soon: webmasters err, and move things."""

    @pytest.mark.parametrize(
        "answer",
        [
            Page("", 404),
            Page("", 302, headers={"Location": "/"}),
            Page("", 400),
            Page(b"\x89PNG\r\n\x1a\n" * 40, 200, "image/png"),
        ],
        ids=["404", "redirect", "400", "picture"],
    )
    def test_one_that_is_back_is_found_in_the_next_week(self, tmp_path: Path, answer: Page) -> None:
        with Loopback({"a.example": dict(SITE)}) as server:
            for day in (0, 8, 20, 45):  # by now a visit is due every few weeks
                crawl_at(tmp_path, server, timedelta(days=day), revisit="due")
            server.sites["a.example"]["/historia"] = answer
            lost = crawl_at(tmp_path, server, timedelta(days=80), revisit="due")["http://a.example/historia"]
            server.sites["a.example"]["/historia"] = tagged("x")
            back = crawl_at(tmp_path, server, timedelta(days=87), revisit="due")["http://a.example/historia"]

        assert lost.outcome not in ("ok", "not_modified")
        assert back.outcome in ("ok", "not_modified")

    def test_the_start_page_of_a_published_site_is_asked_every_week_for_where_things_went(self, tmp_path: Path) -> None:
        with Loopback({"a.example": dict(SITE)}) as server:
            for week in range(8):
                crawl_at(tmp_path, server, timedelta(weeks=week), revisit="due")
            site = server.sites["a.example"]
            site["/"], site["/msze"], site["/nowe"] = tagged(links("/nowe") + "new"), Page("", 404), tagged("Msze 10:00")
            pages = crawl_at(tmp_path, server, timedelta(weeks=8), revisit="due")

        assert pages["http://a.example/nowe"].outcome == "ok"
        assert pages[MASSES].outcome == "gone"


class TestWaits:
    def test_ten_minutes_a_host_asked_for_hold_over_a_restart_and_then_end(self, tmp_path: Path) -> None:
        busy = Page("busy", 503, headers={"Retry-After": "600"})
        with Loopback({"a.example": dict(SITE)}) as server:
            crawl_at(tmp_path, server)
            server.sites["a.example"]["/msze"] = busy
            crawl_at(tmp_path, server, max_attempts=1)
            server.sites["a.example"]["/msze"] = tagged("Msze 9:00")
            before = len(server.requests)
            waiting = crawl_at(tmp_path, server, timedelta(minutes=5))
            asked = len(server.requests) - before
            later = crawl_at(tmp_path, server, timedelta(minutes=11))

        assert asked == 0
        assert (waiting[MASSES].outcome, waiting[MASSES].body) == ("deferred", b"Msze 9:00")
        assert later[MASSES].outcome == "not_modified"

    @pytest.mark.parametrize("hours", [1, -1, 24 * 400])
    def test_a_clock_that_was_wrong_defers_nothing(self, tmp_path: Path, hours: int) -> None:
        """operators.md: after a clock one hour fast every site of the run was deferred."""
        with Loopback({"a.example": dict(SITE)}) as server:
            server.sites["a.example"]["/msze"] = Page("down", 500)
            crawl_at(tmp_path, server, timedelta(hours=hours))
            server.sites["a.example"]["/msze"] = tagged("Msze 9:00")
            page = crawl_at(tmp_path, server)[MASSES]

        assert page.outcome == "ok"

    def test_a_wrong_clock_makes_no_rest_longer_than_the_host_asked(self, tmp_path: Path) -> None:
        busy = Page("busy", 503, headers={"Retry-After": "1"})
        with Loopback({"a.example": dict(SITE)}) as server:
            server.sites["a.example"]["/msze"] = busy
            crawl_at(tmp_path, server, timedelta(hours=1), max_attempts=1)
            server.sites["a.example"]["/msze"] = tagged("Msze 9:00")
            page = crawl_at(tmp_path, server)[MASSES]

        assert page.outcome == "ok"


def crawl_for_ever(state: str, port: str) -> None:
    """Crawl until somebody ends the process."""
    config = replace(QUICK, commit_seconds=0.05, max_attempts=2, revisit="all")
    crawl_sites(SEEDS, state=Path(state), config=config, connect_to=lambda host, _: ("127.0.0.1", int(port)))


def is_in_flight(state: Path, url: str) -> bool:
    """Whether the state says that a page is being asked for."""
    with closing(sqlite3.connect(state / CRAWL_FILE, timeout=60)) as file:
        return bool(file.execute("SELECT count(*) FROM urls WHERE url=? AND lease IS NOT NULL", (url,)).fetchone()[0])


def kill_while_asking(state: Path, server: Loopback, path: str) -> None:
    """Start a crawl in another process and end it with SIGKILL while a page is in flight and written down as such."""
    asked = server.paths().count(path)
    with start(crawl_for_ever, state, server) as process:
        assert comes_true(lambda: server.paths().count(path) > asked or process.poll() is not None)
        assert comes_true(lambda: is_in_flight(state, MASSES))
        os.kill(process.pid, signal.SIGKILL)


def crawl_many(state: str, port: str) -> None:
    """Crawl `MANY` to its end, unless somebody ends the process."""
    seeds = [Seed(host, f"http://{host}/") for host in MANY]
    crawl_sites(seeds, state=Path(state), config=QUICK, connect_to=lambda host, _: ("127.0.0.1", int(port)))


def start(function: Callable[..., None], state: Path, server: Loopback) -> subprocess.Popen[bytes]:
    """A crawl of this module in another process."""
    call = f"from {__name__} import {function.__name__} as crawl; import sys; crawl(*sys.argv[1:])"
    return subprocess.Popen([sys.executable, "-c", call, str(state), str(server.port)])


def repeated_after(kills: Sequence[int], requests: Sequence[Request]) -> Iterator[tuple[str, str, bool]]:
    """`(host, path, was the last that the host was asked for before that kill)` of every address asked for again.

    Args:
        kills: how many requests had come at each kill.
    """
    for kill in kills:
        before = {host: [one.path for one in requests[:kill] if one.host == host] for host in MANY}
        after = {(one.host, one.path) for one in requests[kill:]}
        for host, paths in before.items():
            yield from ((host, path, path == paths[-1]) for path in set(paths) if (host, path) in after)


class TestKilledRuns:
    """operators.md: interrupted is not tried."""

    @pytest.mark.row("J3")
    def test_three_kills_cost_each_host_the_request_in_flight_alone(self, tmp_path: Path) -> None:
        """Every address but the last one before a kill was answered, robots.txt among them, and is never asked for again."""
        kills: list[int] = []
        with Loopback(MANY) as server:
            for wanted in (50, 100, 150):
                with start(crawl_many, tmp_path, server) as process:
                    assert comes_true(lambda: len(server.requests) >= wanted or process.poll() is not None)  # noqa: B023
                    process.kill()
                kills.append(len(server.requests))
            assert process.returncode == -signal.SIGKILL
            with start(crawl_many, tmp_path, server) as process:
                assert process.wait(PATIENCE_SECONDS) == 0
            repeated = list(repeated_after(kills, server.requests))

        assert [(host, path) for host, path, was_last in repeated if not was_last] == []
        assert len(repeated) <= len(kills) * len(MANY)
        assert {page.url for page in read_pages(tmp_path)} == {f"http://{host}{path}" for host in MANY for path in MANY[host]}

    @pytest.mark.slow
    def test_they_use_up_no_tries_of_the_pages_in_flight(self, tmp_path: Path) -> None:
        site: dict[str, Answer | list[Answer]] = {**SITE, "/msze": replace(tagged("Msze 9:00"), delay=30)}
        with Loopback({"a.example": site}) as server:
            for _ in range(MOST_DEATHS - 1):
                kill_while_asking(tmp_path, server, "/msze")
            server.sites["a.example"]["/msze"] = [Page("down", 500), tagged("Msze 9:00")]
            page = crawl_at(tmp_path, server, max_attempts=2)[MASSES]

        assert (page.outcome, page.body) == ("ok", b"Msze 9:00")

    def test_a_page_at_which_every_run_dies_is_left_out_once_and_tried_in_the_next_run(self, tmp_path: Path) -> None:
        with Loopback({"a.example": SITE}) as server:
            crawl_at(tmp_path, server)
            self.die_at_masses(tmp_path, MOST_DEATHS)
            left_out = crawl_at(tmp_path, server)[MASSES]
            tried = crawl_at(tmp_path, server)[MASSES]

        assert (left_out.outcome, left_out.body) == ("error", b"Msze 9:00")
        assert "died again and again" in left_out.reason
        assert tried.outcome == "not_modified"

    def die_at_masses(self, state: Path, deaths: int) -> None:
        """Write down what so many dead processes leave."""
        with sqlite3.connect(state / CRAWL_FILE) as connection:
            connection.execute("UPDATE urls SET state=0,deaths=?,lease=NULL WHERE url=?", (deaths, MASSES))
            connection.execute("UPDATE sites SET status='open'")
        connection.close()


class TestDamagedFiles:
    """F12: flipped bits in a state file gave other pages in silence, or raw errors."""

    def damage_body(self, state: Path) -> None:
        with sqlite3.connect(state / CRAWL_FILE) as connection:
            ((url_id, body),) = connection.execute("SELECT url_id,body FROM pages JOIN urls USING(url_id) WHERE url=?", (MASSES,))
            damaged = bytearray(body)
            damaged[-3] ^= 4
            connection.execute("UPDATE pages SET body=? WHERE url_id=?", (bytes(damaged), url_id))
        connection.close()

    def test_a_damaged_body_is_named_and_never_handed_out(self, crawl: Crawl) -> None:
        state = crawl({"a.example": SITE}).state
        self.damage_body(state)
        page = next(page for page in read_pages(state) if page.url == MASSES)

        assert (page.outcome, page.body, page.body_sha256) == ("error", None, None)
        assert "stored body" in page.reason

    def test_the_next_crawl_fetches_it_anew_without_asking_whether_it_changed(self, crawl: Crawl) -> None:
        self.damage_body(crawl({"a.example": SITE}).state)
        again = crawl({"a.example": SITE})

        assert again.page(MASSES).body == b"Msze 9:00"
        assert again.page(MASSES).outcome == "ok"
        assert again.report.politeness["damaged_pages"] == 1
        assert [request.headers.get("if-none-match") for request in again.server.requests if request.path == "/msze"] == [None]

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE pages SET url_id=url_id+64 WHERE url_id=2",  # a bit of its number: the page belongs to no address
            "UPDATE urls SET outcome=x'6f6b' WHERE url_id=2",  # a bit of its type: bytes, which nothing can be compared with
            "UPDATE urls SET outcome='oj' WHERE url_id=2",
        ],
    )
    def test_a_row_that_makes_no_sense_is_asked_for_anew(self, crawl: Crawl, damage: str) -> None:
        first = crawl({"a.example": SITE})
        right = {page.url: page.body for page in first.pages}
        with sqlite3.connect(first.state / CRAWL_FILE) as connection:
            connection.execute(damage)
        connection.close()
        again = crawl({"a.example": SITE})

        assert {page.url: page.body for page in again.pages} == right
        assert again.report.politeness["damaged_pages"] > 0
        with sqlite3.connect(first.state / CRAWL_FILE) as connection:
            assert connection.execute("SELECT count(*) FROM pages WHERE url_id NOT IN (SELECT url_id FROM urls)").fetchone() == (
                0,
            )
        connection.close()

    SITE: Final = {"/": Page(links(*(f"/{n}" for n in range(12))))} | {f"/{n}": Page(f"Msze {n}:00 " * 200) for n in range(12)}

    def flipped(self, state: Path, seed: int) -> Iterator[Path]:
        """120 times the state with a bit flipped somewhere."""
        chance, whole = random.Random(seed), (state / CRAWL_FILE).read_bytes()
        filled = [place for place in range(100, len(whole)) if whole[place]]
        for _ in range(120):
            folder = state.parent / "damaged"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(state, folder)
            body = bytearray(whole)
            body[chance.choice(filled)] ^= 1 << chance.randrange(8)
            (folder / CRAWL_FILE).write_bytes(body)
            yield folder

    def test_no_flipped_bit_gives_another_body_or_a_raw_error(self, crawl: Crawl) -> None:
        found = crawl({"a.example": self.SITE})
        right = {page.url: page.body for page in found.pages}
        endings = []
        for folder in self.flipped(found.state, 20261122):
            try:
                found = list(read_pages(folder))
            except MassPipelineError:
                endings.append("refused")
                continue
            endings.append("named" if any(page.outcome == "error" for page in found) else "read")
            assert all(page.body in (None, right[page.url]) for page in found)
            assert all(page.outcome == "error" or page.body == right[page.url] for page in found)

        assert {"named", "read"} <= set(endings)

    @pytest.mark.slow
    def test_after_a_flipped_bit_a_crawl_has_the_same_pages_again_or_refuses_by_name(self, tmp_path: Path) -> None:
        with Loopback({"a.example": self.SITE}) as server:
            whole = crawled(tmp_path / "whole", server)
            right = {page.url: page.body for page in whole.pages}
            healed = refused = 0
            for folder in self.flipped(whole.state, 12):
                try:
                    again = crawled(folder, server)
                except MassPipelineError:
                    refused += 1
                    continue
                healed += again.report.politeness["damaged_pages"] > 0
                assert {page.url: page.body for page in again.pages if page.body is not None} == right

        assert healed > 5
        assert refused > 5
