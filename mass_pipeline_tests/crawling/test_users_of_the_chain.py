"""One contract for everybody who asks hosts: crawl, link collection, watch, directory, verification, and robots.txt.

Servers that misbehave, hazards that no single policy answers for, and processes that are killed. Not here: what one user
alone must survive (its own folder).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from mass_pipeline.crawling.fetching.clock import Clock
from mass_pipeline.crawling.fetching.host_table import HOST, open_hosts
from mass_pipeline_tests.benchmarks import deaths
from mass_pipeline_tests.crawling.loopback import Answer, Loopback, Page
from mass_pipeline_tests.crawling.made import INTERNAL, QUICK, Sites, fetch_once
from mass_pipeline_tests.crawling.test_misbehaviour import SCRIPTS, patience_with
from mass_pipeline_tests.crawling.users import HOST_NAME, MORE_POLICIES, START, USERS, User
from mass_pipeline_tests.shared import comes_true, needs

CONFIG: Final = replace(
    QUICK, max_depth=0, max_body_bytes=300_000, max_attempts=2, host_failure_limit=9,
    sitemaps="never",
)  # fmt: skip
# What a chain of redirects ends with stands for the URL that began it, but in a crawl, where each hop is a row.
FOLLOWED: Final = {"ok", "http_4xx"}

Ask = Callable[..., tuple[str, Loopback]]
RULES: Final = Page("User-agent: *\nAllow: /", content_type="text/plain")
# Of robots.txt the first 500 kB count, with any status of the 2xx range what came whole.
NO_RULES: Final = sorted(
    name
    for name, (_, allowed) in SCRIPTS.items()
    if not allowed & {"ok", "not_text", "redirect"} and name not in {"endless body", "204 with a body", "a million tiny chunks"}
)
# A crawl meets every answer (test_misbehaviour); the other users of its chain one of each kind, and each in the long tests.
OF_EACH_KIND: Final = {
    "nothing", "length too long", "no length", "bad chunk size", "header of 100 kB", "redirect without target", "silence",
    "endless body", "bomb", "coding of others",
}  # fmt: skip
ANSWERS: Final = [
    name if name in OF_EACH_KIND else pytest.param(name, marks=pytest.mark.soak)
    for name in sorted(set(SCRIPTS) - {"endless image", "a million tiny chunks"})
]


@pytest.fixture(params=sorted(USERS))
def user(request: pytest.FixtureRequest) -> User:
    """Each in turn."""
    return USERS[request.param]


@pytest.fixture(params=["crawl", "directory", "watch"])
def ask(request: pytest.FixtureRequest, tmp_path: Path) -> Ask:
    """`ask(pages, hosts, **settings)`: the outcome of the start page, by each way of asking, and the server.

    Links are collected over the follower of the watch, verification asks by the client of the directory.
    """

    def run(pages: Mapping[str, Answer | list[Answer]], hosts: Sites | None = None, **settings: object) -> tuple[str, Loopback]:
        with Loopback({HOST_NAME: pages, **(hosts or {})}) as server:
            config = replace(CONFIG, **settings)  # type: ignore[arg-type]
            return USERS[request.param].ask(tmp_path / "state", server.connect_to, config), server

    return run


class TestMisbehaviour:
    @pytest.mark.parametrize("name", ANSWERS)
    def test_one_outcome_in_time(self, ask: Ask, name: str) -> None:
        answer, allowed = SCRIPTS[name]
        outcome, _ = ask({"/": answer}, **patience_with(name))

        assert outcome in (allowed | FOLLOWED if "redirect" in allowed else allowed)

    def test_an_answer_cut_short_is_asked_for_once_more(self, ask: Ask) -> None:
        outcome, server = ask({"/": SCRIPTS["length too long"][0]})

        assert outcome == "truncated"
        assert server.paths().count("/") == 2

    def test_a_second_answer_that_is_whole_takes_the_place_of_the_first(self, ask: Ask) -> None:
        answers: list[Answer] = [SCRIPTS["length too long"][0], Page("<p>Msze 12:00, 18:00")]

        assert ask({"/": answers})[0] == "ok"

    def test_an_answer_without_a_page_is_no_page(self, ask: Ask) -> None:
        assert ask({"/": SCRIPTS["204 with a body"][0]})[0] == "protocol_error"


class TestRedirects:
    def test_a_circle_ends(self, ask: Ask) -> None:
        site = {"/": Page("", 302, headers={"Location": "/b"}), "/b": Page("", 302, headers={"Location": "/"})}
        _, server = ask(site)

        assert server.paths().count("/b") <= 1

    def test_hosts_that_are_never_crawled_are_never_asked(self, ask: Ask) -> None:
        page = Page("", 302, headers={"Location": "http://www.facebook.com/parafia"})
        _, server = ask({"/": page}, {"www.facebook.com": {"/parafia": Page("x")}})

        assert {request.host for request in server.requests} == {HOST_NAME}

    def test_a_choice_is_no_redirect(self, ask: Ask) -> None:
        """RFC 9110 15.4.1: 300 leaves the choice to a person."""
        site = {"/": Page("", 300, headers={"Location": "/b"}), "/b": Page("b")}
        _, server = ask(site)

        assert "/b" not in server.paths()

    def test_robots_txt_holds_for_every_hop(self, ask: Ask) -> None:
        site = {
            "/robots.txt": Page("User-agent: *\nDisallow: /b", content_type="text/plain"),
            "/": Page("", 302, headers={"Location": "/b"}),
            "/b": Page("b"),
        }
        _, server = ask(site)

        assert "/b" not in server.paths()


class TestRobotsTxt:
    """robots.txt is no page: what it answers decides whether the page is asked for at all."""

    @pytest.fixture
    def asked(self, tmp_path: Path) -> Callable[..., list[str]]:
        """`asked(sites)`: paths that a single page made us ask for."""

        def ask_once(site: Mapping[str, Answer | list[Answer]], **settings: float) -> list[str]:
            sites = {HOST_NAME: {"/": Page("<p>Msze 12:00"), **site}, "never.example": {}, "www.facebook.com": {"/r": RULES}}
            with Loopback(sites) as server:
                config = replace(CONFIG, removed_hosts=("never.example",), **settings)  # type: ignore[arg-type]
                fetch_once(START, config=config, connect_to=server.connect_to)
            return [f"{one.host}{one.path}" for one in server.requests if not one.path.startswith("/.well-known")]

        return ask_once

    @pytest.mark.parametrize("name", NO_RULES)
    def test_what_gives_no_rules_opens_nothing(self, asked: Callable[..., list[str]], name: str) -> None:
        assert START[7:] not in asked({"/robots.txt": SCRIPTS[name][0]}, **patience_with(name))

    def test_a_file_cut_short_is_asked_for_once_more(self, asked: Callable[..., list[str]]) -> None:
        cut = SCRIPTS["length too long"][0]

        assert asked({"/robots.txt": cut}) == [f"{HOST_NAME}/robots.txt"] * 2
        assert asked({"/robots.txt": [cut, RULES]})[-1] == f"{HOST_NAME}/"

    def test_a_busy_hop_is_asked_again_and_not_the_whole_chain(self, asked: Callable[..., list[str]]) -> None:
        hop = Page("", 302, headers={"Location": "/r"})

        assert asked({"/robots.txt": hop, "/r": [Page("", 503), RULES]}) == [
            f"{HOST_NAME}{path}" for path in ("/robots.txt", "/r", "/r", "/")
        ]

    def test_a_circle_ends_and_disallows(self, asked: Callable[..., list[str]]) -> None:
        site = {path: Page("", 302, headers={"Location": to}) for path, to in {"/robots.txt": "/r", "/r": "/robots.txt"}.items()}

        assert asked(site) == [f"{HOST_NAME}/robots.txt", f"{HOST_NAME}/r"]

    def test_a_choice_is_no_redirect(self, asked: Callable[..., list[str]]) -> None:
        site = {"/robots.txt": Page("", 300, headers={"Location": "/r"}), "/r": RULES}

        assert asked(site) == [f"{HOST_NAME}/robots.txt"]

    @pytest.mark.parametrize("host", ["www.facebook.com", "never.example"])
    def test_hosts_that_are_never_crawled_or_were_removed_are_not_asked(self, asked: Callable[..., list[str]], host: str) -> None:
        assert asked({"/robots.txt": Page("", 302, headers={"Location": f"http://{host}/r"})}) == [f"{HOST_NAME}/robots.txt"]


class TestOtherRuns:
    def test_a_host_that_another_run_asks_is_waited_for(self, user: User, tmp_path: Path) -> None:
        leases = str(tmp_path / "leases")
        key = HOST + HOST_NAME
        other = open_hosts(leases)
        assert other.take(key, "other", 3600.0) is not None
        seen: list[int] = []
        with Loopback({HOST_NAME: {"/": Page("<p>Msze 12:00")}}) as server:

            def give_back() -> None:
                assert comes_true(lambda: other.beat("other", 3600.0, {}) == {key: True})
                seen.append(len(server.requests))
                other.beat("other", 3600.0, {}, [key])

            timer = threading.Thread(target=give_back)
            timer.start()
            config = replace(CONFIG, no_delay=False, start_delay_seconds=0.0, host_gap_seconds=0.0, leases=leases)
            outcome = user.ask(tmp_path / "state", server.connect_to, config)
            timer.join()
        other.close()

        assert seen == [0]
        assert outcome == "ok"


class TestManners:
    """Rows S3 to S5, S12, P2, P7 to P9 and P13 of the hazards."""

    def test_a_request_says_who_asks_and_nothing_of_where_we_were(self, ask: Ask) -> None:
        first = Page("", 302, headers={"Location": f"http://user:secret@{HOST_NAME}/b", "Set-Cookie": "known=1"})
        _, server = ask({"/": first, "/b": Page("<p>Msze 12:00")})

        assert {request.method for request in server.requests} == {"GET"}
        assert all(str(CONFIG.contact) in request.headers["user-agent"] for request in server.requests)
        assert not {"cookie", "referer", "authorization"} & {name for request in server.requests for name in request.headers}

    @pytest.mark.parametrize("status", [401, 403, 451])
    def test_a_refusal_is_taken_for_an_answer(self, ask: Ask, status: int) -> None:
        outcome, server = ask({"/": Page("prove that you are human", status)})

        assert (outcome, server.paths()) == ("refused", ["/robots.txt", "/"])

    def test_a_busy_host_is_asked_so_often_and_no_more(self, ask: Ask) -> None:
        outcome, server = ask({"/": Page("", 503)})

        assert outcome in ("http_5xx", "deferred")
        assert server.paths().count("/") <= CONFIG.max_attempts

    def test_a_host_whose_rules_cannot_be_had_is_not_asked(self, ask: Ask) -> None:
        outcome, server = ask({"/": Page("<p>Msze 12:00"), "/robots.txt": Page("", 503)})

        assert outcome == "deferred"
        assert "/" not in server.paths()

    def test_a_pause_goes_on_over_a_restart(self, user: User, tmp_path: Path) -> None:
        """Retry-After of an hour, asked for again at once: nobody is asked."""
        waiting = replace(CONFIG, no_delay=False, start_delay_seconds=0, host_gap_seconds=0, leases=str(tmp_path / "leases"))
        with Loopback({HOST_NAME: {"/": Page("", 503, headers={"Retry-After": "3600"})}}) as server:
            for state in ("first", "second"):
                user.ask(tmp_path / state, server.connect_to, waiting)

        assert server.paths() == ["/robots.txt", "/"]


class TestAddresses:
    def test_a_redirect_leads_to_no_internal_service(self, user: User, tmp_path: Path, no_loopback: str) -> None:
        """G4, S9; other ways to write such an address: `fetching.test_gate`."""
        with Loopback({}) as canary:
            page = Page("", 302, headers={"Location": INTERNAL[0].format(port=canary.port)})
            with Loopback({HOST_NAME: {"/": page}}, address=no_loopback) as server:
                outcome = user.ask(tmp_path / "state", server.connect_to, CONFIG)

        assert canary.connections == 0
        assert outcome != "ok"


class TestClocks:
    @pytest.mark.parametrize("days", [(0, -1), (0, 366), (366, 0)])
    def test_a_wall_clock_that_jumps_breaks_no_pause(
        self, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: tuple[int, int]
    ) -> None:
        """D12: pauses run on the steady clock, and ages are never negative."""
        config = replace(CONFIG, no_delay=False, start_delay_seconds=0.02, host_gap_seconds=0.02, leases=str(tmp_path / "leases"))
        ended = []
        with Loopback(user.sites) as server:
            for ahead in days:
                monkeypatch.setattr(Clock, "now", lambda clock, ahead=ahead: datetime.now(UTC) + timedelta(days=ahead))
                ended.append(user.run(tmp_path / "state", server.connect_to, config))

        assert ended[0] == ended[1]
        assert deaths.least_gap(server) >= 0.02


class TestDeaths:
    """D1 to D3: however its process ends, the next one ends as one that lived, asks for nothing twice that was kept, in peace."""

    @pytest.mark.slow
    @pytest.mark.parametrize("name", USERS)
    def test_killed_at_any_request(self, name: str) -> None:
        """The leases of all runs tell when a host was asked, or else the user's own state."""
        figures = deaths.kills(name, 1, 7, leases=not USERS[name].remembers_hosts)

        assert figures.deaths > 0
        assert figures.is_unharmed, figures

    @pytest.mark.slow
    @pytest.mark.parametrize("name", USERS)
    def test_stopped_at_any_request(self, name: str) -> None:
        """By a signal whose handler raises, as Dagster's does: nobody is asked after it but who was being asked."""
        figures = deaths.kills(name, 1, 7, leases=True, stopped=True)

        assert figures.deaths > 0
        assert figures.is_unharmed, figures

    @pytest.mark.soak
    def test_by_a_power_cut(self) -> None:
        """And on a disk that ignores syncs they would not: the proof can fail."""
        needs("strace", "-e", "trace=none", "true")
        with deaths.recorded(list(USERS)) as lives:
            found = {name: life.cut(3, 2) for name, life in lives.items()}
            without_syncs = lives["links"].cut(10, 2, syncs=False)

        assert {name: figures for name, figures in found.items() if not figures.is_unharmed} == {}
        assert not without_syncs.is_unharmed

    @pytest.mark.soak
    def test_on_a_disk_that_fails(self) -> None:
        needs("strace", "-e", "trace=none", "true")
        found = deaths.faults(list(USERS), 1, 5)

        assert {name: figures for name, figures in found.items() if not figures.is_unharmed} == {}

    @pytest.mark.soak
    @pytest.mark.parametrize("name", [*USERS, *MORE_POLICIES])
    def test_again_and_again(self, name: str) -> None:
        needs("strace", "-e", "trace=none", "true")
        found = {f"{kind} {figures}" for _, kind, figures in deaths.proofs([name], 100, 1) if not figures.is_unharmed}

        assert found == set()
