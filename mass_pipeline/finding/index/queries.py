"""Questions that pages, API and feeds put to an open index. Every function reads on the connection it is given."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from mass_pipeline.finding.expansion import MINUTES_A_DAY, Flag, flags_of
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.gazetteer import Locality, Point, distance_m
from mass_pipeline.finding.index.changes import CHANGE, Change
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.records import ConfessionRecord, Found, MassRecord, ParishRecord, local_start
from mass_pipeline.finding.nearby import Filters, Hit, json_list
from mass_pipeline.model.identifiers import fold
from mass_pipeline.schedules.church_year import is_abolished_feast, is_holy_day
from mass_pipeline.schedules.day import DaySchedule, day_schedule, standing_rows
from mass_pipeline.schedules.rows import ScheduleRow

NO_FLAGS: Final = Flag(0)
_WORD: Final = re.compile(r"[a-z0-9]+")
_MOST_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class Town:
    """A town with parishes.

    Attributes:
        key: voivodeship/town, its address among the pages.
        parishes: how many of the directory lie in it; known: of how many an order is published.
        centre: middle of their positions, None when no position is known.
    """

    key: str
    name: str
    voivodeship: str
    parishes: int
    known: int
    centre: Point | None


@dataclass(frozen=True, slots=True)
class Diocese:
    """A diocese with its count of parishes."""

    key: str
    name: str
    parishes: int
    known: int


@dataclass(frozen=True, slots=True)
class DayOfParish:
    """One date of a parish as its page shows it.

    Attributes:
        schedule: basis of the day, as `schedules.day` gives it.
        masses, cancelled: with their flags.
        perhaps: left out only because the order changes about that day.
        taken_away: rows of the standing list of that day that announcements take away.
    """

    schedule: DaySchedule
    masses: tuple[Found, ...]
    cancelled: tuple[Found, ...]
    perhaps: tuple[Found, ...]
    taken_away: tuple[MassRecord, ...] = ()


def parish(connection: sqlite3.Connection, parish_id: str) -> ParishRecord | None:
    """The parish of an identifier."""
    row = connection.execute("SELECT * FROM parish WHERE parish_id = ?", (parish_id,)).fetchone()
    return ParishRecord.of(row) if row else None


def alias(connection: sqlite3.Connection, parish_id: str) -> tuple[bool, str | None]:
    """Whether an identifier is a former one, and the parish it went into; None when that was removed."""
    row = connection.execute("SELECT parish_id FROM parish_alias WHERE old_id = ?", (parish_id,)).fetchone()
    return row is not None, row[0] if row else None


def parishes_of(connection: sqlite3.Connection, condition: str, value: str) -> list[ParishRecord]:
    """Parishes of a town (`town_key`), a diocese (`diocese_key`) or a postcode, by town and name."""
    assert condition in ("town_key", "diocese_key", "postcode")
    rows = connection.execute(f"SELECT * FROM parish WHERE {condition} = ? ORDER BY town, name, parish_id", (value,))  # noqa: S608
    return [ParishRecord.of(row) for row in rows]


def points_of_postcodes(connection: sqlite3.Connection, postcode: str) -> list[Point]:
    """Positions of the parishes whose postcodes begin like one the longest; [] when none begins with its two first digits."""
    for length in range(len(postcode) - 1, 1, -1):
        rows = connection.execute(
            "SELECT latitude, longitude FROM parish WHERE substr(postcode, 1, ?) = ? AND latitude IS NOT NULL ORDER BY pk",
            (length, postcode[:length]),
        ).fetchall()
        if rows:
            return [Point(*row) for row in rows]
    return []


def points_of_deanery(connection: sqlite3.Connection, one: ParishRecord) -> list[Point]:
    """Positions of the parishes of a parish's deanery."""
    query = "SELECT latitude, longitude FROM parish WHERE diocese_key = ? AND deanery = ? AND latitude IS NOT NULL ORDER BY pk"
    return [Point(*row) for row in connection.execute(query, (one.diocese_key, one.deanery))]


