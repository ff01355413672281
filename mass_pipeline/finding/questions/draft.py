"""A reading in the making: an interpretation with what its words have told so far, and the rules that add to it, as values.

A rule is a function from a draft to the next one. Most of them are phrases with what each puts into the reading (`Read`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, time
from functools import cache
from typing import Any, Final, Literal

from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions.hits import NamedPlace
from mass_pipeline.finding.questions.interpretation import Interpretation
from mass_pipeline.finding.questions.text import Text
from mass_pipeline.finding.questions.vocabulary import expression, filler, joined, mapping, words_pattern
from mass_pipeline.finding.town_names import ParishRow

Role = Literal["exact", "about", "from", "to"]
Window = tuple[time | None, time | None]
Span = tuple[int, int]


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
    house: Span | None
    rows: tuple[ParishRow, ...]


@dataclass(frozen=True, kw_only=True)
class Draft(Interpretation):
    """What is known of one question while it is read. What rules add to is a tuple, what they set has one value.

    Attributes:
        now: the moment of asking, Polish wall clock with its zone. places: that names are looked up in.
        days: dates that were said; is_dated: as such, so that they are surer than anything else; date_spans: those by number.
        weekdays: days of the week that were said (Monday = 0) with their places; skip_today: the next one, not today.
        weeks: a week that was said, counted from this one; in_weeks: so many weeks from today; weekends: likewise.
        part: window of a part of the day. hours: those that were said; bound: the one that the Mass is to be before or after.
        window: from now on, or within so many hours.
        vigil_from, feast_until: hours within a day that its name tells.
        hits: names of towns and of their parts. counties: towns that counties are named after, where they were said.
        of_duties: where towns stand in which the asker has something else to do.
        told: words that were not understood, by their place; services: those of other things than Masses.
    """

    text: Text
    now: datetime
    places: Places
    days: tuple[date, ...] = ()
    is_dated: bool = False
    date_spans: tuple[tuple[int, int, date], ...] = ()
    weekdays: tuple[tuple[int, Span], ...] = ()
    skip_today: bool = False
    weeks: int | None = None
    in_weeks: int | None = None
    weekends: int | None = None
    year: tuple[int, Span] | None = None
    is_vigil: bool = False
    tonight: bool = False
    part: Window | None = None
    hours: tuple[Hour, ...] = ()
    bound: Hour | None = None
    window: Window | None = None
    vigil_from: time | None = None
    feast_until: time | None = None
    hits: tuple[NamedPlace, ...] = ()
    counties: tuple[NamedPlace, ...] = ()
    of_duties: tuple[int, ...] = ()
    postcode: str | None = None
    near: bool = False
    near_asker: bool = False
    around: bool = False
    centre: Span | None = None
    voivodeship: tuple[str, Span] | None = None
    street: Street | None = None
    parish: str | None = None
    parish_is_special: bool = False
    parish_town: str | None = None
    parish_end: int | None = None
    told: tuple[tuple[int, str], ...] = ()
    services: tuple[tuple[int, str], ...] = ()

    @property
    def today(self) -> date:
        """Local date of asking."""
        return self.now.date()

    def plus(self, span: Span | None = None, **piece: Any) -> Draft:
        """With a piece of the reading: what is a tuple of several is added, the rest is set; its words are crossed out."""
        new = object.__new__(Draft)
        values = new.__dict__
        values.update(self.__dict__)
        for name, value in piece.items():
            values[name] = values[name] + value if name in _several() else value
        if span is not None:
            values["text"] = self.text.without(*span)
        return new

    def put(self, **piece: Any) -> Draft:
        """With values set in place of those before."""
        new = object.__new__(Draft)
        new.__dict__.update({**self.__dict__, **piece})
        return new

    def reported(self, start: int, end: int, whole: bool = False) -> Draft:
        """These letters were not understood: each word of them is told, in its place; filler only if `whole` or alone."""
        words = [word for word in self.text.all_words() if start <= word.start and word.end <= end]
        telling = [word for word in words if whole or word.plain not in filler()] or words
        return self.plus((start, end), told=tuple((word.start, word.raw) for word in telling))


@cache
def _several() -> frozenset[str]:
    return frozenset(one.name for one in fields(Draft) if one.default == () and one.name not in _RESULTS)


_RESULTS: Final = frozenset(("dates", "towns", "parishes", "did_you_mean", "unread", "not_served"))  # made when a draft is closed
Piece = Mapping[str, Any]
Match = re.Match[str]
Rule = Callable[[Draft], Draft]
Found = Iterable[tuple[str, Match]]
TOLD: Final[Piece] = {"whole": False}  # of words that are understood so far that no answer keeps them
TOLD_WHOLE: Final[Piece] = {"whole": True}


def each(find: Callable[[Draft], Found], read: Callable[[Draft, str, Match], Piece | None]) -> Rule:
    """A rule of matches: what `read` makes of each is added and its words are crossed out; None leaves them to other rules.

    What it makes of words that are not understood is `TOLD`. A piece may hold the `span` that it takes instead.
    """

    def rule(draft: Draft) -> Draft:
        for value, match in find(draft):
            piece = None if draft.text.is_taken(*match.span()) else read(draft, value, match)
            if piece is TOLD or piece is TOLD_WHOLE:
                draft = draft.reported(*match.span(), **piece)
            elif piece is not None:
                draft = draft.plus(**{"span": match.span(), **piece})
        return draft

    rule.__name__ = getattr(read, "__name__", "rule")
    return rule


def phrases(section: str, *keys: str) -> Callable[[Draft], Found]:
    """Where phrases of a section of the vocabulary stand, of the keys alone where some are named, with their keys."""

    def find(draft: Draft) -> Iterator[tuple[str, Match]]:
        for key in keys or mapping(section):
            for match in words_pattern(joined(section, key)).finditer(draft.text.rest):
                yield key, match

    return find


def longest(*finds: Callable[[Draft], Found]) -> Callable[[Draft], Found]:
    """The matches of several, the longest ones first."""

    def find(draft: Draft) -> Found:
        found = [one for find in finds for one in find(draft)]
        return sorted(found, key=lambda one: one[1].start() - one[1].end())

    return find


def pattern(make: Callable[[], re.Pattern[str]] | re.Pattern[str]) -> Callable[[Draft], Found]:
    """The matches of an expression, which is made when it is needed first."""

    def find(draft: Draft) -> Iterator[tuple[str, Match]]:
        expression = make if isinstance(make, re.Pattern) else make()
        return (("", match) for match in expression.finditer(draft.text.rest))

    return find


@cache
def _denial() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){expression(joined('negated', 'words'))}\W+$")


def denial(draft: Draft, start: int) -> int | None:
    """Where words begin that say that what follows is not wanted; None without such words."""
    found = _denial().search(draft.text.rest[:start])
    return None if found is None else found.start()
