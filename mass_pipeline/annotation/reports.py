"""Reports on bad questions: what a person says is wrong with an item, for the operator to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.database import insert_ignoring
from mass_pipeline.annotation.schema import items, reports
from mass_pipeline.annotation.voting import ensure_voter
from mass_pipeline.model.errors import BadInput
from mass_pipeline.reading.words.masking.lines import without_numbers

REASONS: Final = ("private", "not_an_hour", "unreadable", "other")  # in the order in which the operator should see them
LONGEST_COMMENT: Final = 300  # characters


def report(connection: Connection, voter_id: str, candidate_id: str, reason: str, comment: str, *, now: datetime) -> None:
    """Keep one report of a person on an item; a second one takes the place of the first.

    Args:
        reason: one of `REASONS`.
        comment: free words for the operator alone; numbers and addresses of persons are hidden, the rest is cut at
            `LONGEST_COMMENT` characters.

    Raises:
        BadInput: unknown reason or item.
    """
    if reason not in REASONS:
        raise BadInput(f"{reason!r} is no reason of a report; expected one of {', '.join(REASONS)}.")
    if connection.execute(sa.select(items.c.candidate_id).where(items.c.candidate_id == candidate_id)).first() is None:
        raise BadInput(f"There is no item {candidate_id!r}.")
    ensure_voter(connection, voter_id, now)
    words = without_numbers(" ".join(comment.replace("\x00", "").split())[: 4 * LONGEST_COMMENT])[:LONGEST_COMMENT]
    values = {"reason": reason, "comment": words, "reported_at": now}
    statement = insert_ignoring(connection.dialect.name, reports).values(candidate_id=candidate_id, voter_id=voter_id, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["candidate_id", "voter_id"], set_=values))


def reports_on(connection: Connection, candidate_id: str) -> Sequence[Any]:
    """Reason, comment and moment of every report on one item, oldest first."""
    query = sa.select(reports.c.reason, reports.c.comment, reports.c.reported_at).where(reports.c.candidate_id == candidate_id)
    return connection.execute(query.order_by(reports.c.reported_at, reports.c.voter_id)).all()


def reported_items(connection: Connection, campaign: str, limit: int) -> Sequence[Any]:
    """Items with a report, undecided: candidate_id, raw, heading, n, reason (the gravest one), comment (one of them)."""
    rank = sa.case({reason: rank for rank, reason in enumerate(REASONS)}, value=reports.c.reason)
    gravest = sa.case(dict(enumerate(REASONS)), value=sa.func.min(rank))
    query = (
        sa.select(
            items.c.candidate_id, items.c.raw, items.c.heading, sa.func.count().label("n"), gravest.label("reason"),
            sa.func.max(reports.c.comment).label("comment"),
        )
        .join(reports, reports.c.candidate_id == items.c.candidate_id)
        .where(items.c.campaign == campaign, ~items.c.decided)
        .group_by(items.c.candidate_id, items.c.raw, items.c.heading)
        .order_by(sa.func.min(rank), sa.func.count().desc(), items.c.candidate_id)
    )  # fmt: skip
    return connection.execute(query.limit(limit)).all()
