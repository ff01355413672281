"""One truth, every output: pages, search, nearness, API, calendar, JSON-LD and open data give the Masses that the day has, and
mark the same ones as only assumed for it.

The truth is `day_schedule` over the rows as they were written; every output is read back from the bytes that are served.
"""

from __future__ import annotations

import gzip
import html
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import icalendar
import pyarrow.parquet as pq
import pytest

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.expansion import ASSUMED_ONLY
from mass_pipeline.finding.formats.dumps import write_dumps
from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.finding.index.generations import Generations
from mass_pipeline.public_web.texts import words
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline_tests.finding.made import HORIZON, NOW, WEEK, parish, row
from mass_pipeline_tests.finding.orders import order
from mass_pipeline_tests.finding.second_calendar import Row, SecondCalendar
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

PERIODS = {
    "eight weeks": (NOW.date(), 58),
    "Christmas": (date(2026, 12, 24), 14),
    "Triduum, Easter and the change to summer time": (date(2027, 3, 24), 14),  # Easter Sunday is the day of the change
    "the change to winter time, All Saints": (date(2027, 10, 24), 14),
}
ASSUMED = {"assumed", "own_order", "approximate_season", "season_unknown", "school_break", "school_break_unknown"}
SENTENCES = [words("pl").named("flags", name.upper()) for name in sorted(ASSUMED)]
HOUR = re.compile(r'<a class="at([^"]*)"[^>]*><time datetime="([^"]{16})">[^<]*</time>([^<]*)')
Marked = list[tuple[str, bool]]  # local starts, sorted, and whether they are marked as assumed


def parishes(count: int) -> Sequence[ParishFacts]:
    rng, lands = random.Random(7), ["śląskie", "mazowieckie", "lubelskie", ""]
    school, unknown = row(["Mo", "We"], "07:40", season="school"), row(["Su"], "20:10", season="custom")
    return [
        parish(number, [school, unknown, row(WEEK, "18:20"), *order(rng)], town=f"Łąka {number}", voivodeship=lands[number % 4])
        for number in range(count)
    ]


def truth(one: ParishFacts, days: Sequence[date]) -> Marked:
    schedules = [(day, day_schedule(one.rows, day, one.voivodeship)) for day in days]
    return sorted(
        (f"{day}T{mass.mass.time}", bool(ASSUMED & set(flags)))
        for day, schedule in schedules
        for mass, flags in zip(schedule.masses, schedule.flags, strict=True)
    )


def has_sentence(text: str) -> bool:
    return any(one.lower() in html.unescape(text).lower() for one in SENTENCES)


def explained_marks(page: str) -> set[str]:
    """Marks whose sentence says that an hour is only assumed."""
    lines = [line for legend in re.findall(r'<p class="flag legend">(.*?)</p>', page) for line in legend.split("<br>")]
    return {line.split(" ", 1)[0] for line in lines if has_sentence(line)}


def of_lists(page: str, listed: str = "") -> Marked:
    """Hours of cards, in a part of a page; each that is assumed has a mark whose sentence stands once on the page."""
    explained, found = explained_marks(page), []
    for kind, start, marks in HOUR.findall(listed or page):
        is_marked = "assumed" in kind and any(mark in marks for mark in explained)
        assert is_marked == ("assumed" in kind), (start, kind, explained)
        found.append((start, is_marked))
    return found


def of_results(visitor: Visitor, place: str, day: date) -> Marked:
    page = visitor.page(f"/msze?miejsce={place}&dzien={day}&od=00:00")
    return of_lists(page, page.partition(">Msze święte</h2>")[2].split("<h2")[0] or "-")


def of_table(page: str, days: Sequence[date]) -> Marked:
    """Hours of a table of days; each that is assumed has a mark whose sentence stands in the legend."""
    explained, found = explained_marks(page), []
    for day, cell in zip(days, re.findall(r'<th scope="row">.*?<td>(.*?)</td>', page, re.DOTALL), strict=True):
        for kind, hour, marks in re.findall(r'<span class="one( assumed)?">(\d\d:\d\d)([^<]*)', cell):
            found.append((f"{day}T{hour}", bool(kind) and any(mark in marks for mark in explained)))
    return found


def of_masses(masses: Sequence[dict[str, str]]) -> Marked:
    return [(one["start_local"][:16], one["status"] == "tentative") for one in masses]


def of_api(visitor: Visitor, question: str, days: Sequence[date]) -> Marked:
    """Every page of answers to a question of /masses."""
    found: Marked = []
    cursor = "0"
    while cursor:
        window = f"from={days[0]}T00:00&to={days[-1]}T23:59&limit=100&cursor={cursor}"
        answer = visitor.get(f"/api/v1/masses?{question}&{window}").json()
        found += of_masses(answer["masses"])
        cursor = answer["cursor"] or ""
    return found


def of_calendar(visitor: Visitor, key: str, count: int) -> Marked:
    events = icalendar.Calendar.from_ical(visitor.get(f"/api/v1/parishes/{key}/calendar.ics?days={count}").text).walk("VEVENT")
    held = [one for one in events if one["STATUS"] != "CANCELLED"]
    assert [one["STATUS"] == "TENTATIVE" for one in held] == [has_sentence(one["DESCRIPTION"]) for one in held]
    return [(f"{one['DTSTART'].dt:%Y-%m-%dT%H:%M}", one["STATUS"] == "TENTATIVE") for one in held]


