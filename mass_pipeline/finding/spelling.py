"""Words written as they sound: other spellings of a folded word that a Polish ear takes for it. No names here; see `places`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

_LEAST_LETTERS: Final = 4
_MOST_PLACES: Final = 6  # of a word where it may be spelt otherwise
_MOST_WRONG: Final = 2  # of these at once
# Written: meant, folded. Nasal vowels and ó by ear; letters of English keyboards and habits.
_ALIKE: Final = (
    ("on", "a"),
    ("om", "a"),
    ("en", "e"),
    ("em", "e"),
    ("u", "o"),
    ("rz", "z"),
    ("z", "rz"),
    ("sz", "rz"),
    ("ch", "h"),
    ("h", "ch"),
    ("v", "w"),
    ("f", "w"),
    ("sh", "sz"),
    ("tch", "cz"),
    ("ch", "cz"),
    ("x", "ks"),
    ("ks", "x"),
    ("ts", "c"),
)


def sounding_alike(word: str) -> Iterator[str]:
    """Other spellings of a folded word, those with one change first.

    >>> "sacz" in sounding_alike("soncz"), "wroclaw" in sounding_alike("vroclav"), "kolobrzeg" in sounding_alike("kolobzeg")
    (True, True, True)
    """
    if len(word) < _LEAST_LETTERS:
        return
    places = [
        (at, written, meant)
        for at in range(len(word))
        for written, meant in _ALIKE
        if word.startswith(written, at) and not (written in ("h", "z") and word[at - 1 : at] in ("c", "s", "r", "d"))
    ][:_MOST_PLACES]
    for count in range(1, _MOST_WRONG + 1):
        for chosen in itertools.combinations(places, count):
            if all(one[0] + len(one[1]) <= two[0] for one, two in itertools.pairwise(chosen)):
                yield _changed(word, chosen)


def _changed(word: str, chosen: tuple[tuple[int, str, str], ...]) -> str:
    for at, written, meant in reversed(chosen):
        word = word[:at] + meant + word[at + len(written) :]
    return word
