"""Which place is meant: one town of the names found, near it or a part of it, or the asker's own position. Rules over a draft."""

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
from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.hits import (
    NamedPlace,
    find_hits,
    lead_case,
    mistyped_hits,
    mistyped_long_hits,
    nearly_named,
)
from mass_pipeline.finding.questions.interpretation import Place, TownName
from mass_pipeline.finding.questions.vocabulary import (
    every,
    expression,
    filler,
    is_of_vocabulary,
    joined,
    number_of,
    words_pattern,
)

DECIDING_SIZE: Final = 5  # times the parishes of all others of its name: that town is meant (docs/questions.md)
_ON_A_RIVER: Final = re.compile(r"(?<![^\W_])nad\W+$")
_ALIKE: Final = 4  # letters that a town and the adjective of a church share
_FITS: Final = 1  # rank of a name in the case its place in the sentence asks for
_SMALL: Final = 2  # parishes of a village whose name may rather mean a part of a city
_MOST_MEANT: Final = 8  # towns listed as "did you mean"
_POSTCODE: Final = re.compile(r"(?<![\d-])(\d\d)[-–](\d{3})(?![\d-])")
_CENTRE: Final = re.compile(
    r"(?<![^\W_])(?:w |in )?(?:the )?"
    r"(centrum|centre|center|srodmiesci[eau]|starowk[aie]|starym miescie|stare miasto|old town)(?: of)?(?![^\W_])"
)

_ADJECTIVE: Final = re.compile(r"(?:ej|ym|im|ego|ych|ich|a|e|y|i)$")
_IN: Final = re.compile(r"(?<![^\W_])(?:w|we|in)\W+$")
_AND_AROUND: Final = re.compile(r"(?<![^\W_])(?:i|lub|oraz|albo|and|or)\s+(?:w\s+)?(?:okolic\w*|surroundings?|nearby)(?![^\W_])")
_METRES: Final = {"km": 1000, "kilometr": 1000, "mi": 1609}


def postcodes(draft: Draft) -> None:
    """NN-NNN."""
    for match in draft.taken(_POSTCODE):
        draft.postcode = f"{match[1]}-{match[2]}"


@cache
def _distance() -> re.Pattern[str]:
    lead, tail = (expression(joined("distance", key)) for key in ("lead", "tail"))
    span, travel = clocks.durations(), every("travel")
    number = r"(?P<number>\d{1,3}(?:[.,]\d)?)\s?(?P<unit>kilometr|km(?=s?\b)|mi(?=l|\b))[a-z]*"
    way = rf"(?P<span>{span})\W+(?P<by>{travel})|(?P<by_>{travel})\W+(?:{lead}\W+)*(?P<span_>{span})"
    walk = rf"(?P<known>{every('distances')})"
    return re.compile(rf"(?<![^\W_])(?:{lead}\W+)*(?:{number}|{way}|{walk})(?![^\W_])(?:\W+{tail}(?![^\W_]))?")


def distances(draft: Draft) -> None:
    """ "W promieniu 10 km od Krakowa", "10 minut autem": so many metres round the place; "i okolice" says none."""
    for match in draft.taken(_distance()):
        draft.radius_m, draft.around = round(_metres(match)), True
    draft.around |= bool(list(draft.taken(_AND_AROUND)))


def _metres(match: re.Match[str]) -> float:
    if match["known"]:
        return number_of("distances", match["known"])
    if match["number"]:
        return float(match["number"].replace(",", ".")) * _METRES[match["unit"]]
    by, span = match["by"] or match["by_"], match["span"] or match["span_"]
    return clocks.minutes_of(span) * number_of("travel", by)


def near_me(draft: Draft) -> None:
    """Near me, w okolicy; "w okolicy Krakowa" is near Kraków."""
    for match in words_pattern(joined("near", "me")).finditer(draft.text.rest):
        if draft.text.is_taken(match) or _leads_to_town(draft, match):
            continue
        draft.near = True
        draft.near_asker |= re.search(r"\b(?:mnie|nas|me|us|here)\b", match[0]) is not None
        draft.text.take(*match.span())


