"""Crawl state that follows its diocese from machine to machine."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mass_pipeline.model.errors import StorageError
from mass_pipeline.resources.crawl_snapshots import CrawlSnapshots
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.storage.cloud import CloudObjects


def machine(cloud: str, folder: Path) -> CrawlSnapshots:
    environ = {"MASS_PIPELINE_DATA_FOLDER": cloud, "MASS_PIPELINE_STATE_FOLDER": str(folder)}
    return CrawlSnapshots.of(load_settings(environ, with_removals=False))


def learn(one: CrawlSnapshots, word: str, diocese: str = "lodzka") -> None:
    """What a crawl does: it adds to the state, and leaves it as one file."""
    (one.folder / diocese).mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(one.folder / diocese / "crawl.sqlite")) as state, state:
        state.execute("CREATE TABLE IF NOT EXISTS pages (word TEXT)")
        state.execute("INSERT INTO pages VALUES (?)", (word,))


def known(one: CrawlSnapshots, diocese: str = "lodzka") -> list[str]:
    with closing(sqlite3.connect(one.folder / diocese / "crawl.sqlite")) as state:
        return [str(row[0]) for row in state.execute("SELECT word FROM pages ORDER BY 1")]


class TestCrawlSnapshots:
    def test_another_machine_goes_on_where_the_first_one_ended(self, cloud: str, tmp_path: Path) -> None:
        first, second = machine(cloud, tmp_path / "1"), machine(cloud, tmp_path / "2")
        assert not first.fetch("lodzka")
        learn(first, "a")
        first.keep("lodzka")

        assert second.fetch("lodzka")
        learn(second, "b")
        second.keep("lodzka")

        assert first.fetch("lodzka")
        assert known(first) == ["a", "b"]
        assert first.dioceses() == ["lodzka"]
        assert len(CloudObjects(cloud).names("state/crawl")) == 2

    def test_what_a_machine_learnt_since_its_own_copy_stays(self, cloud: str, tmp_path: Path) -> None:
        """A run that was interrupted goes on from its own state, which is newer than the copy."""
        one = machine(cloud, tmp_path)
        one.fetch("lodzka")
        learn(one, "a")
        one.keep("lodzka")
        learn(one, "b")

        assert not machine(cloud, tmp_path).fetch("lodzka")
        assert known(one) == ["a", "b"]

    def test_a_run_that_was_taken_for_lost_is_refused(self, cloud: str, tmp_path: Path) -> None:
        lost, successor = machine(cloud, tmp_path / "1"), machine(cloud, tmp_path / "2")
        for one in (lost, successor):
            one.fetch("lodzka")
        learn(successor, "of the second")
        successor.keep("lodzka")
        learn(lost, "of the first")

        with pytest.raises(StorageError, match="another run has crawled it"):
            lost.keep("lodzka")
        third = machine(cloud, tmp_path / "3")
        third.fetch("lodzka")
        assert known(third) == ["of the second"]

    def test_a_damaged_copy_is_named_and_the_local_state_stays(self, cloud: str, tmp_path: Path) -> None:
        one, other = machine(cloud, tmp_path / "1"), machine(cloud, tmp_path / "2")
        learn(one, "a")
        one.keep("lodzka")
        learn(other, "b")
        objects = CloudObjects(cloud)
        (name,) = [found for found in objects.names("state/crawl") if found.endswith(".zst")]
        objects.put(name, b"rubbish")

        with pytest.raises(StorageError, match="is damaged"):
            other.fetch("lodzka")
        assert known(other) == ["b"]

    def test_one_machine_copies_nothing(self, tmp_path: Path) -> None:
        one = CrawlSnapshots.of(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)}, with_removals=False))
        learn(one, "a")
        one.keep("lodzka")

        assert not one.fetch("lodzka")
        assert one.dioceses() == []
        assert [path.name for path in (one.folder / "lodzka").iterdir()] == ["crawl.sqlite"]
