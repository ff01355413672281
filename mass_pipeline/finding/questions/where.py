"""Which place is meant: one town of the names found, near it or a part of it, or the asker's own position. Rules as values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from mass_pipeline.finding.places import District, Town, place_data
from mass_pipeline.finding.questions import clocks
from mass_pipeline.finding.questions.addresses import of_adjective
from mass_pipeline.finding.questions.dedications import has_parish
from mass_pipeline.finding.questions.draft import Draft, Match, Piece, Span, each, pattern, phrases
from mass_pipeline.finding.questions.hits import (
    DECIDING_SIZE,
    NamedPlace,
    find_hits,
    lead_case,
    mistyped_hits,
    mistyped_long_hits,
    nearly_named,
)
from mass_pipeline.finding.questions.interpretation import Place, TownName
from mass_pipeline.finding.questions.vocabulary import every, expression, filler, is_of_vocabulary, joined, number_of

_ON_A_RIVER: Final = re.compile(r"(?<![^\W_])nad\W+$")
_ON: Final = re.compile(r"(?<![^\W_])na\W+$")
_ALIKE: Final = 4  # letters that a town and the adjective of a church share
_FITS: Final = 1  # rank of a name in the case its place in the sentence asks for
_SMALL: Final = 2  # parishes of a village whose name may rather mean a part of a city
_MOST_MEANT: Final = 8  # towns listed as "did you mean"
_POSTCODE: Final = re.compile(r"(?<![\d-])(\d\d)[-–](\d{3})(?![\d-])")
_CENTRE: Final = re.compile(
    r"(?<![^\W_])(?:w |in )?(?:the )?"
    r"(?P<centre>centrum|centre|center|srodmiesci[eau]|starowk[aie]|starym miescie|stare miasto|old town)(?: of)?(?![^\W_])"
)
_ADJECTIVE: Final = re.compile(r"(?:ej|ym|im|ego|ych|ich|a|e|y|i)$")
_IN: Final = re.compile(r"(?<![^\W_])(?:w|we|in)\W+$")
_ENGLISH_IN: Final = re.compile(r"(?<![^\W_])(?:in|near|around)\W+$")
_AND_AROUND: Final = re.compile(
    r"(?<![^\W_])(?:i|lub|oraz|albo|czy|and|or)\s+(?:gdzies\s+)?(?:w\s+)?"
    r"(?:okolic\w*|poblizu|blisko|niedaleko|surroundings?|nearby|somewhere near)(?![^\W_])(?!\W+(?:mnie|nas|od|me|us))"
)
_OF_ASKER: Final = re.compile(r"\b(?:mnie|nas|me|us|here)\b")
_OBJECT_SAID: Final = re.compile(r"(?:mnie|nas|me|us|here|tu|tutaj|church|kosciol\w*)$")
_METRES: Final = {"km": 1000, "kilometr": 1000, "mi": 1609}


@cache
def _distance() -> re.Pattern[str]:
    lead, tail = (expression(joined("distance", key)) for key in ("lead", "tail"))
    span, travel = clocks.durations(), every("travel")
    unit = r"(?P<unit>kilometr|km(?=s?\b)|mi(?=\b|l(?:es?|i|a)\b))[a-z]*"  # "7 Mielec" is no distance
    number = rf"(?P<number>\d{{1,3}}(?:[.,]\d)?)\s?{unit}"
    way = rf"(?P<span>{span})\W+(?P<by>{travel})|(?P<by_>{travel})\W+(?:{lead}\W+)*(?P<span_>{span})"
    walk = rf"(?P<known>{every('distances')})"
    return re.compile(rf"(?<![^\W_])(?:{lead}\W+)*(?:{number}|{way}|{walk})(?![^\W_])(?:\W+{tail}(?![^\W_]))?")


def _metres(_: Draft, __: str, match: Match) -> Piece:
    """ "W promieniu 10 km od Krakowa", "10 minut autem": so many metres round the place."""
    if match["known"]:
        metres: float = number_of("distances", match["known"])
    elif match["number"]:
        metres = float(match["number"].replace(",", ".")) * _METRES[match["unit"]]
    else:
        by, span = match["by"] or match["by_"], match["span"] or match["span_"]
        metres = clocks.minutes_of(span) * number_of("travel", by)
    return {"radius_m": round(metres), "around": True}


def _near_me(draft: Draft, _: str, match: Match) -> Piece | None:
    """Near me, w okolicy; "blisko Krakowa" is near Kraków, "blisko, Kraków" is not."""
    hits = () if _OBJECT_SAID.search(match[0]) else find_hits(draft.text, draft.places)
    if any(hit.start <= match.end() + 1 and hit.end > match.end() for hit in hits):
        return None
    return {"near": True, "near_asker": draft.near_asker or _OF_ASKER.search(match[0]) is not None}


@cache
def _voivodeship() -> re.Pattern[str]:
    lead = expression(joined("near_vocabulary", "voivodeship"))
    lands = expression("|".join(place_data("voivodeships").values()))
    return re.compile(rf"(?<![^\W_])(?:w\W+)?(?:{lead}\W+)?(?P<land>{lands})(?:\W+{lead})?(?![^\W_])")


def _land(draft: Draft, _: str, match: Match) -> Piece | None:
    """ "woj. śląskie", "w śląskim", "(podlaskie)", unless the word belongs to the name of a town."""
    names = find_hits(draft.text, draft.places, least_words=2)
    if draft.voivodeship is not None or any(hit.start < match.end() and match.start() < hit.end for hit in names):
        return None
    lands = place_data("voivodeships").items()
    return {"voivodeship": (next(name for name, words in lands if re.fullmatch(expression(words), match["land"])), match.span())}


def long_names(draft: Draft) -> Draft:
    """Names of several words are kept from the rules of days and hours: Środa Wielkopolska, Piątek Wielki."""
    mistyped = list(mistyped_long_hits(draft.text, draft.places))
    return _with_hits(draft, find_hits(draft.text, draft.places, least_words=2, mistyped=mistyped))


def names(draft: Draft) -> Draft:
    """Names of towns and districts, then mistyped ones where no town was found or a word leads to one."""
    land = draft.voivodeship and draft.voivodeship[0]
    draft = _with_hits(draft, [_with_longer_names(draft, hit) for hit in find_hits(draft.text, draft.places, voivodeship=land)])
    draft = draft if draft.hits else _with_hits(draft, _first_words(draft))
    if all(_is_around(draft, hit) for hit in draft.hits):
        draft = _with_hits(draft, sorted(mistyped_hits(draft.text, draft.places), key=lambda one: not one.led)[:1])
    if draft.parish_is_special and not draft.hits:
        draft = _with_hits(draft, list(_adjectives(draft)))  # "w łowickiej katedrze"
    return draft.put(hits=tuple(sorted(draft.hits, key=lambda hit: hit.start)))


def _with_hits(draft: Draft, hits: Sequence[NamedPlace]) -> Draft:
    for hit in hits:
        draft = draft.plus((hit.start, hit.end), hits=(hit,) if hit.towns or hit.districts else ())
    return draft


def _adjectives(draft: Draft) -> Iterator[NamedPlace]:
    """Towns that adjectives beside a church are made of."""
    for word in draft.text.words():
        towns = of_adjective(word.plain, draft.places)
        if towns and towns[0].words[0][:_ALIKE] == word.plain[:_ALIKE]:  # Oliwa, a part of Gdańsk, is not Oława
            yield NamedPlace(word.start, word.end, 1, towns, (), True, 0)


def _with_longer_names(draft: Draft, hit: NamedPlace) -> NamedPlace:
    """A name of one word that a larger town begins with may mean that one: Krynica is a village, Krynica-Zdrój a town."""
    if hit.length > 1 or not hit.towns or len(hit.towns[0].words) > 1:
        return hit
    size = max(town.size for town in hit.towns)
    longer = (town for name in _longer(draft, hit.towns[0].words[0]) for town in draft.places.towns.get(name, ()))
    return replace(hit, towns=hit.towns + tuple(town for town in longer if town.size > size and town.rows))


def _longer(draft: Draft, word: str) -> list[tuple[str, ...]]:
    """Names of several words that begin with a word."""
    return [name for name in draft.places.starting.get(word, ()) if len(name) > 1]


def _first_words(draft: Draft) -> list[NamedPlace]:
    """A bare first word that several towns share: Ostrów, Krynica, Gorzów."""
    adjectives = place_data("adjectives")["words"].split()
    for word in [one for one in draft.text.words() if one.plain not in filler()]:
        for lemma in draft.places.forms.get(word.plain, ()):
            towns = tuple(town for name in _longer(draft, lemma) for town in draft.places.towns.get(name, ()))
            if towns and lemma not in adjectives and len(lemma) > 3:
                return [NamedPlace(word.start, word.end, 1, towns, (), True, 0)]
    return []


postcodes = each(pattern(_POSTCODE), lambda _, __, match: {"postcode": f"{match[1]}-{match[2]}"})
distances = each(pattern(_distance), _metres)
and_around = each(pattern(_AND_AROUND), lambda *_: {"around": True})
near_me = each(phrases("near", "me"), _near_me)
voivodeships = each(pattern(_voivodeship), _land)
centres = each(pattern(_CENTRE), lambda _, __, match: {"centre": match.span("centre")})


@cache
def _lead(section: str, *keys: str, tail: str = "") -> re.Pattern[str]:
    words = "|".join(expression(joined(section, key)) for key in keys)
    return re.compile(rf"(?<![^\W_])(?:{words}){tail}\W*$")


def _is_around(draft: Draft, hit: NamedPlace) -> bool:
    return _lead("near", "around").search(draft.text.plain[: hit.start]) is not None


def _is_origin(draft: Draft, hit: NamedPlace) -> bool:
    before = draft.text.plain[: hit.start]
    return hit.start in draft.of_duties or _lead("near", "before_from", "staying").search(before) is not None


def _role(draft: Draft, hit: NamedPlace, key: str) -> Span | None:
    """Where words of such a role lead to the name: not wanted, preferred."""
    lead = _lead("place_roles", key, tail=r"(?:\W+(?:w|we|do|na|in|to))?").search(draft.text.plain[: hit.start])
    return None if lead is None else lead.span()


def resolve(draft: Draft) -> Draft:
    """With the place of what was found; what does not belong to it is told."""
    hits = draft.hits or draft.counties
    for hit in hits:  # words that lead to a name are understood with it
        before = draft.text.plain[: hit.start]
        spans = [_role(draft, hit, "not_wanted"), _role(draft, hit, "preferred")]
        spans += [found.span() for found in (_lead("near", "around").search(before) or _ON_A_RIVER.search(before),) if found]
        for span in filter(None, spans):
            draft = draft.plus(span)
    main = _main_hit(draft, hits)
    if main is None:
        return _without_town(draft)
    counties = [hit for hit in draft.counties if hit is not main]
    others = [*(hit for hit in hits if hit is not main and hit not in counties), *counties]
    named = [hit for hit in hits if hit.towns == main.towns]  # perhaps twice: "Jasło czy Krosno, lepiej Krosno"
    chosen_from = [hit for hit in others if any(_is_choice(draft, one, hit) for one in named)]
    centre = next((hit for hit in others if main.towns and _CENTRE.fullmatch(draft.text.plain[hit.start : hit.end])), None)
    if centre is not None:  # "Lublin, Stare Miasto" is no village of that name
        others.remove(centre)
        draft = draft.put(centre=(centre.start, centre.end))
    district = next((part for hit in others if hit not in chosen_from for part in hit.districts if part.town in main.towns), None)
    towns = _candidates(draft, main, district, others)
    used = [hit for hit in others if district is not None and district in hit.districts]
    telling = [hit for hit in others if hit not in used and hit in (*_without_common_words(draft, hits), *draft.counties)]
    near_city = next((hit for hit in telling if hit.towns and len(towns) > 1), None)
    decided = _near_city(draft, towns, near_city) if near_city is not None and _may_decide(draft, near_city, towns) else []
    also = []
    if near_city is not None and decided:
        towns = decided
        also.append(near_city)
        used.extend([near_city] if near_city not in chosen_from else [])
    for hit in others:
        if hit not in used and not (set(hit.towns) & set(towns) and hit in telling):
            draft = draft.reported(hit.start, hit.end)
            if hit.towns and (hit.rank <= _FITS or hit in chosen_from) and _role(draft, hit, "not_wanted") is None:
                also.append(hit)
    draft = draft.put(also=tuple(TownName.of(largest(hit.towns)[0]) for hit in also))
    start = _unknown_name(draft, main)
    if start is not None:
        place = Place(draft.text.raw[start : main.end], around=_is_around(draft, main))
        return draft.put(place=place).reported(start, main.end)
    around = _is_around(draft, main) or draft.around or main in draft.counties
    return _settled(draft, main, towns, district, around)


def _unknown_name(draft: Draft, hit: NamedPlace) -> int | None:
    """Where the name begins that no table has, and a small town's is only the end of: "w Żelazowej Woli" is not in Wola."""
    before = next((word for word in draft.text.words() if word.end + 1 == hit.start), None)
    if before is None or hit.length > 1 or before.plain in filler():
        return None
    is_name = before.raw[:1].isupper() or not any(letter.isupper() for letter in draft.text.raw)
    is_small = all(town.size <= _SMALL for town in hit.towns)
    return before.start if is_name and is_small and _ADJECTIVE.search(before.plain) else None


