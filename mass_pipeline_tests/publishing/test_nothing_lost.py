"""What the check `nothing_lost` calls a loss, and the numbers it rests on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mass_pipeline.model.errors import StorageError
from mass_pipeline.publishing.counts import Published, PublishedCounts
from mass_pipeline.publishing.promises.promise import Verdict
from mass_pipeline.publishing.promises.validators import validate_every_parish, validate_nothing_lost

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def judged(counts: dict[str, Published], **states: str) -> Verdict:
    named = {parish: (state, "why") for parish, state in states.items()}
    return validate_nothing_lost(counts, named, now=NOW, remembered_days=60, tolerance=0.02)


def published(rows: int, before: int, days: float = 0) -> Published:
    return Published(rows, before, (NOW - timedelta(days)).isoformat())


class TestLosses:
    def test_a_parish_without_rows_is_named_with_state_and_reason(self) -> None:
        verdict = judged({"a": published(0, 5, days=7), "b": published(500, 500)}, a="no_schedule")

        assert not verdict.passed
        assert verdict.findings[0]["parish_id"] == "a"
        assert verdict.findings[0]["state"] == "no_schedule"
        assert verdict.figures["parishes_lost"] == 1

    def test_it_is_named_as_long_as_is_set_and_then_no_more(self) -> None:
        assert not judged({"a": published(0, 0, days=59)}).passed
        assert judged({"a": published(0, 0, days=61)}).passed

    @pytest.mark.parametrize(("rows", "passed"), [(100, True), (98, True), (97, False), (150, True)])
    def test_a_diocese_may_lose_two_in_a_hundred_rows(self, rows: int, passed: bool) -> None:
        assert judged({"a": published(rows, 100)}).passed is passed

    def test_who_opted_out_is_no_loss(self) -> None:
        assert judged({"a": published(0, 50), "b": published(50, 50)}, a="opt_out", b="fresh").passed

    def test_nothing_published_ever_is_no_loss(self) -> None:
        assert judged({}).passed


class TestNumbers:
    def test_the_same_numbers_again_are_compared_with_those_before_them(self, tmp_path: Path) -> None:
        """A run that is repeated must not hide what the first one lost."""
        counts = PublishedCounts(tmp_path)
        counts.update("lodzka", {"a": 5, "b": 3}, NOW)
        counts.update("lodzka", {"a": 5}, NOW)
        counts.update("lodzka", {"a": 5}, NOW + timedelta(1))

        assert {parish: (one.rows, one.before) for parish, one in counts.read("lodzka").items()} == {"a": (5, 5), "b": (0, 3)}
        assert counts.read("lodzka")["b"].last_at == NOW.isoformat()

    def test_dioceses_are_counted_apart_and_an_unknown_one_is_empty(self, tmp_path: Path) -> None:
        counts = PublishedCounts(tmp_path)
        counts.update("lodzka", {"a": 5}, NOW)

        assert counts.read("elblaska") == {}

    def test_a_damaged_file_is_named(self, tmp_path: Path) -> None:
        counts = PublishedCounts(tmp_path)
        counts.update("lodzka", {"a": 5}, NOW)
        (tmp_path / "state" / "published" / "lodzka.json").write_bytes(b'{"a": 1}')

        with pytest.raises(StorageError, match=r"lodzka\.json"):
            counts.read("lodzka")


class TestEveryParish:
    def test_a_missing_row_and_a_strange_one_are_named(self) -> None:
        assert validate_every_parish(["a", "b"], ["b", "a"]).passed
        assert not validate_every_parish(["a", "b"], ["a"]).passed
        assert not validate_every_parish(["a"], ["a", "b"]).passed
