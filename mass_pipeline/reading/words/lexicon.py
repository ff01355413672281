"""The vocabulary of a language: phrases with inflections and abbreviations, found word by word.

Belongs here: loading the data files and looking phrases up. Not here: what a phrase means in its clause.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Final

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.reading.words.folding import fold

_VOCABULARY: Final = resources.files("mass_pipeline.reading.words").joinpath("vocabulary")
_CODE: Final = r"[a-z]{2,3}"
_PIECE: Final = re.compile(r"(?P<word>[^\W\d_]+|\d+)(?P<star>\*?)(?P<dot>\.?)|(?P<mark>[^\w\s])")
_MUST_HAVE_DOT: Final = 2  # letters: "g." and "o." are abbreviations only with their dot
WORDS_TOO: Final = frozenset({"nie", "ni"})  # abbreviations that are words as well
_SHORTEST_STEM: Final = 2
_MOST_WORDS: Final = 50_000  # remembered: hostile pages may bring any number of words


@dataclass(frozen=True, slots=True)
class Element:
    """One word of a phrase: its folded stem, whether any ending may follow, whether a dot may (1) or must (2) follow."""

    stem: str
    open_ended: bool
    dot: int

    def matches(self, word: str) -> bool:
        """Whether a folded word is this one."""
        return word.startswith(self.stem) if self.open_ended else word == self.stem


@dataclass(frozen=True, slots=True)
class Phrase:
    """A vocabulary entry in one of its forms."""

    kind: str
    value: str
    elements: tuple[Element, ...]
    second: str = ""  # stem of the second word: looked at before the whole phrase is tried

    @property
    def weight(self) -> tuple[int, int, int]:
        """Preference among phrases that match at one place: more words, exact before open ending, longer."""
        first = self.elements[0]
        return len(self.elements), 0 if first.open_ended else 1, sum(len(e.stem) for e in self.elements)


def parse_form(kind: str, value: str, form: str) -> Phrase:
    """A form as the data files write it: `*` any ending, `.` an abbreviation.

    >>> [(e.stem, e.open_ended, e.dot) for e in parse_form("day", "We", "każd* śr.").elements]
    [('kazd', True, 0), ('sr', False, 2)]
    """
    elements: list[Element] = []
    for piece in _PIECE.finditer(fold(form)):
        if piece["mark"]:
            elements.append(Element(piece["mark"], open_ended=False, dot=0))
            continue
        word = piece["word"]
        dot = (2 if len(word) <= _MUST_HAVE_DOT or word in WORDS_TOO else 1) if piece["dot"] else 0
        elements.append(Element(word, bool(piece["star"]), dot))
    return Phrase(kind, value, tuple(elements), elements[1].stem if len(elements) > 1 else "")


class PhrasesByFollower:
    """Phrases that begin with one word, sorted out by the first letter of what follows it: dozens begin with "w"."""

    __slots__ = ("_alone", "_by_letter")

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._alone = tuple(phrase for phrase in phrases if not phrase.second)
        letters = {phrase.second[0] for phrase in phrases if phrase.second}
        self._by_letter = {
            letter: tuple(phrase for phrase in phrases if not phrase.second or phrase.second[0] == letter) for letter in letters
        }
        self._by_letter["."] = tuple(phrases)  # an abbreviation: the word comes later

    def before(self, following: str) -> tuple[Phrase, ...]:
        """Those that may go on with a folded word or mark ("" at the end of the text), best first; too many at most."""
        return self._by_letter.get(following[:1], self._alone)


_NEVER_SEEN: Final = PhrasesByFollower(())


class Lexicon:
    """All phrases of one language, looked up by their first word."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._exact: dict[str, list[Phrase]] = {}
        self._open: dict[str, list[Phrase]] = {}
        for phrase in phrases:
            first = phrase.elements[0]
            (self._open if first.open_ended else self._exact).setdefault(first.stem, []).append(phrase)
        self._longest_stem = max(map(len, self._open), default=0)
        self._memory: dict[str, PhrasesByFollower | None] = {}

    def starting_with(self, word: str) -> PhrasesByFollower | None:
        """Phrases whose first word this folded word may be; None, as most often, when there are none."""
        known = self._memory.get(word, _NEVER_SEEN)
        if known is not _NEVER_SEEN:
            return known
        if len(self._memory) > _MOST_WORDS:
            self._memory.clear()
        phrases = self._find(word)
        self._memory[word] = known = PhrasesByFollower(phrases) if phrases else None
        return known

    def first_words(self, kinds: frozenset[str]) -> frozenset[Element]:
        """The first words of all phrases of some kinds."""
        tables = (self._exact, self._open)
        return frozenset(
            one.elements[0] for table in tables for phrases in table.values() for one in phrases if one.kind in kinds
        )

    def _find(self, word: str) -> list[Phrase]:
        """The phrases, best first."""
        found = list(self._exact.get(word, ()))
        for length in range(_SHORTEST_STEM, min(len(word), self._longest_stem) + 1):
            found.extend(self._open.get(word[:length], ()))
        return sorted(found, key=lambda phrase: phrase.weight, reverse=True)


