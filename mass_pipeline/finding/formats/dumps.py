"""Files of the open data, written into a folder: tables as Parquet, CSV and JSON Lines, points as GeoJSON, the index itself.

The same index gives the same bytes. In CSV only, a text that a spreadsheet would take for a formula begins with an apostrophe.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import hashlib
import io
import sqlite3
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Final

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from mass_pipeline.finding.formats.datapackage import datapackage
from mass_pipeline.finding.formats.dump_tables import DumpTable, Value, rows_of, tables
from mass_pipeline.finding.formats.geojson import parishes_geojson
from mass_pipeline.finding.index.changes import CHANGE
from mass_pipeline.finding.index.library import connect
from mass_pipeline.finding.index.records import ParishRecord

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_DATABASE: Final = "mass-times.sqlite"
_AFFINITY: Final = {"number": "REAL", "integer": "INTEGER", "boolean": "INTEGER"}
_ARROW: Final = {
    "string": pa.string(),
    "date": pa.string(),
    "datetime": pa.string(),
    "number": pa.float64(),
    "integer": pa.int64(),
}


def write_dumps(
    index: Path, folder: Path, *, today: date, built_at: datetime, licence: str, directory_confirmed: bool, address: str
) -> int:
    """Write all files.

    Args:
        index: the index they are made of.
        folder: an empty folder.
        today: first day of the occurrences.
        built_at: moment of the data.
        licence: of schedules and quotes (SPDX).
        directory_confirmed: whether names of the directory may stand in bulk files.
        address: of the site, for the descriptions; "" when it is not known.

    Returns:
        how many files were written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chosen = tables(licence, directory_confirmed)
    with contextlib.closing(connect(index)) as connection:
        rows_by_table = [(table, list(rows_of(connection, table, today))) for table in chosen]
        for table, rows_of_it in rows_by_table:
            _write_table(folder, table, rows_of_it)
        _write_database(folder, rows_by_table)
        _write_changes(folder, connection)
        if directory_confirmed:
            rows = connection.execute("SELECT * FROM parish ORDER BY pk")
            _gzip(folder / "parishes.geojson.gz", parishes_geojson(ParishRecord.of(row) for row in rows))
            (folder / "finding.sqlite.zst").write_bytes(zstandard.ZstdCompressor(level=9).compress(index.read_bytes()))
    described = {path.name: _described(path) for path in sorted(folder.iterdir())}
    package = datapackage(chosen, described, built_at, licence, address)
    (folder / "datapackage.json").write_bytes(orjson.dumps(package, option=orjson.OPT_INDENT_2))
    sums = "".join(f"{_described(path)[1]}  {path.name}\n" for path in sorted(folder.iterdir()))
    (folder / "SHA256SUMS").write_text(sums, encoding="ascii")
    return len(list(folder.iterdir()))


def _write_table(folder: Path, table: DumpTable, rows: Sequence[tuple[Value, ...]]) -> None:
    names = [field.name for field in table.fields]
    schema = pa.schema(
        [pa.field(field.name, _ARROW[field.kind], metadata={"meaning": field.meaning}) for field in table.fields],
        metadata={"licence": table.licence, "attribution": table.attribution},
    )
    columns = [[row[at] for row in rows] for at in range(len(names))]
    arrow = pa.table([pa.array(column, type=field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)
    pq.write_table(arrow, folder / f"{table.name}.parquet", compression="zstd")
    if table.name.startswith("occurrences"):
        return  # many rows that rules say shorter: one form is enough
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")  # RFC 4180
    writer.writerow(names)
    writer.writerows([csv_cell(value) for value in row] for row in rows)
    _gzip(folder / f"{table.name}.csv.gz", text.getvalue().encode())
    lines = b"".join(orjson.dumps(dict(zip(names, row, strict=True)), option=orjson.OPT_APPEND_NEWLINE) for row in rows)
    _gzip(folder / f"{table.name}.jsonl.gz", lines)


def _write_database(folder: Path, rows_by_table: Sequence[tuple[DumpTable, Sequence[tuple[Value, ...]]]]) -> None:
    """All tables as one SQLite database, with what their columns mean and their licences; names with hyphens get underscores."""
    path = folder / _DATABASE
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE about (name TEXT, field TEXT, meaning TEXT, licence TEXT, attribution TEXT)")
        for table, rows in rows_by_table:
            name = table.name.replace("-", "_")
            columns = ", ".join(f'"{field.name}" {_AFFINITY.get(field.kind, "TEXT")}' for field in table.fields)
            key = ", ".join(f'"{one}"' for one in table.key)
            connection.execute(f'CREATE TABLE "{name}" ({columns})')
            connection.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(table.fields))})', rows)  # noqa: S608
            connection.execute(f'CREATE INDEX "{name}_key" ON "{name}" ({key})')
            about = [(name, field.name, field.meaning, table.licence, table.attribution) for field in table.fields]
            connection.executemany("INSERT INTO about VALUES (?, ?, ?, ?, ?)", [(name, "", table.title, *about[0][3:]), *about])
        connection.execute("COMMIT")
    _gzip(path.with_suffix(".sqlite.gz"), path.read_bytes())
    path.unlink()


def csv_cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula.

    >>> csv_cell("=HYPERLINK(1)"), csv_cell(-1.5)
    ("'=HYPERLINK(1)", -1.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _write_changes(folder: Path, connection: sqlite3.Connection) -> None:
    rows = connection.execute(f"SELECT {', '.join(CHANGE)} FROM change ORDER BY pk").fetchall()  # noqa: S608 - constants
    lines = b"".join(orjson.dumps(dict(zip(CHANGE, row, strict=True)), option=orjson.OPT_APPEND_NEWLINE) for row in rows)
    _gzip(folder / "changes.jsonl.gz", lines)
    listed = "".join(
        f"- {row['seen_at'][:10]} {row['parish_id']} {row['kind']}: {row['before']} -> {row['after']}\n" for row in rows
    )
    (folder / "CHANGES.md").write_text(f"# Changes\n\n{listed or 'None since the last generation.'}\n", encoding="utf-8")


def _gzip(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def _described(path: Path) -> tuple[int, str]:
    content = path.read_bytes()
    return len(content), hashlib.sha256(content).hexdigest()
