"""I/O managers: how Dagster's assets reach the lake (tables) and the model store (the classifier). No pickle anywhere.

An asset returns Arrow tables (one, or one per partition) and gets a lazy `TableReader`; row counts, sizes, digests and a
preview become metadata here, so that no asset repeats them. An error of the project becomes one failure whose description is the
error's clear line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import dagster as dg
import pyarrow as pa

from mass_pipeline.model.columns import TABLES
from mass_pipeline.model.errors import MassPipelineError, PromiseBroken, UsageError
from mass_pipeline.model.table import Table
from mass_pipeline.resources.lake import Chunks, Lake, PartitionKey, TableReader
from mass_pipeline.resources.parts import WrittenPart
from mass_pipeline.storage.opening import Place

if TYPE_CHECKING:
    from mass_pipeline.learning.evaluation import Evaluation
    from mass_pipeline.learning.model import Trained
    from mass_pipeline.learning.promotion import Verdict


WORDS: Final = frozenset({  # columns with words of pages as they stand: what the UI was shown once outlives the tables
    "body", "link_text", "anchor", "title", "author", "meta_keywords", "meta_description", "text", "changes", "context",
    "example_anchor", "raw", "left", "right", "heading", "day_scope", "rule_reading", "quote", "note", "place", "heard",
    "service_times", "service_times_note",
})  # fmt: skip
_HIDDEN_IN_PREVIEW: Final = WORDS | {"candidates"}
_LONGEST_CELL: Final = 80
MAY_BE_MISSING: Final = "may_be_missing"  # metadata of an input: what was never published has no rows

Metadata = Mapping[str, dg.MetadataValue | str | int | float | bool]


@dataclass(frozen=True, slots=True)
class Partitions:
    """What a partitioned asset returns: rows and metadata per diocese, also for dioceses without rows.

    Attributes:
        rows: key -> rows, an Arrow table or chunks of one that are made while they are written.
        metadata: key -> what the asset itself has to tell.
        failed: key -> why no rows were made of a diocese of the run.
    """

    rows: Mapping[str, pa.Table | Chunks]
    metadata: Mapping[str, Metadata] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


class Judge(Protocol):
    """Tries the promises of a table on a part that lies aside."""

    def broken(self, table: Table, key: PartitionKey, proposed: TableReader) -> Mapping[str, str]:
        """Check -> what it says, of the promises that the rows break; none: they may be published. The verdict is kept."""


class ParquetIO(dg.IOManager):
    """Publishes what assets return in the lake; hands lazy readers to the assets that ask for it.

    Args:
        lake: the published tables.
        judge: what it objects to is not published: the earlier part stays.
    """

    def __init__(self, lake: Lake, judge: Judge) -> None:
        self.lake = lake
        self.judge = judge
        self._lost: dict[tuple[str, str], dict[str, str]] = {}

    def lost(self, run_id: str, table: str) -> Mapping[str, str]:
        """Diocese -> why a run made nothing of it that could be published, where earlier steps of the run went on without it."""
        return self._lost.get((run_id, table), {})

    def handle_output(self, context: dg.OutputContext, obj: pa.Table | Partitions) -> None:
        """Publish the partitions of the run, but for those that break a promise of their table.

        A diocese of which nothing could be published is remembered: the run goes on with the others, and fails at its end.

        Raises:
            Failure: nothing was published: the earlier rows stay, and the run has nothing to go on with.
        """
        with clear_failures():
            self._publish(context, obj)

    def _publish(self, context: dg.OutputContext, obj: pa.Table | Partitions) -> None:
        table = TABLES[context.asset_key.path[-1]]
        if isinstance(obj, Partitions):
            expected = list(context.asset_partition_keys)
            if sorted((*obj.rows, *obj.failed)) != sorted(expected):
                raise UsageError(f"{table.name}: the run covers {expected}, the asset returned {sorted(obj.rows)}.")
            parts: dict[PartitionKey, Chunks] = {key: _chunks(rows) for key, rows in obj.rows.items()}
        else:
            parts = {None: _chunks(obj)}
        broken: dict[PartitionKey, Mapping[str, str]] = {}

        def is_fit(key: PartitionKey, proposed: TableReader) -> bool:
            found = self.judge.broken(table, key, proposed)
            if found:
                broken[key] = found
            return not found

        published = self.lake.publish(table, parts, self._fence(context), is_fit)
        total = self.lake.total_rows(table)
        for part in published:
            own = obj.metadata.get(part.key or "", {}) if isinstance(obj, Partitions) else {}
            context.step_context.add_asset_metadata(
                {**part_metadata(part, table, total), **own}, asset_key=context.asset_key, partition_key=part.key
            )
        self._report(context, table, broken)
        refused = {key: _refusal(table, key, found) for key, found in broken.items()}
        if refused and not published:
            raise PromiseBroken("\n".join(refused.values()))
        lost = {str(key): why for key, why in refused.items() if not self.lake.has(table, key)}
        self._lost[context.run_id, table.name] = {**lost, **(obj.failed if isinstance(obj, Partitions) else {})}

    def _report(self, context: dg.OutputContext, table: Table, broken: Mapping[PartitionKey, Mapping[str, str]]) -> None:
        """Show in the UI which promises were broken: the checks of a run that ends here do not run any more."""
        for key, found in broken.items():
            context.step_context.add_asset_metadata(
                {"not_published": _refusal(table, key, found)}, asset_key=context.asset_key, partition_key=key
            )
            for name, says in found.items():
                context.step_context.instance.report_runless_asset_event(
                    dg.AssetCheckEvaluation(
                        asset_key=context.asset_key, check_name=name, passed=False, description=f"{key or table.name}: {says}"
                    )
                )

    def _fence(self, context: dg.OutputContext) -> int | None:
        """When the run was made, in microseconds of the database's clock: a later run's is greater.

        None on one machine with files: its runs are watched by their processes, and its clock may be set.
        """
        from mass_pipeline.dagster_internals import InMemoryRunStorage, SqliteRunStorage  # half a second, where a run writes

        alone = isinstance(context.step_context.instance.run_storage, SqliteRunStorage | InMemoryRunStorage)
        if alone and not self.lake.is_fenced:
            return None
        record = context.step_context.instance.get_run_record_by_id(context.run_id)
        return int(record.create_timestamp.timestamp() * 1e6) if record else None

    def load_input(self, context: dg.InputContext) -> TableReader:
        """A lazy reader of the partitions that the asset depends on, of those that were published.

        Raises:
            Failure: a whole table that must be there is not.
        """
        with clear_failures():
            return self._reader(context)

    def _reader(self, context: dg.InputContext) -> TableReader:
        table = TABLES[context.asset_key.path[-1]]
        if context.has_asset_partitions:
            return self.lake.published(table, sorted(context.asset_partition_keys))  # training depends on the order of its rows
        optional = (context.definition_metadata or {}).get(MAY_BE_MISSING)
        return self.lake.published(table) if optional else self.lake.reader(table)


def _refusal(table: Table, key: PartitionKey, broken: Mapping[str, str]) -> str:
    part = table.name if key is None else f"{table.name} of {key}"
    reasons = "; ".join(f"{name}: {says}" for name, says in broken.items())
    return f"{part} was not published, what was published before stays. {reasons}"


def part_metadata(part: WrittenPart, table: Table, total_rows: int) -> dict[str, dg.MetadataValue]:
    """What the UI shows of a published file: rows, bytes, digest, path and the first rows.

    Args:
        part: the file.
        table: its columns.
        total_rows: of the whole table: the badge of the asset shows it, not the rows of the diocese that came last.
    """
    partition = {"dagster/partition_row_count": dg.MetadataValue.int(part.rows)} if part.key is not None else {}
    return {
        "dagster/row_count": dg.MetadataValue.int(total_rows),
        **partition,
        "bytes": dg.MetadataValue.int(part.size_bytes),
        "sha256": dg.MetadataValue.text(part.sha256),
        "path": dg.MetadataValue.path(part.place),
        "preview": preview(part.preview, [name for name in table.names if name not in _HIDDEN_IN_PREVIEW]),
    }


def preview(rows: pa.Table, columns: Iterable[str]) -> dg.MetadataValue:
    """The rows as a table of plain cells: crawled words never become markup or links in the UI."""
    names = list(columns)
    records = [dg.TableRecord({name: _cell(row[name]) for name in names}) for row in rows.select(names).to_pylist()]
    return dg.MetadataValue.table(records, dg.TableSchema([dg.TableColumn(name) for name in names]))


def _cell(value: object) -> str | int | float | bool:
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, list):
        value = ", ".join(str(part) for part in value)
    text = " ".join(str(value if value is not None else "").split())
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"


def _chunks(rows: pa.Table | Chunks) -> Chunks:
    return (rows,) if isinstance(rows, pa.Table) else rows


@contextmanager
def clear_failures() -> Iterator[None]:
    """Turn errors of the project into failures; only those that may pass are tried again.

    Raises:
        Failure: what the UI and the log show names the thing and the remedy; the error itself is its cause.
    """
    try:
        yield
    except MassPipelineError as error:
        raise dg.Failure(description=str(error), allow_retries=error.may_pass) from error


@dataclass(frozen=True, slots=True)
class JudgedModel:
    """A newly trained classifier with what is known about it.

    Attributes:
        model: the challenger.
        evaluation: on parishes it has not seen.
        verdict: whether it becomes champion.
        pictures: file name without suffix -> PNG.
    """

    model: Trained
    evaluation: Evaluation
    verdict: Verdict
    pictures: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """The champion, else the model shipped with the package, else None."""

    model: Trained | None


class ModelIO(dg.IOManager):
    """Keeps every trained model; the one that stands the comparison becomes champion and is what others load."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def handle_output(self, context: dg.OutputContext, obj: JudgedModel) -> None:
        """Keep the model with its metrics and pictures; promote it when the verdict says so."""
        with clear_failures():
            self._keep(context, obj)

    def _keep(self, context: dg.OutputContext, obj: JudgedModel) -> None:
        from mass_pipeline.learning.registry import Registry

        registry = Registry.of(self.place)
        rows = obj.evaluation.metrics.to_dict("records")
        kept = registry.add(obj.model, [{str(name): value for name, value in row.items()} for row in rows], obj.pictures)
        if obj.verdict.promoted:
            registry.promote(kept.model_id)
        context.add_output_metadata(
            {
                "model_id": kept.model_id,
                "champion": registry.champion_id() or "none",
                "path": dg.MetadataValue.path(registry.place(kept.model_id)),
            }
        )

    def load_input(self, context: dg.InputContext) -> ModelInUse:
        """What reads the hours until a better one is trained."""
        from mass_pipeline.learning.bundled import load_model

        with clear_failures():
            return ModelInUse(load_model(self.place))