def _main_hit(draft: Draft, hits: Sequence[NamedPlace]) -> NamedPlace | None:
    """The first name that is neither where the asker comes from nor only what the place is near to."""
    origins = [hit for hit in hits if _is_origin(draft, hit)]
    wanted = [hit for hit in hits if _role(draft, hit, "not_wanted") is None]
    preferred = [hit for hit in wanted if _role(draft, hit, "preferred")]
    wanted = list(_without_quarters(draft, _without_ways(draft, _without_common_words(draft, wanted), bool(origins))))
    rest = preferred or [hit for hit in wanted if hit not in origins] or wanted or list(hits)
    chosen = [one for one in rest if any(_is_choice(draft, one, other) for other in rest if other is not one)]
    inside = [hit for hit in rest if not _is_around(draft, hit) or hit in chosen]  # "koło Nysy albo Opola" is near both
    with_town = [hit for hit in inside if hit.towns and not _is_only_district(draft, hit, inside)]
    fitting = [hit for hit in with_town if hit.rank <= _FITS]
    return next(iter([*fitting, *with_town, *inside, *rest]), None)


def _without_common_words(draft: Draft, hits: Sequence[NamedPlace]) -> Sequence[NamedPlace]:
    """Without names in small letters that nothing leads to, where another one has a capital or "w" before it.

    "Naprzeciwko targowiska w Miastkowie" is not in Targowiska.
    """
    raw, plain = draft.text.raw, draft.text.plain
    small = [hit for hit in hits if hit.length == 1 and all(town.size < DECIDING_SIZE for town in hit.towns)]
    common = [hit for hit in small if not hit.led and is_of_vocabulary(plain[hit.start : hit.end])]
    hits = [hit for hit in hits if hit not in common] or hits  # "w Tarnowskich Górach mikołajki"
    named = [hit for hit in hits if (hit.start and raw[hit.start].isupper()) or _IN.search(plain[: hit.start])]
    return [hit for hit in hits if hit in named or hit.led or raw[hit.start].isupper()] if named else hits


