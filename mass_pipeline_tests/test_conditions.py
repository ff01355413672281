"""What is made anew by itself: the conditions of all assets on a real instance, over a moved clock, without a daemon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest
from dagster._core.test_utils import freeze_time

from mass_pipeline.definitions import build_defs
from mass_pipeline.defs.automation.sensors import FOLLOW_UP
from mass_pipeline.defs.sources import SOURCES
from mass_pipeline.resources.settings import load_settings
from mass_pipeline_tests.defs.running import FEW_DIOCESES

NIGHT = datetime(2026, 11, 23, 1, 0, 5, tzinfo=UTC)  # 02:00:05 in Warsaw
WHOLE = ("parishes", "parish_urls", "annotated_set", "hours_classifier")


@pytest.fixture(scope="module")
def defs(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    folder = tmp_path_factory.mktemp("data")
    (folder / "dioceses.csv").write_text(FEW_DIOCESES.replace("elblaska", "gdanska"), encoding="utf-8")
    return build_defs(
        load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder), "MASS_PIPELINE_DIOCESES_FILE": str(folder / "dioceses.csv")})
    )


class Clock:
    """An instance whose time is moved by hand; a tick of the conditions says what they ask for."""

    def __init__(self, defs: dg.Definitions, instance: dg.DagsterInstance) -> None:
        self.defs = defs
        self.instance = instance
        self.now = NIGHT
        self._cursor: str | None = None

    def made(self, asset: str, *keys: str, gate: bool | None = None, check: str = "metrics_over_floor") -> None:
        """Events as a run leaves them, a second later."""
        self.now += timedelta(seconds=1)
        with freeze_time(self.now):
            for key in keys or (None,):
                self.instance.report_runless_asset_event(dg.AssetMaterialization(asset, partition=key))
            if gate is not None:
                judged = dg.AssetCheckEvaluation(
                    asset_key=dg.AssetKey(asset), check_name=check, passed=gate, blocking=True, metadata={}
                )
                self.instance.report_runless_asset_event(judged)

    def observed(self, source: str, key: str, version: str) -> None:
        """A source as its sensor reports it, a second later."""
        self.now += timedelta(seconds=1)
        with freeze_time(self.now):
            seen = dg.AssetObservation(source, partition=key, tags={"dagster/data_version": version})
            self.instance.report_runless_asset_event(seen)

    def begin(self, name: str, key: str, asset: str) -> dg.DagsterRun:
        """A run of a job that has made the first of its assets."""
        job = self.defs.resolve_job_def(name)
        return self._begin(job, job.asset_layer.executable_asset_keys, job.run_tags, key, asset)

    def begin_follow_up(self, key: str, *assets: str) -> dg.DagsterRun:
        """A run that the sensor of the conditions has asked for, which has made the first of its assets."""
        sensor = self.defs.get_repository_def().get_sensor_def(FOLLOW_UP)
        assert isinstance(sensor, dg.AutomationConditionSensorDefinition)
        job = self.defs.resolve_implicit_global_asset_job_def()
        keys = {dg.AssetKey(name) for name in assets}
        return self._begin(job.get_subset(asset_selection=keys), keys, sensor.run_tags, key, assets[0])

    def _begin(
        self, job: dg.JobDefinition, keys: Set[dg.AssetKey], tags: Mapping[str, str], key: str, asset: str
    ) -> dg.DagsterRun:
        run = self.instance.create_run_for_job(
            job, asset_selection=keys, tags={**tags, "dagster/partition": key}, status=dg.DagsterRunStatus.STARTED
        )
        self.report(run, key, asset)
        return run

    def report(self, run: dg.DagsterRun, key: str, asset: str) -> None:
        """What a run has made, a second later."""
        self.now += timedelta(seconds=1)
        made = dg._core.events.StepMaterializationData(dg.AssetMaterialization(asset, partition=key))  # type: ignore[attr-defined]
        kind = dg.DagsterEventType.ASSET_MATERIALIZATION.value
        with freeze_time(self.now):
            self.instance.report_dagster_event(dg.DagsterEvent(kind, run.job_name, event_specific_data=made), run.run_id)

    def tick(self, seconds: float = 29) -> dict[str, set[str]]:
        """Asset -> partitions asked for ("" for a whole table), so long after the last event."""
        self.now += timedelta(seconds=seconds)
        with freeze_time(self.now):
            found = dg.evaluate_automation_conditions(self.defs, self.instance, evaluation_time=self.now, cursor=self._cursor)
        self._cursor = found.cursor
        return {
            one.key.to_user_string(): set(one.true_subset.expensively_compute_partition_keys())
            if one.true_subset.is_partitioned
            else {""}
            for one in found.results
            if not one.true_subset.is_empty
        }


@pytest.fixture
def clock(defs: dg.Definitions) -> Iterator[Clock]:
    """A data folder with directory and classifier, and no diocese crawled."""
    with dg.DagsterInstance.ephemeral() as instance:
        moved = Clock(defs, instance)
        moved.tick(0)
        for asset in WHOLE:
            moved.made(asset)
        moved.tick()
        yield moved


class TestCrawl:
    def test_a_backfill_of_crawled_pages_is_followed_down_to_the_public_index(self, clock: Clock) -> None:
        """It was followed by nothing: sensors watched the job of the weekly crawl alone."""
        both = {"lodzka", "gdanska"}
        clock.made("crawled_pages", *both)
        followed = clock.tick()
        clock.made("external_links", *both)
        clock.made("candidate_hours", *both)
        clock.made("announcements", *both)
        published = clock.tick()
        clock.made("mass_schedules", *both)
        clock.made("parish_states", *both)

        assert followed == {"candidate_hours": both, "confession_hours": both, "external_links": both, "announcements": both}
        assert published == {"mass_schedules": both, "parish_states": both}
        assert "public_index" in clock.tick(600)
        assert clock.tick(600) == {}

    def test_what_a_run_makes_itself_is_not_asked_for_again(self, clock: Clock) -> None:
        """crawl_job makes pages and hours of a diocese in one run."""
        clock.begin("crawl_job", "lodzka", "crawled_pages")

        assert "candidate_hours" not in clock.tick()

    def test_nor_what_it_makes_some_ticks_later(self, clock: Clock) -> None:
        """Hours were missing when the pages came; when the run ends they are there, and were made once more all the same."""
        run = clock.begin("crawl_job", "lodzka", "crawled_pages")
        asked = [clock.tick()]
        clock.report(run, "lodzka", "candidate_hours")
        asked.append(clock.tick())
        clock.instance.report_dagster_event(dg.DagsterEvent(dg.DagsterEventType.PIPELINE_SUCCESS.value, run.job_name), run.run_id)
        asked += [clock.tick(), clock.tick()]

        assert [one for one in asked if "candidate_hours" in one] == []

    def test_nor_what_several_runs_made_between_two_ticks(self, clock: Clock) -> None:
        """Only the last run of an asset counted: of two crawls that ended together, one had its hours made once more."""
        for key in ("lodzka", "gdanska"):
            run = clock.begin("crawl_job", key, "crawled_pages")
            clock.report(run, key, "candidate_hours")
            clock.instance.report_dagster_event(
                dg.DagsterEvent(dg.DagsterEventType.PIPELINE_SUCCESS.value, run.job_name), run.run_id
            )
        asked = [clock.tick(), clock.tick()]

        assert [one["candidate_hours"] for one in asked if "candidate_hours" in one] == []

    def test_nor_states_after_several_publications_that_made_them(self, clock: Clock) -> None:
        """They were made once more for all publications but the last; one by hand without them is followed."""
        both = {"lodzka", "gdanska"}
        clock.made("crawled_pages", *both)
        clock.tick()
        for asset in ("external_links", "candidate_hours", "announcements"):
            clock.made(asset, *both)
        assert clock.tick()["parish_states"] == both
        for key in ("lodzka", "gdanska"):
            run = clock.begin_follow_up(key, "mass_schedules", "parish_states")
            clock.report(run, key, "parish_states")
            ended = dg.DagsterEvent(dg.DagsterEventType.PIPELINE_SUCCESS.value, run.job_name)
            clock.instance.report_dagster_event(ended, run.run_id)
        asked = [clock.tick(), clock.tick()]
        clock.made("mass_schedules", "gdanska")

        assert [one["parish_states"] for one in asked if "parish_states" in one] == []
        assert clock.tick()["parish_states"] == {"gdanska"}

    def test_an_update_in_the_tick_behind_a_request_is_not_lost(self, clock: Clock) -> None:
        clock.made("crawled_pages", "lodzka")
        clock.tick()
        clock.made("crawled_pages", "lodzka")

        assert clock.tick()["candidate_hours"] == {"lodzka"}

    def test_schedules_wait_until_a_classifier_is_there(self, defs: dg.Definitions) -> None:
        with dg.DagsterInstance.ephemeral() as instance:
            clock = Clock(defs, instance)
            clock.tick(0)
            for asset in ("parishes", "parish_urls"):
                clock.made(asset)
            clock.made("crawled_pages", "lodzka")
            clock.made("candidate_hours", "lodzka")
            without = clock.tick()
            clock.made("annotated_set")
            clock.made("hours_classifier")

            assert "mass_schedules" not in without
            assert clock.tick()["mass_schedules"] == {"lodzka"}


class TestGate:
    def test_nothing_is_published_by_a_classifier_under_its_floors(self, clock: Clock) -> None:
        clock.made("crawled_pages", "lodzka")
        clock.made("candidate_hours", "lodzka")
        clock.tick()
        clock.made("hours_classifier", gate=False)
        held = clock.tick()
        clock.made("hours_classifier", gate=True)

        assert "mass_schedules" not in held
        assert clock.tick()["mass_schedules"] == {"lodzka"}

    def test_a_promise_broken_in_another_diocese_stops_nothing(self, clock: Clock) -> None:
        """What breaks it is not published: what follows is made of rows that hold it."""
        clock.made("crawled_pages", "lodzka")
        clock.tick()
        clock.made("candidate_hours", "lodzka", gate=False, check="schema")

        assert clock.tick()["mass_schedules"] == {"lodzka"}


class TestApprovals:
    def test_what_a_person_approved_is_published_in_its_diocese(self, clock: Clock) -> None:
        both = ("lodzka", "gdanska")
        clock.made("crawled_pages", *both)
        clock.tick()
        for asset in ("candidate_hours", "announcements", "external_links"):
            clock.made(asset, *both)
        clock.tick()
        for asset in ("mass_schedules", "parish_states"):
            clock.made(asset, *both)
        clock.tick()
        clock.observed("approvals", "gdanska", "one")
        asked = clock.tick()
        clock.observed("approvals", "gdanska", "one")

        assert asked == {"mass_schedules": {"gdanska"}, "parish_states": {"gdanska"}}
        assert "mass_schedules" not in clock.tick()


class TestTraining:
    def test_a_new_classifier_publishes_every_crawled_diocese_anew(self, clock: Clock) -> None:
        for key in ("lodzka", "gdanska"):
            clock.made("crawled_pages", key)
            clock.made("candidate_hours", key)
        clock.tick()
        clock.made("mass_schedules", "lodzka", "gdanska")
        clock.tick()
        clock.made("hours_classifier")

        assert clock.tick()["mass_schedules"] == {"lodzka", "gdanska"}


class TestTicks:
    def test_the_companion_set_is_made_once_at_noon_after_new_links(self, clock: Clock) -> None:
        clock.made("external_links", "lodzka")
        morning = clock.tick()
        clock.now = NIGHT.replace(hour=11)
        noon = clock.tick()

        assert "companion_sites" not in morning
        assert "companion_sites" in noon
        assert "companion_sites" not in clock.tick()

    def test_the_public_index_is_made_every_night_without_an_update(self, clock: Clock) -> None:
        clock.now = NIGHT.replace(hour=23, minute=9)
        clock.tick()
        clock.now = NIGHT.replace(hour=23, minute=10)
        night = clock.tick()

        assert "public_index" in night
        assert "public_index" not in clock.tick(600)


class TestDeclared:
    def test_nothing_that_fetches_unasked_has_a_condition(self, defs: dg.Definitions) -> None:
        without = {spec.key.to_user_string() for spec in defs.resolve_all_asset_specs() if spec.automation_condition is None}

        assert without == {"parishes", "parish_urls", "crawled_pages", "annotated_set", *(source.name for source in SOURCES)}

    def test_every_table_of_the_week_and_the_day_has_a_freshness_policy(self, defs: dg.Definitions) -> None:
        made = set(defs.get_repository_def().assets_defs_by_key) - {dg.AssetKey(source.name) for source in SOURCES}
        specs = {spec.key.to_user_string(): spec for spec in defs.resolve_all_asset_specs() if spec.key in made}
        without = {name for name, spec in specs.items() if spec.freshness_policy is None}

        assert without == {"annotated_set", "hours_classifier", "companion_sites", "parish_positions"}
        assert all(spec.code_version for spec in specs.values())
