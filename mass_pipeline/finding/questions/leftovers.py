"""Words that no rule took: filler passes, all else is reported. Before, words without a gap are parted, mistyped ones mended.

A word is parted where each piece is a known word ("mszajutro", "po17tej", "niedziela18:00").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mass_pipeline.finding.places import Places, place_data
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import CITY, KNOWN_TOWN, LONG_WORD, close_forms, mistyped_long_hits
from mass_pipeline.finding.questions.text import Text
from mass_pipeline.finding.questions.vocabulary import filler, known_words, mending_words, open_words, words_pattern

_LEAST_GLUED: Final = 7  # of a word that may be several
_LEAST_PIECE: Final = 4
_MOST_PIECES: Final = 4
_SHORT: Final = frozenset(["w", "we", "o", "na", "do", "po", "od", "za", "in", "at", "by"])  # pieces shorter than others
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_BEFORE_DIGIT: Final = re.compile(r"(?<!\w)[^\W\d_]+(?=\d)")

Test = Callable[[str], bool]


def borders(text: str, is_word: Test, is_mistyped: Test) -> list[int]:
    """Where a gap is missing in folded text, ascending; [] when nothing is glued.

    Args:
        text: a folded question.
        is_word: whether letters are a word of the vocabulary or a form of a name.
        is_mistyped: whether they are nearly one: such a word is not parted, nor is one that is known.
    """
    found = {match.end() for match in _BEFORE_DIGIT.finditer(text) if _is_piece(match[0], is_word)}
    for match in _LETTERS.finditer(text):
        before_digit = text[match.end() : match.end() + 1].isdigit()
        pieces = _pieces(match[0], is_word, is_mistyped, before_digit)
        if pieces and match.start() and text[match.start() - 1].isdigit() and len(match[0]) >= _LEAST_PIECE:
            found.add(match.start())
        at = match.start()
        for piece in pieces[:-1]:
            at += len(piece)
            found.add(at)
    return sorted(found)


def _is_piece(word: str, is_word: Test) -> bool:
    return word in _SHORT or (len(word) >= _LEAST_PIECE and is_word(word))


def _pieces(word: str, is_word: Test, is_mistyped: Test, before_digit: bool) -> tuple[str, ...]:
    """The word in known pieces, as few as will do; () when it cannot be parted."""
    if _is_piece(word, is_word):
        return (word,)
    if len(word) < _LEAST_GLUED:
        return ()
    found = next((found for count in range(2, _MOST_PIECES + 1) if (found := _in_pieces(word, is_word, count, before_digit))), ())
    return () if found and is_mistyped(word) else found


def _in_pieces(word: str, is_word: Test, count: int, before_digit: bool) -> tuple[str, ...]:
    """The word in so many known pieces, the first as long as it can be; the last is short only before a digit ("jutroo18")."""
    if count == 1:
        return (word,) if _is_piece(word, is_word) and (before_digit or len(word) >= _LEAST_PIECE) else ()
    for end in range(len(word) - 1, 0, -1):
        if _is_piece(word[:end], is_word) and (rest := _in_pieces(word[end:], is_word, count - 1, before_digit)):
            return (word[:end], *rest)
    return ()


_LEAST_LETTERS: Final = 5
_MOST_MENDED: Final = 5
_MASS: Final = frozenset({"msza", "mszy", "msze", "mass"})  # short, but typed in most questions
_DENIALS: Final = frozenset({"nie", "not", "bez", "oprocz", "except", "without"})
_UNDERSTOOD: Final = re.compile(r"\W*(?:(?:po|w|we|na|o|in|at|on|for|dla)\W+)?ʘ")


@dataclass(frozen=True, slots=True)
class Mended:
    """A question with its mistyped words mended; `typed` gives what stood there."""

    question: str
    typed: Mapping[str, str]


def mended(question: str, places: Places) -> Mended:
    """The question with mistyped words of the vocabulary mended ("neidziela"); names of places and all else as they are."""
    text = _parted(Text.of(question), places)
    result, typed = text.raw, dict[str, str]()
    names = {word for word in text.words() if word.start and word.raw[:1].isupper() and not word.raw.isupper()}
    unknown = [word for word in text.words() if word not in names and _is_unknown(word.plain, places)][:_MOST_MENDED]
    if not unknown:
        return Mended(result, typed)
    long_names = list(mistyped_long_hits(text, places))
    for word in reversed(unknown):
        found = _closest(word.plain)
        if (
            found is None
            or any(hit.start <= word.start < hit.end for hit in long_names)
            or _is_rather_a_town(word.plain, found, places)
        ):
            continue
        result = result[: word.start] + found + result[word.end :]
        typed[found] = word.raw
    return Mended(result, typed)


def _parted(text: Text, places: Places) -> Text:
    """With gaps where words were glued; a word with a wrong letter is not glued."""
    raw = text.raw
    for at in reversed(borders(text.plain, lambda word: _is_known(word, places), lambda word: _is_near(word, places))):
        raw = f"{raw[:at]} {raw[at:]}"
    return Text.of(raw) if raw != text.raw else text


def _is_near(word: str, places: Places) -> bool:
    """Whether it is nearly one word; "wkrakowie" is none, since all that is wrong is "w"."""
    return (
        word.startswith(open_words())
        or _closest(word) is not None
        or any(word != f"w{form}" for form, _ in close_forms(word, places))
    )


def _closest(word: str) -> str | None:
    """The word of the vocabulary that is one letter away (in long words two) and begins alike; a short one lacks its last."""
    if len(word) < _LEAST_LETTERS:
        return next((one for one in _choices() if len(one) == _LEAST_LETTERS and one.startswith(word)), None)
    limit = 2 if len(word) >= LONG_WORD else 1
    found = process.extractOne(word, _choices(), scorer=OSA.distance, score_cutoff=limit)
    if found is None or found[0][0] != word[0]:
        return None
    is_other_letter = len(found[0]) == len(word) == _LEAST_LETTERS and sorted(found[0]) != sorted(word)
    return None if is_other_letter else found[0]  # "park" is no "piątek": in a short word another letter makes another word


def _is_rather_a_town(word: str, meant: str, places: Places) -> bool:
    """Whether a mistyped word is rather the name of a city; of any larger town when the other word says nothing."""
    least = KNOWN_TOWN if meant in filler() else CITY
    return any(
        town.size >= least
        for form, distance in close_forms(word, places)
        for lemma, cases in places.forms[form].items()
        for town in places.towns.get((lemma,), ())
        if distance <= 1 and form[0] == word[0] and cases & {"nom", "loc", "gen"}
    )


@cache
def _choices() -> tuple[str, ...]:
    return tuple(word for word in mending_words() if len(word) >= _LEAST_LETTERS or word in _MASS)


def _is_unknown(word: str, places: Places) -> bool:
    is_long_enough = len(word) >= _LEAST_LETTERS - 1
    is_known = _is_known(word, places) or word.startswith(open_words()) or word in places.other_words
    return is_long_enough and word.isalpha() and not is_known


def _is_known(word: str, places: Places) -> bool:
    return word in known_words() or word in places.forms or _lands().fullmatch(word) is not None


@cache
def _lands() -> re.Pattern[str]:
    return words_pattern("|".join(place_data("voivodeships").values()))


def resolve(draft: Draft) -> Draft:
    """Told is every word that is left and says something, and a "not" of what a rule understood: no answer leaves that out."""
    left = list(draft.text.words())
    denials = [word for word in left if word.plain in _DENIALS and _UNDERSTOOD.match(draft.text.rest, word.end)]
    words = [word for word in left if word.plain not in filler() or word in denials]
    is_of_kind = {word for word in words if draft.kind == "roraty" and word.plain.startswith("adwen")}  # said in no other season
    return draft.plus(told=tuple((word.start, word.raw) for word in words if word not in is_of_kind))
