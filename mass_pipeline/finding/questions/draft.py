"""A reading in the making: what the rules have found so far. Filled by the rules, closed by `reading`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Literal

from mass_pipeline.finding.places import District, Places, Town
from mass_pipeline.finding.questions.hits import NamedPlace
from mass_pipeline.finding.questions.interpretation import Pick, Place, TownName
from mass_pipeline.finding.questions.text import Text
from mass_pipeline.finding.questions.vocabulary import filler, joined, mapping, words_pattern
from mass_pipeline.finding.town_names import ParishRow

Role = Literal["exact", "about", "from", "to"]


@dataclass(frozen=True, slots=True)
class Hour:
    """An hour that was said, with its place in the question.

    Attributes:
        role: whether the Mass is to be at it, about it, from it on or until it.
        is_strict: a limit that leaves out the hour itself.
        is_own: something else happens then that the asker has to do.
    """

    role: Role
    at: time
    start: int
    end: int
    is_strict: bool = False
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Street:
    """A street that was named: where it stands with its house, the place of the house alone, and the parishes in it."""

    start: int
    end: int
    house: tuple[int, int] | None
    rows: tuple[ParishRow, ...]


@dataclass(slots=True)
class Draft:
    """What is known of one question while it is read.

    Attributes:
        now: the moment of asking, Polish wall clock with its zone.
        days: dates that were said, date_spans: where those by number. weekdays: days of the week that were said (Monday = 0).
        week: a week that was said, counted from this one. month: a month that was said, with its year.
        counties: towns that counties are named after, where they were said.
        towns, district, parishes: of the table of places, that the place of the reading stands for.
        street: a street that was named. landmark: a mountain hut that was.
        parts: windows of parts of the day. hours: those that were said. window: from now on, or within so many hours.
        turned: whether the Mass is to be `earlier` or `later` than an hour that stands elsewhere. of_duties: where towns stand
            in which the asker has something else to do.
        not_served: words of other things than Masses, by their place. also: towns named beside the one that is read.
    """

    text: Text
    now: datetime
    places: Places
    days: list[date] = field(default_factory=list)
    weekdays: list[int] = field(default_factory=list)
    skip_today: bool = False
    weekday_spans: list[tuple[int, int]] = field(default_factory=list)
    week: int | None = None
    in_weeks: int | None = None
    weekend: int | None = None
    month: tuple[int, int] | None = None
    is_vigil: bool = False
    tonight: bool = False
    window: tuple[time, time] | None = None
    vigil_from: time | None = None
    feast_until: time | None = None
    year: int | None = None
    year_span: tuple[int, int] | None = None
    dated: bool = False
    date_spans: list[tuple[int, int, date]] = field(default_factory=list)
    parts: list[tuple[time | None, time | None]] = field(default_factory=list)
    hours: list[Hour] = field(default_factory=list)
    turned: str | None = None
    of_duties: set[int] = field(default_factory=set)
    standing: str | tuple[str, ...] | None = None
    compared: str | None = None
    pick: Pick | None = None
    language: str | None = None
    kind: str | None = None
    wheelchair: bool = False
    feast: str | None = None
    place: Place | None = None
    near: bool = False
    near_asker: bool = False
    postcode: str | None = None
    hits: list[NamedPlace] = field(default_factory=list)
    counties: list[NamedPlace] = field(default_factory=list)
    centre: str | None = None
    centre_span: tuple[int, int] | None = None
    voivodeship_span: tuple[int, int] = (0, 0)
    town: Town | None = None
    towns: tuple[Town, ...] = ()
    district: District | None = None
    parishes: tuple[ParishRow, ...] = ()
    street: Street | None = None
    landmark: str | None = None
    parish: str | None = None
    parish_is_special: bool = False
    parish_town: str | None = None
    voivodeship: str | None = None
    did_you_mean: tuple[TownName, ...] = ()
    radius_m: int | None = None
    around: bool = False
    asks_obligation: bool = False
    not_served: dict[int, str] = field(default_factory=dict)
    also: list[Town] = field(default_factory=list)
    unread: dict[int, str] = field(default_factory=dict)

    @property
    def today(self) -> date:
        """Local date of asking."""
        return self.now.date()

    def said(self, section: str, key: str) -> Iterator[re.Match[str]]:
        """Where phrases of the vocabulary stand in what is left, each crossed out."""
        return self.taken(words_pattern(joined(section, key)))

    def taken(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Where a pattern stands in what is left, each crossed out."""
        for match in pattern.finditer(self.text.rest):
            self.text.take(*match.span())
            yield match

    def longest(self, *sections: str) -> Iterator[tuple[str, str, re.Match[str]]]:
        """Section, value and place of the phrases of sections of values, the longest ones first, each crossed out."""
        found = [
            (section, value, match)
            for section in sections
            for value, phrases in mapping(section).items()
            for match in words_pattern(phrases).finditer(self.text.rest)
        ]
        for section, value, match in sorted(found, key=lambda one: one[2].start() - one[2].end()):
            if not self.text.is_taken(match):
                self.text.take(*match.span())
                yield section, value, match

    def report(self, start: int, end: int, whole: bool = False) -> None:
        """These letters were not understood: each word of them is reported, in its place; filler only if `whole` or alone."""
        words = [word for word in self.text.all_words() if start <= word.start and word.end <= end]
        for word in [word for word in words if whole or word.plain not in filler()] or words:
            self.unread[word.start] = word.raw
        self.text.take(start, end)
