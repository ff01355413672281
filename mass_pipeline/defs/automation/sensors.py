"""What begins when the world has moved on: a training on new labels, a poll when a site is due, what an update asks for, what
people outside say and ask. Off until switched on.

What an approval publishes is no matter of these: it follows the log of reviews. Without postponed annotations: Dagster looks at
the types of the resources itself.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import dagster as dg

from mass_pipeline.defs.automation.jobs import ANNOUNCEMENTS, CRAWL, FOLLOWING, LEARNING, WEB_GRAPH, keys_of
from mass_pipeline.defs.conditions import tag_of
from mass_pipeline.defs.partitions import diocese_partitions, dioceses_of
from mass_pipeline.defs.sources import SOURCES
from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES
from mass_pipeline.publishing.published import Published
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.alerts import Alerts
from mass_pipeline.resources.clients import open_annotations
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import Settings

if TYPE_CHECKING:
    from mass_pipeline.dagster_internals import PartitionBackfill

FOLLOW_UP: Final = "follow_up"
(_ANNOUNCEMENTS,) = keys_of(ANNOUNCEMENTS)
_OF_PAGES: Final = (*CRAWL[1:], *ANNOUNCEMENTS, WEB_GRAPH[0])  # what is made of crawled pages alone
_ANNOTATED_SET: Final = keys_of(LEARNING)[0]

follow_up = dg.AutomationConditionSensorDefinition(
    FOLLOW_UP,
    target=dg.AssetSelection.all(),
    minimum_interval_seconds=30,
    # A publication asked for here is asked for together with its states (`conditions`), in one run: without the tag, of those
    # that end between two looks only the last would count as one that made them.
    run_tags={"trigger": FOLLOW_UP, tag_of("parish_states"): "true", **FOLLOWING},
    description="Makes anew what an update asks for, whatever started that: a weekly crawl, a backfill, a single run.",
)


@dg.sensor(
    target=dg.AssetSelection.assets(*_OF_PAGES),
    minimum_interval_seconds=60,
    description="Looks at what people and files say: an approval is published, a new extract is used at midnight. When it is "
    "switched on first, what was crawled before is followed.",
)
def observed_sources(
    context: dg.SensorEvaluationContext, settings: dg.ResourceParam[Settings], lake: dg.ResourceParam[Lake]
) -> dg.SensorResult:
    """What changed of the sources of the lineage; what follows one is asked for by its condition.

    Conditions see what happens from their first look on. So the first look here asks for what pages that are there already
    have overtaken: crawled by hand, before anything was switched on.
    """
    dioceses = _dioceses(settings)
    requests = _overtaken(context.instance, dioceses) if context.cursor is None else []
    known: dict[str, str] = json.loads(context.cursor or "{}")
    seen = {
        f"{observation.asset_key.to_user_string()} {observation.partition or ''}": observation
        for source in SOURCES
        for observation in source.observations(settings, lake)
        if observation.partition is None or observation.partition in dioceses
    }
    versions = {name: observation.data_version or "" for name, observation in seen.items()}
    changed = [observation for name, observation in seen.items() if known.get(name) != versions[name]]
    reason = None if changed or requests else "Nothing has changed."
    return dg.SensorResult(requests, reason, json.dumps(versions), asset_events=changed)


def _dioceses(settings: Settings) -> Sequence[str]:
    return diocese_partitions(settings.dioceses_file).get_partition_keys()


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


@dg.sensor(
    job_name="learning_job",
    minimum_interval_seconds=300,
    description="Trains again when enough new annotations have come in since it last did.",
)
def new_annotations(
    context: dg.SensorEvaluationContext, settings: dg.ResourceParam[Settings], lake: dg.ResourceParam[Lake]
) -> dg.SensorResult:
    """A training on what is new; the cursor is the number of annotations it was asked for with."""
    operation = settings.section(OperationConfig)
    seen, count = int(context.cursor or _trained_with(context.instance)), open_annotations(settings).count()
    if count < seen:
        return dg.SensorResult(skip_reason=f"The store has fewer annotations ({count}) than before.", cursor=str(count))
    if count - seen < operation.new_annotations:
        reason = f"{count - seen} new annotations; training again at {operation.new_annotations}."
        return dg.SensorResult(skip_reason=reason, cursor=str(seen))
    # Asked for in the midst of the first crawl, the training would be refused, and only new labels would ask again.
    made, dioceses = len(lake.partitions(CANDIDATE_HOURS)), len(_dioceses(settings))
    if made < max(1, operation.min_diocese_coverage * dioceses):
        reason = f"Candidate hours of {made} of {dioceses} dioceses are too few yet: run crawl_job for more."
        return dg.SensorResult(skip_reason=reason, cursor=str(seen))
    tags = {"trigger": "annotations", **FOLLOWING}
    request = dg.RunRequest(f"annotations-{count}", tags=tags, asset_selection=keys_of(LEARNING))
    return dg.SensorResult([request], cursor=str(count))


def _trained_with(instance: dg.DagsterInstance) -> int:
    """How many annotations there were when the present annotated set was made; 0 before the first one."""
    event = instance.get_latest_materialization_event(_ANNOTATED_SET)
    made = event.asset_materialization if event is not None else None
    count = made.metadata.get("annotations") if made is not None else None
    return int(str(count.value)) if count is not None else 0


@dg.sensor(
    job_name="announcements_job",
    minimum_interval_seconds=900,
    description="Polls the announcements of every crawled diocese in which a site is due, the longest overdue first.",
)
def due_announcements(
    context: dg.SensorEvaluationContext, settings: dg.ResourceParam[Settings], lake: dg.ResourceParam[Lake]
) -> dg.SensorResult:
    """One run for each diocese that is due."""
    from mass_pipeline.publishing.announcements import announcements_due

    now = settings.section(OperationConfig).clock()()
    due = sorted(
        (moment, key)
        for key in lake.partitions(CRAWLED_PAGES)
        if (moment := announcements_due(settings, key)) is not None and moment <= now and len(lake.reader(CRAWLED_PAGES, [key]))
    )
    if due:
        polled = _polled_now(context.instance, _dioceses(settings)) | _waiting_in_backfills(context)
        due = [(moment, key) for moment, key in due if key not in polled]
    if not due:
        return dg.SensorResult(skip_reason="No site is due.")
    # The key names the planned moment: until a run has planned the next one, another is asked for once a day at most.
    tags, assets = {"trigger": "announcements", **FOLLOWING}, keys_of(ANNOUNCEMENTS)
    return dg.SensorResult(
        [
            dg.RunRequest(f"{key}-{moment:%Y%m%dT%H%M%S}-{now:%Y%m%d}", partition_key=key, tags=tags, asset_selection=assets)
            for moment, key in due
        ]
    )


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


def _waiting(backfill: "PartitionBackfill", context: dg.SensorEvaluationContext) -> Iterable[str]:
    if not backfill.is_asset_backfill:
        names = list(backfill.partition_names or ()) if backfill.job_name == "announcements_job" else []
        return names[-backfill.get_num_cancelable() :] if names and backfill.get_num_cancelable() else []
    assert context.repository_def is not None  # the daemon always gives it
    state = backfill.get_asset_backfill_data(context.repository_def.asset_graph)
    waiting = (state.target_subset - state.requested_subset - state.failed_and_downstream_subset).partitions_subsets_by_asset_key
    return waiting[_ANNOUNCEMENTS].get_partition_keys() if _ANNOUNCEMENTS in waiting else []


@dg.sensor(
    minimum_interval_seconds=120,
    description="Takes in reports of visitors and answers of parishes; what needs a person becomes a proposal.",
)
def settle_inbox(
    context: dg.SensorEvaluationContext, settings: dg.ResourceParam[Settings], lake: dg.ResourceParam[Lake]
) -> dg.SkipReason:
    """See `publishing.inbox`."""
    from mass_pipeline.publishing.inbox import settle

    done = settle(Published(settings, lake, ReviewLog(settings.shared)))
    return dg.SkipReason(
        f"{done.reports} reports; {done.proposed} new proposals, {len(done.confirmed)} orders confirmed, {done.dropped} dropped."
    )


@dg.sensor(
    minimum_interval_seconds=3600,
    description="Sends parishes the links they ask for, and a reminder two weeks before Christmas and Easter.",
)
def parish_mail(
    context: dg.SensorEvaluationContext,
    settings: dg.ResourceParam[Settings],
    lake: dg.ResourceParam[Lake],
    alerts: dg.ResourceParam[Alerts],
) -> dg.SkipReason:
    """See `publishing.parish_mail`."""
    from mass_pipeline.publishing.parish_mail import write_letters

    if not settings.section(PublicConfig).parish_mail:
        return dg.SkipReason("Nobody is written to: set MASS_PIPELINE_PUBLIC_PARISH_MAIL=true.")
    done = write_letters(Published(settings, lake, ReviewLog(settings.shared)), alerts)
    return dg.SkipReason(f"{done.sent} letters sent; {done.without_address} parishes publish no address.")
