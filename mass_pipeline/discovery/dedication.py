"""Dedications: what of a parish's name tells it from the next parish in town, and whether two names mean the same patron."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from mass_pipeline.discovery.vocabulary import group
from mass_pipeline.discovery.words import has_word, words
from mass_pipeline.model.identifiers import fold

SAME_PATRON: Final = 0.6  # least share of the weight of one name's words that the other must have; docs/discovery.md
_WEAK_WEIGHT: Final = 0.25
_ABBREVIATIONS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), full)
    for pattern, full in (
        (r"\bn\.?\s?m\.?\s?p\b\.?", "najswietszej marii panny"),
        (r"\bn\.?\s?s\.?\s?p\.?\s?j\b\.?", "najswietszego serca pana jezusa"),
        (r"\bm\.?\s?b\b\.?", "matki bozej"),
        (r"\bmb(?=[a-z]{4})", "matki bozej "),
        (r"\bap\b\.?", "apostola"),
        (r"\barch\b\.?", "archaniola"),
        (r"\bbp\b\.?", "biskupa"),
        (r"\bm\b\.", "meczennika"),
        (r"\bew\b\.?", "ewangelisty"),
        (r"\bczest\b\.", "czestochowskiej"),
        (r"\bnajsw\b\.?", "najswietszej"),
        (r"\bwnieb\b\.?", "wniebowziecia"),
        (r"\bniep\b\.?", "niepokalanego"),
        (r"\bchrz\b\.?", "chrzciciela"),
    )
)


@lru_cache(maxsize=50_000)
def patron(name: str) -> Mapping[str, float]:
    """Words of a dedication with their weights: titles and forms of address weigh a quarter, general words nothing.

    >>> patron("Parafia pw. św. Jana Ap.")
    {'jana': 1.0, 'apostola': 0.25}
    """
    text = fold(name)
    for pattern, full in _ABBREVIATIONS:
        text = pattern.sub(full + " ", text)
    empty, weak = group("empty"), group("weak")
    told = (word for word in words(text) if word not in empty and len(word) > 1)
    return {word: (_WEAK_WEIGHT if has_word(word, weak) else 1.0) for word in told}


def covered(dedication: str, text_words: Sequence[str]) -> float:
    """Share of the dedication's weight that the words name, 0..1; 0 for an empty dedication."""
    weights = patron(dedication)
    total = sum(weights.values())
    if not total:
        return 0.0
    known = set(text_words)
    return sum(weight for word, weight in weights.items() if word in known or has_word(word, known)) / total


def is_same_patron(dedication: str, other: str, town: str = "") -> bool:
    """Whether two names mean the same patron: each covers most of the other; the town's words do not count.

    >>> is_same_patron("Matki Bożej Częstochowskiej", "Parafia MB Częstochowskiej w Warszawie", "Warszawa")
    True
    >>> is_same_patron("Św. Jana Chrzciciela", "Parafia św. Jana Apostoła")
    False
    """
    mine, theirs = patron(dedication), _without_town(patron(other), town)
    if not mine or not theirs:
        return False
    return covered(dedication, list(theirs)) >= SAME_PATRON and _share(theirs, list(mine)) >= SAME_PATRON


def names_other_patron(dedication: str, other: str, town: str = "") -> bool:
    """Whether a name (a title, a place's name) clearly belongs to another patron; False when it names none.

    >>> names_other_patron("Św. Anny", "Parafia św. Wojciecha w Opolu", "Opole")
    True
    >>> names_other_patron("Św. Anny", "Parafia w Opolu", "Opole")
    False
    """
    if not group("patron_sign").intersection(words(other)):
        return False
    theirs = _without_town(patron(other), town)
    strong = {word: weight for word, weight in theirs.items() if weight == 1.0}
    return bool(strong or theirs) and covered(dedication, list(theirs)) < SAME_PATRON


def _without_town(weights: Mapping[str, float], town: str) -> dict[str, float]:
    local = words(town)
    return {word: weight for word, weight in weights.items() if not has_word(word, local)}


def _share(weights: Mapping[str, float], among: Sequence[str]) -> float:
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if has_word(word, among)) / total if total else 0.0
