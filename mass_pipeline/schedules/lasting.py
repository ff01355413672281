"""Lasting changes of announcements ("od niedzieli Msza wieczorna o 17.00") as proposals of a standing order.

The whole order is only proposed where the words and the present order leave one reading; else the proposal holds the
words alone, and the person who approves it writes the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mass_pipeline.model.records import DAYS, Day, Mass
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.schedules.exceptions import Announced
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline.schedules.rows import ScheduleRow


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
    details = change.details
    if change.kind != "new_order" or not change.times or not standing or details.is_seasonal:
        return ()
    lists = [tuple(day for day in DAYS if day in named.split(",")) for named in details.lists]
    part = details.list_part
    if len({days[0] for days in lists}) > 1:  # hours of two lists in one sentence: which belongs to which is not stated
        return ()
    if not part:
        return _with_list(announced, standing, lists[0]) if lists else ()
    return _with_hour(announced, standing, lists[0] if lists else DAYS, part) if len(change.times) == 1 else ()


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
        and (row.mass.time >= AFTERNOON) == (part == "evening")
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
