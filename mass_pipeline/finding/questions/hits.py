"""Where in a question names of towns and of parts of towns stand, in any case, and mistyped. What it means: `where`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from rapidfuzz.distance import Levenshtein

from mass_pipeline.finding.names import Case, forms
from mass_pipeline.finding.places import District, Places, Town, Words, other_forms, place_data
from mass_pipeline.finding.questions.text import Text, Word
from mass_pipeline.finding.questions.vocabulary import filler, is_of_vocabulary, joined, known_words, open_words, words_pattern
from mass_pipeline.model.identifiers import fold

_JOINED: Final = re.compile(r"[\s.\-–]*")
_LEADS: Final[tuple[tuple[re.Pattern[str], Case], ...]] = (
    (re.compile(r"(?<![^\W_])(?:w|we|na|przy|po|okolicach)\W+$"), "loc"),
    (
        re.compile(
            r"(?<![^\W_])(?:do|z|ze|od|kolo|k|obok|niedaleko|blisko|okolice|okolicy|poblizu|naprzeciw|naprzeciwko|u|dla|centrum|miescie|wokol)\W+$"
        ),
        "gen",
    ),
    (re.compile(r"(?<![^\W_])(?:pod|nad|za|przed|miedzy)\W+$"), "ins"),
)
_ENGLISH_LEAD: Final = re.compile(r"(?<![^\W_])(?:in|at|near|to|around|from|of|outside|visiting)\W+$")
_OR: Final = re.compile(r"(?<![^\W_])(?:lub|albo|czy|i|oraz|ani|or|and)\W+$")  # "w Lublinie albo Gnieźnie"
_AROUND_NAMES: Final = frozenset({"kolo", "okolice", "okolica"})  # words for "near" that are names of towns too
_MOST_MISTYPED: Final = 3  # words of one question that are compared with all forms
DECIDING_SIZE: Final = 5  # times the parishes of all others of its name: that town is meant (docs/questions.md)
_LEAST_LETTERS: Final = 3
_NEARLY_LONG: Final = 7
LONG_WORD: Final = 9  # from so many letters two may be wrong
_LONG_ENOUGH: Final = 6  # so many letters are a name without "in" before them and in small letters
_MEANT_LETTERS: Final = re.compile("[ąćęłńśź]")  # ó and ż may stand for what sounds alike
_ADJECTIVE: Final = re.compile(r"(?:sk|ck|dzk)(?:iej|im|iego|iemu|ich)$")  # "na cmentarzu Rakowickim" is not in Rakowice
_MOST_LACKING: Final = 4  # letters at the end of a name cut short
_LARGER_TOWN: Final = 5  # parishes of a town whose name is cut short
KNOWN_TOWN: Final = 2  # parishes of a town that a shorter word may mean; a part of a town counts as so many
CITY: Final = 10  # ... that a word of three letters may mean, and rather than a word of days and hours
_FITTING_RANK: Final = 3  # in the case that its place in the sentence asks for, or the nominative
FIRST_LETTER_WRONG: Final = 0.2  # how seldom the first letter is the wrong one, against any other
_OBLIQUE: Final = 4  # rank of a name that stands in another case than the nominative, without a word that asks for it


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A name in a question: `towns` and `districts` it may be, the best fitting ones; `led` when a word like "in" leads to it.

    `others` are towns that a mistyped name may mean too, the likeliest first, that differ in diacritics alone, or whose own
    name has the same form.
    """

    start: int
    end: int
    length: int
    towns: tuple[Town, ...]
    districts: tuple[District, ...]
    led: bool
    rank: int
    others: tuple[Town, ...] = ()


def lead_case(text: Text, start: int) -> Case | None:
    """The case that the word before asks for; None without such a word."""
    before = text.plain[:start]
    return next((case for pattern, case in _LEADS if pattern.search(before)), None)


def is_led(text: Text, start: int) -> bool:
    """Whether a word stands before that leads to a place."""
    return lead_case(text, start) is not None or _ENGLISH_LEAD.search(text.plain[:start]) is not None


def find_hits(
    text: Text, places: Places, least_words: int = 1, voivodeship: str | None = None, mistyped: Sequence[NamedPlace] = ()
) -> list[NamedPlace]:
    """Names in the words that are left, the longest first, none overlapping; in order of the question.

    Of names that share a form those with a town in the voivodeship go first; the towns of the rest are among the `others`
    ("w Rogowie" is in Rogowo or in Rogów). `mistyped` hits stand beside those typed right.
    """
    words = list(text.words())
    found = [hit for at in range(len(words)) for hit in _hits_at(text, places, words, at) if hit.length >= least_words]
    found.extend(mistyped)
    chosen: dict[tuple[int, int], NamedPlace] = {}
    for hit in sorted(found, key=lambda one: (-one.length, _is_elsewhere(one, voivodeship), one.rank, -_size(one), one.start)):
        span = hit.start, hit.end
        if span in chosen:
            if hit.rank <= _FITTING_RANK:
                chosen[span] = replace(chosen[span], others=(*chosen[span].others, *hit.towns))
        elif all(hit.end <= other.start or other.end <= hit.start for other in chosen.values()):
            chosen[span] = hit
    return sorted(chosen.values(), key=lambda one: one.start)


