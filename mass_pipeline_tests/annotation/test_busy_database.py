"""A database that others hold, and one that others may not read: what the page says, and the mode of the files."""

from __future__ import annotations

import sqlite3
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from mass_pipeline.annotation.database import PROMPT_SECONDS
from mass_pipeline.annotation.store import open_store
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.annotation.support import START, Clock, begun, item, quick


class TestHeldLock:
    def test_a_vote_is_told_within_seconds_to_come_again(self, tmp_path: Path) -> None:
        """F13: it answered 500 after half a minute."""
        file = tmp_path / "annotation.db"
        store = open_store(f"sqlite:///{file}", quick(), busy_seconds=0.2)
        person = begun(store, Clock(), item(1), item(2))
        form = person.form()
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        try:
            busy = person.post("/vote", answer="yes", **form)
        finally:
            holder.execute("ROLLBACK")
            holder.close()

        assert busy.status_code == 503
        assert int(busy.headers["retry-after"]) <= 3
        assert PROMPT_SECONDS < 3
        assert len(store.votes()) == 0
        assert person.post("/vote", answer="yes", **form).status_code == 303
        assert len(store.votes()) == 1
        store.close()


class TestFiles:
    def test_only_the_owner_reads_the_database(self, tmp_path: Path) -> None:
        """F16: also a file that an earlier version left readable."""
        file = tmp_path / "deep" / "annotation.db"
        for _ in range(2):
            store = open_store(f"sqlite:///{file}")
            store.add_items([item(1)], now=START + timedelta(days=1))
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
            store.close()

            assert set(modes.values()) == {0o600}, modes
            file.chmod(0o644)

    def test_a_folder_that_is_a_file_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "folder").write_text("")

        with pytest.raises(StorageError, match="cannot be opened"):
            open_store(f"sqlite:///{tmp_path / 'folder' / 'a.db'}")
