"""A new generation against the last one: whether it may take its place, and what it says otherwise.

It may by its coverage, its next seven days and a sample. Of rows there is one change for each that came or went, a move as one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final, Literal

from mass_pipeline.finding.expansion import MINUTES_A_DAY
from mass_pipeline.finding.index.dictionary import column, columns_of
from mass_pipeline.finding.index.facts import ParishFacts, mass_id
from mass_pipeline.model.errors import StorageError
from mass_pipeline.schedules.rows import ScheduleRow

CANARIES: Final = 20
_LOST_CANARIES: Final = 2  # of 20: more do not lose their whole order between two generations
DAYS_COMPARED: Final = 7


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of an index is compared.

    Attributes:
        ordered: parishes that have a standing order, in an order of their own: the first ones are a fixed sample.
        per_day: date -> Masses laid out on it.
        built_at: moment the index speaks of.
    """

    ordered: tuple[str, ...]
    per_day: dict[date, int]
    built_at: datetime


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to an index; StorageError for a file that is none."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            yield connection
    except (sqlite3.Error, KeyError, TypeError, ValueError) as error:
        raise StorageError(f"{path}: is no readable public index ({error}).") from error


def announced_days(path: Path, days: Iterable[date]) -> dict[date, list[str]]:
    """Day -> parishes of which an index says that announcements took Masses of the day away, or put others in their place.

    Raises:
        StorageError: the file is no readable index.
    """
    with _reading(path) as connection:
        query = (
            "SELECT DISTINCT parish_id, valid_from, valid_to FROM mass JOIN parish ON parish.pk = mass.parish "
            "WHERE exception IN ('only', 'cancelled')"
        )
        rows = connection.execute(query).fetchall()
    return {day: [one for one, first, last in rows if (first or "") <= day.isoformat() <= (last or "9999")] for day in days}


def read_coverage(path: Path, announced: Mapping[date, Sequence[str]]) -> Coverage:
    """Coverage of an index.

    Args:
        announced: day -> parishes whose Masses of that day are not counted.

    Raises:
        StorageError: the file is no readable index.
    """
    with _reading(path) as connection:
        if connection.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise StorageError(f"{path}: the index is damaged.")
        meta = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        first, built_at = date.fromisoformat(meta["first_day"]), datetime.fromisoformat(meta["built_at"])
        query = "SELECT DISTINCT parish_id FROM mass JOIN parish ON parish.pk = mass.parish WHERE exception IS NULL"
        ordered = sorted((row[0] for row in connection.execute(query)), key=lambda one: hashlib.sha256(one.encode()).digest())
        counted = connection.execute(f"SELECT t / {MINUTES_A_DAY}, count(*) FROM occ GROUP BY 1")  # noqa: S608 - a constant
        per_day = {first + timedelta(days): count for days, count in counted}
        for day, parishes in announced.items():
            begin = (day - first).days * MINUTES_A_DAY
            query = (
                "SELECT count(*) FROM occ JOIN parish ON parish.pk = occ.parish WHERE occ.t >= ? AND occ.t < ? "
                "AND parish_id IN (SELECT value FROM json_each(?))"
            )
            (known,) = connection.execute(query, (begin, begin + MINUTES_A_DAY, json.dumps(parishes))).fetchone()
            per_day[day] = per_day.get(day, 0) - known
    return Coverage(tuple(ordered), per_day, built_at)


def objections(
    new: Path, former: Path | None, today: date, *, min_parishes_share: float, min_occurrences_share: float
) -> list[str]:
    """Why a new index may not take the place of the former one; none when it may.

    Args:
        new, former: index files; the first generation of all has no former one.
        today: the next seven days begin here.
        min_parishes_share: least share of the former parishes with an order.
        min_occurrences_share: least share of the former Masses of each day, but for parishes that announce other ones: on a
            feast a third of them may, and the index of the day before would stay in force until it is over.
    """
    days = [today + timedelta(offset) for offset in range(DAYS_COMPARED)]
    announced = announced_days(new, days)
    coverage = read_coverage(new, announced)
    if not coverage.ordered:
        return ["no parish has an order"]
    if former is None:
        return []
    found: list[str] = []
    before = read_coverage(former, announced)
    if coverage.built_at < before.built_at:
        found.append(
            f"its clock says {coverage.built_at:%Y-%m-%d %H:%M}, the last generation is of {before.built_at:%Y-%m-%d %H:%M} (was "
            "that clock wrong: mass-pipeline public rollback, then public rollback --lift)"
        )
    if len(coverage.ordered) < min_parishes_share * len(before.ordered):
        found.append(f"{len(coverage.ordered)} parishes have an order, {len(before.ordered)} had one")
    for day in days:
        had, has = before.per_day.get(day, 0), coverage.per_day.get(day, 0)
        if has < min_occurrences_share * had:
            found.append(f"{has} Masses on {day}, there were {had}")
    sample = before.ordered[:CANARIES]
    lost = sorted(set(sample) - set(coverage.ordered))
    if len(lost) > _LOST_CANARIES:
        found.append(f"{len(lost)} of {len(sample)} parishes known by sample have lost their order: {', '.join(lost[:5])}")
    return found


