"""Parishes named by dedication, order or a name of their own: "św. Anny w Lublinie", "u dominikanów", "Jasna Góra"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from mass_pipeline.finding.places import Places, Town, name_words
from mass_pipeline.finding.questions.draft import Draft, Street
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


def named_churches(draft: Draft) -> None:
    """Landmarks, and a church with its dedication: "kościół Wszystkich Świętych", "parafia Bożego Ciała"."""
    _landmarks(draft)
    vocabulary = dedication_words(draft.places)
    for match in _patterns()["church"].finditer(draft.text.rest):
        if draft.parish is None:
            _take_dedication(draft, match.end(), vocabulary, match["kind"] if _is_special(match["kind"]) else None, match.start())


def churches(draft: Draft) -> None:
    """Orders, saints and other dedications; last a cathedral or shrine alone."""
    for rule in (_orders, _saints, _heads, _special):
        if draft.parish is None or draft.parish_town is not None:
            rule(draft)
    if draft.parish is not None and draft.parish_town is None:
        for match in _patterns()["special"].finditer(draft.text.rest):  # "św. Wojciecha Gniezno katedra"
            if _is_another(draft, match):  # "kolegiata albo dominikanie"
                draft.report(*match.span(), whole=True)
                continue
            draft.parish_is_special = True
            draft.text.take(*match.span())


def _is_another(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a church is one to choose besides another."""
    either = expression(joined("place_roles", "or"))
    before, after = draft.text.plain[: match.start()], draft.text.plain[match.end() :]
    return bool(re.search(rf"(?<![^\W_]){either}\W+$", before) or re.match(rf"\W+{either}(?![^\W_])", after))


def _is_special(kind: str) -> bool:
    return re.fullmatch(expression(_data("special")), kind) is not None


def _name(draft: Draft, span: tuple[int, int], whole: tuple[int, int]) -> None:
    """A church named without a dedication; beside a landmark it adds its words: "u paulinów na Skałce"."""
    if _is_not_wanted(draft, whole):
        return
    words = draft.text.raw[slice(*span)]
    draft.parish = words if draft.parish is None else f"{draft.parish} {words}"
    draft.parish_is_special = True
    draft.text.take(*whole)


def _is_not_wanted(draft: Draft, span: tuple[int, int]) -> bool:
    """Whether words before a church say that it is not meant: no answer leaves one out, so it is reported."""
    denied = re.search(rf"(?<![^\W_]){expression(joined('negated', 'words'))}\W+$", draft.text.rest[: span[0]])
    if denied is not None:
        draft.report(denied.start(), span[1], whole=True)
    return denied is not None


def _landmarks(draft: Draft) -> None:
    for church in known_churches():
        for match in church.words.finditer(draft.text.rest) if church.is_landmark else ():
            _name(draft, match.span(), match.span())
            draft.parish_town = next(iter(church.of))
            return


def _orders(draft: Draft) -> None:
    for key in ("orders", "marian"):
        for match in _patterns()[key].finditer(draft.text.rest):
            _name(draft, match.span("name"), match.span())
            return


def _saints(draft: Draft) -> None:
    vocabulary = dedication_words(draft.places)
    for match in _patterns()["saint"].finditer(draft.text.rest):
        after_mass = re.search(r"\b(?:msz\w*|mass\w*)\W+$", draft.text.plain[: match.start()]) is not None
        words = vocabulary if after_mass else vocabulary | _same_words(draft, match.end(), vocabulary)
        if _take_dedication(draft, match.end(), words, None, match.start()):
            return


def _same_words(draft: Draft, start: int, vocabulary: frozenset[str]) -> frozenset[str]:
    """The next word, when it is another form of a word of dedications: "św. Józef", "w św. Krzyżu"."""
    word = next((word.plain for word in draft.text.words() if word.start >= start), "")
    towns = [town for lemma in draft.places.forms.get(word, ()) for town in draft.places.towns.get((lemma,), ())]
    if any(town.size > 1 for town in towns):
        return frozenset()
    same = len(word) > 3 and any(is_same_word(word, one) for one in vocabulary if one[:3] == word[:3])
    return frozenset({word}) if same else frozenset()


