"""What people outside say of an order: a right hour, or a whole order in their own words, and the rows that it makes.

A correction is a plain value, checked where it enters; who approves what is not decided here (publishing.inbox). Rows given by
people name the page they correct, so that whatever is erased of it takes them too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import DAYS, WEEKDAYS, Day, Mass
from mass_pipeline.schedules.church_year import weekday_of
from mass_pipeline.schedules.rows import ScheduleRow

FARTHEST: Final = timedelta(366)  # of the date of a correction
MOST_HOURS: Final = 20  # of one date
_TIME: Final = re.compile(r"([01]?\d|2[0-4])(?:[.:]([0-5]\d))?")
_PAUSE: Final = re.compile(r"[\s,;]+")
_MIDNIGHT: Final = 24
_AS_WRITTEN: Final[tuple[Day, ...]] = ("Su", "PH", *WEEKDAYS[:6], "AF")


class BadField(BadInput):
    """A field of a form cannot be read; `field` is its name."""

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(f"{field}: not accepted; see the form for what is.")


@dataclass(frozen=True, slots=True)
class Correction:
    """One hour that is not right.

    Attributes:
        mass_id: the row it means, "" when a Mass is missing.
        time: the right hour `HH:MM`, "" when there is no such Mass.
        days: days of the week it holds for; () those of the row.
        day: the only date it holds for, None for the standing order.
    """

    mass_id: str
    time: str
    days: tuple[Day, ...]
    day: date | None


@dataclass(frozen=True, slots=True)
class Given:
    """Where rows of people come from.

    Attributes:
        source_url, page_sha256: the page that they correct, with the digest of its body; of a parish without an order, its site
            and a digest of what was said.
        quote: what is said of their origin, never words of their sender.
        at: when they were sent, aware UTC.
    """

    source_url: str
    page_sha256: str
    quote: str
    at: datetime

    def row(self, mass: Mass, day: date | None = None, only: bool = False) -> ScheduleRow:
        """A row of the standing order, or of one date: in addition, or instead of all others of that date."""
        exception = None if day is None else ("only" if only else "added")
        return ScheduleRow(
            mass, self.source_url, self.quote, self.page_sha256, None, method="person", exception=exception,  # type: ignore[arg-type]  # a closed list
            valid_from=day, valid_to=day, checked_at=self.at,
        )  # fmt: skip


def read_correction(kind: str, mass_id: str, time: str, days: str, day: str, today: date) -> Correction | None:
    """The correction that a report of a kind holds, None when it names no hour.

    Args:
        kind: `wrong_hour` (needs the row and the time), `no_longer` (the row), `missing` (time, and days or date).
        time: "" or an hour as people write it. days: tokens of `DAYS` with pauses. day: "" or an ISO date.

    Raises:
        BadField: a field is malformed.

    >>> read_correction("missing", "", "7.30", "Su PH", "", date(2026, 11, 26))
    Correction(mass_id='', time='07:30', days=('Su', 'PH'), day=None)
    """
    said = _PAUSE.split(days.strip()) if days.strip() else []
    if any(one not in DAYS for one in said):
        raise BadField("days")
    named: tuple[Day, ...] = tuple(one for one in DAYS if one in said)
    hour = read_hour(time) if time.strip() else ""
    if hour is None or hour == "24:00":
        raise BadField("time")
    on = _date(day, today) if day.strip() else None
    if kind == "missing" and hour and (named or on):
        return Correction("", hour, named, on)
    if kind == "wrong_hour" and mass_id and hour:
        return Correction(mass_id, hour, named, on)
    return Correction(mass_id, "", named, on) if kind == "no_longer" and mass_id else None


def _date(text: str, today: date) -> date:
    try:
        found = date.fromisoformat(text.strip())
    except ValueError as error:
        raise BadField("day") from error
    if not today <= found <= today + FARTHEST:
        raise BadField("day")
    return found


def read_hour(text: str) -> str | None:
    """An hour as `HH:MM`, None for what is none; 24:00 is kept, for whoever asks says what it is.

    >>> read_hour("7.30"), read_hour("18"), read_hour("25:00"), read_hour("8.3")
    ('07:30', '18:00', None, None)
    """
    found = _TIME.fullmatch(text.strip())
    if found is None or (int(found[1]) == _MIDNIGHT and found[2] not in (None, "00")):
        return None
    return f"{int(found[1]):02d}:{found[2] or '00'}"


def read_hours(text: str) -> tuple[str, ...]:
    """The hours of one date, in order and each once; () for no words.

    Raises:
        BadField: a word is no hour, or there are too many.

    >>> read_hours("22, 24.00; 8:00"), read_hours(" ")
    (('08:00', '22:00', '24:00'), ())
    """
    words = [word for word in _PAUSE.split(text.strip()) if word]
    found = [read_hour(word) for word in words]
    if len(words) > MOST_HOURS or None in found:
        raise BadField("hours")
    return tuple(sorted({hour for hour in found if hour is not None}))


def corrected(correction: Correction, rows: Sequence[tuple[str, ScheduleRow]], given: Given) -> tuple[ScheduleRow, ...]:
    """The whole standing order as it is with the correction, or the rows of its date alone.

    Args:
        rows: identifiers and rows published of the parish now.
        given: where the new rows come from.

    Returns:
        () when the row it means is published no more, or when nothing would be left.
    """
    standing = [(key, row) for key, row in rows if row.exception is None]
    meant = next((row for key, row in standing if key == correction.mass_id), None)
    if correction.mass_id and meant is None:
        return ()
    if correction.day is not None:
        return tuple(_on_date(correction, meant, correction.day, given))
    order = [row for _, row in standing if row is not meant]
    days = correction.days or (meant.mass.days if meant else ())
    if meant is not None and (others := tuple(day for day in meant.mass.days if day not in days)):
        order.append(replace(meant, mass=replace(meant.mass, days=others)))
    if correction.time:
        mass = replace(meant.mass, days=days, time=correction.time) if meant else Mass(days, correction.time)
        order.append(given.row(mass))
    return in_order(order)


def _on_date(correction: Correction, meant: ScheduleRow | None, day: date, given: Given) -> Iterable[ScheduleRow]:
    days = (weekday_of(day),)
    if meant is not None:
        yield replace(given.row(replace(meant.mass, days=days), day), exception="cancelled")
    if correction.time:
        yield given.row(Mass(days, correction.time, place=meant.mass.place if meant else ""), day)


def dated(hours: Mapping[date, Sequence[str]], given: Given) -> tuple[ScheduleRow, ...]:
    """Rows that are all the Masses of their dates; 24:00 of a day is 00:00 of the next, besides whatever that has."""
    found = []
    for day, times in sorted(hours.items()):
        for time in times:
            at, on = ("00:00", day + timedelta(1)) if time == "24:00" else (time, day)
            found.append(given.row(Mass((weekday_of(on),), at), on, only=on == day or on in hours))
    return tuple(found)


def read_order(text: str) -> tuple[Mass, ...]:
    """A standing order that somebody wrote, as the grammar reads it; lines end at semicolons too. () when it holds no Mass."""
    from mass_pipeline.reading.regular.reading import read_text  # seconds of imports that only this needs

    return tuple(dict.fromkeys(one.mass for one in read_text(text.replace(";", "\n")).masses))


def in_order(rows: Iterable[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """Rows by their first day and hour."""
    return tuple(sorted(rows, key=lambda row: (DAYS.index(row.mass.days[0]), row.mass.time, row.mass.place, row.mass.when)))


def written_order(rows: Iterable[ScheduleRow], names: Mapping[str, str], season: Callable[[str], str]) -> str:
    """A standing order in words that `read_order` reads back: a line for the days that have the same Masses.

    Args:
        names: day -> its name, and `weekdays`. season: words of a season, "" for the whole year.
    """
    hours: dict[Day, str] = {}
    for row in in_order(row for row in rows if row.exception is None):
        mass = row.mass
        said = ", ".join(word for word in (season(mass.when), mass.place, mass.note) if word)
        for day in mass.days:
            hours[day] = ", ".join(filter(None, (hours.get(day, ""), mass.time + (f" ({said})" if said else ""))))
    lines: dict[str, list[Day]] = {}
    for day in _AS_WRITTEN:
        if day in hours:
            lines.setdefault(hours[day], []).append(day)
    weekdays = list(WEEKDAYS[:6])
    return "\n".join(
        f"{names['weekdays'] if days == weekdays else ', '.join(names[day] for day in days)}: {said}"
        for said, days in lines.items()
    )
