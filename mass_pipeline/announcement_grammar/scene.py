"""A sentence of an announcement with what stands in it and around it, from which doubts are judged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from mass_pipeline.announcement_grammar.change import ScheduleChange
from mass_pipeline.language.clock import ClockToken
from mass_pipeline.language.period import Period


@dataclass(frozen=True, slots=True)
class Scene:
    """A sentence with what stands in it.

    Attributes:
        written: the sentence.
        folded: its text with dates blanked and hours in digits, of the same length.
        words: its folded text.
        days: periods it names.
        hours: in order.
        changes: all that were read from it.
        written_before: the sentences right before.
        before: their folded words.
        after: of the sentence right after it.
        days_after: days that one names.
        has_cancelled: whether it names Masses of the same day that fall out.
        is_listed: whether it is a line of a list of Masses, or speaks of the days of lines.
        feasts: days that the announcement calls feasts.
    """

    written: str
    folded: str
    words: str
    days: tuple[Period, ...]
    hours: tuple[ClockToken, ...]
    changes: tuple[ScheduleChange, ...]
    written_before: str
    before: str
    after: str
    days_after: tuple[Period, ...]
    has_cancelled: bool
    is_listed: bool
    feasts: Collection[date]


@dataclass(frozen=True, slots=True)
class Told:
    """What the reading knows of the sentences of an announcement.

    Attributes:
        since: by sentence, the day from which its weekdays were counted.
        listed: sentences that are lines of a list of Masses, or speak of the days of lines.
        judged: changes that bring their doubts with them.
        ends: sentences that end their line.
        feasts: days that are called feasts.
    """

    since: Mapping[str, date]
    listed: Collection[str]
    judged: Collection[ScheduleChange]
    ends: Collection[str]
    feasts: Collection[date]