def _leads_to_town(draft: Draft, match: re.Match[str]) -> bool:
    """Whether a town follows directly, as the word's own object: "blisko Krakowa", not "blisko, Kraków"."""
    if re.search(r"(mnie|nas|me|us|here|tu|tutaj|church|kosciol\w*)$", match[0]):
        return False
    return any(hit.start <= match.end() + 1 and hit.end > match.end() for hit in find_hits(draft.text, draft.places))


@cache
def _voivodeship() -> re.Pattern[str]:
    lead = expression(joined("near_vocabulary", "voivodeship"))
    lands = expression("|".join(place_data("voivodeships").values()))
    return re.compile(rf"(?<![^\W_])(?:w\W+)?(?:{lead}\W+)?(?P<land>{lands})(?:\W+{lead})?(?![^\W_])")


def voivodeships(draft: Draft) -> None:
    """ "woj. śląskie", "w śląskim", "(podlaskie)", unless the word belongs to the name of a town."""
    found = list(_voivodeship().finditer(draft.text.rest))
    names = find_hits(draft.text, draft.places, least_words=2) if found else []
    for match in found:
        if draft.voivodeship is None and not any(hit.start < match.end() and match.start() < hit.end for hit in names):
            lands = place_data("voivodeships").items()
            draft.voivodeship = next(name for name, words in lands if re.fullmatch(expression(words), match["land"]))
            draft.voivodeship_span = match.span()
            draft.text.take(*match.span())


def long_names(draft: Draft) -> None:
    """Names of several words are kept from the rules of days and hours: Środa Wielkopolska, Piątek Wielki."""
    mistyped = list(mistyped_long_hits(draft.text, draft.places))
    draft.hits.extend(_taken(draft, find_hits(draft.text, draft.places, least_words=2, mistyped=mistyped)))


@cache
def _landmark() -> re.Pattern[str]:
    huts, terrain = (expression(joined("landmarks", key)) for key in ("huts", "terrain"))
    lead = rf"(?:(?:(?:w|we|na)\W+)?(?P<terrain>{terrain})|na|pod|nad)"
    return re.compile(rf"(?<![^\W_]){huts}\W+(?:{lead}\W+)?(?P<name>[^\W\d_]+)(?P<more>(?:[ -][^\W\d_]+){{0,2}})")


def landmarks(draft: Draft) -> None:
    """ "Schronisko Morskie Oko": a mountain hut that no table has; its name is no town's, unless "w" leads to it."""
    for match in _landmark().finditer(draft.text.rest):
        if is_of_vocabulary(match["name"]) or match["name"] in filler():
            continue
        end = match.end("name")
        for word in re.finditer(r"[^\W\d_]+", match["more"]):
            is_town = match["terrain"] is None and word[0] in draft.places.forms
            if is_town or is_of_vocabulary(word[0]) or word[0] in filler():
                break
            end = match.start("more") + word.end()
        draft.landmark = draft.text.raw[match.start() : end]
        draft.report(match.start(), end)


def names(draft: Draft) -> None:
    """Names of towns and districts, then mistyped ones where no town was found or a word leads to one."""
    found = find_hits(draft.text, draft.places, voivodeship=draft.voivodeship)
    draft.hits.extend(_with_longer_names(draft, hit) for hit in _taken(draft, found))
    first = _first_words(draft) if not any(hit.towns or hit.districts for hit in draft.hits) else []
    draft.hits.extend(_taken(draft, first))
    if not any((hit.towns or hit.districts) and not _is_around(draft, hit) for hit in draft.hits):
        for hit in sorted(mistyped_hits(draft.text, draft.places), key=lambda one: not one.led)[:1]:
            draft.hits.extend(_taken(draft, [hit]))
    if draft.parish_is_special and not any(hit.towns or hit.districts for hit in draft.hits):
        draft.hits.extend(_taken(draft, list(_adjectives(draft))))  # "w łowickiej katedrze"
    draft.hits.sort(key=lambda hit: hit.start)


def _adjectives(draft: Draft) -> Iterator[NamedPlace]:
    """Towns that adjectives beside a church are made of."""
    for word in draft.text.words():
        towns = of_adjective(word.plain, draft.places)
        if towns and towns[0].words[0][:_ALIKE] == word.plain[:_ALIKE]:  # Oliwa, a part of Gdańsk, is not Oława
            yield NamedPlace(word.start, word.end, 1, towns, (), True, 0)