def parishes_by_key(connection: sqlite3.Connection, keys: Iterable[int]) -> dict[int, ParishRecord]:
    """Parishes by key of the index."""
    return {row["pk"]: ParishRecord.of(row) for row in _by_key(connection, "parish", keys)}


def masses_by_key(connection: sqlite3.Connection, keys: Iterable[int]) -> dict[int, MassRecord]:
    """Published rows by key of the index."""
    return {row[0]: MassRecord.of(row) for row in _by_key(connection, "mass", keys)}


def _by_key(connection: sqlite3.Connection, table: str, keys: Iterable[int]) -> Iterable[sqlite3.Row]:
    query = f"SELECT * FROM {table} WHERE pk IN (SELECT value FROM json_each(?))"  # noqa: S608 - a constant
    return connection.execute(query, [json_list(sorted(set(keys)))])


def rules_of(connection: sqlite3.Connection, pk: int) -> list[MassRecord]:
    """All published rows of a parish, in order of the index."""
    return [MassRecord.of(row) for row in connection.execute("SELECT * FROM mass WHERE parish = ? ORDER BY pk", (pk,))]


def confession_of(connection: sqlite3.Connection, keys: Iterable[int]) -> dict[int, list[ConfessionRecord]]:
    """When one can confess in parishes, by key of the index; those that say nothing of it are left out."""
    found: dict[int, list[ConfessionRecord]] = {}
    query = "SELECT * FROM confession WHERE parish IN (SELECT value FROM json_each(?)) ORDER BY rowid"
    for pk, *row in connection.execute(query, [json_list(sorted(set(keys)))]):
        found.setdefault(pk, []).append(ConfessionRecord.of(row))
    return found


def towns(connection: sqlite3.Connection, condition: str = "1", values: Sequence[object] = ()) -> list[Town]:
    """Towns that fulfil a condition on their parishes, most parishes first."""
    marks = ", ".join("?" * len(IN_ORDER))
    query = (
        "SELECT town_key, coalesce(min(t.name), min(p.town)), coalesce(min(t.voivodeship), min(p.voivodeship)), count(*), "  # noqa: S608 - conditions are written here
        f"sum(state IN ({marks})), avg(latitude), avg(longitude) FROM parish p LEFT JOIN town t ON t.key = p.town_key "
        f"WHERE {condition} GROUP BY town_key ORDER BY count(*) DESC, town_key"
    )
    return [
        Town(key, name, land, count, known, None if latitude is None else Point(latitude, longitude))
        for key, name, land, count, known, latitude, longitude in connection.execute(query, [*IN_ORDER, *values])
    ]


IN_ORDER: Final = ("fresh", "aging", "stale")


def town_of(connection: sqlite3.Connection, key: str) -> Town | None:
    """The town of an address; that of a part of a city, or of a name as the directory spells it, is the city."""
    found = towns(connection, "town_key = ?", [key])
    if not found:
        alias = connection.execute("SELECT key FROM town_alias WHERE old_key = ?", (key,)).fetchone()
        found = towns(connection, "town_key = ?", [alias[0]]) if alias else []
    return found[0] if found else None


def towns_named(connection: sqlite3.Connection, name: str, voivodeship: str | None = None) -> list[Town]:
    """Towns of exactly this name, in any case and without diacritics; in one voivodeship when it is given."""
    rows = connection.execute(
        "SELECT key, voivodeship FROM town WHERE words = ? ORDER BY key", (" ".join(_WORD.findall(fold(name))),)
    ).fetchall()
    keys = [key for key, land in rows if voivodeship is None or fold(land) == fold(voivodeship)]
    return [town for key in keys if (town := town_of(connection, key)) is not None]


