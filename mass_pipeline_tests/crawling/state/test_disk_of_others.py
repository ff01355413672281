"""A full disk pauses watch and link collection as it pauses a crawl: nothing is asked for twice, nothing acknowledged is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.pages.relevance import load_topic, topic_path
from mass_pipeline.crawling.watching.config import PollingConfig, WatchConfig
from mass_pipeline.crawling.watching.engine import watch_sites
from mass_pipeline.crawling.watching.sites import WatchedList, WatchedSite
from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.link_collection.collector import collect_links
from mass_pipeline.laboratory.link_collection.reading import read_links
from mass_pipeline.laboratory.link_collection.records import CollectionSettings
from mass_pipeline.laboratory.link_collection.store import LinkStore
from mass_pipeline.laboratory.link_collection.target_set import add_site
from mass_pipeline.model import state_file
from mass_pipeline.model.errors import DiskFull
from mass_pipeline.model.state_file import StateFormat
from mass_pipeline_tests.crawling.conftest import QUICK
from mass_pipeline_tests.crawling.loopback import Loopback, Page, links
from mass_pipeline_tests.crawling.state.test_disk import progress

SITE = {"/": Page(links(*(f"/{n}" for n in range(6))))} | {f"/{n}": Page(f"<p>{n} " + "Msza 9.00 " * 800) for n in range(6)}


def collect(state: Path, server: Loopback, config: CrawlConfig) -> None:
    with LinkStore(state, create=True) as store:
        add_site(store, "a.example")
    settings = CollectionSettings(policy="sequential", max_level=1, budget_pages=50)
    collect_links(state, settings, config=config, bandits=LinkBanditConfig(), connect_to=server.connect_to)


def watch(state: Path, server: Loopback, config: CrawlConfig) -> None:
    watch_sites(
        [WatchedSite("a", "http://a.example/", lists=(WatchedList("http://a.example/"),))],
        state=state,
        topic=load_topic(topic_path("services")),
        read_article=read_article,
        crawl=config,
        watch=WatchConfig(),
        polling=PollingConfig(),
        connect_to=server.connect_to,
        once=True,
    )


@pytest.fixture(params=[collect, watch])
def run(request: pytest.FixtureRequest) -> Callable[[Path, Loopback, CrawlConfig], None]:
    user: Callable[[Path, Loopback, CrawlConfig], None] = request.param
    return user


class TestTooLittleRoom:
    def test_it_pauses_until_there_is_more(
        self, run: Callable[[Path, Loopback, CrawlConfig], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looks: list[int] = []
        with Loopback({"a.example": SITE}) as server:

            def free(folder: Path) -> int:
                looks.append(len(server.requests))
                return 10 if len(looks) < 3 else 10_000

            monkeypatch.setattr("mass_pipeline.crawling.state.disk.RoomWatch.__init__.__defaults__", (free,))
            run(tmp_path, server, replace(QUICK, min_free_bytes=1000))

        assert [word for word in progress(tmp_path) if word in ("paused_disk", "resumed")] == ["paused_disk", "resumed"]
        assert looks[:3] == [0, 0, 0]
        assert len(server.paths()) == 8  # robots.txt and seven pages

    def test_a_wait_that_gets_too_long_ends_the_run(
        self, run: Callable[[Path, Loopback, CrawlConfig], None], tmp_path: Path
    ) -> None:
        config = replace(QUICK, min_free_bytes=1 << 60, max_disk_wait_seconds=0.3)
        with Loopback({"a.example": SITE}) as server, pytest.raises(DiskFull, match="MB wanted"):
            run(tmp_path, server, config)

        assert server.requests == []


Check = Callable[[sqlite3.Connection, Path], None] | None


class TestFullTransactions:
    """A page limit of SQLite stands in for the disk; both give the same error. It is lifted when a pause was told."""

    def test_a_turn_of_the_collection_is_written_when_there_is_room(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened: list[sqlite3.Connection] = []
        real = state_file.open_state

        def small(path: Path, kind: StateFormat, check: Check) -> sqlite3.Connection:
            opened.append(real(path, kind, check=check))
            return opened[-1]

        def free(folder: Path) -> int:
            log = folder / "progress.log"
            grown = log.exists() and "paused_disk" in log.read_text()
            pages = opened[-1].execute("PRAGMA page_count").fetchone()[0]
            opened[-1].execute(f"PRAGMA max_page_count={100_000 if grown else pages}")
            return 1 << 40

        monkeypatch.setattr(state_file, "open_state", small)
        monkeypatch.setattr("mass_pipeline.crawling.state.disk.RoomWatch.__init__.__defaults__", (free,))
        many = {"/": Page(links(*(f"/{'x' * 200}{n}" for n in range(300))))}
        with Loopback({"a.example": many}) as server:
            collect(tmp_path, server, replace(QUICK, max_query_variants=1000, max_pages_per_prefix=1000))
        with LinkStore(tmp_path) as store:
            found = read_links(store, "internal")

        assert progress(tmp_path)[:2] == ["paused_disk", "resumed"]
        assert server.paths().count("/") == 1
        assert len(found) == 301

    def test_the_watch_takes_the_turn_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        opened: list[sqlite3.Connection] = []
        real = state_file.open_state

        def small(path: Path, kind: StateFormat, check: Check) -> sqlite3.Connection:
            opened.append(real(path, kind, check=check))
            (pages,) = opened[-1].execute("PRAGMA page_count").fetchone()
            opened[-1].execute(f"PRAGMA max_page_count={pages + 4}")
            return opened[-1]

        def free(folder: Path) -> int:
            if "paused_disk" in progress(folder) if (folder / "progress.log").exists() else False:
                opened[-1].execute("PRAGMA max_page_count=100000")
            return 1 << 40

        monkeypatch.setattr(state_file, "open_state", small)
        monkeypatch.setattr("mass_pipeline.crawling.state.disk.RoomWatch.__init__.__defaults__", (free,))
        with Loopback({"a.example": SITE}) as server:
            watch(tmp_path, server, QUICK)

        assert [word for word in progress(tmp_path) if word in ("paused_disk", "resumed")] == ["paused_disk", "resumed"]
        assert {f"/{n}" for n in range(6)} <= set(server.paths())
