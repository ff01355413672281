"""Read what an announcement changes in the order of Masses, with the words that say so.

The rule of the house holds: better none than wrong. Recurring days, reports of what happened, and hours of devotions,
meetings or offices are no changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.extraction.changes import phrases
from mass_pipeline.extraction.changes.clauses import clauses, sentences
from mass_pipeline.extraction.changes.dates import find_periods
from mass_pipeline.extraction.changes.hours import Segment, clock_hours, in_digits, mass_hours, negates_mass, segments, split_move
from mass_pipeline.extraction.changes.period import Period
from mass_pipeline.extraction.changes.phrases import Change, Part
from mass_pipeline.model.identifiers import fold

_LONGEST_WEEK: Final = 7  # days
_MIDNIGHT: Final = "00:00"
_SUNDAY: Final = 6
_LONGEST_HEADING: Final = 6  # words
_QUOTE: Final = 300  # characters
_LEADS_LINE: Final = re.compile(r"[\s*•·–-]*(?:w |we )?$")  # what may stand before the day of a line in a list


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """One change.

    Attributes:
        kind: `cancelled`; `moved` (times -> new_times); `added`; `order` (times are all Masses of the day, or the part that
            remains); `as_sunday`, `as_weekday`; `new_order` (a lasting change that a person should confirm).
        valid_from, valid_to: days, inclusive; `valid_to` is None for a lasting change.
        times: hours concerned, `HH:MM`; () when none are named.
        new_times: hours after a move.
        part: part of the day where no hour is named.
        quote: the words.
    """

    kind: Change
    valid_from: date
    valid_to: date | None
    times: tuple[str, ...] = ()
    new_times: tuple[str, ...] = ()
    part: Part = ""
    quote: str = ""


@dataclass(slots=True)
class _Context:
    """What earlier sentences leave to the next: the days they named, their words, and a heading of a list of Masses."""

    periods: list[Period] = field(default_factory=list)
    previous: str = ""
    heads_list: bool = False


@dataclass(slots=True)
class _Flow:
    """What earlier clauses of a sentence leave to the next.

    Attributes:
        periods: days spoken of.
        lasting: whether they are the beginning of something that does not end.
        of_mass: whether Masses are spoken of.
        listing: whether the hours of each day are all its Masses.
        kind: of the change read last.
    """

    periods: list[Period]
    lasting: bool = False
    of_mass: bool = False
    listing: bool = False
    kind: Change | None = None


def read_changes(text: str, issued: date) -> list[ScheduleChange]:
    """Changes an announcement makes, in the order of its words.

    Args:
        text: one announcement, plain text.
        issued: the day it was issued (usually a Sunday); relative days are told from it.
    """
    found: list[ScheduleChange] = []
    context = _Context()
    for sentence in sentences(text):
        folded = fold(sentence)
        own = find_periods(sentence, issued)
        listed = context.heads_list and _is_line_of_list(folded, own)
        periods = own or (context.periods if _goes_on(folded, context) else [])
        if phrases.REPORT.search(folded) or (phrases.PAST.search(sentence) and not phrases.AHEAD.search(folded)):
            context = _Context(previous=folded)
            continue
        if periods and not _is_recurring(folded, own):
            flow = _Flow([] if own else periods, of_mass=listed, listing=listed)
            found += _read_sentence(sentence, flow, issued)
        context = _Context(own or context.periods, folded, listed or _heads_list(folded))
    return list(dict.fromkeys(found))


def _heads_list(folded: str) -> bool:
    """Whether lines of days with their Masses follow: "Porządek Mszy świętych w święta:"."""
    heading = folded.endswith(":") or len(folded.split()) <= _LONGEST_HEADING
    return heading and phrases.ORDER.search(folded + ":") is not None and not clock_hours(folded)


def _is_line_of_list(folded: str, own: Sequence[Period]) -> bool:
    return bool(own) and _LEADS_LINE.fullmatch(folded[: own[0].start]) is not None and not phrases.OTHER.search(folded)


def _goes_on(folded: str, context: _Context) -> bool:
    """Whether a sentence without a day of its own speaks of the day named before."""
    if phrases.SAME_DAY.search(folded):
        return True
    if phrases.WEEKLY.search(folded) or phrases.NAMES_DAYS.search(folded):  # days that cannot be told are no other days
        return False
    if phrases.NEGATION.search(folded):
        return True
    if phrases.NAMES_AN_OCCASION.search(context.previous) is None or not phrases.MASS.search(folded):
        return False
    return phrases.OPENS_WITH_MASS.search(folded) is not None or not clock_hours(context.previous)


def _is_recurring(folded: str, own: Sequence[Period]) -> bool:
    """Whether a sentence speaks of every such day; an explicit date in it outweighs the word."""
    if any(re.search(r"\d", folded[period.start : period.end]) for period in own):
        return False
    sundays = all(period.first == period.last and period.first.weekday() == _SUNDAY for period in own)
    if own and sundays and phrases.WHOLE_WEEK.search(folded) and not phrases.LASTING.search(folded[: own[0].start]):
        return True
    months = any((period.last - period.first).days > _LONGEST_WEEK for period in own)
    if months and phrases.PLURAL_DAYS.search(folded):
        return True
    return phrases.RECURRING.search(phrases.AS_SUNDAY.sub("", folded)) is not None


def _read_sentence(sentence: str, flow: _Flow, issued: date) -> Iterator[ScheduleChange]:
    for clause in clauses(sentence):
        folded = fold(clause)
        own = find_periods(clause, issued)
        if own:
            flow.periods, flow.lasting = own, _is_lasting(folded, own)
        flow.of_mass = bool(phrases.MASS.search(folded)) or (flow.of_mass and not phrases.OTHER.search(folded))
        flow.listing = flow.listing or (flow.of_mass and re.search(r"\bmsz[ey]\b[^\d]*: ", folded) is not None)
        blanked = folded
        for period in own:  # "od 12 do 17 października" holds no hours
            blanked = blanked[: period.start] + " " * (period.end - period.start) + blanked[period.end :]
        if flow.of_mass or phrases.AS_SUNDAY.search(blanked) or phrases.NEW_ORDER.search(blanked):
            yield from _read_clause(in_digits(blanked), flow, bool(own), sentence[:_QUOTE])


def _read_clause(folded: str, flow: _Flow, has_own: bool, quote: str) -> Iterator[ScheduleChange]:
    parts = segments(folded, flow.periods) if has_own else [Segment(folded, tuple(flow.periods))]
    for index, part in enumerate(parts):
        segment = Segment(_without_unchanged(part.text), part.periods)
        times = mass_hours(segment.text)
        kind = _kind(segment.text, times, flow, len(parts) > 1)
        if index and kind == "added" and flow.kind and not phrases.MASS.search(segment.text):
            kind = flow.kind if flow.kind != "moved" else None  # "w środę nie będzie Mszy o 7.00, w piątek o 18.00"
        flow.kind = kind
        if kind is not None:
            periods = [period for period in segment.periods if not period.left_out or len(segment.periods) == 1]
            for period in periods:
                yield from _changes(kind, segment.text, times, period, flow.lasting, quote)


def _without_unchanged(folded: str) -> str:
    """The text without what it says to stay as it was: "w sobotę o 8.00, w niedzielę jak zwykle o 10.00"."""
    pieces = folded.split(", ")
    return ", ".join(piece for piece in pieces if not phrases.UNCHANGED.search(piece))


def _changes(
    kind: Change, folded: str, times: Sequence[str], period: Period, lasting: bool, quote: str
) -> Iterator[ScheduleChange]:
    part: Part = next((name for name, pattern in phrases.PARTS if pattern.search(folded)), "") if not times else ""
    last = None if lasting and kind in ("new_order", "cancelled", "moved") else period.last
    if kind in ("as_sunday", "as_weekday"):
        yield ScheduleChange(kind, period.first, last, quote=quote)
        if times:  # "jak w niedzielę, z wyjątkiem Mszy o 7.00"
            beside: Change = "cancelled" if phrases.EXCEPT.search(folded) or phrases.NEGATION.search(folded) else "added"
            yield ScheduleChange(beside, period.first, last, tuple(times), quote=quote)
        return
    old, new = split_move(folded, times) if kind == "moved" else (times, ())
    if kind == "moved" and lasting:
        kind, old, new = "new_order", new, ()
    yield from _on_its_day(ScheduleChange(kind, period.first, last, tuple(old), tuple(new), part, quote))


def _on_its_day(change: ScheduleChange) -> Iterator[ScheduleChange]:
    """The change with midnight, with which the day named ends ("Pasterka o 24.00"), on the day that it begins."""
    if _MIDNIGHT not in change.times or change.kind not in ("added", "order", "cancelled") or change.valid_to is None:
        yield change
        return
    rest = tuple(time for time in change.times if time != _MIDNIGHT)
    if rest:
        yield replace(change, times=rest)
    kind: Change = "cancelled" if change.kind == "cancelled" else "added"
    first, last = change.valid_from + timedelta(1), change.valid_to + timedelta(1)
    yield replace(change, kind=kind, times=(_MIDNIGHT,), valid_from=first, valid_to=last)


def _kind(folded: str, times: Sequence[str], flow: _Flow, split: bool) -> Change | None:
    if phrases.RESUMED.search(folded) and times:
        return "new_order" if flow.lasting else "added"
    negation = phrases.NEGATION.search(folded)
    if negation:
        return "cancelled" if _is_cancelled(folded, negation, times) else None
    if phrases.MOVED.search(folded) and times:
        return "moved"
    if not phrases.REST.search(folded):
        as_sunday = phrases.AS_SUNDAY.search(folded)
        if as_sunday and len(mass_hours(folded[: as_sunday.start()])) > 1:  # "Msze o 9.00 i 12.00, jak w niedzielę"
            return "order"
        if as_sunday:
            return "as_sunday"
        if phrases.AS_WEEKDAY.search(folded):
            return "as_weekday"
    if flow.lasting:
        return "new_order" if times else None
    return _kind_of_list(folded, times, flow, split)


def _is_cancelled(folded: str, negation: re.Match[str], times: Sequence[str]) -> bool:
    if phrases.STILL_SAID.match(folded[negation.end() :]) or not negates_mass(folded, negation):
        return False
    return bool(times) or phrases.ONE_OF_SEVERAL.search(folded) is None


def _kind_of_list(folded: str, times: Sequence[str], flow: _Flow, split: bool) -> Change | None:
    """Whether hours are all Masses of their day or additional ones."""
    if flow.kind == "as_sunday" and times:  # "jak w niedzielę, tylko o 14.00 na cmentarzu"
        return "added"
    has_part = any(pattern.search(folded) for _, pattern in phrases.PARTS)
    if phrases.ONLY.search(folded) and (times or has_part):
        return "order"
    if times and flow.listing and not flow.lasting:
        return "order"
    if len(times) > 1 and phrases.ORDER.search(folded):
        return "order"
    return "added" if times else None


def _is_lasting(folded: str, periods: Sequence[Period]) -> bool:
    """Whether the change begins on a day and does not end: "od niedzieli ... o 17.00"."""
    return (
        len(periods) == 1
        and periods[0].first == periods[0].last
        and phrases.LASTING.search(folded[: periods[0].start]) is not None
    )
