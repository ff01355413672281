"""The asset `parishes`: the directory as a table (P1, P2)."""

from dataclasses import asdict
from typing import Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import URLS, code_version
from mass_pipeline.defs.conditions import WEEKLY
from mass_pipeline.defs.sources import OPERATOR_TABLES, OPT_OUTS
from mass_pipeline.defs.wiring import RETRIES, discovery_state
from mass_pipeline.gathering.asking import Directory
from mass_pipeline.gathering.config import DirectoryConfig
from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.model.columns import PARISHES
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import clear_failures

DECIDED_BY: Final = ("gathering", "reading.text.charset", *URLS)


@dg.asset(
    group_name="directory",
    kinds={"python", "beautifulsoup", "parquet"},
    io_manager_key="lake_io",
    deps=[OPT_OUTS, OPERATOR_TABLES],
    retry_policy=RETRIES,
    code_version=code_version(__name__, DECIDED_BY),
    freshness_policy=WEEKLY,
)
@clear_failures()
def parishes(
    context: dg.AssetExecutionContext,
    settings: dg.ResourceParam[Settings],
    directory: dg.ResourceParam[Directory],
    lake: dg.ResourceParam[Lake],
) -> pa.Table:
    """Every parish of the directory: name, town, address, deanery, diocese, and the web site the directory names.

    List pages, then one page per parish, asked politely and again after 1.5^t seconds when the server fails. A changed
    layout or an unlikely number of parishes ends the run loudly; the earlier table stays.
    """
    from mass_pipeline.gathering.gather import Walk, gather_parishes
    from mass_pipeline.gathering.overview import COUNTED_IN_2016, diff_parishes
    from mass_pipeline.gathering.parish import Parish

    earlier = lake.published(PARISHES, None)
    has_previous = bool(earlier.parts)
    previous = [Parish(**row) for row in earlier.rows()]  # type: ignore[arg-type]
    with discovery_state(settings) as state:
        walk = Walk(
            settings.section(DirectoryConfig),
            directory.get,
            Dioceses.from_csv(settings.dioceses_file),
            state,
            directory.now,
            len(previous) if has_previous else None,
            max((parish.fetched_at for parish in previous if parish.fetched_at), default=None),
        )
        gathered = gather_parishes(walk)
    changes = diff_parishes(previous, gathered.parishes)
    context.add_output_metadata(
        {
            **{f"entries_{source}": count for source, count in gathered.per_source.items()},
            f"share_of_{COUNTED_IN_2016}": len(gathered.parishes) / COUNTED_IN_2016,
            "dioceses": len({parish.diocese_key for parish in gathered.parishes}),
            "twins": gathered.twins,
            "new": len(changes.new),
            "gone": len(changes.gone),
            "changed": len(changes.changed),
            "changes": dg.MetadataValue.md(changes.to_markdown() if has_previous else "The first run."),
            "reused_pages": walk.reused_pages,
            **{f"http_{name}": count for name, count in directory.counters.items()},
        }
    )
    return table_of(PARISHES, map(asdict, gathered.parishes))
