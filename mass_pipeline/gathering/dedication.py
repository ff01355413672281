"""Dedications: what of a parish's name tells it from the next parish in town, and whether two names mean the same patron."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from mass_pipeline.gathering.tables import group
from mass_pipeline.gathering.words import has_town, has_word, words
from mass_pipeline.model.identifiers import fold

SAME_PATRON: Final = 0.6  # least share of the weight of one name's words that the other must have; docs/directory.md
_HALF_WEIGHT: Final = 0.5  # tells John the Apostle from John the Baptist
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
        (r"\bmatk[aiy] kosciola\b", "matkikosciola"),  # a title of its own, made of words that tell nothing
        (r"\b(?:przenaj|naj)swietsz\w+ mar[iy]\w+ pann\w+|\bmatk[aiy] bo[zs]\w+|\bbogurodzic\w+", "marii"),
    )
)
_TOKEN: Final = re.compile(r"[^\W_]+\.?|[-–—|,;:!()/\"„”]")
_JOINING: Final = frozenset({"i", "z", "ze", "od", "św", "bł", "pw", "p", "nmp", "mb", "śś"})
_BREAKING: Final = frozenset({"w", "we", "na", "przy", "dla", "koło"})


def expand(text: str) -> str:
    """Folded text with the abbreviations of dedications written out, and all names of Mary as one.

    >>> expand("Parafia MB Częstochowskiej"), expand("Najśw. Maryi Panny")
    ('parafia marii czestochowskiej', 'marii')
    """
    folded = fold(text)
    for pattern, full in _ABBREVIATIONS:
        folded = " ".join(pattern.sub(f" {full} ", folded).split())
    return folded


@lru_cache(maxsize=50_000)
def patron(name: str) -> Mapping[str, float]:
    """Words of a dedication with their weights: what tells patrons apart weighs 1, titles less, general words nothing.

    >>> patron("Parafia pw. św. Jana Ap."), patron("św. Antoniego z Padwy")
    ({'jana': 1.0, 'apostola': 0.5}, {'antoniego': 1.0, 'padwy': 0.25})
    """
    found = words(expand(name))
    empty = group("empty")
    pairs = zip(["", *found], found, strict=False)
    return {word: _weight(word, before) for before, word in pairs if word not in empty and len(word) > 1}


def _weight(word: str, before: str) -> float:
    if before.startswith("krolow") and not has_word(word, group("half")):
        return 1.0  # Queen of Poland, of Peace, of Families: only the last word tells them apart
    if before in {"z", "ze"} or has_word(word, group("weak")):
        return _WEAK_WEIGHT
    return _HALF_WEIGHT if has_word(word, group("half")) else 1.0


def phrases(text: str) -> list[str]:
    """Dedications inside a longer text such as a title: runs of words in capitals that hold a word only dedications have.

    >>> phrases("Parafia św. Jadwigi Śląskiej w Nysie - Msze Święte, Dekanat Nysa")
    ['Parafia św. Jadwigi Śląskiej']
    """
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(text):
        bare = token.rstrip(".").lower()
        if bare in _BREAKING or not (token[0].isupper() or bare in _JOINING):
            runs.append([])
        else:
            runs[-1].append(token)
    signs = group("patron_sign")
    joined = (" ".join(run) for run in runs)
    return [run for run in joined if signs.intersection(words(run)) and any(w >= _HALF_WEIGHT for w in patron(run).values())]


def covered(dedication: str, text_words: Iterable[str]) -> float:
    """Share of the dedication's weight that the words (of an expanded text) name, 0..1; 0 for an empty dedication."""
    return _share(patron(dedication), frozenset(text_words))


def is_same_patron(dedication: str, other: str, town: str = "") -> bool:
    """Whether another name means the same patron: each covers most of the other; the town's words do not count.

    >>> is_same_patron("Matki Bożej Częstochowskiej", "Parafia MB Częstochowskiej w Warszawie", "Warszawa")
    True
    >>> is_same_patron("Św. Jana Chrzciciela", "Parafia św. Jana Apostoła")
    False
    """
    mine = patron(dedication)
    for phrase in phrases(other) or [other]:
        theirs = _without_town(patron(phrase), town, mine)
        if theirs and min(_share(mine, frozenset(theirs)), _share(theirs, frozenset(mine))) >= SAME_PATRON:
            return True
    return False


def names_other_patron(dedication: str, other: str, town: str = "") -> bool:
    """Whether a name (a title, a place's name) clearly belongs to another patron; False when it names none, or less of ours.

    >>> names_other_patron("Św. Anny", "Parafia św. Wojciecha w Opolu", "Opole")
    True
    >>> names_other_patron("Św. Anny", "Parafia w Opolu", "Opole"), names_other_patron("Św. Jadwigi Śląskiej", "Św. Jadwiga")
    (False, False)
    """
    mine = patron(dedication)
    found = [theirs for phrase in phrases(other) if (theirs := _without_town(patron(phrase), town, mine))]
    return bool(found) and all(_share(theirs, frozenset(mine)) < SAME_PATRON for theirs in found)


def _without_town(weights: Mapping[str, float], town: str, mine: Mapping[str, float]) -> dict[str, float]:
    """Without the town's words, unless the patron has them too (Holy Cross in Święty Krzyż)."""
    local = [word for word in words(town) if not has_word(word, mine)]
    return {word: weight for word, weight in weights.items() if not has_town(word, local) and not has_word(word, local)}


def _share(weights: Mapping[str, float], among: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in among or has_word(word, among)) / total if total else 0.0
