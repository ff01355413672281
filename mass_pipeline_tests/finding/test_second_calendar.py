"""Two calendars by two ways: the one that publishes, and one that shares nothing with it."""

from __future__ import annotations

import ast
import contextlib
import json
import random
import sqlite3
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.finding import expansion
from mass_pipeline.model.records import DAYS, NAMED_SEASONS, WEEKDAYS
from mass_pipeline.reading.words.church_calendar import easter
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline_tests.finding import second_calendar
from mass_pipeline_tests.finding.made import HORIZON, index_of, parish, row
from mass_pipeline_tests.finding.second_calendar import MOST_A_DAY, Row, SecondCalendar, easter_sunday

FIRST = date(2026, 1, 1)
REMARKS = ["", "", "suma", "poza Adwentem", "nie w czasie kolędy", "poza majem i październikiem"]


def as_row(one: ScheduleRow) -> Row:
    """A row as the index holds it."""
    mass = one.mass
    nth = json.dumps(list(mass.nth)) if mass.nth else None
    bounds = [None if day is None else day.isoformat() for day in (one.valid_from, one.valid_to)]
    return Row(" ".join(mass.days), mass.time, mass.season, nth, mass.place, mass.note, bounds[0], bounds[1], one.exception)


def differing(rows: Sequence[ScheduleRow], first: date, count: int) -> list[date]:
    """Days on which the calendars name other rows."""
    said = SecondCalendar(first, count).said([as_row(one) for one in rows])
    found = []
    for number in range(count):
        day = day_schedule(rows, first + timedelta(number))
        held = [one for one, days in zip(rows, said, strict=True) if days.held >> number & 1]
        cancelled = [one for one, days in zip(rows, said, strict=True) if days.cancelled >> number & 1]
        if {id(one) for one in held} != set(map(id, day.masses)) or {id(one) for one in cancelled} != set(map(id, day.cancelled)):
            found.append(day.day)
    return found


class TestApart:
    def test_it_uses_nothing_of_the_project(self) -> None:
        """Two calendars that share a part share its faults."""
        tree = ast.parse(Path(str(second_calendar.__file__)).read_text(encoding="utf-8"))
        names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names += [one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names]

        assert not [name for name in names if name and name.startswith("mass_pipeline")]

    def test_easter_by_two_algorithms_is_one_day(self) -> None:
        assert [easter_sunday(year) for year in range(1900, 2300)] == [easter(year) for year in range(1900, 2300)]

    def test_the_bound_of_a_day_is_one(self) -> None:
        assert MOST_A_DAY == expansion.MOST_A_DAY


class TestDemoParishes:
    @pytest.mark.parametrize(
        ("each", "days"), [(4, 200), pytest.param(1, 3 * 365, marks=pytest.mark.soak)], ids=["a sample", "three years"]
    )
    def test_every_day_agrees(self, each: int, days: int) -> None:
        compared, wrong = 0, list[date]()
        for masses in [masses for masses in DemoWeb().truth.values() if masses][::each]:
            rows = [ScheduleRow(mass, "http://a.example/", "Msze", "d", None) for mass in masses]
            wrong += differing(rows, FIRST, days)
            compared += days
        print(f"{compared - len(wrong)} of {compared} parish-days agree")

        assert compared >= 40 * days / each
        assert wrong == []


def hours() -> st.SearchStrategy[str]:
    return st.sampled_from(["07:00", "08:00", "18:00"])


@st.composite
def orders(draw: st.DrawFn) -> list[ScheduleRow]:
    """Orders with seasons, ordinals, places and remarks, and announcements for some days of spring or of the year's end."""
    rows = []
    for _ in range(draw(st.integers(1, 7))):
        days = draw(st.lists(st.sampled_from(DAYS), min_size=1, max_size=4, unique=True))
        season = draw(st.sampled_from(["all", "all", *NAMED_SEASONS, "04-10", "11-02", "06-06"]))
        nth = draw(st.sampled_from([None, None, (1,), (-1,), (2, 4), (5,)]))
        ends = draw(st.sampled_from([None, None, None, date(2026, 4, 2), date(2026, 12, 20)]))
        place, note = draw(st.sampled_from(["", "", "kaplica"])), draw(st.sampled_from(REMARKS))
        rows.append(row(days, draw(hours()), season=season, nth=nth, place=place, note=note, valid_to=ends))
    for _ in range(draw(st.integers(0, 4))):
        begins = date(2026, 12, 5) + timedelta(draw(st.integers(-10, 32)))
        ends = begins + timedelta(draw(st.sampled_from([0, 0, 0, 1, 6])))
        days = draw(st.sampled_from([WEEKDAYS, WEEKDAYS[:6], ("Su",), ("Fr", "Sa")]))
        said = draw(st.sampled_from(["added", "cancelled", "only"]))
        place = draw(st.sampled_from(["", "", "kaplica"]))
        rows.append(row(days, draw(hours()), exception=said, valid_from=begins, valid_to=ends, place=place))
    return rows


