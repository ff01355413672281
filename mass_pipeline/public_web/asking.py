"""From the parameters of an address to what is searched for: the one box, and the fields below it, which win over the box."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from typing import Final

from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.queries import Town
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.finding.nearby import Filters
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import Interpretation, interpret
from mass_pipeline.finding.searching import PAGE, Asked
from mass_pipeline.finding.statements import KINDS, LANGUAGES
from mass_pipeline.public_web.params import Params

_MOST_PAGES: Final = 50
_MOST_PARISHES: Final = 20
_TOWN_OF_MANY: Final = 5  # a town with five times the parishes of all others of its name is meant


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read.

    Attributes:
        asked: what is searched for.
        params: parameters of the page as they hold now, to make links of.
        interpretation: how the box was read, None when it was empty.
        town: the town meant. towns: others that the words fit or, mistyped, may mean; or several of which none is meant.
        parishes: parishes that hold the words, when no town was meant.
        place_words: what was typed as a place, when nothing answers to it.
    """

    asked: Asked
    params: dict[str, object]
    interpretation: Interpretation | None = None
    town: Town | None = None
    towns: tuple[Town, ...] = ()
    parishes: tuple[ParishRecord, ...] = ()
    place_words: str = ""
    unread: tuple[str, ...] = field(default=())

    @property
    def untold(self) -> tuple[str, ...]:
        """Words to tell as not understood: not those that led to a parish, nor those reported as a place nobody knows."""
        has_place = self.interpretation is not None and self.interpretation.place is not None
        if not has_place and (self.parishes or self.town):
            return ()
        return tuple(word for word in self.unread if word not in self.place_words.split())

    @property
    def is_guessed(self) -> bool:
        """Whether `towns` are only what the words may mean too, rather than several of one name."""
        return self.town is not None or bool(self.place_words)

    @property
    def needs_place(self) -> bool:
        """Whether the page must ask where."""
        filters = self.asked.filters
        return not self.asked.has_place and not (filters.language or filters.kind or filters.rite)


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
    filters = Filters(
        language=params.choice("jezyk", LANGUAGES) or (said.language if said.language in LANGUAGES else None),
        kind=params.choice("rodzaj", KINDS) or (said.kind if said.kind in KINDS else None),
        wheelchair=params.flag("wozek") or said.wheelchair,
    )
    point = params.point()
    radius = params.number("promien", 0.1, 100)
    where = _where(params, connection, said, point is not None)
    asked = Asked(
        town_key=where.town.key if where.town else None,
        parish_ids=tuple(one.parish_id for one in where.parishes),
        point=point,
        radius_m=radius * 1000 if radius else None,
        days=(day,) if day else said.dates,
        start=start if start or end else said.start,
        end=end if start or end else said.end,
        standing=said.standing,
        pick=said.pick,
        filters=filters,
        offset=(page - 1) * PAGE,
    )
    kept = _kept(params, asked, where)
    return Question(asked, kept, understood, where.town, where.towns, where.parishes, where.words, said.unread)


@dataclass(frozen=True, slots=True)
class _Where:
    town: Town | None = None
    towns: tuple[Town, ...] = ()
    parishes: tuple[ParishRecord, ...] = ()
    words: str = ""


def _where(params: Params, connection: sqlite3.Connection, said: Interpretation, has_point: bool) -> _Where:
    """The place: the field before the box; with a position nothing else is looked for."""
    field_words = params.text("miejsce")
    if field_words:
        town = queries.town_of(connection, field_words) if "/" in field_words else None
        name, _, land = field_words.partition(",")
        return _Where(town=town) if town else _by_name(connection, name, land.strip() or None)
    place = said.place
    if place is None:
        loose = " ".join(said.unread)
        by_words = _Where() if has_point or not loose else _by_words(connection, loose, loose)
        return by_words if has_point or by_words.parishes else replace(by_words, towns=_towns_told(said, connection))
    if place.near:
        return _Where()
    if place.postcode:
        found = queries.parishes_of(connection, "postcode", place.postcode)
        return _Where(parishes=tuple(found[:_MOST_PARISHES]), words="" if found else place.postcode)
    if place.parish:
        return _by_words(connection, f"{place.parish} {place.name or ''}", f"{place.parish} {place.name or ''}".strip())
    found_place = _by_name(connection, place.name or "", place.voivodeship)
    known = {town.key for town in (*found_place.towns, found_place.town) if town}
    others = [town for town in _towns_told(said, connection) if town.key not in known]
    return replace(found_place, towns=(*found_place.towns, *others))


def _towns_told(said: Interpretation, connection: sqlite3.Connection) -> tuple[Town, ...]:
    """Towns that the words fit too."""
    return tuple(town for one in said.did_you_mean for town in queries.towns_named(connection, one.name, one.voivodeship))


def _by_name(connection: sqlite3.Connection, name: str, voivodeship: str | None) -> _Where:
    """The town of a name; of several the one with far more parishes, else none: the page asks."""
    found = sorted(queries.towns_named(connection, name, voivodeship), key=lambda town: (-town.parishes, town.key))
    if not found:
        return _by_words(connection, name, name)
    others = sum(town.parishes for town in found[1:])
    if len(found) == 1 or found[0].parishes >= _TOWN_OF_MANY * others:
        return _Where(found[0], tuple(found[1:]))
    return _Where(towns=tuple(found))


def _by_words(connection: sqlite3.Connection, words: str, shown: str) -> _Where:
    found = queries.search_parishes(connection, words, _MOST_PARISHES)
    return _Where(parishes=tuple(found), words="" if found else shown)


def _kept(params: Params, asked: Asked, where: _Where) -> dict[str, object]:
    """The reading as fields: what a link keeps so that one part of it can be changed."""
    days: Sequence[date] = asked.days
    kept: dict[str, object] = {
        "miejsce": where.town.key if where.town else "",
        "dzien": days[0].isoformat() if len(days) == 1 else "",
        "od": _clock(asked.start),
        "do": _clock(asked.end),
        "jezyk": asked.filters.language or "",
        "rodzaj": asked.filters.kind or "",
        "wozek": "1" if asked.filters.wheelchair else "",
        "lat": params.text("lat"),
        "lon": params.text("lon"),
        "promien": params.text("promien"),
    }
    # What fields cannot say stays in the box: several days, standing orders, picks, parishes.
    if len(days) > 1 or asked.standing or asked.pick or (asked.parish_ids and not where.town):
        kept["q"] = params.text("q") or params.text("miejsce")
    return kept


def _clock(hour: time | None) -> str:
    return "" if hour is None else hour.isoformat("minutes")
