"""One truth, every output: pages, search, nearness, API, calendar, JSON-LD and open data name the Masses that the day has.

The truth is `day_schedule` over the rows as they were written; every output is read back from the bytes that are served.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import pyarrow.parquet as pq
import pytest

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.formats.dumps import write_dumps
from mass_pipeline.finding.index.facts import ParishFacts, town_key
from mass_pipeline.finding.index.generations import Generations
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline_tests.finding.made import HORIZON, NOW, parish
from mass_pipeline_tests.finding.orders import order
from mass_pipeline_tests.finding.second_calendar import Row, SecondCalendar
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

TODAY = NOW.date()
DAYS = [TODAY + timedelta(offset) for offset in range(58)]  # all that are laid out from today on
_CODES = {
    "Monday": 0, "Tuesday": 1, "Wednesday": 2, "Thursday": 3, "Friday": 4, "Saturday": 5, "Sunday": 6,
}  # fmt: skip
Starts = list[str]  # sorted local starts, YYYY-MM-DDTHH:MM


def truth(one: ParishFacts, days: Sequence[date]) -> Starts:
    return sorted(f"{day}T{row.mass.time}" for day in days for row in day_schedule(one.rows, day).masses)


def of_day_pages(visitor: Visitor, path: str) -> Starts:
    found = []
    for day in DAYS:
        page = visitor.page(f"{path}/{day}").split("<h2")[0]
        found += re.findall(r'<time datetime="([^"]*)">', page)
    return sorted(start[:16] for start in found)


def of_table(page: str) -> Starts:
    """The next days on the page of a parish."""
    found = []
    for link, cell in re.findall(r'<th scope="row"><a href="[^"]*/([\d-]+)">.*?</th>\s*<td>(.*?)</td>', page, re.DOTALL):
        found += [f"{link}T{hour}" for hour in re.findall(r'<span class="one(?: assumed)?">(\d\d:\d\d)', cell)]
    return sorted(found)


def of_search(visitor: Visitor, town_key: str) -> Starts:
    found = []
    for day in DAYS:
        hours = visitor.hours(f"/msze?miejsce={town_key}&dzien={day}&od=00:00")
        found += [f"{day}T{hour}" for hour in hours]
    return sorted(found)


def of_api(visitor: Visitor, question: str) -> Starts:
    """Every page of answers to a question of /masses."""
    found: list[str] = []
    cursor = "0"
    while cursor:
        window = f"from={DAYS[0]}T00:00&to={DAYS[-1]}T23:59&limit=100&cursor={cursor}"
        answer = visitor.get(f"/api/v1/masses?{question}&{window}").json()
        found += [mass["start_local"][:16] for mass in answer["masses"]]
        cursor = answer["cursor"] or ""
    return sorted(found)


def of_calendar(visitor: Visitor, parish_id: str) -> Starts:
    text = visitor.get(f"/api/v1/parishes/{parish_id}/calendar.ics?days={len(DAYS)}").text
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    return sorted(f"{one['DTSTART'].dt:%Y-%m-%dT%H:%M}" for one in events if one["STATUS"] != "CANCELLED")


def of_markup(page: str) -> Starts:
    """JSON-LD laid out as schema.org words it: weekdays, weeks and months of schedules without their exceptDate, and events."""
    markup = re.search(r'ld\+json">(.*?)</script>', page)
    assert markup is not None
    found = []
    for event in json.loads(markup[1])["@graph"]:
        if "eventSchedule" in event:
            found += [
                f"{day}T{event['eventSchedule']['startTime'][:5]}" for day in DAYS if is_scheduled(event["eventSchedule"], day)
            ]
        elif not event.get("eventStatus", "").endswith("EventCancelled") and "startDate" in event:
            found.append(event["startDate"][:16])
    return sorted(start for start in found if start[:10] <= DAYS[-1].isoformat())


def is_scheduled(schedule: dict[str, Any], day: date) -> bool:
    return (
        day.weekday() in {_CODES[one.rsplit("/", 1)[-1]] for one in schedule["byDay"]}
        and day.month in schedule.get("byMonth", range(1, 13))
        and (day.day + 6) // 7 in schedule.get("byMonthWeek", range(1, 6))
        and schedule.get("startDate", "0000") <= day.isoformat() <= schedule.get("endDate", "9999")
        and day.isoformat() not in schedule.get("exceptDate", ())
    )


def of_rows_taken_away(folder: Path, parish_id: str) -> Starts:
    """The dumped rows, laid out by somebody else's calendar: the second one."""
    rows = [json.loads(line) for line in gzip.decompress((folder / "masses.jsonl.gz").read_bytes()).splitlines()]
    own = [row for row in rows if row["parish_id"] == parish_id]
    said = SecondCalendar(DAYS[0], len(DAYS)).said([Row(*(row[name] for name in Row.__slots__)) for row in own])
    return sorted(
        f"{day}T{row['time']}"
        for row, days in zip(own, said, strict=True)
        for number, day in enumerate(DAYS)
        if days.held >> number & 1
    )