def _without_ways(draft: Draft, hits: Sequence[NamedPlace], has_origin: bool) -> Sequence[NamedPlace]:
    """Without the end of a way where other towns are named too: "z Krakowa na Rzeszów, w okolicy Bochni"."""
    plain, towards, origin = draft.text.plain, _lead("near", "before_to"), _lead("near", "before_from", "staying")
    ends = [hit for hit in hits if has_origin and towards.search(plain[: hit.start])]
    starts = [hit for hit in hits if origin.search(plain[: hit.start])]
    return [hit for hit in hits if hit not in ends] if len(hits) > len(ends) + len(starts) else hits


def _without_quarters(draft: Draft, hits: Sequence[NamedPlace]) -> Sequence[NamedPlace]:
    """Without villages that "na" leads to where a city is named too: "na Andrzejowie w Łodzi" is a part of Łódź."""
    size = max((town.size for hit in hits for town in hit.towns), default=0)
    return [
        hit
        for hit in hits
        if hit.districts
        or not _ON.search(draft.text.plain[: hit.start])
        or max((town.size for town in hit.towns), default=0) * DECIDING_SIZE > size
    ] or hits


def _is_choice(draft: Draft, one: NamedPlace, other: NamedPlace) -> bool:
    """Whether two names stand side by side as equals: "Leszno albo Kościan", "Słupsk/Ustka"."""
    first, second = sorted((one, other), key=lambda hit: hit.start)
    between = draft.text.plain[first.end : second.start]
    return re.fullmatch(rf"\W*(?:/|{expression(joined('place_roles', 'or'))})(?:\W+(?:w|we|do|in))?\W*", between) is not None