class TestAnyOrder:
    @settings(max_examples=40, deadline=None)
    @given(orders(), st.sampled_from([(date(2026, 11, 20), 60), (date(2027, 2, 1), 70)]))
    def test_both_calendars_name_the_same_rows(self, rows: list[ScheduleRow], horizon: tuple[date, int]) -> None:
        assert differing(rows, *horizon) == []

    def test_a_year_with_transferred_feasts_agrees(self) -> None:
        rows = [row(["Su"], "08:00"), row(["AF"], "09:00"), row(["PH"], "10:00"), row(WEEKDAYS[:6], "18:00")]

        assert [differing(rows, date(year, 1, 1), 366) for year in (2024, 2028, 2030, 2035, 2038)] == [[]] * 5


Start = tuple[str, int, int, bool]  # parish, row, minute from the first day on, whether it is cancelled


def starts(index: Path) -> tuple[set[Start], set[Start]]:
    """What is laid out in an index, and what the second calendar says of its rows."""
    with contextlib.closing(sqlite3.connect(index)) as connection:
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        laid_out = connection.execute("SELECT parish_id, mass, t, flags FROM occ JOIN parish ON parish.pk = parish").fetchall()
        columns = "days, time, season, nth, place, note, valid_from, valid_to, exception, season_days"
        query = f"SELECT parish_id, mass.pk, {columns} FROM mass JOIN parish ON parish.pk = parish ORDER BY mass.pk"
        rows = connection.execute(query).fetchall()
    calendar, said = SecondCalendar(date.fromisoformat(meta["first_day"]), int(meta["days"])), set[Start]()
    for key, group in groupby(rows, key=lambda one: str(one[0])):
        of_parish = [(pk, Row(*columns)) for _, pk, *columns in group]
        for (pk, one), days in zip(of_parish, calendar.said([one for _, one in of_parish]), strict=True):
            minute = int(one.time[:2]) * 60 + int(one.time[3:])
            for number, (on, is_cancelled) in product(range(calendar.count), ((days.held, False), (days.cancelled, True))):
                if on >> number & 1:
                    said.add((key, pk, number * expansion.MINUTES_A_DAY + minute, is_cancelled))
    return {(key, mass, t, bool(flags & expansion.Flag.CANCELLED)) for key, mass, t, flags in laid_out}, said


class TestIndex:
    @pytest.fixture
    def index(self, tmp_path: Path) -> Path:
        days = [HORIZON.first + timedelta(offset) for offset in range(HORIZON.days)]
        rng = random.Random(3)
        parishes = []
        for number in range(12):
            day = rng.choice(days)
            dated = row([WEEKDAYS[day.weekday()]], "17:00", exception="cancelled", valid_from=day, valid_to=day)
            parishes.append(parish(number, [row(["Su"], "08:00"), row(WEEKDAYS[:6], "17:00"), dated]))
        return index_of(tmp_path / "index", parishes)

    def test_an_index_as_it_is_built_agrees(self, index: Path) -> None:
        laid_out, said = starts(index)

        assert laid_out == said
        assert len({key for key, *_ in laid_out}) == 12

    @pytest.mark.parametrize(
        "fault",
        [
            "DELETE FROM occ WHERE parish = 3 AND t = (SELECT min(t) FROM occ WHERE parish = 3)",
            "UPDATE occ SET t = t + 30 WHERE parish = 3 AND t = (SELECT max(t) FROM occ WHERE parish = 3)",
            "UPDATE occ SET t = t + 1440 WHERE parish = 3 AND t = (SELECT max(t) FROM occ WHERE parish = 3)",
            "UPDATE occ SET flags = flags - 128 WHERE parish = 3 AND flags & 128",
            "UPDATE mass SET days = 'PH' WHERE parish = 3 AND days = 'Su'",
        ],
        ids=["a Mass is missing", "another hour", "another day", "a cancelled one is held", "another list"],
    )
    def test_one_wrong_mass_of_one_parish_is_noticed(self, index: Path, fault: str) -> None:
        with sqlite3.connect(index) as connection:
            connection.execute(fault)

        laid_out, said = starts(index)

        assert {key for key, *_ in laid_out ^ said} == {"p000002"}
