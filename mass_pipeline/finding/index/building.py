"""Write one index: rows in one order, fixed page size, no journal, so that equal facts give equal bytes."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.finding.expansion import Flag, occurrences
from mass_pipeline.finding.feasts import feast_of
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.gazetteer import Locality
from mass_pipeline.finding.index.changes import CHANGE, Change
from mass_pipeline.finding.index.facts import ParishFacts, mass_id, shortened, town_key
from mass_pipeline.finding.index.news import NewsItem, write_news
from mass_pipeline.finding.index.records import CONFESSION, MASS, PARISH, ConfessionRecord
from mass_pipeline.finding.index.schema import FORMAT, INDEXES, TABLES, UNIT_M, UNITS_PER_DEGREE
from mass_pipeline.finding.places import Town, towns_of
from mass_pipeline.finding.statements import stated
from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline.model.identifiers import fold
from mass_pipeline.schedules.church_year import is_abolished_feast, is_holy_day, is_kept_as_sunday, is_without_mass
from mass_pipeline.schedules.rows import ScheduleRow

_PAGE_BYTES: Final = 8192
_LONGEST_QUOTE: Final = 200  # characters of a page's words that are handed on


_Timed = tuple[int, int | None, int | None, int, int, int | None, int]  # a row of occ_t


@dataclass(frozen=True, slots=True)
class Horizon:
    """The days laid out: the first one and how many."""

    first: date
    days: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What an index holds."""

    parishes: int
    with_order: int
    masses: int
    occurrences: int


def build_index(
    path: Path,
    parishes: Iterable[ParishFacts],
    horizon: Horizon,
    built_at: datetime,
    *,
    changes: Sequence[Change] = (),
    news: Iterable[NewsItem] = (),
    aliases: Mapping[str, str | None] | None = None,
    localities: Iterable[Locality] = (),
    meta: Mapping[str, str] | None = None,
) -> Figures:
    """Write the index to a new file.

    Args:
        path: must not exist.
        parishes: in any order; each parish_id once.
        horizon: days to lay out.
        built_at: the moment the index speaks of.
        changes: what is reported as changed, newest first.
        news: of parishes and portals.
        aliases: former parish_id -> the one it went into, None when the parish was removed.
        localities: towns and villages that people ask for, with or without a parish.
        meta: further facts about this generation.

    Raises:
        BadInput: a parish_id stands twice.
        StorageError: the file cannot be written; the rest of it is removed.
    """
    try:
        with contextlib.closing(_open_new(path)) as connection:
            figures = _write(connection, sorted(parishes, key=lambda one: one.parish_id), horizon)
            _write_changes(connection, changes, aliases or {}, built_at)
            _write_localities(connection, localities)
            write_news(connection, news)
            facts = {
                **(meta or {}),
                "format": FORMAT,
                "built_at": built_at.isoformat(),
                "first_day": horizon.first.isoformat(),
                "days": str(horizon.days),
                "parishes": str(figures.parishes),
                "with_order": str(figures.with_order),
                "occurrences": str(figures.occurrences),
            }
            connection.executemany("INSERT INTO meta VALUES (?, ?)", sorted(facts.items()))
            connection.execute("COMMIT")
            connection.executescript(INDEXES)
            found = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise StorageError(f"{path}: the new index is damaged ({found}); the last one stays in use.")
        return figures
    except sqlite3.IntegrityError as error:
        path.unlink(missing_ok=True)
        raise BadInput(f"The public index: {error}; a parish stands twice in the tables.") from error
    except (sqlite3.Error, OSError) as error:
        path.unlink(missing_ok=True)
        raise StorageError(f"{path}: the public index cannot be written ({error}); the last one stays in use.") from error


def _open_new(path: Path) -> sqlite3.Connection:
    if path.exists():
        raise StorageError(f"{path}: stands there already; an index is never written into an old one.")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(TABLES)
    connection.execute("BEGIN")
    return connection


