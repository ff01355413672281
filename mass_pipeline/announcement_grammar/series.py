"""Masses said on several days that are named separately from their hour: dates in lines below it, and the season of roraty.

Belongs here: which days these are. Not here: programmes of a day (programmes), what is read of a sentence (reading).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import ScheduleChange
from mass_pipeline.announcement_grammar.hours import clock_hours, mass_hours
from mass_pipeline.announcement_grammar.lines import Line, Programme, without_days
from mass_pipeline.language.church_calendar import advent
from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.expressions import expression
from mass_pipeline.language.period import Period
from mass_pipeline.model.identifiers import fold

_LONGEST_LINE: Final = 240  # characters
_MOST_WORDS: Final = 5  # of a line of dates: "III kwartał", "Szkoła nr 2"
_LEAST_DATES: Final = 2
_HEADS_DATES: Final = expression(r":\s*$|\b(?:dniach|terminach|datach|<weekdays>)\s*$")
_DATES: Final = re.compile(r"(?:terminy|daty|dni|w dniach|kiedy)\b:? ?")
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_BRACKET: Final = re.compile(r"\([^()]*\)")
_PART_OF_ADVENT: Final = expression(r"\btygodni\w* <advent>|<first_or_last> (?:<advent_mass>|tydz|tygod)")
_WEEKDAYS_BETWEEN: Final = expression(r"\bod <of_weekday> do <of_weekday>")
_DAILY: Final = expression(r"<daily>|<every> dni|<working_days>|\bod <of_weekday> do <of_weekday>")
_ENDS: Final = re.compile(r"\bdo (?:dnia )?\d{1,2}[. ]")  # "do 23 grudnia"
_SAID_BEFORE: Final = timedelta(9)  # roraty are announced on the last Sundays before Advent at the earliest
_MASSES: Final = ("added", "order", "new_order")
_CHRISTMAS_EVE: Final = (12, 24)


def series_below(line: Line, below: Sequence[Line], counted: Mapping[int, date]) -> Programme | None:
    """ "Msze w następujące czwartki o 20.00:" with lines of dates below it; None of anything else.

    Args:
        line: that may be the heading.
        below: the lines after it.
        counted: by start of a line, the day from which its weekdays are counted.
    """
    if len(line.text) > _LONGEST_LINE or phrases.NEGATION.search(line.words):
        return None
    if _HEADS_DATES.search(line.words) is None and not _are_dates(below[:_LEAST_DATES], counted):
        return None
    own = [day for day in find_periods(line.text, counted[line.start]) if re.search(r"\d", line.words[day.start : day.end])]
    if own or not phrases.MASS.search(line.words) or not mass_hours(line.words):
        return None
    days: list[Period] = []
    lines: list[Line] = []
    for one in below:
        dates = _dates_alone(one, counted[one.start])
        if not dates:
            break
        days += dates
        lines.append(one)
    return Programme(tuple(days), (line, *lines), is_list=False, is_series=True) if len(days) >= _LEAST_DATES else None


def _are_dates(lines: Sequence[Line], counted: Mapping[int, date]) -> bool:
    """Whether the lines below a heading without a colon are dates and nothing else: "4.10.2026", "Terminy: 4.10, 18.10"."""
    named = [(line, find_periods(line.text, counted[line.start])) for line in lines]
    bare = [days and not _WORD.search(_DATES.sub("", without_days(line.words, days))) for line, days in named]
    called = lines and _DATES.match(lines[0].words) is not None and bool(bare[0])
    return bool(called) or (len(bare) == _LEAST_DATES and all(bare))


def _dates_alone(line: Line, since: date) -> list[Period]:
    """The days of a line that names days and hardly anything else; [] of any other."""
    if len(line.text) > _LONGEST_LINE:
        return []
    days = find_periods(line.text, since)
    rest = without_days(line.words, days)
    if clock_hours(rest) or len(re.findall(r"[^\W\d]{2,}", rest)) > _MOST_WORDS:
        return []
    dated = all(day.first == day.last for day in days) and re.search(r"\d", line.words) is not None
    return days if dated else []


def read_series(series: Programme, quote: str) -> Iterator[ScheduleChange]:
    """Its Masses, each on its day.

    Args:
        series: as found.
        quote: its words.
    """
    hours = tuple(mass_hours(series.lines[0].words))
    for day in series.days:
        yield ScheduleChange("added", day.first, day.last, hours, quote=quote)


def roraty_season(folded: str, own: Sequence[Period], since: date, *, before: bool) -> list[Period]:
    """The days of Advent that are left, of a sentence with the hour of roraty and no day; [] of any other.

    Args:
        folded: the sentence.
        own: days it names.
        since: the day it is issued.
        before: whether the sentence before was one of these: "Dzieci zapraszamy na godzinę 18.00".
    """
    words = _BRACKET.sub("", folded)  # "7.00 (roraty)" of another list
    said = phrases.RORATY.search(words) or (before and phrases.INVITES_TO_HOUR.search(words))
    if phrases.EXCEPT.search(phrases.BUT_SUNDAYS.sub("", words)) or _PART_OF_ADVENT.search(words):
        return []
    begins, ends = advent(since.year), date(since.year, *_CHRISTMAS_EVE)
    single = [day for day in own if day.first == day.last]
    own = (
        single[:1] if _WEEKDAYS_BETWEEN.search(words) and len(single) == 1 else own
    )  # "od 30 listopada, od poniedziałku do soboty"
    begun = (
        len(own) == 1
        and own[0].first == own[0].last
        and _DAILY.search(words) is not None
        and phrases.LASTING.search(folded[: own[0].start]) is not None
    )
    begun = begun and not phrases.MOVED.search(folded)
    if (own and not begun) or not said or not clock_hours(words) or phrases.NEGATION.search(folded):
        return []
    first = max([max(since, begins) + timedelta(1), *(day.first for day in own)])
    return [Period(0, 0, first, ends)] if begins - since <= _SAID_BEFORE and first <= ends else []


def rest_of_advent(told: Iterable[ScheduleChange], folded: str, before: str, since: date) -> Iterator[ScheduleChange]:
    """Roraty "od poniedziałku do piątku" in the weeks of Advent after the one that was read; a person confirms them.

    Args:
        told: changes of the sentence.
        folded: the sentence.
        before: those right before it, which may have named the roraty.
        since: the day it is issued.
    """
    between = _WEEKDAYS_BETWEEN.search(folded)
    if (
        between is None
        or not phrases.RORATY.search(f"{before} {folded}")
        or _PART_OF_ADVENT.search(folded)
        or _ENDS.search(folded)
    ):
        return
    ends = date(since.year, *_CHRISTMAS_EVE)
    for change in told:
        last = change.valid_to or ends
        if change.kind == "added" and change.valid_from < last < ends and advent(since.year) - since <= _SAID_BEFORE:
            words = f"{between[0]}; roraty; {change.words}"
            yield replace(change, valid_from=last + timedelta(1), valid_to=ends, words=words)


def of_season(found: Sequence[ScheduleChange], series: Sequence[Period], *, named: bool) -> list[ScheduleChange]:
    """Masses of roraty as added on the days of the season; what else is said of days counts where the sentence names them."""
    kept = [one for one in found if named or one.kind in _MASSES]
    ends = series[-1].last
    return [_over(one, series[0].first, ends) if one.kind in _MASSES else one for one in kept]


def _over(change: ScheduleChange, first: date, ends: date) -> ScheduleChange:
    """A Mass of roraty on the days of the season, also where the clause names its first day alone."""
    begins = change.valid_from == change.valid_to == first
    return replace(change, kind="added", valid_to=ends if begins or change.valid_to is None else change.valid_to)


def weekdays_of_roraty(folded: str) -> str:
    """The weekdays a sentence names ("w poniedziałki i środy"), else all but Sundays, on which no roraty are said."""
    named = ", ".join(match[0] for match in phrases.PLURAL_DAYS.finditer(folded) if match[0].startswith("w"))
    return named or "w dni powszednie"


def leaves_sundays_out(folded: str, own: Sequence[Period]) -> bool:
    """Whether the several days of a sentence are no Sundays: roraty, "codziennie oprócz niedziel"."""
    several = any(day.first < day.last for day in own)
    return several and any(one.search(folded) for one in (phrases.RORATY, phrases.BUT_SUNDAYS))


def is_of_season(change: ScheduleChange) -> bool:
    """Whether a change is that of roraty for what is left of Advent."""
    ends = change.valid_to is not None and (change.valid_to.month, change.valid_to.day) == _CHRISTMAS_EVE
    return ends and change.valid_to != change.valid_from


def until_christmas_eve(found: Sequence[ScheduleChange], words: str) -> list[ScheduleChange]:
    """The changes, lasting ones of roraty with the end that the announcement tells: "Ostatnie roraty w Wigilię".

    Args:
        found: changes of an announcement.
        words: its folded text.
    """
    if not phrases.LAST_RORATY.search(words):
        return list(found)
    return [_until_eve(change) if phrases.RORATY.search(fold(change.quote)) else change for change in found]


def _until_eve(change: ScheduleChange) -> ScheduleChange:
    if change.valid_to is not None:
        return change
    kind: phrases.Change = "added" if change.kind == "new_order" else change.kind
    return replace(change, kind=kind, valid_to=date(change.valid_from.year, *_CHRISTMAS_EVE))


def waiting_together(found: Sequence[ScheduleChange]) -> list[ScheduleChange]:
    """The changes, what falls out for roraty as doubtful as these: else the days would be left without Mass.

    Args:
        found: changes of an announcement with their doubts.
    """
    roraty = [one for one in found if one.kind == "added" and one.doubts and phrases.RORATY.search(fold(one.quote))]
    series = {one.valid_from: one.doubts for one in roraty}
    return [
        replace(one, doubts=series[one.valid_from])
        if one.kind == "cancelled" and one.valid_to != one.valid_from and not one.doubts and one.valid_from in series
        else one
        for one in found
    ]


def days_without_roraty(folded: str, own: Sequence[Period], periods: Sequence[Period], quote: str) -> list[ScheduleChange]:
    """Days of which a sentence says that there are no roraty: those it names, or single days named before it.

    Args:
        folded: the sentence.
        own: days it names.
        periods: days it speaks of.
        quote: its words.
    """
    if not phrases.NO_RORATY.search(folded):
        return []
    days = (day for day in periods if day in own or day.first == day.last)
    return [ScheduleChange("no_roraty", day.first, day.last, quote=quote) for day in days]


def since_advent(folded: str, since: date) -> date:
    """Roraty are of Advent: announced the Sunday before it, "od poniedziałku" is the Monday of its first week."""
    begins = advent(since.year)
    return begins if phrases.RORATY.search(folded) and timedelta(0) < begins - since <= timedelta(7) else since
