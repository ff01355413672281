"""The dictionary of the index: each column once, as a field of the record that it is read into.

Tables of the index and open data are made of it, and the objects of the API mean what their columns mean. Belongs: what a column
is. Not here: the records (`records`), the other tables (`schema`), the objects of the API (`public_web.api_models`).
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Final, Literal

Kind = Literal["string", "number", "integer", "date", "datetime", "boolean"]
_KINDS: Final[Mapping[type, Kind]] = {str: "string", float: "number", int: "integer", bool: "boolean"}
_SQL: Final[Mapping[Kind, str]] = {"number": "REAL", "integer": "INTEGER", "boolean": "INTEGER", "datetime": "INTEGER"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the index.

    Attributes:
        kind: of its values; moments are stored as seconds since 1970, days as ISO text.
        meaning: for readers of the open data and of the API; "" where neither has it.
    """

    name: str
    kind: Kind
    is_nullable: bool
    meaning: str

    @property
    def sql(self) -> str:
        """Its line in CREATE TABLE."""
        return f"{self.name} {_SQL.get(self.kind, 'TEXT')}{'' if self.is_nullable else ' NOT NULL'}"


def column(meaning: str = "", *, kind: Kind | None = None, default: object = MISSING) -> Any:
    """A field of a record that is a column; its kind follows from its type where none is given."""
    return field(default=default, metadata={"meaning": meaning, "kind": kind})


def columns_of(record: type) -> dict[str, Column]:
    """Columns of a record by name, in their order in the table.

    >>> @dataclass
    ... class Town:
    ...     name: str = column("What it is called")
    ...     founded: str | None = column(kind="date")
    >>> [one.sql for one in columns_of(Town).values()]
    ['name TEXT NOT NULL', 'founded TEXT']
    """
    hints = typing.get_type_hints(record)
    found = {}
    for one in fields(record):
        options = typing.get_args(hints[one.name]) if isinstance(hints[one.name], types.UnionType) else (hints[one.name],)
        kind = one.metadata.get("kind") or next(_KINDS[option] for option in options if option in _KINDS)
        found[one.name] = Column(one.name, kind, type(None) in options, one.metadata.get("meaning", ""))
    return found


def create_table(name: str, columns: Mapping[str, Column], constraints: Mapping[str, str]) -> str:
    """The statement that makes the table of a record; `constraints` are appended to columns (PRIMARY KEY, UNIQUE)."""
    lines = (f"{one.sql} {constraints.get(one.name, '')}".rstrip() for one in columns.values())
    return f"CREATE TABLE {name} ({', '.join(lines)});\n"
