"""What a table is: columns with types, units and meanings, and a total key. The tables themselves stand in `columns`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its Arrow type, its unit ("" when none applies), what it means, and whether it may be null."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str = ""
    nullable: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A published table: its columns in order and the total key by which rows are unique and sorted.

    Attributes:
        is_partitioned: one part for each diocese.
        same_as: table from which columns of the same name are taken over.
        made_of: column -> columns it is made of, as `table.column`; those from outside the project have no entry.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    is_partitioned: bool = False
    same_as: str | None = None
    made_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)

    @property
    def schema(self) -> pa.Schema:
        """Arrow schema with the meanings as field metadata."""
        fields = [
            pa.field(c.name, c.type, nullable=c.nullable, metadata={"meaning": c.meaning, "unit": c.unit}) for c in self.columns
        ]
        return pa.schema(fields, metadata={"table": self.name, "key": ",".join(self.key)})

    @property
    def names(self) -> list[str]:
        """Column names in order."""
        return [c.name for c in self.columns]
