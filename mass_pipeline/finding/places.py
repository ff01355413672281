"""The towns and parishes that a question may name: tables in, an index by every form of every name. No questions here."""

from __future__ import annotations

import itertools
import re
import tomllib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mass_pipeline.finding.gazetteer import Locality, Point
from mass_pipeline.finding.names import Case, forms, sounding_alike
from mass_pipeline.finding.town_names import ParishRow, Part, TableName, table_name
from mass_pipeline.gathering.tables import voivodeship_of
from mass_pipeline.model.identifiers import fold

Words = tuple[str, ...]
_POSTCODE: Final = re.compile(r"\b\d\d-\d{3}\b")
_WORD: Final = re.compile(r"[^\W_]+")
_PEOPLE_OF_A_PARISH: Final = 8_000  # to weigh a town that the table has no parish of
_LEAST_COMPARED: Final = 4  # letters of a form that a mistyped word may mean
_MOST_REMEMBERED: Final = 1_000  # mistyped words; each is looked up several times while a question is read
_PART_OF: Final = 4  # "Kraków Prokocim" is a part of a town with so many parishes
_MARKED_PART_OF: Final = 3  # "Jaworzno - Bobry", the part itself among them
_CITY: Final = 20  # parishes of a town in which "Piaski Wielkie" is a part rather than half of the town's own name


@dataclass(frozen=True, slots=True)
class Town:
    """A town or village of one voivodeship.

    Attributes:
        name: as shown. words: folded. voivodeship: lower case, None when unknown.
        rows: its parishes; () when only the gazetteer knows it. size: parishes, or what its inhabitants would have.
        near: names that tell it from others of its name ("k. Ełku"), deaneries among them; folded words.
        point: its middle, of one that only the gazetteer knows.
    """

    name: str
    words: Words
    voivodeship: str | None
    rows: tuple[ParishRow, ...]
    size: int
    near: frozenset[str]
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class District:
    """A part of a town.

    Attributes:
        rows: parishes that the table lists under its name, and those of the deanery of its name; () when it tells of none.
    """

    name: str
    words: Words
    town: Town
    rows: tuple[ParishRow, ...] = ()


