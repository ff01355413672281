"""Evidence that an order is not this parish's or not of today: typed, named, with the words that say it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final

_FILE: Final = "words.toml"


class Against(StrEnum):
    """What speaks against an order."""

    NEIGHBOURS = "neighbours"  # other parishes of the deanery, the town, the neighbourhood
    ANOTHER_PARISH = "another_parish"  # the site names itself otherwise than the directory does
    ELSEWHERE = "elsewhere"  # a place where parishioners go, or that is only spoken of
    OTHER_PLACE = "other_place"  # a place or dedication is named that is not the parish's own
    OTHER_BUILDING = "other_building"  # a cathedral, a hospital, a monastery, where the parish names none
    FORMER = "former"  # words of the past
    OVER = "over"  # a date that is over
    NOT_YET = "not_yet"  # a date that is to come
    UNSETTLED = "unsettled"  # a plan, a survey, a rumour
    EXAMPLE = "example"  # a template, a demonstration
    PROGRAMME = "programme"  # of a mission, a retreat, a camp
    TRANSMISSION = "transmission"
    OTHER_SERVICE = "other_service"  # funerals, weddings
    OTHER_CHURCH = "other_church"  # of another confession
    OTHER_MEANING = "other_meaning"  # "masa", a concert, a film
    SUSPENDED = "suspended"
    FILES = "files"  # moments of uploads and comments
    ODD_MINUTES = "odd_minutes"  # hours at 14.22 and 17.07 are no Masses


REASONS: Final[Mapping[Against, str]] = {
    Against.NEIGHBOURS: "it is told of other parishes",
    Against.ANOTHER_PARISH: "the site names another parish than the directory",
    Against.ELSEWHERE: "it is told of a church elsewhere",
    Against.OTHER_PLACE: "another place or dedication than the parish's own is named",
    Against.OTHER_BUILDING: "it is told of a church of another kind",
    Against.FORMER: "it is told in words of the past",
    Against.OVER: "its date is over",
    Against.NOT_YET: "its date is to come",
    Against.UNSETTLED: "it is a plan, a question or a rumour",
    Against.EXAMPLE: "it is text of a template or an example",
    Against.PROGRAMME: "it is the programme of an event",
    Against.TRANSMISSION: "it is told of transmissions",
    Against.OTHER_SERVICE: "it is told of funerals or weddings",
    Against.OTHER_CHURCH: "it is told of another confession",
    Against.OTHER_MEANING: "its words mean something else than Mass",
    Against.SUSPENDED: "it does not take place",
    Against.FILES: "the hours are those of files or comments",
    Against.ODD_MINUTES: "no Mass begins at such minutes",
}


def tells_that_it_is_over(reason: str) -> bool:
    """Whether a reason, as `CounterEvidence.reason` words it, is that the hours are of the past."""
    return reason.startswith((REASONS[Against.OVER], REASONS[Against.FORMER]))


@dataclass(frozen=True, slots=True)
class CounterEvidence:
    """One piece of evidence against the hours of a line.

    Attributes:
        kind: what it says.
        words: the words that say it, as folded.
    """

    kind: Against
    words: str

    @property
    def reason(self) -> str:
        """For people."""
        return f"{REASONS[self.kind]} ({self.words})" if self.words else REASONS[self.kind]


@dataclass(frozen=True, slots=True)
class Words:
    """The patterns of one kind; all search folded text, None where there are none."""

    heading: re.Pattern[str] | None
    before: re.Pattern[str] | None
    anywhere: re.Pattern[str] | None
    page: re.Pattern[str] | None
    unless: re.Pattern[str] | None


@cache
def words_against() -> Mapping[Against, Words]:
    """The vocabulary of every kind that has one."""
    data = _data()
    return {
        kind: Words(*(_pattern(data[kind.value].get(scope, ())) for scope in ("heading", "before", "anywhere", "page", "unless")))
        for kind in Against
        if kind.value in data
    }


@cache
def pattern_of(section: str, name: str) -> re.Pattern[str]:
    """A single list of words as a pattern."""
    found = _pattern(_data()[section][name])
    assert found is not None
    return found


@cache
def _data() -> Mapping[str, Mapping[str, Iterable[str]]]:
    file = resources.files(__package__).joinpath(_FILE)
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    words = tuple(words)
    return re.compile(rf"(?<![^\W\d_])(?:{'|'.join(words)})") if words else None
