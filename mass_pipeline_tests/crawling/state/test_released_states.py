"""States that the release 0.2.0 wrote (`states-v0.2.0.zip`: three parishes crawled, collected from, watched) are gone on with."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mass_pipeline.crawling import read_pages
from mass_pipeline.crawling.fetching.scope import OptOuts
from mass_pipeline.crawling.state.database import StateDatabase
from mass_pipeline.crawling.state.erasing import erase, erasing
from mass_pipeline.crawling.state.schema import CRAWL_FILE, FORMATS, LINKS_FILE, WATCH_FILE, open_for_reading
from mass_pipeline.crawling.watching.store import read_announcements_of, searched_sites
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import open_state
from mass_pipeline_tests.crawling.loopback import Loopback
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.crawling.users import USERS

ARCHIVE = Path(__file__).parent / "states-v0.2.0.zip"
STATES = {"crawl": CRAWL_FILE, "links": LINKS_FILE, "watch": WATCH_FILE}


@pytest.fixture
def released(tmp_path: Path) -> Callable[[str], Path]:
    """`released(user)`: a folder with its state of the release."""

    def unpack(user: str) -> Path:
        with zipfile.ZipFile(ARCHIVE) as archive:
            archive.extract(STATES[user], tmp_path)
        return tmp_path

    return unpack


def rows(path: Path) -> dict[str, int]:
    """Table -> rows, of those that have any."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'").fetchall()
        counts = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for (name,) in names}
    return {name: count for name, count in counts.items() if count}


def description(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    """Every column of every table with what it may hold, and every index."""
    read = (
        'SELECT m.name, c.name, c.type, c.pk, c."notnull", c.dflt_value FROM sqlite_master m, pragma_table_info(m.name) c '
        "WHERE m.type IN ('table','index') AND m.name NOT LIKE 'sqlite_%'"
    )
    return {tuple(row) for row in connection.execute(read)}


class TestOfTheRelease:
    @pytest.mark.parametrize("user", STATES)
    def test_they_become_what_a_new_one_is_and_lose_no_row(self, released: Callable[[str], Path], user: str) -> None:
        path = released(user) / STATES[user]
        before = rows(path)
        with StateDatabase(path.parent, path.name) as state, closing(sqlite3.connect(":memory:")) as fresh:
            fresh.executescript(FORMATS[CRAWL_FILE].tables)  # one schema, whoever writes
            assert description(state.connection) == description(fresh)

        assert rows(path) == before

    @pytest.mark.parametrize("user", STATES)
    def test_hosts_are_remembered_alike(self, released: Callable[[str], Path], user: str) -> None:
        with StateDatabase(released(user), STATES[user]) as state:
            origin = state.connection.execute("SELECT origin FROM hosts").fetchone()[0]
            grant = state.load_host(origin, 0.0)

        assert [(rules.origin, rules.robots_state) for rules in grant.rules] == [(origin, "absent")]

    @pytest.mark.parametrize("user", STATES)
    def test_going_on_ends_as_a_run_from_the_beginning_does(
        self, released: Callable[[str], Path], user: str, tmp_path: Path
    ) -> None:
        folder, work = released(user), USERS[user]
        with Loopback(work.sites) as server:
            assert work.run(folder, server.connect_to, QUICK) == work.run(tmp_path / "fresh", server.connect_to, QUICK)

    @pytest.mark.parametrize("user", STATES)
    def test_one_eraser_forgets_a_host_in_each(self, released: Callable[[str], Path], user: str) -> None:
        path = released(user) / STATES[user]
        with closing(open_for_reading(path.parent, path.name)) as connection:
            host = connection.execute("SELECT origin FROM hosts").fetchone()[0].partition("://")[2]
        assert host.encode() in path.read_bytes()
        with erasing(path) as connection:
            assert erase(connection, OptOuts.of([host], [])) > 0
            left = connection.execute(
                "SELECT url FROM urls UNION SELECT url FROM lists UNION SELECT url FROM articles UNION SELECT origin FROM hosts "
                "UNION SELECT url FROM internal_links UNION SELECT url FROM watched_sites UNION SELECT start_url FROM sites"
            ).fetchall()

        assert left
        assert not [url for (url,) in left if url.partition("://")[2].partition("/")[0] == host]

    def test_they_are_read_before_anybody_goes_on(self, released: Callable[[str], Path]) -> None:
        assert [page.outcome for page in read_pages(released("crawl"))]
        assert searched_sites(released("watch"))
        assert list(read_announcements_of(released("watch")))

    def test_one_from_before_the_release_is_refused_untouched(self, released: Callable[[str], Path]) -> None:
        path = released("crawl") / CRAWL_FILE
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version=4")
        before = path.read_bytes()
        with pytest.raises(StorageError, match=r"before 0\.2\.0"):
            open_state(path, FORMATS[CRAWL_FILE])

        assert path.read_bytes() == before
