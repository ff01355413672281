"""Dated changes as rows beside the standing order, and what one sheet says against itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.schedules.announced import (
    Announced,
    Effect,
    exceptions_of,
    is_for_review,
    proposal_of,
    with_clashes,
)
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.schedules.support import FETCHED, announced, detailed, row

MON, TUE, WED, SAT, SUN = (date(2026, 11, day) for day in (16, 17, 18, 21, 22))
STANDING = [
    *(row(Mass(WEEKDAYS[:6], hour)) for hour in ("07:00", "18:00")),
    *(row(Mass(("Su",), hour)) for hour in ("08:00", "17:00")),
]
Told = tuple[str | None, str, str, str]


def change(
    kind: str, *times: str, first: date = WED, last: date | None = None, words: str = "", **fields: object
) -> ScheduleChange:
    return detailed(ScheduleChange(kind, first, last or first, times, **fields), words)  # type: ignore[arg-type]


def told(*changes: ScheduleChange | Announced, standing: list[ScheduleRow] = STANDING) -> list[Told]:
    """(kind, days, hour, note) of the rows that changes give."""
    given = [announced(one) if isinstance(one, ScheduleChange) else one for one in changes]
    return [(one.exception, " ".join(one.mass.days), one.mass.time, one.mass.note) for one in exceptions_of(given, standing).rows]


class TestRows:
    def test_hours_that_are_named(self) -> None:
        assert told(change("added", "10:00")) == [("added", "We", "10:00", "dodatkowo")]
        assert told(change("order", "09:00")) == [("only", "We", "09:00", "tylko tego dnia")]
        assert told(change("cancelled", "07:00")) == [("cancelled", "We", "07:00", "odwołana")]

    @pytest.mark.parametrize(("part", "hours"), [("", ["07:00", "18:00"]), ("evening", ["18:00"]), ("morning", ["07:00"])])
    @pytest.mark.parametrize(("kind", "row_kind"), [("order", "only"), ("cancelled", "cancelled")])
    def test_a_part_of_the_day_is_its_usual_hours(self, kind: str, row_kind: str, part: str, hours: list[str]) -> None:
        assert [(one[0], one[2]) for one in told(change(kind, part=part))] == [(row_kind, hour) for hour in hours]

    def test_what_begins_at_two_is_of_the_evening(self) -> None:
        early = [row(Mass(("We",), hour)) for hour in ("13:59", "14:00")]

        assert [one[2] for one in told(change("cancelled", part="evening"), standing=early)] == ["14:00"]

    def test_days_without_mass_take_the_hours_of_each_day(self) -> None:
        """From Saturday to Sunday: what is said on one of the two falls out on it alone."""
        assert {one[1:3] for one in told(change("cancelled", first=SAT, last=SUN))} == {
            ("Sa", "07:00"), ("Sa", "18:00"), ("Su", "08:00"), ("Su", "17:00"),
        }  # fmt: skip

    def test_another_list(self) -> None:
        assert told(change("as_sunday")) == [("only", "We", hour, "jak w niedzielę") for hour in ("08:00", "17:00")]
        assert told(change("as_weekday", first=SUN)) == [
            ("only", "Su", hour, "jak w dzień powszedni") for hour in ("07:00", "18:00")
        ]
        saturdays = [*STANDING, row(Mass(("Sa",), "12:00"))]
        assert [one[2] for one in told(change("as_weekday", first=SAT), standing=saturdays)] == ["07:00", "12:00", "18:00"]

    def test_a_church_that_is_named_is_the_place_of_what_is_added(self) -> None:
        villages = [*STANDING, row(Mass(("Su",), "09:30", place="Zagórze")), row(Mass(("Su",), "11:00", place="Brzezie"))]
        there = change("added", "10:00", words="w srode w zagorzu o 10.00")
        both = change("added", "10:00", words="w srode w zagorzu i w brzeziu o 10.00")
        places = [
            one.mass.place for added in (there, both) for one in exceptions_of([announced(added)], villages).rows
        ]  # fmt: skip

        assert places == ["Zagórze", ""]

    def test_what_is_said_of_the_parish_church_leaves_the_others_alone(self) -> None:
        villages = [*STANDING, row(Mass(("Su",), "09:30", place="Zagórze"))]
        here = change("cancelled", first=SUN, words="w niedziele u nas mszy nie bedzie")

        assert [one.mass.time for one in exceptions_of([announced(here)], villages).rows] == ["08:00", "17:00"]


class TestMoves:
    def test_the_old_hour_falls_out_and_the_new_one_is_added(self) -> None:
        assert told(change("moved", "18:00", new_times=("17:00",))) == [
            ("added", "We", "17:00", "przeniesiona z 18:00"),
            ("cancelled", "We", "18:00", "przeniesiona na 17:00"),
        ]

    @pytest.mark.parametrize(("new", "old"), [("16:00", "18:00"), ("06:30", "07:00")])
    def test_an_old_hour_that_is_not_named_is_the_only_one_of_that_half_of_the_day(self, new: str, old: str) -> None:
        assert ("cancelled", "We", old, f"przeniesiona na {new}") in told(change("moved", new_times=(new,)))

    def test_of_two_it_is_not_known_which(self) -> None:
        evenings = [*STANDING, row(Mass(("We",), "19:30"))]
        found = exceptions_of([announced(change("moved", new_times=("16:00",)))], evenings)

        assert (found.rows, len(found.unresolved)) == ((), 1)
        assert told(change("moved", new_times=("06:00",), part="morning"), standing=evenings)

    def test_it_is_said_of_the_days_that_have_the_hour(self) -> None:
        both = {"first": SAT, "last": SUN, "new_times": ("09:00",)}

        assert {one[1] for one in told(change("moved", "08:00", **both))} == {"Su"}
        assert {one[1] for one in told(change("moved", "12:00", **both))} == {"Sa Su"}


class TestDays:
    @pytest.mark.parametrize(
        ("words", "days"),
        [
            ("", "Mo Tu We Th Fr Sa Su"),
            ("w dni powszednie", "Mo Tu We Th Fr Sa"),
            ("w niedziele", "Su"),
            ("od poniedzialku do piatku", "Mo Tu We Th Fr"),
        ],
    )
    def test_words_choose_among_the_days_of_a_period(self, words: str, days: str) -> None:
        assert " ".join(Effect(change("cancelled", first=MON, last=SUN, words=words), ()).days) == days

    def test_a_single_day_is_itself_whatever_the_words_say(self) -> None:
        assert Effect(change("cancelled", words="w niedziele"), ()).days == ("We",)

    def test_what_holds_for_longer_than_half_a_year_is_no_exception(self) -> None:
        longest, longer = (change("cancelled", "07:00", first=WED, last=WED + timedelta(n - 1)) for n in (190, 191))

        assert (len(Effect(longest, ()).dates), Effect(longer, ()).dates) == (190, [])
        assert (bool(told(longest)), told(longer)) == (True, [])
        assert told(replace(longer, kind="moved", new_times=("09:00",))) == []


class TestLaterAnnouncements:
    @staticmethod
    def later(one: ScheduleChange) -> Announced:
        return announced(one, date(2026, 11, 16), "http://a.example/later")

    def test_another_word_on_the_same_hour_replaces_the_earlier_one(self) -> None:
        assert [one[0] for one in told(change("added", "07:00"), self.later(change("cancelled", "07:00")))] == ["cancelled"]
        assert len(told(change("added", "10:00"), self.later(change("cancelled", "07:00")))) == 2
        assert [one[2] for one in told(change("added", "10:00"), self.later(change("added", "10:00")))] == ["10:00"]

    def test_a_list_of_the_days_replaces_what_lies_within_them(self) -> None:
        week = self.later(change("order", "09:00", first=MON, last=SAT))
        day = self.later(change("order", "09:00"))

        assert [one[0] for one in told(change("cancelled", "07:00"), week)] == ["only"]
        assert len(told(change("cancelled", "07:00", first=MON, last=SAT), day)) == 2
        assert len(told(change("cancelled", "08:00", first=SUN), day)) == 2

    def test_one_page_does_not_contradict_itself(self) -> None:
        assert len(told(change("added", "07:00"), change("cancelled", "07:00"))) == 2

    def test_lasting_changes_are_left_out(self) -> None:
        assert told(replace(change("added", "10:00"), valid_to=None)) == []


class TestReview:
    def test_a_doubtful_change_that_was_not_over_when_it_was_fetched(self) -> None:
        day = FETCHED.date()
        doubted = change("cancelled", first=day, doubts=("kind",))
        over = announced(replace(doubted, valid_to=day - timedelta(1)))

        assert is_for_review(announced(doubted), [])
        assert not is_for_review(announced(replace(doubted, doubts=())), [])
        assert is_for_review(announced(replace(doubted, doubts=(), valid_to=None)), [])
        assert not is_for_review(over, [])
        assert is_for_review(replace(over, fetched_at=None), [])

    def test_only_where_a_day_has_other_masses_with_it(self) -> None:
        said, new = (change("added", hour, doubts=("kind",)) for hour in ("18:00", "10:00"))

        assert not is_for_review(announced(said), STANDING)
        assert is_for_review(announced(new), STANDING)
        assert is_for_review(announced(change("moved", new_times=("16:00",), doubts=("kind",))), [])

    def test_its_proposal_says_what_was_read(self) -> None:
        moved = change("moved", "18:00", last=SAT, new_times=("17:00",), part="evening", quote="q", doubts=("kind",))
        proposal = proposal_of("p1", announced(moved), STANDING)

        assert proposal.says == "moved 18:00 -> 17:00 evening on 2026-11-18..2026-11-21"
        assert (proposal.origin, proposal.quote, proposal.doubts, proposal.valid_from) == ("exception", "q", ("kind",), WED)
        assert [one.mass.time for one in proposal.rows] == ["17:00", "18:00"]
        assert proposal_of("p1", announced(change("cancelled", "07:00")), []).says == "cancelled 07:00 on 2026-11-18"


class TestClashes:
    """A change over several days beside what the same page tells of one of them."""

    @staticmethod
    def doubted(taking: ScheduleChange, telling: ScheduleChange, url: str = "http://a.example/news") -> bool:
        found = with_clashes([announced(replace(taking, quote="a")), announced(replace(telling, quote="b"), url=url)], STANDING)
        assert found[1].change.doubts == telling.doubts
        return "contradiction" in found[0].change.doubts

    @pytest.mark.parametrize(
        ("kind", "times", "part", "clashing"),
        [
            ("order", ("09:00",), "", {"07:00", "18:00"}),
            ("order", ("09:00", "18:00"), "", {"07:00"}),
            ("cancelled", ("18:00",), "", {"18:00"}),
            ("cancelled", (), "", {"07:00", "18:00"}),
            ("cancelled", (), "evening", {"18:00"}),
            ("cancelled", (), "morning", {"07:00"}),
            ("moved", ("18:00",), "", {"18:00"}),
            ("moved", (), "", set()),
            ("added", ("18:00",), "", set()),
        ],
    )
    def test_usual_hours_that_one_takes_and_the_other_tells(
        self, kind: str, times: tuple[str, ...], part: str, clashing: set[str]
    ) -> None:
        taking = change(kind, *times, first=MON, last=WED, part=part)

        assert {
            hour for hour in ("07:00", "12:00", "18:00") if self.doubted(taking, change("added", hour, first=TUE))
        } == clashing  # fmt: skip

    def test_only_what_is_told_of_one_of_its_days_on_the_same_page(self) -> None:
        taking, telling = change("order", "09:00", first=MON, last=WED), change("order", "18:00", first=TUE)

        assert self.doubted(taking, telling)
        assert not self.doubted(taking, telling, "http://a.example/other")
        assert not self.doubted(taking, replace(telling, valid_from=SAT, valid_to=SAT))
        assert not self.doubted(taking, replace(telling, valid_to=WED))
        assert not self.doubted(taking, replace(telling, kind="cancelled"))
        assert not self.doubted(replace(taking, valid_from=TUE, valid_to=TUE), telling)
        assert self.doubted(replace(taking, valid_from=TUE, valid_to=TUE), replace(telling, doubts=("service",)))
        assert not self.doubted(replace(taking, valid_to=None), telling)

    def test_a_date_with_a_list_of_its_own_is_left_out_of_that_of_some_weeks(self) -> None:
        weeks = change("order", "09:00", first=MON, last=MON + timedelta(20), quote="a")
        day = detailed(change("order", "18:00", first=TUE), quote="W dniu 17 listopada Msza o 18.00")
        found = [one.change for one in with_clashes([announced(weeks), announced(day)], STANDING)]

        assert [(one.valid_from, one.valid_to) for one in found[:-1]] == [(MON, MON), (WED, MON + timedelta(20))]
        assert not any(one.doubts for one in found)

    def test_a_sentence_does_not_contradict_itself_and_a_doubt_is_told_once(self) -> None:
        taking = change("order", "09:00", first=MON, last=WED, quote="a", doubts=("kind", "contradiction"))
        telling = change("added", "18:00", first=TUE, quote="a")
        same = with_clashes([announced(replace(taking, doubts=())), announced(telling)], STANDING)
        once = with_clashes([announced(taking), announced(replace(telling, quote="b"))], STANDING)

        assert not any(one.change.doubts for one in same)
        assert once[0].change.doubts == ("kind", "contradiction")