Kind = Literal["added", "removed", "moved", "withdrawn"]
KEPT_FOR: Final = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Change:
    """One change of what is published of a parish.

    Attributes:
        seen_at: ISO moment of the generation that first said it.
        kind: a row was added, removed, moved to another hour; withdrawn: the whole parish, then without words.
        before, after: days and hour in short form, "" where there is none.
        quote, source_url: the words that say what holds now; "" for what went.
    """

    seen_at: str = column()
    parish_id: str = column()
    kind: Kind = column(kind="string")
    before: str = column()
    after: str = column()
    quote: str = column()
    source_url: str = column()


CHANGE: Final = columns_of(Change)  # but the key of the table


@dataclass(frozen=True, slots=True)
class Former:
    """What the last generation says: rows by parish, parishes, its own changes and aliases."""

    rows: Mapping[str, Mapping[str, str]]
    changes: tuple[Change, ...] = ()
    aliases: tuple[tuple[str, str | None], ...] = ()


def read_former(path: Path) -> Former:
    """Rows (mass_id -> short form) of every parish of an index, with its changes.

    Raises:
        StorageError: the file is no index.
    """
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    with _reading(path) as connection:
        for (parish_id,) in connection.execute("SELECT parish_id FROM parish"):
            rows[parish_id] = {}
        columns = "parish_id, mass_id, days, time, season, place, valid_from, exception"
        query = f"SELECT {columns} FROM mass JOIN parish ON parish.pk = parish"  # noqa: S608 - constants
        for parish_id, key, *said in connection.execute(query):
            rows[parish_id][key] = _short(*said)
        changes = tuple(Change(*row) for row in connection.execute(f"SELECT {', '.join(CHANGE)} FROM change ORDER BY pk"))  # noqa: S608
        aliases = tuple(connection.execute("SELECT old_id, parish_id FROM parish_alias ORDER BY old_id"))
    return Former(rows, changes, aliases)


def changes_since(former: Former, parishes: Iterable[ParishFacts], now: datetime) -> list[Change]:
    """Changes of this generation, then those of earlier ones that are not too old, newest first."""
    seen_at = now.isoformat()
    known = {parish.parish_id: parish for parish in parishes}
    fresh: list[Change] = []
    for parish_id in sorted(former.rows):
        if parish_id not in known:
            fresh.append(Change(seen_at, parish_id, "withdrawn", "", "", "", ""))
            continue
        parish = known[parish_id]
        now_rows = {mass_id(parish_id, row): row for row in parish.rows}
        gone = [short for key, short in sorted(former.rows[parish_id].items()) if key not in now_rows]
        came = [row for key, row in sorted(now_rows.items()) if key not in former.rows[parish_id]]
        fresh.extend(_of_parish(parish_id, seen_at, gone, came))
    gone_for_good = {one.parish_id for one in fresh if one.kind == "withdrawn"}
    oldest = (now - KEPT_FOR).isoformat()
    kept = [one for one in former.changes if one.seen_at >= oldest and one.parish_id not in gone_for_good]
    return fresh + kept


def _of_parish(parish_id: str, seen_at: str, gone: Sequence[str], came: Sequence[ScheduleRow]) -> list[Change]:
    """A single row that went and a single one that came with the same days are one move."""
    if len(gone) == len(came) == 1 and gone[0].split(" ")[0] == short_form(came[0]).split(" ")[0]:
        row = came[0]
        return [Change(seen_at, parish_id, "moved", gone[0], short_form(row), row.quote[:200], row.source_url)]
    found = [Change(seen_at, parish_id, "removed", short, "", "", "") for short in gone]
    return found + [Change(seen_at, parish_id, "added", "", short_form(row), row.quote[:200], row.source_url) for row in came]


def short_form(row: ScheduleRow) -> str:
    """Days, hour and what limits them, for a line of changes."""
    mass = row.mass
    first = row.valid_from.isoformat() if row.valid_from else None
    return _short(" ".join(mass.days), mass.time, mass.season, mass.place, first, row.exception)


def _short(days: str, time: str, season: str, place: str, valid_from: str | None, exception: str | None) -> str:
    parts = [days.replace(" ", ","), time, "" if season == "all" else season, place, exception or "", valid_from or ""]
    return " ".join(part for part in parts if part)