def _is_elsewhere(hit: NamedPlace, voivodeship: str | None) -> bool:
    towns = (*hit.towns, *(part.town for part in hit.districts))
    return voivodeship is not None and all(town.voivodeship != voivodeship for town in towns)


def _hits_at(text: Text, places: Places, words: Sequence[Word], at: int) -> Iterator[NamedPlace]:
    if _leads_on(text, places, words, at):
        return
    turned = words[at : at + 2][::-1]  # the adjective last: Sącz Nowy
    for run in (words[at:], turned):
        for name in _names_beginning(text, places, run):
            is_turned = run is turned and name[0] in _adjectives() and name[::-1] not in places.towns
            if run is turned and not (is_turned and len(name) == 2):
                continue
            hit = make_hit(text, places, name, run[: len(name)], [word.plain for word in run[: len(name)]])
            if hit is not None and (hit.rank <= _FITTING_RANK or run is not turned):
                yield hit


def _names_beginning(text: Text, places: Places, run: Sequence[Word]) -> Iterator[Words]:
    """Names that words begin with, in any case, joined by nothing but gaps and hyphens."""
    following = places.forms.get(run[1].plain, {}) if len(run) > 1 else {}
    names = {name for lemma in places.forms.get(run[0].plain, ()) for name in places.starting.get(lemma, ())} if run else ()
    for name in [one for one in sorted(names) if len(one) == 1 or one[1] in following]:
        written = run[: len(name)]
        is_form = all(own in places.forms.get(word.plain, ()) for own, word in zip(name, written, strict=False))
        if len(written) == len(name) and is_form and _is_joined(text, sorted(written, key=lambda word: word.start)):
            yield name


@cache
def _adjectives() -> frozenset[str]:
    return frozenset(place_data("adjectives")["words"].split())


def _leads_on(text: Text, places: Places, words: Sequence[Word], at: int) -> bool:
    """Whether a name is a word like "koło" here, with what it leads to after it: "koło Krakowa", "koło dworca", but "w Kole".

    It leads to any word that neither tells of days, hours and Masses nor is filler; of those to a name and to another's church.
    """
    word = words[at]
    if word.plain not in _AROUND_NAMES or is_led(text, word.start):
        return False
    behind = next((one for one in text.all_words() if one.start >= word.end), None)  # a long name is crossed out by now
    if behind is None or not _JOINED.fullmatch(text.raw[word.end : behind.start]) or not behind.plain.isalpha():
        return False
    if (word.raw.islower() and behind.raw[:1].isupper()) or not is_of_vocabulary(behind.plain):
        return True  # to a name, known or not
    is_genitive = any("gen" in cases for cases in places.forms.get(behind.plain, {}).values())
    return is_genitive or words_pattern(joined("near", "objects")).fullmatch(behind.plain) is not None


def _is_joined(text: Text, run: Sequence[Word]) -> bool:
    return all(_JOINED.fullmatch(text.rest[one.end : two.start]) for one, two in itertools.pairwise(run))


def make_hit(
    text: Text, places: Places, name: Words, run: Sequence[Word], written: list[str], mistyped: bool = False
) -> NamedPlace | None:
    """The towns and districts of a name that fit the written forms best; None for a common word that nothing leads to."""
    start, end = min(word.start for word in run), max(word.end for word in run)
    led = is_led(text, start)
    is_common = run[0].plain in filler() and not (led and run[0].raw[:1].isupper())
    if len(run) == 1 and not mistyped and (is_common or len(run[0].plain) < _LEAST_LETTERS):
        return None
    wanted = lead_case(text, start)
    raw = [word.raw.casefold() for word in run]
    ranked = [(_rank(town.name, written, raw, wanted), town) for town in places.towns.get(name, ())]
    parts = [(_rank(part.name, written, raw, wanted), part) for part in places.districts.get(name, ())]
    ranks = [rank for rank, _ in (*ranked, *parts) if rank is not None]
    if not ranks:
        return None
    best = min(ranks)
    is_alone = len(run) == 1 or run[0].plain.startswith("swiet")  # "Świętego Krzyża" is rather a church
    size = max((one.size for _, one in ranked), default=0)
    is_told = led or mistyped or parts or _OR.search(text.plain[:start])
    if is_alone and best >= _OBLIQUE and size < _LARGER_TOWN and not is_told:
        return None  # "za mamę Nowak" is not in Nowaki: in another case than the nominative something leads to a name
    towns = _typed(text, [(rank, town) for rank, town in ranked if rank is not None and rank <= best + 1], best)
    districts = tuple(part for rank, part in parts if rank is not None and rank <= best + 1)
    others = tuple(town for rank, town in ranked if rank is not None and town not in towns)
    return NamedPlace(start, end, len(run), towns, districts, led, best, others)


