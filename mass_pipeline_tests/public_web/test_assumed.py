"""Hours that are only assumed for their day: Christmas Eve, feasts without a list, Holy Thursday, Easter, days without school.

Page, table, widget, results, API, calendar and JSON-LD are read back from the bytes that are served: each must give the same
hours, and mark the same ones.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import icalendar
import pytest

from mass_pipeline.finding.index.facts import ParishFacts
from mass_pipeline.public_web.texts import words
from mass_pipeline.schedules.day import day_schedule
from mass_pipeline_tests.finding.made import HORIZON, WEEK, parish, row
from mass_pipeline_tests.finding.orders import order
from mass_pipeline_tests.public_web.support import Visitor, published, site_over

PERIODS = {
    "Christmas": date(2026, 12, 24),  # to 6 January
    "Triduum, Easter and the change to summer time": date(2027, 3, 24),  # Easter Sunday is the day of the change
    "the change to winter time, All Saints": date(2027, 10, 24),
}
COUNT = 5  # parishes: 3 periods of 14 days make 210 pairs
DAYS = 14
ASSUMED = {"assumed", "own_order", "approximate_season", "season_unknown", "school_break", "school_break_unknown"}
SENTENCES = [words("pl").named("flags", name.upper()) for name in sorted(ASSUMED)]
HOUR = re.compile(r'<a class="at([^"]*)"[^>]*><time datetime="([^"]{16})">[^<]*</time>([^<]*)')
Marked = set[tuple[str, bool]]  # local start, and whether it is marked as assumed


def parishes() -> Sequence[ParishFacts]:
    rng = random.Random(7)
    own = [
        row(WEEK, "18:00"),
        row(["Su"], "12:00"),
        row(["Mo", "We"], "07:30", season="school"),
        row(["Su"], "20:00", season="custom"),
    ]
    lands = ["śląskie", "mazowieckie", "lubelskie", ""]
    return [
        parish(number, [*own, *(one for one in order(rng) if one.mass.time not in ("18:00", "12:00", "07:30", "20:00"))],
               town=f"Łąka {number}", voivodeship=lands[number % 4])
        for number in range(COUNT)
    ]  # fmt: skip


def truth(one: ParishFacts, days: Sequence[date]) -> Marked:
    found = set()
    for day in days:
        schedule = day_schedule(one.rows, day, one.voivodeship)
        for mass, flags in zip(schedule.masses, schedule.flags, strict=True):
            found.add((f"{day}T{mass.mass.time}", bool(ASSUMED & set(flags))))
    return found


def has_sentence(text: str) -> bool:
    return any(one.lower() in html.unescape(text).lower() for one in SENTENCES)


def of_lists(page: str, listed: str = "") -> Marked:
    """Hours of cards, in a part of a page; each that is assumed has a mark whose sentence stands once on the page."""
    explained, found = explained_marks(page), set()
    for kind, start, marks in HOUR.findall(listed or page):
        is_marked = "assumed" in kind and any(mark in marks for mark in explained)
        assert is_marked == ("assumed" in kind), (start, kind, explained)
        found.add((start, is_marked))
    return found


def explained_marks(page: str) -> set[str]:
    """Marks whose sentence says that an hour is only assumed."""
    lines = [line for legend in re.findall(r'<p class="flag legend">(.*?)</p>', page) for line in legend.split("<br>")]
    return {line.split(" ", 1)[0] for line in lines if has_sentence(line)}


def of_results(visitor: Visitor, town_key: str, day: date) -> Marked:
    page = visitor.page(f"/msze?miejsce={town_key}&dzien={day}&od=00:00")
    return of_lists(page, page.partition(">Msze święte</h2>")[2].split("<h2")[0] or "-")


def of_table(page: str, days: Sequence[date]) -> Marked:
    """Hours of a table of days; each that is assumed has a mark whose sentence stands in the legend."""
    explained, found = explained_marks(page), set()
    for day, cell in zip(days, re.findall(r'<th scope="row">.*?<td>(.*?)</td>', page, re.DOTALL), strict=True):
        for kind, hour, marks in re.findall(r'<span class="one( assumed)?">(\d\d:\d\d)([^<]*)', cell):
            found.add((f"{day}T{hour}", bool(kind) and any(mark in marks for mark in explained)))
    return found


def of_calendar(visitor: Visitor, key: str) -> Marked:
    events = icalendar.Calendar.from_ical(visitor.get(f"/api/v1/parishes/{key}/calendar.ics?days={DAYS}").text).walk("VEVENT")
    found = set()
    for one in events:
        if one["STATUS"] != "CANCELLED":
            assert (one["STATUS"] == "TENTATIVE") == has_sentence(one["DESCRIPTION"])
            found.add((f"{one['DTSTART'].dt:%Y-%m-%dT%H:%M}", one["STATUS"] == "TENTATIVE"))
    return found


def of_markup(page: str, days: Sequence[date]) -> Marked:
    graph = json.loads(re.search(r'ld\+json">(.*?)</script>', page)[1])["@graph"]  # type: ignore[index]
    found = set()
    for event in graph[1:]:
        plan = event.get("eventSchedule")
        if plan is None and not event.get("eventStatus", "").endswith("Cancelled"):
            found.add((event["startDate"][:16], "eventStatus" not in event and has_sentence(event.get("description", ""))))
        for day in days if plan else ():
            is_on = (
                f"https://schema.org/{day:%A}" in plan["byDay"]
                and day.month in plan.get("byMonth", range(1, 13))
                and (day.day + 6) // 7 in plan.get("byMonthWeek", range(1, 6))
                and day.isoformat() not in plan.get("exceptDate", ())
            )
            if is_on:
                found.add((f"{day}T{plan['startTime'][:5]}", False))
    return {(start, mark) for start, mark in found if start[:10] <= days[-1].isoformat()}


def of_api(masses: Sequence[dict[str, str]]) -> Marked:
    return {(one["start_local"][:16], one["status"] == "tentative") for one in masses}


@pytest.mark.parametrize("first", PERIODS.values(), ids=PERIODS)
class TestEveryOutput:
    def test_it_gives_the_same_hours_and_marks_the_same_ones(self, tmp_path: Path, first: date) -> None:
        moment = datetime.combine(first, datetime.min.time(), UTC)
        every, days = parishes(), [first + timedelta(offset) for offset in range(DAYS)]
        published(tmp_path, every, built_at=moment, horizon=replace(HORIZON, first=first - timedelta(1), days=20))
        visitor = Visitor(site_over(tmp_path, at=moment))
        pairs = 0
        for one in every:
            said = truth(one, days)
            key, path = one.parish_id, f"/parafia/{one.slug}-{one.parish_id}"
            page = visitor.page(path)
            place = visitor.get(f"/api/v1/parishes/{key}").json()["place"]
            window = f"from={days[0]}T00:00&to={days[-1]}T23:59&limit=100"
            outputs = {
                "day pages": set().union(*(of_lists(visitor.page(f"{path}/{day}").split("<h2")[0]) for day in days)),
                "results": set().union(*(of_results(visitor, place, day) for day in days)),
                "table": of_table(page, days),
                "API of days": set().union(
                    *(of_api(visitor.get(f"/api/v1/parishes/{key}/days/{day}").json()["masses"]) for day in days)
                ),
                "API": of_api(visitor.get(f"/api/v1/masses?parish={key}&{window}").json()["masses"]),
                "calendar": of_calendar(visitor, key),
                "JSON-LD": of_markup(page, days),
            }
            assert {name: found ^ said for name, found in outputs.items() if found != said} == {}, key
            week = {(start, mark) for start, mark in said if start[:10] < (first + timedelta(7)).isoformat()}
            assert of_table(visitor.page(f"/widget/{key}"), days[:7]) == week
            pairs += len(days)

        assert pairs == COUNT * DAYS


class TestDaysWithAnOrderOfTheirOwn:
    @pytest.mark.parametrize(
        ("day", "time", "is_assumed"),
        [
            (date(2026, 12, 24), "18:00", True),
            (date(2026, 12, 24), "07:00", False),
            (date(2026, 12, 23), "18:00", False),
            (date(2027, 3, 25), "07:00", True),  # Holy Thursday
            (date(2027, 3, 28), "07:00", True),  # Easter Sunday
            (date(2027, 4, 4), "07:00", False),
        ],
    )
    def test_their_usual_hours_are_assumed(self, day: date, time: str, is_assumed: bool) -> None:
        schedule = day_schedule([row([*WEEK, "Su"], time)], day)

        assert [("own_order" in flags) for flags in schedule.flags] == [is_assumed]

    def test_what_the_parish_announces_for_them_is_not(self) -> None:
        eve = date(2026, 12, 24)
        schedule = day_schedule([row(["Th"], "16:00", exception="only", valid_from=eve, valid_to=eve)], eve)

        assert schedule.flags == ((),)

    def test_the_value_for_openstreetmap_says_so(self, tmp_path: Path) -> None:
        published(tmp_path, [parish(1, service_times="Mo-Sa 18:00+", service_times_points="Mo-Sa 18:00")])
        rules = Visitor(site_over(tmp_path)).get("/api/v1/parishes/p000001/rules").json()

        assert (rules["service_times"], rules["service_times_points"]) == ("Mo-Sa 18:00+", "Mo-Sa 18:00")
        assert "24 grudnia od 15:00" in rules["service_times_note"]


class TestCancelledHours:
    def test_the_standing_order_shows_no_hour_that_is_cancelled_today(self, tmp_path: Path) -> None:
        today = date(2026, 11, 22)
        rows = [row(["Su"], "08:00"), row(["Su"], "11:00")]
        gone = row(["Su"], "11:00", exception="cancelled", valid_from=today, valid_to=today)
        published(tmp_path, [parish(1, [*rows, gone])])
        page = Visitor(site_over(tmp_path)).page("/parafia/laka-1-swietego-jana-1-p000001")
        order_of_it = page.split("Porządek stały")[1].split("</ul>")[0]

        assert "<strong>08:00</strong>" in order_of_it
        assert "<s>11:00</s>" in order_of_it
        assert "<strong>11:00</strong>" not in order_of_it
        assert "nie: 22.11" in order_of_it


class TestFeastOfATown:
    """Two weeks before Christmas: who has said the hours, and who has not."""

    @pytest.fixture
    def before_christmas(self, tmp_path: Path) -> Visitor:
        moment = datetime(2026, 12, 10, 8, tzinfo=UTC)
        night = date(2026, 12, 25)
        pasterka = row(["Fr"], "00:00", exception="added", valid_from=night, valid_to=night, quote="Pasterka o północy")
        facts = [
            parish(1, [row(["Su"], "08:00"), row(WEEK, "18:00"), pasterka], town="Młyny"),
            parish(2, [row(["Su"], "08:00"), row(WEEK, "18:00")], town="Młyny"),
            parish(3, (), town="Młyny", state="no_site"),
        ]
        facts[2] = replace(facts[2], rows=())
        published(tmp_path, facts, built_at=moment, horizon=replace(HORIZON, first=moment.date()))
        return Visitor(site_over(tmp_path, at=moment))

    def test_it_gives_the_hours_that_were_said_and_names_those_who_say_nothing(self, before_christmas: Visitor) -> None:
        page = before_christmas.page("/miejscowosc/malopolskie/mlyny/swieta")
        assumed = page.split("Tylko zwykły porządek")[1].split("</details>")[0]
        said, silent = page.split("Parafie, które jeszcze nic nie podały")

        assert "Święta: Młyny" in page
        assert "podało już 1 z 3 parafii" in page
        assert "Pasterka</h2>" in said
        assert ">00:00</time>" in said
        assert ">18:00</time>" not in said.split("Pasterka</h2>")[0]  # of Christmas Eve
        assert "18:00" in assumed
        assert "Kościół św. Jana 2" in silent
        assert "Kościół św. Jana 3" in silent

    def test_the_page_of_the_town_leads_there(self, before_christmas: Visitor, visitor: Visitor) -> None:
        assert "/miejscowosc/malopolskie/mlyny/swieta" in before_christmas.page("/miejscowosc/malopolskie/mlyny")
        assert "mlyny/swieta" not in visitor.page("/miejscowosc/pomorskie/mlyny")
        assert visitor.get("/miejscowosc/pomorskie/mlyny/swieta").status_code == 404

    def test_the_first_page_leads_there_by_the_name_of_a_town(self, before_christmas: Visitor) -> None:
        assert 'href="/swieta"' in before_christmas.page("/")
        assert before_christmas.get("/swieta?miejsce=Młyny").headers["location"] == "/miejscowosc/malopolskie/mlyny/swieta"
