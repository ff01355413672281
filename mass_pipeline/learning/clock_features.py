"""What the marked hour itself says: its plausibility as the start of a Mass, how it is written, and what kind of block.

Belongs: names of features of one cell. Not here: the words around it and the gaps to other hours (features).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from mass_pipeline.learning.tokens import Hashes, hash_text

_SHAPES: Final = str.maketrans({"–": "-", "—": "-", "„": '"', "”": '"', "\u00a0": " "})
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGIT: Final = re.compile("[0-9]")
_ROUND: Final = ("00", "15", "30", "45")
_MOST_INDEX: Final = 6
_PAGE_STEPS: Final = 4


def coded(values: npt.NDArray[np.generic], names: Callable[[Any], Sequence[str]]) -> tuple[Hashes, int]:
    """Hashes of the features of each value, each distinct value named once.

    Returns:
        `(n * k,)` hashes in the order of the values, and k, how many features a value has.
    """
    place, distinct = pd.factorize(values)
    codes = np.array([[hash_text(name) for name in names(value)] for value in distinct], dtype=np.uint64)
    return codes[place].ravel(), codes.shape[-1] if len(place) else 0


def time_names(time: str) -> list[str]:
    """Hour of the day, kind of minute, and both in tens of minutes, of `HH:MM`.

    >>> time_names("18:30")
    ['hour 18', 'minute 30', 'clock 18 3']
    """
    hour, _, minute = time.partition(":")
    kind = minute if minute in _ROUND else "five" if minute[-1:] in ("0", "5") else "odd"
    return [f"hour {hour}", f"minute {kind}", f"clock {hour} {minute[:1]}"]


def raw_names(raw: str) -> list[str]:
    """How the hour is written, digits as zeros."""
    return [f"written {shape(raw)[:8]}"]


def block_names(block: str) -> list[str]:
    """Kind of block and part of the page of `kind/region`."""
    kind, _, region = block.partition("/")
    return [f"kind {kind}", f"region {region}"]


def edge_names(edge: str) -> list[str]:
    """The two characters before and the two after the hour, joined by a tab, as shapes."""
    before, _, behind = edge.partition("\t")
    return [f"before {shape(before)}", f"behind {shape(behind)}", f"around {shape(before[-1:])}{shape(behind[:1])}"]


def index_names(index: float) -> list[str]:
    """Place in the list of hours."""
    return [f"index {min(int(index), _MOST_INDEX)}"]


def page_names(score: float) -> list[str]:
    """Quarter of the page score, 0 to 3."""
    return [f"page {min(max(int(score * _PAGE_STEPS), 0), _PAGE_STEPS - 1)}"]


@lru_cache(maxsize=4096)  # the neighbours of an hour are few: a pair of marks, a space and a letter
def shape(text: str) -> str:
    """Letters as `a`, digits as `0`, the rest as it stands."""
    return _DIGIT.sub("0", _LETTER.sub("a", text.translate(_SHAPES)))