class Places:
    """Towns with their parishes, ready to be looked up by any written form of their names.

    Attributes:
        towns: by folded words of the name. districts: the same for parts of towns.
        starting: names by their first word. single: names of towns of one word by its first two letters.
        containing: names of several words by each of them, with its place in the name.
        rows: all parishes.
    """

    def __init__(self, towns: Iterable[Town], districts: Iterable[District], rows: tuple[ParishRow, ...]) -> None:
        self.rows = rows
        self.towns: dict[Words, list[Town]] = defaultdict(list)
        self.districts: dict[Words, list[District]] = defaultdict(list)
        for town in towns:
            self.towns[town.words].append(town)
        for district in districts:
            self.districts[district.words].append(district)
        self.starting: dict[str, list[Words]] = defaultdict(list)
        self.single: dict[str, list[Words]] = defaultdict(list)
        for name in self.towns:
            if len(name) == 1:
                self.single[name[0][:2]].append(name)
        self.containing: dict[str, list[tuple[Words, int]]] = defaultdict(list)
        for name in {**self.towns, **self.districts}:
            self.starting[name[0]].append(name)
            if len(name) > 1:
                for at, word in enumerate(name):
                    self.containing[word].append((name, at))
        self.forms: dict[str, dict[str, frozenset[Case]]] = defaultdict(dict)
        self._add_forms()
        self._close: dict[str, list[tuple[str, int]]] = {}

    def _add_forms(self) -> None:
        names = [town.name for found in self.towns.values() for town in found] + [
            parts[0].name for parts in self.districts.values()
        ]
        written: dict[str, set[str]] = defaultdict(set)
        for word in (word for name in names for word in _WORD.findall(name)):
            written[fold(word)].add(word)
        for lemma, spellings in written.items():
            for spelling in sorted(spellings):
                for form, cases in forms(spelling).items():
                    self.forms[form][lemma] = self.forms[form].get(lemma, frozenset()) | cases
        self._add_other_forms(list(written))

    def _add_other_forms(self, lemmas: list[str]) -> None:
        """Exonyms, and words cut short."""
        any_case: frozenset[Case] = frozenset({"nom", "loc", "gen", "acc", "ins"})
        for other, name in _data()["exonyms"].items():
            self.forms[other].setdefault(fold(name), any_case)
        for short, beginnings in _data()["short"].items():
            for lemma in [one for one in lemmas if one.startswith(tuple(beginnings.split()))]:
                self.forms[short].setdefault(lemma, any_case)

    @classmethod
    def of(cls, rows: Iterable[ParishRow], gazetteer: Iterable[Locality] = ()) -> Places:
        """Index parishes, and localities that no parish of the table lies in."""
        kept, gazetteer = tuple(rows), tuple(gazetteer)
        towns, parts = _towns_and_parts(kept, gazetteer)
        known = {words for words, _ in towns} | {words for _, words in _district_names()}
        known_otherwise = known | {(exonym,) for exonym in _data()["exonyms"]}
        outside = [one for one in map(_locality, gazetteer) if one.words not in known_otherwise]
        known.update(town.words for town in outside)
        every = [*towns.values(), *outside, *(town for town in _more_towns() if town.words not in known)]
        return cls(every, _districts(towns, parts, every), kept)

    def close_forms(self, word: str, most: int) -> list[tuple[str, int]]:
        """The forms closest to a mistyped word, with the number of its wrong letters, at most `most`; [] when none is so close.

        A form that sounds alike ("Soncz") has none.
        Compared are forms of about its length and alike in the first two letters, one of which may be wrong, missing or too many.
        """
        if word not in self._close:
            first, second = word[0], word[1]
            parts = ((first, 0), (second, 1), (first, 1), (second, 0))
            near = itertools.chain.from_iterable(self._by_letter.get((len(word), letter, at), ()) for letter, at in parts)
            found = {
                form: distance for form, distance, _ in process.extract_iter(word, near, scorer=OSA.distance, score_cutoff=most)
            }
            least = min(found.values(), default=0)
            if len(self._close) >= _MOST_REMEMBERED:
                self._close.clear()
            alike = dict.fromkeys(form for form in sounding_alike(word) if form in self.forms)
            wrong = [(form, int(distance)) for form, distance in sorted(found.items()) if distance == least and form not in alike]
            self._close[word] = [*((form, 0) for form in alike), *wrong]
        return self._close[word]

    @cached_property
    def joined(self) -> Mapping[str, list[Words]]:
        """Names without the gaps between their words."""
        found: dict[str, list[Words]] = defaultdict(list)
        for name in self.towns:
            found["".join(name)].append(name)
        return found

    @cached_property
    def other_words(self) -> frozenset[str]:
        """Words of streets and dedications: a town is no better explanation of them."""
        words = {word for row in self.rows for text in (row.name, row.address) for word in name_words(text)}
        return frozenset(word for word in words if word not in self.forms)

    @cached_property
    def largest(self) -> list[Town]:
        """Towns with parishes, most parishes first."""
        towns = (town for found in self.towns.values() for town in found if town.rows)
        return sorted(towns, key=lambda town: (-len(town.rows), town.name, town.voivodeship or ""))

    def beginning_with(self, letters: str) -> list[str]:
        """The forms that begin so, sorted."""
        first = bisect_left(self._sorted, letters)
        return list(itertools.takewhile(lambda form: form.startswith(letters), itertools.islice(self._sorted, first, None)))

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self.forms)

    @cached_property
    def _by_letter(self) -> Mapping[tuple[int, str, int], list[str]]:
        """Forms by about their length and one of their first two letters with its place."""
        found: dict[tuple[int, str, int], list[str]] = defaultdict(list)
        for form in (one for one in self.forms if len(one) >= _LEAST_COMPARED):
            for size, at in itertools.product((len(form) - 1, len(form), len(form) + 1), (0, 1)):
                found[size, form[at], at].append(form)
        return found


