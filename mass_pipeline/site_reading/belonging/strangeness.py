"""How strange the words are that govern hours: an order of Masses is told everywhere in the same few words.

Whatever else a page tells (memories, tips, reports, jokes) is told in words that no order needs, in any language and any
wording. Belongs: counting them. Not here: what follows (`confidence`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Final

from mass_pipeline.language.folding import fold
from mass_pipeline.site_reading.belonging.context import Context, shortened
from mass_pipeline.site_reading.belonging.own_names import OwnNames

_FILE: Final = "familiar.toml"
_LETTERS: Final = 7  # by which words are compared
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


def strange_words(texts: Iterable[str], own: OwnNames) -> set[str]:
    """Words of some texts that are neither those of orders nor the parish's own names, folded and shortened.

    >>> sorted(strange_words(["Msze święte w niedziele", "Jak podaje tygodnik"], OwnNames()))
    ['podaje']
    """
    known = _familiar()
    found = {word for text in texts for word in _WORD.findall(fold(shortened(text)))}
    return {word[:_LETTERS] for word in found if word[:_LETTERS] not in known and not (own and own.has(word))}


def strange_in_heading(context: Context, own: OwnNames) -> int:
    """Strange words in the two headings above and in the lines that lead to the hours."""
    return len(strange_words((*context.headings[-2:], context.lead), own))


def strange_in_line(context: Context, own: OwnNames) -> int:
    """Strange words in the line itself and at the beginning of its row."""
    return len(strange_words((context.own, context.cell), own))


@cache
def _familiar() -> frozenset[str]:
    text = resources.files(__package__).joinpath(_FILE).read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["words"].split())