def _taken(draft: Draft, hits: Sequence[NamedPlace]) -> Sequence[NamedPlace]:
    for hit in hits:
        draft.text.take(hit.start, hit.end)
    return hits


def _with_longer_names(draft: Draft, hit: NamedPlace) -> NamedPlace:
    """A name of one word that a larger town begins with may mean that one: Krynica is a village, Krynica-Zdrój a town."""
    if hit.length > 1 or not hit.towns or len(hit.towns[0].words) > 1:
        return hit
    names = [name for name in draft.places.starting.get(hit.towns[0].words[0], ()) if len(name) > 1]
    size = max(town.size for town in hit.towns)
    longer = tuple(town for name in names for town in draft.places.towns.get(name, ()) if town.size > size and town.rows)
    return replace(hit, towns=hit.towns + longer)


def _first_words(draft: Draft) -> list[NamedPlace]:
    """A bare first word that several towns share: Ostrów, Krynica, Gorzów."""
    for word in [one for one in draft.text.words() if one.plain not in filler()]:
        for lemma in draft.places.forms.get(word.plain, ()):
            names = [name for name in draft.places.starting.get(lemma, ()) if len(name) > 1 and name in draft.places.towns]
            if names and lemma not in place_data("adjectives")["words"].split() and len(lemma) > 3:
                towns = tuple(town for name in names for town in draft.places.towns[name])
                return [NamedPlace(word.start, word.end, 1, towns, (), True, 0)]
    return []


def centres(draft: Draft) -> None:
    """The centre of a town, reported as its part."""
    for match in draft.taken(_CENTRE):
        draft.centre, draft.centre_span = draft.text.raw[slice(*match.span(1))], match.span()


@cache
def _around() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{expression(joined('near', 'around'))})\W*$")


@cache
def _origin() -> re.Pattern[str]:
    staying = expression(joined("near", "staying"))
    return re.compile(rf"(?<![^\W_])(?:{expression(joined('near', 'before_from'))}|{staying})\W+$")


def _is_around(draft: Draft, hit: NamedPlace) -> bool:
    return _around().search(draft.text.plain[: hit.start]) is not None


def resolve(draft: Draft) -> None:
    """Make the place of what was found; what does not belong to it is reported."""
    hits = [hit for hit in draft.hits if hit.towns or hit.districts] or draft.counties
    _take_around_words(draft, hits)
    main = _main_hit(draft, hits)
    if main is None:
        _without_town(draft)
        return
    counties = [hit for hit in draft.counties if hit is not main]
    others = [*(hit for hit in hits if hit is not main and hit not in counties), *counties]
    named = [hit for hit in hits if hit.towns == main.towns]  # perhaps twice: "Jasło czy Krosno, lepiej Krosno"
    chosen_from = [hit for hit in others if any(_is_choice(draft, one, hit) for one in named)]
    district = _district(main, [hit for hit in others if hit not in chosen_from])
    around = _is_around(draft, main) or draft.around or main in draft.counties
    towns = _candidates(draft, main, district, others)
    used = [hit for hit in others if district is not None and district in hit.districts]
    telling = [hit for hit in others if hit not in used and hit in (*_without_common_words(draft, hits), *draft.counties)]
    near_city = next((hit for hit in telling if hit.towns and len(towns) > 1), None)
    decided = _near_city(draft, towns, near_city) if near_city is not None and _may_decide(draft, near_city, towns) else []
    if near_city is not None and decided:
        towns = decided
        draft.also.append(largest(near_city.towns)[0])
        used.extend([near_city] if near_city not in chosen_from else [])
    for hit in others:
        if hit not in used and not set(hit.towns) & set(towns):
            draft.report(hit.start, hit.end)
            if (
                hit.towns
                and (hit.rank <= _FITS or hit in chosen_from)
                and not _stands_after(draft, hit, "place_roles", "not_wanted")
            ):
                draft.also.append(largest(hit.towns)[0])
    if _is_of_unknown_name(draft, main):
        return
    _settle(draft, main, towns, district, around)


