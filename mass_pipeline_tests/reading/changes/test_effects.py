"""How readings of whole sheets are compared with their labels."""

from __future__ import annotations

from datetime import date

from mass_pipeline_tests.evaluation.announcements import FOLDER
from mass_pipeline_tests.reading.changes.effects import Label, Record, labelled, records

_SUNDAY = date(2026, 11, 15)
_THURSDAY = date(2026, 11, 19)


class TestComparison:
    """Two ways to say the same of a day are no difference."""

    def record(self) -> Record:
        (first, *_) = records(FOLDER / "sheets_a.toml")
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
