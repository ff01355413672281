"""From the parameters of an address to what is searched for: the one box, and the fields below it, which win over the box."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Final, Literal

from mass_pipeline.finding.gazetteer import Point, distance_m, middle
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.queries import Town
from mass_pipeline.finding.index.records import ConfessionRecord, ParishRecord
from mass_pipeline.finding.nearby import Filters
from mass_pipeline.finding.order import wanted_days
from mass_pipeline.finding.places import District, Places, name_words
from mass_pipeline.finding.questions import Interpretation, interpret
from mass_pipeline.finding.questions.hits import DECIDING_SIZE
from mass_pipeline.finding.questions.vocabulary import joined, words_pattern
from mass_pipeline.finding.searching import AROUND_M, PAGE, Answer, Asked, LeftOut
from mass_pipeline.finding.statements import KINDS, LANGUAGES, RITES
from mass_pipeline.model.identifiers import fold
from mass_pipeline.public_web.params import Params
from mass_pipeline.schedules.church_year import is_holy_day

_MOST_PAGES: Final = 50
_MOST_SEARCHED: Final = 20  # parishes named in one question
_MOST_LISTED: Final = 20
_MOST_NEAR: Final = 3  # parishes of one dedication
_MOST_DAYS: Final = 7
_UNSTATED: Final = "pl"  # the language of a Mass of which none is stated
_STATED: Final = frozenset(LANGUAGES) - {_UNSTATED}
_MOST_SITES: Final = 4
_SUNDAY: Final = 6


Obligation = Literal["holy_day", "sunday", "no_holy_day"]


def _obligation(day: date) -> Obligation:
    if is_holy_day(day):
        return "holy_day"
    return "sunday" if day.weekday() == _SUNDAY else "no_holy_day"


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read.

    Attributes:
        asked: what is searched for.
        params: parameters of the page as they hold now, to make links of.
        interpretation: how the box was read, None when it was empty.
        town: the town meant. towns: others that the words fit or, mistyped, may mean; or several of which none is meant.
        parishes: parishes that answer to the words; more than are searched where they lie in several towns: the page asks.
        part: part of the town that is meant. village: a place without a parish; the churches nearest to it are searched.
        left_out: what of the place is not known: `parish`, which church the words mean; `part`, which churches lie in it.
        place_words: what was typed as a place, when nothing answers to it. parish_words: a church that was named.
        also: towns named beside the one that is searched.
        unread: words that were not understood, without those that the page has a sentence of its own for.
    """

    asked: Asked
    params: dict[str, object]
    interpretation: Interpretation | None = None
    town: Town | None = None
    towns: tuple[Town, ...] = ()
    parishes: tuple[ParishRecord, ...] = ()
    part: str = ""
    village: str = ""
    left_out: tuple[LeftOut, ...] = ()
    place_words: str = ""
    parish_words: str = ""
    also: tuple[Town, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def untold(self) -> tuple[str, ...]:
        """Words to tell as not understood: not those that led to a parish, nor those of a place nobody knows."""
        has_place = self.interpretation is not None and self.interpretation.place is not None
        if not has_place and (self.parishes or self.town):
            return ()
        known = self.place_words.split()
        return tuple(word for word in self.unread if word not in known)

    @property
    def not_served(self) -> tuple[str, ...]:
        """What is asked for besides Masses, of which nothing is searched here: confession, adoration, an office; as typed."""
        return self.interpretation.not_served if self.interpretation else ()

    @property
    def asks_confession(self) -> bool:
        """Whether confession is asked for."""
        return any(words_pattern(joined("not_served", "confession")).fullmatch(fold(words)) for words in self.not_served)

    @property
    def obligations(self) -> tuple[tuple[date, Obligation], ...]:
        """Where it is asked for, what the days are: Sundays, holy days of obligation, or neither."""
        said = self.interpretation
        if said is None or not (said.asks_obligation or said.feast == "holy_day"):
            return ()
        return tuple((day, _obligation(day)) for day in said.dates[:_MOST_DAYS])

    @property
    def is_guessed(self) -> bool:
        """Whether `towns` are only what the words may mean too, rather than several of one name."""
        is_named = self.interpretation is None or self.interpretation.place is not None
        return self.town is not None or bool(self.place_words or self.village) or not is_named

    @property
    def needs_place(self) -> bool:
        """Whether the page must ask where."""
        said = self.interpretation.place if self.interpretation else None
        is_named = bool(self.parishes or self.towns or self.place_words or said)
        return not self.asked.has_place and (is_named or not self.asked.is_rare)


def read_question(params: Params, index: OpenIndex, connection: sqlite3.Connection, places: Places, now: datetime) -> Question:
    """Read the parameters of a page of results.

    Raises:
        Refused: a parameter is malformed.
    """
    box = params.text("q")
    understood = interpret(box, now, places) if box else None
    said = understood or Interpretation()
    day, start, end = params.day("dzien"), params.hour("od"), params.hour("do")
    page = params.whole("strona", 1, 1, _MOST_PAGES)
    kind = params.choice("rodzaj", (*KINDS, *RITES)) or said.kind
    filters = Filters(
        language=params.choice("jezyk", LANGUAGES) or (said.language if said.language in _STATED else None),
        kind=kind if kind in KINDS else None,
        rite=kind if kind in RITES else None,
        wheelchair=params.flag("wozek") or said.wheelchair,
    )
    point = params.point()
    radius = params.number("promien", 0.1, 100)
    is_around = said.place is not None and said.place.around
    radius_m = radius * 1000 if radius else said.radius_m or (AROUND_M if is_around else None)
    where = _where(params, connection, said, _Around(places, now, point))
    searched = where.parishes[: _MOST_SEARCHED if where.is_settled else 0]
    asked = Asked(
        town_key=where.town.key if where.town and not searched else None,
        parish_ids=tuple(one.parish_id for one in searched),
        part_ids=tuple(row.parish_id for row in where.district.rows) if where.district and not searched else (),
        point=point or where.point,
        radius_m=radius_m,
        days=(day,) if day else said.dates,
        start=start if start or end else said.start,
        end=end if start or end else said.end,
        standing=said.standing,
        pick=said.pick,
        filters=filters,
        offset=(page - 1) * PAGE,
        is_of_feast=day is None and said.feast is not None,
        with_past=day is not None and start is not None,
        again=None if day else said.again,
    )
    kept = _kept(params, asked, where)
    return Question(
        asked=asked,
        params=kept,
        interpretation=understood,
        town=where.town,
        towns=where.towns,
        parishes=where.parishes,
        part=where.district.name if where.district else said.place.district or "" if said.place else "",
        village=where.village,
        left_out=(*where.left_out, *_not_looked_for(said, filters)),
        place_words=where.words,
        parish_words=said.place.parish or "" if said.place else "",
        also=tuple(town for one in said.also for town in queries.towns_named(connection, one.name, one.voivodeship)),
        unread=_unexplained(said, places),
    )


def _unexplained(said: Interpretation, places: Places) -> tuple[str, ...]:
    """The words that were not understood, without those of other services and of towns named beside."""
    names = {lemma for town in said.also for lemma in name_words(town.name)}
    served = {word for words in said.not_served for word in words.split()}
    return tuple(word for word in said.unread if word not in served and not names & set(places.forms.get(fold(word), ())))


def _not_looked_for(said: Interpretation, filters: Filters) -> tuple[LeftOut, ...]:
    """`filters` where a language or kind was read that no Mass of the index is marked with."""
    kinds = {None, "first_friday", "first_saturday", filters.kind, filters.rite}  # the first Friday is a day
    return ("filters",) if said.language not in (None, _UNSTATED, filters.language) or said.kind not in kinds else ()


@dataclass(frozen=True, slots=True)
class _Around:
    """What the place is looked up with: the table of places, the moment, and the asker's position if it is given."""

    places: Places
    now: datetime
    point: Point | None


@dataclass(frozen=True, slots=True)
class _Where:
    town: Town | None = None
    towns: tuple[Town, ...] = ()
    district: District | None = None
    parishes: tuple[ParishRecord, ...] = ()
    is_settled: bool = True  # which of the parishes is meant
    village: str = ""
    point: Point | None = None
    left_out: tuple[LeftOut, ...] = ()
    words: str = ""


def _where(params: Params, connection: sqlite3.Connection, said: Interpretation, around: _Around) -> _Where:
    """The place: the fields before the box; with a position nothing else is looked for unless it is named."""
    ids = [one for one in params.text("parafia").split(",") if one][:_MOST_SEARCHED]
    if ids:
        found = tuple(one for key in ids if (one := queries.parish(connection, key)) is not None)
        return _Where(parishes=found)
    field_words = params.text("miejsce")
    if field_words:
        return _with_part(_of_field(field_words, connection, around), params.text("czesc"), around.places)
    place = said.place
    if place is None and not said.parishes:
        loose = " ".join(_unexplained(said, around.places))
        by_words = _Where() if around.point or not loose else _by_words(connection, loose)
        return by_words if around.point or by_words.parishes else replace(by_words, towns=_towns_told(said, connection))
    if place is not None and place.postcode and not said.towns:
        return _of_postcode(connection, place.postcode)
    if said.parishes or (place is not None and place.parish):
        return _of_parish(connection, said, around)
    assert place is not None
    return _Where() if place.near and not said.towns else _of_town(connection, said, place.name or "")


def _of_field(words: str, connection: sqlite3.Connection, around: _Around) -> _Where:
    """The town of the field: its key, its name with or without its voivodeship, else as a question is read."""
    town = queries.town_of(connection, words) if "/" in words else None
    if town is not None:
        return _Where(town=town)
    name, _, land = words.partition(",")
    found = sorted(queries.towns_named(connection, name, land.strip() or None), key=lambda town: (-town.parishes, town.key))
    if found:
        others = sum(town.parishes for town in found[1:])
        is_settled = len(found) == 1 or found[0].parishes >= DECIDING_SIZE * others
        return _Where(found[0], tuple(found[1:])) if is_settled else _Where(towns=tuple(found))
    said = interpret(f"{name}, woj. {land}" if land.strip() else name, around.now, around.places)
    if said.parishes:
        return _of_parish(connection, said, around)
    if said.towns:
        return _of_town(connection, said, name)
    by_words = _by_words(connection, name)
    return by_words if by_words.parishes else _Where(words=name, towns=_towns_told(said, connection))


def _of_town(connection: sqlite3.Connection, said: Interpretation, words: str) -> _Where:
    """The town that was read, or those of which one must be chosen; a place without a parish is its position."""
    keys = [one.rows[0].town_key for one in said.towns if one.rows]  # no parish of the index lies in the others
    towns = tuple(town for key in keys if (town := queries.town_of(connection, key)) is not None)
    others = [town for town in _towns_told(said, connection) if town.key not in {one.key for one in towns}]
    if len(said.towns) == 1 and towns:
        part = said.place.district if said.place else None
        is_unknown_part = bool(part) and not (said.district and said.district.rows)
        district = None if is_unknown_part else said.district
        return _Where(towns[0], tuple(others), district, left_out=("part",) if is_unknown_part else ())
    village = next((one for one in said.towns if one.point is not None), None)
    if not towns and village is not None:
        return _Where(village=village.name, point=village.point, towns=tuple(others))
    return _Where(towns=(*towns, *others), words="" if towns else words)


def _of_parish(connection: sqlite3.Connection, said: Interpretation, around: _Around) -> _Where:
    """The parishes that the words fit; where none does, the town that was named, and never another one."""
    records = (queries.parish(connection, row.parish_id) for row in said.parishes[:_MOST_LISTED])
    parishes = [one for one in records if one is not None]
    if not parishes:
        assert said.place is not None
        place = _of_town(connection, said, said.place.name or "") if said.towns else _Where()
        has_place = place.town or place.towns or place.point
        return replace(place, left_out=(*place.left_out, "parish"), words=place.words if has_place else said.place.parish or "")
    point = around.point
    if point is not None:
        parishes = sorted(parishes, key=lambda one: distance_m(point, one.point) if one.point else math.inf)[:_MOST_NEAR]
    is_settled = point is not None or len({one.town_key for one in parishes}) == 1
    town = queries.town_of(connection, parishes[0].town_key) if is_settled and point is None else None
    return _Where(town=town, parishes=tuple(parishes), is_settled=is_settled)


def _of_postcode(connection: sqlite3.Connection, postcode: str) -> _Where:
    """The parishes of a postcode; without any, what lies nearest to those whose codes begin alike."""
    found = queries.parishes_of(connection, "postcode", postcode)
    if found:
        return _Where(parishes=tuple(found[:_MOST_SEARCHED]))
    points = queries.points_of_postcodes(connection, postcode)
    return _Where(village=postcode, point=middle(points)) if points else _Where(words=postcode)


def _with_part(where: _Where, part: str, places: Places) -> _Where:
    """The place with the part of its town that a field names."""
    if not part or where.town is None:
        return where
    found = (one for one in places.districts.get(name_words(part), ()) if one.rows and one.rows[0].town_key == where.town.key)
    return replace(where, district=next(found, None))


def _towns_told(said: Interpretation, connection: sqlite3.Connection) -> tuple[Town, ...]:
    """Towns that the words fit too."""
    return tuple(town for one in said.did_you_mean for town in queries.towns_named(connection, one.name, one.voivodeship))


def _by_words(connection: sqlite3.Connection, words: str) -> _Where:
    """Parishes that hold words which nothing else explains; several are a list to choose from."""
    found = tuple(queries.search_parishes(connection, words, _MOST_LISTED))
    return _Where(parishes=found, is_settled=len({one.town_key for one in found}) == 1)


def _kept(params: Params, asked: Asked, where: _Where) -> dict[str, object]:
    """The reading as fields: what a link keeps so that one part of it can be changed."""
    days: Sequence[date] = asked.days
    kept: dict[str, object] = {
        "miejsce": where.town.key if where.town else where.village,
        "parafia": ",".join(asked.parish_ids),
        "czesc": where.district.name if where.district else "",
        "dzien": days[0].isoformat() if len(days) == 1 else "",
        "od": _clock(asked.start),
        "do": _clock(asked.end),
        "jezyk": asked.filters.language or "",
        "rodzaj": asked.filters.kind or asked.filters.rite or "",
        "wozek": "1" if asked.filters.wheelchair else "",
        "lat": params.text("lat"),
        "lon": params.text("lon"),
        "promien": f"{asked.radius_m / 1000:g}" if asked.radius_m else "",
    }
    # What fields cannot say stays in the box: several days, standing orders, picks.
    if len(days) > 1 or asked.standing or asked.pick:
        kept["q"] = params.text("q") or params.text("miejsce")
    return kept


def confession_asked_for(
    question: Question, answer: Answer, connection: sqlite3.Connection
) -> dict[ParishRecord, list[ConfessionRecord]]:
    """When one can confess, where that is asked: in the parishes of the place, else in those that an answer shows.

    Only at the days and hours asked for; nothing where a language or kind is, since no statement tells of one.
    """
    asked = question.asked
    if not question.asks_confession or asked.is_rare or "filters" in question.left_out:
        return {}
    parishes = list(question.parishes) if asked.parish_ids else []
    if asked.town_key:
        parishes = queries.parishes_of(connection, "town_key", asked.town_key)
    parishes += [one.parish for one in (*answer.exact, *answer.about, *answer.nearby)]
    said = queries.confession_of(connection, (one.pk for one in parishes))
    fitting_hours = () if answer.left_out else answer.exact  # else the next best, at other hours
    with_mass = {one.parish.pk for one in fitting_hours} if asked.start or asked.end else set(said)
    fitting = {
        one: [row for row in said.get(one.pk, ()) if _is_then(row, asked) and (row.tied == "hours" or one.pk in with_mass)]
        for one in dict.fromkeys(parishes)
    }
    return {one: rows for one, rows in fitting.items() if rows}


def _is_then(row: ConfessionRecord, asked: Asked) -> bool:
    """Whether one can confess at a day and an hour asked for; beside Masses at any hour, as those that fit are in the answer."""
    if asked.days and not any(row.is_on(day) for day in asked.days):
        return False
    if asked.standing is not None and not set(row.days) & set(wanted_days(asked.standing)):
        return False
    first, last = _clock(asked.start), _clock(asked.end) or "24:00"
    return row.tied != "hours" or (row.start <= last and first <= (row.until or row.start))


def own_sites(question: Question, answer: Answer) -> list[ParishRecord]:
    """Parishes that an answer shows and that have a site of their own, to be asked what is not known here; in its order."""
    if not question.not_served:
        return []
    shown = [*(one.parish for one in (*answer.exact, *answer.about)), *(one.parish for one in answer.orders)]
    return list(dict.fromkeys(one for one in (*shown, *answer.stale, *answer.unknown) if one.site))[:_MOST_SITES]


def _clock(hour: time | None) -> str:
    return "" if hour is None else hour.isoformat("minutes")
