"""What all assets have in common: owners, retries, run conditions, column schemas, and how an error becomes a failure.

A stage is an asset before the dioceses are known: `build` gives it its partitions. Belongs here: Dagster's wiring only.
"""

from __future__ import annotations

import builtins
import inspect
import sys
import time
import warnings
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import code_version
from mass_pipeline.gathering.state import open_state
from mass_pipeline.gathering.state_port import StateStore
from mass_pipeline.model.columns import TABLES
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.model.lineage import column_lineage
from mass_pipeline.model.table import Column, Table
from mass_pipeline.resources.lake import Chunks, Lake, TableReader
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import MAY_BE_MISSING, Metadata, Partitions, clear_failures

OWNERS: Final = ("team:mass-data",)
CRAWLER_POOL: Final = "crawler"
PLACES_POOL: Final = "places_api"
NO_PLOTS: Final = "Left out: plots need the extra `plots` (pip install 'mass_pipeline[plots]')."

_DIOCESE: Final = "diocese"
_EARLIER: Final = "earlier"
_LAKE: Final = "lake"


class RetryUntilStopped(dg.RetryPolicy):
    """Errors are tried again; interrupts, which Dagster asks its policies for too, are not."""

    def calculate_delay(self, attempt_num: int) -> float:
        """Seconds until the next attempt; what stops the run goes on its way."""
        error = sys.exception()
        if error is not None and not isinstance(error, Exception):
            raise error
        return super().calculate_delay(attempt_num)


@dataclass(frozen=True, slots=True)
class Made:
    """What a partitioned asset makes of one diocese.

    Attributes:
        rows: an Arrow table, or chunks of one that are made while they are written.
        metadata: what the UI shows and plots.
    """

    rows: pa.Table | Chunks
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One asset of the lineage, not yet bound to partitions.

    The parameters of its function are its inputs and resources, as Dagster has it, and two that are given to it here: `diocese`,
    the key of the one diocese it is called for, and `earlier`, the rows of its own that are published so far. It reads no table
    but through these.

    Attributes:
        compute: the asset function; its docstring is the description in the UI.
        group: asset group (design section 2).
        kinds: at most three, shown on the node.
        partitioned: one partition per diocese; the function is called for each and returns `Made`.
        optional: inputs that need not be there.
        deps: sources that are obeyed, not read: the settings hold them.
        io_manager: resource key of the I/O manager.
        pool: concurrency pool of its runs.
        retries: whether an error that may pass is worth another try.
    """

    compute: Callable[..., object]
    group: str
    kinds: frozenset[str]
    partitioned: bool = False
    optional: Sequence[str] = ()
    deps: Sequence[str] = ()
    io_manager: str = "lake_io"
    pool: str | None = None
    retries: bool = False

    @property
    def name(self) -> str:
        """Asset key, table name and function name are one."""
        return self.compute.__name__

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """Of the function, with their types; what is imported for type checkers alone is any type to Dagster."""
        known = _TypesAtRunTime(inspect.unwrap(self.compute).__globals__)
        return inspect.signature(self.compute, locals=known, eval_str=True).parameters

    def build(self, dioceses: dg.PartitionsDefinition[str], retry: RetryUntilStopped) -> dg.AssetsDefinition:
        """The asset for these dioceses; a backfill has one run for each, so that a bad one costs only itself."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dg.BetaWarning)  # the policy of backfills
            return dg.asset(
                name=self.name,
                description=inspect.getdoc(self.compute),
                group_name=self.group,
                kinds=set(self.kinds),
                owners=list(OWNERS),
                ins={name: dg.AssetIn(metadata={MAY_BE_MISSING: True}) for name in self.optional},
                deps=list(self.deps),
                partitions_def=dioceses if self.partitioned else None,
                backfill_policy=dg.BackfillPolicy.multi_run(1) if self.partitioned else None,
                io_manager_key=self.io_manager,
                pool=self.pool,
                code_version=code_version(self.name),
                retry_policy=retry if self.retries else None,
                metadata={**_metadata(TABLES.get(self.name)), "reads its earlier rows": _EARLIER in self.parameters},
            )(self._run_by_dagster(dioceses.get_partition_keys() if self.partitioned else ()))

    def _run_by_dagster(self, dioceses: Sequence[str]) -> Callable[..., object]:
        """The function as Dagster calls it: for all dioceses of a run, its errors as one clear failure.

        Args:
            dioceses: the partitions there are; none for whole tables.
        """
        parameters = self.parameters

        def run(context: dg.AssetExecutionContext, **given: Any) -> object:
            started = time.perf_counter()
            lake: Lake | None = given.get(_LAKE)
            options = {name: value for name, value in given.items() if name in parameters}

            def made(key: str | None, inputs: Mapping[str, Any]) -> Any:
                own = {**inputs, **({_DIOCESE: key} if _DIOCESE in parameters else {})}
                if lake is not None:
                    own[_EARLIER] = lake.published(TABLES[self.name], [key] if key is not None else None)
                return self.compute(context, **own)

            with clear_failures():
                if dioceses:
                    return self._of_each(context, options, made)
                whole = made(None, options)
            context.add_output_metadata({"seconds": time.perf_counter() - started})
            return whole

        # Dagster reads parameters and their types.
        kept = {name: one for name, one in parameters.items() if name not in (_DIOCESE, _EARLIER)}
        if _EARLIER in parameters:
            kept[_LAKE] = inspect.Parameter(_LAKE, inspect.Parameter.KEYWORD_ONLY, annotation=dg.ResourceParam[Lake])
        run.__name__ = self.name
        run.__signature__ = inspect.Signature(list(kept.values()))  # type: ignore[attr-defined]
        run.__annotations__ = {name: one.annotation for name, one in kept.items()}
        return run

    def _of_each(
        self, context: dg.AssetExecutionContext, options: Mapping[str, Any], made: Callable[[str, Mapping[str, Any]], Made]
    ) -> Partitions:
        """One diocese of the run after the other; one that fails costs only itself.

        Raises:
            MassPipelineError: all of them failed.
        """
        done: dict[str, Made] = {}
        seconds: dict[str, float] = {}
        failed: dict[str, MassPipelineError] = {}
        for key in context.partition_keys:
            started = time.perf_counter()
            try:
                done[key] = made(key, {name: self._of_diocese(name, value, key) for name, value in options.items()})
            except MassPipelineError as error:
                context.log.error("diocese.failed asset=%s diocese=%s reason=%s", self.name, key, error)
                failed[key] = error
            seconds[key] = time.perf_counter() - started
        if not done:
            raise next(iter(failed.values()))
        metadata = {key: {"seconds": seconds[key], **one.metadata} for key, one in done.items()}
        return Partitions({key: one.rows for key, one in done.items()}, metadata, {key: str(one) for key, one in failed.items()})

    def _of_diocese(self, name: str, value: object, key: str) -> object:
        """An input as far as it goes for one diocese."""
        if not isinstance(value, TableReader):
            return value
        own = value.of(key)
        if name not in self.optional:
            own.require(key)
        return own


