"""Parishes named by dedication, order or a name of their own: "św. Anny w Lublinie", "u dominikanów", "Jasna Góra"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from mass_pipeline.finding.places import Places, Town, name_words
from mass_pipeline.finding.questions.draft import TOLD_WHOLE, Draft, Match, Piece, Span, Street, denial, each, pattern
from mass_pipeline.finding.questions.hits import find_hits
from mass_pipeline.finding.questions.interpretation import Place
from mass_pipeline.finding.questions.text import Word
from mass_pipeline.finding.questions.vocabulary import expression, joined, load, words_pattern
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.gathering.dedication import expand
from mass_pipeline.gathering.words import beginning, common_form, has_word, is_same_word
from mass_pipeline.model.identifiers import fold

_EMPTY: Final = frozenset(
    {"sw", "swietego", "swietej", "swietych", "parafia", "kosciol", "pw", "i", "od", "z", "ze", "ss", "bl", "st"}
    | {"saint", "the", "of", "s", "w"}
)
_BETWEEN: Final = frozenset({"i", "od", "z", "ze", "o", "sw", "and", "the", "of"})  # end no dedication
_POSTCODE: Final = re.compile(r"\b\d\d-\d{3}\b")
_MASS: Final = re.compile(r"\b(?:msz\w*|mass\w*)\W+$")
_MOST_WORDS: Final = 7


def _data(key: str) -> str:
    return str(load("churches")[key])


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    general, special, saint = (expression(_data(key)) for key in ("general", "special", "saint"))
    fathers, orders, pw, marian = (expression(_data(key)) for key in ("fathers", "orders", "pw", "marian"))
    return {
        "orders": re.compile(
            rf"(?<![^\W_])(?:(?:u|at)\W+)?(?:{general}\W+|{special}\W+)?(?:(?:{fathers})\W+)?(?P<name>{orders})(?:\W+(?:{general}|{special}))?(?![^\W_])"
        ),
        "marian": re.compile(
            rf"(?<![^\W_])(?:{general}\W+)?(?P<name>(?:{special}\W+)?{marian}(?:\W+{special})?)(?:\W+{general})?(?![^\W_])"
        ),
        "church": re.compile(rf"(?<![^\W_])(?P<kind>{general}|{special})(?:\W+(?:{pw}))?\W+(?=[^\W_])"),
        "saint": re.compile(rf"(?<![^\W_])(?:{saint})\W+(?=[^\W_])"),
        "head": re.compile(rf"(?<![^\W_])(?={expression(_data('heads'))}(?![^\W_]))"),
        "behind": re.compile(rf"\W+(?:(?P<special>{special})|(?:{general}))(?![^\W_])"),
        "special": re.compile(rf"(?<![^\W_])(?P<name>{special})(?![^\W_])"),
    }


def named_churches(draft: Draft) -> Draft:
    """Landmarks, and a church with its dedication: "kościół Wszystkich Świętych", "parafia Bożego Ciała"."""
    draft = _landmarks(draft)
    for _, match in pattern(_patterns()["church"])(draft):
        if draft.parish is None:
            is_special = re.fullmatch(expression(_data("special")), match["kind"]) is not None
            draft = _with_dedication(draft, match.end(), frozenset(), match.start(), is_special) or draft
    return draft


def churches(draft: Draft) -> Draft:
    """Orders, saints and other dedications; last a cathedral or shrine alone, or beside one of them."""
    for rule in (_orders, _saints, _heads, _special):
        if draft.parish is None or draft.parish_town is not None:
            draft = rule(draft)
    if draft.parish is None or draft.parish_town is not None:
        return draft
    return each(pattern(_patterns()["special"]), _special_too)(draft)


def _special_too(draft: Draft, _: str, match: Match) -> Piece:
    """ "Św. Wojciecha Gniezno katedra"; of "kolegiata albo dominikanie" one is told."""
    either = expression(joined("place_roles", "or"))
    before, after = draft.text.plain[: match.start()], draft.text.plain[match.end() :]
    is_another = re.search(rf"(?<![^\W_]){either}\W+$", before) or re.match(rf"\W+{either}(?![^\W_])", after)
    return TOLD_WHOLE if is_another else {"parish_is_special": True}


def _with_name(draft: Draft, span: Span, whole: Span, town: str | None = None) -> Draft:
    """A church named without a dedication; beside a landmark it adds its words: "u paulinów na Skałce"."""
    denied = denial(draft, whole[0])
    if denied is not None:  # no answer leaves one out
        return draft.reported(denied, whole[1], whole=True)
    words = draft.text.raw[slice(*span)]
    parish = words if draft.parish is None else f"{draft.parish} {words}"
    return draft.plus(whole, parish=parish, parish_is_special=True, parish_town=town or draft.parish_town)


def _landmarks(draft: Draft) -> Draft:
    found = (
        (church, match) for church in known_churches() if church.is_landmark for match in church.words.finditer(draft.text.rest)
    )
    first = next(found, None)
    return draft if first is None else _with_name(draft, first[1].span(), first[1].span(), next(iter(first[0].of)))


def _orders(draft: Draft) -> Draft:
    for key in ("orders", "marian"):
        match = _patterns()[key].search(draft.text.rest)
        draft = draft if match is None else _with_name(draft, match.span("name"), match.span())
    return draft


def _saints(draft: Draft) -> Draft:
    for match in _patterns()["saint"].finditer(draft.text.rest):
        after_mass = _MASS.search(draft.text.plain[: match.start()]) is not None
        more = frozenset[str]() if after_mass else _same_words(draft, match.end())
        found = _with_dedication(draft, match.end(), more, match.start())
        if found is not None:
            return found
    return draft


def _same_words(draft: Draft, start: int) -> frozenset[str]:
    """The next word, when it is another form of a word of dedications: "św. Józef", "w św. Krzyżu"."""
    word = next((word.plain for word in draft.text.words() if word.start >= start), "")
    towns = [town for lemma in draft.places.forms.get(word, ()) for town in draft.places.towns.get((lemma,), ())]
    known = [one for one in dedication_words(draft.places) if one[:3] == word[:3]]
    is_same = len(word) > 3 and all(town.size == 1 for town in towns) and any(is_same_word(word, one) for one in known)
    return frozenset({word}) if is_same else frozenset()


def _heads(draft: Draft) -> Draft:
    for match in _patterns()["head"].finditer(draft.text.rest):
        found = _with_dedication(draft, match.start(), frozenset(), match.start())
        if found is not None:
            return found
    return draft


def _special(draft: Draft) -> Draft:
    match = _patterns()["special"].search(draft.text.rest)
    return draft if match is None else _with_name(draft, match.span("name"), match.span())


def _with_dedication(draft: Draft, start: int, more: frozenset[str], begin: int, special: bool = False) -> Draft | None:
    """With the words of a dedication from here on, `more` words being of one too; None when the first one is none."""
    run = _run(draft, start, dedication_words(draft.places) | more)
    if not run:
        return None
    text, end = draft.text.raw[run[0].start : run[-1].end], run[-1].end
    behind = _patterns()["behind"].match(draft.text.rest, end)
    if behind is not None:
        end, special = behind.end(), special or behind["special"] is not None
    denied = denial(draft, begin)
    if denied is not None:
        return draft.reported(denied, end, whole=True)
    return draft.plus((begin, end), parish=text, parish_is_special=special, parish_end=end)


def _run(draft: Draft, start: int, vocabulary: frozenset[str]) -> list[Word]:
    joiners, stops = frozenset(_data("joiners").split()), frozenset(_data("not_dedication").split())
    run: list[Word] = []
    for word in (one for one in draft.text.words() if one.start >= start):
        between = draft.text.rest[run[-1].end if run else start : word.start]
        if "ʘ" in between or "," in between or len(run) >= _MOST_WORDS or word.plain in stops:
            break
        is_count = word.plain.isdigit() and not run  # "12 Apostołów"
        if not _is_one_of(word, vocabulary) and word.plain not in joiners and not is_count:
            break
        if _is_rather_town(draft, word, run):
            break
        run.append(word)
    while run and run[-1].plain in _BETWEEN:
        run.pop()
    return run if any(_is_one_of(word, vocabulary) for word in run) else []


def _is_rather_town(draft: Draft, word: Word, run: Sequence[Word]) -> bool:
    """Whether a town's name begins here: one of several words ("sanktuarium Kalwaria Zebrzydowska"), or a larger town's.

    A saint may be a village too (Święta Anna), and a town may belong to a dedication (Our Lady of Częstochowa).
    """
    if any(town.size > 1 for town in draft.places.towns.get((word.plain,), ())):
        return not (run and run[-1].plain == "of")
    if word.plain.startswith("swiet") or not draft.places.forms.get(word.plain):
        return False
    return any(hit.start == word.start and hit.towns for hit in find_hits(draft.text, draft.places, least_words=2))


def _is_one_of(word: Word, vocabulary: frozenset[str]) -> bool:
    return word.plain in vocabulary or common_form(word.plain) in vocabulary


@lru_cache(maxsize=4)
def dedication_words(places: Places) -> frozenset[str]:
    """Words of the dedications of a table, folded, that are no forms of its larger towns; with the English ones."""
    words = {word for row in places.rows for word in name_words(row.name) if len(word) > 2 and not word.isdigit()}
    towns = {town.words[0] for found in places.towns.values() for town in found if len(town.words) == 1 and town.size > 1}
    return frozenset(words - towns - {"parafia"}) | frozenset(_data("english").split())


def has_parish(town: Town, words: str) -> bool:
    """Whether one of the town's parishes has these words in its dedication."""
    wanted = _wanted(words)
    return any(_fits(_telling(row.name), wanted) for row in town.rows)


