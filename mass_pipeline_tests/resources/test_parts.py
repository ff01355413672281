"""What every lake promises, in a folder and in object storage; and what only object storage does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from mass_pipeline.model.columns import ANNOTATED_SET
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline.publishing.promises.gate import Gate
from mass_pipeline.resources.clients import build_resources
from mass_pipeline.resources.cloud_parts import CloudParts
from mass_pipeline.resources.lake import Lake, open_lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.resources.web import open_web
from mass_pipeline.storage import opening
from mass_pipeline.storage.cloud import CloudObjects
from mass_pipeline_tests.cut_line import Line
from mass_pipeline_tests.resources.test_lake import rows


def lake_of(place: Path | str, folder: Path) -> Lake:
    environ = {"MASS_PIPELINE_DATA_FOLDER": str(place)}
    if isinstance(place, str):
        environ["MASS_PIPELINE_STATE_FOLDER"] = str(folder)
    return open_lake(load_settings(environ, with_removals=False))


@pytest.fixture(params=["folder", "object storage"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    return tmp_path / "data" if request.param == "folder" else str(request.getfixturevalue("cloud"))


@pytest.fixture
def lake(place: Path | str, tmp_path: Path) -> Lake:
    return lake_of(place, tmp_path / "state")


def ids(lake: Lake, *keys: str) -> list[str]:
    return list(lake.reader(ANNOTATED_SET, keys or None).arrow(["candidate_id"]).column(0).to_pylist())


PUBLISH_FOR_EVER = """
import sys
from pathlib import Path
from mass_pipeline.model.columns import ANNOTATED_SET
from mass_pipeline.resources.cloud_parts import CloudParts
from mass_pipeline.resources.lake import Lake, table_of
lake = Lake(CloudParts(sys.argv[1], Path(sys.argv[2])))
row = dict(parish_id="p", label="mass", dated=None, source="rules", weight=1.0, n_votes=0, split="train")
contents = [table_of(ANNOTATED_SET, [{**row, "candidate_id": f"{x}{n:04}"} for n in range(500)]) for x in "ab"]
print("ready", flush=True)
while True:
    for content in contents:
        lake.publish(ANNOTATED_SET, {None: [content]})