class _TypesAtRunTime(dict[str, Any]):
    """Names of a module; a name that it has not is one of a type that only type checkers see."""

    def __missing__(self, name: str) -> object:
        return getattr(builtins, name, Any)


def stage(*, group: str, kinds: set[str], **properties: Any) -> Callable[[Callable[..., object]], Stage]:
    """Decorator: the function becomes a `Stage` with these properties."""
    return lambda compute: Stage(compute, group, frozenset(kinds), **properties)


def column_schema(table: Table) -> dg.TableSchema:
    """Column names, types, meanings and constraints as the UI shows them."""
    made = column_lineage(table.name)
    return dg.TableSchema(
        [
            dg.TableColumn(
                column.name,
                str(column.type),
                description=_told(column, made.get(column.name, ())),
                constraints=dg.TableColumnConstraints(
                    nullable=column.nullable,
                    unique=table.key == (column.name,),
                    other=[f"one of {', '.join(column.values)}"] if column.values else [],
                ),
            )
            for column in table.columns
        ]
    )


def _told(column: Column, sources: Sequence[str]) -> str:
    """Meaning, unit and origin of a column: the open UI stores lineage of columns and shows it nowhere."""
    unit = f" [{column.unit}]" if column.unit else ""
    return f"{column.meaning}{unit}" + (f". From {', '.join(sources)}" if sources else "")


def _metadata(table: Table | None) -> dict[str, Any]:
    if table is None:
        return {}
    return {
        "dagster/column_schema": column_schema(table),
        "dagster/table_name": table.name,
        "dagster/column_lineage": _column_lineage(table),
        "key": ", ".join(table.key),
    }


def _column_lineage(table: Table) -> dg.TableColumnLineage:
    made = column_lineage(table.name)
    return dg.TableColumnLineage(
        {name: [dg.TableColumnDep(*one.split(".")) for one in sources] for name, sources in made.items()}
    )


def discovery_state(settings: Settings) -> StateStore:
    """The state of directory walks and look-ups: pages of an unfinished walk, decisions, the ledger of units."""
    return open_state(settings.general.state_database or settings.data_folder / "state" / "discovery.sqlite")


def can_draw() -> bool:
    """Whether plots are drawn here: the extra `plots` is installed."""
    return find_spec("matplotlib") is not None


def image(draw: Callable[[], bytes], title: str) -> dg.MetadataValue:
    """A picture inside its own Markdown; a word where nothing can draw it."""
    if not can_draw():
        return dg.MetadataValue.text(NO_PLOTS)
    return dg.MetadataValue.md(f"![{title}](data:image/png;base64,{b64encode(draw()).decode()})")
