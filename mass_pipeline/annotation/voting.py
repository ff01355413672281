"""Answers of people: cast, change, undo without limit, restore, forget. Each function runs in one transaction of the caller."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import insert_ignoring
from mass_pipeline.annotation.queue import ensure_voter
from mass_pipeline.annotation.schema import reservations, voters, votes
from mass_pipeline.annotation.settling import lock_item, settle
from mass_pipeline.annotation.vocabulary import ANSWERS
from mass_pipeline.model.errors import BadInput

LONGEST_DURATION_MS = 3_600_000  # whoever left the page open for an hour was not thinking for an hour


def cast(
    connection: Connection,
    voter_id: str,
    candidate_id: str,
    answer: str,
    *,
    origin: str,
    now: datetime,
    config: AnnotationConfig,
    duration_ms: int | None = None,
) -> None:
    """Store one answer; a second answer of the same person to the same item replaces the first.

    Raises:
        BadInput: no such answer or item; nothing is stored.
    """
    if answer not in ANSWERS:
        raise BadInput(f"{answer!r} is no answer; expected one of {', '.join(ANSWERS)}.")
    ensure_voter(connection, voter_id, now)
    if lock_item(connection, candidate_id) is None:
        raise BadInput(f"There is no item {candidate_id!r}.")
    before = connection.execute(_mine(voter_id, candidate_id)).one_or_none()
    sequence = before.sequence if before else _next_sequence(connection, voter_id)
    if duration_ms is not None:
        duration_ms = min(max(duration_ms, 0), LONGEST_DURATION_MS)
    values = {"answer": answer, "origin": origin, "voted_at": now, "duration_ms": duration_ms, "withdrawn": False}
    statement = insert_ignoring(connection.dialect.name, votes).values(
        candidate_id=candidate_id, voter_id=voter_id, sequence=sequence, **values
    )
    connection.execute(statement.on_conflict_do_update(index_elements=["candidate_id", "voter_id"], set_=values))
    connection.execute(
        sa.delete(reservations).where(reservations.c.candidate_id == candidate_id, reservations.c.voter_id == voter_id)
    )
    if before is None or before.withdrawn:
        _count(connection, voter_id, 1)
    settle(connection, candidate_id, now, config)


def undo(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> str | None:
    """Withdraw the person's last standing answer; its item is asked again next.

    Returns:
        the item, or None when nothing is left to undo.
    """
    ensure_voter(connection, voter_id, now)
    query = sa.select(votes.c.vote_id, votes.c.candidate_id).where(votes.c.voter_id == voter_id, ~votes.c.withdrawn)
    last = connection.execute(query.order_by(votes.c.sequence.desc()).limit(1)).one_or_none()
    if last is None:
        return None
    lock_item(connection, last.candidate_id)
    connection.execute(sa.update(votes).where(votes.c.vote_id == last.vote_id).values(withdrawn=True))
    _count(connection, voter_id, -1)
    settle(connection, last.candidate_id, now, config)
    return str(last.candidate_id)


def redo(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> str | None:
    """Restore the answer that the last undo withdrew; returns its item, or None when nothing was undone."""
    ensure_voter(connection, voter_id, now)
    query = sa.select(votes.c.vote_id, votes.c.candidate_id).where(votes.c.voter_id == voter_id, votes.c.withdrawn)
    first = connection.execute(query.order_by(votes.c.sequence).limit(1)).one_or_none()
    if first is None:
        return None
    lock_item(connection, first.candidate_id)
    connection.execute(sa.update(votes).where(votes.c.vote_id == first.vote_id).values(withdrawn=False))
    _count(connection, voter_id, 1)
    settle(connection, first.candidate_id, now, config)
    return str(first.candidate_id)


def forget(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> int:
    """Erase a person: their votes, reservations and record; the labels are counted anew. Returns the votes erased."""
    ensure_voter(connection, voter_id, now)
    touched = sa.union(
        sa.select(votes.c.candidate_id).where(votes.c.voter_id == voter_id),
        sa.select(reservations.c.candidate_id).where(reservations.c.voter_id == voter_id),
    )
    candidates = sorted(connection.execute(touched).scalars())
    for candidate_id in candidates:
        lock_item(connection, candidate_id)
    erased = connection.execute(sa.delete(votes).where(votes.c.voter_id == voter_id)).rowcount
    connection.execute(sa.delete(reservations).where(reservations.c.voter_id == voter_id))
    for candidate_id in candidates:
        settle(connection, candidate_id, now, config)
    connection.execute(sa.delete(voters).where(voters.c.voter_id == voter_id))
    return int(erased)


def was_shown(connection: Connection, voter_id: str, candidate_id: str) -> bool:
    """Whether this person holds the item or answered it: only then may they answer it."""
    held = sa.select(sa.literal(1)).where(reservations.c.candidate_id == candidate_id, reservations.c.voter_id == voter_id)
    answered = sa.select(sa.literal(1)).where(votes.c.candidate_id == candidate_id, votes.c.voter_id == voter_id)
    return connection.execute(sa.union_all(held, answered)).first() is not None


def _mine(voter_id: str, candidate_id: str) -> sa.Select[tuple[int, bool]]:
    return sa.select(votes.c.sequence, votes.c.withdrawn).where(
        votes.c.voter_id == voter_id, votes.c.candidate_id == candidate_id
    )


def _next_sequence(connection: Connection, voter_id: str) -> int:
    query = sa.select(sa.func.coalesce(sa.func.max(votes.c.sequence), 0)).where(votes.c.voter_id == voter_id)
    return int(connection.execute(query).scalar_one()) + 1


def _count(connection: Connection, voter_id: str, change: int) -> None:
    connection.execute(sa.update(voters).where(voters.c.voter_id == voter_id).values(n_votes=voters.c.n_votes + change))
