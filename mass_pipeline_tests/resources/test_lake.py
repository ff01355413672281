"""The lake: explicit schemas, a total order, publication of whole parts or of nothing."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mass_pipeline.model.columns import ANNOTATED_SET, MASS_SCHEDULES
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline_tests.resources import publication_deaths
from mass_pipeline_tests.shared import needs

ROW = {
    "parish_id": "p1",
    "label": "mass",
    "dated": None,
    "source": "rules",
    "weight": 1.0,
    "n_votes": 0,
    "split": "train",
}


def rows(*ids: str) -> pa.Table:
    return table_of(ANNOTATED_SET, [{**ROW, "candidate_id": one} for one in ids])


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


def files_of(lake: Lake) -> set[str]:
    return {str(path.relative_to(lake.root)) for path in lake.root.rglob("*")}


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


class TestPublication:
    def test_a_partition_is_a_folder_with_one_parquet_file(self, lake: Lake) -> None:
        (part,) = lake.publish(ANNOTATED_SET, {"lodzka": [rows("a")]})

        assert lake.root / "annotated_set/diocese=lodzka/part-0.parquet" == part.path
        assert pq.read_schema(part.path).remove_metadata() == ANNOTATED_SET.schema.remove_metadata()

    def test_rows_out_of_order_are_refused_and_the_earlier_part_stays(self, lake: Lake) -> None:
        before = lake.publish(ANNOTATED_SET, {None: [rows("a")]})[0]

        with pytest.raises(BadInput, match="out of order"):
            lake.publish(ANNOTATED_SET, {None: [rows("b"), rows("a")]})
        assert [before.sha256] == [lake.publish(ANNOTATED_SET, {None: lake.reader(ANNOTATED_SET).chunks()})[0].sha256]

    def test_a_key_that_stands_twice_is_refused(self, lake: Lake) -> None:
        with pytest.raises(BadInput, match="'a'} stands twice"):
            lake.publish(ANNOTATED_SET, {None: [rows("a"), rows("a")]})

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


class TestDisk:
    def test_a_folder_without_rights_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "lake").write_text("a file where the folder should be")

        with pytest.raises(StorageError, match="Check the folder and its rights"):
            Lake(tmp_path / "lake").publish(ANNOTATED_SET, {None: [rows("a")]})


class TestLazyReading:
    def test_only_the_columns_asked_for_are_read(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {None: [rows("a")]})

        assert list(lake.reader(ANNOTATED_SET).rows(["label"])) == [{"label": "mass"}]

    def test_large_parts_come_in_small_chunks(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {None: [rows(*(f"{n:05}" for n in range(5000)))]})

        assert [chunk.num_rows for chunk in lake.reader(ANNOTATED_SET).chunks()] == [2000, 2000, 1000]

    def test_an_empty_partition_is_an_empty_table_with_all_columns(self, lake: Lake) -> None:
        lake.publish(ANNOTATED_SET, {"lodzka": []})

        frame = lake.reader(ANNOTATED_SET, ["lodzka"]).frame()
        assert ANNOTATED_SET.names == list(frame.columns)
        assert frame.empty

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
        path = lake.publish(ANNOTATED_SET, {None: [rows(*(f"{n:05}" for n in range(500)))]})[0].path
        content = bytearray(path.read_bytes())
        content[position] ^= 0xFF
        path.write_bytes(content)

        with pytest.raises(StorageError, match=r"part-0.parquet cannot be read .* Materialize that partition again"):
            lake.reader(ANNOTATED_SET).arrow()


def publish_for_ever(root: str) -> None:
    """Replace one table again and again, by one of two contents, until somebody ends the process."""
    lake = Lake(Path(root))
    contents = [rows(*(f"{letter}{n:04}" for n in range(2000))) for letter in "ab"]
    print("ready", flush=True)
    while True:
        for content in contents:
            lake.publish(ANNOTATED_SET, {None: [content]})


class TestKilledWriter:
    @pytest.mark.parametrize("kills", [4, pytest.param(10, marks=pytest.mark.soak)])
    def test_readers_see_the_old_or_the_new_table_never_a_part(self, tmp_path: Path, kills: int) -> None:
        """Four kills -9 (ten in the long tests) at different moments of writing, syncing and renaming."""
        lake = Lake(tmp_path / "lake")
        lake.publish(ANNOTATED_SET, {None: [rows(*(f"a{n:04}" for n in range(2000)))]})
        call = "from mass_pipeline_tests.resources.test_lake import publish_for_ever; import sys; publish_for_ever(sys.argv[1])"

        for kill in range(kills):
            with subprocess.Popen([sys.executable, "-c", call, str(lake.root)], stdout=subprocess.PIPE) as writer:
                assert writer.stdout is not None
                assert writer.stdout.readline() == b"ready\n"
                time.sleep(0.13 / kills * (kill + 1))
                writer.kill()
            ids = lake.reader(ANNOTATED_SET).arrow(["candidate_id"]).column(0).to_pylist()

            assert len(ids) == 2000
            assert len({one[0] for one in ids}) == 1

        lake.publish(ANNOTATED_SET, {None: [rows("a")]})
        assert files_of(lake) == {"annotated_set", "annotated_set/part-0.parquet"}


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
