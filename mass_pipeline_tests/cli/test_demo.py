"""`mass-pipeline demo`: what it says of agreement, of failures, and when it refuses. The run itself: defs/test_chain.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from mass_pipeline.annotation.store import Store, open_store
from mass_pipeline.cli.demo import demo
from mass_pipeline.cli.demo_people import ask_volunteers, forget_volunteers, loop_lines
from mass_pipeline.cli.demo_report import parish_lines, week_score, week_slots
from mass_pipeline.model.errors import UsageError
from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.checked import Checked, row_key
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.annotation.support import START, row_question

SUNDAY = Mass(("Su", "PH"), "08:00")
DAILY = Mass(("Mo", "Tu"), "18:00", season="summer")


class TestWeekScore:
    def test_feasts_and_seasons_are_not_looked_at(self) -> None:
        assert week_slots([SUNDAY, DAILY]) == {("Su", "08:00"), ("Mo", "18:00"), ("Tu", "18:00")}

    def test_parishes_count_by_their_slots(self) -> None:
        score = week_score([([SUNDAY, DAILY], [SUNDAY]), ([], [SUNDAY])])

        assert (score.found, score.wrong, score.missed) == (1, 1, 2)
        assert score.f1 == pytest.approx(0.4)

    def test_nothing_found_and_nothing_there_is_no_division_by_zero(self) -> None:
        score = week_score([([], [])])

        assert (score.precision, score.recall, score.f1) == (0.0, 0.0, 0.0)


class TestParishLines:
    def test_agreement_shows_the_schedule_once(self) -> None:
        assert list(parish_lines("Wieś", [SUNDAY], [SUNDAY])) == ["= Wieś", "    found  Su 08:00"]

    def test_a_difference_shows_the_truth_too(self) -> None:
        assert list(parish_lines("Wieś", [SUNDAY], [])) == ["≠ Wieś", "    found  (no schedule)", "    truth  Su 08:00"]


class TestVolunteers:
    """Two parishes with two waiting rows each: the first order has both, the second none."""

    QUESTIONS = tuple(row_question(at, row_id=f"r{at}", parish_id=f"p{at // 2}") for at in range(4))
    TRUTH: Mapping[str, Sequence[Mass]] = {"p0": [one.mass for one in QUESTIONS[:2]], "p1": []}

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with closing(open_store(f"sqlite:///{tmp_path / 'people.db'}")) as opened:
            yield opened

    def test_they_settle_one_row_of_each_parish_as_its_truth_says(self, store: Store) -> None:
        asked = ask_volunteers(store, self.QUESTIONS, self.TRUTH, START)

        assert {self.parish(name): is_right for name, is_right in asked.settled.items()} == {"p0": True, "p1": False}
        assert asked.n_answers == 3 + 4  # who says no needs one more, as most waiting rows are right

    def test_another_demo_begins_without_their_answers(self, store: Store) -> None:
        first = ask_volunteers(store, self.QUESTIONS, self.TRUTH, START)
        forget_volunteers(store, START)

        assert store.settled().empty
        assert ask_volunteers(store, self.QUESTIONS, self.TRUTH, START) == first

    def test_the_summary_tells_whose_word_published_a_row(self, store: Store) -> None:
        asked = ask_volunteers(store, self.QUESTIONS, self.TRUTH, START)
        (right,) = (name for name, is_right in asked.settled.items() if is_right)
        (other,) = (one.row_id for one in self.QUESTIONS[:2] if one.row_id != right)
        settled, taught = (
            ScheduleRow(asked.waiting[name].mass, "https://a.example/", "10.45", "", None, confidence=0.8)
            for name in (right, other)
        )
        settled = replace(settled, method="people", checked=Checked(3, date(2026, 11, 26), "people"))

        told = list(loop_lines(asked, {("p0", row_key(row.mass)): row for row in (settled, taught)}))

        assert told[0] == "4 rows waited. 7 answers of volunteers settled 2, one of each parish."
        assert told[1] == "Published now by their word: 1; left out by it: 1."
        assert told[2].endswith("settled by 3 people, method people")
        assert told[3].endswith("learnt from them: 1.")
        assert told[4].endswith("0.70 before, 0.80 now, method rules")
        assert told[5] == "Waiting still: 1."

    def parish(self, name: str) -> str:
        return next(one.parish_id for one in self.QUESTIONS if one.row_id == name)


class TestRefusals:
    def test_the_live_profile_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MASS_PIPELINE_PROFILE", "live")
        monkeypatch.setenv("MASS_PIPELINE_CONTACT", "info@parish-times.example")

        result = CliRunner().invoke(demo)

        assert isinstance(result.exception, UsageError)
