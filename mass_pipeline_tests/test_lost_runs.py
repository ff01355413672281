"""A retry that was lost is asked for again: on a real instance, with the failures that daemon and workers report."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest
import sqlalchemy as sa
from dagster._core.events import JobFailureData, RunFailureReason
from dagster._core.execution.plan.resume_retry import ReexecutionStrategy
from dagster._core.storage.tags import PARENT_RUN_ID_TAG, ROOT_RUN_ID_TAG, RUN_FAILURE_REASON_TAG, WILL_RETRY_TAG
from dagster._daemon.auto_run_reexecution.auto_run_reexecution import get_reexecution_strategy
from dagster._daemon.auto_run_reexecution.event_log_consumer import EventLogConsumerDaemon

from mass_pipeline.defs.automation.lost_runs import ASKED_AGAIN, MOST, YOUNGEST, ask_again, lost, lost_runs


def later() -> datetime:
    """When the daemon has had its time."""
    return datetime.now(UTC) + YOUNGEST + timedelta(minutes=1)


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    settings = "run_retries: {enabled: true, max_retries: 2, retry_on_asset_or_op_failure: false}\n"
    (tmp_path / "dagster.yaml").write_text(settings)
    with dg.DagsterInstance.from_config(str(tmp_path)) as opened:
        yield opened


def failed(instance: dg.DagsterInstance, reason: RunFailureReason = RunFailureReason.START_TIMEOUT, **tags: str) -> dg.DagsterRun:
    run = instance.add_run(dg.DagsterRun("crawl_job", dg.DagsterRun("x").run_id, tags=tags))
    instance.report_run_failed(run, "The worker was lost.", JobFailureData(error=None, failure_reason=reason))
    return _again(instance, run)


@dg.asset
def made() -> None:
    """Succeeds."""


@dg.asset
def broken() -> None:
    """Fails by itself."""
    raise dg.Failure("The host does not answer.")


def executed(instance: dg.DagsterInstance, asset: dg.AssetsDefinition) -> dg.DagsterRun:
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    result = dg.materialize([asset], instance=instance, raise_on_error=False, run_config=quiet)
    return _again(instance, result.dagster_run)


def _again(instance: dg.DagsterInstance, run: dg.DagsterRun) -> dg.DagsterRun:
    found = instance.get_run_by_id(run.run_id)
    assert found is not None
    return found


def follow(instance: dg.DagsterInstance, run: dg.DagsterRun) -> None:
    tags = {PARENT_RUN_ID_TAG: run.run_id, ROOT_RUN_ID_TAG: run.run_id}
    child = dg.DagsterRun("crawl_job", dg.DagsterRun("x").run_id, tags=tags, parent_run_id=run.run_id, root_run_id=run.run_id)
    instance.add_run(child)


class TestLost:
    def test_a_lost_worker_without_a_retry_is_found_after_the_daemon_had_its_time(self, instance: dg.DagsterInstance) -> None:
        run = failed(instance)

        assert not list(lost(instance, datetime.now(UTC)))
        assert [one.run_id for one in lost(instance, later())] == [run.run_id]

    def test_a_retry_that_the_daemon_gave_up_is_found_too(self, instance: dg.DagsterInstance) -> None:
        """Whatever goes wrong while it makes the new run, it notes that there shall be none."""
        run = failed(instance)
        instance.add_run_tags(run.run_id, {WILL_RETRY_TAG: "false"})

        assert [one.run_id for one in lost(instance, later())] == [run.run_id]

    def test_a_failure_of_the_work_is_none(self, instance: dg.DagsterInstance) -> None:
        run = executed(instance, broken)

        assert run.tags[RUN_FAILURE_REASON_TAG] == RunFailureReason.STEP_FAILURE.value
        assert not list(lost(instance, later()))

    def test_a_step_that_could_not_write_down_what_it_did_is_one(
        self, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store = instance.event_log_storage.store_event

        def away(event: dg.EventLogEntry) -> None:
            if event.dagster_event_type is dg.DagsterEventType.ASSET_MATERIALIZATION:
                raise sa.exc.OperationalError("INSERT", {}, Exception("server closed the connection unexpectedly"))
            store(event)

        monkeypatch.setattr(instance.event_log_storage, "store_event", away)
        run = executed(instance, made)

        assert run.tags[RUN_FAILURE_REASON_TAG] == RunFailureReason.STEP_FAILURE.value
        assert [one.run_id for one in lost(instance, later())] == [run.run_id]
        ask_again(instance, run)
        assert _again(instance, run).tags[WILL_RETRY_TAG] == "true"

    def test_one_that_was_followed_is_none(self, instance: dg.DagsterInstance) -> None:
        follow(instance, failed(instance))

        assert not list(lost(instance, later()))

    def test_after_three_times_it_stays(self, instance: dg.DagsterInstance) -> None:
        failed(instance, **{ASKED_AGAIN: str(MOST)})

        assert not list(lost(instance, later()))


class TestAskAgain:
    def test_the_daemon_hears_of_the_failure_once_more(
        self, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heard: list[str] = []

        def note(_: object, records: list[dg.RunRecord], __: object) -> Iterator[None]:
            heard.extend(record.dagster_run.run_id for record in records)
            yield

        monkeypatch.setattr(EventLogConsumerDaemon, "handle_updated_runs_fns", [note])
        daemon, process = EventLogConsumerDaemon(), type("Process", (), {"instance": instance})()
        list(daemon.run_iteration(process))  # it begins with what comes after this
        run = failed(instance)
        list(daemon.run_iteration(process))
        list(daemon.run_iteration(process))
        assert heard == [run.run_id]

        instance.add_run_tags(run.run_id, {WILL_RETRY_TAG: "false"})
        ask_again(instance, run)
        list(daemon.run_iteration(process))

        assert heard == [run.run_id] * 2
        again = _again(instance, run)
        assert (again.tags[WILL_RETRY_TAG], again.tags[ASKED_AGAIN]) == ("true", "1")
        assert get_reexecution_strategy(again, instance) is ReexecutionStrategy.ALL_STEPS

    def test_the_sensor_says_what_it_did(self, instance: dg.DagsterInstance) -> None:
        failed(instance)

        found = lost_runs.evaluate_tick(dg.build_sensor_context(instance))

        assert found.skip_message == "No retry is missing."  # it failed just now
