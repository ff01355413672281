"""Which question does a person get next? What was begun is finished first; never twice, never more people than are wanted.

Tiers lead: rows that people are needed for before hours. Within a tier a question that has answers comes before a new one:
networks are told apart within one key period only, and answers that spread over several periods settle nothing.

The draw is the caller's: `Draw` says whether this is a hidden test question or one of the random slice.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import aware
from mass_pipeline.annotation.items import TIERS
from mass_pipeline.annotation.questions import QUESTION_COLUMNS, Question, question_of
from mass_pipeline.annotation.schema import items, reservations, votes
from mass_pipeline.annotation.voting import ensure_voter, lock_item

BLOCK_LIMIT = 12  # hours shown at once in the list mode: more do not fit on two phone screens
_SWEEP_BATCH = 500
_LAST_TIER: Final = max(TIERS.values())


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
        question: the item as it is shown.
        n_votes: how many answers of the person stand.
        previous: the person's own withdrawn answer when the question comes back by undo, else None.
    """

    question: Question
    n_votes: int
    previous: str | None = None

    @property
    def candidate_id(self) -> str:
        """The item."""
        return self.question.candidate_id


def _voted() -> sa.Exists:
    return sa.exists().where(votes.c.candidate_id == items.c.candidate_id, votes.c.voter_id == sa.bindparam("voter"))


def _one(query: sa.Select[Any]) -> sa.Select[Any]:
    # SKIP LOCKED: whoever comes at the same moment takes the next one instead of waiting.
    return query.limit(1).with_for_update(skip_locked=True)


# Built once: making a statement costs more than running it.
_NEVER: Final = sa.null().cast(sa.DateTime(timezone=True)).label("expires_at")
_OWN: Final = sa.union_all(
    sa.select(votes.c.candidate_id, votes.c.answer, votes.c.sequence, _NEVER)
    .where(votes.c.voter_id == sa.bindparam("voter"), votes.c.withdrawn),
    sa.select(reservations.c.candidate_id, sa.null().cast(sa.String), sa.null().cast(sa.Integer), reservations.c.expires_at)
    .where(reservations.c.voter_id == sa.bindparam("voter")),
).subquery("own")  # fmt: skip
_PENDING: Final = sa.select(_OWN.c.answer, _OWN.c.sequence, _OWN.c.expires_at, *QUESTION_COLUMNS).join_from(
    _OWN, items, items.c.candidate_id == _OWN.c.candidate_id
)
_IS_OPEN: Final = (items.c.campaign == sa.bindparam("campaign")) & (items.c.state == "open") & (items.c.n_taken < items.c.wanted)
_OPEN: Final = sa.select(*QUESTION_COLUMNS).where(_IS_OPEN, ~_voted())
# Two looks at the index, each at one end of it: what is begun are few, and of the new ones the first is wanted.
_NEW: Final = _one(_OPEN.where(items.c.n_taken == 0).order_by(items.c.tier, items.c.priority, items.c.shuffle))
_NEW_TIER: Final = sa.select(items.c.tier).where(_IS_OPEN, items.c.n_taken == 0).order_by(items.c.tier).limit(1).scalar_subquery()
_BEGUN: Final = _OPEN.where(items.c.n_taken > 0).order_by(items.c.tier, items.c.n_taken.desc(), items.c.priority, items.c.shuffle)
_BEGUN_IN_TIER: Final = _one(_BEGUN.where(items.c.tier <= sa.func.coalesce(_NEW_TIER, _LAST_TIER)))
_BEGUN_ANYWHERE: Final = _one(_BEGUN)
# The least answered ones only: with any number of answers the index would be read from its beginning to the pivot.
_LEAST_TAKEN: Final = sa.select(items.c.n_taken).where(_IS_OPEN).order_by(items.c.n_taken).limit(1).scalar_subquery()
_RANDOM: Final = _one(
    _OPEN.where(items.c.n_taken == _LEAST_TAKEN, items.c.shuffle >= sa.bindparam("pivot")).order_by(items.c.shuffle)
)
_OF_PARISH: Final = _one(
    _OPEN.where(items.c.parish_id == sa.bindparam("parish")).order_by(
        items.c.tier, items.c.n_taken.desc(), items.c.priority, items.c.shuffle
    )
)
_ANY_GOLD: Final = sa.select(*QUESTION_COLUMNS).where(
    items.c.campaign == sa.bindparam("campaign"),
    items.c.gold.is_not(None) | (items.c.decided & sa.bindparam("decided_too", type_=sa.Boolean)),
    ~_voted(),
)
_GOLD: Final = _one(_ANY_GOLD.order_by(items.c.shuffle))
_GOLD_BEHIND_PIVOT: Final = _one(_ANY_GOLD.where(items.c.shuffle >= sa.bindparam("pivot")).order_by(items.c.shuffle))
_HOLD: Final = (
    sa.insert(reservations)
    .inline()
    .values(
        candidate_id=sa.bindparam("candidate"),
        voter_id=sa.bindparam("voter"),
        expires_at=sa.bindparam("expires"),
        takes_slot=sa.bindparam("change", type_=sa.Integer) != 0,
    )
)
_TAKE: Final = (
    sa.update(items)
    .where(items.c.candidate_id == sa.bindparam("candidate"))
    .values(n_taken=items.c.n_taken + sa.bindparam("change", type_=sa.Integer))
)


