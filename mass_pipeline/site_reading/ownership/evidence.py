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
    """What speaks against an order, and how it is told."""

    reason: str

    def __new__(cls, value: str, reason: str) -> Against:
        """A kind by its name, with the reason for people."""
        kind = str.__new__(cls, value)
        kind._value_, kind.reason = value, reason
        return kind

    NEIGHBOURS = "neighbours", "it is told of other parishes"  # of the deanery, the town, the neighbourhood
    ANOTHER_PARISH = "another_parish", "the site names another parish than the directory"
    ELSEWHERE = "elsewhere", "it is told of a church elsewhere"  # where parishioners go, or that is only spoken of
    OTHER_PLACE = "other_place", "another place or dedication than the parish's own is named"
    OTHER_BUILDING = "other_building", "it is told of a church of another kind"  # a hospital's, where the parish names none
    FORMER = "former", "it is told in words of the past"
    OVER = "over", "its date is over"
    NOT_YET = "not_yet", "its date is to come"
    UNSETTLED = "unsettled", "it is a plan, a question or a rumour"
    EXAMPLE = "example", "it is text of a template or an example"
    PROGRAMME = "programme", "it is the programme of an event"  # a mission, a retreat, a camp
    TRANSMISSION = "transmission", "it is told of transmissions"
    OTHER_SERVICE = "other_service", "it is told of funerals or weddings"
    OTHER_CHURCH = "other_church", "it is told of another confession"
    OTHER_MEANING = "other_meaning", "its words mean something else than Mass"  # "masa", a concert, a film
    SUSPENDED = "suspended", "it does not take place"
    FILES = "files", "the hours are those of files or comments"
    ODD_MINUTES = "odd_minutes", "no Mass begins at such minutes"  # 14.22, 17.07


def tells_that_it_is_over(reason: str) -> bool:
    """Whether a reason, as `CounterEvidence.reason` words it, is that the hours are of the past."""
    return reason.startswith((Against.OVER.reason, Against.FORMER.reason))


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
        return f"{self.kind.reason} ({self.words})" if self.words else self.kind.reason


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
