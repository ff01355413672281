"""What is published of one parish: the standing order in force, dated exceptions, and what a person has to look at.

Belongs here: what people decided, beside what was read. Not here: what announcements make of the order (announced).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mass_pipeline.schedules.announced import Announced, exceptions_of, is_for_review, proposal_of, settled, with_approved
from mass_pipeline.schedules.reviews import Decision, Proposal, approved_exceptions, in_force, withheld_order
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.standing_order import Order


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
    lasting, dated = ([one for one in announced if (one.change.valid_to is None) is lasts] for lasts in (True, False))
    waiting = [one for one in (*lasting, *dated) if is_for_review(one, order.rows)]
    proposals = [proposal_of(parish_id, one, order.rows) for one in waiting]
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
