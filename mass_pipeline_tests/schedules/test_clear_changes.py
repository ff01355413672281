"""What the usual Masses settle of changes, one rule after the other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.schedules.announced import exceptions_of, settled
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.schedules.support import announced, detailed, read, row

MON, WED, FRI, SAT, SUN = (date(2026, 11, day) for day in (16, 18, 20, 21, 22))
TWO = [row(Mass(WEEKDAYS[:6], hour)) for hour in ("07:00", "18:00")]
ONE = [row(Mass(WEEKDAYS[:6], "18:00")), *(row(Mass(("Su",), hour)) for hour in ("08:00", "10:00"))]


def change(
    kind: str, *times: str, doubts: str = "", first: date = WED, last: date | None = None, words: str = "", **said: object
) -> ScheduleChange:
    found = tuple(doubts.split())
    return detailed(ScheduleChange(kind, first, last or first, times, doubts=found, **said), words)  # type: ignore[arg-type]


def clear(*changes: ScheduleChange, standing: list[ScheduleRow] = TWO) -> list[ScheduleChange]:
    return [one.change for one in settled([announced(one) for one in changes], standing)]


def doubts(*changes: ScheduleChange, standing: list[ScheduleRow] = TWO) -> list[str]:
    """Of the first of the changes."""
    return list(clear(*changes, standing=standing)[0].doubts)


class TestDoubts:
    def test_a_whole_day_is_clear_where_each_has_one_mass_at_the_place(self) -> None:
        village = [row(Mass(("Su",), "08:00")), row(Mass(("Su",), "09:30", place="Zagórze"))]
        sunday = change("cancelled", doubts="whole_day", first=SUN)

        assert doubts(change("cancelled", doubts="whole_day"), standing=ONE) == []
        assert doubts(change("cancelled", doubts="whole_day")) == ["whole_day"]
        assert doubts(change("cancelled", doubts="whole_day"), standing=[]) == ["whole_day"]
        assert doubts(sunday, standing=village) == ["whole_day"]
        assert doubts(detailed(sunday, "w niedziele w zagorzu"), standing=village) == []
        assert doubts(change("cancelled", doubts="whole_day", first=FRI, last=SUN), standing=ONE) == ["whole_day"]

    def test_another_place_is_clear_where_the_order_has_it(self) -> None:
        village = [*TWO, row(Mass(("Su",), "09:30", place="Zagórze"))]
        there = change("cancelled", "07:00", doubts="elsewhere", words="w srode w zagorzu")

        assert (doubts(there, standing=village), doubts(there)) == ([], ["elsewhere"])

    def test_of_intentions_what_is_unusual_stays(self) -> None:
        unusual, usual = (change("added", hour, doubts="intention") for hour in ("09:00", "18:00"))

        assert [one.doubts for one in clear(unusual)] == [()]
        assert clear(usual) == clear(unusual, standing=[]) == []

    @pytest.mark.parametrize(
        ("kind", "quote", "left"),
        [
            ("cancelled", "O 7.00 nie ma, zapraszamy na 18.00", []),
            ("added", "O 7.00 nie ma, zapraszamy na 18.00", []),
            ("order", "O 7.00 nie ma, zapraszamy na 18.00", ["hours_left"]),
            ("cancelled", "O 7.00 nie ma, zapraszamy na 20.00", ["hours_left"]),
        ],
    )
    def test_hours_left_over_are_clear_when_they_are_usual(self, kind: str, quote: str, left: list[str]) -> None:
        assert doubts(change(kind, "07:00", doubts="hours_left", quote=quote)) == left

    @pytest.mark.parametrize(
        ("kind", "times", "left"),
        [
            ("added", ("07:00", "10:00", "18:00"), []),
            ("order", ("07:00", "10:00", "18:00"), []),
            ("added", ("10:00", "18:00"), ["kind"]),
            ("cancelled", ("07:00", "18:00"), ["kind"]),
        ],
    )
    def test_a_list_and_an_addition_are_the_same_where_all_usual_hours_are_told(
        self, kind: str, times: tuple[str, ...], left: list[str]
    ) -> None:
        assert doubts(change(kind, *times, doubts="kind")) == left

    def test_what_the_page_cancels_on_the_day_need_not_be_told(self) -> None:
        added = change("added", "10:00", "18:00", doubts="kind")

        assert doubts(added, change("cancelled", "07:00")) == []
        assert doubts(added, change("cancelled", "07:00", first=FRI)) == ["kind"]
        assert doubts(added, change("added", "07:00")) == ["kind"]

    def test_where_the_usual_order_is_unknown_words_before_the_hours_make_the_day(self) -> None:
        listed = change("added", "08:00", "10:00", doubts="kind", quote="Msze św. o 8.00 i 10.00")

        assert doubts(listed, standing=[]) == []
        assert doubts(detailed(listed, quote="O 8.00 i 10.00"), standing=[]) == ["kind"]
        assert doubts(replace(listed, kind="order"), standing=[]) == ["kind"]

    @pytest.mark.parametrize(
        ("old", "new", "left"),
        [
            ((), ("17:00",), []),
            ((), ("16:00", "17:00"), ["kind"]),
            (("18:00",), ("07:00", "17:00"), []),
            (("18:00",), ("16:00", "17:00"), ["kind"]),
            (("19:00",), ("07:00", "17:00"), ["kind"]),
        ],
    )
    def test_a_move_is_clear_with_one_old_and_one_new_hour(
        self, old: tuple[str, ...], new: tuple[str, ...], left: list[str]
    ) -> None:
        assert doubts(change("moved", *old, new_times=new, doubts="kind")) == left

    def test_one_of_two_doubts_stays_with_the_other(self) -> None:
        assert doubts(change("added", "07:00", "18:00", doubts="kind service")) == ["kind", "service"]
        assert doubts(change("cancelled", doubts="whole_day service"), standing=ONE) == ["service"]

    def test_which_of_several_morning_masses_falls_out_is_not_told(self) -> None:
        several = [*TWO, row(Mass(("We",), "08:00"))]
        morning = change("cancelled", part="morning")

        assert doubts(morning, standing=several) == ["whole_day"]
        assert doubts(morning) == doubts(replace(morning, part="evening"), standing=several) == []
        assert doubts(detailed(morning, "zadnych mszy porannych"), standing=several) == []
        assert doubts(replace(morning, times=("08:00",)), standing=several) == []

    def test_lasting_and_overlong_changes_are_left_alone(self) -> None:
        lasting = change("cancelled", doubts="whole_day")

        assert doubts(replace(lasting, valid_to=None), standing=ONE) == ["whole_day"]
        assert doubts(replace(lasting, valid_to=WED + timedelta(190)), standing=ONE) == ["whole_day"]

    def test_a_holy_day_among_weekdays_does_not_count(self) -> None:
        """Corpus Christi, 4 June 2026, has the two Masses of Sundays."""
        week = change("cancelled", doubts="whole_day", first=date(2026, 6, 3), last=date(2026, 6, 5))
        feast = change("cancelled", doubts="whole_day", first=date(2026, 6, 4))

        assert (doubts(week, standing=ONE), doubts(feast, standing=ONE)) == ([], ["whole_day"])


class TestReadings:
    @pytest.mark.parametrize(
        ("hour", "words", "standing", "kind"),
        [
            ("17:00", "msza wieczorna", TWO, "moved"),
            ("18:00", "msza wieczorna", TWO, "added"),
            ("10:00", "msza wieczorna", TWO, "added"),
            ("17:00", "dodatkowa msza wieczorna", TWO, "added"),
            ("17:00", "msza", TWO, "added"),
            ("17:00", "msza wieczorna", [*TWO, row(Mass(("We",), "19:00"))], "added"),
            ("17:00", "msza wieczorna", [], "added"),
        ],
    )
    def test_the_hour_of_the_only_evening_mass(self, hour: str, words: str, standing: list[ScheduleRow], kind: str) -> None:
        (found,) = clear(change("added", hour, words=words, doubts="no_end"), standing=standing)

        assert found.kind == kind
        if kind == "moved":
            assert (found.times, found.new_times, found.doubts) == (("18:00",), ("17:00",), ())

    def test_the_hour_of_the_only_mass_on_the_weekdays_of_a_period(self) -> None:
        week = change("added", "19:00", first=MON, last=SAT, words="w dni powszednie", doubts="no_end")
        kinds = [
            clear(one, standing=standing)[0].kind
            for one, standing in (
                (week, ONE),
                (week, TWO),
                (replace(week, valid_to=MON), ONE),
                (replace(week, times=("08:00", "19:00")), ONE),
                (detailed(week, "msza"), ONE),
                (detailed(week, "w dni powszednie takze"), ONE),
            )
        ]

        assert kinds == ["order", "added", "added", "added", "added", "added"]
        assert doubts(week, standing=ONE) == []


class TestChristmasEve:
    EVE = date(2026, 12, 24)

    def gone(self, *changes: ScheduleChange) -> list[tuple[str, ...]]:
        """Hours that fall out on Christmas Eve, of a parish with Masses at 7.00 and 18.00."""
        return [one.times for one in clear(*changes)[len(changes) :]]

    def test_where_the_day_and_midnight_are_told_there_is_no_evening_mass(self) -> None:
        eve = change("added", "07:00", first=self.EVE)
        midnight = change("added", "00:00", first=self.EVE + timedelta(1), quote="Pasterka o 24.00")
        programme = change("order", "10:00", first=self.EVE + timedelta(1))
        early = replace(eve, times=("16:00",))

        assert self.gone(eve, midnight) == [("18:00",)]
        assert self.gone(replace(eve, times=("07:00", "18:00")), midnight) == []
        assert self.gone(eve) == self.gone(midnight) == self.gone(early, midnight) == []
        assert self.gone(early, midnight, programme) == [("18:00",)]
        assert self.gone(replace(eve, doubts=("service",)), midnight) == []
        assert self.gone(replace(eve, kind="order"), midnight) == []
        assert self.gone(replace(eve, valid_from=WED, valid_to=WED), midnight) == []


class TestPlaces:
    @staticmethod
    def hours(text: str, place: str) -> list[str]:
        """Of Sunday 22 November, at a church and a filial one."""
        standing = [row(Mass(("Su",), "08:00")), row(Mass(("Su",), "09:30", place=place))]
        certain = [one for one in settled(read(text), standing) if not one.change.doubts]
        return [one.mass.time for one in day_schedule([*standing, *exceptions_of(certain, standing).rows], SUN).masses]

    def test_a_church_named_in_another_case_loses_its_mass_alone(self) -> None:
        assert self.hours("W niedzielę w Zagórzu Mszy św. nie będzie.", "Zagórze") == ["08:00"]

    @pytest.mark.parametrize("place", ["Kąty", "Wola"])
    def test_a_short_name_needs_its_preposition(self, place: str) -> None:
        assert self.hours("W niedzielę katecheza o woli Bożej. Mszy św. o 8.00 nie będzie.", place) == ["09:30"]
