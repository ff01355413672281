"""What the words around the name of a Mass, a devotion or a negation make of it: a Mass, one that is known, or a remark.

Belongs here: questions about the tokens on either side. Not here: which nodes come of it (`chunker`).
"""

from __future__ import annotations

from typing import Final

from mass_pipeline.reading.phrases.cursor import Cursor
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexer import Token

_THEREUPON: Final = ("po niej", "po nim", "po nich", "po kt")  # folded: "after it"
_MASSES: Final = ("msza", "msze", "euchar", "sum")  # folded: not "po niej Mszy"


def is_mass_thereafter(cursor: Cursor, position: int, lead: Token) -> bool:
    """Whether at a position stands the Mass that follows, rather than more of the remark.

    Args:
        cursor: the tokens of the line.
        position: of the token in question.
        lead: what begins the remark.
    """
    mass = cursor.tokens[position]
    if mass.value != "mass" or not fold(mass.text).startswith(_MASSES) or not fold(lead.text).startswith(_THEREUPON):
        return False
    return cursor.is_kind(cursor.skip(position + 1, "glue", "hour"), "clock")


_FARTHEST: Final = 20  # tokens looked back on for the verb
_GATHER: Final = ("gromadz", "zbiera", "spotyka")  # folded: "w niedzielę gromadzimy się na Mszy świętej o 10.00"
_ENDS_LACK: Final = frozenset({"comma", "semicolon", "stop", "close", "bar", "and", "clock", "hour"})


def lacks_something_else(cursor: Cursor, position: int, token: Token) -> bool:
    """`w wakacje bez zespołu`: what is missing is neither the Mass nor its hour."""
    lacked = cursor.at(position)
    if lacked is None or token.text.lower() != "bez" or lacked.kind not in ("word", "kind") or lacked.value == "mass":
        return False
    if fold(lacked.text).split()[0].endswith(("ej", "ich", "ych")):  # "bez porannej"
        return False
    behind = next((other for other in cursor.tokens[position:] if other.kind in _ENDS_LACK), None)
    return behind is None or behind.kind not in ("clock", "hour")


def is_outside_masses(cursor: Cursor, position: int, token: Token) -> bool:
    """`Chrzest: niedziele, godz. 13.15 (poza Mszą św.)`: not at a Mass; in `poza Mszą o 12.30` an hour is left out."""
    mass = cursor.at(position)
    if mass is None or token.text.lower() != "poza" or mass.kind != "kind" or mass.value != "mass":
        return False
    return cursor.at(position + 1) is None or cursor.is_kind(position + 1, "close", "comma", "semicolon", "stop")


def says_at_what_time(cursor: Cursor, position: int, token: Token) -> bool:
    """`15.00 – w Godzinie Miłosierdzia`: after the hour of a Mass the name of the hour is no devotion."""
    before = cursor.at(position - 2)
    if not fold(token.text).startswith("godzin") or before is None or before.text.lower() not in ("w", "o"):
        return False
    earlier = cursor.tokens[: position - 2]
    return any(other.is_time for other in earlier) and not any(
        other.kind == "kind" and other.value == "devotion" for other in earlier
    )


def is_at_known_mass(cursor: Cursor, position: int, token: Token) -> bool:
    """`Na Mszy o 10.00 poświęcenie wieńców`: something else at a Mass that is known."""
    before = cursor.at(position - 2)
    if before is None or before.text.lower() != "na" or not fold(token.text).startswith(("mszy", "mszach")):
        return False
    for earlier in reversed(cursor.tokens[max(0, position - _FARTHEST) : position - 2]):
        if earlier.kind in ("semicolon", "stop") or fold(earlier.text).startswith(_GATHER):
            return earlier.kind in ("semicolon", "stop")
    return True


def is_during_mass(cursor: Cursor, position: int) -> bool:
    """`podczas każdej Mszy świętej` speaks of something else that happens then."""
    before = {fold(t.text) for t in cursor.tokens[max(0, position - 4) : position - 1]}
    nearest = cursor.at(position - 2)
    in_its_time = nearest is not None and fold(nearest.text).endswith("czasie")  # but "w czasie wakacji Msza o 8.00"
    in_its_time = in_its_time and not cursor.is_kind(position, "open")  # "w czasie Mszy (7.00, 9.00)"
    return in_its_time or bool(before & {"podczas", "trakcie", "kazdej", "kazda", "wahrend", "jeder"})


def is_at_its_hour(cursor: Cursor, position: int) -> bool:
    """`Chrzty: podczas Mszy św. o 10.00 i 12.00`: the hours are those of Masses that are known."""
    before = {fold(t.text) for t in cursor.tokens[max(0, position - 4) : position - 1]}
    return not before & {"kazdej", "kazda", "jeder"} and cursor.is_kind(cursor.skip(position, "glue", "hour"), "clock")
