"""Remarks of the grammar that take a season out of an hour which else holds all the year, and the seasons they mean."""

from __future__ import annotations

from typing import Final

# As `resolving.where` and `resolving.resolver` write them; the longer one first.
_LEFT_OUT: Final = (
    ("poza Adwentem", ("advent",)),
    ("poza Wielkim Postem", ("lent",)),
    ("nie w czasie kolędy", ("christmasvisits",)),
    ("poza majem i październikiem", ("may", "october")),
    ("poza majem", ("may",)),
    ("poza październikiem", ("october",)),
)


def left_out_seasons(note: str) -> tuple[str, ...]:
    """Seasons in which a Mass with this note is not said.

    >>> left_out_seasons("poza majem i październikiem, poza Adwentem"), left_out_seasons("suma")
    (('advent', 'may', 'october'), ())
    """
    found: list[str] = []
    for words, seasons in _LEFT_OUT:
        if words in note:
            found.extend(season for season in seasons if season not in found)
    return tuple(found)
