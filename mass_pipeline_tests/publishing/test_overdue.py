"""Which dioceses the check `no_diocese_overdue` names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mass_pipeline.publishing.promises.validators import validate_ages

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


class TestOverdue:
    def test_the_oldest_are_named_first_and_those_never_made_last(self) -> None:
        made = {"a": NOW - timedelta(days=10), "b": NOW - timedelta(days=30), "c": NOW - timedelta(days=8)}
        verdict = validate_ages(made, ["a", "b", "c", "d"], NOW, timedelta(days=9))

        assert not verdict.passed
        assert [finding["diocese"] for finding in verdict.findings] == ["b", "a", "d"]
        assert verdict.figures == {"overdue": 2, "never_made": 1, "oldest_days": 30.0}

    def test_one_diocese_made_lately_does_not_speak_for_45_that_never_were(self) -> None:
        dioceses = [f"diocese-{number}" for number in range(46)]
        verdict = validate_ages({"diocese-0": NOW}, dioceses, NOW, timedelta(days=9))

        assert not verdict.passed
        assert verdict.figures["never_made"] == 45
        assert validate_ages(dict.fromkeys(dioceses, NOW), dioceses, NOW, timedelta(days=9)).passed
