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
from mass_pipeline.extraction.changes.hours import (
    Segment,
    clock_hours,
    in_digits,
    mass_hours,
    negates_mass,
    segments,
    speaks_of_mass,
    split_move,
)
from mass_pipeline.extraction.changes.period import Period
from mass_pipeline.extraction.changes.phrases import Change, Part
from mass_pipeline.model.identifiers import fold

_LONGEST_WEEK: Final = 7  # days
_MIDNIGHT: Final = "00:00"
_FORGOTTEN_AFTER: Final = 1  # sentences that speak of something else
_FEW: Final = 2  # more hours than these are the list of a day, also behind a "Msza" in the singular
_SUNDAY: Final = 6
_LONGEST_HEADING: Final = 6  # words
_QUOTE: Final = 300  # characters
_LISTS_DAYS: Final = re.compile(
    r"^(?:porzad\w+ )?msz[ey] [^:]*: ?\d"
)  # "Msze św. w Wigilię: 7.00, 8.00." heads the days that follow
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
    for sentence, opens_line in _sentences_of_lines(text):
        folded = _folded(sentence)
        since = issued if opens_line else _counted_from(context, issued)
        since = _counted_within(sentence, folded, since)
        own = find_periods(sentence, since)
        listed = context.heads_list and _is_line_of_list(folded, own)
        goes_on = not own and _goes_on(folded, context)
        periods = own or (context.periods if goes_on else [])
        if phrases.REPORT.search(folded) or (phrases.PAST.search(sentence) and not phrases.AHEAD.search(folded)):
            context = _Context(previous=folded)
            continue
        if periods and not _is_recurring(folded, own):
            anaphora = phrases.SAID.search(folded) or phrases.PART_ALONE.fullmatch(folded)
            said = anaphora is not None and speaks_of_mass(context.previous)
            flow = _Flow([] if own else periods, of_mass=listed or said, listing=listed)
            found += _read_sentence(sentence, flow, since)
        listed = listed or _heads_list(folded) or _LISTS_DAYS.search(folded) is not None
        if own or not (goes_on or context.since < _FORGOTTEN_AFTER):
            context = _Context(own or context.periods, folded, listed)
        else:
            context = _Context(context.periods, f"{context.previous} {folded}", listed, context.since + (not goes_on))
    return list(dict.fromkeys(found))


def _sentences_of_lines(text: str) -> Iterator[tuple[str, bool]]:
    """Sentences, and whether each is the first of its line."""
    for line in text.splitlines():
        yield from ((sentence, index == 0) for index, sentence in enumerate(sentences(line)))


def _counted_from(context: _Context, issued: date) -> date:
    """The day from which weekdays are counted: that of issue, or the first day of what lasts several days and begins later."""
    begins = [period.first for period in context.periods if period.first == period.last]
    if len(begins) == 1 and begins[0] - issued >= timedelta(_LONGEST_WEEK) and phrases.SEVERAL_DAYS.search(context.previous):
        return begins[0]
    return issued


def _counted_within(sentence: str, folded: str, issued: date) -> date:
    """The same within a sentence: "rozpoczęcie w niedzielę 13 grudnia, w poniedziałek i wtorek Msze o 8.00"."""
    own = find_periods(sentence, issued)
    if not own or phrases.SEVERAL_DAYS.search(folded) is None or not re.search(r"\d", folded[own[0].start : own[0].end]):
        return issued
    return _counted_from(_Context(own[:1], folded), issued)


def _folded(text: str) -> str:
    """The folded text, in which "Mszę" (one) is not taken for "Msze" (several)."""
    return fold(text.replace("szę", "szą"))


def _heads_list(folded: str) -> bool:
    """Whether lines of days with their Masses follow: "Porządek Mszy świętych w święta:"."""
    heading = folded.endswith(":") or len(folded.split()) <= _LONGEST_HEADING
    return heading and phrases.ORDER.search(folded + ":") is not None and not clock_hours(folded)


