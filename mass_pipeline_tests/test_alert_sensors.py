"""The sensors that tell an operator, on a real instance with a real failed run."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg

from mass_pipeline.defs.automation import alerts as automation
from mass_pipeline.defs.automation.alerts import NOT_SET, overdue_now
from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.resources.alerts import Alert, Alerts, AlertsConfig
from mass_pipeline.resources.lake import Lake

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class Told(Alerts):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        super().__init__(AlertsConfig(webhook="https://a.example/"), Path("unused"))
        self.alerts: list[Alert] = []

    def tell(self, alerts: object, now: datetime) -> int:
        self.alerts.extend(alerts)  # type: ignore[call-overload]
        return 1


@dg.asset
def pages() -> None:
    raise dg.Failure("Cannot write /lake: No space left on device.")


@dg.asset
def states() -> None:
    pass


@dg.asset_check(asset=states, name="nothing_lost")
def lost() -> dg.AssetCheckResult:
    return dg.AssetCheckResult(passed=False, severity=dg.AssetCheckSeverity.WARN, description="2 parishes have no order.")


def ended(name: str, asset: dg.AssetsDefinition, told: Alerts, **tags: str) -> None:
    """Run one asset and evaluate the sensor of its end."""
    defs = dg.Definitions([asset], asset_checks=[lost] if asset is states else [], jobs=[dg.define_asset_job("crawl_job")])
    with dg.DagsterInstance.ephemeral() as instance:
        job = defs.resolve_job_def("crawl_job")
        result = job.execute_in_process(instance=instance, raise_on_error=False, run_config=QUIET, tags=tags)
        kind = "PIPELINE_SUCCESS" if result.success else "PIPELINE_FAILURE"
        event = next(one for one in result.all_events if one.event_type_value == kind)
        context: object = dg.build_run_status_sensor_context(
            name, event, instance, result.dagster_run, resources={"alerts": told}
        )
        if not result.success:
            context = context.for_run_failure()  # type: ignore[attr-defined]
        getattr(automation, name)(context)


class TestRuns:
    def test_a_failed_run_is_told_with_its_reason(self) -> None:
        told = Told()
        ended("alert_failed_runs", pages, told, diocese="lodzka")

        (one,) = told.alerts
        assert (one.kind, one.cause) == ("run_failed", "crawl_job")
        assert "No space left on device" in one.text

    def test_one_that_is_tried_again_by_itself_is_not(self) -> None:
        told = Told()
        ended("alert_failed_runs", pages, told, **{"dagster/will_retry": "true"})

        assert told.alerts == []

    def test_a_failed_check_of_a_run_that_ended_well_is_told_by_what_it_means(self) -> None:
        told = Told()
        ended("alert_failed_checks", states, told)

        assert told.alerts == [Alert("parishes_lost", "states: nothing_lost", "2 parishes have no order.")]


class TestOverdue:
    def test_dioceses_that_are_too_old_are_told_also_when_nothing_runs(self, tmp_path: Path) -> None:
        lake = Lake(tmp_path)
        lake.publish(CRAWLED_PAGES, {"lodzka": [], "gdanska": []})
        old = (datetime.now(UTC) - timedelta(days=12)).timestamp()
        os.utime(lake.path(CRAWLED_PAGES, "lodzka"), (old, old))

        (one,) = overdue_now(lake, datetime.now(UTC))
        assert one == Alert("overdue", "crawled_pages: no_diocese_overdue", "Older than 9 days: lodzka (12 days).")

    def test_without_channels_the_sensor_says_how_to_set_one(self, tmp_path: Path) -> None:
        silent = Alerts(AlertsConfig(), tmp_path / "alerts.sqlite")
        context = dg.build_sensor_context(resources={"lake": Lake(tmp_path), "alerts": silent})

        assert automation.alert_overdue.evaluate_tick(context).skip_message == NOT_SET