def _is_of_unknown_name(draft: Draft, hit: NamedPlace) -> bool:
    """Whether a small town's name is only the end of one that no table has: "w Żelazowej Woli" is not in Wola."""
    before = [word for word in draft.text.words() if word.end + 1 == hit.start]
    if not (before and hit.length == 1 and before[0].plain not in filler()):
        return False
    is_name = before[0].raw[:1].isupper() or not any(letter.isupper() for letter in draft.text.raw)
    if not (is_name and _ADJECTIVE.search(before[0].plain)) or any(town.size > 2 for town in hit.towns):
        return False
    draft.place = Place(draft.text.raw[before[0].start : hit.end], around=_is_around(draft, hit))
    draft.report(before[0].start, hit.end)
    return True


def _take_around_words(draft: Draft, hits: Sequence[NamedPlace]) -> None:
    for hit in hits:
        before = draft.text.plain[: hit.start]
        match = _around().search(before) or _ON_A_RIVER.search(before)
        if match is not None:
            draft.text.take(*match.span())


def _main_hit(draft: Draft, hits: Sequence[NamedPlace]) -> NamedPlace | None:
    """The first name that is neither where the asker comes from nor only what the place is near to."""
    origins = [hit for hit in hits if hit.start in draft.of_duties or _origin().search(draft.text.plain[: hit.start])]
    wanted = [hit for hit in hits if not _stands_after(draft, hit, "place_roles", "not_wanted")]
    preferred = [hit for hit in wanted if _stands_after(draft, hit, "place_roles", "preferred")]
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
    raw = draft.text.raw
    named = [hit for hit in hits if (hit.start and raw[hit.start].isupper()) or _IN.search(draft.text.plain[: hit.start])]
    return [hit for hit in hits if hit in named or hit.led or raw[hit.start].isupper()] if named else hits


def _without_ways(draft: Draft, hits: Sequence[NamedPlace], has_origin: bool) -> Sequence[NamedPlace]:
    """Without the end of a way where other towns are named too: "z Krakowa na Rzeszów, w okolicy Bochni"."""
    towards = re.compile(rf"(?<![^\W_]){expression(joined('near', 'before_to'))}\W+$")
    ends = [hit for hit in hits if has_origin and towards.search(draft.text.plain[: hit.start])]
    starts = [hit for hit in hits if _origin().search(draft.text.plain[: hit.start])]
    return [hit for hit in hits if hit not in ends] if len(hits) > len(ends) + len(starts) else hits


def _without_quarters(draft: Draft, hits: Sequence[NamedPlace]) -> Sequence[NamedPlace]:
    """Without villages that "na" leads to where a city is named too: "na Andrzejowie w Łodzi" is a part of Łódź."""
    size = max((town.size for hit in hits for town in hit.towns if lead_case(draft.text, hit.start) == "loc"), default=0)
    return [
        hit
        for hit in hits
        if hit.districts
        or not re.search(r"(?<![^\W_])na\W+$", draft.text.plain[: hit.start])
        or max((town.size for town in hit.towns), default=0) * DECIDING_SIZE > size
    ] or hits


def _stands_after(draft: Draft, hit: NamedPlace, section: str, key: str) -> bool:
    """Whether such words lead to the name; they are understood with it."""
    lead = rf"(?<![^\W_]){expression(joined(section, key))}(?:\W+(?:w|we|do|na|in|to))?\W+$"
    match = re.search(lead, draft.text.plain[: hit.start])
    if match is not None:
        draft.text.take(*match.span())
    return match is not None


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
    if any(town.size > _SMALL for town in hit.towns):
        return False
    famous = place_data("famous")["names"].split("|")
    return hit.districts[0].name in famous or re.search(r"(?<![^\W_])na\W+$", draft.text.plain[: hit.start]) is not None


