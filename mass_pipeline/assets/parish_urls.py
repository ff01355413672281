"""The asset `parish_urls`: the web site of every parish, with how it was found (P3, P4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import dagster as dg
import pyarrow as pa

from mass_pipeline.assets.stage import PLACES_POOL, stage
from mass_pipeline.crawler import CrawlConfig, fetch_once
from mass_pipeline.discovery.config import PlacesConfig, WebsitesConfig
from mass_pipeline.discovery.lookups import open_ledger
from mass_pipeline.discovery.parish import Parish
from mass_pipeline.discovery.parish_url import parish_urls_table
from mass_pipeline.discovery.ports import FetchHome, HomePage
from mass_pipeline.discovery.state import StateFile
from mass_pipeline.discovery.websites import Sources, find_websites
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.model.errors import FetchError
from mass_pipeline.resources.clients import Places
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.resources.settings import Settings
from mass_pipeline.resources.web import Web


@stage(group="directory", kinds={"python", "googlemaps", "parquet"}, pool=PLACES_POOL, retries=True)
def parish_urls(
    context: dg.AssetExecutionContext,
    parishes: TableReader,
    settings: dg.ResourceParam[Settings],
    places: dg.ResourceParam[Places],
    web: dg.ResourceParam[Web],
) -> pa.Table:
    """Web sites from the directory, Places and the operator's list, chosen by evidence and verified on the site itself.

    Every unit is reserved in a ledger before it is spent; what the quota leaves open stays `pending` for the next run.
    """
    config: PlacesConfig = settings.section(PlacesConfig)
    policy: WebsitesConfig = settings.section(WebsitesConfig)
    client = places.client()
    ledger = open_ledger(StateFile(settings.data_folder / "state" / "discovery.sqlite"), config)
    rows = find_websites(
        (Parish(**row) for row in parishes.rows()),  # type: ignore[arg-type]
        Sources(client, config),
        ledger,
        policy,
        home_reader(settings, web) if policy.verify else None,
        lambda: datetime.now(UTC),
    )
    units = ledger.look(datetime.now(UTC))
    context.add_output_metadata(
        {
            **{f"status_{status}": count for status, count in sorted(Counter(row.status for row in rows).items())},
            **{f"source_{name}": count for name, count in sorted(Counter(row.source for row in rows if row.source).items())},
            "verified": sum(row.verified for row in rows),
            "shared_hosts": sum(row.shared_host for row in rows),
            "units_left": units.left,
            "places": "asked" if client else "not asked: no key (MASS_PIPELINE_PLACES_API_KEY)",
        }
    )
    return parish_urls_table(rows)


def home_reader(settings: Settings, web: Web) -> FetchHome:
    """Reads a home page through the crawler's gate, robots and pauses."""
    config = replace(settings.section(CrawlConfig), contact=settings.general.contact, allow_private_hosts=web.is_local)

    def read(url: str) -> HomePage:
        result = fetch_once(url, config=config, connect_to=web.connect_to)
        if result.outcome not in ("ok", "truncated"):
            raise FetchError(url, result.reason or result.outcome)
        document = read_document(result.body, content_type=result.content_type, url=result.final_url or url)
        return HomePage(result.final_url or url, document.text, document.title)

    return read
