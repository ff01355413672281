"""`service_times` values are valid opening_hours expressions that say what the Masses say."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opening_hours import OpeningHours, State

from mass_pipeline.model.records import DAYS, Mass
from mass_pipeline.reading.formats.osm import LONGEST_VALUE, describe_service_times, service_times
from mass_pipeline.schedules.church_year import is_in_season, weekday_of
from mass_pipeline_tests.schedules.calendars import hours_of, spans

SEASONS = [
    "all",
    "school",
    "vacation",
    "summer",
    "winter",
    "may",
    "october",
    "advent",
    "lent",
    "christmasvisits",
    "custom",
    "11-02",
]


masses = st.builds(
    Mass,
    days=st.sets(st.sampled_from(DAYS), min_size=1).map(lambda days: tuple(d for d in DAYS if d in days)),
    time=st.tuples(st.integers(5, 22), st.sampled_from([0, 15, 30, 45])).map(lambda t: f"{t[0]:02d}:{t[1]:02d}"),
    season=st.sampled_from(SEASONS),
    nth=st.sampled_from([None, (1,), (2, 4), (-1,)]),
    place=st.sampled_from(["", "Brzezie", 'kaplica "Betania"']),
    season_days=st.sampled_from(["", "", "05-12/09-20", "10-15/04-15"]),
)


FIRST = date(2027, 1, 1)
day_of_year = st.dates(date(2028, 1, 1), date(2028, 12, 31)).map(lambda day: f"{day:%m-%d}")


def is_on(value: str, moment: str) -> bool:
    """Whether a Mass has begun on that day by that moment."""
    state, _comment = OpeningHours(value).state(datetime.fromisoformat(moment))
    return bool(state == State.OPEN)


class TestServiceTimes:
    def test_days_with_the_same_hours_share_a_rule(self) -> None:
        week = tuple(DAYS[:6])

        assert service_times([Mass(week, "18:00"), Mass(week, "07:00")]) == "Mo-Sa 07:00+,18:00+"

    def test_seasons_never_override_each_other(self) -> None:
        value = service_times([Mass(("Su",), "08:00"), Mass(("Su",), "18:00", "school"), Mass(("Su",), "20:00", "vacation")])

        assert value == "Sep-Jun Su 08:00+,18:00+; Jul-Aug Su 08:00+,20:00+"

    def test_other_places_and_certain_weeks_come_on_top(self) -> None:
        value = service_times([Mass(("Fr",), "18:00"), Mass(("Fr",), "16:30", nth=(1,)), Mass(("Fr",), "17:00", place="Brzezie")])

        assert value == 'Fr 18:00+, Fr[1] 16:30+, Fr 17:00+ "Brzezie"'

    def test_holy_days_are_dates_in_front_of_the_sundays(self) -> None:
        """`PH` there means public holidays: 3 May, 11 November and 26 December are no holy days of obligation."""
        described = describe_service_times([Mass(("Su", "PH"), "08:00"), Mass(("Mo",), "18:00")])

        assert described.points == "Mo 18:00; Jan 01,Jan 06,Aug 15,Nov 01,Dec 25,easter +60 days 08:00; Su 08:00"
        assert described.value == described.points.replace("18:00", "18:00+").replace("08:00", "08:00+")

    def test_what_has_no_selector_is_left_out_and_told(self) -> None:
        """An evaluator would say roraty on every day of the year."""
        told = describe_service_times(
            [Mass(("Mo",), "06:30", "advent"), Mass(("Mo",), "07:30", note="poza Adwentem"), Mass(("Mo",), "20:00", "custom")]
        )

        assert told.value == "Mo 07:30+"
        assert told.note == "pominięto w Adwencie: 06:30; pominięto okresowo: 20:00; poza Adwentem nie ma: 07:30"

    def test_lent_is_told_by_easter_and_months_left_out_by_the_others(self) -> None:
        told = describe_service_times([Mass(("Fr",), "17:00", "lent"), Mass(("Mo",), "18:00", note="poza majem")])

        assert told.value == "Jun-Apr Mo 18:00+, easter -46 days-easter -3 days Fr 17:00+"
        assert told.note == ""

    def test_nothing_gives_an_empty_value(self) -> None:
        assert service_times([]) == ""
        assert service_times([Mass(("AF",), "08:00")]) == ""

    def test_too_long_a_schedule_is_shortened_with_a_note(self) -> None:
        many = [Mass((day,), f"{hour:02d}:00", place=f"kaplica {hour}") for day in DAYS[:7] for hour in range(6, 20)]
        described = describe_service_times(many)

        assert len(described.value) <= LONGEST_VALUE
        assert described.note

    @settings(max_examples=150)
    @given(st.lists(masses, max_size=12))
    def test_every_value_is_valid(self, schedule: list[Mass]) -> None:
        described = describe_service_times(schedule)

        assert len(described.value) <= LONGEST_VALUE
        assert len(described.points) <= LONGEST_VALUE
        for value in (described.value, spans(described.points)):
            if value:
                OpeningHours(value)

    def test_days_inside_months_are_said_to_the_day(self) -> None:
        value = service_times([Mass(("Mo",), "19:00", "custom", season_days="05-12/09-20"), Mass(("Mo",), "18:00", "11-03")])

        assert value == "Nov-Mar Mo 18:00+; May 12-Sep 20 Mo 19:00+"

    @settings(max_examples=40, deadline=None)
    @given(st.lists(st.tuples(day_of_year, day_of_year), min_size=1, max_size=3, unique=True))
    def test_an_evaluator_gives_the_days_of_the_calendar(self, seasons: list[tuple[str, str]]) -> None:
        """Over a year with 29 February and one without."""
        order = [
            Mass(("Mo", "We", "Su"), f"{8 + number:02d}:00", "custom", season_days=f"{first}/{last}")
            for number, (first, last) in enumerate(seasons)
        ]
        days = [FIRST + timedelta(number) for number in range(731)]
        said = {
            f"{day}T{mass.time}"
            for day in days
            for mass in order
            if weekday_of(day) in mass.days and is_in_season(day, mass.when)
        }

        value = re.sub(r"(\d\d:\d\d)\+", r"\1", describe_service_times(order).value)
        read = hours_of(value, FIRST, len(days))
        assert {f"{day}T{hour}" for day, hours in read.items() for hour in hours} == said

    @pytest.mark.parametrize(
        ("moment", "expected"), [("2025-07-06T20:10", True), ("2025-05-04T20:10", False), ("2025-07-05T20:10", False)]
    )
    def test_a_vacation_mass_is_there_in_july_only(self, moment: str, expected: bool) -> None:
        value = service_times([Mass(("Su",), "20:00", "vacation")])

        assert is_on(value, moment) is expected
