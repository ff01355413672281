"""`service_times` against the calendar of the project, day by day: a second implementation (opening-hours-py) as the judge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta

from opening_hours import OpeningHours

from mass_pipeline.model.dates_of_year import dates_of_season
from mass_pipeline.model.records import Mass
from mass_pipeline.reading.formats.osm import describe_service_times
from mass_pipeline.reading.words.remarks import left_out_seasons
from mass_pipeline.schedules.church_year import is_in_season
from mass_pipeline.schedules.day import DaySchedule, day_schedule
from mass_pipeline.schedules.rows import ScheduleRow

_POINT = re.compile(r"\b(\d\d):(\d\d)(?!\d)")


def spans(points: str) -> str:
    """The value with each point of time as a span of a minute: strict evaluators know no points."""

    def span(match: re.Match[str]) -> str:
        minutes = int(match[1]) * 60 + int(match[2]) + 1
        return f"{match[0]}-{minutes // 60:02}:{minutes % 60:02}"

    selector, *quoted = re.split(r'("[^"]*")', points)
    return _POINT.sub(span, selector) + "".join(part if part.startswith('"') else _POINT.sub(span, part) for part in quoted)


def hours_of(points: str, first: date, days: int) -> dict[date, set[str]]:
    """Day -> hours that opening-hours-py reads from a value of points."""
    found: dict[date, set[str]] = {first + timedelta(n): set() for n in range(days)}
    if not points:
        return found
    start, end = datetime.combine(first, time()), datetime.combine(first + timedelta(days), time())
    for begin, _end, state, _comment in OpeningHours(spans(points)).intervals(start, end):
        if str(state) == "open" and begin.date() in found:
            found[begin.date()].add(f"{begin:%H:%M}")
    return found


def compared(masses: Sequence[Mass], first: date, days: int) -> Counter[str]:
    """Days by how both calendars agree: `same`, or the class of what differs; "" for no known class."""
    told = describe_service_times(masses)
    rows = [ScheduleRow(mass, "http://a.example/", "Msze", "d", None) for mass in masses]
    counts: Counter[str] = Counter()
    for day, hours in hours_of(told.points, first, days).items():
        schedule = day_schedule(rows, day)
        ours = {row.mass.time for row in schedule.masses}
        counts["same" if ours == hours else next(_reasons(masses, schedule, told.note), "")] += 1
    return counts


def _reasons(masses: Sequence[Mass], schedule: DaySchedule, note: str) -> Iterator[str]:
    """What opening_hours has no word for, of those that matter on the day."""
    day = schedule.day
    if schedule.basis in ("triduum", "assumed_sunday", "abolished_feast"):
        yield schedule.basis
    if "skrócono" in note:
        yield "shortened"
    for mass in masses:
        if mass.when in ("advent", "custom") and is_in_season(day, mass.when) is not False:
            yield mass.when
        if any(is_in_season(day, season) for season in left_out_seasons(mass.note) if dates_of_season(season) is None):
            yield "remark"
    if schedule.basis == "holy_day" and any(mass.nth or mass.place or dates_of_season(mass.when) is None for mass in masses):
        yield "additional rule on a holy day"
