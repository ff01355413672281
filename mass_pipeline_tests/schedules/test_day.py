"""The Masses of a date."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from mass_pipeline.model.records import WEEKDAYS, Day, Mass
from mass_pipeline.schedules.announced import exceptions_of
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.rows import Exception_, ScheduleRow
from mass_pipeline_tests.schedules.support import order, read, row

WEDNESDAY = date(2026, 11, 18)


def hours(standing: str, day: date, *announcements: str, issued: date = date(2026, 11, 15)) -> list[str]:
    """Hours of a day, given a standing order and announcements of one page each."""
    rows = order(standing)
    changes = [one for number, text in enumerate(announcements) for one in read(text, issued, f"http://a.example/{number}")]
    found = day_schedule([*rows, *exceptions_of(changes, rows).rows], day)
    return [one.mass.time for one in found.masses]


USUAL = "Niedziele: 8.00, 10.00, 18.00\nDni powszednie: 7.00, 18.00"


class TestStandingOrder:
    def test_sunday_and_weekday(self) -> None:
        assert hours(USUAL, date(2026, 11, 15)) == ["08:00", "10:00", "18:00"]
        assert hours(USUAL, WEDNESDAY) == ["07:00", "18:00"]

    def test_a_holy_day_takes_its_own_list_else_that_of_sundays_and_says_so(self) -> None:
        own = "Niedziele i święta: 8.00, 10.00\nDni powszednie: 18.00"

        assert day_schedule(order(own), date(2026, 6, 4)).basis == "holy_day"
        assert day_schedule(order(USUAL), date(2026, 6, 4)).basis == "assumed_sunday"
        assert hours(USUAL, date(2026, 6, 4)) == ["08:00", "10:00", "18:00"]

    def test_an_abolished_feast_takes_its_list_else_that_of_the_weekday(self) -> None:
        assert hours(USUAL + "\nŚwięta zniesione: 8.30, 16.30", date(2026, 12, 8)) == ["08:30", "16:30"]
        assert hours(USUAL, date(2026, 12, 8)) == ["07:00", "18:00"]

    @pytest.mark.parametrize(("day", "expected"), [("2026-07-15", ["19:00"]), ("2026-11-18", ["18:00"])])
    def test_seasons(self, day: str, expected: list[str]) -> None:
        text = "Niedziele: 10.00\nDni powszednie: 18.00 (w lipcu i sierpniu 19.00)"

        assert hours(text, date.fromisoformat(day)) == expected

    def test_what_stays_out_of_advent_is_not_said_in_it(self) -> None:
        text = "Niedziele: 10.00\nDni powszednie: 7.30 (w Adwencie roraty o 6.30), 18.00"

        assert hours(text, date(2026, 12, 2)) == ["06:30", "18:00"]
        assert hours(text, WEDNESDAY) == ["07:30", "18:00"]

    def test_first_fridays_add_their_hours(self) -> None:
        text = "Niedziele: 10.00\nDni powszednie: 18.00\nI piątek miesiąca: 16.30, 18.00"

        assert hours(text, date(2026, 11, 6)) == ["16:30", "18:00"]
        assert hours(text, date(2026, 11, 13)) == ["18:00"]

    def test_on_good_friday_there_is_no_mass(self) -> None:
        assert hours(USUAL, date(2026, 4, 3)) == []


class TestHonestSeasons:
    def test_near_the_holidays_the_hour_is_flagged_and_the_other_one_is_shown_as_possible(self) -> None:
        rows = [row(Mass(("Mo",), "18:00", "school")), row(Mass(("Mo",), "19:00", "vacation"))]
        found = day_schedule(rows, date(2026, 6, 29))

        assert [one.mass.time for one in found.masses] == ["18:00"]
        assert found.flags == (("approximate_season",),)
        assert [one.mass.time for one in found.perhaps] == ["19:00"]

    def test_in_the_middle_of_a_season_nothing_is_flagged(self) -> None:
        rows = [row(Mass(("Mo",), "18:00", "school")), row(Mass(("Mo",), "19:00", "vacation"))]
        found = day_schedule(rows, date(2026, 7, 20))

        assert [one.mass.time for one in found.masses] == ["19:00"]
        assert (found.flags, found.perhaps) == (((),), ())

    def test_a_season_that_is_not_told_is_flagged(self) -> None:
        found = day_schedule([row(Mass(("Mo",), "18:00", "custom"))], date(2026, 7, 20))

        assert found.flags == (("season_unknown",),)

    def test_hours_left_out_for_certain_are_not_possible(self) -> None:
        """In Advent the hour before the roraty falls out: the record says so, and Advent has fixed borders."""
        text = "Niedziele: 10.00\nDni powszednie: 7.30 (w Adwencie roraty o 6.30), 18.00"

        assert day_schedule(order(text), date(2026, 12, 2)).perhaps == ()

    def test_an_assumed_list_and_a_displaced_feast_are_flagged(self) -> None:
        feast = "\nŚwięta zniesione: 8.30"

        assert set(day_schedule(order(USUAL), date(2026, 6, 4)).flags) == {("assumed",)}
        assert day_schedule(order(USUAL + feast), date(2024, 12, 9)).flags == (("transferred",),)
        assert day_schedule(order(USUAL + feast), date(2025, 12, 8)).flags == ((),)

    def test_what_an_announcement_says_is_as_sure_as_its_words(self) -> None:
        rows = [row(Mass(("Mo",), "18:00", "school"))]
        changes = read("W poniedziałek, 29 czerwca, Msza św. tylko o 9.00.", date(2026, 6, 28))
        found = day_schedule([*rows, *exceptions_of(changes, rows).rows], date(2026, 6, 29))

        assert [one.mass.time for one in found.masses] == ["09:00"]
        assert (found.flags, found.perhaps) == (((),), ())


class TestExceptions:
    def test_cancelled_hours_fall_out_on_their_day_alone(self) -> None:
        text = "W środę nie będzie Mszy św. o godz. 7.00."

        assert hours(USUAL, WEDNESDAY, text) == ["18:00"]
        assert hours(USUAL, date(2026, 11, 25), text) == ["07:00", "18:00"]

    def test_a_part_of_the_day_is_told_by_the_standing_order(self) -> None:
        assert hours(USUAL, WEDNESDAY, "W środę nie będzie wieczornej Mszy świętej.") == ["07:00"]

    def test_moved_added_and_only(self) -> None:
        assert hours(USUAL, WEDNESDAY, "W środę Msza św. o 17.00 zamiast o 18.00.") == ["07:00", "17:00"]
        assert hours(USUAL, WEDNESDAY, "W środę dodatkowa Msza św. o 10.00.") == ["07:00", "10:00", "18:00"]
        assert hours(USUAL, WEDNESDAY, "W środę Msza św. tylko o 9.00.") == ["09:00"]

    def test_midnight_mass_belongs_to_the_day_it_begins(self) -> None:
        text = "W Boże Narodzenie Msze św. jak w niedzielę. Pasterka o 24.00. Nie ma Mszy o 8.00."

        assert hours(USUAL, date(2026, 12, 25), text) == ["00:00", "10:00", "18:00"]
        assert hours(USUAL, date(2026, 12, 24), text) == ["07:00", "18:00"]

    def test_as_on_sundays(self) -> None:
        assert hours(USUAL, WEDNESDAY, "W środę Msze święte jak w niedzielę.") == ["08:00", "10:00", "18:00"]

    def test_an_added_mass_of_the_usual_hour_is_no_second_one(self) -> None:
        assert hours(USUAL, WEDNESDAY, "W środę Msza św. za Ojczyznę o 18.00.") == ["07:00", "18:00"]

    def test_masses_in_another_village_stay_when_the_church_has_an_order_of_its_own(self) -> None:
        text = "Niedziele: 8.00, 10.00, 9.30 (Brzezie)\nDni powszednie: 18.00"

        assert hours(text, date(2026, 11, 22), "W niedzielę 22 listopada Msza św. tylko o 11.00.") == ["09:30", "11:00"]

    def test_weekdays_of_a_period_leave_its_sundays_alone(self) -> None:
        text = "Od 16 listopada do 29 listopada w dni powszednie nie będzie Mszy św. o godz. 18.00."

        assert hours(USUAL, WEDNESDAY, text) == ["07:00"]
        assert hours(USUAL, date(2026, 11, 22), text) == ["08:00", "10:00", "18:00"]

    def test_the_later_announcement_wins(self) -> None:
        rows = order()
        changes = [
            *read("W środę, 18 listopada, Msza św. tylko o 9.00.", date(2026, 11, 8), "http://a.example/1"),
            *read("W środę, 18 listopada, Msza św. tylko o 12.00.", date(2026, 11, 15), "http://a.example/2"),
        ]

        found = day_schedule([*rows, *exceptions_of(reversed(changes), rows).rows], WEDNESDAY)

        assert [one.mass.time for one in found.masses] == ["12:00"]

    def test_every_hour_has_its_words_and_its_page(self) -> None:
        rows = order()
        (change,) = read("W środę nie będzie Mszy św. o godz. 7.00.")

        found = day_schedule([*rows, *exceptions_of([change], rows).rows], WEDNESDAY)

        assert [(one.quote, one.source_url) for one in found.cancelled] == [
            ("W środę nie będzie Mszy św. o godz. 7.00.", "http://a.example/news")
        ]

    def test_a_change_that_gives_no_hours_is_handed_back(self) -> None:
        changes = read("W środę nie będzie wieczornej Mszy świętej.")

        assert exceptions_of(changes, []).rows == ()
        assert exceptions_of(changes, []).unresolved == tuple(changes)


def dated(
    kind: Exception_, hour: str, *days: Day, first: date = WEDNESDAY, last: date | None = None, place: str = ""
) -> ScheduleRow:
    """A row of an announcement."""
    return replace(row(Mass(days or ("We",), hour, place=place)), exception=kind, valid_from=first, valid_to=last or first)


def told(rows: list[ScheduleRow], day: date = WEDNESDAY) -> list[tuple[str, str]]:
    """(hour, place) of the Masses of a day."""
    return [(one.mass.time, one.mass.place) for one in day_schedule(rows, day).masses]


VILLAGES = [row(Mass(("We",), hour, place=place)) for hour, place in (("18:00", "A"), ("18:00", "B"), ("09:00", "A"))]


class TestPlaces:
    def test_an_hour_falls_out_at_its_place_or_everywhere_when_none_is_named(self) -> None:
        assert told([*VILLAGES, dated("cancelled", "18:00", place="A")]) == [("09:00", "A"), ("18:00", "B")]
        assert told([*VILLAGES, dated("cancelled", "18:00")]) == [("09:00", "A")]
        assert told([row(Mass(("We",), "18:00")), dated("cancelled", "18:00", place="A")]) == []

    def test_an_hour_is_added_where_it_is_not_said(self) -> None:
        assert told([*VILLAGES, dated("added", "09:00", place="B")])[:2] == [("09:00", "A"), ("09:00", "B")]
        assert told([*VILLAGES, dated("added", "09:00")]) == told(VILLAGES)

    def test_a_list_is_that_of_its_place(self) -> None:
        church = row(Mass(("We",), "07:00"))

        assert told([church, *VILLAGES, dated("only", "10:00", place="A")]) == [
            ("07:00", ""),
            ("10:00", "A"),
            ("18:00", "B"),
        ]
        assert told([church, *VILLAGES, dated("only", "10:00")])[:2] == [("09:00", "A"), ("10:00", "")]
        assert told([*VILLAGES, dated("only", "10:00")]) == [("10:00", "")]


class TestPeriods:
    def test_of_two_lists_that_of_the_shorter_period_counts(self) -> None:
        week = dated("only", "09:00", *WEEKDAYS[:6], first=date(2026, 11, 16), last=date(2026, 11, 21))

        assert told([*order(), week, dated("only", "12:00")]) == [("12:00", "")]
        assert told([*order(), week, dated("only", "12:00")], date(2026, 11, 17)) == [("09:00", "")]
        assert day_schedule([*order(), week], WEDNESDAY).basis == "announced"

    @pytest.mark.parametrize(
        ("day", "expected"),
        [
            ("W środę 18 listopada Msze św. o 8.00, 9.30 i 11.00.", ["08:00", "09:30", "11:00"]),
            ("W środę 18 listopada Msze św. o 8.00, 9.30 i 18.00.", ["08:00", "09:30", "19:30"]),
            ("W środę 18 listopada nie będzie Mszy św. wieczornej.", ["07:00"]),
            ("W środę 18 listopada nie będzie Mszy św. o 19.30.", ["07:00"]),
            ("W środę 18 listopada nie będzie Mszy św. o 7.00.", ["19:30"]),
            ("W środę 18 listopada dodatkowa Msza św. o 12.00.", ["07:00", "12:00", "19:30"]),
        ],
    )
    def test_what_is_said_of_a_day_stands_against_a_move_of_a_week(self, day: str, expected: list[str]) -> None:
        """A Mass that is not said on a day has no other hour on it."""
        week = "Od 16 do 20 listopada Msza św. o 19.30 zamiast o 18.00."

        assert hours(USUAL, WEDNESDAY, week, day) == expected
        assert hours(USUAL, date(2026, 11, 19), week, day) == ["07:00", "19:30"]

    def test_what_is_said_of_several_weekdays_is_not_said_of_a_holy_day(self) -> None:
        """Corpus Christi, 4 June 2026: words on Wednesday and Thursday leave it alone, words on the day itself do not."""
        feast = date(2026, 6, 4)
        both = dated("cancelled", "08:00", "We", "Th", first=date(2026, 6, 3), last=feast)
        alone = dated("cancelled", "08:00", "Th", first=feast)
        week = dated("cancelled", "08:00", "Th", "Su", first=date(2026, 6, 3), last=date(2026, 6, 7))

        assert [hour for hour, _ in told([*order(), both], feast)] == ["08:00", "10:00", "18:00"]
        assert [hour for hour, _ in told([*order(), alone], feast)] == ["10:00", "18:00"]
        assert [hour for hour, _ in told([*order(), week], feast)] == ["10:00", "18:00"]

    def test_an_added_mass_of_a_feast_is_as_sure_as_its_words(self) -> None:
        feast = date(2026, 6, 4)
        found = day_schedule([*order(), dated("added", "12:00", "Th", first=feast)], feast)

        assert found.flags == (("assumed",), ("assumed",), (), ("assumed",))

    def test_what_falls_out_is_told_by_the_hour(self) -> None:
        gone = [dated("cancelled", "18:00"), dated("cancelled", "07:00")]

        assert [one.mass.time for one in day_schedule([*order(), *gone], WEDNESDAY).cancelled] == ["07:00", "18:00"]


class TestLists:
    @pytest.mark.parametrize(
        ("day", "basis"),
        [
            ("2026-04-03", "triduum"), ("2026-04-05", "sunday"), ("2026-04-06", "assumed_sunday"),
            ("2026-12-26", "assumed_sunday"), ("2026-11-18", "weekday"), ("2026-12-08", "weekday"),
            ("2026-11-01", "sunday"), ("2026-12-25", "assumed_sunday"),
        ],
    )  # fmt: skip
    def test_which_list_a_date_takes(self, day: str, basis: str) -> None:
        assert day_schedule(order(), date.fromisoformat(day)).basis == basis

    def test_an_own_list_of_abolished_feasts_is_that_of_the_second_day_of_christmas_too(self) -> None:
        own = order("Niedziele: 10.00\nŚwięta zniesione: 8.30")

        assert day_schedule(own, date(2026, 12, 26)).basis == "abolished_feast"

    def test_an_hour_that_is_told_anyway_or_of_another_week_is_not_a_possible_one(self) -> None:
        """29 June 2026 is a fifth Monday, near the border of the holidays."""
        school = row(Mass(("Mo",), "18:00", "school"))
        others = [
            Mass(("Mo",), "18:00", "vacation"),
            Mass(("Mo",), "19:00", "vacation", (1,)),
            Mass(("Tu",), "20:00", "vacation"),
        ]
        found = day_schedule([school, *map(row, others), row(Mass(("Mo",), "17:00", "vacation", (5,)))], date(2026, 6, 29))

        assert [one.mass.time for one in found.masses] == ["18:00"]
        assert [one.mass.time for one in found.perhaps] == ["17:00"]