def _write(connection: sqlite3.Connection, parishes: Sequence[ParishFacts], horizon: Horizon) -> Figures:
    masses = held = with_order = 0
    timed: list[_Timed] = []
    keys = _write_towns(connection, parishes)
    for pk, parish in enumerate(parishes, 1):
        own: dict[str, object] = {"pk": pk, "town_key": keys[parish.parish_id]}
        values = [_stored(own[name] if name in own else getattr(parish, name)) for name in PARISH]
        connection.execute(_insert("parish", PARISH), values)
        connection.execute(
            "INSERT INTO fts (rowid, town, dedication, street, diocese) VALUES (?, ?, ?, ?, ?)",
            (pk, *(fold(text) for text in (parish.town, parish.name, f"{parish.street} {parish.postcode}", parish.diocese))),
        )
        point = _point(parish)
        if point is not None and parish.state in IN_TIME_SEARCH:
            connection.execute("INSERT INTO parish_pos VALUES (?, ?, ?, ?, ?)", (pk, point[0], point[0], point[1], point[1]))
        rows = sorted(parish.rows, key=_row_key)
        connection.executemany(
            _insert("mass", MASS), [_mass_values(parish, masses + number, pk, row) for number, row in enumerate(rows, 1)]
        )
        connection.executemany(
            _insert("confession", ("parish", *CONFESSION)), [(pk, *_confession_values(one)) for one in parish.confession]
        )
        found = [
            (pk, one.minute, masses + 1 + one.row, int(one.flags))
            for one in occurrences(rows, horizon.first, horizon.days, parish.voivodeship)
        ]
        connection.executemany("INSERT INTO occ VALUES (?, ?, ?, ?)", found)
        if parish.state in IN_TIME_SEARCH:
            timed.extend(_timed(found, point, parish.precision_m))
        masses += len(rows)
        held += sum(not flags & Flag.CANCELLED for *_, flags in found)
        with_order += any(row.exception is None for row in rows)
    timed.sort(key=lambda row: (row[0], row[3]))
    connection.executemany("INSERT INTO occ_t VALUES (?, ?, ?, ?, ?, ?, ?)", timed)
    _write_hours(connection, timed, horizon)
    connection.executemany("INSERT INTO day VALUES (?, ?, ?)", _days(horizon))
    return Figures(len(parishes), with_order, masses, held)


def _insert(table: str, columns: Sized) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - only marks


def _timed(
    found: Iterable[tuple[int, int, int, int]], point: tuple[int, int] | None, precision_m: int | None
) -> Iterator[_Timed]:
    """Rows of occ_t: what is held, with the place and half the uncertainty (in units of distance) for ranking."""
    x, y = point or (None, None)
    half = None if point is None else round((precision_m or 0) / 2 / UNIT_M)
    for pk, minute, mass, flags in found:
        if not flags & Flag.CANCELLED:
            yield (minute, x, y, mass, pk, half, flags)


