"""schema.org JSON-LD of a parish page: the church, its standing Masses as events with schedules, dated exceptions as events.

Nothing stands here that the page does not show, and no hours that are not to be relied on. Masses whose season is no run of
months have no schedule in schema.org's words and are left to the page.
Source: schema.org CatholicChurch, Event, Schedule (schemaorg issues 240, 1457).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import orjson

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, MassRecord, ParishRecord
from mass_pipeline.finding.seasons import months_of

_DAYS: Final = {
    "Mo": "Monday", "Tu": "Tuesday", "We": "Wednesday", "Th": "Thursday", "Fr": "Friday", "Sa": "Saturday", "Su": "Sunday",
}  # fmt: skip
_TITLE: Final = "Msza święta"
Json = dict[str, object]


def parish_jsonld(parish: ParishRecord, rules: Iterable[MassRecord], days: Sequence[DayOfParish], address: str) -> str:
    """JSON-LD of a parish, safe inside a script element.

    Args:
        parish: whose.
        rules: its published rows.
        days: the days its page shows, for dated exceptions.
        address: of the site.
    """
    church = _church(parish, address)
    events = [] if parish.is_doubted else [*_standing(rules, church), *_dated(days, church)]
    graph = {"@context": "https://schema.org", "@graph": [church, *events]}
    return orjson.dumps(graph).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _standing(rules: Iterable[MassRecord], church: Json) -> Iterator[Json]:
    return (_event(rule, church) for rule in rules if rule.row.exception is None and _has_schedule(rule))


def _church(parish: ParishRecord, address: str) -> Json:
    page = address + parish.path
    church: Json = {
        "@type": "CatholicChurch",
        "@id": f"{page}#church",
        "name": parish.name,
        "url": page,
        "address": {"@type": "PostalAddress", "addressLocality": parish.town, "addressCountry": "PL"},
    }
    if parish.latitude is not None and parish.is_exact:
        church["geo"] = {"@type": "GeoCoordinates", "latitude": parish.latitude, "longitude": parish.longitude}
    if parish.site.startswith(("http://", "https://")):
        church["sameAs"] = parish.site
    return church


def _has_schedule(rule: MassRecord) -> bool:
    mass = rule.row.mass
    return any(day in _DAYS for day in mass.days) and (mass.season == "all" or months_of(mass.season) is not None)


def _event(rule: MassRecord, church: Json) -> Json:
    mass = rule.row.mass
    schedule: Json = {
        "@type": "Schedule",
        "byDay": [f"https://schema.org/{_DAYS[day]}" for day in mass.days if day in _DAYS],
        "startTime": f"{mass.time}:00",
        "repeatFrequency": "P1M" if mass.nth else "P1W",
        "scheduleTimezone": "Europe/Warsaw",
    }
    if mass.nth:
        schedule["byMonthWeek"] = list(mass.nth)
    months = months_of(mass.season)
    if months is not None and mass.season != "all":
        schedule["byMonth"] = sorted(months)
    if rule.row.valid_from:
        schedule["startDate"] = rule.row.valid_from.isoformat()
    if rule.row.valid_to:
        schedule["endDate"] = rule.row.valid_to.isoformat()
    event: Json = {"@type": "Event", "name": _TITLE, "location": {"@id": church["@id"]}, "eventSchedule": schedule}
    if rule.language and rule.language != "sign":
        event["inLanguage"] = rule.language
    return event


def _dated(days: Sequence[DayOfParish], church: Json) -> Iterator[Json]:
    for day in days:
        for found in (*day.masses, *day.cancelled):
            if found.flags & (Flag.ANNOUNCED | Flag.CANCELLED):
                yield _single(found, church)


def _single(found: Found, church: Json) -> Json:
    status = "EventCancelled" if found.is_cancelled else "EventScheduled"
    return {
        "@type": "Event",
        "name": _TITLE,
        "startDate": found.start.isoformat(),
        "eventStatus": f"https://schema.org/{status}",
        "location": {"@id": church["@id"]},
    }
