"""Lasting changes of announcements ("od niedzieli Msza wieczorna o 17.00") as proposals of a standing order.

The whole order is only proposed where the words and the present order leave one reading; else the proposal holds the
words alone, and the person who approves it writes the order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.day_words import AUGUST, EVENING, IN_THE_MORNING, JULY, MORNING, SATURDAY, SUNDAY
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.records import DAYS, WEEKDAYS, Day, Mass
from mass_pipeline.schedules.exceptions import Announced
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline.schedules.rows import ScheduleRow

_EVENING: Final = "14:00"
_EVENING_WORDS: Final = re.compile(EVENING)
_MORNING_WORDS: Final = re.compile(rf"{MORNING}|\b{IN_THE_MORNING}\b")
_DAY_WORDS: Final[tuple[tuple[re.Pattern[str], tuple[Day, ...]], ...]] = (
    (re.compile(rf"{SUNDAY}\w+ i swieta|{SUNDAY}\w+ i uroczystosci"), ("Su", "PH")),
    (re.compile(rf"\bw (?:kazda )?{SUNDAY}e\b(?! \d)|\b{SUNDAY}n"), ("Su",)),  # "od niedzieli" names a day
    (re.compile(r"powszedni|\bw tygodniu\b|\bcodziennie\b"), WEEKDAYS[:6]),
    (re.compile(rf"\bw {SATURDAY}y\b|\b{SATURDAY}ni"), ("Sa",)),
)
_SEASONAL: Final = re.compile(rf"wakac|{JULY}c|{AUGUST}n|letni|zimow|adwen|wielki\w* post|roku szkoln|zawiesz|\bdo \d|\bdo konca")


def proposal_of(parish_id: str, announced: Announced, standing: Sequence[ScheduleRow]) -> Proposal:
    """The proposal a lasting change makes.

    Args:
        parish_id: whose.
        announced: a change without a last day.
        standing: the order it changes.
    """
    change = announced.change
    says = " ".join([change.kind, *change.times, *(["->", *change.new_times] if change.new_times else ()), change.part]).strip()
    return Proposal(
        parish_id,
        "announcement",
        says,
        change.valid_from,
        _proposed(announced, standing),
        announced.source_url,
        change.quote,
        announced.page_sha256,
    )


def _proposed(announced: Announced, standing: Sequence[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    change = announced.change
    words = _without_periods(announced)
    if change.kind != "new_order" or not change.times or not standing or _SEASONAL.search(words):
        return ()
    lists = [days for pattern, days in _DAY_WORDS if pattern.search(words)]
    if len({days[0] for days in lists}) > 1:  # hours of two lists in one sentence: which belongs to which is not told
        return ()
    part = "evening" if _EVENING_WORDS.search(words) else "morning" if _MORNING_WORDS.search(words) else ""
    if not part:
        return _with_list(announced, standing, lists[0]) if lists else ()
    return _with_hour(announced, standing, lists[0] if lists else DAYS, part) if len(change.times) == 1 else ()


def _without_periods(announced: Announced) -> str:
    """The folded words with the days they name blanked, so that "od niedzieli" is no list of Sundays."""
    quote = announced.change.quote
    words = fold(quote)
    for period in find_periods(quote, announced.issued):
        words = words[: period.start] + " " * (period.end - period.start) + words[period.end :]
    return words


def _with_list(announced: Announced, standing: Sequence[ScheduleRow], days: tuple[Day, ...]) -> tuple[ScheduleRow, ...]:
    """The order with the list of these days replaced; Masses at other places and of certain weeks stay."""
    kept = [one for row in standing for one in _without_days(row, days)]
    new = [_new_row(announced, Mass(days, time)) for time in announced.change.times]
    return (*kept, *new)


def _without_days(row: ScheduleRow, days: tuple[Day, ...]) -> list[ScheduleRow]:
    if row.mass.place or row.mass.nth:
        return [row]
    left = tuple(day for day in row.mass.days if day not in days)
    return [replace(row, mass=replace(row.mass, days=left))] if left else []


def _with_hour(
    announced: Announced, standing: Sequence[ScheduleRow], days: tuple[Day, ...], part: str
) -> tuple[ScheduleRow, ...]:
    """The order with the one hour of that part of the day replaced; () when some day has several or none has any."""
    concerned = [
        row
        for row in standing
        if not row.mass.place
        and not row.mass.nth
        and set(row.mass.days) & set(days)
        and (row.mass.time >= _EVENING) == (part == "evening")
    ]
    per_day = [sum(day in row.mass.days for row in concerned) for day in days]
    if not concerned or max(per_day) > 1:
        return ()
    kept = [row for row in standing if row not in concerned]
    left = [one for row in concerned for one in _without_days(row, days)]
    moved = tuple(day for day in days if any(day in row.mass.days for row in concerned))
    return (*kept, *left, _new_row(announced, Mass(moved, announced.change.times[0])))


def _new_row(announced: Announced, mass: Mass) -> ScheduleRow:
    return ScheduleRow(mass, announced.source_url, announced.change.quote, announced.page_sha256, announced.fetched_at)
