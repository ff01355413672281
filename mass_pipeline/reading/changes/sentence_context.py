"""What was read of an announcement, and one of its sentences with what stands in and around it: what doubts are judged from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes.change import ScheduleChange
from mass_pipeline.reading.changes.clauses import with_weekdays_of_season
from mass_pipeline.reading.changes.context import Context, names_season
from mass_pipeline.reading.words.clock import ClockToken
from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.period import Period

QUOTED: Final = 300  # characters of a sentence by which a change is known


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """A sentence with what stands in it.

    Attributes:
        written: the sentence.
        folded: its text with dates blanked and hours in digits, of the same length.
        words: its folded text.
        days: periods it names.
        earlier: those of each sentence before it.
        hours: in order.
        changes: all that were read from it.
        every: all of the text.
        written_before: the sentences right before.
        after: the sentence right after it in its line, "" for none.
        is_listed: whether it is a line of a list of Masses, or speaks of the days of lines.
        feasts: days that the announcement calls feasts.
        issued: day of the announcement.
    """

    written: str
    folded: str
    words: str
    days: Sequence[Period]
    earlier: Sequence[Sequence[Period]]
    hours: Sequence[ClockToken]
    changes: Sequence[ScheduleChange]
    every: Sequence[ScheduleChange]
    written_before: str
    after: str
    is_listed: bool
    feasts: Collection[date]
    issued: date

    @property
    def before(self) -> str:
        """Folded words of the sentences right before."""
        return fold(self.written_before)


@dataclass(slots=True)
class Read:
    """What was read of a text so far.

    Attributes:
        issued: its day.
        changes: in order.
        days: of the lines before that begin with a day.
        programme: of the programmes before.
        since: by sentence, the day from which its weekdays are counted.
        listed: sentences that are lines of a list, or speak of the days of one.
        judged: changes that bring their doubts with them.
        every: sentences in order, as they are read.
        written: a quote of what is read -> its words as written, where they differ.
        ends: sentences that end their line.
        feasts: days that are called feasts.
    """

    issued: date
    changes: list[ScheduleChange] = field(default_factory=list)
    days: list[Period] = field(default_factory=list)
    programme: list[Period] = field(default_factory=list)
    since: dict[str, date] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    judged: set[ScheduleChange] = field(default_factory=set)
    every: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)
    ends: set[str] = field(default_factory=set)
    feasts: set[date] = field(default_factory=set)

    def meant(self, sentence: str, context: Context, since: date) -> str:
        """The sentence as it is read: within a season "w środę" is every Wednesday."""
        words = sentence
        if names_season(find_periods(sentence, since)) or (names_season(context.periods) and not context.since):
            words = with_weekdays_of_season(sentence)
        self.every.append(words)
        self.written[words[:QUOTED]] = sentence[:QUOTED]
        return words
