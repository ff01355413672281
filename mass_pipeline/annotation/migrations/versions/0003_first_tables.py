"""First tables; numbered as the databases are that were made before they stood in one file"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, String, Text

revision = "0003"
down_revision = None
branch_labels = None
depends_on = None

_SERIAL = sa.BigInteger().with_variant(Integer, "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_TABLES = ("items", "operators", "operator_sessions", "voters", "invitations", "decisions", "label_events")
_TABLES_OF_VOTERS = ("reservations", "votes", "reports")


def upgrade() -> None:
    """Apply."""
    _create_items()
    _create_people()
    _create_decisions()
    _create_votes()


def downgrade() -> None:
    """Take back."""
    for table in reversed((*_TABLES, *_TABLES_OF_VOTERS)):
        op.drop_table(table)


def _create_items() -> None:
    """Questions and the indexes of the queue."""
    op.create_table(
        "items",
        Column("candidate_id", String(64), primary_key=True),
        Column("campaign", String(64), nullable=False),
        Column("parish_id", String(200), nullable=False),
        *(Column(name, Text, nullable=False) for name in ("url", "raw", "left", "right", "heading", "day_scope")),
        *(Column(name, String(16), nullable=False) for name in ("time", "block_key", "state")),
        *(Column(name, Integer, nullable=False) for name in ("position", "wanted", "n_taken", "n_votes")),
        *(Column(name, Float, nullable=False) for name in ("priority", "shuffle")),
        Column("gold", String(16), nullable=True),
        Column("decided", Boolean, nullable=False),
        Column("label", String(16), nullable=True),
        Column("probability", Float, nullable=True),
        Column("added_at", _MOMENT, nullable=False),
    )
    _create_index("items", "block_key")
    _create_index("items", "campaign", "gold")
    _create_index("items", "campaign", "decided")
    _create_index("items", "campaign", "state", "n_taken", "priority", "shuffle")
    _create_index("items", "campaign", "state", "n_taken", "shuffle")


def _create_people() -> None:
    """Operators, voters and the invitations that were used."""
    op.create_table(
        "operators",
        Column("name", String(64), primary_key=True),
        Column("password_hash", String(256), nullable=False),
        Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "operator_sessions",
        Column("session_hash", String(64), primary_key=True),
        _refers_to("operators", "name", "operator_sessions"),
        Column("expires_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "voters",
        Column("voter_id", String(64), primary_key=True),
        Column("standing", String(16), nullable=False),
        Column("standing_by", String(64), nullable=False),
        Column("skill", Float, nullable=True),
        Column("share", Float, nullable=False),
        Column("n_compared", Integer, nullable=False),
        Column("n_votes", Integer, nullable=False),
        Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table("invitations", Column("name", String(64), primary_key=True), Column("used_at", _MOMENT, nullable=False))


def _create_decisions() -> None:
    """What was decided, and by whom."""
    op.create_table(
        "decisions",
        _refers_to("items", "candidate_id", "decisions", primary_key=True),
        Column("label", String(16), nullable=False),
        Column("operator", String(64), nullable=False),
        Column("note", Text, nullable=False),
        Column("decided_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "label_events",
        Column("event_id", _SERIAL, primary_key=True, autoincrement=True),
        _refers_to("items", "candidate_id", "label_events"),
        Column("label", String(16), nullable=False),
        Column("labelled_at", _MOMENT, nullable=False),
    )


def _create_votes() -> None:
    """Reservations, votes, and reports on bad questions."""
    op.create_table(
        "reservations",
        _refers_to("items", "candidate_id", "reservations", primary_key=True),
        _refers_to("voters", "voter_id", "reservations", primary_key=True),
        Column("expires_at", _MOMENT, nullable=False),
        Column("takes_slot", Boolean, nullable=False),
    )
    _create_index("reservations", "expires_at")
    _create_index("reservations", "voter_id")
    op.create_table(
        "votes",
        Column("vote_id", _SERIAL, primary_key=True, autoincrement=True),
        _refers_to("items", "candidate_id", "votes"),
        _refers_to("voters", "voter_id", "votes"),
        Column("answer", String(16), nullable=False),
        Column("origin", String(32), nullable=False),
        Column("duration_ms", Integer, nullable=True),
        Column("voted_at", _MOMENT, nullable=False),
        Column("sequence", Integer, nullable=False),
        Column("withdrawn", Boolean, nullable=False),
    )
    _create_index("votes", "voter_id", "withdrawn", "sequence")
    op.create_index("ux_votes_candidate_voter", "votes", ["candidate_id", "voter_id"], unique=True)
    op.create_table(
        "reports",
        _refers_to("items", "candidate_id", "reports", primary_key=True),
        _refers_to("voters", "voter_id", "reports", primary_key=True),
        Column("reason", String(16), nullable=False),
        Column("comment", Text, nullable=False),
        Column("reported_at", _MOMENT, nullable=False),
    )


def _refers_to(table: str, column: str, own_table: str, *, primary_key: bool = False) -> Column[Any]:
    key = ForeignKey(f"{table}.{column}", name=op.f(f"fk_{own_table}_{column}"))
    return Column(column, String(64), key, primary_key=primary_key, nullable=False)


def _create_index(table: str, *columns: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns))
