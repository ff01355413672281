"""The I/O manager: tables in and out of real runs, single partitions and ranges, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pyarrow as pa
import pytest

from mass_pipeline.model.columns import CANDIDATE_HOURS, MASS_SCHEDULES
from mass_pipeline.publishing.promises.gate import Gate
from mass_pipeline.resources.lake import Lake, TableReader, table_of
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.resources.storage import ParquetIO, Partitions, preview

KEYS = ["a", "b", "c"]
DIOCESES = dg.StaticPartitionsDefinition(KEYS)
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


def hours(*ids: str) -> pa.Table:
    row = dict.fromkeys(CANDIDATE_HOURS.names, "")
    row |= {"list_index": 0, "page_score": 0.5, "time": "08:00", "rule_reading": None}
    return table_of(CANDIDATE_HOURS, [{**row, "candidate_id": one} for one in ids])


@dg.asset(partitions_def=DIOCESES, io_manager_key="lake_io")
def candidate_hours(context):  # type: ignore[no-untyped-def]
    def chunks(key: str) -> Iterator[pa.Table]:
        yield hours(f"{key}1")
        yield hours(f"{key}2")

    return Partitions({key: chunks(key) for key in context.partition_keys}, {key: {"own": key} for key in context.partition_keys})


@dg.asset(
    io_manager_key="lake_io",
    ins={"candidate_hours": dg.AssetIn(partition_mapping=dg.AllPartitionMapping(), metadata={"allow_missing_partitions": True})},
)
def mass_schedules(context, candidate_hours: TableReader) -> pa.Table:  # type: ignore[no-untyped-def]
    context.add_output_metadata({"seen": ",".join(str(row["candidate_id"]) for row in candidate_hours.rows())})
    return table_of(MASS_SCHEDULES, [])


def run(lake: Lake, asset: dg.AssetsDefinition, **tags: str) -> dg.ExecuteInProcessResult:
    gate = Gate(lake, load_settings({"MASS_PIPELINE_DATA_FOLDER": str(lake.root)}), KEYS)
    with dg.DagsterInstance.ephemeral() as instance:
        return (
            dg.Definitions([candidate_hours, mass_schedules], resources={"lake_io": ParquetIO(lake, gate)})
            .resolve_implicit_global_asset_job_def()
            .execute_in_process(
                instance=instance,
                asset_selection=[asset.key],
                run_config=QUIET,
                raise_on_error=False,
                tags={f"dagster/{name}": value for name, value in tags.items()},
            )
        )


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path)


class TestPartitionedOutput:
    def test_a_range_run_publishes_every_partition_with_its_own_metadata(self, lake: Lake) -> None:
        result = run(lake, candidate_hours, asset_partition_range_start="a", asset_partition_range_end="c")

        found = {m.partition: m.metadata for m in result.asset_materializations_for_node("candidate_hours")}
        assert lake.partitions(CANDIDATE_HOURS) == KEYS
        assert {key: one["own"].value for key, one in found.items()} == {"a": "a", "b": "b", "c": "c"}
        assert {one["dagster/partition_row_count"].value for one in found.values()} == {2}
        assert {one["dagster/row_count"].value for one in found.values()} == {6}, "the whole table"

    def test_a_run_of_one_partition_touches_no_other(self, lake: Lake) -> None:
        run(lake, candidate_hours, partition="b")

        assert lake.partitions(CANDIDATE_HOURS) == ["b"]


class TestInput:
    def test_all_published_partitions_are_read_lazily_in_order(self, lake: Lake) -> None:
        lake.publish(CANDIDATE_HOURS, {"c": [hours("c1")], "a": [hours("a1")]})

        result = run(lake, mass_schedules)

        (made,) = result.asset_materializations_for_node("mass_schedules")
        assert made.metadata["seen"].value == "a1,c1"


class TestPreview:
    def test_crawled_words_are_plain_cells(self) -> None:
        """Markdown would let a page put links and pictures into the operator's browser."""
        words = "![x](http://evil.example/a.png)\n" + "long " * 40
        table = pa.table({"quote": [words], "days": [["Su", "PH"]], "n": [1]})

        (record,) = preview(table, ["quote", "days", "n"]).records

        assert isinstance(preview(table, ["quote"]), dg.TableMetadataValue)
        assert str(record.data["quote"]).startswith("![x](http://evil.example/a.png) long")
        assert len(str(record.data["quote"])) == 80
        assert (record.data["days"], record.data["n"]) == ("Su, PH", 1)