@lru_cache(maxsize=20_000)
def _expanded(name: str) -> tuple[str, ...]:
    return tuple(name_words(expand(name)))


@lru_cache(maxsize=20_000)
def _telling(name: str) -> tuple[str, ...]:
    """The words of a dedication that tell it from others."""
    return tuple(word for word in _expanded(name) if word not in _EMPTY)


def _wanted(words: str) -> list[str]:
    english = load("churches")["english_saints"]
    assert isinstance(english, dict)
    return [one for word in _telling(words) if (one := str(english.get(word, word))) not in _EMPTY]


def _fits(telling: Sequence[str], wanted: Sequence[str]) -> bool:
    return bool(wanted) and all(has_word(word, telling) for word in wanted)


@lru_cache(maxsize=4)
def _by_beginning(places: Places) -> Mapping[str, Mapping[tuple[str, ...], Sequence[Town]]]:
    """Dedications with the towns that have one, by the beginning of each of their words: few are compared with a question."""
    towns: dict[tuple[str, ...], list[Town]] = defaultdict(list)
    for town in (town for found in places.towns.values() for town in found):
        for telling in {_telling(row.name) for row in town.rows}:
            towns[telling].append(town)
    found: dict[str, dict[tuple[str, ...], Sequence[Town]]] = defaultdict(dict)
    for telling, having in towns.items():
        for word in telling:
            found[beginning(word)][telling] = having
    return found


