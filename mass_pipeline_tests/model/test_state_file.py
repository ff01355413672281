"""One contract for every SQLite state: how it opens, what a death or a full disk leaves, and how it fails."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from mass_pipeline.crawling.fetching import host_table
from mass_pipeline.crawling.state.schema import FORMATS as CRAWLING
from mass_pipeline.gathering import state as discovery
from mass_pipeline.model.errors import DiskFull, StorageError
from mass_pipeline.model.state_file import StateFormat, lock_folder, open_for_reading, open_state, state_error, transaction
from mass_pipeline.resources import alerts
from mass_pipeline_tests.shared import ROOT

FORMATS: Final = {
    "alerts": alerts.TOLD,
    "discovery": discovery.FORMAT,
    "hosts of all runs": host_table.FORMAT,
    **CRAWLING,
}
# Written once and never changed, or in memory: no states.
NO_STATES: Final = re.compile(r"finding/(?:index/|formats/dumps)|:memory:|publishing/removal\.py|operations/backup\.py")


@pytest.fixture(params=sorted(FORMATS))
def kind(request: pytest.FixtureRequest) -> StateFormat:
    return FORMATS[request.param]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "state.sqlite"


def grow(connection: sqlite3.Connection, bytes_more: int = 100_000) -> None:
    """A table that no state has, with so many bytes in it."""
    connection.execute("CREATE TABLE more(body BLOB)")
    connection.execute("INSERT INTO more VALUES(zeroblob(?))", (bytes_more,))


def tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")}


class TestOpening:
    def test_it_is_made_with_its_folder_and_opened_again_as_it_is(self, kind: StateFormat, path: Path) -> None:
        with closing(open_state(path, kind)) as first:
            made = tables(first)
        with closing(open_state(path, kind)) as second:
            assert tables(second) == made != set()
            assert second.execute("PRAGMA user_version").fetchone() == (kind.version,)
            assert second.execute("PRAGMA journal_mode").fetchone() == (kind.journal.lower(),)
            assert second.execute("PRAGMA synchronous").fetchone() == (2 if kind.synchronous == "FULL" else 0,)
            assert second.execute("PRAGMA secure_delete").fetchone()[0] in ((1,) if kind.secure_delete else (0, 1, 2))

    def test_two_that_open_a_new_one_at_once_both_get_it(self, kind: StateFormat, path: Path) -> None:
        with closing(open_state(path, kind)) as first, closing(open_state(path, kind)) as second:
            assert tables(first) == tables(second)

    def test_a_newer_one_is_refused_untouched(self, kind: StateFormat, path: Path) -> None:
        with closing(open_state(path, kind)) as connection:
            connection.execute(f"PRAGMA user_version={kind.version + 1}")
        before = path.read_bytes()

        with pytest.raises(StorageError, match="newer version"):
            open_state(path, kind)
        assert path.read_bytes() == before

    def test_a_file_that_is_no_database_is_refused_untouched(self, kind: StateFormat, path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"no database at all " * 500)

        with pytest.raises(StorageError, match="cannot be read"):
            open_state(path, kind)
        assert path.read_bytes() == b"no database at all " * 500

    def test_a_folder_that_is_a_file_is_named(self, kind: StateFormat, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(StorageError, match="cannot be written"):
            open_state(tmp_path / "file" / "state.sqlite", kind)

    def test_what_is_not_there_cannot_be_read(self, kind: StateFormat, path: Path) -> None:
        with pytest.raises(StorageError, match="does not exist"):
            open_for_reading(path, kind)


class TestChanging:
    def test_a_full_disk_is_told_as_such_and_keeps_what_was_there(self, kind: StateFormat, path: Path) -> None:
        with closing(open_state(path, kind)) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count={pages + 2}")

            with pytest.raises(DiskFull, match="free space"), transaction(connection, path, kind):
                grow(connection)
            assert not connection.in_transaction
            assert "more" not in tables(connection)

            connection.execute("PRAGMA max_page_count=100000")
            with transaction(connection, path, kind):
                grow(connection)
            assert "more" in tables(connection)

    def test_an_error_of_the_caller_undoes_everything_and_stays_what_it_is(self, kind: StateFormat, path: Path) -> None:
        with closing(open_state(path, kind)) as connection:
            with pytest.raises(OSError), transaction(connection, path, kind):
                (path / str(grow(connection))).read_text()

            assert "more" not in tables(connection)

    def test_another_that_writes_is_waited_for_no_longer_than_allowed(self, kind: StateFormat, path: Path) -> None:
        hasty = replace(kind, busy_seconds=0.05)
        with (
            closing(open_state(path, kind)) as one,
            closing(open_state(path, hasty)) as other,
            transaction(one, path, kind),
            pytest.raises(StorageError, match="locked by another program"),
            transaction(other, path, hasty),
        ):
            pass

    def test_a_process_that_dies_in_a_transaction_leaves_nothing_of_it(self, kind: StateFormat, path: Path) -> None:
        with closing(open_state(path, kind)) as connection:
            before = tables(connection)
        dying = (
            "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE'); "
            "c.execute('CREATE TABLE more(body BLOB)'); c.execute('INSERT INTO more VALUES(zeroblob(9000000))'); os._exit(9)"
        )

        assert subprocess.run([sys.executable, "-I", "-S", "-c", dying, str(path)], check=False).returncode == 9
        with closing(open_state(path, kind)) as connection:
            assert tables(connection) == before


class TestLocking:
    def test_one_process_works_in_a_folder_and_the_next_is_told_which_kind_of_work_it_is(self, tmp_path: Path) -> None:
        held = lock_folder(tmp_path / "new", user="watch")
        try:
            with pytest.raises(StorageError, match="another watch is using this state"):
                lock_folder(tmp_path / "new", user="watch")
        finally:
            os.close(held)
        os.close(lock_folder(tmp_path / "new"))


class TestErrors:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ("database or disk is full", "free space"),
            ("attempt to write a readonly database", "permissions"),
            ("unable to open database file", "permissions"),
            ("database is locked", "Close it"),
            ("database disk image is malformed", "Restore a copy"),
        ],
    )
    def test_every_error_names_the_file_and_the_remedy(self, kind: StateFormat, words: str, said: str) -> None:
        error = state_error(Path("/data/state.sqlite"), sqlite3.OperationalError(words), kind)

        assert "/data/state.sqlite" in str(error)
        assert said in str(error)
        assert isinstance(error, DiskFull) == ("full" in words)

    def test_a_fault_of_the_program_is_no_damage(self, kind: StateFormat) -> None:
        """Who moves a sound ledger away pays for look-ups again."""
        error = state_error(Path("/data/state.sqlite"), sqlite3.IntegrityError("UNIQUE constraint failed: editions.name"), kind)

        assert "leave it where it is" in str(error)
        assert "move it away" not in str(error).lower()


class TestOneWay:
    def test_no_other_module_opens_a_state(self) -> None:
        """Each had its own way, and its own answer to a full disk."""
        found = {
            str(path.relative_to(ROOT))
            for path in (ROOT / "mass_pipeline").rglob("*.py")
            for line in path.read_text().splitlines()
            if "sqlite3.connect(" in line and not NO_STATES.search(f"{path.relative_to(ROOT)} {line}")
        }

        assert found == {"mass_pipeline/model/state_file.py"}
