"""What is published of one parish: the standing order in force, dated exceptions, and what a person has to look at.

Of lasting changes of announcements ("od niedzieli Msza wieczorna o 17.00") the whole order is only proposed where the words and
the present order leave one reading; else the proposal holds the words alone, and the person who approves it writes the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mass_pipeline.model.records import DAYS, Day, Mass
from mass_pipeline.reading.words.parts_of_day import AFTERNOON
from mass_pipeline.schedules.exceptions import (
    Announced,
    exception_proposal,
    exceptions_of,
    in_words,
    is_for_review,
    makes_a_difference,
    with_approved,
)
from mass_pipeline.schedules.reconciling import settled
from mass_pipeline.schedules.reviews import Decision, Proposal, approved_exceptions, in_force, withheld_order
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import Order


def proposal_of(parish_id: str, announced: Announced, standing: Sequence[ScheduleRow]) -> Proposal:
    """The proposal a lasting change makes.

    Args:
        parish_id: whose.
        announced: a change without a last day.
        standing: the order it changes.
    """
    change = announced.change
    rows, page = _proposed(announced, standing), announced.page_sha256
    return Proposal(
        parish_id, "announcement", in_words(change), change.valid_from, rows, announced.source_url, change.quote, page
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


@dataclass(frozen=True, slots=True)
class Publication:
    """Everything about one parish.

    Attributes:
        standing: rows of the standing order.
        exceptions: rows of dated changes without doubts, and of those a person approved.
        proposals: lasting changes, doubtful dated ones, and what differs from an approved order.
        unresolved: dated changes that could not be turned into hours.
        approved: whether a person approved the standing order.
        differs: whether the site says something else than the approved order.
    """

    standing: tuple[ScheduleRow, ...]
    exceptions: tuple[ScheduleRow, ...]
    proposals: tuple[Proposal, ...]
    unresolved: tuple[Announced, ...]
    approved: bool
    differs: bool

    @property
    def rows(self) -> tuple[ScheduleRow, ...]:
        """Rows to publish."""
        return self.standing + self.exceptions


def publish(
    parish_id: str,
    read: Order,
    announced: Iterable[Announced],
    decisions: Iterable[Decision],
) -> Publication:
    """Put together what a parish's site, its announcements and the decisions of people say.

    Args:
        parish_id: whose.
        read: the standing order as read from the site now; empty when none was read. What waits is proposed.
        announced: all changes its announcements make.
        decisions: of all parishes, oldest first.
    """
    decisions = list(decisions)
    order = in_force(parish_id, read.published, decisions)
    announced = settled(announced, order.rows)
    exceptions = exceptions_of([one for one in announced if not one.change.doubts], order.rows)
    approved = approved_exceptions(parish_id, decisions)
    proposals = [proposal_of(parish_id, one, order.rows) for one in announced if one.change.valid_to is None]
    doubtful = [one for one in announced if is_for_review(one) and makes_a_difference(one, order.rows)]
    proposals += [exception_proposal(parish_id, one, order.rows) for one in doubtful]
    if order.differs is not None:
        proposals.append(order.differs)
    if read.waiting and (doubted := withheld_order(parish_id, (*read.published, *read.waiting), read.reasons, decisions)):
        proposals.append(doubted)
    return Publication(
        order.rows,
        with_approved(exceptions.rows, approved),
        tuple(proposals),
        exceptions.unresolved,
        order.approved,
        order.differs is not None,
    )
