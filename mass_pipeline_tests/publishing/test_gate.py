"""Rows that break a promise are not published: the earlier ones stay, and one diocese costs no other.

Without postponed annotations: Dagster looks at the type of an asset's context itself.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from mass_pipeline.defs.checks import checks_of
from mass_pipeline.defs.wiring import PER_DIOCESE, Produced, each_diocese
from mass_pipeline.model.columns import CANDIDATE_HOURS, PARISH_STATES, PARISHES
from mass_pipeline.model.errors import StorageError
from mass_pipeline.publishing.promises.gate import Gate
from mass_pipeline.publishing.promises.tables import PROMISES
from mass_pipeline.publishing.verdicts import VerdictLog
from mass_pipeline.resources.lake import Lake, TableReader, table_of
from mass_pipeline.resources.settings import Settings, load_settings
from mass_pipeline.resources.storage import ParquetIO, Partitions

DIOCESES = [f"d{number:02}" for number in range(46)]
EMPTY = "d06"  # no parish lies in it
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
NOW = datetime(2026, 11, 22, tzinfo=UTC)


@dataclass
class Country:
    """A table of two parishes in each of 46 dioceses but one, made by Dagster, its promises, and an asset that follows it.

    Attributes:
        forgotten: dioceses of which the next run makes only one row.
        damaged: dioceses that cannot be made.
        followed: partitions made by the asset downstream.
    """

    settings: Settings
    instance: dg.DagsterInstance
    forgotten: set[str] = field(default_factory=set)
    damaged: set[str] = field(default_factory=set)
    followed: list[str] = field(default_factory=list)

    @property
    def lake(self) -> Lake:
        return Lake(self.settings.data_folder / "lake")

    @property
    def log(self) -> VerdictLog:
        return VerdictLog(self.settings.shared)

    def make(self, first: str, last: str | None = None) -> dg.ExecuteInProcessResult:
        """A run of one diocese, or of a range."""
        per_diocese = {**PER_DIOCESE, "partitions_def": dg.StaticPartitionsDefinition(DIOCESES)}

        @dg.asset(**per_diocese)
        def parish_states(context: dg.AssetExecutionContext) -> Partitions:
            def states_of(diocese: str) -> Produced:
                if diocese in self.damaged:
                    raise StorageError("its state is damaged")
                return table_of(PARISH_STATES, self._states(diocese)), {}

            return each_diocese(context, states_of)

        @dg.asset(**per_diocese)
        def candidate_hours(context: dg.AssetExecutionContext, parish_states: TableReader) -> Partitions:
            def hours_of(diocese: str) -> Produced:
                parish_states.required(diocese)
                self.followed.append(diocese)
                return table_of(CANDIDATE_HOURS, []), {}

            return each_diocese(context, hours_of)

        promises = [one for one in PROMISES if one.asset == PARISH_STATES.name and one.blocking]
        defs = dg.Definitions(
            [parish_states, candidate_hours],
            asset_checks=[checks_of("parish_states", promises, DIOCESES), checks_of("candidate_hours", [], DIOCESES)],
            resources={
                "lake": self.lake,
                "settings": self.settings,
                "lake_io": ParquetIO(self.lake, Gate(self.lake, self.settings, DIOCESES)),
            },
        )
        ends = {"partition": first} if last is None else {"asset_partition_range_start": first, "asset_partition_range_end": last}
        return defs.resolve_implicit_global_asset_job_def().execute_in_process(
            instance=self.instance,
            run_config=QUIET,
            raise_on_error=False,
            tags={f"dagster/{key}": one for key, one in ends.items()},
        )

    def _states(self, key: str) -> list[dict[str, object]]:
        row = dict.fromkeys(PARISH_STATES.names) | {
            "state": "no_site",
            "reason": "",
            "masses": 0,
            "differs": False,
            "proposals": 0,
        }
        return [{**row, "parish_id": one} for one in parishes_of(key)[: 1 if key in self.forgotten else None]]

    def digests(self) -> dict[str, str]:
        """Diocese -> digest of what is published of it."""
        parts = {key: self.lake.path(PARISH_STATES, key) for key in self.lake.partitions(PARISH_STATES)}
        return {key: hashlib.sha256(path.read_bytes()).hexdigest() for key, path in parts.items()}


def parishes_of(key: str) -> list[str]:
    return [] if key == EMPTY else [f"{key}-a", f"{key}-b"]


def judged(result: dg.ExecuteInProcessResult) -> tuple[bool, str]:
    """What the check shows at the end of a run."""
    (found,) = (one for one in result.get_asset_check_evaluations() if one.check_name == "every_parish")
    return found.passed, found.description or ""


@pytest.fixture
def country(tmp_path: Path) -> Iterator[Country]:
    settings = load_settings({"MASS_PIPELINE_DATA_FOLDER": str(tmp_path)})
    listed = [
        {
            **dict.fromkeys(PARISHES.names),
            "parish_id": one, "name": "Św. Anny", "town": "Łąka", "address": "", "diocese": key, "diocese_key": key,
            "source": "table", "fetched_at": NOW,
        }
        for key in DIOCESES
        for one in parishes_of(key)
    ]  # fmt: skip
    with dg.DagsterInstance.ephemeral() as instance:
        made = Country(settings, instance)
        made.lake.publish(PARISHES, {None: [table_of(PARISHES, listed)]})
        yield made


class TestOneDiocese:
    def test_rows_that_break_a_promise_leave_the_earlier_ones_and_stop_what_follows(self, country: Country) -> None:
        country.make("d05")
        before = country.digests()
        country.forgotten = {"d05"}
        ended = country.make("d05")

        assert not ended.success
        assert country.digests() == before
        assert country.followed == ["d05"], "of the first run alone"
        assert not country.log.read("parish_states", "every_parish")["d05"].passed

    def test_no_other_diocese_speaks_for_it(self, country: Country) -> None:
        """An empty diocese after it turned the check green."""
        country.make("d05")
        country.forgotten = {"d05"}
        country.make("d05")
        after = country.make(EMPTY)

        passed, says = judged(after)
        assert after.success
        assert country.followed == ["d05", EMPTY]
        assert not passed
        assert "d05: 1 of 2 parishes have a state" in says

    def test_it_passes_again_once_its_rows_do(self, country: Country) -> None:
        country.forgotten = {"d05"}
        country.make("d05")
        country.forgotten = set()

        assert judged(country.make("d05"))[0]

    def test_a_removal_takes_the_rows_out_of_the_verdict_and_leaves_the_verdict(self, country: Country) -> None:
        country.forgotten = {"d05"}
        country.make("d05")
        before = country.log.read("parish_states", "every_parish")["d05"]

        assert (country.log.forget_findings(), country.log.forget_findings()) == (1, 0)
        assert before.findings == [{"parish_id": "d05-b"}]
        assert country.log.read("parish_states", "every_parish")["d05"] == replace(before, findings=[])

    def test_the_failed_check_is_shown_though_the_run_ends_before_it(self, country: Country) -> None:
        country.forgotten = {"d05"}
        country.make("d05")
        key = dg.AssetCheckKey(dg.AssetKey("parish_states"), "every_parish")
        (latest,) = country.instance.event_log_storage.get_latest_asset_check_execution_by_key([key]).values()

        assert latest.event is not None
        shown = latest.event.dagster_event
        assert shown is not None
        assert not shown.asset_check_evaluation_data.passed
        assert "d05: 1 of 2 parishes" in (shown.asset_check_evaluation_data.description or "")


class TestTheWholeCountryInOneRun:
    def test_the_others_go_on(self, country: Country) -> None:
        country.make(DIOCESES[0], DIOCESES[-1])
        before = country.digests()
        country.lake.publish(PARISH_STATES, {key: [table_of(PARISH_STATES, [])] for key in DIOCESES if key != "d05"})
        country.followed.clear()
        country.forgotten = {"d05"}
        ended = country.make(DIOCESES[0], DIOCESES[-1])

        assert ended.success
        assert country.digests() == before
        assert country.followed == DIOCESES
        passed, says = judged(ended)
        assert not passed
        assert says.startswith("The promise holds in 45 of 46 dioceses. d05: ")
        made = {one.partition: one.metadata for one in ended.asset_materializations_for_node("parish_states")}
        assert [key for key, metadata in made.items() if "not_published" in metadata] == ["d05"]

    @pytest.mark.parametrize("fault", ["forgotten", "damaged"])
    def test_without_earlier_rows_only_what_follows_of_the_diocese_is_not_made_and_the_run_fails_at_its_end(
        self, country: Country, fault: str
    ) -> None:
        others = [key for key in DIOCESES if key != "d05"]
        getattr(country, fault).add("d05")
        ended = country.make(DIOCESES[0], DIOCESES[-1])

        assert not ended.success
        assert sorted(country.digests()) == others
        assert country.followed == others
        assert sorted(country.lake.partitions(CANDIDATE_HOURS)) == others
        says = [event.step_failure_data.user_failure_data for event in ended.all_events if event.is_step_failure]
        assert [one.description.partition(":")[0] for one in says if one] == ["parish_states of d05", "candidate_hours of d05"]

    def test_what_cannot_be_made_goes_on_with_its_earlier_rows_and_the_run_fails_at_its_end(self, country: Country) -> None:
        country.make("d05")
        country.followed.clear()
        country.damaged = {"d05"}
        ended = country.make(DIOCESES[0], DIOCESES[-1])

        assert not ended.success
        assert country.followed == DIOCESES

    def test_dioceses_that_were_never_made_are_counted(self, country: Country) -> None:
        says = judged(country.make(DIOCESES[0], DIOCESES[1]))[1]

        assert says == "The promise holds in 2 of 46 dioceses. Never made: d02, d03, d04, d05, d06 and others."
