"""Keep each item's count, state and label in step with its votes; every function runs in the caller's transaction.

Lock order everywhere: voter, then item, then the item's reservations; so no two transactions wait for each other.
Whoever changes votes or reservations of an item holds its lock: that is why counts may be kept by differences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.ballots import Ballot, judge, next_state
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.people import VOTER_COLUMNS, Voter
from mass_pipeline.annotation.schema import items, label_events, voters, votes
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER


@dataclass(frozen=True, slots=True)
class LockedItem:
    """An item whose row is locked until the transaction ends."""

    candidate_id: str
    kind: str
    state: str
    wanted: int
    label: str | None
    gold: str | None
    decided: bool
    n_votes: int
    n_taken: int
    probability: float | None


_KEY: Final = items.c.candidate_id == sa.bindparam("candidate")
_ITEM_COLUMNS: Final = (
    items.c.candidate_id, items.c.kind, items.c.state, items.c.wanted, items.c.label, items.c.gold, items.c.decided,
    items.c.n_votes, items.c.n_taken, items.c.probability,
)  # fmt: skip
_LOCK: Final = sa.select(*_ITEM_COLUMNS).where(_KEY).with_for_update()
# Row locks are taken in the order of the tables here: voter, then item.
_LOCK_BOTH: Final = (
    sa.select(*VOTER_COLUMNS, *_ITEM_COLUMNS)
    .select_from(voters.join(items, sa.true()))
    .where(voters.c.voter_id == sa.bindparam("voter"), _KEY)
    .with_for_update(key_share=True, of=[voters, items])
)
_BALLOTS: Final = (
    sa.select(votes.c.answer, votes.c.origin, voters.c.standing, voters.c.skill, voters.c.share, voters.c.n_compared)
    .join(voters, voters.c.voter_id == votes.c.voter_id)
    .where(votes.c.candidate_id == sa.bindparam("candidate"), ~votes.c.withdrawn, voters.c.standing != "banned")
)
_NOTE: Final = sa.insert(label_events).inline()  # inline: the new number is not asked for
STORE_VERDICT: Final = (
    sa.update(items)
    .where(_KEY)
    .values(
        n_votes=sa.bindparam("new_votes"),
        n_taken=sa.bindparam("new_taken"),
        state=sa.bindparam("new_state"),
        wanted=sa.bindparam("new_wanted"),
        label=sa.bindparam("new_label"),
        probability=sa.bindparam("new_probability"),
    )
)


def lock_item(connection: Connection, candidate_id: str) -> LockedItem | None:
    """The item, its row locked; None when there is no such item."""
    row: Any = connection.execute(_LOCK, {"candidate": candidate_id}).one_or_none()
    return LockedItem(*row) if row else None


def lock_both(connection: Connection, voter_id: str, candidate_id: str) -> tuple[Voter, LockedItem] | None:
    """The voter and the item, both rows locked; None when either does not exist."""
    row = connection.execute(_LOCK_BOTH, {"voter": voter_id, "candidate": candidate_id}).one_or_none()
    if row is None:
        return None
    return Voter(*row[: len(VOTER_COLUMNS)]), LockedItem(*row[len(VOTER_COLUMNS) :])


def settle(connection: Connection, item: LockedItem, now: datetime, config: AnnotationConfig, *, released: int = 0) -> None:
    """Recount a locked item and store what its ballots say.

    Args:
        released: reservations with a slot that the caller has just deleted.
    """
    values = verdict_values(item, _counted_ballots(connection, item.candidate_id, config), config, released=released)
    connection.execute(STORE_VERDICT, values)
    note_new_label(connection, item, values, now)


def verdict_values(item: LockedItem, ballots: Sequence[Ballot], config: AnnotationConfig, *, released: int = 0) -> dict[str, Any]:
    """What the counted ballots of a locked item say, as the parameters of `STORE_VERDICT`.

    Votes change nothing but the counts of a test question, of what the operator has decided, and of what is asked no more.
    """
    taken = item.n_taken - released + len(ballots) - item.n_votes
    state, wanted, label, probability = item.state, item.wanted, item.label, item.probability
    if item.gold is None and not item.decided and item.state != "retired":
        verdict = judge(ballots, config, item.kind)
        n_unknown = sum(ballot.answer not in LABEL_OF_ANSWER[item.kind] for ballot in ballots)
        state, wanted = next_state(verdict, len(ballots), n_unknown, item.wanted, config)
        label, probability = verdict.label if state == "settled" else None, verdict.probability
    return {
        "candidate": item.candidate_id, "new_votes": len(ballots), "new_taken": taken, "new_state": state, "new_wanted": wanted,
        "new_label": label, "new_probability": probability,
    }  # fmt: skip


def note_new_label(connection: Connection, item: LockedItem, values: Mapping[str, Any], now: datetime) -> None:
    """Append to the history of labels when a settled one appeared or changed."""
    label = values["new_label"]
    if label is not None and label != item.label:
        note_label(connection, item.candidate_id, label, now)


def recount(connection: Connection, candidate_id: str, now: datetime, config: AnnotationConfig) -> None:
    """Lock an item and settle it anew; nothing happens when it does not exist."""
    item = lock_item(connection, candidate_id)
    if item is not None:
        settle(connection, item, now, config)


def note_label(connection: Connection, candidate_id: str, label: str, now: datetime) -> None:
    """Append to the history of labels, which re-training watches."""
    connection.execute(_NOTE, {"candidate_id": candidate_id, "label": label, "labelled_at": now})


def _counted_ballots(connection: Connection, candidate_id: str, config: AnnotationConfig) -> list[Ballot]:
    """Ballots on an item that count: standing votes of voters who are not banned."""
    return [ballot_of(row.answer, row.origin, row, config) for row in connection.execute(_BALLOTS, {"candidate": candidate_id})]


def ballot_of(answer: str, origin: str, voter: Voter | sa.Row[*tuple[Any, ...]], config: AnnotationConfig) -> Ballot:
    """A ballot with what is stored of its voter."""
    is_proven = voter.n_compared >= config.proven_votes
    return Ballot(answer, origin, voter.skill, voter.share, voter.standing == "trusted", is_proven)
