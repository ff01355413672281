"""What is published of one parish: the standing order in force, dated exceptions, and what a person has to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mass_pipeline.schedules.exceptions import (
    Announced,
    exception_proposal,
    exceptions_of,
    is_for_review,
    makes_a_difference,
    with_approved,
)
from mass_pipeline.schedules.lasting import proposal_of
from mass_pipeline.schedules.reconciling import settled
from mass_pipeline.schedules.reviews import Decision, Proposal, approved_exceptions, in_force, withheld_order
from mass_pipeline.schedules.rows import ScheduleRow


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


@dataclass(frozen=True, slots=True)
class Withheld:
    """Rows that were read and are not published, and why."""

    rows: tuple[ScheduleRow, ...] = ()
    reasons: tuple[str, ...] = ()


def publish(
    parish_id: str,
    read: Sequence[ScheduleRow],
    announced: Iterable[Announced],
    decisions: Iterable[Decision],
    withheld: Withheld = Withheld(),
) -> Publication:
    """Put together what a parish's site, its announcements and the decisions of people say.

    Args:
        parish_id: whose.
        read: the standing order as read from the site now; () when none was read.
        announced: all changes its announcements make.
        decisions: of all parishes, oldest first.
        withheld: what was read beside `read` and is proposed instead of published.
    """
    decisions = list(decisions)
    order = in_force(parish_id, read, decisions)
    announced = settled(announced, order.rows)
    exceptions = exceptions_of([one for one in announced if not one.change.doubts], order.rows)
    approved = approved_exceptions(parish_id, decisions)
    proposals = [proposal_of(parish_id, one, order.rows) for one in announced if one.change.valid_to is None]
    doubtful = [one for one in announced if is_for_review(one) and makes_a_difference(one, order.rows)]
    proposals += [exception_proposal(parish_id, one, order.rows) for one in doubtful]
    if order.differs is not None:
        proposals.append(order.differs)
    if withheld.rows and (doubted := withheld_order(parish_id, (*read, *withheld.rows), withheld.reasons, decisions)):
        proposals.append(doubted)
    return Publication(
        order.rows,
        with_approved(exceptions.rows, approved),
        tuple(proposals),
        exceptions.unresolved,
        order.approved,
        order.differs is not None,
    )