def localities(connection: sqlite3.Connection) -> list[Locality]:
    """Towns and villages that people ask for, with or without a parish."""
    rows = connection.execute("SELECT name, voivodeship, latitude, longitude, population FROM locality ORDER BY 1, 2, 3, 4")
    return [Locality(name, land, Point(latitude, longitude), people, "") for name, land, latitude, longitude, people in rows]


def search_parishes(connection: sqlite3.Connection, words: str, limit: int = 50) -> list[ParishRecord]:
    """Parishes that hold all words (their beginnings) in town, dedication, street or postcode, best first."""
    wanted = _WORD.findall(fold(words))[:_MOST_WORDS]
    if not wanted:
        return []
    match = " AND ".join(f'"{word}"*' for word in wanted)
    rows = connection.execute("SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank, rowid LIMIT ?", (match, limit)).fetchall()
    known = parishes_by_key(connection, (row[0] for row in rows))
    return [known[row[0]] for row in rows]


def dioceses(connection: sqlite3.Connection) -> list[Diocese]:
    """All dioceses, by name."""
    query = "SELECT diocese_key, min(diocese), count(*), sum(state IN (?, ?, ?)) FROM parish GROUP BY diocese_key ORDER BY 2"
    return [Diocese(*row) for row in connection.execute(query, IN_ORDER)]


def states(connection: sqlite3.Connection) -> dict[str, int]:
    """How many parishes are in which state."""
    return dict(connection.execute("SELECT state, count(*) FROM parish GROUP BY state ORDER BY state").fetchall())


def of_parishes(
    index: OpenIndex,
    connection: sqlite3.Connection,
    parishes: Sequence[ParishRecord],
    first: int,
    last: int,
    filters: Filters | None = None,
    point: Point | None = None,
) -> list[Found]:
    """Masses of some parishes whose order may be asked by time, that begin within a window; by hour."""
    by_key = {one.pk: one for one in parishes if one.state in IN_TIME_SEARCH}
    conditions, values = (filters or Filters()).sql()
    query = (
        "SELECT o.parish, o.t, o.mass, o.flags FROM occ o JOIN mass m ON m.pk = o.mass JOIN parish p ON p.pk = o.parish "  # noqa: S608
        f"WHERE o.parish IN (SELECT value FROM json_each(?)) AND o.t BETWEEN ? AND ? AND o.flags & ? = 0{conditions}"
    )
    rows = connection.execute(query, [json_list(sorted(by_key)), first, last, int(Flag.CANCELLED), *values]).fetchall()
    masses = masses_by_key(connection, (row["mass"] for row in rows))
    away = {pk: distance_m(point, one.point) if point and one.point else None for pk, one in by_key.items()}
    found = [
        Found(by_key[pk], masses[mass], minute, local_start(index.first_day, minute), Flag(flags), away[pk])
        for pk, minute, mass, flags in rows
    ]
    return sorted(found, key=lambda one: (one.minute, one.parish.town, one.parish.name, one.mass.pk))


def of_all(index: OpenIndex, connection: sqlite3.Connection, first: int, last: int, filters: Filters, limit: int) -> list[Found]:
    """Masses of the whole country that state something (a language, a kind), within a window; by hour."""
    conditions, values = filters.sql()
    query = (
        "SELECT o.t, o.mass, o.parish, o.flags FROM mass m JOIN parish p ON p.pk = m.parish "  # noqa: S608 - conditions are ours
        "JOIN occ o ON o.parish = m.parish AND o.mass = m.pk AND o.t BETWEEN ? AND ? "
        f"WHERE p.state IN (?, ?) AND o.flags & ? = 0{conditions} ORDER BY o.t, o.mass LIMIT ?"
    )
    rows = connection.execute(query, [first, last, *IN_TIME_SEARCH, int(Flag.CANCELLED), *values, limit]).fetchall()
    return _all_found(index, connection, [(row["t"], row["mass"], row["parish"], row["flags"], None) for row in rows])