def _towns_with(places: Places, words: str) -> list[Town]:
    """Every town with a parish of these words."""
    wanted = _wanted(words)
    alike = _by_beginning(places).get(beginning(wanted[0]), {}) if wanted else {}
    towns = {id(town): town for telling, having in alike.items() if _fits(telling, wanted) for town in having}
    return list(towns.values())


def resolve(draft: Draft) -> Draft:
    """With the parish joined to the town that was found; several that answer to the words are said to be so."""
    parish = draft.parish
    if parish is not None:
        is_elsewhere = draft.parish_town is not None and all(town.name != draft.parish_town for town in draft.towns)
        if draft.place is None or draft.place.name is None or is_elsewhere:  # "Arka Pana w Hucie" is in no village
            draft = _without_town(draft, parish)
        else:
            parishes = tuple(_in_town(draft, parish))
            several = draft.place.ambiguous or _count(parishes) > 1
            draft = draft.put(parishes=parishes, place=replace(draft.place, parish=parish, ambiguous=several))
    if draft.street is None:
        return draft
    if parish is not None:
        among: Iterable[ParishRow] = draft.parishes
    else:  # those of the town; without a town those of every such street
        among = [row for town in draft.towns for row in town.rows] or (draft.street.rows if draft.place is None else ())
    return _at_address(draft, draft.street, set(among))


