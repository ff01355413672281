"""The asset `public_index`: what people and programs ask, as one file per generation (publishing of the schedules)."""

from pathlib import Path
from typing import Final

import dagster as dg

from mass_pipeline.defs.code_version import POSITIONS, code_version
from mass_pipeline.defs.conditions import DAILY, at_ticks
from mass_pipeline.defs.sources import OPT_OUTS
from mass_pipeline.defs.wiring import MAY_BE_MISSING
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import clear_failures

_TEN_MINUTES: Final = "*/10 * * * *"  # publications of many dioceses come one after the other: one index for them
_AFTER_MIDNIGHT: Final = "10 0 * * *"  # the horizon of the public index moves on
DECIDED_BY: Final = (
    *POSITIONS,
    "crawling.fetching.scope",
    "crawling.watching.store",
    "crawling.watching.records",
    "finding",
    "publishing.index",
    "reading.formats",
    "reading.words.masking",
    "schedules",
)


@dg.asset(
    group_name="public",
    kinds={"python", "sqlite"},
    ins=dict.fromkeys(("parish_positions", "confession_hours", "announcements"), MAY_BE_MISSING),
    deps=[OPT_OUTS],
    io_manager_key="lake_io",
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=at_ticks(
        _TEN_MINUTES,
        ["mass_schedules", "confession_hours", "parish_states", "parish_positions", "parishes", "parish_urls"],
        needs=["parishes", "parish_urls"],
        always=_AFTER_MIDNIGHT,
    ),
    freshness_policy=DAILY,
)
@clear_failures()
def public_index(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    parish_urls: TableReader,
    parish_positions: TableReader,
    mass_schedules: TableReader,
    confession_hours: TableReader,
    parish_states: TableReader,
    announcements: TableReader,
    gazetteer: Path | None,
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult[None]:
    """The index that the public site, its API, calendars and open data are served from; read-only, one file per generation.

    Every published row laid out over the next days, with positions, states and what changed since the last generation. A
    generation is put in force at once or not at all: when it covers clearly less than the last one, or the site started on it
    does not answer what visitors ask, the last one stays and the check `gate` says why.
    """
    from mass_pipeline.publishing.index import PublishedTables, publish_index

    tables = PublishedTables(
        parishes, parish_urls, parish_positions, mass_schedules, confession_hours, parish_states, announcements, gazetteer
    )
    generation = publish_index(tables, settings)
    manifest = generation.manifest()
    return dg.MaterializeResult(
        metadata={
            "generation": generation.name,
            "path": dg.MetadataValue.path(str(generation.index)),
            **{name: value for name, value in manifest.items() if isinstance(value, int)},
            "objections": dg.MetadataValue.json({"found": manifest["objections"]}),
        }
    )
