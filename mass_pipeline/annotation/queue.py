"""Which question does a person get next? Least answered first, never twice, never more people than answers are wanted.

The draw is the caller's: `Draw` says whether this is a hidden test question or one of the random slice.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.schema import items, reservations, voters, votes

BLOCK_LIMIT = 12  # hours shown at once in the list mode: more do not fit on two phone screens
_SWEEP_BATCH = 500


@dataclass(frozen=True, slots=True)
class Draw:
    """The chance part of a choice, drawn outside so that the queue itself is deterministic."""

    wants_gold: bool
    wants_random: bool
    pivot: float  # place in the random order from which a random item is taken

    @classmethod
    def by(cls, rng: random.Random, config: AnnotationConfig) -> Draw:
        """Draw once with the shares of the settings."""
        return cls(rng.random() < config.gold_share, rng.random() < config.random_share, rng.random())


@dataclass(frozen=True, slots=True)
class Asked:
    """The question for a person now.

    Attributes:
        candidate_id: the item.
        previous: the person's own withdrawn answer when the question comes back by undo, else None.
    """

    candidate_id: str
    previous: str | None = None


def ensure_voter(connection: Connection, voter_id: str, now: datetime) -> str:
    """The voter's standing, its row locked against itself; a new voter is entered as normal."""
    from mass_pipeline.annotation.database import insert_ignoring

    query = sa.select(voters.c.standing).where(voters.c.voter_id == voter_id).with_for_update(key_share=True)
    standing = connection.execute(query).scalar_one_or_none()
    if standing is None:
        row = {"voter_id": voter_id, "standing": "normal", "standing_by": "", "share": 1.0, "n_compared": 0, "n_votes": 0}
        statement = insert_ignoring(connection.dialect.name, voters).values(**row, created_at=now)
        connection.execute(statement.on_conflict_do_nothing())
        standing = connection.execute(query).scalar_one()
    return str(standing)


def next_question(
    connection: Connection, voter_id: str, campaign: str, now: datetime, draw: Draw, config: AnnotationConfig
) -> Asked | None:
    """The question for this person: an undone one, the one reserved already, or a new one, which is then reserved.

    Returns:
        None when nothing is left for this person now.
    """
    standing = ensure_voter(connection, voter_id, now)
    undone = _undone(connection, voter_id)
    if undone is not None:
        return undone
    reserved = _reserved(connection, voter_id, now)
    if reserved is not None:
        return Asked(reserved)
    chosen = _choose(connection, voter_id, campaign, draw)
    if chosen is None and sweep(connection, now):
        chosen = _choose(connection, voter_id, campaign, draw)
    if chosen is None:
        return None
    _reserve(connection, [chosen], voter_id, standing, now, config)
    return Asked(chosen)


def block_of(connection: Connection, candidate_id: str, voter_id: str, now: datetime, config: AnnotationConfig) -> list[str]:
    """The hours of the same block that this person may answer, the given one included; the others are reserved too."""
    standing = ensure_voter(connection, voter_id, now)
    block_key = connection.execute(sa.select(items.c.block_key).where(items.c.candidate_id == candidate_id)).scalar_one()
    mine = sa.select(reservations.c.candidate_id).where(reservations.c.voter_id == voter_id)
    held = set(connection.execute(mine.where(reservations.c.expires_at > now)).scalars())
    free = connection.execute(
        sa.select(items.c.candidate_id)
        .where(
            items.c.block_key == block_key,
            items.c.state == "open",
            items.c.n_taken < items.c.wanted,
            items.c.candidate_id.not_in(held | {candidate_id}),
            ~_voted_by(voter_id),
        )
        .order_by(items.c.position, items.c.candidate_id)
        .limit(BLOCK_LIMIT - 1)
        .with_for_update(skip_locked=True)
    )
    new = list(free.scalars())
    _reserve(connection, new, voter_id, standing, now, config)
    query = sa.select(items.c.candidate_id).where(
        items.c.block_key == block_key, items.c.candidate_id.in_({candidate_id, *new, *held})
    )
    return list(connection.execute(query.order_by(items.c.position, items.c.candidate_id)).scalars())


