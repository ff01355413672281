"""Whole sheets of announcements: what is published without a person, and what is read at all."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mass_pipeline_tests.announcement_grammar.effects import Compared, Label, Record, compare, labelled, quality, records

_FOLDER = Path(__file__).parent
_SHEETS = ("sheets_a", "sheets_b", "sheets_c", "sheets_d")
_SUNDAY = date(2026, 11, 15)
_THURSDAY = date(2026, 11, 19)


@pytest.fixture(scope="module")
def compared() -> list[Compared]:
    return [compare(record) for name in _SHEETS for record in records(_FOLDER / f"{name}.toml")]


class TestSheets:
    def test_what_is_published_without_a_person_is_right(self, compared: list[Compared]) -> None:
        precision, recall = quality(compared, published=True)

        assert precision >= 0.98
        assert recall >= 0.80

    def test_what_is_read_at_all(self, compared: list[Compared]) -> None:
        precision, recall = quality(compared, published=False)

        assert precision >= 0.93
        assert recall >= 0.88


class TestComparison:
    """Two ways to say the same of a day are no difference."""

    def record(self) -> Record:
        (first, *_) = records(_FOLDER / "sheets_a.toml")
        return first

    def label(self, kind: str, *times: str, place: str = "") -> Label:
        return Label(kind, (_THURSDAY,), _THURSDAY, False, times, place)

    def test_a_whole_list_is_what_it_changes(self) -> None:
        record = self.record()  # weekdays 07:00, 18:00
        whole = labelled(record, [self.label("only", "07:00", "17:00")], [_THURSDAY])
        single = labelled(record, [self.label("cancelled", "18:00"), self.label("added", "17:00")], [_THURSDAY])

        assert whole == single == {(_THURSDAY, "-", "18:00"), (_THURSDAY, "+", "17:00")}

    def test_an_hour_that_is_there_anyway_changes_nothing(self) -> None:
        assert labelled(self.record(), [self.label("added", "18:00")], [_THURSDAY]) == frozenset()

    def test_a_list_of_another_place_leaves_the_church_alone(self) -> None:
        assert labelled(self.record(), [self.label("only", "10:00", place="Wola")], [_THURSDAY]) == {(_THURSDAY, "+", "10:00")}

    def test_a_cancelled_day_without_hours_loses_all(self) -> None:
        assert {hour for _, sign, hour in labelled(self.record(), [self.label("cancelled")], [_THURSDAY])} == {"07:00", "18:00"}
