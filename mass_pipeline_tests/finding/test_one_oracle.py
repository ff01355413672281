"""One oracle below the site: for many parishes and all days, search, day, nearness, API and calendar name the same hours."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from mass_pipeline.finding.formats.ics import calendar
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.generations import Generation
from mass_pipeline.finding.index.library import OpenIndex, open_index
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.finding.nearby import near
from mass_pipeline.public_web.api_shapes import DAY
from mass_pipeline_tests.finding.made import index_of, named, parish
from mass_pipeline_tests.finding.orders import DAYS, order

PARISHES = 40
Opened = tuple[OpenIndex, sqlite3.Connection]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """An index of made parishes, each with a point of its own."""
    folder: Path = tmp_path_factory.mktemp("gen")
    rng = random.Random(11)
    index_of(folder / "index.sqlite", [parish(number, order(rng)) for number in range(PARISHES)])
    index = open_index(Generation("gen", folder))
    with index.connection() as connection:
        yield index, connection
    index.retire()


def of_days(opened: Opened, one: ParishRecord) -> dict[date, queries.DayOfParish]:
    rules = queries.rules_of(opened[1], one.pk)
    return {day: queries.day_of_parish(opened[0], one, rules, day) for day in DAYS}


def starts(one: queries.DayOfParish) -> list[str]:
    return sorted(f"{found.start:%Y-%m-%dT%H:%M}" for found in one.masses)


class TestManyParishes:
    @pytest.mark.parametrize("part", range(4))
    def test_all_outputs_say_what_the_day_says(self, opened: Opened, part: int) -> None:
        index, connection = opened
        for number in range(part, PARISHES, 4):
            one = queries.parish(connection, f"p{number:06d}")
            assert one is not None
            assert one.point is not None
            days = of_days(opened, one)
            said = [start for day in DAYS for start in starts(days[day])]
            last = queries.minutes_of(index, DAYS[-1], 1439)

            searched = queries.of_parishes(index, connection, [one], 0, last)
            nearest = queries.of_hits(index, connection, near(connection, one.point, 0, last, limit=2_000, radius_m=50.0))
            served = [mass for day in DAYS for mass in DAY.of(days[day])["masses"]]
            text = calendar(
                one, [found for day in DAYS for found in days[day].masses], index.built_at, "https://msze.example", named
            )
            dates = re.findall(r"DTSTART;TZID=Europe/Warsaw:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)00", text)

            assert said
            assert sorted(f"{found.start:%Y-%m-%dT%H:%M}" for found in searched) == said
            assert sorted(f"{found.start:%Y-%m-%dT%H:%M}" for found in nearest) == said
            assert sorted(mass["start_local"][:16] for mass in served) == said
            assert sorted("{}-{}-{}T{}:{}".format(*parts) for parts in dates) == said

    def test_what_is_cancelled_is_in_no_search(self, opened: Opened) -> None:
        index, connection = opened
        cancelled = 0
        for number in range(PARISHES):
            one = queries.parish(connection, f"p{number:06d}")
            assert one is not None
            for day, held in of_days(opened, one).items():
                first = queries.minutes_of(index, day)
                found = queries.of_parishes(index, connection, [one], first, first + 1439)
                cancelled += len(held.cancelled)

                assert not {(mass.minute, mass.mass.pk) for mass in held.cancelled} & {(f.minute, f.mass.pk) for f in found}
        assert cancelled
