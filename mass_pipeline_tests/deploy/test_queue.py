"""The queue of several machines: one run is one diocese, and two runs of one diocese never go at once."""

from __future__ import annotations

import importlib
import multiprocessing
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import billiard
import pytest
import sqlalchemy as sa
import yaml
from dagster import DagsterInstance, DagsterRun, SubmitRunContext
from dagster._core.events import DagsterEvent, DagsterEventType
from dagster._core.launcher import WorkerStatus
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from dagster._daemon.run_coordinator.queued_run_coordinator_daemon import QueuedRunCoordinatorDaemon
from dagster_celery.launcher import CeleryRunLauncher
from dagster_celery.tags import DAGSTER_CELERY_TASK_ID_TAG
from kombu.exceptions import OperationalError

from mass_pipeline.operations.engine.launcher import GuardedCeleryRunLauncher
from mass_pipeline_tests.postgres import fresh_database
from mass_pipeline_tests.shared import ROOT

RANGE = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
INSTANCE = ROOT / "deploy" / "scale" / "dagster.yaml"
KUBERNETES = ROOT / "deploy" / "k8s" / "configmap.yaml"


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DagsterInstance]:
    """The instance of deploy/scale as it stands there, with a database of its own."""
    home = tmp_path_factory.mktemp("home")
    (home / "dagster.yaml").write_text(INSTANCE.read_text())
    with fresh_database() as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MASS_PG_URL", url.replace("postgresql://", "postgresql+psycopg2://").replace("+psycopg:", "+psycopg2:"))
        patch.setenv("MASS_BROKER", "amqp://guest@127.0.0.1:1//")
        patch.setenv("MASS_RESULTS", "cache+memory://")
        with DagsterInstance.from_config(str(home)) as opened:
            yield opened


@pytest.fixture(autouse=True)
def empty(instance: DagsterInstance) -> None:
    instance.run_storage.wipe()


def queued(instance: DagsterInstance, diocese: str, **tags: str) -> DagsterRun:
    """A run as a backfill asks for it: even of one diocese it is a range."""
    code = RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("mass_pipeline"), "__repository__")
    run = DagsterRun(
        "crawl_job",
        str(uuid.uuid4()),
        tags={**dict.fromkeys(RANGE, diocese), **tags},
        remote_job_origin=RemoteJobOrigin(code, "crawl_job"),
    )
    return instance.run_coordinator.submit_run(SubmitRunContext(instance.add_run(run), workspace=None))  # type: ignore[arg-type]


def to_start(instance: DagsterInstance) -> list[str]:
    daemon = QueuedRunCoordinatorDaemon(interval_seconds=1)
    return [
        run.tags["diocese"]
        for run in daemon._get_runs_to_dequeue(instance, instance.get_concurrency_config(), fixed_iteration_time=None)
    ]


@pytest.mark.service
class TestQueue:
    def test_the_second_run_of_a_diocese_waits_and_others_pass_it(self, instance: DagsterInstance) -> None:
        for diocese in ("lodzka", "lodzka", "gdanska"):
            queued(instance, diocese)

        assert to_start(instance) == ["lodzka", "gdanska"]

    def test_it_waits_for_one_that_is_under_way_and_goes_when_that_has_ended(self, instance: DagsterInstance) -> None:
        first, _ = queued(instance, "lodzka"), queued(instance, "lodzka")
        instance.handle_new_event(_event(first, DagsterEventType.RUN_STARTING))
        assert to_start(instance) == []

        instance.report_run_failed(instance.get_run_by_id(first.run_id))  # type: ignore[arg-type]
        assert to_start(instance) == ["lodzka"]

    def test_one_machine_has_the_same_limit(self, tmp_path: Path) -> None:
        (tmp_path / "dagster.yaml").write_text((ROOT / "deploy" / "dagster.yaml").read_text())
        with DagsterInstance.from_config(str(tmp_path)) as alone:
            for diocese in ("lodzka", "lodzka", "gdanska"):
                queued(alone, diocese)

            assert to_start(alone) == ["lodzka", "gdanska"]

    def test_no_more_runs_start_than_there_are_places(self, instance: DagsterInstance) -> None:
        for number in range(12):
            queued(instance, f"diocese-{number}", campaign="2026-W47")

        assert len(to_start(instance)) == 8


def _event(run: DagsterRun, kind: DagsterEventType):  # type: ignore[no-untyped-def]
    from dagster._core.events.log import EventLogEntry

    event = DagsterEvent(event_type_value=kind.value, job_name=run.job_name)
    return EventLogEntry(None, "info", "", run.run_id, 0.0, job_name=run.job_name, dagster_event=event)


