"""Which towns a name may mean that was typed by itself: exactly, declined, begun or mistyped; for lists to choose from.

Names inside questions, where other words decide too: `questions.where`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mass_pipeline.finding.places import Places, Town, Words, name_words
from mass_pipeline.finding.questions.hits import FIRST_LETTER_WRONG

Why = Literal["exact name", "form of the name", "nearly so", "begins so"]
_LONG: Final = 5  # letters from which two may be wrong
_LEAST_BEGUN: Final = 3
_OF_WHY: Final = {"exact name": 1.0, "form of the name": 0.9, "begins so": 0.75}
_OF_WRONG_LETTERS: Final = {0: 0.8, 1: 0.7, 2: 0.6}  # none: gaps alone differ


@dataclass(frozen=True, slots=True)
class Candidate:
    """A town that may be meant; `score` from 1 (its name, letter for letter) down, for comparing."""

    town: Town
    score: float
    why: Why


def candidates(words: str, places: Places, most: int = 20) -> list[Candidate]:
    """Towns with parishes that the words may name, the likeliest first: by score, spelling, and number of parishes.

    Args:
        words: a name in any case, with or without diacritics and gaps; one or two letters of it may be wrong.
        most: at most so many.
    """
    typed = name_words(words)
    found: dict[Town, Candidate] = {}
    for name, score, why in _names(typed, places) if typed else ():
        for town in places.towns.get(name, ()):
            if town.rows and (town not in found or found[town].score < score):
                found[town] = Candidate(town, score, why)
    whole = "".join(typed)
    as_typed = " ".join(words.casefold().split())

    def order(one: Candidate) -> tuple[float, bool, float, str, str]:
        spelt_otherwise = one.town.name.casefold() != as_typed
        is_alike = one.why != "nearly so" or one.town.words[0][:1] == whole[:1]
        weight = one.town.size * (1.0 if is_alike else FIRST_LETTER_WRONG)
        return -one.score, spelt_otherwise, -weight, one.town.name, one.town.voivodeship or ""

    return sorted(found.values(), key=order)[:most]


def _names(typed: Words, places: Places) -> Iterator[tuple[Words, float, Why]]:
    yield typed, _OF_WHY["exact name"], "exact name"
    for name in {name for lemma in places.forms.get(typed[0], ()) for name in places.starting.get(lemma, ())}:
        if len(name) == len(typed) and all(own in places.forms.get(one, ()) for own, one in zip(name, typed, strict=True)):
            yield name, _OF_WHY["form of the name"], "form of the name"
    whole, joined = "".join(typed), places.joined
    limit = 2 if len(whole) >= _LONG else 1
    for key, wrong, _ in process.extract(whole, joined.keys(), scorer=OSA.distance, score_cutoff=limit, limit=None):
        for name in joined[key]:
            yield name, _OF_WRONG_LETTERS[int(wrong)], "nearly so"
    if len(whole) >= _LEAST_BEGUN:
        for key, names in joined.items():
            if key.startswith(whole):
                yield from ((name, _OF_WHY["begins so"], "begins so") for name in names)