def of_markup(page: str, days: Sequence[date]) -> Marked:
    """JSON-LD laid out as schema.org words it: weekdays, weeks and months of schedules without their exceptDate, and events."""
    found = []
    for event in json.loads(re.search(r'ld\+json">(.*?)</script>', page)[1])["@graph"]:  # type: ignore[index]
        plan = event.get("eventSchedule")
        found += [(f"{day}T{plan['startTime'][:5]}", False) for day in days if plan and is_scheduled(plan, day)]
        if "startDate" in event and not event.get("eventStatus", "").endswith("EventCancelled"):
            found.append((event["startDate"][:16], "eventStatus" not in event and has_sentence(event["description"])))
    return [(start, mark) for start, mark in found if start[:10] <= days[-1].isoformat()]


def is_scheduled(plan: dict[str, Any], day: date) -> bool:
    return (
        f"https://schema.org/{day:%A}" in plan["byDay"]
        and day.month in plan.get("byMonth", range(1, 13))
        and (day.day + 6) // 7 in plan.get("byMonthWeek", range(1, 6))
        and plan.get("startDate", "0000") <= day.isoformat() <= plan.get("endDate", "9999")
        and day.isoformat() not in plan.get("exceptDate", ())
    )


def of_rows_taken_away(folder: Path, key: str, days: Sequence[date]) -> list[str]:
    """Starts of the dumped rows, laid out by somebody else's calendar: the second one; it tells of no doubt."""
    rows = [json.loads(line) for line in gzip.decompress((folder / "masses.jsonl.gz").read_bytes()).splitlines()]
    own = [one for one in rows if one["parish_id"] == key]
    said = SecondCalendar(days[0], len(days)).said([Row(*(one[name] for name in Row.__slots__)) for one in own])
    held = ((day, one) for one, of_it in zip(own, said, strict=True) for n, day in enumerate(days) if of_it.held >> n & 1)
    return sorted(f"{day}T{one['time']}" for day, one in held)


class Oracle:
    """A site over made parishes in a period, its dumps, and the facts it was made from."""

    def __init__(self, folder: Path, first: date, count: int, of_parishes: int) -> None:
        moment = datetime.combine(first, datetime.min.time(), UTC)
        self.days = [first + timedelta(offset) for offset in range(count)]
        self.parishes = parishes(of_parishes)
        published(folder, self.parishes, built_at=moment, horizon=replace(HORIZON, first=first - timedelta(1), days=count + 6))
        self.visitor = Visitor(site_over(folder, at=moment))
        self.dumps, present, config = folder / "dumps", Generations(folder / "public").current(), PublicConfig()
        assert present is not None
        write_dumps(
            present.index, self.dumps, today=first, built_at=NOW, licence=config.licence, directory_confirmed=True, address=""
        )  # fmt: skip
        self.occurrences = pq.read_table(self.dumps / "occurrences-14d.parquet").to_pylist()

    def outputs(self, one: ParishFacts) -> Iterator[tuple[str, Marked, int]]:
        """Name of an output, what it says, and for how many days."""
        visitor, days, key, path = self.visitor, self.days, one.parish_id, f"/parafia/{one.slug}-{one.parish_id}"
        page, place, count = visitor.page(path), visitor.get(f"/api/v1/parishes/{key}").json()["place"], len(days)
        of_days = [visitor.get(f"/api/v1/parishes/{key}/days/{day}").json()["masses"] for day in days]
        yield "day pages", [hour for day in days for hour in of_lists(visitor.page(f"{path}/{day}").split("<h2")[0])], count
        yield "results", [hour for day in days for hour in of_results(visitor, place, day)], count
        yield "API of the parish", of_api(visitor, f"parish={key}", days), count
        yield "API near", of_api(visitor, f"lat={one.latitude}&lon={one.longitude}&radius_m=60", days), count
        yield "API of days", [hour for masses in of_days for hour in of_masses(masses)], count
        yield "calendar", of_calendar(visitor, key, count), count
        yield "JSON-LD", of_markup(page, days), count
        own = [mass for mass in self.occurrences if mass["parish_id"] == key]
        yield "Masses of the open data", [(mass["start"][:16], bool(mass["flags"] & ASSUMED_ONLY)) for mass in own], 14
        yield "table of the parish's page", of_table(page, days[:14]), 14
        yield "widget", of_table(visitor.page(f"/widget/{key}"), days[:7]), 7


CASES = [pytest.param(*days, 4, id=name) for name, days in PERIODS.items()]
CASES.append(pytest.param(*PERIODS["eight weeks"], 60, id="many parishes", marks=pytest.mark.soak))


class TestEveryOutput:
    @pytest.mark.parametrize(("first", "count", "of_parishes"), CASES)
    def test_it_says_what_the_day_says(self, tmp_path: Path, first: date, count: int, of_parishes: int) -> None:
        oracle = Oracle(tmp_path, first, count, of_parishes)
        for one in oracle.parishes:
            said = truth(one, oracle.days)
            for name, found, days in oracle.outputs(one):
                assert sorted(found) == truth(one, oracle.days[:days]), (name, one.parish_id)
            assert of_rows_taken_away(oracle.dumps, one.parish_id, oracle.days) == [start for start, _ in said]
            assert {mark for _, mark in said} == {True, False}
