"""Values of code that can be known without running it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from typing import Final

from tree_sitter import Node

LONGEST_TEXT: Final = 400_000  # characters of one value; texts joined to themselves would double without end

_LONGEST_NUMBER: Final = 15  # digits
_MOST_VALUES: Final = 20_000  # of one list with all that it holds


class Absent(Enum):
    """What has no value: `UNKNOWN` depends on more than the text, `NOTHING` is null, undefined or false."""

    UNKNOWN = 0
    NOTHING = 1


UNKNOWN: Final = Absent.UNKNOWN
NOTHING: Final = Absent.NOTHING


class Number(str):
    """A number, as a page shows it; it is added, compared and rounded as one."""

    __slots__ = ()


class Pattern(str):
    """A regular expression as it is written, `/:/g`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Markup:
    """Markup that a part of the code shows."""

    text: str


@dataclass(frozen=True, slots=True)
class Many:
    """One of several values, a click or the season decides which: all can be seen, under their labels if they have any."""

    values: tuple[Value, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Today:
    """The day on which a page is looked at."""


@dataclass(frozen=True, slots=True)
class Month:
    """The number of the present month, January as 1 + `shift`."""

    shift: int


@dataclass(frozen=True, slots=True)
class Months:
    """A condition that holds in these months, 1 to 12."""

    when: frozenset[int]


@dataclass(slots=True, eq=False)
class Element:
    """An element that a script makes (`tag`) or finds in the page (`tag` is "") and fills."""

    tag: str
    content: list[Value] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Scope:
    """Names and their values; `changing` are those that a visitor changes, `file` is set on the scope of a whole file.

    A value not yet asked for is the node that holds it, or the place that it is imported from.
    """

    outer: Scope | None = None
    names: dict[str, Value | Node | Imported] = field(default_factory=dict)
    changing: set[str] = field(default_factory=set)
    file: str = ""

    def holder(self, name: str) -> Scope | None:
        """The nearest scope that has the name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def whole_file(self) -> Scope:
        """The scope of the file that this one is in."""
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function and the scope it was written in."""

    node: Node
    scope: Scope


@dataclass(frozen=True, slots=True)
class Imported:
    """What another file of the site gives by a name; `*` is all that it gives."""

    file: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """A function that is not in the code: of a framework, or what shows a component of another file; it may have members."""

    call: Callable[[list[Value]], Value]
    members: Mapping[str, Value] = field(default_factory=dict)


Value = (
    str
    | bool
    | Markup
    | Many
    | Function
    | Native
    | Absent
    | Today
    | Month
    | Months
    | Element
    | list["Value"]
    | dict[str, "Value"]
)


def markup_of(value: Value) -> str:
    """What is seen where a page shows the value; objects and functions show nothing.

    >>> markup_of(["7:00", Markup("<b>8:00</b>"), UNKNOWN])
    '7:00<b>8:00</b>'
    """
    pieces: list[str] = []
    pending: list[Value] = [value]
    left = LONGEST_TEXT
    for _ in range(_MOST_VALUES):  # lists may hold one list many times over
        if not pending or left < 0:
            break
        one = pending.pop()
        if isinstance(one, list):
            pending.extend(reversed(one))
        elif isinstance(one, Many):
            pending.extend(reversed(_laid_out(one)))
        elif isinstance(one, Element):
            tags = (Markup(f"<{one.tag}>"), Markup(f"</{one.tag}>")) if one.tag else (Markup(""), Markup(""))
            pending.extend((tags[1], *reversed(one.content), tags[0]))
        elif isinstance(one, (str, Markup)):
            pieces.append(escape(one, quote=False) if isinstance(one, str) else one.text)
            left -= len(pieces[-1])
    return "".join(pieces)


def _laid_out(many: Many) -> list[Value]:
    """Each value in a box of its own under its label; texts with labels in one line."""
    if many.labels and all(isinstance(one, str) for one in many.values):
        return ["; ".join(f"{label} {one}" for label, one in zip(many.labels, many.values, strict=True))]
    pieces: list[Value] = []
    for place, one in enumerate(many.values):
        label = escape(many.labels[place], quote=False) if many.labels else ""
        pieces += [Markup(f"<div><h4>{label}</h4>" if label else "<div>"), one, Markup("</div> ")]
    return pieces


def joined(pieces: Sequence[str], mark: str = "") -> str:
    """Pieces joined, up to the longest text."""
    total, kept = 0, []
    for piece in pieces:
        total += len(piece) + len(mark)
        if total > LONGEST_TEXT:
            break
        kept.append(piece)
    return mark.join(kept)


def is_false(value: Value) -> bool:
    """Whether the value is known to be false."""
    return value is NOTHING or value is False or (isinstance(value, Number) and as_number(value) == 0) or value == ""


def is_true(value: Value) -> bool:
    """Whether the value is known to be true."""
    return value is not UNKNOWN and not isinstance(value, (Many, Today, Month, Months)) and not is_false(value)


def number(value: float) -> Number:
    """A number as JavaScript writes it.

    >>> number(8.0), number(7.5)
    ('8', '7.5')
    """
    return Number(int(value) if float(value).is_integer() else round(value, 6))


def as_number(value: Value) -> float | None:
    """The number that a value is or that its text spells; None for everything else."""
    if not isinstance(value, str) or len(value) > _LONGEST_NUMBER:
        return None
    try:
        return float(value) if value.strip().lstrip("-")[:1].isdecimal() else None
    except ValueError:
        return None


def from_data(data: object) -> Value:
    """A value of what JSON or YAML say; the keys of objects are texts.

    >>> from_data({"h": 8, "t": None})
    {'h': '8', 't': <Absent.NOTHING: 1>}
    """
    if isinstance(data, bool):
        return data
    if isinstance(data, (int, float)):
        return number(data) if abs(data) < 1e15 else UNKNOWN
    if isinstance(data, Mapping):
        return {str(key): from_data(one) for key, one in data.items()}
    if isinstance(data, list):
        return [from_data(one) for one in data]
    return data if isinstance(data, str) else NOTHING
