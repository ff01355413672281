"""Jobs, schedules and sensors, evaluated without a daemon."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import dagster as dg
import pyarrow as pa
import pytest
from dagster._core.definitions.assets.graph.asset_graph_subset import AssetGraphSubset
from dagster._core.definitions.events import AssetKeyPartitionKey
from dagster._core.execution.backfill import BulkActionStatus, PartitionBackfill
from dagster._core.remote_origin import (
    GrpcServerCodeLocationOrigin,
    RemoteJobOrigin,
    RemotePartitionSetOrigin,
    RemoteRepositoryOrigin,
)

from mass_pipeline.definitions import build_defs
from mass_pipeline.defs.automation.schedules import share_of_tick
from mass_pipeline.defs.partitions import diocese_partitions
from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, PARISH_URLS, PARISHES
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.resources.operation import OperationConfig
from mass_pipeline.resources.settings import load_settings
from mass_pipeline.schedules.reviews import Decision
from mass_pipeline_tests.defs.running import look
from mass_pipeline_tests.defs.tables import page
from mass_pipeline_tests.publishing.test_reviews import proposal
from mass_pipeline_tests.schedules.support import order

WARSAW = ZoneInfo("Europe/Warsaw")
PAGE = table_of(CRAWLED_PAGES, [page("p1", "http://parafia.example/", b"<p>Msze")])


def sites(*dioceses: str) -> pa.Table:
    """One parish with a web site in each."""
    row = dict.fromkeys(PARISH_URLS.names) | {"status": "found", "url": "http://parafia.example/", "candidates": []}
    given = {"shared_host": False, "verified": True}
    return table_of(PARISH_URLS, [row | given | {"parish_id": key, "diocese_key": key} for key in dioceses])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dg.Definitions]:
    """The definitions over a data folder: what they find there is looked up at each tick."""
    folder = tmp_path_factory.mktemp("data")
    return folder, build_defs(load_settings({"MASS_PIPELINE_DATA_FOLDER": str(folder)}))


@pytest.fixture
def tmp_path(built: tuple[Path, dg.Definitions]) -> Path:
    """Their data folder, empty again."""
    shutil.rmtree(built[0])
    built[0].mkdir()
    return built[0]


@pytest.fixture
def defs(built: tuple[Path, dg.Definitions], tmp_path: Path) -> dg.Definitions:
    return built[1]


def tick(defs: dg.Definitions, moment: datetime) -> list[dg.RunRequest]:
    repository = defs.get_repository_def()
    resources = {"lake": repository.get_top_level_resources()["lake"]}
    with dg.build_schedule_context(repository_def=repository, scheduled_execution_time=moment, resources=resources) as context:
        return list(repository.get_schedule_def("weekly_crawl").evaluate_tick(context).run_requests or ())


class TestWeeklyCrawl:
    def test_over_one_night_every_diocese_is_requested_exactly_once(self, defs: dg.Definitions) -> None:
        night = datetime(2026, 11, 23, tzinfo=WARSAW)

        requests = [request for n in range(12) for request in tick(defs, night + timedelta(minutes=30 * n))]

        assert len({request.partition_key for request in requests}) == len(requests) == 46

    def test_a_tick_starts_a_small_share_only(self, defs: dg.Definitions) -> None:
        requests = tick(defs, datetime(2026, 11, 23, 2, 30, tzinfo=WARSAW))

        assert 3 <= len(requests) <= 4

    def test_runs_carry_the_campaign_and_a_key_that_is_never_requested_twice_in_it(self, defs: dg.Definitions) -> None:
        (first, *_) = tick(defs, datetime(2027, 1, 4, 0, 0, tzinfo=WARSAW))

        assert first.tags["campaign"] == "2027-W01"
        assert first.run_key == f"{first.partition_key}-2027-W01"

    def test_runs_that_people_ask_for_go_first(self, defs: dg.Definitions) -> None:
        (first, *_) = tick(defs, datetime(2026, 11, 23, tzinfo=WARSAW))
        sensor = defs.get_repository_def().get_sensor_def("follow_up")

        assert int(first.tags["dagster/priority"]) < 0
        assert int(sensor.run_tags["dagster/priority"]) < 0  # type: ignore[attr-defined]

    def test_a_diocese_without_sites_is_crawled_once(self, defs: dg.Definitions, tmp_path: Path) -> None:
        lake, night = Lake(tmp_path / "lake"), datetime(2026, 11, 23, tzinfo=WARSAW)

        def asked() -> set[str | None]:
            return {one.partition_key for n in range(12) for one in tick(defs, night + timedelta(minutes=30 * n))}

        lake.publish(CRAWLED_PAGES, {"lodzka": [PAGE], "opolska": []})
        lake.publish(PARISH_URLS, {None: [sites("lodzka")]})
        without = asked()
        lake.publish(PARISH_URLS, {None: [sites("lodzka", "opolska")]})

        assert len(without) == 45
        assert "opolska" not in without
        assert len(asked()) == 46

    def test_a_request_names_what_its_run_will_make(self, defs: dg.Definitions) -> None:
        """Else the conditions ask for candidate hours again that the very crawl makes a moment later."""
        (first, *_) = tick(defs, datetime(2027, 1, 4, 0, 0, tzinfo=WARSAW))
        job = defs.resolve_job_def("crawl_job")

        assert set(first.asset_selection or ()) == set(job.asset_layer.executable_asset_keys)

    @pytest.mark.parametrize("per_hour", [2, 3, 4, 6])
    def test_shares_are_even_for_every_number_of_ticks(self, per_hour: int) -> None:
        operation = OperationConfig(ticks_per_hour=per_hour, quiet_from=1, quiet_to=4)
        first = datetime(2026, 11, 23, 1, 0, tzinfo=WARSAW)
        keys = [str(n) for n in range(46)]

        shares = [share_of_tick(keys, first + timedelta(minutes=n * 60 // per_hour), operation) for n in range(4 * per_hour)]

        assert Counter(keys) == Counter(key for share in shares for key in share)
        assert max(map(len, shares)) - min(map(len, shares)) <= 1


class TestNewAnnotations:
    def test_enough_new_annotations_request_training_and_move_the_cursor(self, defs: dg.Definitions, tmp_path: Path) -> None:
        Lake(tmp_path / "lake").publish(CANDIDATE_HOURS, {"lodzka": []})
        first = look(defs, "new_annotations", "0")
        second = look(defs, "new_annotations", first.cursor)

        assert [request.run_key for request in first.run_requests or ()] == [f"annotations-{first.cursor}"]
        assert not second.run_requests
        assert second.cursor == first.cursor

    def test_new_labels_in_the_store_set_it_off_again(self, defs: dg.Definitions, tmp_path: Path) -> None:
        Lake(tmp_path / "lake").publish(CANDIDATE_HOURS, {"lodzka": []})
        cursor = look(defs, "new_annotations", "0").cursor
        lines = [f'{{"candidate_id": "c{n}", "label": "mass"}}' for n in range(10)]

        (tmp_path / "annotations.jsonl").write_text("\n".join(lines[:9]))
        too_few = look(defs, "new_annotations", cursor)
        (tmp_path / "annotations.jsonl").write_text("\n".join(lines))
        enough = look(defs, "new_annotations", cursor)

        assert not too_few.run_requests
        assert "9 new annotations" in str(too_few.skip_message)
        assert len(enough.run_requests or ()) == 1

    def test_in_the_midst_of_the_first_crawl_labels_wait_for_it(self, tmp_path: Path) -> None:
        """The training was refused for want of dioceses, and only a hundred new labels would have asked for it again."""
        settings = {"MASS_PIPELINE_DATA_FOLDER": str(tmp_path), "MASS_PIPELINE_OPERATION_MIN_DIOCESE_COVERAGE": "0.9"}
        defs = build_defs(load_settings(settings))
        keys = diocese_partitions(load_settings(settings).dioceses_file).get_partition_keys()
        lake = Lake(tmp_path / "lake")

        lake.publish(CANDIDATE_HOURS, {key: [] for key in keys[:41]})
        early = look(defs, "new_annotations", "0")
        lake.publish(CANDIDATE_HOURS, {keys[41]: []})
        enough = look(defs, "new_annotations", early.cursor)

        assert not early.run_requests
        assert "41 of 46 dioceses" in str(early.skip_message)
        assert [set(one.asset_selection or ()) for one in enough.run_requests or ()] == [
            {dg.AssetKey("annotated_set"), dg.AssetKey("hours_classifier")}
        ]

    def test_without_candidate_hours_nothing_is_trained(self, defs: dg.Definitions) -> None:
        result = look(defs, "new_annotations", "0")

        assert not result.run_requests
        assert result.cursor == "0"


class TestClock:
    def test_frozen_time_stands_still(self) -> None:
        clock = OperationConfig(frozen_now="2026-11-22T04:00:00+01:00").clock()

        assert clock() == clock() == datetime(2026, 11, 22, 3, 0, tzinfo=UTC)

    def test_the_demo_can_be_given_the_clock(self, tmp_path: Path) -> None:
        """Empty is what a profile fills in: a demo that was to live with the clock lived on the day it is frozen on."""
        environ = {"MASS_PIPELINE_DATA_FOLDER": str(tmp_path), "MASS_PIPELINE_OPERATION_FROZEN_NOW": "clock"}
        operation = load_settings(environ, with_removals=False).section(OperationConfig)

        assert not operation.is_frozen
        assert abs(operation.clock()() - datetime.now(UTC)) < timedelta(minutes=1)


class TestAnnouncements:
    def test_crawled_dioceses_are_polled_when_a_site_of_theirs_is_due(self, defs: dg.Definitions, tmp_path: Path) -> None:
        """J6: never polled means due; a moment that was planned and not reached is asked for once a day at most."""
        Lake(tmp_path / "lake").publish(CRAWLED_PAGES, {key: [PAGE] for key in ("lodzka", "gdanska")})
        requests = look(defs, "due_announcements").run_requests or ()

        assert [request.partition_key for request in requests] == ["gdanska", "lodzka"]
        assert [request.run_key for request in requests] == [f"{key}-19700101T000000-20261122" for key in ("gdanska", "lodzka")]

    def test_a_diocese_without_sites_is_never_due(self, defs: dg.Definitions, tmp_path: Path) -> None:
        Lake(tmp_path / "lake").publish(CRAWLED_PAGES, {"lodzka": [PAGE], "opolska": []})
        (request,) = look(defs, "due_announcements").run_requests or ()

        assert request.partition_key == "lodzka"

    def test_without_crawled_pages_nothing_is_polled(self, defs: dg.Definitions) -> None:
        assert not look(defs, "due_announcements").run_requests

    @pytest.mark.parametrize("tagged", [("partition",), ("asset_partition_range_start", "asset_partition_range_end")])
    @pytest.mark.parametrize("status", [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTED])
    def test_a_diocese_that_is_polled_now_is_not_asked_for_again(
        self, defs: dg.Definitions, tmp_path: Path, status: dg.DagsterRunStatus, tagged: tuple[str, ...]
    ) -> None:
        """Two runs at one state file refuse each other, and the refusal would be told as a failure. A backfill tags ranges."""
        Lake(tmp_path / "lake").publish(CRAWLED_PAGES, {key: [PAGE] for key in ("lodzka", "gdanska")})
        with dg.DagsterInstance.ephemeral() as instance:
            tags = {f"dagster/{name}": "gdanska" for name in tagged}
            place = RemoteRepositoryOrigin(GrpcServerCodeLocationOrigin(host="localhost", port=1), "of_the_tests")
            origin = RemoteJobOrigin(place, "announcements_job")  # without one nothing can be queued
            instance.add_run(dg.DagsterRun("announcements_job", tags=tags, status=status, remote_job_origin=origin))
            found = look(defs, "due_announcements", instance=instance)

        assert [request.partition_key for request in found.run_requests or ()] == ["lodzka"]

    @pytest.mark.parametrize("of", ["the asset", "the job"])
    def test_a_diocese_that_waits_in_a_backfill_is_not_asked_for(self, defs: dg.Definitions, tmp_path: Path, of: str) -> None:
        """A backfill begins few runs at a time: most of its dioceses have none yet, and would be polled twice."""
        Lake(tmp_path / "lake").publish(CRAWLED_PAGES, {key: [PAGE] for key in ("lodzka", "gdanska", "opolska")})
        with dg.DagsterInstance.ephemeral() as instance:
            instance.add_backfill(_backfill(defs.get_repository_def(), ["gdanska", "opolska"], asked=["gdanska"], of=of))
            (asked,) = instance.get_backfills()
            while_it_waits = look(defs, "due_announcements", instance=instance)
            instance.update_backfill(asked.with_status(BulkActionStatus.COMPLETED_SUCCESS))
            when_it_ended = look(defs, "due_announcements", instance=instance)

        assert [request.partition_key for request in while_it_waits.run_requests or ()] == ["gdanska", "lodzka"]
        assert [request.partition_key for request in when_it_ended.run_requests or ()] == ["gdanska", "lodzka", "opolska"]


def _backfill(repository: dg.RepositoryDefinition, keys: list[str], asked: list[str], of: str) -> PartitionBackfill:
    """A backfill of announcements as the UI asks for it, which has begun runs for `asked` (ended since)."""
    announcements, now = dg.AssetKey("announcements"), datetime.now(UTC).timestamp()
    if of == "the job":
        place = RemoteRepositoryOrigin(GrpcServerCodeLocationOrigin(host="localhost", port=1), "of_the_tests")
        origin = RemotePartitionSetOrigin(repository_origin=place, partition_set_name="announcements_job_partition_set")
        names = {"partition_set_origin": origin, "partition_names": keys, "last_submitted_partition_name": asked[-1]}
        return PartitionBackfill("b", BulkActionStatus.REQUESTED, False, {}, now, **names)
    with dg.DagsterInstance.ephemeral() as instance:
        made = PartitionBackfill.from_asset_partitions(
            "b", repository.asset_graph, keys, [announcements], now, {}, instance, False, None, None, None
        )
        state = made.asset_backfill_data
        assert state is not None
        requested = AssetGraphSubset.from_asset_partition_set(
            {AssetKeyPartitionKey(announcements, key) for key in asked}, repository.asset_graph
        )
        return made.with_asset_backfill_data(state._replace(requested_subset=requested), instance, repository.asset_graph)


class TestObservedSources:
    def test_an_approval_is_reported_once_and_for_its_diocese_alone(self, defs: dg.Definitions, tmp_path: Path) -> None:
        row = dict.fromkeys(PARISHES.names, "") | {"parish_id": "p1", "diocese_key": "lodzka", "fetched_at": None}
        Lake(tmp_path / "lake").publish(PARISHES, {None: [table_of(PARISHES, [row])]})
        instance = dg.DagsterInstance.ephemeral()
        before = look(defs, "observed_sources", None, instance)
        decision = Decision(proposal("p1"), "approved", "Jan", "2026-11-15T12:00:00+00:00", tuple(order()), ())
        ReviewLog(tmp_path).decide(decision)
        approved = look(defs, "observed_sources", before.cursor, instance)
        after = look(defs, "observed_sources", approved.cursor, instance)

        assert "approvals" not in {one.asset_key.to_user_string() for one in before.asset_events}
        assert [(one.asset_key.to_user_string(), one.partition) for one in approved.asset_events] == [("approvals", "lodzka")]
        assert after.skip_message == "Nothing has changed."

    def test_what_was_crawled_before_it_was_switched_on_is_followed_once(self, defs: dg.Definitions) -> None:
        with dg.DagsterInstance.ephemeral() as instance:
            for asset in ("crawled_pages", "candidate_hours", "announcements", "external_links"):
                for key in ("lodzka", "gdanska"):
                    instance.report_runless_asset_event(dg.AssetMaterialization(asset, partition=key))
            for asset in ("crawled_pages", "candidate_hours"):  # what crawl_job makes
                instance.report_runless_asset_event(dg.AssetMaterialization(asset, partition="lodzka"))
            instance.report_runless_asset_event(dg.AssetMaterialization("crawled_pages", partition="opolska"))
            first = look(defs, "observed_sources", None, instance)
            second = look(defs, "observed_sources", first.cursor, instance)

        (request,) = first.run_requests or ()
        assert request.partition_key == "lodzka"
        assert {key.path[-1] for key in request.asset_selection or ()} == {"announcements", "external_links"}
        assert not second.run_requests
