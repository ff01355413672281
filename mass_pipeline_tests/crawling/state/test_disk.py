"""The disk is full or fails (hazards D3): whoever crawls pauses and goes on by itself, nothing acknowledged is ever lost."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mass_pipeline.crawling import CrawlReport, Progress, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.state.logs import CrawlLogs
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import DiskFull, StorageError
from mass_pipeline.model.state_file import StateFormat
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.crawling.state import small_disk
from mass_pipeline_tests.crawling.users import PARISHES, USERS, User
from mass_pipeline_tests.shared import ROOT, needs

CONFIG = replace(QUICK, commit_seconds=0.1)
MANY_LINKS = {host: {"/": Page(links(*(f"/{'x' * 200}{n}" for n in range(100))))} for host in PARISHES}
TOO_LITTLE = replace(CONFIG, min_free_bytes=1 << 60, max_disk_wait_seconds=0.3)
Free = Callable[[Path], int]
Check = Callable[[sqlite3.Connection, Path], None] | None
Show = Callable[[Progress], None] | None


def events(state: Path) -> list[str]:
    """Pauses and their ends in the progress log."""
    log = state / "progress.log"
    words = [line.split()[1] for line in log.read_text().splitlines()] if log.exists() else []
    return [word for word in words if word in ("paused_disk", "resumed")]


def crawl(state: Path, server: Loopback, config: CrawlConfig, on_progress: Show = None) -> CrawlReport:
    seeds = [Seed(host, f"http://{host}/") for host in PARISHES]
    return crawl_sites(seeds, state=state, config=config, connect_to=server.connect_to, on_progress=on_progress)


def asked(server: Loopback) -> Counter[tuple[str, str]]:
    return Counter((request.host, request.path) for request in server.requests)


def digests(state: Path) -> dict[str, str | None]:
    return {page.url: page.body_sha256 for page in read_pages(state) if page.body}


@pytest.fixture(params=["crawl", "links", "watch"])
def user(request: pytest.FixtureRequest) -> User:
    return USERS[request.param]


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(PARISHES) as running:
        yield running


@pytest.fixture
def looks_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[Free], None]:
    """`looks_at(free)`: who says how much is free."""
    return lambda free: monkeypatch.setattr("mass_pipeline.crawling.state.disk.RoomWatch.__init__.__defaults__", (free,))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, looks_at: Callable[[Free], None]) -> Callable[[bool], None]:
    """`small(grows)`: a page limit of SQLite stands in for the disk, both give the same error; lifted when a pause was told."""
    opened: list[sqlite3.Connection] = []
    real = state_file.open_state

    def limited(
        path: Path, kind: StateFormat, **options: Callable[[sqlite3.Connection, Path], None] | None
    ) -> sqlite3.Connection:
        opened.append(real(path, kind, **options))
        (pages,) = opened[-1].execute("PRAGMA page_count").fetchone()
        opened[-1].execute(f"PRAGMA max_page_count={pages}")
        return opened[-1]

    def begin(grows: bool) -> None:
        def free(folder: Path) -> int:
            if grows and events(folder):
                opened[-1].execute("PRAGMA max_page_count=100000")
            return 1 << 40

        monkeypatch.setattr(state_file, "open_state", limited)
        looks_at(free)

    return begin


class TestNoRoom:
    def test_too_little_free_space_pauses_until_there_is_more(
        self, user: User, tmp_path: Path, looks_at: Callable[[Free], None]
    ) -> None:
        """Whoever frees space need not start anything again."""
        looks: list[int] = []
        with Loopback(user.sites) as server:
            wanted = user.run(tmp_path / "other", server.connect_to, CONFIG)
            in_peace = asked(server)
            server.requests.clear()

            def free(folder: Path) -> int:
                looks.append(len(server.requests))
                return 10 if len(looks) < 3 else 10_000

            looks_at(free)
            assert user.run(tmp_path / "state", server.connect_to, replace(CONFIG, min_free_bytes=1000)) == wanted

        assert events(tmp_path / "state") == ["paused_disk", "resumed"]
        assert looks[2] - looks[0] <= len(user.sites)  # the requests that were under way
        assert asked(server) == in_peace

    def test_a_wait_that_gets_too_long_ends_the_run_and_the_next_one_goes_on(self, user: User, tmp_path: Path) -> None:
        with Loopback(user.sites) as server:
            with suppress(DiskFull):  # a crawl's report says so
                user.run(tmp_path / "state", server.connect_to, TOO_LITTLE)
            assert events(tmp_path / "state") == ["paused_disk"]
            ended = user.run(tmp_path / "state", server.connect_to, CONFIG)
            assert ended == user.run(tmp_path / "other", server.connect_to, CONFIG)

    def test_a_crawl_says_why_it_waits_and_why_it_ended(self, tmp_path: Path, server: Loopback) -> None:
        seen: list[str] = []
        config = replace(TOO_LITTLE, max_disk_wait_seconds=1.2)
        report = crawl(tmp_path, server, config, on_progress=lambda now: seen.append(now.paused))

        assert any("MB wanted" in paused for paused in seen)
        assert not report.finished
        assert "MB wanted" in report.paused
        assert {site.outcome for site in report.sites} == {"paused_disk"}


class TestFullTransactions:
    def test_one_without_room_is_written_when_there_is_some(
        self, user: User, tmp_path: Path, small: Callable[[bool], None]
    ) -> None:
        sites = MANY_LINKS if user is USERS["links"] else user.sites
        with Loopback(sites) as server:
            wanted = user.run(tmp_path / "other", server.connect_to, CONFIG)
            in_peace = asked(server)
            server.requests.clear()
            small(True)
            assert user.run(tmp_path / "state", server.connect_to, CONFIG) == wanted

        assert events(tmp_path / "state")[:2] == ["paused_disk", "resumed"]
        assert user is USERS["watch"] or asked(server) == in_peace  # a watch takes the turn again

    def test_without_room_a_crawl_ends_and_keeps_what_was_acknowledged(
        self, tmp_path: Path, server: Loopback, small: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        small(False)
        first = crawl(tmp_path, server, replace(CONFIG, max_disk_wait_seconds=0.5))
        monkeypatch.undo()
        kept = digests(tmp_path)
        crawl(tmp_path, server, CONFIG)

        assert "disk is full" in first.paused
        assert len(digests(tmp_path)) == sum(map(len, PARISHES.values()))
        assert kept.items() <= digests(tmp_path).items()


class TestRealDisk:
    def test_a_file_system_that_fills_up_and_is_enlarged(self, tmp_path: Path) -> None:
        """D3 on a tmpfs of its own: the logs, the journal and the table find no room, each in its turn."""
        needs("unshare", "-m", "true")
        command = ["unshare", "-m", sys.executable, "-m", small_disk.__name__, str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)

        assert done.returncode == 0, done.stdout + done.stderr
        assert "paused_disk" in done.stdout

    def test_an_error_of_the_disk_is_one_clear_error(
        self, tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not a full disk but a failing one: waiting would not help."""

        def fail(store: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr("mass_pipeline.crawling.sites.store.CrawlStore._write", fail)
        with pytest.raises(StorageError, match="cannot be read"):
            crawl(tmp_path, server, CrawlConfig())


class TestLogs:
    def test_a_log_that_cannot_be_written_ends_no_crawl(self, tmp_path: Path, server: Loopback) -> None:
        (tmp_path / "progress.log").mkdir()

        assert crawl(tmp_path, server, CONFIG).finished

    def test_each_line_has_its_own_moment(self, tmp_path: Path) -> None:
        """Of two pages a minute apart the second had the moment of the first."""
        logs = CrawlLogs(tmp_path)
        for minute in (1, 2):
            logs.page(datetime(2026, 11, 23, 9, minute, tzinfo=UTC), "http://a.example/", "ok")
        logs.flush()
        moments = [line.split()[0] for line in (tmp_path / "progress.log").read_text().splitlines()]

        assert moments == ["2026-11-23T09:01:00Z", "2026-11-23T09:02:00Z"]