def _write_hours(connection: sqlite3.Connection, timed: Sequence[_Timed], horizon: Horizon) -> None:
    """How many Masses begin before each hour: the planner's histogram."""
    counts = [0] * (horizon.days * 24 + 26)
    for row in timed:
        counts[min(row[0] // 60, len(counts) - 1)] += 1
    before = 0
    for hour, count in enumerate(counts):
        connection.execute("INSERT INTO hour_count VALUES (?, ?)", (hour, before))
        before += count


def _days(horizon: Horizon) -> Iterator[tuple[str, str, str | None]]:
    for offset in range(horizon.days):
        day = horizon.first + timedelta(offset)
        feast = feast_of(day)
        yield day.isoformat(), basis_of(day), feast.slug if feast else None


def basis_of(day: date) -> str:
    """What kind of day the calendar makes it, before any parish is asked."""
    if is_without_mass(day):
        return "triduum"
    if day.weekday() == 6:
        return "sunday"
    if is_holy_day(day):
        return "holy_day"
    if is_kept_as_sunday(day):
        return "kept_as_sunday"
    return "abolished_feast" if is_abolished_feast(day) else "weekday"


def _write_changes(
    connection: sqlite3.Connection, changes: Sequence[Change], aliases: Mapping[str, str | None], built_at: datetime
) -> None:
    connection.executemany(
        _insert("change", ("pk", *CHANGE)),
        [(pk, *(getattr(one, name) for name in CHANGE)) for pk, one in enumerate(changes, 1)],
    )
    since = built_at.date().isoformat()
    connection.executemany(
        "INSERT INTO parish_alias VALUES (?, ?, ?)", [(old, new, since) for old, new in sorted(aliases.items())]
    )


def _write_towns(connection: sqlite3.Connection, parishes: Sequence[ParishFacts]) -> dict[str, str]:
    """Write the towns, those of their parts counted with them; parish_id -> key of its town."""
    found: dict[str, Town] = {}
    keys = {one.parish_id: town_key(one.voivodeship, one.town) for one in parishes}
    for town in towns_of(one.table_row for one in parishes):
        key = town_key(town.voivodeship or "", town.name)
        found[key] = town
        keys.update((row.parish_id, key) for row in town.rows)
    connection.executemany(
        "INSERT INTO town VALUES (?, ?, ?, ?)",
        [(key, town.name, town.voivodeship or "", " ".join(town.words)) for key, town in sorted(found.items())],
    )
    own = {town_key(one.voivodeship, one.town): keys[one.parish_id] for one in parishes}
    aliases = sorted((old, key) for old, key in own.items() if old != key and old not in found)
    connection.executemany("INSERT INTO town_alias VALUES (?, ?)", aliases)
    return keys


def _write_localities(connection: sqlite3.Connection, localities: Iterable[Locality]) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO locality VALUES (?, ?, ?, ?, ?)",
        sorted((one.name, one.voivodeship, one.point.latitude, one.point.longitude, one.population) for one in localities),
    )


def _mass_values(parish: ParishFacts, pk: int, parish_pk: int, row: ScheduleRow) -> list[object]:
    mass, says = row.mass, stated(row.mass.note, row.quote, parish.diocese_key)
    own: dict[str, object] = {
        "pk": pk, "mass_id": mass_id(parish.parish_id, row), "parish": parish_pk, "days": " ".join(mass.days),
        "nth": orjson.dumps(mass.nth).decode() if mass.nth else None, "language": says.language, "kinds": " ".join(says.kinds),
        "rite": says.rite, "confidence": round(row.confidence, 3), "quote": shortened(row.quote, _LONGEST_QUOTE),
        "checked_at": row.checked_at or row.fetched_at, "checked_people": row.checked and row.checked.people,
        "checked_on": row.checked and row.checked.on, "checked_by": row.checked and row.checked.by,
    }  # fmt: skip
    return [_stored(own[name] if name in own else getattr(mass if hasattr(mass, name) else row, name)) for name in MASS]


def _confession_values(one: ConfessionRecord) -> Iterator[object]:
    for name in CONFESSION:
        value = getattr(one, name)
        yield " ".join(map(str, value)) if isinstance(value, tuple) else _stored(value)


def _stored(value: object) -> object:
    """A value as the index stores it: moments as seconds since 1970, days as ISO text."""
    if isinstance(value, datetime):
        return int(value.timestamp())
    if isinstance(value, date):
        return value.isoformat()
    return value


def _point(parish: ParishFacts) -> tuple[int, int] | None:
    if parish.latitude is None or parish.longitude is None:
        return None
    return round(parish.longitude * UNITS_PER_DEGREE), round(parish.latitude * UNITS_PER_DEGREE)


def _row_key(row: ScheduleRow) -> tuple[object, ...]:
    return (
        *row.mass.sort_key(),
        str(row.valid_from or ""),
        str(row.valid_to or ""),
        row.exception or "",
        row.source_url,
        row.quote,
    )
