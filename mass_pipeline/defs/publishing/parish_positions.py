"""The asset `parish_positions`: where each parish is and how exactly that is known."""

from collections import Counter
from pathlib import Path
from typing import Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import POSITIONS, code_version
from mass_pipeline.defs.conditions import at_ticks
from mass_pipeline.defs.sources import OPERATOR_TABLES
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import clear_failures

_MIDNIGHT: Final = "0 0 * * *"
DECIDED_BY: Final = (*POSITIONS, "finding.config", "finding.gazetteer")


@dg.asset(
    group_name="public",
    kinds={"python", "parquet"},
    deps=[OPERATOR_TABLES],
    io_manager_key="lake_io",
    code_version=code_version(__name__, DECIDED_BY),
    automation_condition=at_ticks(_MIDNIGHT, ["parishes", "crawled_pages", "gazetteer", "osm_extract"], needs=["parishes"]),
)
@clear_failures()
def parish_positions(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    crawled_pages: TableReader,
    gazetteer: Path | None,
    osm_extract: Path | None,
    settings: dg.ResourceParam[Settings],
) -> pa.Table:
    """Where each parish is, how exactly that is known, and from whom; nothing is asked of the network.

    The operator's table, an OpenStreetMap extract, the parish's own site, the gazetteer's towns, postcodes: the first that
    answers. Wheelchair access is what OpenStreetMap says, with its date. Never Google Places (docs/terms.md).
    """
    from mass_pipeline.publishing.positions import MapFiles, positions_of

    made = positions_of(parishes, crawled_pages, MapFiles(gazetteer, osm_extract), settings)
    methods = Counter(str(one or "none") for one in made.column("method").to_pylist())
    context.add_output_metadata(
        {
            **{f"method_{name}": count for name, count in sorted(methods.items())},
            "wheelchair_stated": made.num_rows - made.column("wheelchair").null_count,
        }
    )
    return made
