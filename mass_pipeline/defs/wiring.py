"""What the assets have in common: dioceses, pools, retries, one diocese after the other, columns as the UI shows them.

The assets are plain `@dg.asset` functions; what is the same for all of them (owners, columns) is laid over their specs in
`definitions`. Belongs here: Dagster's wiring only.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from base64 import b64encode
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypedDict

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.partitions import diocese_partitions
from mass_pipeline.model.columns import TABLES, column_lineage
from mass_pipeline.model.errors import ConfigurationError, MassPipelineError
from mass_pipeline.model.table import Table
from mass_pipeline.resources import storage
from mass_pipeline.resources.lake import Chunks
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings, load_settings
from mass_pipeline.resources.storage import Metadata, Partitions, clear_failures

if TYPE_CHECKING:
    from mass_pipeline.gathering.state import DiscoveryState

warnings.filterwarnings("ignore", "Parameter `backfill_policy`", dg.BetaWarning)

OWNERS: Final = ("team:mass-data",)
CRAWLER_POOL: Final = "crawler"
PLACES_POOL: Final = "places_api"
NO_PLOTS: Final = "Left out: plots need the extra `plots` (pip install 'mass_pipeline[plots]')."


class RetryUntilStopped(dg.RetryPolicy):
    """Errors are tried again; interrupts, which Dagster asks its policies for too, are not."""

    def calculate_delay(self, attempt_num: int) -> float:
        """Seconds until the next attempt; what stops the run goes on its way."""
        error = sys.exception()
        if error is not None and not isinstance(error, Exception):
            raise error
        return super().calculate_delay(attempt_num)


Produced = tuple[pa.Table | Chunks, Metadata]  # of one diocese: rows, also in chunks that are made while they are written


def _settings_of_process() -> Settings:
    try:
        return load_settings(os.environ, with_removals=False)
    except ConfigurationError:
        sys.tracebacklimit = 0  # whatever loads the definitions ends here: the line that names the setting is all that helps
        raise


def _retries(operation: OperationConfig) -> RetryUntilStopped:
    return RetryUntilStopped(
        max_retries=operation.max_retries,
        delay=operation.retry_delay_seconds,
        backoff=dg.Backoff.EXPONENTIAL,
        jitter=dg.Jitter.PLUS_MINUS,
    )


SETTINGS: Final = _settings_of_process()
RETRIES: Final = _retries(SETTINGS.section(OperationConfig))


class _PerDiocese(TypedDict):
    partitions_def: dg.PartitionsDefinition[str]
    backfill_policy: dg.BackfillPolicy
    io_manager_key: str


PER_DIOCESE: Final[_PerDiocese] = {  # what all partitioned assets give to `dg.asset`
    "partitions_def": diocese_partitions(SETTINGS.dioceses_file),
    "backfill_policy": dg.BackfillPolicy.multi_run(1),  # a bad diocese costs only itself
    "io_manager_key": "lake_io",
}
MAY_BE_MISSING: Final = dg.AssetIn(metadata={storage.MAY_BE_MISSING: True})


def each_diocese(context: dg.AssetExecutionContext, make: Callable[[str], Produced]) -> Partitions:
    """What is made of the dioceses of a run, one after the other; one that fails costs only itself.

    Args:
        make: rows and metadata of one diocese.

    Raises:
        Failure: all of them failed.
    """
    done: dict[str, Produced] = {}
    seconds: dict[str, float] = {}
    failed: dict[str, MassPipelineError] = {}
    for key in context.partition_keys:
        started = time.perf_counter()
        try:
            done[key] = make(key)
        except MassPipelineError as error:
            context.log.error("diocese.failed asset=%s diocese=%s reason=%s", context.asset_key.to_user_string(), key, error)
            failed[key] = error
        seconds[key] = time.perf_counter() - started
    with clear_failures():
        if not done:
            raise next(iter(failed.values()))
    metadata = {key: {"seconds": seconds[key], **figures} for key, (_, figures) in done.items()}
    return Partitions(
        {key: rows for key, (rows, _) in done.items()}, metadata, {key: str(error) for key, error in failed.items()}
    )


def described(spec: dg.AssetSpec, dioceses: dg.PartitionsDefinition[str]) -> dg.AssetSpec:
    """The spec of an asset with what all have: owners, and the columns of its table.

    Args:
        dioceses: those of the settings in force.
    """
    name = spec.key.path[-1]
    return spec.replace_attributes(
        owners=list(OWNERS),
        metadata={**spec.metadata, **_metadata(TABLES.get(name))},
        partitions_def=spec.partitions_def and dioceses,
    )


def column_schema(table: Table) -> dg.TableSchema:
    """Column names, types, meanings, origins and constraints: the open UI stores lineage of columns and shows it nowhere."""
    origins = column_lineage(table.name)
    return dg.TableSchema(
        [
            dg.TableColumn(
                column.name,
                str(column.type),
                description=column.meaning
                + (f" [{column.unit}]" if column.unit else "")
                + (f". From {', '.join(origins[column.name])}" if column.name in origins else ""),
                constraints=dg.TableColumnConstraints(
                    nullable=column.nullable,
                    unique=table.key == (column.name,),
                    other=[f"one of {', '.join(column.values)}"] if column.values else [],
                ),
            )
            for column in table.columns
        ]
    )


def _metadata(table: Table | None) -> dict[str, Any]:
    if table is None:
        return {}
    origins = column_lineage(table.name)
    return {
        "dagster/column_schema": column_schema(table),
        "dagster/table_name": table.name,
        "dagster/column_lineage": dg.TableColumnLineage(
            {name: [dg.TableColumnDep(*source.split(".")) for source in sources] for name, sources in origins.items()}
        ),
        "key": ", ".join(table.key),
    }


def discovery_state(settings: Settings) -> DiscoveryState:
    """The state of directory walks and look-ups: pages of an unfinished walk, decisions, the ledger of units."""
    from mass_pipeline.gathering.state import DiscoveryState

    return DiscoveryState(settings.general.state_database or settings.data_folder / "state" / "discovery.sqlite")


def can_draw() -> bool:
    """Whether plots are drawn here: the extra `plots` is installed."""
    return find_spec("matplotlib") is not None


def image(draw: Callable[[], bytes], title: str) -> dg.MetadataValue:
    """A picture inside its own Markdown; a word where nothing can draw it."""
    if not can_draw():
        return dg.MetadataValue.text(NO_PLOTS)
    return dg.MetadataValue.md(f"![{title}](data:image/png;base64,{b64encode(draw()).decode()})")
