"""The asset `mass_schedules`: the published Mass schedule of every parish, with evidence (P18)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

import dagster as dg
import pandas as pd

from mass_pipeline.assets.reading import SiteReader, SiteReading
from mass_pipeline.assets.stage import stage
from mass_pipeline.classification.combine import Policy, final_schedule
from mass_pipeline.classification.model import Trained
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.resources.storage import Metadata, Partitions
from mass_pipeline.schedule_grammar import read_site
from mass_pipeline.schedule_grammar.osm import service_times


@stage(group="schedules", kinds={"python", "parquet"}, partitioned=True, deps=["crawled_pages", "candidate_hours"])
def mass_schedules(
    context: dg.AssetExecutionContext,
    hours_classifier: Trained | None,
    lake: dg.ResourceParam[Lake],
    site_reader: dg.ResourceParam[SiteReader],
) -> Partitions:
    """Standing schedules: what the rules accept, completed and corrected by the classifier; every row with its source.

    Each row names the page, the words on it, the digest of the page and when it was fetched; `service_times` holds the
    parish's whole schedule for OpenStreetMap. Parishes whose site states no schedule have no row.
    """
    rows, metadata = {}, dict[str, Metadata]()
    for key in context.partition_keys:
        started = time.perf_counter()
        candidates = lake.reader(CANDIDATE_HOURS, [key]).frame()
        by_parish = dict(tuple(candidates.groupby("parish_id")))
        found: list[dict[str, object]] = []
        statuses: Counter[str] = Counter()
        for site in site_reader.sites(lake.reader(CRAWLED_PAGES, [key])):
            schedule = schedule_of(site, by_parish.get(site.parish_id, candidates.iloc[:0]), hours_classifier)
            statuses[schedule.status] += 1
            found.extend(schedule_rows(site, schedule))
        rows[key] = table_of(MASS_SCHEDULES, found)
        metadata[key] = {
            "parishes_with_schedule": len({row["parish_id"] for row in found}),
            **{f"status_{status}": count for status, count in sorted(statuses.items())},
            **{f"method_{method}": count for method, count in sorted(Counter(str(row["method"]) for row in found).items())},
            "seconds": time.perf_counter() - started,
        }
    return Partitions(rows, metadata)


def schedule_of(site: SiteReading, candidates: pd.DataFrame, model: Trained | None) -> SiteSchedule:
    """What the site says about the standing order of Masses, judged by the classifier where there is one."""
    read = read_site([page.reading for page in site.pages])
    if model is None:
        return read
    return final_schedule(read, candidates, model.predict_proba(candidates), policy=Policy.of(model))


def schedule_rows(site: SiteReading, schedule: SiteSchedule) -> Iterator[dict[str, object]]:
    """Rows of mass_schedules for one parish; a Mass whose evidence is no crawled page is left out."""
    pages = {page.url: page for page in site.pages}
    osm = service_times([read.mass for read in schedule.masses])
    seen = set()
    for read in schedule.masses:
        evidence = next((one for one in read.evidence if one.source_url in pages and one.quote), None)
        if evidence is None or read.mass in seen:
            continue
        seen.add(read.mass)
        page = pages[evidence.source_url]
        yield {
            **read.mass.as_dict(),
            "parish_id": site.parish_id,
            "method": read.method,
            "confidence": read.confidence,
            "source_url": evidence.source_url,
            "quote": evidence.quote,
            "page_sha256": page.sha256,
            "fetched_at": page.fetched_at,
            "valid_from": None,
            "valid_to": None,
            "service_times": osm,
        }
