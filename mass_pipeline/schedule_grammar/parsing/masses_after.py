"""Masses that follow upon something else, with an hour of their own: `o 17.30 nowenna, po niej Msza św. o 18.00`."""

from __future__ import annotations

from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.language.lexer import Token
from mass_pipeline.schedule_grammar.parsing.cursor import Cursor

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
