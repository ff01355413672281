"""What every lake promises, in a folder and in object storage; and what only one of the two does."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mass_pipeline.model.columns import ANNOTATED_SET, MASS_SCHEDULES
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline.publishing.promises.gate import Gate
from mass_pipeline.resources import cloud_parts
from mass_pipeline.resources.clients import build_resources
from mass_pipeline.resources.lake import Lake, open_lake, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.resources.web import open_web
from mass_pipeline.storage import opening
from mass_pipeline.storage.cloud import CloudObjects
from mass_pipeline_tests.cut_line import Line
from mass_pipeline_tests.resources import publication_deaths
from mass_pipeline_tests.shared import needs

ROW = {"parish_id": "p1", "label": "mass", "dated": None, "source": "rules", "weight": 1.0, "n_votes": 0, "split": "train"}


def rows(*ids: str) -> pa.Table:
    return table_of(ANNOTATED_SET, [{**ROW, "candidate_id": one} for one in ids])


def many(letter: str = "", count: int = 500) -> pa.Table:
    return rows(*(f"{letter}{n:05}" for n in range(count)))


def lake_of(place: str, state: Path | str) -> Lake:
    """A folder, or an address in object storage."""
    environ = {"DATA_FOLDER": place, **({"STATE_FOLDER": str(state)} if "://" in place else {})}
    return open_lake(load_settings({f"MASS_PIPELINE_{name}": value for name, value in environ.items()}, with_removals=False))


@pytest.fixture(params=["folder", "object storage"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "data" if request.param == "folder" else request.getfixturevalue("cloud"))


@pytest.fixture
def lake(place: str, tmp_path: Path) -> Lake:
    return lake_of(place, tmp_path / "state")


def ids(lake: Lake, *keys: str) -> list[str]:
    return list(lake.reader(ANNOTATED_SET, keys or None).arrow(["candidate_id"]).column(0).to_pylist())


def files_of(lake: Lake) -> set[str]:
    return {str(path.relative_to(lake.root)) for path in lake.root.rglob("*")}


def publish_for_ever(place: str, state: str) -> None:
    """Replace one table again and again, by one of two contents, until somebody ends the process."""
    lake, contents = lake_of(place, state), [many(letter, 2000) for letter in "ab"]
    print("ready", flush=True)
    while True:
        for content in contents:
            lake.publish(ANNOTATED_SET, {None: [content]})


class TestRowsBecomeATypedTable:
    def test_rows_are_sorted_by_the_key_of_the_table(self) -> None:
        assert rows("b", "c", "a").column("candidate_id").to_pylist() == ["a", "b", "c"]

    def test_no_rows_give_all_columns_with_their_types(self) -> None:
        assert table_of(ANNOTATED_SET, []).schema == ANNOTATED_SET.schema

    def test_keys_with_lists_and_empty_values_have_an_order_too(self) -> None:
        base = dict.fromkeys(MASS_SCHEDULES.names, "")
        base |= {"confidence": 1.0, "fetched_at": None, "checked_at": None, "valid_from": None, "valid_to": None, "nth": None}
        made = table_of(
            MASS_SCHEDULES, [{**base, "days": ["Su"], "nth": [1]}, {**base, "days": ["Mo"]}, {**base, "days": ["Su"]}]
        )

        assert list(zip(made.column("days").to_pylist(), made.column("nth").to_pylist(), strict=True)) == [
            (["Mo"], None),
            (["Su"], None),
            (["Su"], [1]),
        ]

    def test_a_value_of_another_type_is_refused_by_name_of_the_table(self) -> None:
        with pytest.raises(BadInput, match="annotated_set: a value does not fit"):
            table_of(ANNOTATED_SET, [{**ROW, "candidate_id": "a", "n_votes": "many"}])

    def test_an_empty_value_in_a_column_that_needs_one_is_refused_by_name(self) -> None:
        with pytest.raises(BadInput, match="column label"):
            table_of(ANNOTATED_SET, [{**ROW, "candidate_id": "a", "label": None}])


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

    @pytest.mark.parametrize(("second", "fault"), [("a", "out of order"), ("b", "twice")])
    def test_rows_that_are_refused_replace_nothing_of_the_range(self, lake: Lake, second: str, fault: str) -> None:
        lake.publish(ANNOTATED_SET, {"gdanska": [rows("a")], "lodzka": [rows("b")]})

        with pytest.raises(BadInput, match=f"'{second}'}} stands {fault}"):
            lake.publish(ANNOTATED_SET, {"gdanska": [rows("x")], "lodzka": [rows("b"), rows(second)]})

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
        lake.publish(ANNOTATED_SET, {None: [many("a", 5000)]})
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

    @pytest.mark.parametrize("kills", [4, pytest.param(10, marks=pytest.mark.soak)])
    def test_a_writer_that_is_killed_leaves_the_old_table_or_the_new(
        self, lake: Lake, place: str, tmp_path: Path, kills: int
    ) -> None:
        """Four kills -9 (ten in the long tests) at different moments of writing, syncing and replacing."""
        lake.publish(ANNOTATED_SET, {None: [many("a", 2000)]})
        call = f"from {__name__} import publish_for_ever; import sys; publish_for_ever(*sys.argv[1:])"
        for kill in range(kills):
            command = [sys.executable, "-c", call, place, str(tmp_path / "state")]
            with subprocess.Popen(command, stdout=subprocess.PIPE, env=dict(os.environ)) as writer:
                assert writer.stdout is not None
                assert writer.stdout.readline() == b"ready\n"
                meanwhile = ids(lake)
                time.sleep(0.13 / kills * (kill + 1))
                writer.kill()

            for found in (meanwhile, ids(lake)):
                assert len(found) == 2000
                assert len({one[0] for one in found}) == 1

    def test_a_disk_that_cannot_be_written_is_named(self, place: str, tmp_path: Path) -> None:
        folder = tmp_path / ("state" if "://" in place else "data")
        folder.write_text("a file where the folder should be")

        with pytest.raises(StorageError, match="Check the folder and its rights"):
            lake_of(place, folder).publish(ANNOTATED_SET, {None: [rows("a")]})

    def test_only_the_columns_asked_for_are_read(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {None: [rows("a")]})

        assert list(lake.reader(ANNOTATED_SET).rows(["label"])) == [{"label": "mass"}]

    def test_large_parts_come_in_small_chunks(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {None: [many(count=5000)]})

        assert [chunk.num_rows for chunk in lake.reader(ANNOTATED_SET).chunks()] == [2000, 2000, 1000]

    def test_an_empty_partition_is_an_empty_table_with_all_columns(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {"lodzka": []})

        frame = lake.reader(ANNOTATED_SET, ["lodzka"]).frame()
        assert ANNOTATED_SET.names == list(frame.columns)
        assert frame.empty


class TestFolder:
    @pytest.fixture
    def place(self, tmp_path: Path) -> str:
        return str(tmp_path)

    def test_a_partition_is_a_folder_with_one_parquet_file(self, lake: Lake) -> None:
        (part,) = lake.publish(ANNOTATED_SET, {"lodzka": [rows("a")]})

        assert lake.root / "annotated_set/diocese=lodzka/part-0.parquet" == part.path
        assert pq.read_schema(part.path).remove_metadata() == ANNOTATED_SET.schema.remove_metadata()

    def test_leftovers_of_a_dead_writer_are_removed(self, lake: Lake) -> None:
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        host = socket.gethostname().replace(".", "-")
        lake.publish(ANNOTATED_SET, {None: [rows("a")]})
        stale = lake.path(ANNOTATED_SET).parent / f".part-0.parquet.{host}.{ended.pid}.00ff.tmp"
        stale.write_bytes(b"half")

        lake.publish(ANNOTATED_SET, {None: [rows("a")]})

        assert {"annotated_set", "annotated_set/part-0.parquet"} == files_of(lake)

    def test_what_another_machine_writes_into_a_shared_folder_is_left_alone(self, lake: Lake) -> None:
        """Its processes cannot be seen from here: a number of theirs says nothing."""
        lake.publish(ANNOTATED_SET, {None: [rows("a")]})
        theirs = lake.path(ANNOTATED_SET).parent / ".part-0.parquet.another-machine.999999999.00ff.tmp"
        theirs.write_bytes(b"half")

        lake.publish(ANNOTATED_SET, {None: [rows("b")]})

        assert theirs.exists()
        os.utime(theirs, (0, 0))
        lake.publish(ANNOTATED_SET, {None: [rows("c")]})
        assert not theirs.exists()

    def test_a_part_from_before_a_column_was_added_is_read_with_nothing_in_it(self, lake: Lake) -> None:
        """An operator updates the program first and makes the tables again later."""
        path = lake.publish(ANNOTATED_SET, {None: [rows("a", "b")]})[0].path
        pq.write_table(pq.read_table(path, partitioning=None).drop_columns(["dated"]), path)

        assert lake.reader(ANNOTATED_SET).arrow().schema == ANNOTATED_SET.schema
        assert list(lake.reader(ANNOTATED_SET).rows(["dated", "candidate_id"])) == [
            {"dated": None, "candidate_id": "a"},
            {"dated": None, "candidate_id": "b"},
        ]

    @pytest.mark.parametrize("position", [4, 60, 300, -4])
    def test_a_damaged_file_is_refused_by_name(self, lake: Lake, position: int) -> None:
        """Page checksums catch bit rot that Parquet readers otherwise pass on as data."""
        path = lake.publish(ANNOTATED_SET, {None: [many()]})[0].path
        content = bytearray(path.read_bytes())
        content[position] ^= 0xFF
        path.write_bytes(content)

        with pytest.raises(StorageError, match=r"part-0.parquet cannot be read .* Materialize that partition again"):
            lake.reader(ANNOTATED_SET).arrow()


class TestDyingMachine:
    """D2, D3, D4."""

    @pytest.fixture(autouse=True)
    def strace(self) -> None:
        needs("strace", "-e", "trace=none", "true")

    @pytest.mark.slow
    @pytest.mark.parametrize("states", [60, pytest.param(500, marks=pytest.mark.soak)])
    def test_after_a_power_cut_a_partition_is_the_old_or_the_new_one(self, states: int) -> None:
        figures = publication_deaths.through_power_cuts(states, 2)

        assert (figures["mixed"], figures["forgotten"]) == (0, 0)

    @pytest.mark.slow
    @pytest.mark.parametrize("faults", [4, pytest.param(200, marks=pytest.mark.soak)])
    def test_a_disk_that_fails_leaves_the_old_one_or_the_new_one(self, faults: int) -> None:
        figures = publication_deaths.through_faults(faults, 5)

        assert (figures["lost"], figures["wrong"], figures["unclear"]) == (0, 0, 0)


class TestObjectStorage:
    @pytest.fixture
    def place(self, cloud: str) -> str:
        return cloud

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
        lake.publish(ANNOTATED_SET, {None: [many()]})
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
        for letter in "ab":
            lake.publish(ANNOTATED_SET, {None: [rows(letter)]})
        objects = CloudObjects(cloud)
        assert sum(one.endswith(".parquet") for one in objects.names("lake")) == 2
        monkeypatch.setattr(cloud_parts, "_KEPT", -cloud_parts._KEPT)
        lake.publish(ANNOTATED_SET, {None: [rows("c")]})

        assert sum(one.endswith(".parquet") for one in objects.names("lake")) == 1
        assert ids(lake) == ["c"]

    def test_nothing_is_opened_before_a_run_begins(self, cloud: str, tmp_path: Path) -> None:
        """Workers load the definitions and fork: the client's threads would not live on in the child."""
        opening._cloud.cache_clear()
        environ = {"MASS_PIPELINE_DATA_FOLDER": cloud, "MASS_PIPELINE_STATE_FOLDER": str(tmp_path)}
        settings = load_settings(environ, with_removals=False)
        lake = open_lake(settings)
        build_resources(settings, lake, open_web, Gate(lake, settings, []))

        assert opening._cloud.cache_info().currsize == 0
        assert isinstance(lake._parts, cloud_parts.CloudParts)
        assert lake._parts._opened is None
