"""What speaks against a list of Masses being whole: sentences after its first that may go on with it.

Belongs here: hours that a list of several sentences leaves out. Not here: those of its own sentence (certainty).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import ScheduleChange
from mass_pipeline.announcement_grammar.hours import clock_hours, folded_sentence
from mass_pipeline.language.expressions import expression
from mass_pipeline.language.spoken_hours import in_digits

_BEGINS_WITH_HOUR: Final = expression(r"(?:[a-z]+\.?[,:]? ){0,3}(?:[–-] )?<at><hour>")


def may_go_on(following: Sequence[str], changes: Sequence[ScheduleChange], quoted: int) -> bool:
    """Whether the sentence after a list, from which nothing was read, begins with an hour: it may be one of the list.

    Args:
        following: the sentence, [] where none follows.
        changes: all of the announcement.
        quoted: most characters of a quote.
    """
    words = "".join(in_digits(folded_sentence(sentence)) for sentence in following)
    begins = _BEGINS_WITH_HOUR.match(words) is not None and not phrases.OTHER.search(words)
    hours = {hour.time for hour in clock_hours(words)}
    told = any(one.quote == sentence[:quoted] or hours <= set(one.times) for one in changes for sentence in following)
    return begins and not told


def with_lists_left_open(found: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes, a list of a day doubtful beside a Mass of that day which waits: it may be of the list, and would be lost.

    Args:
        found: changes of an announcement with their doubts.
    """
    waiting = {(one.valid_from, one.valid_to, time) for one in found if one.kind == "added" and one.doubts for time in one.times}
    return [replace(one, doubts=("hours_left",)) if _is_left_open(one, waiting) else one for one in found]


def _is_left_open(change: ScheduleChange, waiting: Collection[tuple[date, date | None, str]]) -> bool:
    beside = (time for first, last, time in waiting if (first, last) == (change.valid_from, change.valid_to))
    is_day = change.valid_from == change.valid_to  # within a season the hours are those of other weekdays
    return change.kind == "order" and is_day and not change.doubts and any(time not in change.times for time in beside)