def sweep(connection: Connection, now: datetime) -> int:
    """Free the slots of reservations that ran out; returns how many."""
    expired = (
        sa.select(items.c.candidate_id)
        .where(items.c.candidate_id.in_(sa.select(reservations.c.candidate_id).where(reservations.c.expires_at <= now)))
        .order_by(items.c.candidate_id)
        .limit(_SWEEP_BATCH)
        .with_for_update(skip_locked=True)
    )
    freed = 0
    for candidate_id in connection.execute(expired).scalars().all():
        gone = connection.execute(
            sa.delete(reservations)
            .where(reservations.c.candidate_id == candidate_id, reservations.c.expires_at <= now)
            .returning(reservations.c.takes_slot)
        ).scalars()
        slots = sum(gone)
        freed += slots
        connection.execute(sa.update(items).where(items.c.candidate_id == candidate_id).values(n_taken=items.c.n_taken - slots))
    return freed


def _undone(connection: Connection, voter_id: str) -> Asked | None:
    row = connection.execute(
        sa.select(votes.c.candidate_id, votes.c.answer)
        .where(votes.c.voter_id == voter_id, votes.c.withdrawn)
        .order_by(votes.c.sequence)
        .limit(1)
    ).one_or_none()
    return Asked(row.candidate_id, row.answer) if row else None


def _reserved(connection: Connection, voter_id: str, now: datetime) -> str | None:
    query = (
        sa.select(reservations.c.candidate_id)
        .where(reservations.c.voter_id == voter_id, reservations.c.expires_at > now)
        .order_by(reservations.c.expires_at, reservations.c.candidate_id)
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none()


def _voted_by(voter_id: str) -> sa.Exists:
    return sa.exists().where(votes.c.candidate_id == items.c.candidate_id, votes.c.voter_id == voter_id)


def _choose(connection: Connection, voter_id: str, campaign: str, draw: Draw) -> str | None:
    open_items = sa.select(items.c.candidate_id).where(
        items.c.campaign == campaign, items.c.state == "open", items.c.n_taken < items.c.wanted, ~_voted_by(voter_id)
    )
    chosen = None
    if draw.wants_random:
        chosen = _first(connection, open_items.where(items.c.shuffle >= draw.pivot).order_by(items.c.n_taken, items.c.shuffle))
    chosen = chosen or _first(connection, open_items.order_by(items.c.n_taken, items.c.priority, items.c.shuffle))
    if chosen is None or not draw.wants_gold:
        return chosen  # test questions only hide among real ones: a done campaign asks none
    gold = sa.select(items.c.candidate_id).where(items.c.campaign == campaign, items.c.gold.is_not(None), ~_voted_by(voter_id))
    behind_pivot = gold.where(items.c.shuffle >= draw.pivot).order_by(items.c.shuffle)
    return _first(connection, behind_pivot) or _first(connection, gold.order_by(items.c.shuffle)) or chosen


def _first(connection: Connection, query: sa.Select[Any]) -> str | None:
    # SKIP LOCKED: whoever comes at the same moment takes the next one instead of waiting.
    found: str | None = connection.execute(query.limit(1).with_for_update(skip_locked=True)).scalar_one_or_none()
    return found


def _reserve(
    connection: Connection, candidates: list[str], voter_id: str, standing: str, now: datetime, config: AnnotationConfig
) -> None:
    """Hold items for a voter; a banned one holds no slot, so that it cannot keep others away."""
    from mass_pipeline.annotation.database import insert_ignoring

    takes_slot = standing != "banned"
    values = {"expires_at": now + timedelta(seconds=config.reservation_seconds), "takes_slot": takes_slot}
    for candidate_id in candidates:
        held = connection.execute(
            sa.delete(reservations)
            .where(reservations.c.candidate_id == candidate_id, reservations.c.voter_id == voter_id)
            .returning(reservations.c.takes_slot)
        ).scalars()
        change = int(takes_slot) - sum(held)
        statement = insert_ignoring(connection.dialect.name, reservations)
        connection.execute(statement.values(candidate_id=candidate_id, voter_id=voter_id, **values))
        connection.execute(sa.update(items).where(items.c.candidate_id == candidate_id).values(n_taken=items.c.n_taken + change))
