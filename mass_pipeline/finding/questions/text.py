"""The words of a question while it is read: folded, and crossed out as rules understand them. Nothing is understood here."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

_TAKEN: Final = "ʘ"  # a letter no question has: words on both sides of a crossed out one never look like neighbours
_WORD: Final = re.compile(r"[^\W_ʘ]+")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200e\u200f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its place in the question; `plain` is folded."""

    plain: str
    raw: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Text:
    """A question, folded letter by letter, so that places in it stay the same.

    Attributes:
        raw: as typed, composed (NFC). plain: folded. rest: folded, what rules have taken crossed out.
    """

    raw: str
    plain: str
    rest: str

    @classmethod
    def of(cls, question: str) -> Text:
        """A question of which nothing is understood yet."""
        raw = unicodedata.normalize("NFC", question)
        plain = "".join(map(_fold, raw))
        return cls(raw, plain, plain)

    @property
    def has_diacritics(self) -> bool:
        """Whether a letter of it is not ASCII."""
        return any(c.isalpha() and not c.isascii() for c in self.raw)

    def without(self, start: int, end: int) -> Text:
        """These letters crossed out: a rule has understood them."""
        return replace(self, rest=self.rest[:start] + _TAKEN * (end - start) + self.rest[end:])

    def is_taken(self, start: int, end: int) -> bool:
        """Whether a rule has understood some of these letters."""
        return _TAKEN in self.rest[start:end]

    def words(self) -> Iterator[Word]:
        """Words that no rule has taken, in order."""
        return self._words_of(self.rest)

    def all_words(self) -> Iterator[Word]:
        """Every word, in order."""
        return self._words_of(self.plain)

    def _words_of(self, folded: str) -> Iterator[Word]:
        for match in _WORD.finditer(folded):
            yield Word(match[0], self.raw[match.start() : match.end()], match.start(), match.end())


def _fold(character: str) -> str:
    """One letter for one letter: lower case, no accents.

    >>> "".join(map(_fold, "Łódź I ß"))
    'lodz i ß'
    """
    lower = character.casefold()
    if lower == "ł":
        return "l"
    base = unicodedata.normalize("NFKD", lower)
    return base[0] if base and len(lower) == 1 and (len(base) == 1 or unicodedata.combining(base[1])) else character.lower()[:1]


_CYRILLIC: Final = str.maketrans(
    dict(zip("абвгґдезиіклмнопрстуфьъ", [*"abwhgdezyiklmnoprstuf", "", ""], strict=True))
    | {"є": "je", "ж": "ż", "ї": "ji", "й": "j", "х": "ch", "ц": "c", "ч": "cz", "ш": "sz", "щ": "szcz", "ю": "ju", "я": "ja"}
    | {"ы": "y", "э": "e", "ё": "jo", "ў": "u", "ʼ": "", "’": "", "'": ""}
)
_MOST_WAYS: Final = 8  # to spell one word


def in_latin_letters(question: str, weight: Callable[[str], float] = len) -> str:
    """Cyrillic letters as Polish spells their sounds; anything else as it is.

    Args:
        weight: how well a folded way to spell a word with и, which is y or i in Polish, is known; the first of the best is taken.

    >>> in_latin_letters("служба в Щеціні"), in_latin_letters("Щецин", {"szczecin": 37.0, "szczecyn": 1.0}.get)
    ('slużba w Szczecini', 'Szczecin')
    """
    if not re.search("[\u0400-\u04ff]", question):
        return question
    words = re.split(r"(\s+)", question)
    return "".join(one if not re.search("[\u0400-\u04ff]", one) else _latin(one, weight) for one in words)


def _latin(word: str, weight: Callable[[str], float]) -> str:
    parts = [part.translate(_CYRILLIC) for part in word.casefold().split("и")]
    ways = itertools.islice(itertools.product("yi", repeat=len(parts) - 1), _MOST_WAYS)
    spelt = ["".join(itertools.chain(*zip(parts, (*way, ""), strict=True))) for way in ways]
    latin = max(spelt, key=lambda way: weight("".join(map(_fold, way)))) if len(spelt) > 1 else spelt[0]
    return latin.capitalize() if word[:1].isupper() else latin


def has_bad_characters(question: str) -> bool:
    """Whether it holds NUL, other control characters or marks that turn the direction of writing."""
    return _FORBIDDEN.search(question) is not None


def without_bad_characters(question: str) -> str:
    """The question with a space for each of them."""
    return _FORBIDDEN.sub(" ", question)