def _is_line_of_list(folded: str, own: Sequence[Period]) -> bool:
    return bool(own) and _LEADS_LINE.fullmatch(folded[: own[0].start]) is not None and not phrases.OTHER.search(folded)


def _goes_on(folded: str, context: _Context) -> bool:
    """Whether a sentence without a day of its own speaks of the day named before."""
    if phrases.SAME_DAYS.search(folded):
        return len(context.periods) > 1 or any(period.first < period.last for period in context.periods)
    if phrases.SAME_DAY.search(folded):
        return True
    folded = phrases.AS_WEEKDAY.sub("", phrases.AS_SUNDAY.sub("", folded))
    if phrases.WEEKLY.search(folded) or phrases.NAMES_DAYS.search(folded):  # days that cannot be told are no other days
        return False
    if phrases.NEGATION.search(folded):
        return True
    if not context.periods or not speaks_of_mass(folded):
        return False
    is_open = not clock_hours(context.previous)  # a day of which no hour was told yet
    if phrases.OPENS_WITH_MASS.search(folded):
        return is_open or phrases.NAMES_AN_OCCASION.search(context.previous) is not None
    return is_open and phrases.NAMES_AN_OCCASION.search(context.previous) is not None


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
        folded = _folded(clause)
        own = find_periods(clause, issued)
        begins = _lasting_from(folded, own)
        own = begins or own
        if own:
            flow.periods, flow.lasting = [one for one in own if not one.is_mass] or own, bool(begins)
        flow.lasting = flow.lasting or phrases.FROM_THEN.search(folded) is not None
        flow.of_mass = speaks_of_mass(folded) or (flow.of_mass and not phrases.OTHER.search(folded))
        flow.listing = flow.listing or (flow.of_mass and re.search(r"\bmsz[ey]\b[^\d]*: ", folded) is not None)
        blanked = folded
        for period in own:  # "od 12 do 17 października" holds no hours
            if period.is_mass:
                continue
            blanked = blanked[: period.start] + " " * (period.end - period.start) + blanked[period.end :]
        if flow.of_mass or phrases.AS_SUNDAY.search(blanked) or phrases.NEW_ORDER.search(blanked):
            yield from _read_clause(in_digits(blanked), flow, own, sentence[:_QUOTE])


def _read_clause(folded: str, flow: _Flow, own: Sequence[Period], quote: str) -> Iterator[ScheduleChange]:
    parts = segments(folded, own) if own else [Segment(folded, tuple(flow.periods))]
    for index, part in enumerate(parts):
        segment = Segment(_without_unchanged(part.text), part.periods)
        times = mass_hours(segment.text)
        kind = _kind(segment.text, times, flow, len(parts) > 1)
        goes_on = index > 0 or (bool(own) and flow.kind == "order")
        if kind == "added" and goes_on and flow.kind and not phrases.MASS.search(segment.text):
            kind = flow.kind if flow.kind != "moved" else None  # "w środę nie będzie Mszy o 7.00, w piątek o 18.00"
        stays = phrases.INVITES_TO_REST.search(segment.text) or phrases.PART_GOES_ON.search(segment.text)
        if kind == "added" and flow.kind == "cancelled" and stays:
            kind = None
        if kind in ("added", "order") and phrases.ELSEWHERE.search(segment.text):
            kind = None
        flow.kind = kind
        if kind is not None:
            periods = [period for period in segment.periods if not period.left_out or len(segment.periods) == 1]
            for period in periods:
                if period.is_month and kind == "added":
                    continue
                yield from _changes(kind, segment.text, times, period, flow.lasting, quote)


def _without_unchanged(folded: str) -> str:
    """The text without what it says to stay as it was: "w sobotę o 8.00, w niedzielę jak zwykle o 10.00"."""
    pieces = folded.split(", ")
    return ", ".join(piece for piece in pieces if not phrases.UNCHANGED.search(piece) or phrases.MOVED.search(piece))


