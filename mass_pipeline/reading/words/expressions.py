r"""Expressions over folded text whose words stand in the vocabulary: `expression(r"<the_mass> o <hour> <is_not>")`.

`<name>` is any form of a class of words (vocabulary/pl/_classes.toml), taken whole: "msza św." before "msza", never half a word.
The rest is written as `re` has it, without letters of Polish names of days, services or parts of the day. Belongs here: how a
class becomes a piece of an expression. Not here: the words (the file), what a match means (the grammars).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Final

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.words.folding import fold

_NAME: Final = re.compile(r"(?<!\(\?P)<([a-z_]+)>")
_BORDER: Final = r"\b"
_PIECES: Final = {"*": r"\w*", ".": r"(?:\.|\b)"}
_Trie = dict[str, "_Trie"]  # what may follow a piece; the empty piece ends a form


def expression(text: str) -> re.Pattern[str]:
    """Compile an expression with the classes it names.

    Raises:
        ConfigurationError: when it names a class that the vocabulary lacks.

    >>> expression(r"<weekday>,? <the_mass> o <hour>").search("w srode msza sw. o 8.00 i 9.00")[0]
    'srode msza sw. o 8.00'
    """
    return re.compile(_NAME.sub(lambda match: word_class(match[1]), text))


@cache
def word_class(name: str) -> str:
    """A class of words as a piece of an expression, without groups.

    Raises:
        ConfigurationError: when the vocabulary lacks it.
    """
    shape = _file()["shapes"].get(name)
    if shape is not None:
        return f"(?:{_NAME.sub(lambda match: word_class(match[1]), shape)})"
    return any_of(forms(name))


def any_of(forms: Iterable[str]) -> str:
    """Any of some forms, taken whole, as a piece of an expression without groups."""
    trie: _Trie = {}
    for form in dict.fromkeys(map(fold, forms)):
        node = trie
        for piece in form:
            node = node.setdefault(_PIECES.get(piece) or re.escape(piece), {})
        node.setdefault(_BORDER if form[-1].isalnum() else "", {})
    return rf"(?>\b{_written(trie)})"


def forms(name: str) -> tuple[str, ...]:
    """The forms of a class as the vocabulary writes them: `*` any ending, `.` an optional full stop."""
    lines = _file()["classes"].get(name)
    if lines is None:
        raise ConfigurationError(f"class of words {name!r}: vocabulary/pl/_classes.toml has none of that name")
    return tuple(_included(lines.split("\n")))


def _included(lines: Iterable[str]) -> Iterator[str]:
    for line in filter(None, map(str.strip, lines)):
        named = _NAME.fullmatch(line)
        if named:
            yield from forms(named[1])
        else:
            yield line


def _written(trie: _Trie) -> str:
    """The forms of a trie as an expression, longer ones first: any ending before all others where more words may follow."""
    longest = sorted(trie, key=lambda piece: piece != _PIECES["*"] or trie[piece].keys() == {""})
    branches = [piece + _written(trie[piece]) for piece in longest if trie[piece]]
    ends = [piece for piece, after in trie.items() if not after]
    every = [*branches, *sorted(ends, reverse=True)]
    return every[0] if len(every) == 1 else f"(?:{'|'.join(every)})" if every else ""


@cache
def _file() -> dict[str, dict[str, str]]:
    text = (
        resources.files("mass_pipeline.reading.words").joinpath("vocabulary", "pl", "_classes.toml").read_text(encoding="utf-8")
    )
    return tomllib.loads(text)
