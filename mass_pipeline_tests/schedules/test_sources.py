"""What other sources say beside a row: agreement raises, contradiction is told, stated rules decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.sources import heard_beside, shifted, why, with_heard, with_last_reading
from mass_pipeline_tests.schedules.support import order

LISTED = datetime(2025, 9, 1, tzinfo=UTC)


def site(text: str = "Niedziele: 8.00, 10.00\nDni powszednie: 18.00") -> list[ScheduleRow]:
    return [replace(row, confidence=0.9) for row in order(text)]


def listed(text: str) -> list[ScheduleRow]:
    """The same parish on the page of a directory."""
    page = "http://dir.example/1"
    return [replace(row, source_url=page, quote=text, page_sha256="d9", fetched_at=LISTED) for row in order(text)]


class TestTheDirectory:
    def test_agreement_raises_and_contradiction_lowers(self) -> None:
        rows = with_heard(site(), "directory", listed("Niedziele: 8.00, 10.30"))

        said = {row.mass.time: (row.confidence, [one.says for one in row.heard]) for row in rows}

        assert said["08:00"][0] > 0.9 > said["10:00"][0]
        assert {time: says for time, (_, says) in said.items()} == {"08:00": ["agrees"], "10:00": ["contradicts"], "18:00": []}

    def test_silence_says_nothing(self) -> None:
        assert heard_beside(site(), "directory", []) == {}

    def test_both_words_and_dates_are_told_with_the_rule(self) -> None:
        rows = with_heard(site(), "directory", listed("Niedziele: 8.00, 10.30"))

        (ten,) = [row for row in rows if row.mass.time == "10:00"]
        text = "\n".join(why([ten]))

        for words in ("Su 08:00, Su 10:30", "„Niedziele: 8.00, 10.30” http://dir.example/1 (2025-09-01)", "own site is followed"):
            assert words in text
        assert "http://a.example/msze (2026-11-15)" in text

    def test_what_it_says_is_told_in_order_with_seasons(self) -> None:
        masses = [Mass(("Su",), "18:00", "summer"), Mass(("Su",), "08:00"), Mass(("Su", "PH"), "10:30")]
        other = [ScheduleRow(mass, "http://dir.example/1", mass.time, "d9", LISTED) for mass in masses]
        heard = {row.mass.time: one for row, one in heard_beside(site("Niedziele: 8.00, 10.00"), "directory", other).items()}

        assert {one.hours for one in heard.values()} == {"Su 08:00, Su PH 10:30, Su 18:00 (summer)"}
        assert [(heard[time].says, heard[time].quote) for time in ("08:00", "10:00")] == [
            ("agrees", "08:00"),
            ("contradicts", "18:00"),
        ]
        assert (heard["08:00"].rule, heard["08:00"].said_at) == ("two sources say the same", LISTED)

    def test_the_moment_of_its_words_is_that_of_the_last_confirmation(self) -> None:
        later = datetime(2026, 1, 1, tzinfo=UTC)
        other = [replace(row, checked_at=later) for row in listed("Niedziele: 8.00")]

        assert {one.said_at for one in heard_beside(site(), "directory", other).values()} == {later}

    def test_why_tells_the_probability_and_an_unknown_date(self) -> None:
        (row, *_) = (replace(one, fetched_at=None) for one in site())

        assert list(why([row])) == [
            f"{' '.join(row.mass.days)} {row.mass.time}: 0.900 by rules",
            f"  here: „{row.quote}” {row.source_url} (date unknown)",
        ]

    def test_an_hour_that_only_it_states_is_no_row(self) -> None:
        assert {row.mass for row in with_heard(site(), "directory", listed("Niedziele: 7.00"))} == {row.mass for row in site()}


class TestTheLastReading:
    def test_a_changed_order_is_told_and_lowers_nothing(self) -> None:
        before = [replace(row, page_sha256="old", fetched_at=LISTED) for row in order("Niedziele: 9.00\nDni powszednie: 18.00")]
        rows = with_last_reading(site(), before)

        assert [one.says for row in rows for one in row.heard if row.mass.time == "08:00"] == ["contradicts"]
        assert {row.confidence for row in rows if row.mass.time != "18:00"} == {0.9}
        assert {row.confidence > 0.9 for row in rows if row.mass.time == "18:00"} == {True}

    def test_reading_the_same_state_again_changes_nothing(self) -> None:
        before = [replace(row, page_sha256="old") for row in site()]
        once = with_last_reading(site(), before)

        assert with_last_reading(site(), once) == once

    def test_the_first_reading_has_heard_nothing(self) -> None:
        assert with_last_reading(site(), []) == tuple(site())


@pytest.mark.parametrize(
    ("before", "source", "says", "after"),
    [
        (0.9, "directory", "agrees", 0.9643),  # odds of 9 become 27
        (0.9, "directory", "contradicts", 0.75),  # and 3
        (0.9, "last_reading", "agrees", 0.931),  # and 13.5
        (0.9, "last_reading", "contradicts", 0.9),
        (0.99, "directory", "agrees", 0.995),
        (1.0, "directory", "contradicts", 1.0),
        (0.0, "directory", "agrees", 0.0),
    ],
)
def test_what_another_source_does_to_the_odds(before: float, source: str, says: str, after: float) -> None:
    assert shifted(before, source, says) == after


class TestTheSameMass:
    """A row is agreed with when the other source has it on all of its days."""

    @staticmethod
    def says(row: Mass, *other: Mass) -> str | None:
        rows = [ScheduleRow(mass, "http://a.example/", "q", "d", None) for mass in (row, *other)]
        heard = heard_beside(rows[:1], "directory", rows[1:])
        return heard[rows[0]].says if heard else None

    def test_on_all_of_its_days(self) -> None:
        assert self.says(Mass(("Mo", "Tu"), "18:00"), Mass(("Mo", "Tu", "We"), "18:00")) == "agrees"
        assert self.says(Mass(("Mo", "Tu"), "18:00"), Mass(("Mo",), "18:00"), Mass(("Tu",), "18:00")) == "agrees"
        assert self.says(Mass(("Mo", "Tu"), "18:00"), Mass(("Mo",), "18:00")) == "contradicts"
        assert self.says(Mass(("Mo",), "18:00"), Mass(("Tu",), "18:00")) is None

    def test_in_its_season_its_weeks_and_its_church(self) -> None:
        summer = Mass(("Mo",), "18:00", "summer")

        assert self.says(summer, Mass(("Mo",), "18:00")) == self.says(Mass(("Mo",), "18:00"), summer) == "agrees"
        assert self.says(summer, Mass(("Mo",), "18:00", "summer")) == "agrees"
        assert self.says(summer, Mass(("Mo",), "18:00", "winter")) == "contradicts"
        assert self.says(Mass(("Mo",), "18:00"), Mass(("Mo",), "18:00", nth=(1,))) == "contradicts"
        assert self.says(Mass(("Mo",), "18:00"), Mass(("Mo",), "18:00", place="Zagórze")) is None


@pytest.mark.parametrize("says", ["agrees", "contradicts"])
@pytest.mark.parametrize("source", ["directory", "last_reading"])
def test_a_row_stays_a_probability(source: str, says: str) -> None:
    assert all(0 <= shifted(p, source, says) <= 1 for p in (0.0, 0.005, 0.5, 0.995, 1.0))


def test_what_was_heard_goes_through_the_table_and_back() -> None:
    assert order()[0].as_dict("p1", "")["confidence"] == 1  # until a reading says less
    row = with_heard(site(), "directory", listed("Niedziele: 8.00"))[0]

    assert ScheduleRow.from_dict(row.as_dict("p1", "")) == row
