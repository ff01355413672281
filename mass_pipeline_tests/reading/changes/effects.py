"""Announcements of others with the standing order of their parish, compared by what they make of the Masses of each day.

Their labels (`cancelled`, `added`, `only`, `lasting`; dates or a range with weekdays; hours; place) and the reading are both
applied to the standing order; what counts are the hours that a day gains or loses. `cancelled 18:00` with `added 17:00` is
the same as `only` with 17:00 in the place of 18:00; a restated hour is no change. Places are not compared. Of a period
longer than a week its first, middle and last day stand for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.model.records import WEEKDAYS, Day, Mass
from mass_pipeline.reading.changes import ScheduleChange, read_changes
from mass_pipeline.reading.changes.sheets import announcement_items
from mass_pipeline.schedules.announced import Announced, exceptions_of, settled
from mass_pipeline.schedules.church_year import weekday_of
from mass_pipeline.schedules.day import day_schedule, standing_rows
from mass_pipeline.schedules.rows import ScheduleRow

_WEEK: Final = 7  # days
_LIST: Final = re.compile(r"(?P<days>\S+) (?P<hours>[\d:,]+)(?: place=(?P<place>[^=;]+?))?(?: nth=(?P<nth>\d))?$")
Atom = tuple[date, str, str]  # day, + or -, HH:MM


@dataclass(frozen=True)
class Label:
    """A labelled change; `last` is None when it has no end."""

    kind: str
    days: tuple[date, ...]
    first: date
    lasting: bool
    times: tuple[str, ...]
    place: str


@dataclass(frozen=True)
class Record:
    """One sheet of announcements."""

    text: str
    issued: date
    standing: tuple[ScheduleRow, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True)
class Compared:
    """Single gained and lost hours of one record.

    Attributes:
        labelled: by the labels.
        published: by changes without doubts.
        read: by all dated changes.
    """

    labelled: frozenset[Atom]
    published: frozenset[Atom]
    read: frozenset[Atom]


def records(file: Path) -> list[Record]:
    """Those of a file."""
    return [
        Record(
            one["text"].strip(),
            date.fromisoformat(one["published"]),
            tuple(standing_of(one["standing"])),
            tuple(_label(change) for change in one["changes"]),
        )
        for one in tomllib.loads(file.read_text(encoding="utf-8"))["record"]
    ]


def standing_of(text: str) -> Iterator[ScheduleRow]:
    """Rows of a standing order in short form: "Su 07:30,09:30; Mo-Sa 07:00"."""
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        match = _LIST.match(part)
        assert match, part
        nth = [int(match["nth"])] if match["nth"] else None
        for hour in match["hours"].split(","):
            yield _row(Mass(tuple(_days(match["days"])), hour, nth=tuple(nth) if nth else None, place=match["place"] or ""))


def _days(text: str) -> Iterator[Day]:
    for part in re.split(r"[,+]", text):
        if part == "PH":
            yield "PH"
            continue
        first, _, last = part.partition("-")
        names = [str(day) for day in WEEKDAYS]
        yield from WEEKDAYS[names.index(first) : names.index(last or first) + 1]


def _row(mass: Mass) -> ScheduleRow:
    return ScheduleRow(mass, "http://a.example/msze", "Msze", "d", None)


def _label(change: Mapping[str, object]) -> Label:
    dates = [date.fromisoformat(day) for day in _texts(change.get("dates"))]
    times, place = _texts(change["times"]), str(change["place"])
    if dates:
        return Label(str(change["kind"]), tuple(dates), min(dates), False, times, place)
    first = date.fromisoformat(str(change["from"]))
    last = date.fromisoformat(str(change["to"])) if "to" in change else None
    wanted = _texts(change.get("days")) or WEEKDAYS
    days = tuple(day for day in _each(first, last or first) if weekday_of(day) in wanted)
    kind = "only" if change["kind"] == "lasting" and last else str(change["kind"])  # a new order whose end is said
    return Label(kind, days, first, last is None, times, place)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()


def _each(first: date, last: date) -> list[date]:
    return [first + timedelta(step) for step in range((last - first).days + 1)]


def changes_of(record: Record) -> list[ScheduleChange]:
    """As the pipeline reads a sheet: each of its announcements alone, then settled by the standing order."""
    texts = announcement_items(record.text) or [record.text]
    read = [_announced(change, record.issued) for text in texts for change in read_changes(text, record.issued)]
    return [one.change for one in settled(read, record.standing)]


def _announced(change: ScheduleChange, issued: date) -> Announced:
    return Announced(change, issued, "http://a.example/news", "n", None)


def compare(record: Record) -> Compared:
    """The record read, against its labels."""
    changes = changes_of(record)
    dated = [label for label in record.labels if not label.lasting]
    read = [change for change in changes if change.valid_to is not None]
    days = _probes([label.days for label in dated], read)
    certain = [change for change in read if not change.doubts]
    return Compared(labelled(record, dated, days), made(record, certain, days), made(record, read, days))


def probes(record: Record, changes: Sequence[ScheduleChange]) -> frozenset[date]:
    """Days at which labels and changes are compared."""
    return _probes([label.days for label in record.labels if not label.lasting], [one for one in changes if one.valid_to])


def _probes(labels: Iterable[Sequence[date]], read: Iterable[ScheduleChange]) -> frozenset[date]:
    found: set[date] = set()
    for days in (*labels, *(_each(one.valid_from, one.valid_to or one.valid_from) for one in read)):
        found.update(days if len(days) <= _WEEK else (days[0], days[len(days) // 2], days[-1]))
    return frozenset(found)


def labelled(record: Record, labels: Sequence[Label], days: Iterable[date]) -> frozenset[Atom]:
    """Hours that days gain and lose by labels."""
    found: set[Atom] = set()
    for day in days:
        usual = [(row.mass.place, row.mass.time) for row in standing_rows(record.standing, day)[1]]
        said = set(usual)
        for kind in ("only", "cancelled", "added"):
            for label in (one for one in labels if one.kind == kind and day in one.days):
                hours = {(label.place, time) for time in label.times}
                if kind == "added":
                    said |= hours
                elif kind == "cancelled":
                    said -= hours or {one for one in said if one[0] == label.place}
                else:
                    said = {one for one in said if one[0] != label.place} | hours
        found |= _atoms(day, {time for _, time in usual}, {time for _, time in said})
    return frozenset(found)


def made(record: Record, changes: Sequence[ScheduleChange], days: Iterable[date]) -> frozenset[Atom]:
    """Hours that days gain and lose by changes, as they are published."""
    announced = [_announced(change, record.issued) for change in changes]
    rows = (*record.standing, *exceptions_of(announced, record.standing).rows)
    found: set[Atom] = set()
    for day in days:
        usual = {row.mass.time for row in standing_rows(record.standing, day)[1]}
        found |= _atoms(day, usual, {row.mass.time for row in day_schedule(rows, day).masses})
    return frozenset(found)


def _atoms(day: date, usual: set[str], said: set[str]) -> set[Atom]:
    return {(day, "+", time) for time in said - usual} | {(day, "-", time) for time in usual - said}


def share(part: int, whole: int) -> float:
    """1 of nothing."""
    return part / whole if whole else 1.0


def quality(rows: Sequence[Compared], *, published: bool) -> tuple[float, float]:
    """Precision and recall of single hours, of what is published or of all that was read."""
    pairs = [(one.published if published else one.read, one.labelled) for one in rows]
    right = sum(len(found & wanted) for found, wanted in pairs)
    return share(right, sum(len(found) for found, _ in pairs)), share(right, sum(len(wanted) for _, wanted in pairs))
