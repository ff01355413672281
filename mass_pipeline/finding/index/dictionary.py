"""The dictionary of the index: each column once, as a field of the record that it is read into.

Tables of the index, open data, and the JSON of the API with its schemas are made of it, so that a column is added in one place
(and filled in `building`). Belongs: what a column and a JSON object are. Not here: the records (`records`), the other tables
(`schema`), the objects of the API (`public_web.api_shapes`).
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import date, time
from operator import attrgetter
from typing import Any, Final, Literal

Json = dict[str, Any]
Kind = Literal["string", "number", "integer", "date", "datetime", "boolean"]
_KINDS: Final[Mapping[type, Kind]] = {str: "string", float: "number", int: "integer", bool: "boolean"}
_FORMATS: Final[Mapping[Kind, str]] = {"datetime": "date-time", "date": "date"}
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

    def schema(self, or_null: bool = False) -> Json:
        """JSON Schema of its values; `or_null` where JSON has null for an empty text."""
        form = _FORMATS.get(self.kind)
        kind = "string" if form else self.kind
        found: Json = {"type": [kind, "null"] if self.is_nullable or or_null else kind}
        return described({**found, **({"format": form} if form else {})}, self.meaning)


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


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a JSON object: the schema of its values, and its value of the thing that the object is made of."""

    schema: Json
    value: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Shape:
    """A JSON object: what it is made of a thing and its schema come of the same members, each in every object.

    Attributes:
        members: by name, in order.
        name: of its schema in a description of several; "" where it stands in its only owner.
    """

    members: Mapping[str, Member]
    name: str = ""

    @property
    def schema(self) -> Json:
        """JSON Schema of the objects."""
        properties = {name: member.schema for name, member in self.members.items()}
        return {"type": "object", "required": list(properties), "additionalProperties": False, "properties": properties}

    @property
    def ref(self) -> Json:
        """The schema where the objects stand in others: by its name, if it has one."""
        return {"$ref": f"#/components/schemas/{self.name}"} if self.name else self.schema

    def of(self, thing: Any) -> Json:
        """The object of a thing."""
        return {name: _plain(member.value(thing)) for name, member in self.members.items()}

    def here(self, value: Callable[[Any], object], meaning: str = "") -> Member:
        """One such object as a member of another."""
        return Member(described(self.ref, meaning), lambda thing: self.of(value(thing)))

    def or_null(self, value: Callable[[Any], object | None], meaning: str = "") -> Member:
        """The same, null where there is no thing."""
        schema = described({"anyOf": [self.ref, {"type": "null"}]}, meaning)
        return Member(schema, lambda thing: None if (found := value(thing)) is None else self.of(found))

    def each(self, value: Callable[[Any], Any], meaning: str = "") -> Member:
        """A list of them."""
        return Member(described({"type": "array", "items": self.ref}, meaning), lambda thing: [*map(self.of, value(thing))])


def described(schema: Json, meaning: str) -> Json:
    """The schema with what its values mean; as it is where nothing is said."""
    return {**schema, "description": meaning} if meaning else schema


def members(columns: Mapping[str, Column], names: str, *, of: str = "", or_null: bool = False) -> dict[str, Member]:
    """Columns as members of an object.

    Args:
        columns: of a record.
        names: of those meant, with spaces; `place=town_key` gives one another name.
        of: attribute of the thing that has them ("row.mass"); "" for the thing itself.
        or_null: whether an empty text is null.

    >>> @dataclass
    ... class Town:
    ...     name: str = column("What it is called")
    >>> Shape(members(columns_of(Town), "town=name", or_null=True)).of(Town(""))
    {'town': None}
    """
    found = {}
    for name, _, own in (one.partition("=") for one in names.split()):
        read = attrgetter(".".join(filter(None, (of, own or name))))
        schema = columns[own or name].schema(or_null)
        found[name] = Member(schema, _or_none(read) if or_null else read)
    return found


def _or_none(read: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda thing: read(thing) or None


def _plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, time):
        return value.isoformat("minutes")
    if isinstance(value, date):
        return value.isoformat()
    return [*map(_plain, value)] if isinstance(value, tuple) else value
