"""The asset `parishes`: the directory as a table (P1, P2)."""

from __future__ import annotations

import dagster as dg
import pyarrow as pa

from mass_pipeline.assets.stage import stage
from mass_pipeline.discovery.config import DirectoryConfig
from mass_pipeline.discovery.deon import read_directory
from mass_pipeline.discovery.dioceses import Dioceses
from mass_pipeline.discovery.parish import parishes_table
from mass_pipeline.model.columns import PARISHES
from mass_pipeline.resources.http import HttpClient
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import Settings


@stage(group="directory", kinds={"python", "beautifulsoup", "parquet"}, retries=True)
def parishes(
    context: dg.AssetExecutionContext,
    settings: dg.ResourceParam[Settings],
    http: dg.ResourceParam[HttpClient],
    lake: dg.ResourceParam[Lake],
) -> pa.Table:
    """Every parish of the directory: name, town, address, deanery, diocese, and the web site the directory names.

    List pages, then one page per parish, asked politely and again after 1.5^t seconds when the server fails. A changed
    layout or an unlikely number of parishes ends the run loudly; the earlier table stays.
    """
    config: DirectoryConfig = settings.section(DirectoryConfig)
    dioceses = Dioceses.from_csv(settings.dioceses_file)
    previous = len(lake.reader(PARISHES)) if lake.path(PARISHES).is_file() else None
    table = parishes_table(read_directory(http.get, config, dioceses=dioceses, previous_count=previous))
    context.add_output_metadata(
        {
            **{f"http_{name}": count for name, count in http.counters.items()},
            "dioceses": len(set(table.column("diocese_key").to_pylist())),
        }
    )
    return table