def _heads(draft: Draft) -> None:
    vocabulary = dedication_words(draft.places)
    for match in _patterns()["head"].finditer(draft.text.rest):
        if _take_dedication(draft, match.start(), vocabulary, None, match.start()):
            return


def _special(draft: Draft) -> None:
    for match in _patterns()["special"].finditer(draft.text.rest):
        _name(draft, match.span("name"), match.span())
        return


def _take_dedication(draft: Draft, start: int, vocabulary: frozenset[str], kind: str | None, span_start: int) -> bool:
    """Take the words of a dedication from here on; False when the first one is none."""
    run = _run(draft, start, vocabulary)
    if not run:
        return False
    text, end = draft.text.raw[run[0].start : run[-1].end], run[-1].end
    behind = _patterns()["behind"].match(draft.text.rest, end)
    if behind is not None:
        end = behind.end()
        kind = kind or behind["special"]
    if _is_not_wanted(draft, (span_start, end)):
        return False
    draft.parish = text
    draft.parish_is_special = kind is not None
    draft.text.take(span_start, end)
    return True


def _run(draft: Draft, start: int, vocabulary: frozenset[str]) -> list[Word]:
    joiners, stops = frozenset(_data("joiners").split()), frozenset(_data("not_dedication").split())
    run: list[Word] = []
    for word in draft.text.words():
        if word.start < start:
            continue
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


def resolve(draft: Draft) -> None:
    """Join the parish with the town that was found; say when several answer to the words."""
    if draft.parish is None:
        _in_street(draft)
        return
    is_elsewhere = draft.parish_town is not None and all(town.name != draft.parish_town for town in draft.towns)
    if draft.place is None or draft.place.name is None or is_elsewhere:  # "Arka Pana w Hucie" is in no village
        _without_town(draft, draft.parish)
    else:
        draft.parishes = tuple(_in_town(draft, draft.parish))
        several = _count(draft.parishes) > 1
        draft.place = replace(draft.place, parish=draft.parish, ambiguous=draft.place.ambiguous or several)
    if draft.street is not None:
        draft.parishes = _at_address(draft, draft.street, draft.parishes) or draft.parishes


def _in_street(draft: Draft) -> None:
    """The parishes of the street that was named, in the town that was; without a town those of every such street."""
    if draft.street is None:
        return
    rows = {row for town in draft.towns for row in town.rows} if draft.towns else draft.street.rows if draft.place is None else ()
    draft.parishes = _at_address(draft, draft.street, rows)


def _at_address(draft: Draft, street: Street, among: Iterable[ParishRow]) -> tuple[ParishRow, ...]:
    """Those of the parishes that lie in the street, at the house if one does; a street or house of none is reported."""
    found = tuple(row for row in street.rows if row in set(among))
    if not found:
        draft.report(street.start, street.end, whole=True)
        return ()
    house = draft.text.plain[slice(*street.house)] if street.house else ""
    at_house = tuple(row for row in found if re.search(rf"(?<!\d){house}(?![\da-z])", fold(row.address))) if house else found
    if street.house and not at_house:
        draft.report(*street.house)
    return at_house or found


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


def _without_town(draft: Draft, words: str) -> None:
    near, postcode = draft.near, draft.postcode
    if draft.parish_town:
        largest = max(draft.places.towns.get(name_words(draft.parish_town), ()), key=lambda town: town.size, default=None)
        voivodeship = largest.voivodeship if largest else None
        draft.place = Place(draft.parish_town, voivodeship, parish=words, near=near, postcode=postcode)
        draft.towns = (largest,) if largest else ()
        draft.parishes = tuple(_in_town(draft, words))
        return
    towns = [] if draft.parish_is_special else _towns_with(draft.places, words)
    draft.parishes = tuple(row for town in towns for row in _fitting(town.rows, words))
    if len(towns) == 1:
        draft.towns = tuple(towns)
        several = _count(_fitting(towns[0].rows, words)) > 1
        draft.place = Place(towns[0].name, towns[0].voivodeship, parish=words, ambiguous=several, near=near, postcode=postcode)
    else:
        draft.place = Place(parish=words, ambiguous=True, near=near, postcode=postcode)
