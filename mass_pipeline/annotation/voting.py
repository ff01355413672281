"""Answers of people: cast, change, undo without limit, restore, forget; count, state and label of each item follow its votes.

Every function runs in the caller's transaction. Lock order everywhere: voter, then item, then the item's reservations; so no two
transactions wait for each other. Whoever changes votes or reservations of an item holds its lock: that is why counts may be kept
by differences. Not here: when answers settle an item (ballots), how often a voter is right (labels).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.ballots import ballot_of, judge, next_state
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import insert_ignoring
from mass_pipeline.annotation.schema import items, label_events, reports, reservations, voters, votes
from mass_pipeline.annotation.vocabulary import ANSWERS, LABEL_OF_ANSWER
from mass_pipeline.model.errors import BadInput

LONGEST_DURATION_MS: Final = 3_600_000  # whoever left the page open for an hour was not thinking for an hour
NEW_VOTER: Final = {"standing": "normal", "standing_by": "", "share": 1.0, "n_compared": 0, "n_votes": 0}


def ensure_voter(connection: Connection, voter_id: str, now: datetime) -> sa.Row[Any]:
    """The row of the voter, locked against itself until the transaction ends; a new one is entered as normal."""
    # KEY SHARE: a reservation's foreign key may look at the row meanwhile.
    lock = sa.select(voters).where(voters.c.voter_id == voter_id).with_for_update(key_share=True)
    row = connection.execute(lock).one_or_none()
    if row is None:
        new = insert_ignoring(connection.dialect.name, voters).values(voter_id=voter_id, created_at=now, **NEW_VOTER)
        connection.execute(new.on_conflict_do_nothing())
        row = connection.execute(lock).one()
    return row


def lock_item(connection: Connection, candidate_id: str) -> sa.Row[Any] | None:
    """The row of the item, locked until the transaction ends; None when there is no such item."""
    return connection.execute(sa.select(items).where(items.c.candidate_id == candidate_id).with_for_update()).one_or_none()


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
    ensure_voter(connection, voter_id, now)
    item = lock_item(connection, candidate_id)
    if item is None:
        raise BadInput(f"There is no item {candidate_id!r}.")
    if answer not in ANSWERS[item.kind]:
        raise BadInput(f"{answer!r} is no answer; expected one of {', '.join(ANSWERS[item.kind])}.")
    mine = votes.c.voter_id == voter_id
    before = connection.execute(sa.select(votes.c.withdrawn).where(mine, votes.c.candidate_id == candidate_id)).one_or_none()
    last = connection.execute(sa.select(sa.func.max(votes.c.sequence)).where(mine)).scalar_one()
    vote = {
        "answer": answer, "origin": origin, "voted_at": now, "withdrawn": False,
        "duration_ms": None if duration_ms is None else min(max(duration_ms, 0), LONGEST_DURATION_MS),
    }  # fmt: skip
    place = {"candidate_id": candidate_id, "voter_id": voter_id}
    new = insert_ignoring(connection.dialect.name, votes).values(**place, sequence=(last or 0) + 1, **vote)
    connection.execute(new.on_conflict_do_update(index_elements=list(place), set_=vote))
    _count_votes(connection, voter_id, int(before is None or before.withdrawn))
    held = sa.delete(reservations).where(reservations.c.candidate_id == candidate_id, reservations.c.voter_id == voter_id)
    released = connection.execute(held.returning(reservations.c.takes_slot)).scalar_one_or_none()
    settle(connection, item, now, config, released=int(released or 0))


def undo(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> str | None:
    """Withdraw the person's last standing answer; its item is asked again next.

    Returns:
        the item, or None when nothing is left to undo.
    """
    return _turn(connection, voter_id, votes.c.sequence.desc(), True, now, config)


def redo(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> str | None:
    """Restore the answer that the last undo withdrew; returns its item, or None when nothing was undone."""
    return _turn(connection, voter_id, votes.c.sequence, False, now, config)


def _turn(
    connection: Connection, voter_id: str, order: sa.ColumnElement[int], withdrawn: bool, now: datetime, config: AnnotationConfig
) -> str | None:
    """Set the first vote in the order withdrawn, or standing again."""
    ensure_voter(connection, voter_id, now)
    mine = sa.select(votes).where(votes.c.voter_id == voter_id, votes.c.withdrawn != withdrawn)
    vote = connection.execute(mine.order_by(order).limit(1)).one_or_none()
    if vote is None:
        return None
    item = lock_item(connection, vote.candidate_id)
    assert item is not None  # a vote's item exists by foreign key
    connection.execute(sa.update(votes).where(votes.c.vote_id == vote.vote_id).values(withdrawn=withdrawn))
    _count_votes(connection, voter_id, -1 if withdrawn else 1)
    settle(connection, item, now, config)
    return str(vote.candidate_id)


def _count_votes(connection: Connection, voter_id: str, change: int) -> None:
    change_count = sa.update(voters).where(voters.c.voter_id == voter_id)
    connection.execute(change_count.values(n_votes=voters.c.n_votes + change))


def forget(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> int:
    """Erase a person: their votes, reports, reservations and record; the labels are counted anew. Returns the votes erased."""
    ensure_voter(connection, voter_id, now)
    touched = sa.union(*(sa.select(table.c.candidate_id).where(table.c.voter_id == voter_id) for table in (votes, reservations)))
    locked = [lock_item(connection, name) for name in sorted(connection.execute(touched).scalars())]
    connection.execute(sa.delete(reports).where(reports.c.voter_id == voter_id))
    erased = connection.execute(sa.delete(votes).where(votes.c.voter_id == voter_id)).rowcount
    held = sa.delete(reservations).where(reservations.c.voter_id == voter_id)
    rows = connection.execute(held.returning(reservations.c.candidate_id, reservations.c.takes_slot))
    slots = {row.candidate_id: int(row.takes_slot) for row in rows}
    for item in locked:
        if item is not None:
            settle(connection, item, now, config, released=slots.get(item.candidate_id, 0))
    connection.execute(sa.delete(voters).where(voters.c.voter_id == voter_id))
    return int(erased)


def recount(connection: Connection, candidate_id: str, now: datetime, config: AnnotationConfig) -> None:
    """Lock an item and settle it anew; nothing happens when it does not exist."""
    item = lock_item(connection, candidate_id)
    if item is not None:
        settle(connection, item, now, config)


def settle(connection: Connection, item: sa.Row[Any], now: datetime, config: AnnotationConfig, *, released: int = 0) -> None:
    """Recount a locked item and store what its ballots say: the standing votes of voters who are not banned.

    Votes change nothing but the counts of a test question, of what the operator has decided, and of what is asked no more.

    Args:
        released: reservations with a slot that the caller has just deleted.
    """
    record = (voters.c.standing, voters.c.skill, voters.c.share, voters.c.n_compared)
    query = sa.select(votes.c.answer, votes.c.origin, *record).join(voters, voters.c.voter_id == votes.c.voter_id)
    counted = query.where(votes.c.candidate_id == item.candidate_id, ~votes.c.withdrawn, voters.c.standing != "banned")
    ballots = [ballot_of(*row, config) for row in connection.execute(counted)]
    values = {"n_votes": len(ballots), "n_taken": item.n_taken - released + len(ballots) - item.n_votes}
    if item.gold is None and not item.decided and item.state != "retired":
        verdict = judge(ballots, config, item.kind)
        n_unknown = sum(ballot.answer not in LABEL_OF_ANSWER[item.kind] for ballot in ballots)
        state, wanted = next_state(verdict, len(ballots), n_unknown, item.wanted, config)
        label = verdict.label if state == "settled" else None
        values |= {"state": state, "wanted": wanted, "label": label, "probability": verdict.probability}
        if label is not None and label != item.label:
            note_label(connection, item.candidate_id, label, now)
    connection.execute(sa.update(items).where(items.c.candidate_id == item.candidate_id).values(**values))


def note_label(connection: Connection, candidate_id: str, label: str, now: datetime) -> None:
    """Append to the history of labels, which re-training watches."""
    connection.execute(sa.insert(label_events).values(candidate_id=candidate_id, label=label, labelled_at=now))
