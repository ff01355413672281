"""`mass-pipeline schedules`: what it refuses, and how it says so. What it shows: defs/test_dated_changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mass_pipeline.cli.schedules import schedules
from mass_pipeline.model.columns import MASS_SCHEDULES, PARISHES
from mass_pipeline.model.errors import StorageError, UsageError
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline_tests.schedules.support import order


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two parishes, one with a published order."""
    lake = Lake(tmp_path / "lake")
    parish = {"name": "św. Anny", "address": "x", "diocese": "łódzka", "diocese_key": "lodzka", "source": "test"}
    rows = [{**parish, "parish_id": "p1", "town": "Brzezie"}, {**parish, "parish_id": "p2", "town": "Brzezina"}]
    lake.publish(PARISHES, {None: [table_of(PARISHES, rows)]})
    lake.publish(MASS_SCHEDULES, {"lodzka": [table_of(MASS_SCHEDULES, [row.as_dict("p1", "") for row in order()])]})
    return tmp_path


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(schedules, list(words), env={"MASS_PIPELINE_DATA_FOLDER": str(folder)})


class TestShow:
    def test_a_part_of_the_name_that_fits_several_names_them(self, folder: Path) -> None:
        result = run(folder, "show", "brzez", "--date", "2026-11-18")

        assert isinstance(result.exception, UsageError)
        assert "p1 Brzezie, św. Anny; p2 Brzezina, św. Anny" in str(result.exception)

    def test_a_parish_of_which_nothing_is_known_is_no_parish_without_masses(self, folder: Path) -> None:
        assert "Nothing is known of this parish." in run(folder, "show", "p2", "--date", "2026-11-18").stdout
        assert "No Mass is known for that day." in run(folder, "show", "p1", "--date", "2026-04-03").stdout

    def test_an_unknown_parish_and_an_empty_folder_are_told(self, folder: Path, tmp_path: Path) -> None:
        assert isinstance(run(folder, "show", "Kraków").exception, UsageError)
        empty = run(tmp_path / "empty", "show", "Kraków").exception
        assert isinstance(empty, StorageError)
        assert "mass-pipeline demo" in str(empty)


class TestDecisions:
    @pytest.fixture
    def proposal(self, folder: Path) -> Proposal:
        made = Proposal("p1", "announcement", "new_order 17:00", None, (), "http://a.example/", "Od niedzieli o 17.00.", "d1")
        ReviewLog(folder).propose([made])
        return made

    def test_words_alone_need_an_order(self, folder: Path, proposal: Proposal) -> None:
        refused = run(folder, "approve", proposal.proposal_id, "--by", "Jan")

        assert isinstance(refused.exception, UsageError)
        assert "--order" in str(refused.exception)
        assert not ReviewLog(folder).read().decisions

    def test_an_order_that_cannot_be_read_is_refused(self, folder: Path, proposal: Proposal) -> None:
        result = run(folder, "approve", proposal.proposal_id, "--by", "Jan", "--order", "jak dotychczas")

        assert isinstance(result.exception, UsageError)
        assert not ReviewLog(folder).read().decisions

    def test_an_order_in_words_is_approved_once(self, folder: Path, proposal: Proposal) -> None:
        words = ["approve", proposal.proposal_id, "--by", "Jan", "--order", "Niedziele: 9.00; dni powszednie: 17.00"]

        assert run(folder, *words).exit_code == 0
        (decision,) = ReviewLog(folder).read().decisions
        assert (decision.verdict, decision.by) == ("approved", "Jan")
        assert {(row.mass.days, row.mass.time) for row in decision.rows} == {
            (("Su",), "09:00"), (("Mo", "Tu", "We", "Th", "Fr", "Sa"), "17:00")
        }  # fmt: skip
        assert isinstance(run(folder, *words).exception, UsageError)

    def test_nothing_can_be_confirmed_where_nothing_is_published(self, folder: Path) -> None:
        assert isinstance(run(folder, "approve", "--published", "p2", "--by", "Jan").exception, UsageError)

    @pytest.mark.parametrize("words", [["show"], ["proposals"], ["approve"], ["reject"], []])
    def test_help_has_examples(self, folder: Path, words: list[str]) -> None:
        assert "Example" in run(folder, *words, "--help").output
