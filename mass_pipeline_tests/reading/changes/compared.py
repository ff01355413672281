"""Written announcements with the changes they make, compared by the hours that single days gain and lose.

Labels and reading, by the whole path of the asset, are both applied to the standing order: `cancelled 18:00` with `added 17:00`
is the same as `only` with 17:00 in the place of 18:00, and a restated hour is no change. Places count where a label says what
stays of a day, hours alone are compared.

A file `.txt` holds announcements by class of error: `## class`, `@ day standing`, lines, `= kind days hours [?]`; a file `.toml`
whole sheets. Kinds: `only`, `added`, `cancelled` (`?`: a person may have to confirm it), `opt` (neither required nor wrong),
`lasting` (its first day has to be read).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from mass_pipeline.cli.announced import AnnouncementRecord, changes_of
from mass_pipeline.model.records import WEEKDAYS, Day, Mass
from mass_pipeline.schedules.announced import Announced, exceptions_of, settled
from mass_pipeline.schedules.church_year import weekday_of
from mass_pipeline.schedules.day import day_schedule, standing_rows
from mass_pipeline.schedules.rows import ScheduleRow

Atom = tuple[date, str, str]  # day, + or -, HH:MM; a lasting change has its first day and "lasting"
DATED: Final = ("only", "cancelled", "added", "opt")
_ORDER: Final = (*DATED, "lasting")  # in which they hold
_BEFORE: Final = timedelta(3)
_AFTER: Final = timedelta(60)
_LIST: Final = re.compile(r"(?P<days>\S+) (?P<hours>[\d:,]+)(?: place=(?P<place>[^=;]+?))?(?: nth=(?P<nth>\d))?$")


@dataclass(frozen=True)
class Label:
    """What a text says of days."""

    kind: str
    days: frozenset[date]
    hours: frozenset[str]
    sure: bool = True
    place: str = ""


@dataclass(frozen=True)
class Written:
    """One announcement or sheet, of a class of error, with the standing order of its parish."""

    name: str
    issued: date
    standing: tuple[ScheduleRow, ...]
    text: str = ""
    labels: tuple[Label, ...] = ()

    @property
    def dates(self) -> tuple[date, ...]:
        """Days around that of issue, and those labelled."""
        near = {self.issued - _BEFORE + timedelta(n) for n in range((_BEFORE + _AFTER).days + 1)}
        return tuple(sorted(near.union(*(label.days for label in self.labels))))

    def announced(self) -> list[Announced]:
        """The changes as their words alone tell them."""
        return changes_of(AnnouncementRecord("a", self.text, self.issued, self.standing, self.dates))

    def labelled(self, *, sure: bool = False) -> frozenset[Atom]:
        """Hours that days gain and lose by the labels, or the sure ones of them."""
        labels = [label for label in self.labels if label.sure or not sure]
        return self._atoms({day: _said(self.standing, labels, day) for day in self.dates})

    def made(self, announced: Iterable[Announced]) -> frozenset[Atom]:
        """Hours that days gain and lose by changes, as they are published."""
        rows = (*self.standing, *exceptions_of(announced, self.standing).rows)
        return self._atoms({day: {row.mass.time for row in day_schedule(rows, day).masses} for day in self.dates})

    def _atoms(self, hours: Mapping[date, set[str]]) -> frozenset[Atom]:
        """The difference from the usual hours; what is optional is not in it."""
        free = {(day, hour) for label in self.labels if label.kind == "opt" for day in label.days for hour in label.hours}
        found: set[Atom] = set()
        for day, said in hours.items():
            usual = {row.mass.time for row in standing_rows(self.standing, day)[1]}
            found |= {(day, "+", hour) for hour in said - usual} | {(day, "-", hour) for hour in usual - said}
        return frozenset(atom for atom in found if (atom[0], atom[2]) not in free)


def _said(standing: Sequence[ScheduleRow], labels: Sequence[Label], day: date) -> set[str]:
    said = {(row.mass.place, row.mass.time) for row in standing_rows(standing, day)[1]}
    for label in sorted((one for one in labels if day in one.days), key=lambda one: _ORDER.index(one.kind)):
        hours, here = {(label.place, hour) for hour in label.hours}, {pair for pair in said if pair[0] == label.place}
        if label.kind in ("only", "cancelled"):
            said -= here if label.kind == "only" else hours or here
        if label.kind in ("only", "added"):
            said |= hours
    return {hour for _, hour in said}


@dataclass(frozen=True)
class Compared:
    """Single hours of one announcement: labelled, published, read, and of these published wrong, waiting, and missed."""

    labelled: frozenset[Atom]
    published: frozenset[Atom]
    read: frozenset[Atom]
    waiting: frozenset[Atom]
    missed: frozenset[Atom]

    @property
    def wrong(self) -> frozenset[Atom]:
        """Published and not labelled."""
        return self.published - self.labelled

    @property
    def is_right(self) -> bool:
        """Whether nothing wrong is published, nothing sure waits and nothing is missed."""
        return not (self.wrong or self.waiting or self.missed)


def compare(one: Written) -> Compared:
    """The announcement read, against its labels."""
    every = settled(one.announced(), one.standing)
    dated = [change for change in every if change.change.valid_to is not None]
    published, read = (one.made(given) for given in ([change for change in dated if not change.change.doubts], dated))
    lasting = {day for label in one.labels if label.kind == "lasting" for day in label.days}
    lasting -= {change.change.valid_from for change in every if change.change.valid_to is None}
    wanted, sure = one.labelled(), one.labelled(sure=True)
    missed = (wanted - read) | {(day, "lasting", "") for day in lasting}
    return Compared(wanted, published, read, (sure & wanted & read) - published, missed)


def quality(rows: Sequence[Compared], *, published: bool) -> tuple[float, float]:
    """Precision and recall of single hours, of what is published or of all that was read; 1 of nothing."""
    pairs = [(one.published if published else one.read, one.labelled) for one in rows]
    right = sum(len(found & wanted) for found, wanted in pairs)
    found, wanted = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    return right / found if found else 1.0, right / wanted if wanted else 1.0


# --- files


def written(file: Path) -> list[Written]:
    """The announcements of a file."""
    text = file.read_text(encoding="utf-8")
    return list(map(_sheet, tomllib.loads(text)["record"])) if file.suffix == ".toml" else _by_class(text)


def _by_class(text: str) -> list[Written]:
    found: list[Written] = []
    name = ""
    for line in text.splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif line.startswith("@ "):
            issued, _, standing = line[2:].partition(" ")
            found.append(Written(name, date.fromisoformat(issued), standing_of(standing)))
        elif line.startswith("=") and line[1:].strip():
            found[-1] = replace(found[-1], labels=(*found[-1].labels, label(line[1:].split())))
        elif line and not line.startswith(("# ", "=")):
            found[-1] = replace(found[-1], text=f"{found[-1].text}\n{line}".lstrip("\n"))
    return found


def label(words: Sequence[str]) -> Label:
    """A label in words: kind, days ("first..last/Mo,We", "day,day"), hours, `?`."""
    kind, days, *rest = words
    hours = rest[0] if rest and rest[0] != "?" else ""
    span, _, only = days.partition("/")
    every = (_between(*part.partition("..")[::2], tuple(_days(only)) or WEEKDAYS) for part in span.split(","))
    return Label(kind, frozenset().union(*every), frozenset(filter(None, hours.split(","))), "?" not in rest)


def _sheet(record: Mapping[str, Any]) -> Written:
    labels = tuple(map(_label_of_sheet, record["changes"]))
    standing, text = standing_of(record["standing"]), record["text"].strip()
    return Written(record["id"], date.fromisoformat(record["published"]), standing, text, labels)


def _label_of_sheet(change: Mapping[str, Any]) -> Label:
    days = frozenset(map(date.fromisoformat, change.get("dates", ())))
    if "from" in change:
        days = _between(change["from"], change.get("to", ""), tuple(change.get("days", ())) or WEEKDAYS)
    kind = "only" if change["kind"] == "lasting" and "to" in change else str(change["kind"])  # a new order whose end is said
    if "from" in change and "to" not in change:
        kind = "lasting"
    return Label(kind, days, frozenset(change["times"]), place=change["place"])


def _between(first: str, last: str, wanted: Sequence[Day]) -> frozenset[date]:
    begins, ends = date.fromisoformat(first), date.fromisoformat(last or first)
    days = (begins + timedelta(n) for n in range((ends - begins).days + 1))
    return frozenset(day for day in days if weekday_of(day) in wanted)


def standing_of(text: str) -> tuple[ScheduleRow, ...]:
    """Rows of a standing order in short form: "Su 07:30,09:30; Mo-Sa 07:00; Su 11:00 place=Zalesie"."""
    return tuple(row for part in filter(None, map(str.strip, text.split(";"))) for row in _rows(part))


def _rows(part: str) -> Iterator[ScheduleRow]:
    match = _LIST.match(part)
    assert match, part
    nth = (int(match["nth"]),) if match["nth"] else None
    for hour in match["hours"].split(","):
        mass = Mass(tuple(_days(match["days"])), hour, nth=nth, place=match["place"] or "")
        yield ScheduleRow(mass, "http://a.example/msze", "Msze", "d", None)


def _days(text: str) -> Iterator[Day]:
    names = [str(day) for day in WEEKDAYS]
    for part in filter(None, re.split(r"[,+]", text)):
        first, _, last = part.partition("-")
        if part == "PH":
            yield "PH"
        else:
            yield from WEEKDAYS[names.index(first) : names.index(last or first) + 1]
