"""Words that explain themselves beside an hour: fillers that every order uses, and names of towns.

Belongs here: the two lists and how a word is found in them, whatever its case. Not here: phrases with a meaning (`lexicon`),
which words may be shown (`masking`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Final

from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexicon import vocabulary_words

FILLER_LETTERS: Final = 7  # by which fillers are compared
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_SHORTEST_STEM: Final = 3  # letters of a name that every case has
_ENDINGS: Final = [
    "",
    *re.findall(r"\w+", "a e i o u y ie ia iu io iem em ach iach ami iami om iom owi owie iow"),
]  # of the cases
_SOFTENED: Final = (("ce", "k"), ("dze", "g"), ("rze", "r"), ("cie", "t"), ("dzie", "d"), ("sze", "ch"), ("szcze", "sk"))
_FLEETING: Final = re.compile(r"i?e([ckl])$")  # Lipowiec, Lipowca; Kozłek, Kozłka
# Adjectives that tell towns of one name apart and name none by themselves.
_APART: Final = re.compile(
    r"(?:now|star|wielk|mal|gorn|doln|sredni|duz|bial|czarn|czerwon|such|\w+(?:[sc]k|dzk))(?:[ieayo]|ie|iego|iej|ego|ej|im|ym)?$"
)


_AGREES_WITH_MASS: Final = re.compile(r"(?!nie)[a-z]{4,}(?:[sc]k|[^aeoy]n|ow|cz)a")  # and no participle, "zawieszona"
_MAY_LIMIT: Final = expression("<that_limits>")
_BEGINNING: Final = 5  # letters that words of one family share
_CAPITALISED: Final = re.compile(r"(?<!\w)[A-ZĄĆĘŁŃÓŚŹŻ][^\W\d_]{2,}")
# Towns whose names mean something on any page; the others are named by no such word.
_COMMON_TOO: Final = (
    "pielgrzymk",
    "plaz",
    "plotk",
    "zabaw",
    "miejsc",
    "katedr",
    "osrod",
    "klasztor",
    "lesn",
    "fara",
    "farz",
    "cich",
)


@cache
def fillers() -> frozenset[str]:
    """Words that orders use, folded, their first seven letters."""
    text = resources.files("mass_pipeline.reading.words").joinpath("fillers.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)["words"].split())


def is_filler(folded: str) -> bool:
    """Whether a folded word is one that orders use anyhow.

    >>> is_filler("zapraszamy"), is_filler("zniw")
    (True, False)
    """
    return folded[:FILLER_LETTERS] in fillers()


@lru_cache(maxsize=4096)
def names_kind_of_mass(folded: str) -> bool:
    """Whether a folded word beside an hour is an adjective that says what Mass it is, and not when, where or whether it is.

    One that shares its beginning with a word of schedules may say so, and so may one of the class of those that limit.

    >>> [names_kind_of_mass(word) for word in ("garnizonowa", "harcerska", "zawieszona", "kwartalna", "wakacyjna")]
    [True, True, False, False, False]
    """
    if not _AGREES_WITH_MASS.fullmatch(folded) or _MAY_LIMIT.match(folded) is not None or is_town(folded):
        return False
    return not folded.startswith(_beginnings())


@cache
def _beginnings() -> tuple[str, ...]:
    return tuple({element.stem[:_BEGINNING] for element in vocabulary_words() if len(element.stem) >= _BEGINNING - 1})


@lru_cache(maxsize=20_000)
def is_town(folded: str) -> bool:
    """Whether a folded word is a name of a town in any case, or the noun of one.

    >>> [is_town(word) for word in ("zalesiu", "olszance", "klepsydra", "joga")]
    [True, True, False, False]
    """
    if is_filler(folded):
        return False
    stems = _stems()
    bare = (folded[: len(folded) - len(ending)] for ending in _ENDINGS if folded.endswith(ending))
    hardened = (folded[: len(folded) - len(soft)] + hard for soft, hard in _SOFTENED if folded.endswith(soft))
    return any(stem in stems for stem in (*bare, *hardened) if len(stem) >= _SHORTEST_STEM)


def without_towns(text: str) -> str:
    """The text with names of towns blank, of the same length: `Złotoryja` is no rally (zlot), `Pogrzebień` no funeral.

    >>> without_towns("Parafia w Pielgrzymowicach")
    'Parafia w                 '
    """
    return _CAPITALISED.sub(lambda match: " " * len(match[0]) if names_town_alone(match[0]) else match[0], text)


def names_town_alone(word: str) -> bool:
    """Whether a capitalised word is a name of a town in any case, and no common noun as well."""
    folded = fold(word)
    return is_town(folded) and not folded.startswith(_COMMON_TOO)


def begins_with_town(name: str) -> bool:
    """Whether a name begins as one of a town: with its noun, or with an adjective that tells towns of one name apart.

    What follows may be anything ("Drawsko Młyn"); a person's name begins otherwise.

    >>> begins_with_town("Nowa Wieś"), begins_with_town("Zalesiu"), begins_with_town("Genowefa Zalesie")
    (True, True, False)
    """
    words = [fold(word) for word in _WORD.findall(name)]
    if not words:
        return False
    return is_town(words[0]) or (len(words) > 1 and _APART.match(words[0]) is not None)


@cache
def _nouns() -> frozenset[str]:
    """The nouns of names of towns, folded."""
    text = resources.files("mass_pipeline.reading.words").joinpath("vocabulary", "pl", "towns.txt").read_text(encoding="utf-8")
    words = set(map(fold, _WORD.findall(text)))
    return frozenset(word for word in words if _APART.match(word) is None and not is_filler(word))


@cache
def _stems() -> frozenset[str]:
    """The nouns without the vowel that changes from case to case."""
    stems = {noun[:-1] if noun[-1] in "aeiouy" else noun for noun in _nouns()}
    return frozenset(stems | {_FLEETING.sub(r"\1", noun) for noun in _nouns()})
