"""schema.org JSON-LD of a parish page: the church, its standing Masses as events with schedules, other Masses as single events.

Nothing stands here that the page does not show, and no hours that are not to be relied on. What a schedule of
schema.org cannot say (holy days, last weeks of a month, seasons that are no whole months) are single events of the next days.
Source: schema.org CatholicChurch, Event, Schedule (schemaorg issues 240, 1457).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import orjson

from mass_pipeline.finding.formats.ics import ASSUMED_END, ASSUMED_MINUTES, Remarks
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, MassRecord, ParishRecord
from mass_pipeline.model.dates_of_year import YEAR, DatesOfYear, dates_of_season, holds, is_of_months, months_in
from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.church_year import is_nth, weekday_of

_DAYS: Final = {
    "Mo": "Monday", "Tu": "Tuesday", "We": "Wednesday", "Th": "Thursday", "Fr": "Friday", "Sa": "Saturday", "Su": "Sunday",
}  # fmt: skip
_ZONE: Final = ZoneInfo("Europe/Warsaw")
_STATUSES: Final = {"confirmed": "EventScheduled", "cancelled": "EventCancelled"}  # it has no word for an assumption
_TITLE: Final = "Msza święta"
_LASTS: Final = timedelta(minutes=ASSUMED_MINUTES)
Json = dict[str, object]


def parish_jsonld(
    parish: ParishRecord, rules: Iterable[MassRecord], days: Sequence[DayOfParish], address: str, remarks: Remarks
) -> str:
    """JSON-LD of a parish, safe inside a script element.

    Over the days given, schedules without their `exceptDate` and single events together say what the days say. A Mass that is
    only assumed for its day is a single event without a status, whose description says why.

    Args:
        parish: whose.
        rules: its published rows.
        days: days in order, for what the standing Masses do not say of them.
        address: of the site.
        remarks: sentences of what must be said of a Mass.
    """
    church = _church(parish, address)
    events: list[Json] = []
    if not parish.is_doubted:
        scheduled = [rule for rule in rules if rule.row.exception is None and _has_schedule(rule)]
        events = [_event(rule, church, _left_out(rule, days)) for rule in scheduled]
        events += _dated(days, frozenset(rule.pk for rule in scheduled), church, remarks)
    graph = {"@context": "https://schema.org", "@graph": [church, *events]}
    return orjson.dumps(graph).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _church(parish: ParishRecord, address: str) -> Json:
    page = address + parish.path
    place = {"streetAddress": parish.street, "addressLocality": parish.town, "postalCode": parish.postcode}
    known = {name: text for name, text in place.items() if text}
    church: Json = {
        "@type": "CatholicChurch",
        "@id": f"{page}#church",
        "name": parish.name,
        "url": page,
        "address": {"@type": "PostalAddress", **known, "addressCountry": "PL"},
    }
    if parish.latitude is not None and parish.is_exact:
        church["geo"] = {"@type": "GeoCoordinates", "latitude": parish.latitude, "longitude": parish.longitude}
    if parish.site.startswith(("http://", "https://")):
        church["sameAs"] = parish.site
    return church


def _has_schedule(rule: MassRecord) -> bool:
    mass = rule.row.mass
    is_counted = all(week > 0 for week in mass.nth or ())  # byMonthWeek knows no last week
    return is_counted and any(day in _DAYS for day in mass.days) and _dates_of_months(mass) is not None


def _dates_of_months(mass: Mass) -> DatesOfYear | None:
    """Its season as far as byMonth says it: whole months."""
    dates = dates_of_season(mass.when)
    return dates if dates is not None and is_of_months(dates) else None


def _event(rule: MassRecord, church: Json, left_out: Sequence[date]) -> Json:
    mass = rule.row.mass
    schedule: Json = {
        "@type": "Schedule",
        "byDay": [f"https://schema.org/{_DAYS[day]}" for day in mass.days if day in _DAYS],
        "startTime": f"{mass.time}:00",
        "endTime": f"{datetime.combine(date(2000, 1, 1), time.fromisoformat(mass.time)) + _LASTS:%H:%M:%S}",
        "repeatFrequency": "P1M" if mass.nth else "P1W",
        "scheduleTimezone": "Europe/Warsaw",
    }
    if mass.nth:
        schedule["byMonthWeek"] = list(mass.nth)
    dates = _dates_of_months(mass)
    if dates is not None and dates != YEAR:
        schedule["byMonth"] = sorted(months_in(dates))
    if rule.row.valid_from:
        schedule["startDate"] = rule.row.valid_from.isoformat()
    if rule.row.valid_to:
        schedule["endDate"] = rule.row.valid_to.isoformat()
    if left_out:
        schedule["exceptDate"] = [day.isoformat() for day in left_out]
    place = {"@id": church["@id"]}
    event: Json = {"@type": "Event", "name": _TITLE, "description": ASSUMED_END, "location": place, "eventSchedule": schedule}
    if rule.language and rule.language != "sign":
        event["inLanguage"] = rule.language
    return event


def _is_scheduled(rule: MassRecord, day: date) -> bool:
    """Whether the schedule of a rule, in schema.org's words, has the day."""
    mass = rule.row.mass
    dates = _dates_of_months(mass)
    return (
        rule.row.holds_on(day)
        and weekday_of(day) in mass.days
        and dates is not None
        and holds(dates, (day.month, day.day))
        and is_nth(day, mass.nth)
    )


def _left_out(rule: MassRecord, days: Sequence[DayOfParish]) -> list[date]:
    """Days that the schedule of a rule has and that do not have its Mass, or only perhaps: feasts, announcements, seasons."""
    without = (day for day in days if all(found.mass.pk != rule.pk or found.is_assumed for found in day.masses))
    return [day.schedule.day for day in without if _is_scheduled(rule, day.schedule.day)]


def _dated(days: Sequence[DayOfParish], scheduled: frozenset[int], church: Json, remarks: Remarks) -> Iterator[Json]:
    """Masses that no schedule says, those that are only assumed, and those announced not to take place."""
    for day in days:
        for found in day.masses:
            if found.is_assumed or found.mass.pk not in scheduled or not _is_scheduled(found.mass, day.schedule.day):
                yield _single(found, church, remarks(found.flags))
        yield from (_single(found, church, ()) for found in day.cancelled)


def _single(found: Found, church: Json, remarks: Sequence[str]) -> Json:
    event: Json = {
        "@type": "Event",
        "name": _TITLE,
        "startDate": found.start.replace(tzinfo=_ZONE).isoformat(),
        "endDate": (found.start + _LASTS).replace(tzinfo=_ZONE).isoformat(),
        "description": "; ".join([*remarks, ASSUMED_END]),
        "location": {"@id": church["@id"]},
    }
    status = _STATUSES.get(found.status)
    return event if status is None else {**event, "eventStatus": f"https://schema.org/{status}"}
