"""Written announcements by class of error, compared by the hours that single days gain and lose; the whole path of the asset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.cli.announced import AnnouncementRecord, read_announcement, standing_order
from mass_pipeline.model.records import WEEKDAYS
from mass_pipeline.schedules.announced import Announced, exceptions_of
from mass_pipeline.schedules.church_year import weekday_of
from mass_pipeline.schedules.day import day_schedule, standing_rows
from mass_pipeline.schedules.rows import ScheduleRow

Atom = tuple[date, str, str]  # day, + or -, HH:MM; a lasting change has its first day and "lasting"
DATED: Final = ("only", "added", "cancelled", "opt")
_BEFORE: Final = timedelta(3)
_AFTER: Final = timedelta(60)


@dataclass(frozen=True)
class Label:
    """What a text says of days: `only`, `added` or `cancelled`; `sure` unless a person may have to confirm it.

    `opt` hours are neither required nor wrong; of what is `lasting` its first day has to be read.
    """

    kind: str
    days: frozenset[date]
    hours: frozenset[str]
    sure: bool


@dataclass
class Written:
    """One announcement of a class."""

    name: str
    issued: date
    standing: str
    lines: list[str] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    @property
    def text(self) -> str:
        """As a page would have it."""
        return "\n".join(self.lines)

    @property
    def dates(self) -> tuple[date, ...]:
        """Days around that of issue, and those labelled."""
        near = {self.issued - _BEFORE + timedelta(n) for n in range((_BEFORE + _AFTER).days + 1)}
        return tuple(sorted(near.union(*(label.days for label in self.labels))))


def written(file: Path) -> list[Written]:
    """The announcements of a file."""
    found: list[Written] = []
    name = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif line.startswith("@ "):
            issued, _, standing = line[2:].partition(" ")
            found.append(Written(name, date.fromisoformat(issued), standing))
        elif line.startswith("="):
            found[-1].labels += [label(line[1:].split())] if line[1:].strip() else []
        elif line and not line.startswith("# "):
            found[-1].lines.append(line)
    return found


def label(words: Sequence[str]) -> Label:
    """A label in words: kind, days, hours, `?`."""
    kind, days, *rest = words
    hours = rest[0] if rest and rest[0] != "?" else ""
    return Label(kind, frozenset(_days(days)), frozenset(filter(None, hours.split(","))), "?" not in rest)


def _days(text: str) -> Iterator[date]:
    span, _, only = text.partition("/")  # "first..last/Mo,We" or "day,day"
    for part in span.split(","):
        first, _, last = part.partition("..")
        begins, ends = date.fromisoformat(first), date.fromisoformat(last or first)
        days = (begins + timedelta(n) for n in range((ends - begins).days + 1))
        yield from (day for day in days if not only or weekday_of(day) in _weekdays(only))


def _weekdays(text: str) -> tuple[str, ...]:
    names = [str(day) for day in WEEKDAYS]
    ranges = (part.partition("-") for part in text.split(","))
    return tuple(name for first, _, last in ranges for name in names[names.index(first) : names.index(last or first) + 1])


@dataclass(frozen=True)
class Compared:
    """Hours gained and lost: wrongly published, missed by publication, missed altogether."""

    wrong: frozenset[Atom]
    waiting: frozenset[Atom]
    missed: frozenset[Atom]
    published: int
    labelled: int

    @property
    def is_right(self) -> bool:
        """Whether nothing wrong is published, nothing sure waits and nothing is missed."""
        return not (self.wrong or self.waiting or self.missed)


def compare(one: Written) -> Compared:
    """The announcement read, against its labels."""
    record = AnnouncementRecord("a", one.text, one.issued, tuple(standing_order(one.standing)), one.dates)
    answer = read_announcement(record)
    wanted, sure, published, read = set[Atom](), set[Atom](), set[Atom](), set[Atom]()
    for day, told in answer.days.items():
        usual = frozenset(told.usual)
        wanted |= _atoms(day, usual, _said(usual, one.labels, day))
        sure |= _atoms(day, usual, _said(usual, [label for label in one.labels if label.sure], day))
        published |= _atoms(day, usual, frozenset(told.published))
        read |= _atoms(day, usual, frozenset(told.read))
    lasting = {day for label in one.labels if label.kind == "lasting" for day in label.days}
    free = {(day, hour) for label in one.labels if label.kind == "opt" for day in label.days for hour in label.hours}
    wanted, sure, published, read = (
        {atom for atom in atoms if (atom[0], atom[2]) not in free} for atoms in (wanted, sure, published, read)
    )
    return Compared(
        frozenset(published - wanted),
        frozenset((sure & wanted & read) - published),
        frozenset(wanted - read) | {(day, "lasting", "") for day in lasting.difference(answer.lasting)},
        len(published),
        len(wanted) + len(lasting),
    )


def atoms_of(one: Written, announced: Announced, standing: Sequence[ScheduleRow]) -> tuple[frozenset[Atom], frozenset[Atom]]:
    """Hours that days gain and lose by one change alone, and by the labels; what is optional is in neither."""
    rows = (*standing, *exceptions_of([announced], standing).rows)
    free = {(day, hour) for label in one.labels if label.kind == "opt" for day in label.days for hour in label.hours}
    made, wanted = set[Atom](), set[Atom]()
    for day in one.dates:
        usual = frozenset(row.mass.time for row in standing_rows(standing, day)[1])
        made |= _atoms(day, usual, frozenset(row.mass.time for row in day_schedule(rows, day).masses))
        wanted |= _atoms(day, usual, _said(usual, one.labels, day))
    return (
        frozenset(atom for atom in made if (atom[0], atom[2]) not in free),
        frozenset(atom for atom in wanted if (atom[0], atom[2]) not in free),
    )


def atoms_together(one: Written, announced: Sequence[Announced], standing: Sequence[ScheduleRow]) -> frozenset[Atom]:
    """Hours that days gain and lose by all changes of an announcement."""
    rows = (*standing, *exceptions_of(announced, standing).rows)
    found: set[Atom] = set()
    for day in one.dates:
        usual = frozenset(row.mass.time for row in standing_rows(standing, day)[1])
        found |= _atoms(day, usual, frozenset(row.mass.time for row in day_schedule(rows, day).masses))
    return frozenset(found)


def _said(usual: frozenset[str], labels: Sequence[Label], day: date) -> frozenset[str]:
    said = usual
    for kind in ("only", "cancelled", "added"):
        for label in labels:
            if label.kind == kind and day in label.days:
                said = said | label.hours if kind == "added" else said - (label.hours or said) if kind != "only" else label.hours
    return said


def _atoms(day: date, usual: frozenset[str], said: frozenset[str]) -> set[Atom]:
    return {(day, "+", hour) for hour in said - usual} | {(day, "-", hour) for hour in usual - said}
