"""Run some assets of the project in this process, and look at what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
from dagster._core.definitions.sensor_definition import SensorExecutionData
from dagster._core.execution.resources_init import get_transitive_required_resource_keys

from mass_pipeline.definitions import build_defs
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.resources.web import OpenWeb, open_web

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
QUICK_TRAINING = {"CLASSIFICATION_PHRASE_PAGES": "30"}  # where what is learnt is not asked for
FEW_DIOCESES = "key,name,spellings\nelblaska,diecezja elbląska,elbląska\nlodzka,archidiecezja łódzka,łódzka\n"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended.

    Attributes:
        errors: clear lines of the failures, in order.
        checks: check -> passed.
        metadata: (asset, partition) -> metadata values.
        events: how many Dagster wrote down.
    """

    success: bool
    errors: tuple[str, ...]
    checks: Mapping[str, bool]
    summaries: Mapping[str, str]
    metadata: Mapping[tuple[str, str | None], Mapping[str, object]]
    lake: Lake
    events: int


@dataclass(frozen=True)
class PreparedJob:
    """The whole chain in an instance of its own, run as often as wanted."""

    job: dg.JobDefinition
    instance: dg.DagsterInstance
    lake: Lake

    def run(self, assets: Sequence[str], *, partitions: tuple[str, str] | None = None) -> Ended:
        """Materialize assets with their checks; arguments as of `run_assets`."""
        tags = {}
        if partitions is not None:
            tags = dict(
                zip(("dagster/asset_partition_range_start", "dagster/asset_partition_range_end"), partitions, strict=True)
            )
        result = self.job.execute_in_process(
            instance=self.instance,
            raise_on_error=False,
            asset_selection=[dg.AssetKey(name) for name in assets],
            run_config=QUIET,
            tags=tags,
        )
        return ended_of(result, self.lake)


def run_assets(
    data_folder: Path,
    assets: Sequence[str],
    *,
    partitions: tuple[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    web: OpenWeb = open_web,
) -> Ended:
    """Materialize assets with their checks.

    Args:
        data_folder: where tables and state go.
        assets: names.
        partitions: first and last key of a range.
        environ: further settings, as environment variables without their prefix.
        web: the web the run reaches.
    """
    with prepared_job(data_folder, environ or {}, web) as job:
        return job.run(assets, partitions=partitions)


def look(
    defs: dg.Definitions, sensor: str, cursor: str | None = None, instance: dg.DagsterInstance | None = None
) -> SensorExecutionData:
    """What a sensor asks for now, with the resources that the daemon would give it."""
    repository = defs.get_repository_def()
    definition, known = repository.get_sensor_def(sensor), repository.get_top_level_resources()
    needed = get_transitive_required_resource_keys(definition.required_resource_keys, known)
    resources = {key: known[key] for key in needed}
    with (
        nullcontext(instance) if instance else dg.DagsterInstance.ephemeral() as used,
        dg.build_sensor_context(used, cursor, repository_def=repository, resources=resources) as context,
    ):
        return definition.evaluate_tick(context)


@contextmanager
def prepared_job(data_folder: Path, environ: Mapping[str, str], web: OpenWeb = open_web) -> Iterator[PreparedJob]:
    """The whole chain with its settings, for several runs; arguments as of `run_assets`."""
    settings = load_settings(
        {
            "MASS_PIPELINE_DATA_FOLDER": str(data_folder),
            **{f"MASS_PIPELINE_{name}": value for name, value in environ.items()},
        }
    )
    with dg.DagsterInstance.ephemeral() as instance:
        job = build_defs(settings, web=web).resolve_job_def("mass_schedules_job")
        yield PreparedJob(job, instance, Lake(settings.data_folder / "lake"))


def ended_of(result: dg.ExecuteInProcessResult, lake: Lake) -> Ended:
    evaluations = result.get_asset_check_evaluations()
    metadata = {
        (m.asset_key.to_user_string(), m.partition): {name: value.value for name, value in m.metadata.items()}
        for m in (event.step_materialization_data.materialization for event in result.get_asset_materialization_events())
    }
    return Ended(
        result.success,
        tuple(_clear_line(event) for event in result.all_events if event.is_step_failure),
        {one.check_name: one.passed for one in evaluations},
        {one.check_name: one.description or "" for one in evaluations},
        metadata,
        lake,
        len(result.all_events),
    )


def _clear_line(event: dg.DagsterEvent) -> str:
    """What the UI shows on top: the description of the failure, else the message of its cause."""
    failure = event.step_failure_data
    if failure.user_failure_data is not None and failure.user_failure_data.description:
        return failure.user_failure_data.description
    error = failure.error
    while error is not None and error.cause is not None:
        error = error.cause
    return error.message if error is not None else ""


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes; what must be untouched is compared by it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def digests(folder: Path) -> dict[str, str]:
    """Every file below a folder with its SHA-256."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in tree(folder).items()}
