"""What all assets have in common: owners, retries, run conditions, column schemas, and how an error becomes a failure.

A stage is an asset before the dioceses are known: `build` gives it its partitions. Belongs here: Dagster's wiring only.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import time
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final, ParamSpec, TypeVar

import dagster as dg

from mass_pipeline.assets.code_version import code_version
from mass_pipeline.discovery.opening import open_state
from mass_pipeline.discovery.state_port import StateStore
from mass_pipeline.model.columns import TABLES
from mass_pipeline.model.errors import UsageError
from mass_pipeline.model.lineage import column_lineage
from mass_pipeline.model.table import Column, Table
from mass_pipeline.resources.failures import clear_failures
from mass_pipeline.resources.plots import PlotStore
from mass_pipeline.resources.settings import Settings

OWNERS: Final = ("team:mass-data",)
CRAWLER_POOL: Final = "crawler"
PLACES_POOL: Final = "places_api"
NO_PLOTS: Final = "Left out: plots need the extra `plots` (pip install 'mass_pipeline[plots]')."

_PARTITION_TAGS: Final = ("dagster/partition", "dagster/asset_partition_range_start", "dagster/asset_partition_range_end")

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Stage:
    """One asset of the lineage, not yet bound to partitions.

    Attributes:
        compute: the asset function; its docstring is the description in the UI.
        group: asset group (design section 2).
        kinds: at most three, shown on the node.
        partitioned: one partition per diocese.
        inputs: argument -> how Dagster loads it, for assets read through an I/O manager.
        deps: upstream assets that are read otherwise, or not at all.
        io_manager: resource key of the I/O manager.
        pool: concurrency pool of its runs.
        retries: whether an error that may pass is worth another try.
    """

    compute: Callable[..., object]
    group: str
    kinds: frozenset[str]
    partitioned: bool = False
    inputs: Mapping[str, dg.AssetIn] = field(default_factory=dict)
    deps: Sequence[str] = ()
    io_manager: str = "lake_io"
    pool: str | None = None
    retries: bool = False

    @property
    def name(self) -> str:
        """Asset key, table name and function name are one."""
        return self.compute.__name__

    def build(self, dioceses: dg.PartitionsDefinition[str], retry: dg.RetryPolicy) -> dg.AssetsDefinition:
        """The asset for these dioceses."""
        return dg.asset(
            name=self.name,
            description=inspect.getdoc(self.compute),
            group_name=self.group,
            kinds=set(self.kinds),
            owners=list(OWNERS),
            tags={"cadence": "weekly"},
            ins=dict(self.inputs),
            deps=list(self.deps),
            partitions_def=dioceses if self.partitioned else None,
            io_manager_key=self.io_manager,
            pool=self.pool,
            code_version=code_version(self.name),
            retry_policy=retry if self.retries else None,
            metadata=_metadata(TABLES.get(self.name)),
        )(report_errors(self.compute, dioceses.get_partition_keys() if self.partitioned else ()))


def stage(*, group: str, kinds: set[str], **properties: Any) -> Callable[[Callable[..., object]], Stage]:
    """Decorator: the function becomes a `Stage` with these properties."""
    return lambda compute: Stage(compute, group, frozenset(kinds), **properties)


def report_errors(function: Callable[P, R], dioceses: Sequence[str] = ()) -> Callable[P, R]:
    """The function with errors of the project turned into one clear failure; only those that may pass are tried again.

    Args:
        function: the asset function.
        dioceses: the partitions there are; none for whole tables.
    """

    @functools.wraps(function)
    def reporting(*arguments: P.args, **options: P.kwargs) -> R:
        started = time.perf_counter()
        context = options.get("context", arguments[0] if arguments else None)
        with clear_failures():
            if dioceses and isinstance(context, dg.AssetExecutionContext):
                require_known(context.run.tags, dioceses)
            made = function(*arguments, **options)
        if not dioceses and isinstance(context, dg.AssetExecutionContext):
            context.add_output_metadata({"seconds": time.perf_counter() - started})
        return made

    # Dagster reads parameters and their types; names of types must be resolved where the function was written.
    signature = inspect.signature(function, eval_str=True)
    reporting.__annotations__ = typing.get_type_hints(function, include_extras=True)
    reporting.__signature__ = signature  # type: ignore[attr-defined]
    return reporting


def require_known(tags: Mapping[str, str], dioceses: Sequence[str]) -> None:
    """Refuse a run over partitions that do not exist; Dagster itself only looks when the run is under way.

    Raises:
        UsageError: naming the key, the nearest one there is, and where the keys stand.
    """
    for tag in _PARTITION_TAGS:
        key = tags.get(tag)
        if key is not None and key not in dioceses:
            close = difflib.get_close_matches(key, dioceses, n=1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise UsageError(f"There is no diocese {key!r}.{hint} The keys stand in the file of dioceses (data/dioceses.csv).")


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


def image(draw: Callable[[], bytes], title: str, settings: Settings) -> dg.MetadataValue:
    """A picture that the UI shows in place: Markdown that names a file of the data folder; a word where nothing can draw it."""
    if not can_draw():
        return dg.MetadataValue.text(NO_PLOTS)
    return dg.MetadataValue.md(f"![{title}](/plots/{PlotStore(settings.shared).keep(draw())})")