"""


class TestEveryLake:
    def test_parts_are_replaced_and_found(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {"lodzka": [rows("a")], "gdanska": []})
        lake.publish(ANNOTATED_SET, {"lodzka": [rows("b", "c")]})

        assert lake.partitions(ANNOTATED_SET) == ["gdanska", "lodzka"]
        assert ids(lake, "gdanska", "lodzka") == ["b", "c"]
        assert len(lake.reader(ANNOTATED_SET, ["lodzka"])) == 2
        assert [schema.names for _, schema in lake.reader(ANNOTATED_SET, ["lodzka"]).schemas()] == [ANNOTATED_SET.names]

    def test_the_same_rows_give_the_same_bytes_in_every_store(self, lake: Lake, tmp_path: Path) -> None:
        (here,) = lake.publish(ANNOTATED_SET, {None: [rows("a", "b")]})
        (there,) = Lake(tmp_path / "another").publish(ANNOTATED_SET, {None: [rows("a", "b")]})

        assert here.sha256 == there.sha256

    def test_a_part_that_is_not_there_is_named_with_the_remedy(self, lake: Lake) -> None:
        assert not lake.has(ANNOTATED_SET)
        with pytest.raises(StorageError, match=r"diocese=lodzka.* is missing. Materialize annotated_set first"):
            lake.reader(ANNOTATED_SET, ["lodzka"])

    def test_rows_that_are_refused_replace_nothing_of_the_range(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {"gdanska": [rows("a")], "lodzka": [rows("b")]})

        with pytest.raises(BadInput):
            lake.publish(ANNOTATED_SET, {"gdanska": [rows("x")], "lodzka": [rows("b"), rows("a")]})

        assert ids(lake, "gdanska", "lodzka") == ["a", "b"]

    def test_a_source_that_fails_replaces_nothing_and_leaves_nothing(self, lake: Lake, tmp_path: Path) -> None:
        def broken() -> Iterator[pa.Table]:
            yield rows("a")
            raise RuntimeError("the source went away")

        with pytest.raises(RuntimeError, match="went away"):
            lake.publish(ANNOTATED_SET, {"lodzka": broken()})

        assert lake.partitions(ANNOTATED_SET) == []
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]

    def test_who_began_to_read_before_a_replacement_reads_one_table_to_its_end(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {None: [rows(*(f"a{n:04}" for n in range(5000)))]})
        chunks = lake.reader(ANNOTATED_SET).chunks(["candidate_id"])
        first = next(chunks)
        lake.publish(ANNOTATED_SET, {None: [rows("b")]})

        assert sum(chunk.num_rows for chunk in chunks) == 5000 - first.num_rows

    def test_a_run_that_was_taken_for_lost_publishes_nothing(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {"lodzka": [rows("of the second run")]}, fence=2)

        with pytest.raises(StorageError, match="published by somebody else"):
            lake.publish(ANNOTATED_SET, {"gdanska": [rows("x")], "lodzka": [rows("of the first")]}, fence=1)

        assert lake.partitions(ANNOTATED_SET) == ["lodzka"]
        assert ids(lake, "lodzka") == ["of the second run"]

    def test_it_is_refused_too_when_its_successor_publishes_while_it_writes(self, lake: Lake) -> None:
        def slow() -> Iterator[pa.Table]:
            yield rows("a")
            lake.publish(ANNOTATED_SET, {None: [rows("of the second run")]}, fence=2)

        with pytest.raises(StorageError, match="published by somebody else"):
            lake.publish(ANNOTATED_SET, {None: slow()}, fence=1)
        assert ids(lake) == ["of the second run"]

    def test_its_successor_is_not_stopped_by_it(self, lake: Lake) -> None:
        def slow() -> Iterator[pa.Table]:
            yield rows("of the second run")
            lake.publish(ANNOTATED_SET, {None: [rows("a")]}, fence=1)

        lake.publish(ANNOTATED_SET, {None: slow()}, fence=2)

        assert ids(lake) == ["of the second run"]


class TestObjectStorage:
    @pytest.fixture
    def lake(self, cloud: str, tmp_path: Path) -> Lake:
        return lake_of(cloud, tmp_path / "state")

    def test_a_writer_that_is_killed_leaves_the_old_table_or_the_new(self, lake: Lake, cloud: str, tmp_path: Path) -> None:
        lake.publish(ANNOTATED_SET, {None: [rows(*(f"a{n:04}" for n in range(500)))]})
        command = [sys.executable, "-c", PUBLISH_FOR_EVER, cloud, str(tmp_path / "state")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            for _ in range(5):
                assert len({one[0] for one in ids(lake)}) == 1
            time.sleep(0.02)
            writer.kill()

        found = ids(lake)
        assert len(found) == 500
        assert len({one[0] for one in found}) == 1

    def test_a_server_that_goes_away_during_a_publication_leaves_the_old_part(
        self, cloud: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Line(os.environ["AWS_ENDPOINT_URL"], 80) as line:
            monkeypatch.setenv("AWS_ENDPOINT_URL", line.through(os.environ["AWS_ENDPOINT_URL"]))
            lake = lake_of(cloud, tmp_path / "state")
            lake.publish(ANNOTATED_SET, {"lodzka": [rows("old")], "gdanska": [rows("old")]})

            def slow() -> Iterator[pa.Table]:
                yield rows("new")
                line.drop()

            with pytest.raises(StorageError, match="Cannot write"):
                lake.publish(ANNOTATED_SET, {"gdanska": [rows("new")], "lodzka": slow()})
            line.mend()

            assert ids(lake, "gdanska", "lodzka") == ["old", "old"]
            lake.publish(ANNOTATED_SET, {"gdanska": [rows("new")], "lodzka": [rows("new")]})
            assert ids(lake, "gdanska", "lodzka") == ["new", "new"]

    def test_without_a_fence_who_was_quicker_wins(self, lake: Lake) -> None:
        def slow() -> Iterator[pa.Table]:
            yield rows("a")
            lake.publish(ANNOTATED_SET, {None: [rows("quicker")]})

        with pytest.raises(StorageError, match="published by somebody else"):
            lake.publish(ANNOTATED_SET, {None: slow()})
        assert ids(lake) == ["quicker"]

    def test_a_damaged_part_is_refused_by_name(self, lake: Lake, cloud: str) -> None:
        lake.publish(ANNOTATED_SET, {None: [rows(*(f"{n:05}" for n in range(500)))]})
        objects = CloudObjects(cloud)
        (name,) = [one for one in objects.names("lake") if one.endswith(".parquet")]
        known = objects.read(name)
        assert known is not None
        content = bytearray(known.data)
        content[300] ^= 0xFF
        objects.put(name, bytes(content))

        with pytest.raises(StorageError, match=r"part-\w+.parquet cannot be read .* Materialize that partition again"):
            lake.reader(ANNOTATED_SET).arrow()

    def test_a_part_that_was_replaced_long_ago_goes(self, lake: Lake, cloud: str, monkeypatch: pytest.MonkeyPatch) -> None:
        from mass_pipeline.resources import cloud_parts

        for letter in "ab":
            lake.publish(ANNOTATED_SET, {None: [rows(letter)]})
        objects = CloudObjects(cloud)
        assert sum(one.endswith(".parquet") for one in objects.names("lake")) == 2
        monkeypatch.setattr(cloud_parts, "_KEPT", -cloud_parts._KEPT)
        lake.publish(ANNOTATED_SET, {None: [rows("c")]})

        assert sum(one.endswith(".parquet") for one in objects.names("lake")) == 1
        assert ids(lake) == ["c"]

    def test_a_disk_without_room_for_what_goes_out_is_named(self, cloud: str, tmp_path: Path) -> None:
        (tmp_path / "state").write_text("a file where the folder should be")

        with pytest.raises(StorageError, match="Check the folder and its rights"):
            lake_of(cloud, tmp_path / "state").publish(ANNOTATED_SET, {None: [rows("a")]})

    def test_nothing_is_opened_before_a_run_begins(self, cloud: str, tmp_path: Path) -> None:
        """Workers load the definitions and fork: the client's threads would not live on in the child."""
        opening._cloud.cache_clear()
        environ = {"MASS_PIPELINE_DATA_FOLDER": cloud, "MASS_PIPELINE_STATE_FOLDER": str(tmp_path)}
        settings = load_settings(environ, with_removals=False)
        lake = open_lake(settings)
        build_resources(settings, lake, open_web, Gate(lake, settings, []))

        assert opening._cloud.cache_info().currsize == 0
        assert isinstance(lake._parts, CloudParts)
        assert lake._parts._opened is None