def _is_only_district(draft: Draft, hit: NamedPlace, hits: Sequence[NamedPlace]) -> bool:
    """Whether a village's name means the part of a town: its town is named too, "na" leads to it, or it is famous."""
    if not hit.districts:
        return False
    others = [town for other in hits if other is not hit for town in other.towns]
    size = max((town.size for town in hit.towns), default=0)
    if any(part.town in others for part in hit.districts) or any(town.size >= DECIDING_SIZE * size for town in others):
        return True  # where a city is named too, "Stare Miasto" is a part of it and no village, even if no table has it
    is_famous = hit.districts[0].name in place_data("famous")["names"].split("|")
    return size <= _SMALL and (is_famous or _ON.search(draft.text.plain[: hit.start]) is not None)


def _candidates(draft: Draft, main: NamedPlace, district: District | None, others: Sequence[NamedPlace]) -> list[Town]:
    if district is not None:
        return [district.town]
    if main.towns and not _is_only_district(draft, main, [main, *others]):
        return list(main.towns)
    return list(dict.fromkeys(part.town for part in main.districts)) or list(main.towns)


def _may_decide(draft: Draft, city: NamedPlace, towns: Sequence[Town]) -> bool:
    """Whether a second name tells which town is meant: said to be near, or the first leaves it open."""
    return city.rank <= _FITS and (_is_around(draft, city) or len(largest(towns)) > 1)


