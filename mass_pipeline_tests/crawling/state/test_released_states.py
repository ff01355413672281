"""States that the release 0.1.0 wrote (`states-v0.1.0.zip`: three parishes crawled, collected from, watched) are gone on with."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.crawling.state import link_tables as links
from mass_pipeline.crawling.state import schema as pages
from mass_pipeline.crawling.state.tables import TABLES, find_host
from mass_pipeline.crawling.watching import database as watch
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import open_state
from mass_pipeline_tests.crawling.conftest import QUICK
from mass_pipeline_tests.crawling.loopback import Loopback
from mass_pipeline_tests.crawling.users import USERS

ARCHIVE = Path(__file__).parent / "states-v0.1.0.zip"
STATES = {
    "crawl": (pages.FILE_NAME, pages.FORMAT),
    "links": (links.FILE_NAME, links.FORMAT),
    "watch": (watch.FILE_NAME, watch.FORMAT),
}


@pytest.fixture
def released(tmp_path: Path) -> Callable[[str], Path]:
    """`released(user)`: a folder with its state of the release."""

    def unpack(user: str) -> Path:
        with zipfile.ZipFile(ARCHIVE) as archive:
            archive.extract(STATES[user][0], tmp_path)
        return tmp_path

    return unpack


def columns(connection: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    tables = [
        name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'")
    ]
    read = "SELECT name,type,pk FROM pragma_table_info(?)"
    return {table: [tuple(row) for row in connection.execute(read, (table,))] for table in tables}


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as connection:
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in columns(connection)}


class TestOfTheRelease:
    @pytest.mark.parametrize("user", STATES)
    def test_they_become_what_a_new_one_is_and_lose_no_row(self, released: Callable[[str], Path], user: str) -> None:
        name, kind = STATES[user]
        path = released(user) / name
        before = counts(path)
        with closing(open_state(path, kind)) as connection, closing(sqlite3.connect(":memory:")) as fresh:
            fresh.executescript(kind.tables)
            assert columns(connection) == columns(fresh)
        after = counts(path)
        before["meta"] = before.pop("control", 0) + before.get("meta", 0)

        assert after == before

    @pytest.mark.parametrize("user", STATES)
    def test_hosts_are_remembered_alike(self, released: Callable[[str], Path], user: str) -> None:
        """One table for crawl, links and watch."""
        name, kind = STATES[user]
        with closing(open_state(released(user) / name, kind)) as connection, closing(sqlite3.connect(":memory:")) as common:
            common.executescript(TABLES)
            assert {table: columns(connection)[table] for table in columns(common)} == columns(common)
            origin = connection.execute("SELECT origin FROM hosts").fetchone()[0]
            host = find_host(connection, origin)

        assert host is not None
        assert host.origin == origin
        assert host.robots_state == "absent"

    @pytest.mark.parametrize("user", STATES)
    def test_going_on_ends_as_a_run_from_the_beginning_does(
        self, released: Callable[[str], Path], user: str, tmp_path: Path
    ) -> None:
        folder, work = released(user), USERS[user]
        with Loopback(work.sites) as server:
            assert work.run(folder, server.connect_to, QUICK) == work.run(tmp_path / "fresh", server.connect_to, QUICK)

    def test_lists_looked_at_once_are_planned_by_the_days_of_their_archive(self, released: Callable[[str], Path]) -> None:
        """The release looked at them days later, when what they had announced was over."""
        with closing(open_state(released("watch") / watch.FILE_NAME, watch.FORMAT)) as connection:
            lists = connection.execute("SELECT polled_at, articles, published, next_at FROM lists").fetchall()
            sites = connection.execute("SELECT DISTINCT next_at FROM sites").fetchall()

        assert lists == [(None, None, json.dumps([f"2026-11-{day}" for day in range(15, 21)], separators=(",", ":")), 0.0)] * 3
        assert sites == [(0.0,)]


def test_an_upgrade_that_dies_half_way_leaves_the_released_format(released: Callable[[str], Path]) -> None:
    path = released("links") / links.FILE_NAME
    upgrade = links.FORMAT.upgrades[2] + "SELECT x FROM nothing;"
    broken = replace(links.FORMAT, upgrades={**links.FORMAT.upgrades, 2: upgrade})
    with pytest.raises(StorageError):
        open_state(path, broken)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("SELECT count(*) FROM control").fetchone()[0] > 0
