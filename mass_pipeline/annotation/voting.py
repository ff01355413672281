"""Answers of people: cast, change, undo without limit, restore, forget. Each function runs in one transaction of the caller."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation import consensus
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import insert_ignoring
from mass_pipeline.annotation.people import COUNT_VOTES, count_votes, ensure_voter
from mass_pipeline.annotation.schema import reports, reservations, voters, votes
from mass_pipeline.annotation.vocabulary import ANSWERS
from mass_pipeline.model.errors import BadInput

LONGEST_DURATION_MS: Final = 3_600_000  # whoever left the page open for an hour was not thinking for an hour
_CHANGED_BY_A_SECOND_ANSWER: Final = ("answer", "origin", "voted_at", "duration_ms", "withdrawn")

_MINE: Final = votes.c.voter_id == sa.bindparam("voter")
_THIS: Final = _MINE & (votes.c.candidate_id == sa.bindparam("candidate"))
_HELD: Final = (reservations.c.candidate_id == sa.bindparam("candidate")) & (reservations.c.voter_id == sa.bindparam("voter"))
_RELEASE: Final = sa.delete(reservations).where(_HELD)
# Everything a vote depends on in one answer: what this voter did before, and the counted ballots of the others, one a row;
# a single row without a ballot when there is none.
_BEFORE: Final = sa.select(
    sa.select(sa.func.max(votes.c.sequence)).where(_MINE).scalar_subquery().label("last"),
    sa.select(votes.c.sequence).where(_THIS).scalar_subquery().label("sequence"),
    sa.select(votes.c.withdrawn).where(_THIS).scalar_subquery().label("withdrawn"),
    sa.select(reservations.c.takes_slot).where(_HELD).scalar_subquery().label("takes_slot"),
    votes.c.answer, votes.c.origin, voters.c.standing, voters.c.skill, voters.c.share, voters.c.n_compared,
).select_from(
    sa.select(sa.literal(1).label("one")).subquery("one_row").outerjoin(
        votes.join(voters, voters.c.voter_id == votes.c.voter_id),
        (votes.c.candidate_id == sa.bindparam("candidate"))
        & (votes.c.voter_id != sa.bindparam("voter"))
        & ~votes.c.withdrawn
        & (voters.c.standing != "banned"),
    )
)  # fmt: skip


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
    locked = consensus.lock_both(connection, voter_id, candidate_id)
    if locked is None:  # a voter without a row yet, or no such item
        ensure_voter(connection, voter_id, now)
        locked = consensus.lock_both(connection, voter_id, candidate_id)
    if locked is None:
        raise BadInput(f"There is no item {candidate_id!r}.")
    voter, item = locked
    if answer not in ANSWERS[item.kind]:
        raise BadInput(f"{answer!r} is no answer; expected one of {', '.join(ANSWERS[item.kind])}.")
    names = {"voter": voter_id, "candidate": candidate_id}
    rows = connection.execute(_BEFORE, names).all()
    before = rows[0]
    is_new = before.sequence is None
    if duration_ms is not None:
        duration_ms = min(max(duration_ms, 0), LONGEST_DURATION_MS)
    ballots = [consensus.ballot_of(row.answer, row.origin, row, config) for row in rows if row.answer is not None]
    if voter.standing != "banned":
        ballots.append(consensus.ballot_of(answer, origin, voter, config))
    verdict = consensus.verdict_values(item, ballots, config, released=int(before.takes_slot or 0))
    row = {
        "new_answer": answer, "new_origin": origin, "now": now, "new_duration": duration_ms,
        "new_sequence": (before.last or 0) + 1 if is_new else before.sequence, "more_votes": int(is_new or before.withdrawn),
    }  # fmt: skip
    for statement in (_vote(connection.dialect.name), _RELEASE, COUNT_VOTES, consensus.STORE_VERDICT):
        connection.execute(statement, names | row | verdict)
    consensus.note_new_label(connection, item, verdict, now)


def undo(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> str | None:
    """Withdraw the person's last standing answer; its item is asked again next.

    Returns:
        the item, or None when nothing is left to undo.
    """
    query = sa.select(votes.c.vote_id, votes.c.candidate_id).where(votes.c.voter_id == voter_id, ~votes.c.withdrawn)
    return _turn(connection, voter_id, query.order_by(votes.c.sequence.desc()), True, now, config)


def redo(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> str | None:
    """Restore the answer that the last undo withdrew; returns its item, or None when nothing was undone."""
    query = sa.select(votes.c.vote_id, votes.c.candidate_id).where(votes.c.voter_id == voter_id, votes.c.withdrawn)
    return _turn(connection, voter_id, query.order_by(votes.c.sequence), False, now, config)


def _turn(
    connection: Connection,
    voter_id: str,
    query: sa.Select[tuple[int, str]],
    withdrawn: bool,
    now: datetime,
    config: AnnotationConfig,
) -> str | None:
    """Set the first vote of the query withdrawn or standing."""
    ensure_voter(connection, voter_id, now)
    found = connection.execute(query.limit(1)).one_or_none()
    if found is None:
        return None
    item = consensus.lock_item(connection, found.candidate_id)
    assert item is not None  # a vote's item exists by foreign key
    connection.execute(sa.update(votes).where(votes.c.vote_id == found.vote_id).values(withdrawn=withdrawn))
    count_votes(connection, voter_id, -1 if withdrawn else 1)
    consensus.settle(connection, item, now, config)
    return item.candidate_id


def forget(connection: Connection, voter_id: str, *, now: datetime, config: AnnotationConfig) -> int:
    """Erase a person: their votes, reports, reservations and record; the labels are counted anew. Returns the votes erased."""
    ensure_voter(connection, voter_id, now)
    touched = sa.union(
        sa.select(votes.c.candidate_id).where(votes.c.voter_id == voter_id),
        sa.select(reservations.c.candidate_id).where(reservations.c.voter_id == voter_id),
    )
    locked = [consensus.lock_item(connection, name) for name in sorted(connection.execute(touched).scalars())]
    connection.execute(sa.delete(reports).where(reports.c.voter_id == voter_id))
    erased = connection.execute(sa.delete(votes).where(votes.c.voter_id == voter_id)).rowcount
    held = sa.delete(reservations).where(reservations.c.voter_id == voter_id)
    slots: Counter[str] = Counter()
    for row in connection.execute(held.returning(reservations.c.candidate_id, reservations.c.takes_slot)):
        slots[row.candidate_id] += int(row.takes_slot)
    for item in locked:
        if item is not None:
            consensus.settle(connection, item, now, config, released=slots[item.candidate_id])
    connection.execute(sa.delete(voters).where(voters.c.voter_id == voter_id))
    return int(erased)


@cache
def _vote(dialect: str) -> Any:
    """A vote that takes the place of an earlier one of the same person on the same item."""
    vote = insert_ignoring(dialect, votes).inline()  # inline: the new number is not asked for
    vote = vote.values(
        candidate_id=sa.bindparam("candidate"), voter_id=sa.bindparam("voter"), answer=sa.bindparam("new_answer"),
        origin=sa.bindparam("new_origin"), voted_at=sa.bindparam("now"), duration_ms=sa.bindparam("new_duration"),
        sequence=sa.bindparam("new_sequence"), withdrawn=False,
    )  # fmt: skip
    changed = {name: vote.excluded[name] for name in _CHANGED_BY_A_SECOND_ANSWER}
    return vote.on_conflict_do_update(index_elements=["candidate_id", "voter_id"], set_=changed)
