"""Keep each item's count, state and label in step with its votes; every function runs in the caller's transaction.

Lock order everywhere: voter, then item, then the item's reservations; so no two transactions wait for each other.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.ballots import Ballot, judge, next_state
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.schema import decisions, items, label_events, reservations, voters, votes
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER


def lock_item(connection: Connection, candidate_id: str) -> sa.Row[Any, Any, Any, Any] | None:
    """The item's row, locked until the transaction ends; None when there is no such item."""
    return connection.execute(
        sa.select(items.c.state, items.c.wanted, items.c.label, items.c.gold)
        .where(items.c.candidate_id == candidate_id)
        .with_for_update()
    ).one_or_none()


def counted_ballots(connection: Connection, candidate_id: str, config: AnnotationConfig) -> list[Ballot]:
    """Ballots on an item that count: standing votes of voters who are not banned."""
    rows = connection.execute(
        sa.select(votes.c.answer, votes.c.origin, voters.c.standing, voters.c.skill, voters.c.share, voters.c.n_compared)
        .join(voters, voters.c.voter_id == votes.c.voter_id)
        .where(votes.c.candidate_id == candidate_id, ~votes.c.withdrawn, voters.c.standing != "banned")
    )
    return [
        Ballot(row.answer, row.origin, row.skill, row.share, row.standing == "trusted", row.n_compared >= config.proven_votes)
        for row in rows
    ]


def settle(connection: Connection, candidate_id: str, now: datetime, config: AnnotationConfig) -> None:
    """Recount an item and store what its ballots say; notes a label event when a settled label appears or changes."""
    row = lock_item(connection, candidate_id)
    if row is None:
        return
    ballots = counted_ballots(connection, candidate_id, config)
    reserved = connection.execute(
        sa.select(sa.func.count()).where(reservations.c.candidate_id == candidate_id, reservations.c.takes_slot)
    ).scalar_one()
    counts = {"n_votes": len(ballots), "n_taken": len(ballots) + reserved}
    if row.gold is not None or _is_decided(connection, candidate_id):
        connection.execute(sa.update(items).where(items.c.candidate_id == candidate_id).values(counts))
        return
    verdict = judge(ballots, config)
    n_unknown = sum(ballot.answer not in LABEL_OF_ANSWER for ballot in ballots)
    state, wanted = next_state(verdict, len(ballots), n_unknown, row.wanted, config)
    label = verdict.label if state == "settled" else None
    connection.execute(
        sa.update(items)
        .where(items.c.candidate_id == candidate_id)
        .values(**counts, state=state, wanted=wanted, label=label, probability=verdict.probability)
    )
    if label is not None and label != row.label:
        note_label(connection, candidate_id, label, now)


def note_label(connection: Connection, candidate_id: str, label: str, now: datetime) -> None:
    """Append to the history of labels, which re-training watches."""
    connection.execute(sa.insert(label_events).values(candidate_id=candidate_id, label=label, labelled_at=now))


def _is_decided(connection: Connection, candidate_id: str) -> bool:
    query = sa.select(decisions.c.candidate_id).where(decisions.c.candidate_id == candidate_id)
    return connection.execute(query).first() is not None