def of_dump(folder: Path, parish_id: str) -> Starts:
    rows = pq.read_table(folder / "occurrences-14d.parquet").to_pylist()
    return sorted(row["start"][:16] for row in rows if row["parish_id"] == parish_id)


class Oracle:
    """A site over made parishes, its dumps, and the facts it was made from."""

    def __init__(self, folder: Path, count: int) -> None:
        rng = random.Random(23)
        self.parishes = [parish(number, order(rng)) for number in range(count)]
        published(folder, self.parishes)
        self.visitor = Visitor(site_over(folder))
        present = Generations(folder / "public").current()
        assert present is not None
        self.dumps = folder / "dumps"
        config = PublicConfig()
        write_dumps(
            present.index, self.dumps, today=TODAY, built_at=NOW, licence=config.licence, directory_confirmed=True, address=""
        )  # fmt: skip

    def outputs(self, one: ParishFacts) -> Iterator[tuple[str, Starts, Starts]]:
        """Name of an output, what it says, and what it should say."""
        path, key = f"/parafia/{one.slug}-{one.parish_id}", one.parish_id
        said, page = truth(one, DAYS), self.visitor.page(path)
        yield "day pages", of_day_pages(self.visitor, path), said
        yield "results", of_search(self.visitor, town_key(one.voivodeship, one.town)), said
        yield "API of the parish", of_api(self.visitor, f"parish={key}"), said
        yield "API near", of_api(self.visitor, f"lat={one.latitude}&lon={one.longitude}&radius_m=60"), said
        served = [self.visitor.get(f"/api/v1/parishes/{key}/days/{day}").json()["masses"] for day in DAYS]
        yield "API of days", sorted(mass["start_local"][:16] for masses in served for mass in masses), said
        yield "calendar", of_calendar(self.visitor, key), said
        yield "JSON-LD", of_markup(page), said
        yield "rows of the open data", of_rows_taken_away(self.dumps, key), said
        yield "Masses of the open data", of_dump(self.dumps, key), truth(one, DAYS[:14])
        yield "table of the parish's page", of_table(page), truth(one, DAYS[:14])


class TestEveryOutput:
    @pytest.mark.parametrize("count", [4, pytest.param(60, marks=pytest.mark.soak)])
    def test_it_says_what_the_day_says(self, tmp_path: Path, count: int) -> None:
        oracle = Oracle(tmp_path, count)
        compared = 0
        for one in oracle.parishes:
            for name, found, said in oracle.outputs(one):
                assert said, one.parish_id
                assert found == said, (name, one.parish_id)
                compared += 1
        print(f"{compared} outputs of {count} parishes x {len(DAYS)} days agree")

        assert compared == 10 * count


class TestClocks:
    def test_both_days_of_the_change_of_clocks_have_the_hours_as_written(self, tmp_path: Path) -> None:
        """28 March 2027 and 31 October 2027 are Sundays of 23 and 25 hours."""
        one = parish(1, order(random.Random(5)))
        for day in (date(2027, 3, 28), date(2027, 10, 31)):
            folder = tmp_path / day.isoformat()
            moment = datetime.combine(day, NOW.timetz()) - timedelta(days=1)
            horizon = replace(HORIZON, first=day - timedelta(2), days=8)
            published(folder, [one], built_at=moment, horizon=horizon)
            site = site_over(folder)
            site.clock = lambda moment=moment: moment  # type: ignore[misc]
            text = Visitor(site).get(f"/api/v1/parishes/{one.parish_id}/calendar.ics?days=4").text
            events = icalendar.Calendar.from_ical(text).walk("VEVENT")
            starts = sorted(f"{event['DTSTART'].dt:%Y-%m-%dT%H:%M}" for event in events if event["STATUS"] != "CANCELLED")

            assert starts == truth(one, [day + timedelta(offset) for offset in (-1, 0, 1, 2)])
