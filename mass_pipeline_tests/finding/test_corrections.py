"""What people outside say of an order becomes rows, and nothing malformed does."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.finding.corrections import (
    BadField,
    Correction,
    Given,
    corrected,
    dated,
    read_correction,
    read_hour,
    read_hours,
    read_order,
    written_order,
)
from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.rows import ScheduleRow

TODAY = date(2026, 11, 26)
AT = datetime(2026, 11, 26, 9, tzinfo=UTC)
GIVEN = Given("https://p.example/msze", "digest", "odpowiedź parafii z 26.11.2026", AT)
WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa")
ROWS = [
    ("sunday", ScheduleRow(Mass(("Su", "PH"), "10:00"), "https://p.example/msze", "10.00", "digest", AT)),
    ("week", ScheduleRow(Mass(WEEK, "18:00"), "https://p.example/msze", "18.00", "digest", AT)),  # type: ignore[arg-type]
]
NAMES = {
    "weekdays": "dni powszednie", "Su": "niedziele", "PH": "święta nakazane", "AF": "święta zniesione", "Mo": "poniedziałek",
    "Tu": "wtorek", "We": "środa", "Th": "czwartek", "Fr": "piątek", "Sa": "sobota",
}  # fmt: skip


def said(rows: tuple[ScheduleRow, ...]) -> list[tuple[str, str, str | None]]:
    """Days, hour and kind of each row."""
    return [(" ".join(row.mass.days), row.mass.time, row.exception) for row in rows]


def by_day(masses: Iterable[Mass]) -> set[tuple[str, str, str]]:
    """An order taken apart by days, so that grouping does not matter."""
    return {(day, mass.time, mass.season) for mass in masses for day in mass.days}


class TestReadCorrection:
    @pytest.mark.parametrize(
        ("kind", "mass", "time", "days", "day", "expected"),
        [
            ("wrong_hour", "sunday", "10.30", "", "", Correction("sunday", "10:30", (), None)),
            ("wrong_hour", "", "10.30", "", "", None),
            ("no_longer", "week", "", "Sa", "", Correction("week", "", ("Sa",), None)),
            ("missing", "", "7", "Su,PH", "", Correction("", "07:00", ("Su", "PH"), None)),
            ("missing", "", "7:00", "", "2026-12-24", Correction("", "07:00", (), date(2026, 12, 24))),
            ("missing", "", "7:00", "", "", None),
            ("other", "sunday", "7:00", "Su", "", None),
        ],
    )
    def test_what_holds_an_hour_is_a_correction(
        self, kind: str, mass: str, time: str, days: str, day: str, expected: Correction | None
    ) -> None:
        assert read_correction(kind, mass, time, days, day, TODAY) == expected

    @pytest.mark.parametrize(
        ("field", "values"),
        [
            ("time", ("25:00", "", "")),
            ("time", ("<b>", "", "")),
            ("time", ("24:00", "", "")),
            ("days", ("7:00", "Su; DROP", "")),
            ("day", ("7:00", "", "2020-01-01")),
            ("day", ("7:00", "", "3000-01-01")),
            ("day", ("7:00", "", "x")),
        ],
    )
    def test_what_is_malformed_is_refused_by_its_field(self, field: str, values: tuple[str, str, str]) -> None:
        with pytest.raises(BadField) as caught:
            read_correction("missing", "", *values, TODAY)

        assert caught.value.field == field

    @given(st.text(max_size=40))
    def test_no_words_break_the_reading_of_hours(self, text: str) -> None:
        hour = read_hour(text)

        assert hour is None or (len(hour) == 5 and hour <= "24:00")


class TestCorrected:
    def test_a_right_hour_takes_the_place_of_the_wrong_one_and_keeps_the_rest(self) -> None:
        order = corrected(Correction("sunday", "10:30", (), None), ROWS, GIVEN)

        assert said(order) == [(" ".join(WEEK), "18:00", None), ("Su PH", "10:30", None)]
        assert [(row.method, row.quote) for row in order] == [("rules", "18.00"), ("person", GIVEN.quote)]

    def test_on_some_of_its_days_the_others_keep_their_hour(self) -> None:
        order = corrected(Correction("week", "17:00", ("Sa",), None), ROWS, GIVEN)

        assert said(order) == [
            ("Mo Tu We Th Fr", "18:00", None), ("Sa", "17:00", None), ("Su PH", "10:00", None),
        ]  # fmt: skip

    def test_what_is_no_longer_said_goes(self) -> None:
        assert said(corrected(Correction("sunday", "", (), None), ROWS, GIVEN)) == [(" ".join(WEEK), "18:00", None)]

    def test_of_one_date_the_standing_order_stays(self) -> None:
        day = date(2026, 12, 2)
        rows = corrected(Correction("week", "16:00", (), day), ROWS, GIVEN)
        order = [row for _, row in ROWS]

        assert said(rows) == [("We", "18:00", "cancelled"), ("We", "16:00", "added")]
        assert [row.mass.time for row in day_schedule([*order, *rows], day).masses] == ["16:00"]
        assert [row.mass.time for row in day_schedule([*order, *rows], date(2026, 12, 3)).masses] == ["18:00"]

    def test_a_row_that_is_published_no_more_makes_nothing(self) -> None:
        assert corrected(Correction("gone", "10:30", (), None), ROWS, GIVEN) == ()


class TestDated:
    def test_hours_of_dates_are_all_of_their_masses_and_midnight_is_of_the_next_day(self) -> None:
        eve, first = date(2026, 12, 24), date(2026, 12, 25)
        rows = [*(row for _, row in ROWS), *dated({eve: read_hours("8.00, 24"), first: read_hours("9")}, GIVEN)]

        assert [row.mass.time for row in day_schedule(rows, eve).masses] == ["08:00"]
        assert [row.mass.time for row in day_schedule(rows, first).masses] == ["00:00", "09:00"]

    def test_midnight_alone_takes_nothing_from_the_next_day(self) -> None:
        rows = [*(row for _, row in ROWS), *dated({date(2026, 12, 24): ("24:00",)}, GIVEN)]

        assert [row.mass.time for row in day_schedule(rows, date(2026, 12, 25)).masses] == ["00:00", "10:00"]

    @pytest.mark.parametrize("text", ["rano", "8.00 i 10", "8:00 9:00 " * 20])
    def test_words_that_are_no_hours_are_refused(self, text: str) -> None:
        with pytest.raises(BadField):
            read_hours(text)


class TestWrittenOrder:
    def test_what_is_written_for_a_parish_is_read_back_as_it_was(self) -> None:
        masses = (
            Mass(("Su", "PH"), "08:00"), Mass(("Su",), "10:00", season="school"), Mass(("Su",), "11:00", season="vacation"),
            Mass(WEEK, "07:00"), Mass(WEEK, "18:00", season="summer"), Mass(("Sa",), "17:00"),
        )  # fmt: skip
        seasons = {"all": "", "school": "w roku szkolnym", "vacation": "w wakacje", "summer": "latem"}
        text = written_order((GIVEN.row(mass) for mass in masses), NAMES, seasons.__getitem__)

        assert by_day(read_order(text)) == by_day(masses)

    def test_nonsense_is_no_order(self) -> None:
        assert read_order("<script>alert(1)</script> 999999 ' OR 1=1") == ()