@cache
def _data() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files("mass_pipeline.finding").joinpath("data/places.toml").read_text(encoding="utf-8"))


@cache
def other_forms() -> frozenset[str]:
    """Exonyms and words cut short, which no declension makes."""
    return frozenset((*_data()["exonyms"], *_data()["short"]))


def place_data(section: str) -> Mapping[str, str]:
    """A section of data/places.toml."""
    return _data()[section]


def name_words(name: str) -> Words:
    """Folded words of a name.

    >>> name_words("Bielsko-Biała")
    ('bielsko', 'biala')
    """
    return tuple(_WORD.findall(fold(name)))


Key = tuple[Words, str | None]
Member = tuple[ParishRow, TableName]
Parts = dict[tuple[Key, Words], list[tuple[str, ParishRow]]]  # town and folded part -> its name as written, its parishes


def towns_of(rows: Iterable[ParishRow]) -> list[Town]:
    """The towns that rows lie in, those of their parts joined to them; a row without a town lies in none."""
    return list(_towns_and_parts(tuple(rows), ())[0].values())


def _towns_and_parts(rows: tuple[ParishRow, ...], gazetteer: tuple[Locality, ...]) -> tuple[dict[Key, Town], Parts]:
    official = {(name_words(one.name), one.voivodeship): one.name for one in gazetteer}
    grouped = _by_town([(row, table_name(row.town)) for row in rows])
    parts = _parts_of_towns(grouped)
    return {key: _town(key, found, official.get((key[0], key[1] or ""), "")) for key, found in grouped.items()}, parts


def _by_town(named: list[Member]) -> dict[Key, list[Member]]:
    """Rows by words of the name and voivodeship; one without it goes by postcode, name or deanery."""
    said: dict[Words, Counter[str]] = defaultdict(Counter)
    for row, name in named:
        if row.voivodeship:
            said[name_words(name.base)][row.voivodeship.casefold()] += 1
    deaneries = _voivodeships_of_deaneries(row for row, _ in named)
    grouped: dict[Key, list[Member]] = defaultdict(list)
    for row, name in named:
        words = name_words(name.base)
        if words:
            grouped[words, _voivodeship(row, said[words]) or deaneries.get(fold(row.deanery))].append((row, name))
    return grouped


def _voivodeships_of_deaneries(rows: Iterable[ParishRow]) -> dict[str, str]:
    """The voivodeship that most parishes of a deanery state."""
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.deanery and row.voivodeship:
            said[fold(row.deanery)][row.voivodeship.casefold()] += 1
    return {deanery: max(sorted(found), key=found.__getitem__) for deanery, found in said.items()}


def _voivodeship(row: ParishRow, said: Counter[str]) -> str | None:
    if row.voivodeship:
        return row.voivodeship.casefold()
    found = _POSTCODE.search(row.address)
    by_code = voivodeship_of(found[0]) if found else None
    if by_code is None and len(said) == 1:
        return next(iter(said))
    return by_code


def _town(key: Key, members: list[Member], official: str) -> Town:
    """The town of some rows, spelt as most of them spell it; as the gazetteer does when only the hyphen differs."""
    words, voivodeship = key
    names = Counter(name.base for _, name in members)
    near = {word for row, name in members for text in (name.near, row.deanery) for word in name_words(text)}
    rows = tuple(row for row, _ in members)
    name = max(sorted(names), key=names.__getitem__)
    if name.replace("-", " ").casefold() == official.replace("-", " ").casefold():
        name = official
    return Town(name, words, voivodeship, rows, len(rows), frozenset(near))


def _more_towns() -> Iterator[Town]:
    for name, said in _data()["more_towns"].items():
        voivodeship, *degrees = said.split() or [""]
        point = Point(float(degrees[0]), float(degrees[1])) if degrees else None
        yield Town(name, name_words(name), voivodeship or None, (), 1, frozenset(), point)