def _typed(text: Text, ranked: Sequence[tuple[int, Town]], best: int) -> tuple[Town, ...]:
    """The towns spelt as typed; in a line without diacritics a far larger one that has some instead (Łask for "lask")."""
    exact = tuple(town for rank, town in ranked if rank == best)
    if text.has_diacritics or not exact:
        return exact
    larger = [town for rank, town in ranked if rank > best and town.size >= DECIDING_SIZE * sum(one.size for one in exact)]
    return tuple(larger[:1]) or exact


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
    else:
        rank = 4 if wanted is None else 8
    return rank + (1 if otherwise_spelt else 0)


def _is_otherwise_spelt(word: str, typed: str) -> bool:
    """Whether the beginnings differ in a diacritic: Bukówno and "Bukowno". The last letters change by case anyway."""
    if fold(word) == fold(typed):
        return word != typed
    length = min(len(word), len(typed)) - 2
    return word[:length] != typed[:length]


def mistyped_hits(text: Text, places: Places) -> Iterator[NamedPlace]:
    """Names of one word with a wrong, missing, doubled or swapped letter, in words that nothing else explains."""
    for word in [one for one in text.words() if _may_be_mistyped(one, places)][:_MOST_MISTYPED]:
        alone = all(one == word or one.plain in filler() for one in text.words())
        found = [hit for hit in _likely_meant(word, text, places) if _is_surely_meant(hit, word, alone)]
        if found:
            best, *less = found
            yield replace(best, others=tuple(dict.fromkeys(town for hit in less for town in hit.towns)))


def nearly_named(text: Text, places: Places) -> list[Town]:
    """Towns that words which nothing explains may mean with one wrong letter, the likeliest first: to be asked about.

    After those of one word stand those whose longer names begin so.
    """
    words = [one for one in text.words() if _may_be_mistyped(one, places)][:_MOST_MISTYPED]
    alone = (town for word in words for hit in _likely_meant(word, text, places) for town in hit.towns)
    return list(dict.fromkeys((*alone, *_beginning_nearly_so(words, places))))


def _beginning_nearly_so(words: Sequence[Word], places: Places) -> list[Town]:
    lemmas = {lemma for word in words for form, _ in close_forms(word.plain, places) for lemma in places.forms[form]}
    names = {name for lemma in lemmas - _adjectives() for name in places.starting.get(lemma, ()) if len(name) > 1}
    found = [town for name in names for town in places.towns.get(name, ()) if town.rows]
    return sorted(found, key=lambda town: (-town.size, town.name, town.voivodeship or ""))


def _likely_meant(word: Word, text: Text, places: Places) -> list[NamedPlace]:
    """Names of one word that a mistyped word may mean, the likeliest first."""
    hits = [
        (_likelihood(distance, form, hit, word.plain), hit)
        for form, distance in close_forms(word.plain, places) or begun_forms(word.plain, places)
        if not distance or not _contradicts(word, form)
        for lemma in places.forms[form]
        for name in places.starting.get(lemma, ())
        if len(name) == 1 and (hit := make_hit(text, places, name, [word], [form], mistyped=True)) is not None
    ]
    return [hit for _, hit in sorted(hits, key=lambda one: one[0], reverse=True)]


def _is_surely_meant(hit: NamedPlace, word: Word, alone: bool) -> bool:
    """Whether a mistyped word stands for a name: the shorter it is, the larger must be the town.

    A small town's name that nothing leads to must be the only word that nothing explains: "Galeria Krakowska" is not in Galew.
    """
    if not (hit.led or alone) and _size(hit) < _LARGER_TOWN:
        return False
    if len(word.plain) <= _LEAST_LETTERS:
        return hit.rank <= 1 and _size(hit) >= CITY
    begins_so = any(town.words[0][0] == word.plain[0] for town in hit.towns)  # "Arka" is rather a name of its own than Warka
    is_long = len(word.plain) >= _LONG_ENOUGH and (begins_so or _size(hit) >= _LARGER_TOWN)  # "paczki" are not in Raczki
    is_sure = hit.led or (word.raw[:1].isupper() and begins_so) or is_long
    return is_sure or (hit.rank <= 1 and _size(hit) >= KNOWN_TOWN)


