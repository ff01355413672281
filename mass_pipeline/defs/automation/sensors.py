"""What begins when the world has moved on: a training on new labels, a poll when a site is due, what an update asks for, what
people outside say and ask. Off until switched on.

What an approval publishes is no matter of these: it follows the log of reviews.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

import dagster as dg

from mass_pipeline.defs.automation.jobs import ANNOUNCEMENTS, CRAWL, FOLLOWING, LEARNING, WEB_GRAPH, keys_of
from mass_pipeline.defs.conditions import tag_of
from mass_pipeline.defs.partitions import dioceses_of
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES
from mass_pipeline.publishing.published import Published
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.alerts import Alerts
from mass_pipeline.resources.annotations import AnnotationStore
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from mass_pipeline.dagster_internals import PartitionBackfill
    from mass_pipeline.defs.automation.jobs import Jobs
    from mass_pipeline.defs.sources import Source


FOLLOW_UP: Final = "follow_up"
(_ANNOUNCEMENTS,) = keys_of(ANNOUNCEMENTS)
_OF_PAGES: Final = (*CRAWL[1:], *ANNOUNCEMENTS, WEB_GRAPH[0])  # what is made of crawled pages alone
_ANNOTATED_SET: Final = keys_of(LEARNING)[0]


def build_sensors(
    dioceses: Sequence[str],
    operation: OperationConfig,
    jobs: Jobs,
    lake: Lake,
    open_annotations: Callable[[], AnnotationStore],
    announcements_due: Callable[[str], datetime | None],
) -> list[dg.SensorDefinition]:
    """Re-training on new annotations; due announcements; the conditions of the assets (`defs.conditions`)."""
    follow_up = dg.AutomationConditionSensorDefinition(
        FOLLOW_UP,
        target=dg.AssetSelection.all(),
        minimum_interval_seconds=30,
        # A publication asked for here is asked for together with its states (`conditions`), in one run: without the tag, of those
        # that end between two looks only the last would count as one that made them.
        run_tags={"trigger": FOLLOW_UP, tag_of("parish_states"): "true", **FOLLOWING},
        description="Makes anew what an update asks for, whatever started that: a weekly crawl, a backfill, a single run.",
    )
    return [
        follow_up,
        _new_annotations(len(dioceses), operation, jobs, lake, open_annotations),
        _due_announcements(dioceses, operation, jobs, lake, announcements_due),
    ]


def build_sources_sensor(
    sources: Sequence[Source], settings: Callable[[], Settings], lake: Lake, dioceses: Sequence[str]
) -> dg.SensorDefinition:
    """`observed_sources`: what changed of the sources of the lineage; what follows one is asked for by its condition.

    Conditions see what happens from their first look on. So the first look here asks for what pages that are there already
    have overtaken: crawled by hand, before anything was switched on.
    """

    @dg.sensor(
        name="observed_sources",
        target=dg.AssetSelection.assets(*_OF_PAGES),
        minimum_interval_seconds=60,
        description="Looks at what people and files say: an approval is published, a new extract is used at midnight. When it is "
        "switched on first, what was crawled before is followed.",
    )
    def observed_sources(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        requests = _overtaken(context.instance, dioceses) if context.cursor is None else []
        known: dict[str, str] = json.loads(context.cursor or "{}")
        now = settings()
        seen = {
            f"{one.asset_key.to_user_string()} {one.partition or ''}": one
            for source in sources
            for one in source.observations(now, lake)
            if one.partition is None or one.partition in dioceses
        }
        versions = {name: one.data_version or "" for name, one in seen.items()}
        changed = [one for name, one in seen.items() if known.get(name) != versions[name]]
        reason = None if changed or requests else "Nothing has changed."
        return dg.SensorResult(requests, reason, json.dumps(versions), asset_events=changed)

    return observed_sources


def _overtaken(instance: dg.DagsterInstance, dioceses: Sequence[str]) -> list[dg.RunRequest]:
    """Runs of what is older than the pages of its diocese; what is missing, and what rests on these, its condition asks for."""

    def made(asset: str) -> Mapping[str, int]:
        kind = dg.DagsterEventType.ASSET_MATERIALIZATION
        return instance.event_log_storage.get_latest_storage_id_by_partition(dg.AssetKey(asset), kind)

    pages, followers = made(CRAWLED_PAGES.name), {asset: made(asset) for asset in _OF_PAGES}
    older = {
        key: [asset for asset, last in followers.items() if last.get(key, at) < at]
        for key, at in pages.items()
        if key in dioceses
    }
    tags = {"trigger": FOLLOW_UP, **FOLLOWING}
    return [
        dg.RunRequest(f"overtaken-{key}-{pages[key]}", partition_key=key, tags=tags, asset_selection=keys_of(assets))
        for key, assets in older.items()
        if assets
    ]


def _new_annotations(
    dioceses: int, operation: OperationConfig, jobs: Jobs, lake: Lake, open_annotations: Callable[[], AnnotationStore]
) -> dg.SensorDefinition:
    @dg.sensor(
        name="new_annotations",
        job=jobs["learning_job"],
        minimum_interval_seconds=300,
        description="Trains again when enough new annotations have come in since it last did.",
    )
    def new_annotations(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        seen, count = int(context.cursor or _trained_with(context.instance)), open_annotations().count()
        if count < seen:
            return dg.SensorResult(skip_reason=f"The store has fewer annotations ({count}) than before.", cursor=str(count))
        if count - seen < operation.new_annotations:
            reason = f"{count - seen} new annotations; training again at {operation.new_annotations}."
            return dg.SensorResult(skip_reason=reason, cursor=str(seen))
        # Asked for in the midst of the first crawl, the training would be refused, and only new labels would ask again.
        there = len(lake.partitions(CANDIDATE_HOURS))
        if there < max(1, operation.min_diocese_coverage * dioceses):
            reason = f"Candidate hours of {there} of {dioceses} dioceses are too few yet: run crawl_job for more."
            return dg.SensorResult(skip_reason=reason, cursor=str(seen))
        tags = {"trigger": "annotations", **FOLLOWING}
        request = dg.RunRequest(f"annotations-{count}", tags=tags, asset_selection=keys_of(LEARNING))
        return dg.SensorResult([request], cursor=str(count))

    return new_annotations


def _trained_with(instance: dg.DagsterInstance) -> int:
    """How many annotations there were when the present annotated set was made; 0 before the first one."""
    event = instance.get_latest_materialization_event(_ANNOTATED_SET)
    made = event.asset_materialization if event is not None else None
    count = made.metadata.get("annotations") if made is not None else None
    return int(str(count.value)) if count is not None else 0


def _due_announcements(
    dioceses: Sequence[str],
    operation: OperationConfig,
    jobs: Jobs,
    lake: Lake,
    announcements_due: Callable[[str], datetime | None],
) -> dg.SensorDefinition:
    @dg.sensor(
        name="due_announcements",
        job=jobs["announcements_job"],
        minimum_interval_seconds=900,
        description="Polls the announcements of every crawled diocese in which a site is due, the longest overdue first.",
    )
    def due_announcements(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        now = operation.clock()()
        due = sorted(
            (moment, key)
            for key in lake.partitions(CRAWLED_PAGES)
            if (moment := announcements_due(key)) is not None and moment <= now and len(lake.reader(CRAWLED_PAGES, [key]))
        )
        if due:
            polled = _polled_now(context.instance, dioceses) | _waiting_in_backfills(context)
            due = [one for one in due if one[1] not in polled]
        if not due:
            return dg.SensorResult(skip_reason="No site is due.")
        # The key names the planned moment: until a run has planned the next one, another is asked for once a day at most.
        tags = {"trigger": "announcements", **FOLLOWING}
        return dg.SensorResult(
            [
                dg.RunRequest(
                    f"{key}-{moment:%Y%m%dT%H%M%S}-{now:%Y%m%d}",
                    partition_key=key,
                    tags=tags,
                    asset_selection=keys_of(ANNOUNCEMENTS),
                )
                for moment, key in due
            ]
        )

    return due_announcements


def _polled_now(instance: dg.DagsterInstance, dioceses: Sequence[str]) -> set[str]:
    """Dioceses whose announcements a run will poll or polls already: two at one state file would refuse each other."""
    from mass_pipeline.dagster_internals import NOT_FINISHED_STATUSES  # heavy: not for who only loads the definitions

    runs = instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES)))
    polling = (run for run in runs if run.job_name == "announcements_job" or _ANNOUNCEMENTS in (run.asset_selection or ()))
    return {key for run in polling for key in dioceses_of(run.tags, dioceses)}


def _waiting_in_backfills(context: dg.SensorEvaluationContext) -> set[str]:
    """Dioceses whose announcements a backfill has yet to ask for: it has no run for them that `_polled_now` could see."""
    from mass_pipeline.dagster_internals import BulkActionsFilter, BulkActionStatus

    backfills = context.instance.get_backfills(filters=BulkActionsFilter(statuses=[BulkActionStatus.REQUESTED]))
    return {key for one in backfills for key in _waiting(one, context)}


def _waiting(backfill: PartitionBackfill, context: dg.SensorEvaluationContext) -> Iterable[str]:
    if not backfill.is_asset_backfill:
        names = list(backfill.partition_names or ()) if backfill.job_name == "announcements_job" else []
        return names[-backfill.get_num_cancelable() :] if names and backfill.get_num_cancelable() else []
    assert context.repository_def is not None  # the daemon always gives it
    state = backfill.get_asset_backfill_data(context.repository_def.asset_graph)
    waiting = (state.target_subset - state.requested_subset - state.failed_and_downstream_subset).partitions_subsets_by_asset_key
    return waiting[_ANNOUNCEMENTS].get_partition_keys() if _ANNOUNCEMENTS in waiting else []


def build_people_sensors(settings: Settings, lake: Lake, alerts: Alerts) -> list[dg.SensorDefinition]:
    """`settle_inbox`, `parish_mail`."""
    published = Published(settings, lake, ReviewLog(settings.shared))

    @dg.sensor(
        name="settle_inbox",
        minimum_interval_seconds=120,
        description="Takes in reports of visitors and answers of parishes; what needs a person becomes a proposal.",
    )
    def settle_inbox(context: dg.SensorEvaluationContext) -> dg.SkipReason:
        from mass_pipeline.publishing.inbox import settle

        done = settle(published)
        return dg.SkipReason(
            f"{done.reports} reports; {done.proposed} new proposals, {len(done.confirmed)} orders confirmed, "
            f"{done.dropped} dropped."
        )

    @dg.sensor(
        name="parish_mail",
        minimum_interval_seconds=3600,
        description="Sends parishes the links they ask for, and a reminder two weeks before Christmas and Easter.",
    )
    def parish_mail(context: dg.SensorEvaluationContext) -> dg.SkipReason:
        from mass_pipeline.publishing.parish_mail import write_letters

        if not settings.section(PublicConfig).parish_mail:
            return dg.SkipReason("Nobody is written to: set MASS_PIPELINE_PUBLIC_PARISH_MAIL=true.")
        done = write_letters(published, alerts)
        return dg.SkipReason(f"{done.sent} letters sent; {done.without_address} parishes publish no address.")

    return [settle_inbox, parish_mail]
