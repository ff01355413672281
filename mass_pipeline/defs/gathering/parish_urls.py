"""The asset `parish_urls`: the web site of every parish, with how it was found (P3, P4)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import dagster as dg
import pyarrow as pa

from mass_pipeline.defs.code_version import URLS, code_version
from mass_pipeline.defs.conditions import WEEKLY
from mass_pipeline.defs.sources import OPERATOR_TABLES, OPT_OUTS
from mass_pipeline.defs.wiring import PLACES_POOL, RETRIES, discovery_state
from mass_pipeline.gathering.asking import Directory
from mass_pipeline.gathering.config import DirectoryConfig, PlacesConfig, WebsitesConfig
from mass_pipeline.model.columns import PARISH_URLS
from mass_pipeline.model.identifiers import ParishId
from mass_pipeline.resources.clients import places_client
from mass_pipeline.resources.lake import TableReader, table_of
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.storage import Metadata, clear_failures
from mass_pipeline.resources.web import RateLimitedHttp

if TYPE_CHECKING:
    from mass_pipeline.gathering.ledger import LedgerState
    from mass_pipeline.gathering.listing import ListedSite
    from mass_pipeline.gathering.parish import Parish
    from mass_pipeline.gathering.parish_url import ParishUrl

DECIDED_BY: Final = ("gathering", "reading.text.charset", *URLS)


@dg.asset(
    group_name="directory",
    kinds={"python", "httpx", "parquet"},
    io_manager_key="lake_io",
    deps=[OPT_OUTS, OPERATOR_TABLES],
    pool=PLACES_POOL,
    retry_policy=RETRIES,
    code_version=code_version(__name__, DECIDED_BY),
    freshness_policy=WEEKLY,
)
@clear_failures()
def parish_urls(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    settings: dg.ResourceParam[Settings],
    directory: dg.ResourceParam[Directory],
    http: dg.ResourceParam[RateLimitedHttp],
) -> pa.Table:
    """Web sites from the directory, Places and the operator's list, chosen by evidence and verified on the site itself.

    Every unit is reserved in a ledger before it is spent; what the quota leaves open stays `pending` for the next run.
    """
    from mass_pipeline.gathering.asking import home_reader
    from mass_pipeline.gathering.lookups import open_ledger
    from mass_pipeline.gathering.parish import Parish
    from mass_pipeline.gathering.websites import Sources, find_websites
    from mass_pipeline.model.boot import system_stopwatch

    allowed = settings.section(PlacesConfig)
    policy = settings.section(WebsitesConfig)
    known = [Parish(**row) for row in parishes.rows()]  # type: ignore[arg-type]
    with places_client(http) as client, http.client() as pages, discovery_state(settings) as state:
        ledger = open_ledger(state, allowed, stopwatch=system_stopwatch)
        rows = find_websites(
            known,
            Sources(client, allowed, listed_sites(known, settings, directory)),
            ledger,
            policy,
            home_reader(pages) if policy.verify else None,
            lambda: datetime.now(UTC),
        )
        units = ledger.look(datetime.now(UTC))
    context.add_output_metadata(look_up_metadata(rows, units, is_asked=client is not None))
    return table_of(PARISH_URLS, map(asdict, rows))


def listed_sites(known: "Sequence[Parish]", settings: Settings, directory: Directory) -> "dict[ParishId, list[ListedSite]]":
    """Web sites that the operator's file and OSM name; empty when neither is configured."""
    from mass_pipeline.gathering.gather import read_churches
    from mass_pipeline.gathering.listing import join_lists, match_churches, read_operator_list

    policy = settings.section(WebsitesConfig)
    by_hand = read_operator_list(Path(policy.operator_file)) if policy.operator_file else {}
    churches = read_churches(settings.section(DirectoryConfig), directory.get)
    return join_lists(by_hand, match_churches(known, churches))


def look_up_metadata(rows: "Sequence[ParishUrl]", units: "LedgerState", *, is_asked: bool) -> Metadata:
    """What the UI shows of a run of look-ups."""
    from mass_pipeline.gathering.overview import ledger_markdown, statuses_by_diocese, statuses_markdown

    return {
        **{f"status_{status}": count for status, count in sorted(Counter(row.status for row in rows).items())},
        **{f"source_{name}": count for name, count in sorted(Counter(row.source for row in rows if row.source).items())},
        "verified": sum(row.verified for row in rows),
        "shared_hosts": sum(row.shared_host for row in rows),
        "places": "asked" if is_asked else "not asked: no key (MASS_PIPELINE_PLACES_API_KEY)",
        "units_left": units.left,
        "ledger": dg.MetadataValue.md(ledger_markdown(units)),
        "statuses": dg.MetadataValue.md(statuses_markdown(statuses_by_diocese(rows))),
    }