def _at_address(draft: Draft, street: Street, among: Set[ParishRow]) -> Draft:
    """With those of the parishes that lie in the street, at the house if one does; a street or house of none is told."""
    found = tuple(row for row in street.rows if row in among)
    if not found:
        return draft.reported(street.start, street.end, whole=True)
    house = draft.text.plain[slice(*street.house)] if street.house else ""
    at_house = tuple(row for row in found if re.search(rf"(?<!\d){house}(?![\da-z])", fold(row.address))) if house else found
    draft = draft.put(parishes=at_house or found)
    return draft if at_house or street.house is None else draft.reported(*street.house)


def _in_town(draft: Draft, words: str) -> list[ParishRow]:
    """The parishes of the towns that the words fit: by their names; a cathedral or an order also by what the town has."""
    rows = [row for town in draft.towns for row in town.rows]
    if not draft.parish_is_special:
        return _fitting(rows, words)
    town = draft.towns[0].name if draft.towns else ""
    known = [church.of[town] for church in known_churches() if town in church.of and church.words.search(fold(words))]
    found = [row for dedication in known for row in _fitting(rows, dedication) or _of_all_words(rows, dedication)]
    wanted = _wanted(words)
    return found or [row for row in rows if _fits((*_telling(row.name), *name_words(row.town)), wanted)]


def _of_all_words(rows: Iterable[ParishRow], words: str) -> list[ParishRow]:
    """Parishes with these words in name, town or address: "Królowej Polski Bieńczyce"."""
    wanted = _wanted(words)
    return [row for row in rows if _fits((*_telling(row.name), *name_words(row.town), *name_words(row.address)), wanted)]


@dataclass(frozen=True, slots=True)
class KnownChurch:
    """A name that is no dedication.

    Attributes:
        of: town -> words of the parish that has the name there. is_landmark: whether it means its only town by itself.
    """

    words: re.Pattern[str]
    of: Mapping[str, str]
    is_landmark: bool


@cache
def known_churches() -> tuple[KnownChurch, ...]:
    """Those of the vocabulary."""
    table = load("churches")["known"]
    assert isinstance(table, dict)
    return tuple(KnownChurch(words_pattern(str(one["words"])), one["of"], "is_landmark" in one) for one in table.values())


def _count(rows: Iterable[ParishRow]) -> int:
    """How many parishes the rows are: one may be listed twice, by its diocese and by the military one."""
    return len({_likeness(row) for row in rows})


def _likeness(row: ParishRow) -> tuple[object, ...]:
    """What a parish listed twice has in common: its dedication and postcode; without a postcode its address."""
    code = _POSTCODE.search(row.address)
    return (_expanded(row.name), code[0] if code else row.address)


def _fitting(rows: Iterable[ParishRow], words: str) -> list[ParishRow]:
    """Parishes with these words, those with no other words first choice."""
    wanted = _wanted(words)
    fitting = [row for row in rows if _fits(_telling(row.name), wanted)]
    exact = [row for row in fitting if len(_telling(row.name)) == len(wanted)]
    return exact if _count(exact) == 1 else fitting


def _without_town(draft: Draft, words: str) -> Draft:
    """The parish of a landmark, or the one that has these words anywhere."""
    town_name = draft.parish_town
    if town_name is not None:
        town = max(draft.places.towns.get(name_words(town_name), ()), key=lambda one: one.size, default=None)
        draft = draft.put(towns=(town,) if town else ())
        parishes, is_known = tuple(_in_town(draft, words)), True
    else:
        towns = [] if draft.parish_is_special else _towns_with(draft.places, words)
        parishes = tuple(row for one in towns for row in _fitting(one.rows, words))
        town = towns[0] if len(towns) == 1 else None
        town_name, is_known = (town.name if town else None), town is not None and _count(parishes) == 1
        draft = draft.put(towns=(town,) if town else draft.towns)
    place = Place(
        town_name, town.voivodeship if town else None, parish=words, ambiguous=not is_known, near=draft.near,
        postcode=draft.postcode,
    )  # fmt: skip
    return draft.put(place=place, parishes=parishes)
