"""`mass-pipeline demo`: what it says of agreement, of failures, and when it refuses. The run itself: assets/test_chain.py."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from mass_pipeline.cli.demo import demo
from mass_pipeline.cli.demo_report import parish_lines, week_score, week_slots
from mass_pipeline.model.errors import UsageError
from mass_pipeline.model.records import Mass

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


class TestRefusals:
    def test_the_live_profile_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MASS_PIPELINE_PROFILE", "live")
        monkeypatch.setenv("MASS_PIPELINE_CONTACT", "info@parish-times.example")

        result = CliRunner().invoke(demo)

        assert isinstance(result.exception, UsageError)