def _changes(
    kind: Change, folded: str, times: Sequence[str], period: Period, lasting: bool, quote: str
) -> Iterator[ScheduleChange]:
    part: Part = next((name for name, pattern in phrases.PARTS if pattern.search(folded)), "")
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
    yield from _on_its_day(ScheduleChange(kind, period.first, last, tuple(old), tuple(new), "" if old else part, quote))


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
    as_sunday = phrases.AS_SUNDAY.search(folded)
    if negation and as_sunday and times and as_sunday.end() <= negation.start():
        return "as_sunday"  # "jak w niedzielę, z wyjątkiem Mszy o 18.00, której nie będzie"
    if negation:
        return "cancelled" if _is_cancelled(folded, negation, times) else None
    if times and (phrases.MOVED.search(folded) or _is_shifted(folded, times)):
        return "moved"
    if not phrases.REST.search(folded):
        if as_sunday and len(mass_hours(folded[: as_sunday.start()])) > 1:  # "Msze o 9.00 i 12.00, jak w niedzielę"
            return "order"
        if as_sunday:
            return "as_sunday"
        if phrases.AS_WEEKDAY.search(folded):
            return "as_weekday"
    if flow.lasting:
        return "new_order" if times else None
    return _kind_of_list(folded, times, flow, split)


def _is_shifted(folded: str, times: Sequence[str]) -> bool:
    """Whether the Mass of a part of the day has another hour for once: "Msza wieczorna wyjątkowo o 16.30"."""
    if len(times) == _FEW and phrases.LATER.search(folded):  # "o 12.00 rozpocznie się kwadrans później, o 12.15"
        return True
    if len(times) == _FEW and phrases.EXCEPTIONALLY.search(folded):  # "Msza o 11.30 zaczyna się wyjątkowo o 12.00"
        first, second = clock_hours(folded)[:_FEW]
        return phrases.BEGINS.search(folded[first.end : second.start]) is not None
    has_part = any(pattern.search(folded) for _, pattern in phrases.PARTS)
    return len(times) == 1 and has_part and phrases.EXCEPTIONALLY.search(folded) is not None


def _is_cancelled(folded: str, negation: re.Match[str], times: Sequence[str]) -> bool:
    if phrases.STILL_SAID.match(folded[negation.end() :]) or not negates_mass(folded, negation):
        return False
    if not times and phrases.REST.search(folded):  # "inne Msze nie będą odprawiane": the list before says it
        return False
    return bool(times) or phrases.ONE_OF_SEVERAL.search(folded) is None


def _kind_of_list(folded: str, times: Sequence[str], flow: _Flow, split: bool) -> Change | None:
    """Whether hours are all Masses of their day or additional ones."""
    if flow.kind == "as_sunday" and times:  # "jak w niedzielę, tylko o 14.00 na cmentarzu"
        return "added"
    midnight_mass = phrases.MIDNIGHT_MASS.search(folded)
    if midnight_mass and times and midnight_mass.start() < clock_hours(folded)[0].start:
        return "added"
    if any(_is_only(piece, times) for piece in folded.split(", ")):
        return "order"
    if times and flow.listing and not flow.lasting:
        return "order"
    if (len(times) > _FEW and phrases.OUTSIDE.search(folded) is None) or (len(times) > 1 and phrases.ORDER.search(folded)):
        return "order"
    return "added" if times else None


def _is_only(piece: str, times: Sequence[str]) -> bool:
    """Whether "tylko" speaks of Masses: of the hours beside it, or of a part of the day where no hours are named."""
    if phrases.ONLY.search(piece) is None:
        return False
    has_part = any(pattern.search(piece) for _, pattern in phrases.PARTS)
    return bool(mass_hours(piece)) or (has_part and speaks_of_mass(piece)) if times else has_part


def _lasting_from(folded: str, periods: Sequence[Period]) -> list[Period]:
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