def next_question(
    connection: Connection, voter_id: str, campaign: str, now: datetime, draw: Draw, config: AnnotationConfig, parish: str = ""
) -> Asked | None:
    """The question for this person: an undone one, the one reserved already, or a new one, which is then reserved.

    Args:
        parish: the only one that the person is asked about; "" for all.

    Returns:
        None when nothing is left for this person now.
    """
    voter = ensure_voter(connection, voter_id, now)
    pending = connection.execute(_PENDING, {"voter": voter_id}).all()
    undone = min((row for row in pending if row.answer is not None), key=lambda row: row.sequence, default=None)
    if undone is not None:
        return Asked(question_of(undone), voter.n_votes, undone.answer)
    held = sorted(pending, key=lambda row: (aware(row.expires_at), row.candidate_id))
    live = [row for row in held if aware(row.expires_at) > now]
    if live:
        return Asked(question_of(live[0]), voter.n_votes)
    for row in held:
        _release(connection, row.candidate_id, now)
    chosen = _choose(connection, voter_id, campaign, draw, config, parish)
    if chosen is None and sweep(connection, now):
        chosen = _choose(connection, voter_id, campaign, draw, config, parish)
    if chosen is None:
        return None
    _reserve(connection, [chosen.candidate_id], voter_id, voter.standing, now, config)
    return Asked(chosen, voter.n_votes)


def block_of(connection: Connection, candidate_id: str, voter_id: str, now: datetime, config: AnnotationConfig) -> list[str]:
    """The hours of the same block that this person may answer, the given one included; the others are reserved too."""
    standing = ensure_voter(connection, voter_id, now).standing
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
            ~_voted(),
        )
        .order_by(items.c.position, items.c.candidate_id)
        .limit(BLOCK_LIMIT - 1)
        .with_for_update(skip_locked=True),
        {"voter": voter_id},
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
    return sum(_release(connection, name, now) for name in connection.execute(expired).scalars().all())


def _release(connection: Connection, candidate_id: str, now: datetime) -> int:
    """Delete an item's reservations that ran out and give their slots back; returns the slots."""
    if lock_item(connection, candidate_id) is None:
        return 0
    gone = connection.execute(
        sa.delete(reservations)
        .where(reservations.c.candidate_id == candidate_id, reservations.c.expires_at <= now)
        .returning(reservations.c.takes_slot)
    ).scalars()
    slots = sum(int(slot) for slot in gone)
    if slots:
        connection.execute(_TAKE, {"candidate": candidate_id, "change": -slots})
    return slots


def _choose(
    connection: Connection, voter_id: str, campaign: str, draw: Draw, config: AnnotationConfig, parish: str
) -> Question | None:
    names: dict[str, object] = {"voter": voter_id, "campaign": campaign, "pivot": draw.pivot}
    if parish:
        return _first(connection, _OF_PARISH, names | {"parish": parish})
    chosen = _first(connection, _RANDOM, names) if draw.wants_random else None
    for query in (_BEGUN_IN_TIER, _NEW, _BEGUN_ANYWHERE):
        chosen = chosen or _first(connection, query, names)
    if chosen is None or not draw.wants_gold:
        return chosen  # test questions only hide among real ones: a done campaign asks none
    names["decided_too"] = config.gold_from_decisions
    return _first(connection, _GOLD_BEHIND_PIVOT, names) or _first(connection, _GOLD, names) or chosen


def _first(connection: Connection, query: sa.Select[Any], names: dict[str, object]) -> Question | None:
    row = connection.execute(query, names).one_or_none()
    return question_of(row) if row else None


def _reserve(
    connection: Connection, candidates: list[str], voter_id: str, standing: str, now: datetime, config: AnnotationConfig
) -> None:
    """Hold items for a voter; a banned one holds no slot, so that it cannot keep others away."""
    values = {
        "voter": voter_id, "expires": now + timedelta(seconds=config.reservation_seconds), "change": int(standing != "banned"),
    }  # fmt: skip
    for candidate_id in candidates:
        for statement in (_HOLD, _TAKE):
            connection.execute(statement, values | {"candidate": candidate_id})
