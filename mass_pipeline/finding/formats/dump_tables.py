"""Tables of the open data: which columns, what they mean, under which licence; read from an index. No files here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index.dictionary import Column
from mass_pipeline.finding.index.records import CONFESSION, MASS, PARISH, local_start, moment

Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class DumpTable:
    """A table of the open data.

    Attributes:
        licence: SPDX name; attribution: words that must stand beside it.
        key: columns that tell rows apart.
    """

    name: str
    title: str
    fields: tuple[Column, ...]
    key: tuple[str, ...]
    licence: str
    attribution: str


_SITES: Final = "The parishes' own web sites, each named in source_url"
_PARISH_ID: Final = PARISH["parish_id"]
_GAPS: Final = replace(MASS["checked_people"], kind="number")  # readers of Parquet take whole numbers with gaps for others
_MASS_FIELDS: Final = (
    MASS["mass_id"],
    _PARISH_ID,
    *(_GAPS if one.name == _GAPS.name else one for one in MASS.values() if one.meaning and one.name != "mass_id"),
)
_CONFESSION_FIELDS: Final = (_PARISH_ID, *CONFESSION.values())
_OCCURRENCE_FIELDS: Final = (
    _PARISH_ID,
    MASS["mass_id"],
    Column("start", "string", False, "Local wall clock, Europe/Warsaw"),
    Column("flags", "integer", False, "Bits of what must be said beside it (docs/api.md)"),
)


def _of_parish(names: str) -> tuple[Column, ...]:
    return tuple(PARISH[name] for name in names.split())


_PARISH_FIELDS: Final = _of_parish(
    "parish_id diocese_key state checked_at site service_times service_times_points service_times_note source"
)
_NAME_FIELDS: Final = _of_parish("name town voivodeship postcode")
_POSITION_FIELDS: Final = _of_parish("parish_id latitude longitude precision_m position_method position_source_id")
_WHEELCHAIR_FIELDS: Final = _of_parish("wheelchair wheelchair_at")
_OSM: Final = "(c) OpenStreetMap contributors, https://www.openstreetmap.org/copyright"
_GEONAMES: Final = "GeoNames, https://www.geonames.org/; the operator's table; the parishes' own sites"
OCCURRENCE_DAYS: Final = 14


def tables(licence: str, directory_confirmed: bool) -> tuple[DumpTable, ...]:
    """All tables.

    Args:
        licence: of schedules and quotes.
        directory_confirmed: whether names and addresses of the directory may stand in bulk files.
    """
    parish_fields = (*_PARISH_FIELDS, *_NAME_FIELDS) if directory_confirmed else _PARISH_FIELDS
    return (
        DumpTable("masses", "Masses as the parishes' sites state them", _MASS_FIELDS, ("mass_id",), licence, _SITES),
        DumpTable(
            "confession", "Hours of confession as the parishes' sites state them", _CONFESSION_FIELDS,
            ("parish_id", "days", "nth", "tied", "start", "minutes"), licence, _SITES,
        ),
        DumpTable("parishes", "Parishes and what is known of them", parish_fields, ("parish_id",), licence, _SITES),
        DumpTable("positions", "Positions of parishes", _POSITION_FIELDS, ("parish_id",), "CC-BY-4.0", _GEONAMES),
        DumpTable(
            "positions-osm", "Positions and access from OpenStreetMap", (*_POSITION_FIELDS, *_WHEELCHAIR_FIELDS), ("parish_id",),
            "ODbL-1.0", _OSM,
        ),
        DumpTable(
            "occurrences-14d", "Masses of the next 14 days, of orders confirmed lately", _OCCURRENCE_FIELDS, ("mass_id", "start"),
            licence, _SITES,
        ),
    )  # fmt: skip


def rows_of(connection: sqlite3.Connection, table: DumpTable, today: date) -> Iterator[tuple[Value, ...]]:
    """Rows of a table, by its key.

    Args:
        connection: of an index.
        table: one of `tables`.
        today: first day of the occurrences.
    """
    if table.name == "occurrences-14d":
        yield from _occurrences(connection, today)
        return
    own = {"masses": "m", "confession": "c"}.get(table.name, "p")
    names = ", ".join(f"{'p' if field is _PARISH_ID else own}.{field.name}" for field in table.fields)
    source = {
        "masses": "mass m JOIN parish p ON p.pk = m.parish",
        "confession": "confession c JOIN parish p ON p.pk = c.parish",
        "parishes": "parish p",
        "positions": "parish p WHERE latitude IS NOT NULL AND position_method <> 'osm'",
        "positions-osm": "parish p WHERE position_method = 'osm' OR wheelchair IS NOT NULL",
    }[table.name]
    moments = [field.kind == "datetime" for field in table.fields]
    is_osm = table.name == "positions-osm"
    for row in connection.execute(f"SELECT {names} FROM {source} ORDER BY {table.key[0]}"):  # noqa: S608 - names are ours
        values = [_iso(value) if is_moment else value for value, is_moment in zip(row, moments, strict=True)]
        if is_osm and values[4] != "osm":
            values[1:6] = [None] * 5  # only the tag is OpenStreetMap's, the point is not
        yield tuple(values)


def _iso(seconds: int | None) -> str | None:
    found = moment(seconds)
    return None if found is None else found.isoformat()


def _occurrences(connection: sqlite3.Connection, today: date) -> Iterator[tuple[Value, ...]]:
    meta = dict(connection.execute("SELECT key, value FROM meta WHERE key = 'first_day'").fetchall())
    first_day = date.fromisoformat(meta["first_day"])
    first = (today - first_day) // timedelta(1) * 1440
    query = (
        "SELECT p.parish_id, m.mass_id, o.t, o.flags FROM occ o JOIN mass m ON m.pk = o.mass JOIN parish p ON p.pk = o.parish "
        "WHERE o.t >= ? AND o.t < ? AND o.flags & ? = 0 AND p.state IN (?, ?) ORDER BY m.mass_id, o.t"
    )
    values = (first, first + OCCURRENCE_DAYS * 1440, int(Flag.CANCELLED), *IN_TIME_SEARCH)
    for parish_id, mass_id, minute, flags in connection.execute(query, values):
        yield parish_id, mass_id, local_start(first_day, minute).isoformat(), flags