def of_hits(index: OpenIndex, connection: sqlite3.Connection, hits: Sequence[Hit]) -> list[Found]:
    """Hits of a search by position as Masses, in their order."""
    return _all_found(index, connection, [(hit.minute, hit.mass, hit.parish, hit.flags, hit.distance_m) for hit in hits])


def day_of_parish(index: OpenIndex, one: ParishRecord, rules: Sequence[MassRecord], day: date) -> DayOfParish:
    """One date of a parish, within the horizon or not: `schedules.day` decides, as for the index itself."""
    by_row = {id(rule.row): rule for rule in rules}
    schedule = day_schedule([rule.row for rule in rules], day, one.voivodeship)
    base = (day - index.first_day).days * MINUTES_A_DAY

    def shown(row: ScheduleRow, extra: Flag = NO_FLAGS) -> Found:
        rule = by_row[id(row)]
        hours, minutes = int(rule.row.mass.time[:2]), int(rule.row.mass.time[3:5])
        minute = base + hours * 60 + minutes
        return Found(one, rule, minute, local_start(index.first_day, minute), flags_of(rule.row, schedule) | extra)

    masses = tuple(shown(row) for row in schedule.masses)
    cancelled = tuple(shown(row, Flag.CANCELLED) for row in schedule.cancelled)
    held = {id(row) for row in schedule.masses}
    standing = [rule.row for rule in rules if rule.row.exception is None and rule.row.holds_on(day)]
    taken_away = tuple(by_row[id(row)] for row in standing_rows(standing, day)[1] if id(row) not in held)
    return DayOfParish(schedule, masses, cancelled, tuple(shown(row) for row in schedule.perhaps), taken_away)


def parishes_that_speak_of(connection: sqlite3.Connection, day: date) -> int:
    """How many parishes with a known order say something of a date by itself: a list for such days, or an announcement for it."""
    kind = "PH" if is_holy_day(day) else "AF" if is_abolished_feast(day) else "-"
    states = ", ".join("?" * len(IN_ORDER))
    query = (
        "SELECT count(DISTINCT m.parish) FROM mass m JOIN parish p ON p.pk = m.parish "  # noqa: S608 - only question marks
        f"WHERE p.state IN ({states}) AND ((exception IS NULL AND ' ' || days || ' ' LIKE ?) "
        "OR (exception IS NOT NULL AND valid_from <= ? AND valid_to >= ?))"
    )
    return int(connection.execute(query, (*IN_ORDER, f"% {kind} %", day.isoformat(), day.isoformat())).fetchone()[0])


def changes(connection: sqlite3.Connection, parish_id: str | None = None, limit: int = 200) -> list[Change]:
    """Changes, newest first; of one parish when it is given."""
    condition, values = ("WHERE parish_id = ?", [parish_id]) if parish_id else ("", [])
    query = f"SELECT {', '.join(CHANGE)} FROM change {condition} ORDER BY pk LIMIT ?"  # noqa: S608 - constants
    return [Change(*row) for row in connection.execute(query, [*values, limit])]


def minutes_of(index: OpenIndex, day: date, start: int = 0) -> int:
    """Minutes of a clock time on a date since the horizon's first day."""
    return (day - index.first_day).days * MINUTES_A_DAY + start


def last_day(index: OpenIndex) -> date:
    """The last day laid out."""
    return index.first_day + timedelta(index.days - 1)


def _all_found(
    index: OpenIndex, connection: sqlite3.Connection, rows: Sequence[tuple[int, int, int, int, float | None]]
) -> list[Found]:
    parishes = parishes_by_key(connection, (row[2] for row in rows))
    masses = masses_by_key(connection, (row[1] for row in rows))
    first = index.first_day
    return [
        Found(parishes[pk], masses[mass], minute, local_start(first, minute), Flag(flags), distance)
        for minute, mass, pk, flags, distance in rows
    ]
