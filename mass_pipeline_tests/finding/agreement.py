"""An index against the second calendar: every row of every parish, on every day laid out."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path
from typing import Final

from mass_pipeline.finding.expansion import MINUTES_A_DAY, Flag
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.finding.second_calendar import Row, SecondCalendar

_COLUMNS: Final = "days, time, season, nth, place, note, valid_from, valid_to, exception, season_days"


@dataclass(frozen=True, slots=True)
class Difference:
    """A Mass of one day that only one of the calendars has.

    Attributes:
        is_laid_out: it stands in the index and the second calendar does not have it; else the other way round.
    """

    parish_id: str
    day: date
    time: str
    is_laid_out: bool

    def __str__(self) -> str:
        return f"{self.parish_id} {self.day} {self.time} {'only in the index' if self.is_laid_out else 'not in the index'}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """What came of the comparison.

    Attributes:
        parish_days: days compared, over all parishes with rows.
        differences: none when both calendars agree.
    """

    parish_days: int
    differences: tuple[Difference, ...]


def compare(path: Path) -> Agreement:
    """Compare an index with the second calendar.

    Args:
        path: of the index.

    Raises:
        StorageError: the file is no readable index, or a row is none the second calendar can read.
    """
    differences: list[Difference] = []
    days = 0
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            meta = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('first_day', 'days')").fetchall())
            calendar = SecondCalendar(date.fromisoformat(meta["first_day"]), int(meta["days"]))
            for pk, parish_id, keys, rows in _parishes(connection):
                laid_out = connection.execute("SELECT t, mass, flags FROM occ WHERE parish = ?", (pk,)).fetchall()
                differences.extend(_of_parish(calendar, parish_id, dict(zip(keys, rows, strict=True)), laid_out))
                days += calendar.count
    except (sqlite3.Error, KeyError, ValueError, OverflowError) as error:
        raise StorageError(f"{path}: cannot be compared with the second calendar ({error!r}).") from error
    return Agreement(days, tuple(differences))


def _parishes(connection: sqlite3.Connection) -> Iterator[tuple[int, str, list[int], list[Row]]]:
    """Key, identifier, keys of rows and rows of every parish that has any, by key."""
    query = f"SELECT parish, parish_id, mass.pk, {_COLUMNS} FROM mass JOIN parish ON parish.pk = parish ORDER BY parish, mass.pk"
    for (pk, parish_id), rows in groupby(connection.execute(query), lambda row: (row[0], row[1])):
        whole = list(rows)
        yield pk, parish_id, [row[2] for row in whole], [Row(*row[3:]) for row in whole]


def _of_parish(
    calendar: SecondCalendar, parish_id: str, rows: Mapping[int, Row], laid_out: Sequence[tuple[int, int, int]]
) -> Iterator[Difference]:
    """Differences of one parish; what stands at another hour than its row counts as missing and as too much."""
    held: dict[int, int] = defaultdict(int)
    cancelled: dict[int, int] = defaultdict(int)
    for minute, mass, flags in laid_out:
        day, rest = divmod(minute, MINUTES_A_DAY)
        time = f"{rest // 60:02d}:{rest % 60:02d}"
        row = rows.get(mass)
        if row is None or row.time != time:
            yield Difference(parish_id, calendar.first + timedelta(day), time, is_laid_out=True)
            continue
        (cancelled if flags & Flag.CANCELLED else held)[mass] |= 1 << day
    for (mass, row), said in zip(rows.items(), calendar.said(list(rows.values())), strict=True):
        for ours, theirs in ((held[mass], said.held), (cancelled[mass], said.cancelled)):
            for number in range((ours ^ theirs).bit_length()):
                if (ours ^ theirs) >> number & 1:
                    is_laid_out = bool(ours >> number & 1)
                    yield Difference(parish_id, calendar.first + timedelta(number), row.time, is_laid_out=is_laid_out)
