"""What begins by the clock: the directory and the crawl of every diocese once a week. What follows: conditions.

Without postponed annotations: Dagster looks at the types of the resources itself.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import dagster as dg

from mass_pipeline.defs.automation.jobs import CRAWL, DIRECTORY, WEEKLY, keys_of
from mass_pipeline.model.columns import CRAWLED_PAGES, PARISH_URLS
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.operation import OperationConfig, campaign_of

CAMPAIGN_TAG: Final = "campaign"


def build_schedules(dioceses: Sequence[str], operation: OperationConfig) -> list[dg.ScheduleDefinition]:
    """`weekly_directory`; `weekly_crawl`, one run per diocese, spread over the quiet hours."""

    @dg.schedule(
        job_name="crawl_job",
        cron_schedule=operation.weekly_cron,
        execution_timezone=operation.timezone,
        description="Every diocese once a week; each tick of the quiet hours starts its share of those that have sites.",
    )
    def weekly_crawl(context: dg.ScheduleEvaluationContext, lake: dg.ResourceParam[Lake]) -> Iterator[dg.RunRequest]:
        moment = context.scheduled_execution_time.astimezone(ZoneInfo(operation.timezone))
        campaign = campaign_of(moment)
        share = share_of_tick(dioceses, moment, operation)
        for key in sorted(set(share) - nothing_to_crawl(lake, share), key=share.index):
            tags = {CAMPAIGN_TAG: campaign, "trigger": "weekly", **WEEKLY}
            yield dg.RunRequest(f"{key}-{campaign}", partition_key=key, tags=tags, asset_selection=keys_of(CRAWL))

    @dg.schedule(
        job_name="directory_job",
        cron_schedule=f"0 22 * * {(operation.weekly_day - 1) % 7}",
        execution_timezone=operation.timezone,
        description="Parishes and web sites, the evening before the crawl.",
    )
    def weekly_directory(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
        campaign = campaign_of(context.scheduled_execution_time)
        return dg.RunRequest(campaign, tags={"trigger": "weekly", **WEEKLY}, asset_selection=keys_of(DIRECTORY))

    return [weekly_directory, weekly_crawl]


def nothing_to_crawl(lake: Lake, dioceses: Sequence[str]) -> set[str]:
    """Dioceses of which no parish has a site, and none had one at the last crawl: its empty partition would be made again."""
    empty = {key for key in lake.partitions(CRAWLED_PAGES) if key in dioceses and not len(lake.reader(CRAWLED_PAGES, [key]))}
    if not empty:
        return set()
    sites = lake.published(PARISH_URLS).rows(["diocese_key", "url"])
    return empty - {str(row["diocese_key"]) for row in sites if row["url"]}


def share_of_tick(dioceses: Sequence[str], moment: datetime, operation: OperationConfig) -> list[str]:
    """The dioceses that start at a tick; over the ticks of one night each comes exactly once.

    Args:
        dioceses: all keys.
        moment: local time of the tick.
        operation: first and last hour, ticks per hour.
    """
    return list(dioceses[operation.tick_of(moment) :: operation.ticks])
