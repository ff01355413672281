"""The lake: Parquet tables, one part per partition, replaced as a whole or not at all. Knows no Dagster.

Belongs here: explicit schemas, order, publication, lazy reading. Not here: where parts lie and how they are replaced (`parts`:
files of a folder, or object storage), what the rows mean.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import pyarrow as pa
import pyarrow.parquet as pq

from mass_pipeline.model.errors import BadInput, StorageError
from mass_pipeline.model.table import Table
from mass_pipeline.resources.parts import FILE, FolderParts, Part, PartStore, WrittenPart, file_part, storage_errors
from mass_pipeline.storage.opening import is_remote

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow.compute as pc

    from mass_pipeline.resources.settings import Settings

_ROWS_PER_CHUNK: Final = 2_000

Chunks = Iterable[pa.Table]
PartitionKey = str | None  # None: the table is not partitioned
IsFit = Callable[[PartitionKey, "TableReader"], bool]


def open_lake(settings: Settings) -> Lake:
    """The lake of these settings: in the data folder, or in object storage."""
    shared = settings.shared
    if isinstance(shared, str) and is_remote(shared):
        from mass_pipeline.resources.cloud_parts import CloudParts  # one machine alone needs no client of object storage

        return Lake(CloudParts(shared, settings.data_folder / "outgoing"))
    return Lake(Path(shared) / "lake")


def table_of(table: Table, rows: Iterable[Mapping[str, object]]) -> pa.Table:
    """An Arrow table with exactly the columns of `table`, sorted by its key; no rows give an empty typed table.

    Raises:
        BadInput: a value does not fit its column, or a column that may not be empty is.
    """
    kept = [{name: row.get(name) for name in table.names} for row in rows]
    kept.sort(key=lambda row: _comparable(tuple(row[name] for name in table.key)))
    try:
        made = pa.Table.from_pylist(kept, schema=table.schema)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise BadInput(f"{table.name}: a value does not fit its column: {error}") from error
    _require_values(table, made)
    return made


def _require_values(table: Table, chunk: pa.Table) -> None:
    for column in table.columns:
        if not column.nullable and chunk.column(column.name).null_count:
            raise BadInput(f"{table.name}: column {column.name} ({column.meaning}) is empty in some rows.")


def _comparable(value: object) -> tuple[Any, ...]:
    """Order of key values: nothing first, then by value; sequences element by element."""
    if value is None:
        return (0,)
    if isinstance(value, tuple | list):
        return (1, tuple(_comparable(part) for part in value))
    return (1, value)


class Lake:
    """The published tables.

    Args:
        where: a folder of this machine (or of a shared file system), or a store of parts.
    """

    def __init__(self, where: Path | PartStore) -> None:
        self._parts: PartStore = FolderParts(where) if isinstance(where, Path) else where

    @property
    def root(self) -> Path:
        """The folder, where the lake is one."""
        assert isinstance(self._parts, FolderParts)
        return self._parts.root

    @property
    def is_fenced(self) -> bool:
        """Whether publications are ordered by a fence (see `publish`)."""
        return self._parts.is_fenced

    def path(self, table: Table, key: PartitionKey = None) -> Path:
        """Where a table, or one partition of it, stands, where the lake is a folder."""
        return self.root / _name(table, key) / FILE

    def part_name(self, table: Table, key: PartitionKey = None) -> str:
        """A table, or one partition of it, as people read it: relative to the data folder."""
        return f"lake/{_name(table, key)}"

    def has(self, table: Table, key: PartitionKey = None) -> bool:
        """Whether a table, or one partition of it, was published."""
        return self._parts.find(_name(table, key)) is not None

    def publish(
        self, table: Table, parts: Mapping[PartitionKey, Chunks], fence: int | None = None, is_fit: IsFit | None = None
    ) -> list[WrittenPart]:
        """Write all parts aside, then put each in its place with one step.

        Args:
            table: names, types and key of the rows.
            parts: partition -> its rows in chunks, sorted by the key over all chunks; consumed one after the other.
            fence: grows from run to run. Where the lake is fenced, who was cut off and comes back with an older one publishes
                nothing; None: whoever published meanwhile wins.
            is_fit: looks at the rows of a part before it is put in its place; where it says no, the earlier part stays.

        Returns:
            One entry per part that was published, in the order given.

        Raises:
            BadInput: rows out of order, a key used twice, or values that do not fit; nothing was replaced.
            StorageError: the disk is full or refuses, or somebody else has published meanwhile; nothing was replaced.
        """
        found = {_name(table, key): self._parts.find(_name(table, key)) for key in parts} if self.is_fenced else {}
        written: dict[str, tuple[Path, WrittenPart]] = {}
        with self._parts.asides() as asides:
            for key, chunks in parts.items():
                aside = asides(_name(table, key))
                part = _write(table, key, chunks, aside, self._parts.place(_name(table, key)))
                if is_fit is None or is_fit(key, TableReader(table, {key: file_part(aside)})):
                    written[_name(table, key)] = (aside, part)
            self._parts.replace(written, {name: part.stamp if part else "" for name, part in found.items()}, fence)
        return [part for _, part in written.values()]

    def reader(self, table: Table, keys: Sequence[str] | None = None) -> TableReader:
        """Rows of a whole table (`keys` None) or of some partitions; nothing is opened yet.

        Raises:
            StorageError: a part is missing.
        """
        wanted: Sequence[PartitionKey] = [None] if keys is None else keys
        found = self.published(table, keys)
        for key in wanted:
            found.require(key)
        return found

    def published(self, table: Table, keys: Sequence[str] | None = None) -> TableReader:
        """As `reader`, of all partitions where `keys` is None; what was never published has no rows."""
        wanted: Sequence[PartitionKey] = (self.partitions(table) or [None]) if keys is None else keys
        parts = ((key, self._parts.find(_name(table, key))) for key in wanted)
        return TableReader(table, {key: part for key, part in parts if part is not None})

    def partitions(self, table: Table) -> list[str]:
        """Keys of the published partitions of a table, sorted; empty when there are none."""
        return [name.partition("diocese=")[2] for name in self._parts.partitions(table.name)]

    def made_at(self, table: Table) -> dict[str, datetime]:
        """When each published partition was put in its place, aware UTC; a whole table has the one key ""."""
        found = {key: self._parts.find(_name(table, key or None)) for key in [*self.partitions(table), ""]}
        return {key: part.made_at for key, part in found.items() if part is not None and part.made_at is not None}

    def total_rows(self, table: Table) -> int:
        """Rows of all published partitions, or of the whole table; a file that cannot be read counts for nothing."""
        parts = [self._parts.find(_name(table, key)) for key in [*self.partitions(table), None]]
        return sum(_rows_of(part) for part in parts if part is not None)


def _name(table: Table, key: PartitionKey) -> str:
    """`table`, or `table/diocese=key`: what every Parquet reader takes for a Hive partition."""
    return table.name if key is None else f"{table.name}/diocese={key}"


@dataclass(frozen=True, slots=True)
class TableReader:
    """Published rows, read when asked for: columns are projected in the file, chunks stay small."""

    table: Table
    parts: Mapping[PartitionKey, Part]
    holds: pc.Expression | None = None

    def of(self, key: str) -> TableReader:
        """The rows of one partition; none when it was not published. A whole table stays whole."""
        return self if None in self.parts else replace(self, parts={key: self.parts[key]} if key in self.parts else {})

    def required(self, key: str) -> TableReader:
        """The rows of one partition.

        Raises:
            StorageError: it was never published.
        """
        self.require(key)
        return self.of(key)

    def require(self, key: PartitionKey) -> None:
        """Refuse to go on without a partition, or without the whole table (None).

        Raises:
            StorageError: it was never published.
        """
        if key not in self.parts and None not in self.parts:
            raise StorageError(
                f"{self.table.name}: lake/{_name(self.table, key)} is missing. Materialize {self.table.name} first (for that "
                "diocese), or make the whole chain: mass_schedules_job, in the demo mass-pipeline demo."
            )

    def chunks(self, columns: Sequence[str] | None = None, rows_per_chunk: int = _ROWS_PER_CHUNK) -> Iterator[pa.Table]:
        """The rows in order of the files, at most `rows_per_chunk` at once.

        A part written before a column was added holds nothing in it, where the column may be empty.

        Raises:
            StorageError: a file is damaged (page checksums are verified) or cannot be read.
        """
        for part in self.parts.values():
            try:
                with part.opened() as file, pq.ParquetFile(file, page_checksum_verification=True) as parquet:
                    for batch in parquet.iter_batches(rows_per_chunk, columns=list(columns) if columns else None):
                        chunk = _with_new_columns(self.table, pa.Table.from_batches([batch]), columns)
                        yield chunk if self.holds is None else chunk.filter(self.holds)
            except (pa.ArrowException, OSError) as error:
                raise StorageError(
                    f"{self.table.name}: {part.place} cannot be read ({' '.join(str(error).split())}). "
                    "Materialize that partition again; others are not affected."
                ) from error

    def arrow(self, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows at once; the empty table keeps its columns."""
        schema = self.table.schema
        wanted = schema if columns is None else pa.schema([schema.field(name) for name in columns])
        return pa.concat_tables([wanted.empty_table(), *(chunk.cast(wanted) for chunk in self.chunks(columns))])

    def frame(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The rows of `arrow` as a data frame; the empty frame keeps its columns."""
        return cast("pd.DataFrame", self.arrow(columns).to_pandas())

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, object]]:
        """Row after row as dictionaries, chunk by chunk."""
        for chunk in self.chunks(columns):
            yield from chunk.to_pylist()

    def among(self, parishes: Collection[str]) -> TableReader:
        """The rows of some parishes alone; `parish_id` must be among the columns that are read."""
        import pyarrow.compute as pc  # heavy

        return self.where(pc.field("parish_id").isin(pa.array(sorted(parishes), pa.string())))

    def where(self, holds: pc.Expression) -> TableReader:
        """Those rows alone for which it holds; what it looks at must be among the columns that are read."""
        return replace(self, holds=holds)

    def __len__(self) -> int:
        return sum(self._metadata(part).num_rows for part in self.parts.values())

    def schemas(self) -> Iterator[tuple[str, pa.Schema]]:
        """Where each part lies, and the schema it was written with."""
        return ((part.place, self._metadata(part).schema.to_arrow_schema()) for part in self.parts.values())

    def _metadata(self, part: Part) -> pq.FileMetaData:
        with part.opened() as file:
            return pq.read_metadata(file)


def _with_new_columns(table: Table, chunk: pa.Table, columns: Sequence[str] | None) -> pa.Table:
    """The chunk with those columns empty that an earlier version of the table had not yet."""
    wanted = table.names if columns is None else columns
    for column in table.columns:
        if column.name in wanted and column.nullable and column.name not in chunk.schema.names:
            chunk = chunk.append_column(table.schema.field(column.name), pa.nulls(chunk.num_rows, column.type))
    return chunk.select([name for name in wanted if name in chunk.schema.names])


def _write(table: Table, key: PartitionKey, chunks: Chunks, aside: Path, place: str) -> WrittenPart:
    rows, preview = 0, table.schema.empty_table()
    last: tuple[Any, ...] | None = None
    with storage_errors(place):
        aside.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("wb") as file, pq.ParquetWriter(file, table.schema, compression="zstd", write_page_checksum=True) as to:
            for chunk in chunks:
                fitting = _fit(table, chunk)
                last = _require_order(table, fitting, last)
                rows += fitting.num_rows
                if preview.num_rows == 0:
                    preview = fitting.slice(0, 5)
                to.write_table(fitting)
        with aside.open("rb") as written:
            os.fsync(written.fileno())
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        return WrittenPart(key, place, rows, aside.stat().st_size, digest, preview)


def _fit(table: Table, chunk: pa.Table) -> pa.Table:
    try:
        fitting = chunk.select(table.names).cast(table.schema)
    except (KeyError, pa.ArrowException, ValueError) as error:
        raise BadInput(f"{table.name}: the rows have not the columns of model/columns.py: {error}") from error
    _require_values(table, fitting)
    return fitting


def _require_order(table: Table, chunk: pa.Table, last: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    keys = zip(*(chunk.column(name).to_pylist() for name in table.key), strict=True)
    for key in keys:
        comparable = _comparable(key)
        if last is not None and not last < comparable:
            fault = "twice" if last == comparable else "out of order"
            raise BadInput(f"{table.name}: the key {dict(zip(table.key, key, strict=True))} stands {fault}.")
        last = comparable
    return last


def _rows_of(part: Part) -> int:
    try:
        return part.rows()
    except (pa.ArrowException, OSError):
        return 0