@lru_cache(maxsize=32)
def load_lexicon(language: str) -> Lexicon:
    """The vocabulary of a language, or of several for a line in which they are mixed.

    Args:
        language: name of a folder in `reading/vocabulary`, for example `pl`; several joined by `+`.

    Raises:
        ConfigurationError: when there is no such folder or a file is malformed.
    """
    return Lexicon([phrase for code in language.split("+") for phrase in _phrases(code)])


def _phrases(language: str) -> list[Phrase]:
    seasons = [
        ("season", str(row.get("season", row["name"])), form) for row in table_of_periods(language) for form in row["forms"]
    ]
    return [phrase for name, text in _files(language) for phrase in _read(name, text)] + [parse_form(*one) for one in seasons]


@cache
def table_of_periods(language: str) -> list[dict[str, Any]]:
    """Times of the year by name, with their forms and the rules of their days; none of a language that lacks the table."""
    file = _VOCABULARY.joinpath(language, "_periods.toml")
    periods: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["period"] if file.is_file() else []
    return periods


def _files(language: str) -> list[tuple[str, str]]:
    """Name and text of the files of a language that hold phrases."""
    folder = _VOCABULARY.joinpath(language)
    if not re.fullmatch(_CODE, language) or not folder.is_dir():
        raise ConfigurationError(f"language {language!r}: reading/vocabulary has no folder of that name")
    files = (file for file in sorted(folder.iterdir(), key=lambda item: item.name) if file.name.endswith(".toml"))
    return [(file.name, file.read_text(encoding="utf-8")) for file in files if not file.name.startswith("_")]


def forms_of(kind: str, language: str) -> dict[str, list[str]]:
    """The forms of a kind of phrases as the files of a language write them, by value; none of a kind that it lacks.

    >>> forms_of("month", "en")["9"]
    ['september', 'sept.', 'sep.']
    """
    found: dict[str, list[str]] = {}
    for table in _tables(language):
        for value, forms in table.get(kind, {}).items():
            found.setdefault(value, []).extend(forms)
    return found


@cache
def _tables(language: str) -> tuple[dict[str, dict[str, list[str]]], ...]:
    return tuple(tomllib.loads(text) for _, text in _files(language))


@cache
def known_languages() -> tuple[str, ...]:
    """The folders of the vocabulary, sorted."""
    return tuple(sorted(item.name for item in _VOCABULARY.iterdir() if item.is_dir() and re.fullmatch(_CODE, item.name)))


@cache
def vocabulary_words() -> frozenset[Element]:
    """Every word of every phrase, in all languages."""
    return frozenset(element for language in known_languages() for phrase in _phrases(language) for element in phrase.elements)


@cache
def load_nominatives() -> dict[str, str]:
    """Folded form of a word of place names -> the form under which it is shown, in all languages."""
    return {fold(form): shown for table in _place_names() for shown, forms in table["nominative"].items() for form in forms}


@cache
def load_parish_churches() -> frozenset[str]:
    """Folded words that mean the parish church, whose name is "" ("w naszym kościele"), in all languages."""
    return frozenset(fold(name) for table in _place_names() for name in table["parish_church"]["names"])


def _place_names() -> list[dict[str, dict[str, list[str]]]]:
    files = [_VOCABULARY.joinpath(language, "_places.toml") for language in known_languages()]
    return [tomllib.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]


def _read(name: str, text: str) -> list[Phrase]:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"vocabulary file {name}: {error}") from error
    return [parse_form(kind, value, form) for kind, values in tables.items() for value, forms in values.items() for form in forms]
