"""Jobs, schedules and sensors: which assets run together, when, and what sets them off.

One run is one diocese, so that a bad one costs only itself; the whole chain in one process is a range run over all
dioceses. Requirement rows: P10, P17.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import dagster as dg

from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES
from mass_pipeline.resources.annotations import AnnotationStore
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.operation import OperationConfig, campaign_of

DIRECTORY: Final = ("parishes", "parish_urls")
CRAWL: Final = ("crawled_pages", "candidate_hours")
LEARNING: Final = ("annotated_set", "hours_classifier")
SCHEDULES: Final = ("mass_schedules", "parish_states")
WEB_GRAPH: Final = ("external_links", "companion_sites")
ANNOUNCEMENTS: Final = ("announcements",)
PUBLIC: Final = ("parish_positions", "public_index")
CAMPAIGN_TAG: Final = "campaign"

if TYPE_CHECKING:
    from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

    Jobs = Mapping[str, UnresolvedAssetJobDefinition]


def build_jobs(dioceses: Sequence[str], profile: str) -> Jobs:
    """The jobs by name: the whole chain as one range run, and its parts for regular operation."""
    tags = {"profile": profile}
    whole_range = {
        "dagster/asset_partition_range_start": dioceses[0],
        "dagster/asset_partition_range_end": dioceses[-1],
    }
    whole_chain = DIRECTORY + CRAWL + LEARNING + SCHEDULES
    jobs = (
        _job("mass_schedules_job", "The whole chain over all dioceses in one process.", whole_chain, {**tags, **whole_range}),
        _job("directory_job", "Parishes and their web sites.", DIRECTORY, tags),
        _job("crawl_job", "Pages and candidate hours of one diocese.", CRAWL, tags),
        _job("learning_job", "The annotated set and the classifier.", LEARNING, tags),
        _job("schedules_job", "Published schedules of one diocese.", SCHEDULES, tags),
        _job("announcements_job", "What is due of the announcements of one diocese.", ANNOUNCEMENTS, tags),
        _job("public_index_job", "Positions of the parishes and the index people ask.", PUBLIC, tags),
        _job("external_links_job", "External links of the crawled pages of one diocese.", WEB_GRAPH[:1], tags),
        _job("companion_sites_job", "The companion set of all dioceses whose links were collected.", WEB_GRAPH[1:], tags),
        _job("web_graph_job", "Links of all dioceses and their companion set.", WEB_GRAPH, {**tags, **whole_range}),
    )
    return {job.name: job for job in jobs}


def _job(name: str, description: str, assets: Sequence[str], tags: Mapping[str, str]) -> UnresolvedAssetJobDefinition:
    return dg.define_asset_job(name, selection=list(assets), description=description, run_tags=dict(tags))


def build_schedules(dioceses: Sequence[str], operation: OperationConfig, jobs: Jobs) -> list[dg.ScheduleDefinition]:
    """`weekly_directory`; `weekly_crawl`, one run per diocese, spread over the quiet hours; `weekly_companion_sites`."""

    @dg.schedule(
        name="weekly_crawl",
        job=jobs["crawl_job"],
        cron_schedule=operation.weekly_crons,
        execution_timezone=operation.timezone,
        description="Every diocese once a week; each tick of the quiet hours starts its share of them.",
    )
    def weekly_crawl(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
        moment = context.scheduled_execution_time.astimezone(ZoneInfo(operation.timezone))
        campaign = campaign_of(operation.night_of(moment))
        for key in share_of_tick(dioceses, moment, operation):
            yield dg.RunRequest(f"{key}-{campaign}", partition_key=key, tags={CAMPAIGN_TAG: campaign, "trigger": "weekly"})

    day = operation.weekly_day
    weekly_directory = _whole(
        "weekly_directory", jobs["directory_job"], f"0 22 * * {(day - 1) % 7}", operation.timezone,
        "Parishes and web sites, the evening before the crawl.", campaign_of,
    )  # fmt: skip
    weekly_companion_sites = _whole(
        "weekly_companion_sites", jobs["companion_sites_job"], f"0 12 * * {day % 7}", operation.timezone,
        "The companion set, at noon after the night of the crawl.", campaign_of,
    )  # fmt: skip
    nightly_public_index = _whole(
        "nightly_public_index", jobs["public_index_job"], "10 0 * * *", operation.timezone,
        "The public index of the new day: its horizon moves on.", "{:%Y-%m-%d}".format, trigger="nightly",
    )  # fmt: skip
    return [weekly_directory, weekly_crawl, weekly_companion_sites, nightly_public_index]


def _whole(
    name: str,
    job: UnresolvedAssetJobDefinition,
    cron: str,
    timezone: str,
    description: str,
    key: Callable[[datetime], str],
    *,
    trigger: str = "weekly",
) -> dg.ScheduleDefinition:
    """A schedule that starts one run of a job that has no partitions."""

    @dg.schedule(name=name, job=job, cron_schedule=cron, execution_timezone=timezone, description=description)
    def one_run(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
        return dg.RunRequest(key(context.scheduled_execution_time), tags={"trigger": trigger})

    return one_run


def share_of_tick(dioceses: Sequence[str], moment: datetime, operation: OperationConfig) -> list[str]:
    """The dioceses that start at a tick; over the ticks of one night each comes exactly once.

    Args:
        dioceses: all keys.
        moment: local time of the tick.
        operation: first and last hour, ticks per hour.
    """
    return list(dioceses[operation.tick_of(moment) :: operation.ticks])


def build_sensors(
    operation: OperationConfig,
    jobs: Jobs,
    lake: Lake,
    model_exists: Callable[[], bool],
    open_annotations: Callable[[], AnnotationStore],
    announcements_due: Callable[[str], datetime | None],
) -> list[dg.SensorDefinition]:
    """Re-training on new annotations; publication behind crawls and trainings; links behind crawls; due announcements."""

    def no_classifier(_: str) -> str:
        return "" if model_exists() else "No classifier yet: run learning_job."

    def no_candidates(diocese: str) -> str:
        known = diocese in lake.partitions(CANDIDATE_HOURS)
        return no_classifier(diocese) if known else f"No candidate hours of {diocese} yet: run crawl_job first."

    after = [
        _after(
            jobs["crawl_job"], jobs["schedules_job"], "publish_after_crawl",
            "Publishes the schedules of a diocese when its crawl has ended and a classifier exists.", no_classifier,
        ),
        _publish_after_training(jobs, lake),
        _after(
            jobs["crawl_job"], jobs["external_links_job"], "links_after_crawl",
            "Reads the external links of a diocese when its crawl has ended; nothing is fetched for it.",
        ),
        _after(
            jobs["announcements_job"], jobs["schedules_job"], "publish_after_announcements",
            "Publishes the schedules of a diocese anew when its announcements are polled and a classifier exists.", no_candidates,
        ),
    ]  # fmt: skip
    published = _published_index(operation, jobs)
    new_annotations = _new_annotations(operation, jobs, lake, open_annotations)
    return [new_annotations, *after, _due_announcements(operation, jobs, lake, announcements_due), published]


def _published_index(operation: OperationConfig, jobs: Jobs) -> dg.SensorDefinition:
    @dg.run_status_sensor(
        dg.DagsterRunStatus.SUCCESS,
        name="publish_public_index",
        monitored_jobs=[jobs["schedules_job"], jobs["mass_schedules_job"]],
        request_job=jobs["public_index_job"],
        description="Builds the public index behind publications, at most once in ten minutes; the nightly run takes the rest.",
    )
    def publish_public_index(context: dg.RunStatusSensorContext) -> dg.RunRequest:
        now = operation.clock()()
        # The same key within ten minutes starts one run: publications of many dioceses come one after the other.
        return dg.RunRequest(f"{now:%Y%m%dT%H}{now.minute // 10}", tags={"trigger": "publication"})

    return publish_public_index


def _new_annotations(
    operation: OperationConfig, jobs: Jobs, lake: Lake, open_annotations: Callable[[], AnnotationStore]
) -> dg.SensorDefinition:
    @dg.sensor(
        name="new_annotations",
        job=jobs["learning_job"],
        minimum_interval_seconds=300,
        description="Trains again when enough new annotations have come in since it last did.",
    )
    def new_annotations(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        seen, count = int(context.cursor or 0), open_annotations().count()
        if count < seen:
            return dg.SensorResult(skip_reason=f"The store has fewer annotations ({count}) than before.", cursor=str(count))
        if count - seen < operation.new_annotations:
            reason = f"{count - seen} new annotations; training again at {operation.new_annotations}."
            return dg.SensorResult(skip_reason=reason, cursor=str(seen))
        if not lake.partitions(CANDIDATE_HOURS):
            return dg.SensorResult(skip_reason="No candidate hours yet: run crawl_job first.", cursor=str(seen))
        return dg.SensorResult([dg.RunRequest(f"annotations-{count}", tags={"trigger": "annotations"})], cursor=str(count))

    return new_annotations


def _publish_after_training(jobs: Jobs, lake: Lake) -> dg.SensorDefinition:
    @dg.run_status_sensor(
        dg.DagsterRunStatus.SUCCESS,
        name="publish_after_training",
        monitored_jobs=[jobs["learning_job"]],
        request_job=jobs["schedules_job"],
        description="Publishes the schedules of every crawled diocese when a new classifier has passed its checks.",
    )
    def publish_after_training(context: dg.RunStatusSensorContext) -> Iterator[dg.RunRequest]:
        for key in lake.partitions(CANDIDATE_HOURS):
            yield dg.RunRequest(f"{context.dagster_run.run_id}-{key}", partition_key=key, tags={"trigger": "training"})

    return publish_after_training


def _after(
    watched: UnresolvedAssetJobDefinition,
    then: UnresolvedAssetJobDefinition,
    name: str,
    description: str,
    missing: Callable[[str], str] = lambda _: "",
) -> dg.SensorDefinition:
    """Start a job for the diocese of every run of another that ended well, unless something is missing (and says what)."""

    @dg.run_status_sensor(
        dg.DagsterRunStatus.SUCCESS, name=name, monitored_jobs=[watched], request_job=then, description=description
    )
    def after(context: dg.RunStatusSensorContext) -> dg.RunRequest | dg.SkipReason:
        diocese = context.dagster_run.tags.get("dagster/partition")
        if not diocese:
            return dg.SkipReason("It was no run of a single diocese.")
        if reason := missing(diocese):
            return dg.SkipReason(reason)
        return dg.RunRequest(
            context.dagster_run.run_id, partition_key=diocese, tags={"trigger": watched.name.removesuffix("_job")}
        )

    return after


def _due_announcements(
    operation: OperationConfig, jobs: Jobs, lake: Lake, announcements_due: Callable[[str], datetime | None]
) -> dg.SensorDefinition:
    @dg.sensor(
        name="due_announcements",
        job=jobs["announcements_job"],
        minimum_interval_seconds=900,
        description="Polls the announcements of every crawled diocese in which a site is due, the longest overdue first (J6).",
    )
    def due_announcements(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        now = operation.clock()()
        due = sorted(
            (moment, key)
            for key in lake.partitions(CRAWLED_PAGES)
            if (moment := announcements_due(key)) is not None and moment <= now
        )
        if not due:
            return dg.SensorResult(skip_reason="No site is due.")
        # The key names the planned moment: until a run has planned the next one, another is asked for once a day at most.
        tags = {"trigger": "announcements"}
        return dg.SensorResult(
            [dg.RunRequest(f"{key}-{moment:%Y%m%dT%H%M%S}-{now:%Y%m%d}", partition_key=key, tags=tags) for moment, key in due]
        )

    return due_announcements
