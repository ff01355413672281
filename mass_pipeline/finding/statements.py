"""What the words beside one Mass state: its language, its kinds, its rite. Closed lists; nothing said is None, never a guess.

The words of a quote count only when the quote holds one hour: a line of several hours does not say which of them it means.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from mass_pipeline.model.identifiers import fold

LANGUAGES: Final = ("en", "de", "uk", "la", "es", "it", "fr", "lt", "be", "vi", "ru", "pt", "hr", "cs", "sk", "csb", "sign", "pl")
KINDS: Final = ("children", "youth", "students", "families", "sick", "sung", "old_rite", "roraty")
RITES: Final = ("greek_catholic", "armenian_catholic")
_BETWEEN_CLAUSES: Final = re.compile(r"[,;:|()\[\]/–]| - |\bpo mszy(?: sw\.)?")
_TONGUE: Final = r"\b(?:jezyku |jez\. ?|jez |j\. ?|j )"
_HOUR: Final = re.compile(r"\b\d{1,2}(?:[.:]\d\d)?\b")


@dataclass(frozen=True, slots=True)
class Stated:
    """What is stated of a Mass; None and () where nothing is."""

    language: str | None = None
    kinds: tuple[str, ...] = ()
    rite: str | None = None


@dataclass(frozen=True, slots=True)
class _Patterns:
    languages: tuple[tuple[str, re.Pattern[str]], ...]
    kinds: tuple[tuple[str, re.Pattern[str]], ...]
    rites: tuple[tuple[str, re.Pattern[str]], ...]
    rite_of_diocese: Mapping[str, str]
    mass: re.Pattern[str]
    led: re.Pattern[str]
    other: re.Pattern[str]


def stated(note: str, quote: str = "", diocese_key: str = "") -> Stated:
    """Language, kinds and rite of a Mass.

    Args:
        note: what the source says beside the hour.
        quote: the words of the source.
        diocese_key: of the parish; dioceses of another rite say it once for all.

    >>> stated("po angielsku"), stated("za śp. Jana Niemca"), stated("z udziałem dzieci").kinds
    (Stated(language='en', kinds=(), rite=None), Stated(language=None, kinds=(), rite=None), ('children',))
    """
    known = _patterns()
    words = fold(note if len(_HOUR.findall(quote)) != 1 else f"{note} | {quote}")
    language = _language(words, known)
    kinds = tuple(kind for kind, pattern in known.kinds if pattern.search(words))
    rite = next((rite for rite, pattern in known.rites if pattern.search(words)), None)
    own = next((rite for start, rite in known.rite_of_diocese.items() if diocese_key.startswith(start)), None)
    return Stated(language, kinds, rite or own)


def _language(words: str, known: _Patterns) -> str | None:
    """The first language that a clause of the Mass itself states; "różaniec po angielsku" states none of the Mass."""
    for clause in (one.strip(" .\"'") for one in _BETWEEN_CLAUSES.split(words)):
        if known.other.search(clause):
            continue
        for code, pattern in known.languages:
            found = pattern.search(clause)
            if found is not None and (known.mass.search(clause) or known.led.search(clause[: found.start()])):
                return code
    return None


def adjectives_of_languages() -> Mapping[str, str]:
    """Beginnings of the adjectives that speak of one language alone -> its code; "łacińska" is a rite, "polska" a country."""
    return {stem: code for stem, code in _data()["language_adjectives"].items() if code not in ("la", "pl")}


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("statements.toml").read_text(encoding="utf-8"))


@cache
def _patterns() -> _Patterns:
    data = _data()
    spoken = [(code, re.compile(_of_language(stem))) for stem, code in data["language_adjectives"].items()]
    spoken += [(code, re.compile(rf"(?:\bpo |{_TONGUE}){short}(?![^\W_])")) for short, code in data["language_short"].items()]
    phrases = [(code, _any(patterns)) for code, patterns in data["language_phrases"].items()]
    return _Patterns(
        (*phrases, *spoken),
        tuple((kind, _any(data["kinds"][kind])) for kind in KINDS),
        tuple((rite, _any(patterns)) for rite, patterns in data["rites"].items()),
        data["rite_of_diocese"],
        _any(data["clauses"]["mass"]),
        _any([*data["clauses"]["leading"], *data["clauses"]["days"]]),
        _any(data["clauses"]["other"]),
    )


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


def _of_language(stem: str) -> str:
    """The adjective where it speaks of a language: po angielsku, w (j.) angielskim, Msza angielska, angielskojęzyczna."""
    by_case = (f"msza (?:sw\\.? |swieta )?{stem}a", f"mszy (?:sw\\.? |swietej )?{stem}iej", f"msze (?:sw\\.? |swiete )?{stem}ie")
    adjective = rf"\b(?:{'|'.join(by_case)}|suma {stem}a|jezyk {stem}i)\b"
    said_of_mass = rf"{adjective}|^{stem}a(?: msza\b.*)?$|\b{stem}o-?jezyczn\w+"
    return rf"\bpo {stem}u\b|{_TONGUE}{stem}im\b|{said_of_mass}"
