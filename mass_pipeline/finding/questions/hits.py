"""Where in a question names of towns and of parts of towns stand, in any case, and mistyped. What it means: `where`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mass_pipeline.finding.names import Case, forms
from mass_pipeline.finding.places import District, Places, Town, Words, other_forms
from mass_pipeline.finding.questions.text import Text, Word
from mass_pipeline.finding.questions.vocabulary import filler, known_words, not_served, open_words
from mass_pipeline.model.identifiers import fold

_JOINED: Final = re.compile(r"[\s.\-–]*")
_LEADS: Final[tuple[tuple[re.Pattern[str], Case], ...]] = (
    (re.compile(r"(?<![^\W_])(?:w|we|na|przy|po|okolicach)\W+$"), "loc"),
    (
        re.compile(
            r"(?<![^\W_])(?:do|z|ze|od|kolo|k|obok|niedaleko|blisko|okolice|okolicy|poblizu|u|dla|centrum|miescie|wokol)\W+$"
        ),
        "gen",
    ),
    (re.compile(r"(?<![^\W_])(?:pod|nad|za|przed|miedzy)\W+$"), "ins"),
)
_ENGLISH_LEAD: Final = re.compile(r"(?<![^\W_])(?:in|at|near|to|around|from|of|outside|visiting)\W+$")
_AROUND_NAMES: Final = frozenset({"kolo", "okolice", "okolica"})  # words for "near" that are names of towns too
_MOST_MISTYPED: Final = 3  # words of one question that are compared with all forms
_FAR_LARGER: Final = 5  # times the parishes
_LEAST_LETTERS: Final = 4
_LONG_WORD: Final = 9  # from so many letters two may be wrong


@dataclass(frozen=True, slots=True)
class Hit:
    """A name in a question: `towns` and `districts` it may be, the best fitting ones; `led` when a word like "in" leads to it."""

    start: int
    end: int
    length: int
    towns: tuple[Town, ...]
    districts: tuple[District, ...]
    led: bool
    rank: int
    mistyped: bool = False


def lead_case(text: Text, start: int) -> Case | None:
    """The case that the word before asks for; None without such a word."""
    before = text.plain[:start]
    return next((case for pattern, case in _LEADS if pattern.search(before)), None)


def is_led(text: Text, start: int) -> bool:
    """Whether a word stands before that leads to a place."""
    return lead_case(text, start) is not None or _ENGLISH_LEAD.search(text.plain[:start]) is not None


def find_hits(text: Text, places: Places, least_words: int = 1) -> list[Hit]:
    """Names in the words that are left, the longest first, none overlapping; in order of the question."""
    words = list(text.words())
    found = [hit for at in range(len(words)) for hit in _hits_at(text, places, words, at) if hit.length >= least_words]
    chosen: list[Hit] = []
    for hit in sorted(found, key=lambda one: (-one.length, one.rank, -_size(one), one.start)):
        if all(hit.end <= other.start or other.end <= hit.start for other in chosen):
            chosen.append(hit)
    return sorted(chosen, key=lambda one: one.start)


def _hits_at(text: Text, places: Places, words: Sequence[Word], at: int) -> Iterator[Hit]:
    if _leads_on(text, places, words, at):
        return
    for name in {name for lemma in places.forms.get(words[at].plain, ()) for name in places.starting.get(lemma, ())}:
        run = words[at : at + len(name)]
        if (
            len(run) == len(name)
            and _is_joined(text, run)
            and all(n in places.forms.get(w.plain, ()) for n, w in zip(name, run, strict=True))
        ):
            hit = make_hit(text, places, name, run, [w.plain for w in run])
            if hit is not None:
                yield hit


def _leads_on(text: Text, places: Places, words: Sequence[Word], at: int) -> bool:
    """Whether a name is a word like "koło" here, with the town it leads to behind it: "koło Krakowa", but "w Kole"."""
    if words[at].plain not in _AROUND_NAMES or at + 1 >= len(words) or is_led(text, words[at].start):
        return False
    following = places.forms.get(words[at + 1].plain, {})
    return any("gen" in cases for cases in following.values()) and _is_joined(text, words[at : at + 2])


def _is_joined(text: Text, run: Sequence[Word]) -> bool:
    return all(_JOINED.fullmatch(text.rest[one.end : two.start]) for one, two in itertools.pairwise(run))


def make_hit(
    text: Text, places: Places, name: Words, run: Sequence[Word], written: list[str], mistyped: bool = False
) -> Hit | None:
    """The towns and districts of a name that fit the written forms best; None for a common word that nothing leads to."""
    led = is_led(text, run[0].start)
    if len(run) == 1 and not _may_be_name(run[0], led, mistyped):
        return None
    wanted = lead_case(text, run[0].start)
    raw = [word.raw.casefold() for word in run]
    ranked = [(_rank(town.name, written, raw, wanted), town) for town in places.towns.get(name, ())]
    parts = [(_rank(part.name, written, raw, wanted), part) for part in places.districts.get(name, ())]
    ranks = [rank for rank, _ in (*ranked, *parts) if rank is not None]
    if not ranks:
        return None
    best = min(ranks)
    towns = _typed(text, [(rank, town) for rank, town in ranked if rank is not None and rank <= best + 1], best)
    districts = tuple(part for rank, part in parts if rank is not None and rank <= best + 1)
    return Hit(run[0].start, run[-1].end, len(run), towns, districts, led, best, mistyped)


def _typed(text: Text, ranked: Sequence[tuple[int, Town]], best: int) -> tuple[Town, ...]:
    """The towns spelt as typed; in a line without diacritics a far larger one that has some instead (Łask for "lask")."""
    exact = tuple(town for rank, town in ranked if rank == best)
    if text.has_diacritics or not exact:
        return exact
    larger = [town for rank, town in ranked if rank > best and town.size >= _FAR_LARGER * sum(one.size for one in exact)]
    return tuple(larger[:1]) or exact


def _may_be_name(word: Word, led: bool, mistyped: bool) -> bool:
    if mistyped:
        return True
    is_common = word.plain in filler() or word.plain in not_served()
    if len(word.plain) < 3 or (is_common and not (led and word.raw[:1].isupper())):
        return False
    return led or len(word.plain) > 3 or word.raw[:1].isupper() or word.plain.isalpha()


@lru_cache(maxsize=50_000)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", name))


def _rank(name: str, written: Sequence[str], raw: Sequence[str], wanted: Case | None) -> int | None:
    """How well the written forms fit the name: 0 best; None when they are no forms of it.

    In the case that the word before asks for, else in the nominative; typed as spelt before typed without diacritics.
    """
    cases: frozenset[Case] | None = None
    own = _words_of(name)
    for word, form in zip(own, written, strict=True):
        found = forms(word).get(form)
        if found is None and form in other_forms():
            found = frozenset({"nom", "loc", "gen", "acc", "ins", "dat"})  # an exonym or a word cut short
        if found is None:
            return None
        if cases is None or cases == {"nom"} or not (cases & found):
            cases = found if cases is None or cases == {"nom"} or found != {"nom"} else cases
        else:
            cases &= found
    assert cases is not None
    otherwise_spelt = any(_is_otherwise_spelt(word.casefold(), typed) for word, typed in zip(own, raw, strict=True))
    if wanted is not None and wanted in cases:
        rank = 0
    elif "nom" in cases:
        rank = 0 if wanted is None else 2
    elif wanted is None:
        rank = 4 if cases & {"loc", "gen", "acc"} else 8
    else:
        rank = 8 if wanted == "loc" and cases & {"gen", "acc"} else 10
    return rank + (1 if otherwise_spelt else 0)


def _is_otherwise_spelt(word: str, typed: str) -> bool:
    """Whether the beginnings differ in a diacritic: Bukówno and "Bukowno". The last letters change by case anyway."""
    if fold(word) == fold(typed):
        return word != typed
    length = min(len(word), len(typed)) - 2
    return word[:length] != typed[:length]


def mistyped_hits(text: Text, places: Places) -> Iterator[Hit]:
    """Names with a wrong, missing, doubled or swapped letter, in words that nothing else explains."""
    for word in [one for one in text.words() if _may_be_mistyped(one, places)][:_MOST_MISTYPED]:
        led = is_led(text, word.start)
        best = _closest(word.plain, places, led or word.raw[:1].isupper())
        if not best:
            continue
        hits = [
            hit
            for form in best
            for lemma in places.forms[form]
            for name in places.starting.get(lemma, ())
            if len(name) == 1 and (hit := make_hit(text, places, name, [word], [form], mistyped=True)) is not None
        ]
        if hits:
            yield max(hits, key=lambda hit: (-hit.rank if led else 0, _size(hit)))


def _size(hit: Hit) -> int:
    return max((town.size for town in hit.towns), default=sum(part.town.size for part in hit.districts) // 4)


def _may_be_mistyped(word: Word, places: Places) -> bool:
    return (
        len(word.plain) >= _LEAST_LETTERS
        and word.plain.isalpha()
        and word.plain not in places.forms
        and not word.plain.startswith(open_words())
        and word.plain not in known_words()
    )


def _closest(word: str, places: Places, may_be_place: bool) -> list[str]:
    """Forms at the least distance: one letter, two in long words; short words only where a place is expected."""
    if len(word) < 6 and not may_be_place:
        return []
    for near in (places.close_forms(len(word), word[0], 0), places.close_forms(len(word), word[0], 1)):  # then the first is wrong
        for limit in (1, 2) if len(word) >= _LONG_WORD else (1,):
            found = process.extract(word, near, scorer=OSA.distance, score_cutoff=limit, limit=None)
            if found:
                least = min(distance for _, distance, _ in found)
                return [form for form, distance, _ in found if distance == least]
    return []
