"""The row of a voter: made at the first sight, locked while the voter does something. Statements are built once: hot path."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.database import insert_ignoring
from mass_pipeline.annotation.schema import voters


@dataclass(frozen=True, slots=True)
class Voter:
    """What is known of a voter while its row is locked: see `schema.voters`."""

    standing: str
    n_votes: int
    skill: float | None
    share: float
    n_compared: int


VOTER_COLUMNS: Final = (voters.c.standing, voters.c.n_votes, voters.c.skill, voters.c.share, voters.c.n_compared)
# KEY SHARE: a reservation's foreign key may look at the row meanwhile.
_LOCK: Final = sa.select(*VOTER_COLUMNS).where(voters.c.voter_id == sa.bindparam("voter")).with_for_update(key_share=True)
COUNT_VOTES: Final = (
    sa.update(voters)
    .where(voters.c.voter_id == sa.bindparam("voter"))
    .values(n_votes=voters.c.n_votes + sa.bindparam("more_votes", type_=sa.Integer))
)


def ensure_voter(connection: Connection, voter_id: str, now: datetime) -> Voter:
    """The voter, its row locked against itself until the transaction ends; a new one is entered as normal."""
    row = connection.execute(_LOCK, {"voter": voter_id}).one_or_none()
    if row is None:
        connection.execute(_enter(connection.dialect.name), {"voter_id": voter_id, "created_at": now})
        row = connection.execute(_LOCK, {"voter": voter_id}).one()
    return Voter(*row)


def count_votes(connection: Connection, voter_id: str, change: int) -> None:
    """Keep the number of a voter's standing votes."""
    connection.execute(COUNT_VOTES, {"voter": voter_id, "more_votes": change})


@cache
def _enter(dialect: str) -> Any:
    new = {"standing": "normal", "standing_by": "", "share": 1.0, "n_compared": 0, "n_votes": 0}
    return (
        insert_ignoring(dialect, voters)
        .values(voter_id=sa.bindparam("voter_id"), created_at=sa.bindparam("created_at"), **new)
        .on_conflict_do_nothing()
    )