def _district(main: NamedPlace, others: Sequence[NamedPlace]) -> District | None:
    for hit in others:
        for part in hit.districts:
            if part.town in main.towns:
                return part
    return None


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
    names = [name for name in draft.places.starting.get(towns[0].words[0], ()) if name[: len(towns[0].words)] == towns[0].words]
    longer = [town for name in names for town in draft.places.towns.get(name, ())]
    for nearer in (
        [town for town in towns if any(set(other.words) <= town.near for other in city.towns)],
        [town for town in towns if any(other.voivodeship == town.voivodeship for other in largest(city.towns))],
        [town for town in longer if any(other.voivodeship == town.voivodeship for other in largest(city.towns))],
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


def _settle(draft: Draft, main: NamedPlace, towns: Sequence[Town], district: District | None, around: bool) -> None:
    found = list(towns)
    if draft.voivodeship is not None:
        fitting = [town for town in found if town.voivodeship == draft.voivodeship]
        fitting = fitting or [town for town in main.others if town.voivodeship == draft.voivodeship]
        if fitting:
            found = fitting
        else:
            draft.report(*draft.voivodeship_span)
    if draft.parish is not None and len(found) > 1:
        found = [town for town in found if has_parish(town, draft.parish)] or found
    meant = largest(found)
    one = len({(town.name, town.voivodeship) for town in meant}) == 1
    if district is None and main.districts and (meant[0] not in main.towns):
        district = next((part for part in main.districts if part.town == meant[0]), None)
    named = dict.fromkeys((*towns, *(main.towns if district in main.districts else ())))  # "w Jeżycach", in Poznań or a village
    others = sorted((town for town in named if town not in meant or not one), key=lambda town: -town.size)
    is_small = draft.voivodeship is None and all(town.size <= _SMALL for town in meant)
    of_parts = [part.town for part in main.districts] if district is None and is_small else []  # "Łagiewniki" of Kraków
    others += [town for town in dict.fromkeys((*main.others, *of_parts)) if town not in others and town not in meant]
    _tell(draft, others)
    name = meant[0].name if one or len({town.words for town in meant}) == 1 else _as_named(meant)
    part = district.name if district is not None and one else draft.centre if one else None
    if draft.centre is not None and part != draft.centre and draft.centre_span is not None:
        draft.report(*draft.centre_span)
    voivodeship = meant[0].voivodeship if one else None
    draft.place = Place(
        name, voivodeship, ambiguous=not one, around=around, district=part, postcode=draft.postcode, near=draft.near_asker
    )
    draft.town = meant[0] if one else None
    draft.towns = (meant[0],) if one else tuple(meant)
    draft.district = district if one else None


def _tell(draft: Draft, towns: Sequence[Town]) -> None:
    draft.did_you_mean = tuple(map(TownName.of, towns[:_MOST_MEANT]))


def _as_named(towns: Sequence[Town]) -> str:
    """The first words that the names share, as the tables spell them."""
    first = towns[0].name
    shared = 0
    for n in range(1, len(towns[0].words) + 1):
        if all(town.words[:n] == towns[0].words[:n] for town in towns):
            shared = n
    return " ".join(first.split()[:shared]) or first


def _without_town(draft: Draft) -> None:
    for span in (draft.voivodeship_span if draft.voivodeship else None, draft.centre_span):
        if span is not None:
            draft.report(*span)
    if draft.postcode is not None:
        draft.place = Place(postcode=draft.postcode)
    elif draft.near or draft.around:
        draft.place = Place(near=True)


def unknown_towns(draft: Draft) -> None:
    """A capitalised word after "w", "in" or "near" that no table has is still read as named, and reported too.

    Without such a word, towns one wrong letter away from what is left are listed; nobody is sent there.
    """
    if draft.place is None and draft.landmark is not None:
        draft.place = Place(draft.landmark)
    if draft.place is not None:
        return
    for word in list(draft.text.words()):
        if word.plain in filler():
            continue
        if word.raw[:1].isupper() and not word.raw.isupper() and _leads_to_place(draft, word.start) and len(word.raw) > 2:
            draft.place = Place(word.raw, around=_around().search(draft.text.plain[: word.start]) is not None)
            draft.report(word.start, word.end)
            return
    _tell(draft, nearly_named(draft.text, draft.places))


def _leads_to_place(draft: Draft, start: int) -> bool:
    before = draft.text.plain[:start]
    return lead_case(draft.text, start) is not None or re.search(r"(?<![^\W_])(?:in|near|around)\W+$", before) is not None