def _locality(found: Locality) -> Town:
    size = max(1, found.population // _PEOPLE_OF_A_PARISH)
    return Town(found.name, name_words(found.name), found.voivodeship, (), size, frozenset(), found.point)


def _parts_of_towns(grouped: dict[Key, list[Member]]) -> Parts:
    """ "Kraków Prokocim": joins the rows to the town; the longest name of a town that the words begin with is meant."""
    found: Parts = defaultdict(list)
    weight = _weight_with_parts(grouped)
    for words, voivodeship in [key for key in grouped if len(key[0]) > 1]:
        members = grouped[words, voivodeship]
        for cut in range(len(words) - 1, 0, -1):
            key = (words[:cut], voivodeship)
            part = members[0][1].part_after(cut)
            if (
                part is not None
                and len(members) <= (weight[key] // 2 if part.is_marked else 2)
                and weight[key] >= _least(words[:cut], part)
            ):
                name = TableName(members[0][1].first(cut), "")
                grouped[key].extend((row, name) for row, _ in members)
                found[key, name_words(part.name)].extend((part.name, row) for row, _ in members)
                del grouped[words, voivodeship]
                break
    return found


def _districts(towns: Mapping[Key, Town], parts: Parts, every: Iterable[Town]) -> list[District]:
    """Parts that the table lists, with their parishes; those of data/places.toml with the parishes of their deanery."""
    listed = {
        (id(towns[key]), words): District(found[0][0], words, towns[key], tuple(row for _, row in found))
        for (key, words), found in parts.items()
    }
    for city, named in _named_districts(every):
        for name in named:
            words = name_words(name)
            own = listed.get((id(city), words))
            of_deanery = (row for row in city.rows if _is_of_deanery(words, city, row.deanery))
            rows = tuple(dict.fromkeys((*(own.rows if own else ()), *of_deanery)))
            listed[id(city), words] = District(name, words, city, rows)
    return list(listed.values())


def _is_of_deanery(part: Words, city: Town, deanery: str) -> bool:
    """Whether a deanery is named after a part of a city: "Warszawa-Ursynów", "ursynowski"."""
    words = [word for word in name_words(deanery) if word not in city.words]
    return words == list(part) or (len(part) == len(words) == 1 and re.fullmatch(rf"{part[0]}sk(?:i|a)", words[0]) is not None)


def _least(words: Words, part: Part) -> int:
    """Parishes that a town must have for a longer name to be a part of it; few when its own name ends in that of its land."""
    if part.is_of_a_land and not part.is_marked:
        return _CITY
    if part.is_marked:
        return _MARKED_PART_OF
    return 2 if len(words) > 1 and words[-1].endswith(("ska", "ski", "skie")) else _PART_OF


def _weight_with_parts(grouped: Mapping[Key, list[Member]]) -> Counter[Key]:
    """Parishes of each town, those of its parts that a hyphen sets off among them ("Jaworzno - Bobry")."""
    weight = Counter({key: len(members) for key, members in grouped.items()})
    for (words, voivodeship), members in grouped.items():
        for cut in range(1, len(words)):
            part = members[0][1].part_after(cut)
            if part is not None and part.is_marked:
                weight[words[:cut], voivodeship] += len(members)
    return weight


@cache
def _district_names() -> tuple[tuple[str, Words], ...]:
    table = _data()["districts"]
    return tuple((name, name_words(name)) for names in table.values() for name in names.split("|"))


def _named_districts(towns: Iterable[Town]) -> Iterator[tuple[Town, list[str]]]:
    """Cities with the parts of data/places.toml; of several towns of a name the largest is meant."""
    largest: dict[Words, Town] = {}
    for town in towns:
        if town.words not in largest or town.size > largest[town.words].size:
            largest[town.words] = town
    for city, names in _data()["districts"].items():
        found = largest.get(name_words(city))
        if found is not None:
            yield found, names.split("|")
