"""iCalendar of a parish: single Masses, not rules, since feasts and seasons are none.

RFC 5545 and 7986. Hours are local with one VTIMEZONE of two yearly rules; nobody says when a Mass ends, so its end is assumed
and its description says so; an hour that is only assumed for its day is TENTATIVE and says why; LAST-MODIFIED is the date of the
data, never our clock; identifiers derive from parish, date, hour and place, so that a new reading replaces an event instead of
doubling it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.model.identifiers import content_id, one_line

ASSUMED_MINUTES: Final = 45  # how long a Mass takes, where an end must be given
ASSUMED_END: Final = f"Koniec przyjęty: {ASSUMED_MINUTES} minut po początku"
_OCTETS: Final = 75  # RFC 5545 3.1: longer lines are folded
_TIMEZONE: Final = (
    "BEGIN:VTIMEZONE",
    "TZID:Europe/Warsaw",
    "BEGIN:DAYLIGHT",
    "DTSTART:19960331T020000",
    "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    "TZOFFSETFROM:+0100",
    "TZOFFSETTO:+0200",
    "TZNAME:CEST",
    "END:DAYLIGHT",
    "BEGIN:STANDARD",
    "DTSTART:19961027T030000",
    "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
    "TZOFFSETFROM:+0200",
    "TZOFFSETTO:+0100",
    "TZNAME:CET",
    "END:STANDARD",
    "END:VTIMEZONE",
)


Remarks = Callable[[Flag], Sequence[str]]  # sentences of what must be said of a Mass


def calendar(parish: ParishRecord, masses: Iterable[Found], built_at: datetime, address: str, remarks: Remarks) -> str:
    """The calendar of a parish.

    Args:
        parish: whose.
        masses: Masses in order, the cancelled ones among them.
        built_at: moment of the data.
        address: of the site.
        remarks: sentences of what must be said of a Mass; they stand in its description.
    """
    page = address + parish.path
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//mass_pipeline//finding//PL",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(parish.label)}",
        f"X-WR-CALNAME:{_text(parish.label)}",
        "REFRESH-INTERVAL;VALUE=DURATION:P1D",
        f"SOURCE;VALUE=URI:{_uri(address)}/api/v1/parishes/{parish.parish_id}/calendar.ics",
        *_TIMEZONE,
    ]
    for found in masses:
        lines += _event(parish, found, built_at, page, remarks(found.flags))
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _fold(line))


def uid(parish_id: str, start: datetime, place: str) -> str:
    """Identifier of a Mass: the same as long as parish, date, hour and place are."""
    return f"{content_id(parish_id, start.isoformat(), place)}@mass-pipeline"


def _event(parish: ParishRecord, found: Found, built_at: datetime, page: str, remarks: Sequence[str]) -> Iterator[str]:
    row = found.mass.row
    place = row.mass.place
    checked = row.checked_at or row.fetched_at
    said = f"„{row.quote}” – {found.mass.host}" + (f", {checked:%Y-%m-%d}" if checked else "")
    said = ". ".join([*(one[:1].upper() + one[1:] for one in remarks), said, ASSUMED_END])
    yield "BEGIN:VEVENT"
    yield f"UID:{uid(parish.parish_id, found.start, place)}"
    yield f"DTSTAMP:{_utc(built_at)}"
    if row.fetched_at:
        yield f"LAST-MODIFIED:{_utc(row.fetched_at)}"
    yield f"DTSTART;TZID=Europe/Warsaw:{found.start:%Y%m%dT%H%M%S}"
    yield f"DURATION:PT{ASSUMED_MINUTES}M"
    yield f"SUMMARY:{_text('Msza święta' + (f' ({row.mass.note})' if row.mass.note else ''))}"
    where = (place, parish.name, "" if place else parish.street, parish.town)
    yield f"LOCATION:{_text(', '.join(filter(None, where)))}"
    yield f"DESCRIPTION:{_text(said)}"
    yield f"URL:{_uri(page)}/{found.start:%Y-%m-%d}"
    if parish.is_exact and parish.latitude is not None and not place:
        yield f"GEO:{parish.latitude:.6f};{parish.longitude:.6f}"
    yield f"STATUS:{found.status.upper()}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    r"""A text value: escaped, in one line, without control characters.

    >>> _text("a;b,c\r\nEND:VEVENT")
    'a\\;b\\,c END:VEVENT'
    """
    return one_line(text).replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _uri(text: str) -> str:
    return "".join(c for c in text if c.isprintable() and not c.isspace())


def _fold(line: str) -> Iterator[str]:
    """Lines of at most 75 octets; characters stay whole."""
    piece, size = "", 0
    for character in line:
        octets = len(character.encode())
        if size + octets > _OCTETS:
            yield piece
            piece, size = " ", 1
        piece += character
        size += octets
    yield piece