def _near_city(draft: Draft, towns: Sequence[Town], city: NamedPlace) -> list[Town]:
    """Of towns of one name those that lie near a city: it stands in their deanery or beside their name, else one voivodeship.

    Last those of a longer name there: Nowa Wieś near Ełk is Nowa Wieś Ełcka.
    """
    words, lands = towns[0].words, {other.voivodeship for other in largest(city.towns)}
    longer = [name for name in draft.places.starting.get(words[0], ()) if name[: len(words)] == words]
    for nearer in (
        [town for town in towns if any(set(other.words) <= town.near for other in city.towns)],
        [town for town in towns if town.voivodeship in lands],
        [town for name in longer for town in draft.places.towns.get(name, ()) if town.voivodeship in lands],
    ):
        if nearer:
            return nearer
    return []


def largest(towns: Sequence[Town]) -> list[Town]:
    """The town that size decides for; all of them when it does not."""
    ordered = sorted(towns, key=lambda town: -town.size)
    if len(ordered) > 1 and ordered[0].size >= DECIDING_SIZE * sum(town.size for town in ordered[1:]):
        return ordered[:1]
    return ordered


def _settled(draft: Draft, main: NamedPlace, towns: Sequence[Town], district: District | None, around: bool) -> Draft:
    found = list(towns)
    if draft.voivodeship is not None:
        fitting = [one for some in (found, main.others) for one in some if one.voivodeship == draft.voivodeship[0]]
        found = [one for one in fitting if one in found] or fitting or found
        draft = draft if fitting else draft.reported(*draft.voivodeship[1])
    if draft.parish is not None and len(found) > 1:
        found = [town for town in found if has_parish(town, draft.parish)] or found
    meant = largest(found)
    one = len({(town.name, town.voivodeship) for town in meant}) == 1
    if district is None and meant[0] not in main.towns:
        district = next((part for part in main.districts if part.town == meant[0]), None)
    named = dict.fromkeys((*towns, *(main.towns if district in main.districts else ())))  # "w Jeżycach", in Poznań or a village
    others = sorted((town for town in named if town not in meant or not one), key=lambda town: -town.size)
    is_small = draft.voivodeship is None and all(town.size <= _SMALL for town in meant)
    of_parts = [part.town for part in main.districts] if district is None and is_small else []  # "Łagiewniki" of Kraków
    others += [town for town in dict.fromkeys((*main.others, *of_parts)) if town not in others and town not in meant]
    centre = draft.text.raw[slice(*draft.centre)] if draft.centre else None
    part_name = district.name if district is not None and one else centre if one else None
    if draft.centre is not None and part_name != centre:
        draft = draft.reported(*draft.centre)
    place = Place(
        meant[0].name if one else _shared_name(meant),
        meant[0].voivodeship if one else None,
        ambiguous=not one, around=around, district=part_name, postcode=draft.postcode, near=draft.near_asker,
    )  # fmt: skip
    towns_meant = (meant[0],) if one else tuple(meant)
    return draft.put(place=place, towns=towns_meant, district=district if one else None, did_you_mean=_named(others))