class TestLauncher:
    @pytest.fixture
    def launcher(self) -> GuardedCeleryRunLauncher:
        return GuardedCeleryRunLauncher("dagster", broker="amqp://guest@127.0.0.1:1//", backend="cache+memory://")

    def run(self) -> DagsterRun:
        return DagsterRun("crawl_job", str(uuid.uuid4()), tags={DAGSTER_CELERY_TASK_ID_TAG: "task"})

    @pytest.mark.parametrize(
        ("state", "expected"),
        [
            ("SUCCESS", WorkerStatus.FAILED),
            ("FAILURE", WorkerStatus.FAILED),
            ("STARTED", WorkerStatus.RUNNING),
            ("PENDING", WorkerStatus.RUNNING),
        ],
    )
    def test_what_a_task_says_of_a_run_that_has_not_ended(
        self, launcher: GuardedCeleryRunLauncher, state: str, expected: WorkerStatus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A task that ended well without its run was a redelivered one: the worker was lost. One that nobody knows may wait."""
        monkeypatch.setattr(launcher.celery, "AsyncResult", lambda _: type("Result", (), {"state": state})())

        assert launcher.check_run_worker_health(self.run()).status is expected

    def test_results_that_cannot_be_asked_end_no_run(
        self, launcher: GuardedCeleryRunLauncher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(_: str) -> None:
            raise OSError("gone")

        monkeypatch.setattr(launcher.celery, "AsyncResult", broken)

        assert launcher.check_run_worker_health(self.run()).status is WorkerStatus.RUNNING

    @pytest.mark.parametrize(
        "error",
        [
            OperationalError("connection refused"),
            sa.exc.OperationalError("INSERT", {}, Exception("server closed the connection")),
        ],
    )
    def test_a_run_waits_in_the_queue_while_broker_or_database_is_away(
        self, launcher: GuardedCeleryRunLauncher, monkeypatch: pytest.MonkeyPatch, error: Exception
    ) -> None:
        from dagster._core.errors import DagsterUserCodeUnreachableError

        def refused(*_: object) -> None:
            raise error

        monkeypatch.setattr(CeleryRunLauncher, "launch_run", refused)

        with pytest.raises(DagsterUserCodeUnreachableError, match="cannot be reached"):
            launcher.launch_run(None)  # type: ignore[arg-type]

    def test_a_task_on_its_way_is_known_and_not_sent_again(self, launcher: GuardedCeleryRunLauncher) -> None:
        """The database goes away just after the broker took the task: the run is launched, and knows its task."""
        happened: list[tuple[str, Any]] = []

        class Instance:
            def add_run_tags(self, _: str, tags: dict[str, str]) -> None:
                happened.append(("tagged", tags[DAGSTER_CELERY_TASK_ID_TAG]))

            def report_engine_event(self, *_: object, **__: object) -> None:
                raise sa.exc.OperationalError("INSERT", {}, Exception("server closed the connection"))

        class Signature:
            def apply_async(self, *, task_id: str, **_: object) -> None:
                happened.append(("sent", task_id))

        launcher._instance_weakref = Instance  # type: ignore[assignment]
        launcher._launch_celery_task_run(self.run(), Signature(), "execute")

        (first, task), (second, sent) = happened
        assert (first, second) == ("tagged", "sent")
        assert task == sent


class TestSameRulesEverywhere:
    def test_kubernetes_has_the_queue_of_the_workers(self) -> None:
        here = yaml.safe_load(INSTANCE.read_text())
        there = yaml.safe_load(yaml.safe_load(KUBERNETES.read_text())["data"]["dagster.yaml"])

        assert here["run_coordinator"] == there["run_coordinator"]
        assert here["run_retries"] == there["run_retries"]
        assert (
            here["concurrency"]["runs"]["tag_concurrency_limits"][1] == there["concurrency"]["runs"]["tag_concurrency_limits"][1]
        )


class TestWorker:
    def test_a_run_in_a_pool_process_may_start_processes_of_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Costly pages are read in one; the process object that Celery's pool puts in place refuses, or cannot be handed on."""
        monkeypatch.setenv("MASS_BROKER", "amqp://guest@127.0.0.1:1//")
        monkeypatch.setenv("MASS_RESULTS", "cache+memory://")
        importlib.import_module("mass_pipeline.operations.engine.celery_app")  # as `celery -A` does, before it forks
        here, there = billiard.Pipe()
        child = billiard.Process(target=_start_one, args=(there,), daemon=True)
        child.start()

        assert here.poll(20)
        assert here.recv() == 0
        child.join()


def _start_one(connection: Any) -> None:
    from mass_pipeline.operations.engine.celery_app import may_have_children

    may_have_children()
    one = multiprocessing.get_context("fork").Process(target=_nothing)
    one.start()
    one.join()
    pickled = not isinstance(multiprocessing.current_process().authkey, billiard.process.AuthenticationString)
    connection.send(one.exitcode if pickled else 1)


def _nothing() -> None:
    """Ends well."""
