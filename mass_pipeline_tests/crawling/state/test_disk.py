"""The disk is full or fails (hazards D3): the crawl pauses and goes on by itself, and nothing acknowledged is ever lost."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mass_pipeline.crawling import CrawlReport, Seed, crawl_sites, read_pages
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.state import schema
from mass_pipeline.crawling.state.logs import CrawlLogs
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.crawling.conftest import QUICK
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.state import small_disk
from mass_pipeline_tests.shared import ROOT, needs

SEEDS = [Seed("a", "http://a.example/")]
SITE = {"/": Page(links(*(f"/{n}" for n in range(60))))}
SITE |= {f"/{n}": Page(random.Random(n).randbytes(5000).hex(), delay=0.01) for n in range(60)}
CONFIG = replace(QUICK, commit_seconds=0.1, max_pages_per_site=100)
SMALL_FILES = 60  # pages of SQLite


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback({"a.example": SITE}) as running:
        yield running


def progress(state: Path) -> list[str]:
    """Words of the progress log after the time."""
    log = state / "progress.log"
    return [line.split()[1] for line in log.read_text().splitlines()] if log.exists() else []


class TestNoRoom:
    def test_too_little_free_space_pauses_the_crawl_until_there_is_more(
        self, tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Whoever frees space need not start anything again."""
        asked_while_short: list[int] = []

        def free(folder: Path) -> int:
            asked_while_short.append(len(server.requests))
            return 10 if len(asked_while_short) < 3 else 10_000

        monkeypatch.setattr("mass_pipeline.crawling.state.disk.RoomWatch.__init__.__defaults__", (free,))
        report = crawl_sites(SEEDS, state=tmp_path, config=replace(CONFIG, min_free_bytes=1000), connect_to=server.connect_to)

        assert (report.finished, report.paused, report.pages) == (True, "", 61)
        assert [word for word in progress(tmp_path) if word in ("paused_disk", "resumed")] == ["paused_disk", "resumed"]
        assert asked_while_short[2] - asked_while_short[0] <= 1  # the request that was under way

    def test_a_wait_that_gets_too_long_ends_the_run_and_the_next_one_goes_on(self, tmp_path: Path, server: Loopback) -> None:
        config = replace(CONFIG, min_free_bytes=1 << 60, max_disk_wait_seconds=0.3)
        first = crawl_sites(SEEDS, state=tmp_path, config=config, connect_to=server.connect_to)
        acknowledged = {page.url: page.body_sha256 for page in read_pages(tmp_path)}
        second = crawl_sites(SEEDS, state=tmp_path, config=CONFIG, connect_to=server.connect_to)

        assert not first.finished
        assert "MB wanted" in first.paused
        assert [site.outcome for site in first.sites] == ["paused_disk"]
        assert (second.finished, [site.outcome for site in second.sites], second.pages) == (True, ["ok"], 61)
        assert acknowledged.items() <= {page.url: page.body_sha256 for page in read_pages(tmp_path)}.items()

    def test_waiting_is_shown_to_whoever_watches(self, tmp_path: Path, server: Loopback) -> None:
        seen: list[str] = []
        config = replace(CONFIG, min_free_bytes=1 << 60, max_disk_wait_seconds=1.2)
        crawl_sites(
            SEEDS, state=tmp_path, config=config, connect_to=server.connect_to, on_progress=lambda now: seen.append(now.paused)
        )

        assert any("MB wanted" in paused for paused in seen)


class TestFullTransactions:
    """A page limit of SQLite stands in for the disk; both give the same error."""

    def crawl(self, state: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, grows: bool) -> CrawlReport:
        opened: list[sqlite3.Connection] = []
        real = schema.open_for_writing

        def small(folder: Path, file: str, *, is_checked: bool) -> sqlite3.Connection:
            opened.append(real(folder, file, is_checked=is_checked))
            opened[0].execute(f"PRAGMA max_page_count={SMALL_FILES}")
            return opened[0]

        def watch(folder: Path) -> int:
            if grows and "paused_disk" in progress(folder):
                opened[0].execute("PRAGMA max_page_count=100000")
            return 1 << 40

        monkeypatch.setattr(schema, "open_for_writing", small)
        monkeypatch.setattr("mass_pipeline.crawling.state.disk.RoomWatch.__init__.__defaults__", (watch,))
        try:
            config = replace(CONFIG, max_disk_wait_seconds=30 if grows else 0.5)
            return crawl_sites(SEEDS, state=state, config=config, connect_to=server.connect_to)
        finally:
            monkeypatch.undo()

    def test_a_transaction_without_room_is_written_when_there_is_some(
        self, tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        report = self.crawl(tmp_path, server, monkeypatch, grows=True)

        assert (report.finished, report.pages) == (True, 61)
        assert len(server.paths()) == 62  # robots.txt and 61 pages: nothing was asked for twice

    def test_without_room_the_run_ends_and_keeps_what_was_acknowledged(
        self, tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = self.crawl(tmp_path, server, monkeypatch, grows=False)
        kept = {page.url: page.body_sha256 for page in read_pages(tmp_path) if page.body}
        crawl_sites(SEEDS, state=tmp_path, config=CONFIG, connect_to=server.connect_to)
        pages = {page.url: page.body_sha256 for page in read_pages(tmp_path)}

        assert "disk is full" in first.paused
        assert 0 < len(kept) < 61
        assert len(pages) == 61
        assert kept.items() <= pages.items()


class TestRealDisk:
    def test_a_file_system_that_fills_up_and_is_enlarged(self, tmp_path: Path) -> None:
        """D3 on a tmpfs of its own: the logs, the journal and the table find no room, each in its turn."""
        needs("unshare", "-m", "true")
        command = ["unshare", "-m", sys.executable, "-m", small_disk.__name__, str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)

        assert done.returncode == 0, done.stdout + done.stderr
        assert "paused_disk" in done.stdout


class TestLogs:
    def test_a_log_that_cannot_be_written_ends_no_crawl(self, tmp_path: Path, server: Loopback) -> None:
        (tmp_path / "progress.log").mkdir()
        report = crawl_sites(SEEDS, state=tmp_path, config=CONFIG, connect_to=server.connect_to)

        assert (report.finished, report.pages) == (True, 61)

    def test_each_line_has_its_own_moment(self, tmp_path: Path) -> None:
        """Of two pages a minute apart the second had the moment of the first."""
        logs = CrawlLogs(tmp_path)
        for minute in (1, 2):
            logs.page(datetime(2026, 11, 23, 9, minute, tzinfo=UTC), "http://a.example/", "ok")
        logs.flush()

        assert [line.split()[0] for line in (tmp_path / "progress.log").read_text().splitlines()] == [
            "2026-11-23T09:01:00Z",
            "2026-11-23T09:02:00Z",
        ]


class TestBadDisk:
    def test_an_error_of_the_disk_is_one_clear_error(
        self, tmp_path: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not a full disk but a failing one: waiting would not help."""

        def fail(store: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr("mass_pipeline.crawling.sites.store.CrawlStore._write", fail)
        with pytest.raises(StorageError, match="cannot be read"):
            crawl_sites(SEEDS, state=tmp_path, config=CrawlConfig(), connect_to=server.connect_to)