def _named(towns: Sequence[Town]) -> tuple[TownName, ...]:
    return tuple(map(TownName.of, towns[:_MOST_MEANT]))


def _shared_name(towns: Sequence[Town]) -> str:
    """The first words that the names share, as the tables spell them; the first name where they share none."""
    first = towns[0]
    shared = [n for n in range(1, len(first.words) + 1) if all(town.words[:n] == first.words[:n] for town in towns)]
    return " ".join(first.name.split()[: max(shared, default=0)]) or first.name


def _without_town(draft: Draft) -> Draft:
    for span in filter(None, (draft.voivodeship and draft.voivodeship[1], draft.centre)):
        draft = draft.reported(*span)
    if draft.postcode is not None:
        return draft.put(place=Place(postcode=draft.postcode))
    return draft.put(place=Place(near=True)) if draft.near or draft.around else draft


def unknown_towns(draft: Draft) -> Draft:
    """A capitalised word after "w", "in" or "near" that no table has is still read as named, and told too.

    Without such a word, towns one wrong letter away from what is left are listed; nobody is sent there.
    """
    if draft.place is not None:
        return draft
    for word in [one for one in draft.text.words() if one.plain not in filler() and len(one.raw) > 2]:
        before = draft.text.plain[: word.start]
        is_led = lead_case(draft.text, word.start) is not None or _ENGLISH_IN.search(before) is not None
        if is_led and word.raw[:1].isupper() and not word.raw.isupper():
            around = _lead("near", "around").search(before) is not None
            return draft.put(place=Place(word.raw, around=around)).reported(word.start, word.end)
    return draft.put(did_you_mean=_named(nearly_named(draft.text, draft.places)))
