"""What one sentence leaves to the next, and which days a sentence may be read for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

from mass_pipeline.extraction.changes import phrases
from mass_pipeline.extraction.changes.dates import find_periods
from mass_pipeline.extraction.changes.hours import clock_hours, speaks_of_mass
from mass_pipeline.extraction.changes.period import Period
from mass_pipeline.extraction.changes.phrases import Change

_LONGEST_WEEK: Final = 7  # days
_LONGEST_HEADING: Final = 6  # words
_LONGEST_TITLE: Final = 10  # words, without a full stop
_FORGOTTEN_AFTER: Final = 1  # sentences that speak of something else
_SUNDAY: Final = 6
_LISTS_DAYS: Final = re.compile(
    r"^(?:porzad\w+ )?msz[ey] [^:]*: ?\d"
)  # "Msze św. w Wigilię: 7.00, 8.00." heads the days that follow
_OTHER_LABEL: Final = re.compile(
    r"(?!msz|porzad|inne|pozostal|godz|nastepn|kolejn|wieczor|rano)(?:\w+\.? ){0,2}\w+: "
)  # "Kaplica: 9.00": of something else
_BARE_HOURS: Final = re.compile(
    r"(?:we?\b|(?:poniedzial|wtor|srod|czwart|piat|sobot|niedziel)\w*|[\s,:–-])*(?:o )?(?:godz\. ?)?"
    r"(?:\d{1,2}[.:]\d\d(?:,? (?:i|oraz) (?:o )?|, (?:o )?|\.?$))+"
)
_PAIR: Final = 2  # hours
_LEADS_LINE: Final = re.compile(
    r"[\s*•·–-]*(?:w |we |(?:pon|wt|sr|czw|pt|sob|nd|niedz)\w*\.?,? )?$"
)  # what may stand before the day of a line in a list


@dataclass(slots=True)
class Context:
    """What earlier sentences leave to the next.

    Attributes:
        periods: the days they named.
        previous: the sentence that named them, with what was said of these days since.
        heads_list: whether it heads a list of Masses.
        since: sentences without a day of their own behind it.
    """

    periods: list[Period] = field(default_factory=list)
    previous: str = ""
    heads_list: bool = False
    since: int = 0


def counted_from(context: Context, issued: date) -> date:
    """The day from which weekdays are counted: that of issue, or the first day of what lasts several days and begins later."""
    begins = [period.first for period in context.periods if period.first == period.last]
    if len(begins) == 1 and begins[0] - issued >= timedelta(_LONGEST_WEEK) and phrases.SEVERAL_DAYS.search(context.previous):
        return begins[0]
    return issued


def counted_within(sentence: str, folded: str, issued: date) -> date:
    """The same within a sentence: "rozpoczęcie w niedzielę 13 grudnia, w poniedziałek i wtorek Msze o 8.00"."""
    own = find_periods(sentence, issued)
    if not own or phrases.SEVERAL_DAYS.search(folded) is None or not re.search(r"\d", folded[own[0].start : own[0].end]):
        return issued
    return counted_from(Context(own[:1], folded), issued)


def _heads_list(folded: str) -> bool:
    """Whether lines of days with their Masses follow: "Porządek Mszy świętych w święta:"."""
    words = len(folded.split())
    heading = folded.endswith(":") or words <= _LONGEST_HEADING or (words <= _LONGEST_TITLE and not folded.endswith("."))
    return heading and phrases.ORDER.search(folded + ":") is not None and not clock_hours(folded)


def starts_line(folded: str, own: Sequence[Period]) -> bool:
    """Whether a line begins with a day."""
    return bool(own) and _LEADS_LINE.fullmatch(folded[: own[0].start]) is not None


def is_line_of_list(folded: str, own: Sequence[Period]) -> bool:
    """Whether a line is a day and what is said of its Masses."""
    return starts_line(folded, own) and not phrases.OTHER.search(folded)


def is_bare_list(folded: str, own: Sequence[Period], told: Sequence[Change]) -> bool:
    """Whether a sentence is a day and its hours alone, behind one that told the Masses of another day.

    Args:
        folded: the sentence.
        own: its days.
        told: kinds of change of the sentence right before; two hours are an order only behind an order.
    """
    if not own or not told or any(kind not in ("order", "added") for kind in told):
        return False
    for period in own:
        folded = folded[: period.start] + " " * (period.end - period.start) + folded[period.end :]
    hours = len(clock_hours(folded))
    return _BARE_HOURS.fullmatch(folded) is not None and (hours > _PAIR or (hours == _PAIR and "order" in told))


def goes_on(folded: str, context: Context) -> bool:
    """Whether a sentence without a day of its own speaks of the day named before."""
    if phrases.SAME_DAYS.search(folded):
        return len(context.periods) > 1 or any(period.first < period.last for period in context.periods)
    if phrases.SAME_DAY.search(folded):
        return True
    if _OTHER_LABEL.match(folded):
        return False
    if _speaks_of_those(folded, context):
        return True
    folded = phrases.AS_WEEKDAY.sub("", phrases.AS_SUNDAY.sub("", folded))
    if phrases.WEEKLY.search(folded) or phrases.NAMES_DAYS.search(folded):  # days that cannot be told are no other days
        return False
    if phrases.NEGATION.search(folded):
        return True
    if (phrases.AFTER_IT.search(folded) or phrases.ONE_MORE.search(folded)) and not context.since:
        return True
    if not context.periods or not speaks_of_mass(folded):
        return False
    is_open = not clock_hours(context.previous)  # a day of which no hour was told yet
    if phrases.OPENS_WITH_MASS.search(folded):
        return is_open or phrases.NAMES_AN_OCCASION.search(context.previous) is not None
    return is_open and phrases.NAMES_AN_OCCASION.search(context.previous) is not None


def _speaks_of_those(folded: str, context: Context) -> bool:
    """Whether the words point back: "w te niedziele nie ma Mszy", "W naszym kościele będą o 7.00 i 9.00" behind Masses."""
    if phrases.THOSE.search(folded):
        return phrases.NEGATION.search(folded) is not None or speaks_of_mass(folded)
    said = phrases.SAID.search(folded) and not context.since and not phrases.WEEKLY.search(folded)
    return bool(said) and speaks_of_mass(context.previous) and bool(clock_hours(folded))


def is_recurring(folded: str, own: Sequence[Period]) -> bool:
    """Whether a sentence speaks of every such day; an explicit date in it outweighs the word."""
    if any(re.search(r"\d", folded[period.start : period.end]) for period in own):
        return False
    sundays = all(period.first == period.last and period.first.weekday() == _SUNDAY for period in own)
    if own and sundays and phrases.WHOLE_WEEK.search(folded) and not phrases.LASTING.search(folded[: own[0].start]):
        return True
    months = [period for period in own if period.is_month]
    if months and phrases.PLURAL_DAYS.search(folded):
        return True
    if months and phrases.MOVED.search(folded):
        return False
    if any((period.last - period.first).days > _LONGEST_WEEK for period in own) and not months:
        return False
    return phrases.RECURRING.search(phrases.AS_SUNDAY.sub("", folded)) is not None


def lasting_from(folded: str, periods: Sequence[Period]) -> list[Period]:
    """The first day of a change that does not end ("od niedzieli ... o 17.00"); [] when there is an end.

    Days of the week beside it ("od 1 października Msza od poniedziałku do piątku o 17.00") are those of every week.
    """
    if not periods or phrases.LASTING.search(folded[: periods[0].start]) is None:
        return []
    first, *others = periods
    is_day = first.first == first.last
    weekly = all(
        not re.search(r"\d", folded[one.start : one.end]) and phrases.NAMES_DAYS.search(folded, one.start) for one in others
    )
    return [first] if is_day and (not others or (weekly and re.search(r"\d", folded[first.start : first.end]))) else []


def next_context(context: Context, folded: str, own: list[Period], goes_on: bool, listed: bool) -> Context:
    """What is left behind a sentence."""
    heads = listed or (context.heads_list and goes_on) or _heads_list(folded) or _LISTS_DAYS.search(folded) is not None
    if own and context.periods and all(period.is_mass for period in own):  # "Pasterka o 24.00." within a day's list
        own, goes_on = [], True
    if own or not (goes_on or context.since < _FORGOTTEN_AFTER):
        return Context(own or context.periods, folded, heads)
    return Context(context.periods, f"{context.previous} {folded}", heads, context.since + (not goes_on))
