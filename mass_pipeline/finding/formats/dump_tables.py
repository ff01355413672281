"""Tables of the open data: which columns, what they mean, under which licence; read from an index. No files here."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index.records import local_start, moment

Kind = Literal["string", "number", "integer", "date", "datetime", "boolean"]
Value = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class Field:
    """A column: name, kind, and what it means."""

    name: str
    kind: Kind
    meaning: str


@dataclass(frozen=True, slots=True)
class DumpTable:
    """A table of the open data.

    Attributes:
        licence: SPDX name; attribution: words that must stand beside it.
        key: columns that tell rows apart.
    """

    name: str
    title: str
    fields: tuple[Field, ...]
    key: tuple[str, ...]
    licence: str
    attribution: str


_PARISH_ID: Final = Field("parish_id", "string", "Stable identifier of the parish")
_SITES: Final = "The parishes' own web sites, each named in source_url"
_MASS_FIELDS: Final = (
    Field("mass_id", "string", "Identifier of the row: of what it says"),
    _PARISH_ID,
    Field("days", "string", "Mo to Su, PH (holy day of obligation), AF (abolished feast), separated by spaces"),
    Field("time", "string", "Local clock time, HH:MM"),
    Field("season", "string", "all, a named season, or months MM-MM"),
    Field("nth", "string", "Ordinals of the weekday in its month as JSON; empty: every week"),
    Field("place", "string", "Place of the Mass; empty: the parish church"),
    Field("note", "string", "What the source says beside the hour"),
    Field("language", "string", "Language the words state; empty: not stated"),
    Field("kinds", "string", "Kinds the words state, separated by spaces"),
    Field("rite", "string", "Rite the words or the diocese state"),
    Field(
        "method",
        "string",
        "Who accepted the row: rules, classifier, both; person: given by the parish or a visitor, and approved; people: those "
        "who were asked about it",
    ),
    Field("confidence", "number", "Probability that the row is right"),
    Field("source_url", "string", "Page on which it was read"),
    Field("quote", "string", "The words on that page, at most 200 characters"),
    Field("page_sha256", "string", "SHA-256 of that page"),
    Field("fetched_at", "datetime", "When that page was fetched"),
    Field("checked_at", "datetime", "When its server last confirmed it"),
    Field("valid_from", "date", "First day of a dated row"),
    Field("valid_to", "date", "Last day of a dated row"),
    Field("exception", "string", "added, cancelled or only; empty: standing order"),
    Field("checked_people", "number", "How many people, certainly distinct ones, said that the row is right; empty: nobody"),
    Field("checked_on", "date", "Day on which that was settled"),
    Field("checked_by", "string", "Who said so: people, or the operator, who is one"),
    Field("season_days", "string", "First and last day of the season, MM-DD/MM-DD; empty: the season says it"),
)
_PARISH_FIELDS: Final = (
    _PARISH_ID,
    Field("diocese_key", "string", "Key of the diocese"),
    Field("state", "string", "Freshness of the order, or why none is known"),
    Field("checked_at", "datetime", "When the page of its order was last confirmed"),
    Field("site", "string", "The parish's own web site"),
    Field("service_times", "string", "The whole order in OpenStreetMap's syntax, hours open-ended (08:00+)"),
    Field("service_times_points", "string", "The same with hours as points of time (08:00)"),
    Field("service_times_note", "string", "What that syntax cannot say of the order, in words"),
    Field("source", "string", "Where the parish is listed"),
)
_NAME_FIELDS: Final = (
    Field("name", "string", "Dedication"),
    Field("town", "string", "Town or village"),
    Field("voivodeship", "string", "Voivodeship"),
    Field("postcode", "string", "Postcode"),
)
_POSITION_FIELDS: Final = (
    _PARISH_ID,
    Field("latitude", "number", "Latitude, WGS 84"),
    Field("longitude", "number", "Longitude, WGS 84"),
    Field("precision_m", "integer", "How far the church may be from that point, metres"),
    Field("position_method", "string", "Step of the ladder that gave the point"),
    Field("position_source_id", "string", "Object of the source"),
)
_WHEELCHAIR_FIELDS: Final = (
    Field("wheelchair", "string", "OpenStreetMap's tag: yes, limited, no"),
    Field("wheelchair_at", "date", "Day of the extract"),
)
_OCCURRENCE_FIELDS: Final = (
    _PARISH_ID,
    Field("mass_id", "string", "Row of masses"),
    Field("start", "string", "Local wall clock, Europe/Warsaw"),
    Field("flags", "integer", "Bits of what must be said beside it (docs/finding.md)"),
)
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
    names = ", ".join(_column(field) for field in table.fields)
    source = {
        "masses": "mass m JOIN parish p ON p.pk = m.parish",
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


def _column(field: Field) -> str:
    return f"m.{field.name}" if field in _MASS_FIELDS and field is not _PARISH_ID else f"p.{field.name}"


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
