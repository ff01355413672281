"""Words that no rule took: filler passes, everything else is reported. Mistyped words of the vocabulary are mended first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.text import Text, Word
from mass_pipeline.finding.questions.vocabulary import filler, known_words, mending_words, open_words

_LEAST_LETTERS: Final = 5
_MOST_MENDED: Final = 5


@dataclass(frozen=True, slots=True)
class Mended:
    """A question with its mistyped words mended; `typed` gives what stood there."""

    question: str
    typed: Mapping[str, str]


def mended(question: str, places: Places) -> Mended:
    """The question with mistyped words of the vocabulary mended ("neidziela"); names of places and all else as they are."""
    text = Text(question)
    result, typed = text.raw, {}
    unknown = [word for word in text.words() if _is_unknown(word.plain, places) and not _is_name(word)][:_MOST_MENDED]
    for word in reversed(unknown):
        found = process.extractOne(word.plain, _choices(), scorer=OSA.distance, score_cutoff=1)
        if found is not None and found[0][0] == word.plain[0]:
            result = result[: word.start] + found[0] + result[word.end :]
            typed[found[0]] = word.raw
    return Mended(result, typed)


def _is_name(word: Word) -> bool:
    """Whether it is capitalised inside the question."""
    return word.start > 0 and word.raw[:1].isupper() and not word.raw.isupper()


@cache
def _choices() -> tuple[str, ...]:
    return tuple(word for word in mending_words() if len(word) >= _LEAST_LETTERS)


def _is_unknown(word: str, places: Places) -> bool:
    known = word in known_words() or word.startswith(open_words()) or word in places.forms
    return len(word) >= _LEAST_LETTERS and word.isalpha() and not known


def report(draft: Draft) -> None:
    """Tell every word that is left and says something."""
    for word in list(draft.text.words()):
        if word.plain not in filler() and re.search(r"[^\W_]", word.plain):
            draft.unread[word.start] = word.raw