def _likelihood(distance: int, form: str, hit: NamedPlace, typed: str) -> tuple[int, bool, float]:
    """For comparing what a mistyped word may mean: fewer wrong letters, the right case, size; seldom is the first one wrong."""
    weight = _size(hit) * (1.0 if form[0] == typed[0] else FIRST_LETTER_WRONG)
    return -distance, hit.rank <= _FITTING_RANK, weight


def mistyped_long_hits(text: Text, places: Places) -> Iterator[NamedPlace]:
    """Names of several words, one of which is mistyped ("Tarnowkie Góry", "Nowy Scz"); the longest at each mistyped word."""
    words = list(text.words())
    unknown = [at for at, word in enumerate(words) if _is_no_word(word, places)][:_MOST_MISTYPED]
    for at in unknown if len(words) > 1 else ():
        found = [
            hit
            for form, wrong in close_forms(words[at].plain, places)
            if not wrong
            or form[0] == words[at].plain[0]
            or form[1:] != words[at].plain[1:]  # Krynica Górska is no Krynica Morska
            for hit in _around_form(text, places, words, at, form)
        ]
        if found:
            yield max(found, key=lambda hit: (hit.length, -hit.rank, _size(hit)))


def _around_form(text: Text, places: Places, words: Sequence[Word], at: int, form: str) -> Iterator[NamedPlace]:
    """Long names in which the form stands for a mistyped word and the words beside it are typed right."""
    for name, place in {one for lemma in places.forms[form] for one in places.containing.get(lemma, ())}:
        run = words[max(0, at - place) : at - place + len(name)]
        if at < place or len(run) != len(name) or not _is_joined(text, run):
            continue
        written = [form if n == place else word.plain for n, word in enumerate(run)]
        if all(own in places.forms.get(one, ()) for own, one in zip(name, written, strict=True)):
            hit = make_hit(text, places, name, run, written, mistyped=True)
            if hit is not None:
                yield hit


def _size(hit: NamedPlace) -> int:
    """Parishes of the largest town; a part of a town counts as a small one."""
    return max((town.size for town in hit.towns), default=KNOWN_TOWN)


def _may_be_mistyped(word: Word, places: Places) -> bool:
    is_other = word.plain.startswith(open_words()) or word.plain in places.other_words or _ADJECTIVE.search(word.plain)
    return not is_other and _is_no_word(word, places)


def _is_no_word(word: Word, places: Places) -> bool:
    is_long_enough = len(word.plain) >= _LEAST_LETTERS and word.plain.isalpha()
    return is_long_enough and word.plain not in places.forms and word.plain not in known_words()


def close_forms(word: str, places: Places) -> list[tuple[str, int]]:
    """Forms with one wrong letter, in long words two, each with the number of wrong letters; the closest only.

    In words nearly as long two may be wrong of a larger town's name ("bydgoszy" for Bydgoszczy).
    """
    found = places.close_forms(word, 2 if len(word) >= _NEARLY_LONG else 1)
    if len(word) >= LONG_WORD:
        return found
    return [(form, n) for form, n in found if n < 2 or (form[0] == word[0] and _is_of_larger(form, places))]


def known_as(word: str, places: Places) -> float:
    """How well a folded word is known as the name of a town: its parishes, fewer for each wrong letter."""
    near = [(word, 0)] if word in places.forms else close_forms(word, places) if len(word) > _LEAST_LETTERS else []
    sizes = [(town.size, n) for form, n in near for lemma in places.forms[form] for town in places.towns.get((lemma,), ())]
    return max((size / (1 + n) for size, n in sizes), default=0)


def _is_of_larger(form: str, places: Places) -> bool:
    return any(town.size >= _LARGER_TOWN for lemma in places.forms[form] for town in places.towns.get((lemma,), ()))


def _contradicts(word: Word, form: str) -> bool:
    """Whether a form lacks a letter that was typed with its diacritic, on purpose: "Dębki" is not Dąbki."""
    if not _MEANT_LETTERS.search(word.raw.casefold()) or sorted(word.plain) == sorted(form):
        return False
    changes = Levenshtein.editops(word.plain, form).as_list()
    return any(_MEANT_LETTERS.match(word.raw[int(at)].casefold()) for kind, at, _ in changes if kind != "insert")


def begun_forms(word: str, places: Places) -> list[tuple[str, int]]:
    """Forms of larger towns that a word cut short begins ("bydgosz"), each with the number of letters that it lacks."""
    if len(word) < _LONG_ENOUGH:
        return []
    return [
        (form, len(form) - len(word))
        for form in places.beginning_with(word)
        if len(form) - len(word) <= _MOST_LACKING and _is_of_larger(form, places)
    ]
