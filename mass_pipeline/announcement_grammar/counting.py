"""The day from which the weekdays of a sentence are counted.

Belongs here: that day, by what the sentence, those before it and a programme above it say. Not here: days themselves
(language.dates), which sentences speak of the days named before (context).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.context import Context
from mass_pipeline.announcement_grammar.series import since_advent
from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.day_words import OF_WEEKDAY, WEEKDAY_STEMS
from mass_pipeline.language.frames import counted_in
from mass_pipeline.language.period import Period

_WEEK: Final = 7  # days
_BEGINS: Final = re.compile(r"\b(?:roz)?pocz(?:yna|nie)|\bza(?:czyna|czni)|\brusza|\bstartuj")
_END_ALONE: Final = re.compile(rf"\bdo(?: dnia)?(?: (?:{OF_WEEKDAY}),?)? $")


def counted_from(context: Context, issued: date) -> date:
    """The day from which weekdays are counted: that of issue, or the first day of what lasts several days and begins later."""
    begins = [period.first for period in context.periods if period.first == period.last]
    if len(begins) == 1 and begins[0] - issued >= timedelta(_WEEK) and phrases.SEVERAL_DAYS.search(context.previous):
        return begins[0]
    return issued


def counted_within(sentence: str, folded: str, issued: date) -> date:
    """The same within a sentence: "rozpoczęcie w niedzielę 13 grudnia, w poniedziałek i wtorek Msze o 8.00"."""
    own = find_periods(sentence, issued)
    if not own or phrases.SEVERAL_DAYS.search(folded) is None or not re.search(r"\d", folded[own[0].start : own[0].end]):
        return issued
    return counted_from(Context(own[:1], folded), issued)


def counted_to_that(folded: str, periods: Sequence[Period], since: date) -> date:
    """The same before "w tę sobotę", of which the sentences before gave the date; `since` where they gave none."""
    that = phrases.THAT_WEEKDAY.search(folded)
    if that is None:
        return since
    weekday = next(at for at, stem in enumerate(WEEKDAY_STEMS) if that[1].startswith(stem))
    meant = {one.first for one in periods if one.first == one.last and one.first.weekday() == weekday}
    return min(meant) - timedelta(1) if len(meant) == 1 else since


def counted_until(sentence: str, folded: str, context: Context, since: date) -> date:
    """The same before an end alone: "Zaczynamy 2 stycznia. Do piątku 16 stycznia nie ma Mszy o 18.00" begins with that day."""
    begins = [period.first for period in context.periods if period.first == period.last]
    if len(begins) != 1 or len(context.periods) > 1 or begins[0] <= since or not _BEGINS.search(context.previous):
        return since
    own = find_periods(sentence, since)
    ends = [day for day in own if day.first == since < begins[0] < day.last and _END_ALONE.search(folded[: day.start])]
    return begins[0] if len(ends) == len(own) == 1 else since


def counted(sentence: str, folded: str, since: date, programme: Sequence[Period], frame: Period | None) -> date:
    """The same by what the sentence and the programme above it say of days.

    Args:
        sentence: as written.
        folded: its text.
        since: the day from which its weekdays are counted by what stands before it.
        programme: days of the programmes before.
        frame: days of the retreat or mission it is in.
    """
    since = _since_programme(sentence, counted_within(sentence, folded, since), programme)
    return since_advent(folded, counted_in(sentence, since, frame))


def _since_programme(sentence: str, since: date, programme: Sequence[Period]) -> date:
    """The day from which weekdays are counted after a programme that has them: "Sobota, 13 marca: ... W sobotę nie ma Mszy"."""
    own = find_periods(sentence, since) if programme else []
    weekdays = {day.first.weekday() for day in programme}
    if not own or any(re.search(r"\d", sentence[day.start : day.end]) or day.first.weekday() not in weekdays for day in own):
        return since
    return max(since, min(day.first for day in programme) - timedelta(1))
