"""First tables"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    _create_items()
    _create_people()
    _create_decisions()
    _create_votes()


def _create_items() -> None:
    """Questions and the indexes of the queue."""
    op.create_table(
        "items",
        sa.Column("candidate_id", sa.String(length=64), nullable=False),
        sa.Column("campaign", sa.String(length=64), nullable=False),
        sa.Column("parish_id", sa.String(length=200), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("time", sa.String(length=16), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("left", sa.Text(), nullable=False),
        sa.Column("right", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("day_scope", sa.Text(), nullable=False),
        sa.Column("block_key", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("priority", sa.Float(), nullable=False),
        sa.Column("shuffle", sa.Float(), nullable=False),
        sa.Column("gold", sa.String(length=16), nullable=True),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("n_taken", sa.Integer(), nullable=False),
        sa.Column("n_votes", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("decided", sa.Boolean(), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=True),
        sa.Column("probability", sa.Float(), nullable=True),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("candidate_id"),
    )
    with op.batch_alter_table("items", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_items_block_key"), ["block_key"], unique=False)
        batch_op.create_index(batch_op.f("ix_items_campaign_gold"), ["campaign", "gold"], unique=False)
        batch_op.create_index(
            batch_op.f("ix_items_campaign_state_n_taken_priority_shuffle"),
            ["campaign", "state", "n_taken", "priority", "shuffle"],
            unique=False,
        )
        batch_op.create_index(
            batch_op.f("ix_items_campaign_state_n_taken_shuffle"), ["campaign", "state", "n_taken", "shuffle"], unique=False
        )


def _create_people() -> None:
    """Operators and voters."""
    op.create_table(
        "operators",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("password_hash", sa.String(length=256), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "voters",
        sa.Column("voter_id", sa.String(length=64), nullable=False),
        sa.Column("standing", sa.String(length=16), nullable=False),
        sa.Column("standing_by", sa.String(length=64), nullable=False),
        sa.Column("skill", sa.Float(), nullable=True),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("n_compared", sa.Integer(), nullable=False),
        sa.Column("n_votes", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("voter_id"),
    )


def _create_decisions() -> None:
    """What was decided, and by whom."""
    op.create_table(
        "decisions",
        sa.Column("candidate_id", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("operator", sa.String(length=64), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["candidate_id"], ["items.candidate_id"], name=op.f("fk_decisions_candidate_id")),
        sa.PrimaryKeyConstraint("candidate_id"),
    )
    op.create_table(
        "label_events",
        sa.Column("event_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("candidate_id", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("labelled_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["candidate_id"], ["items.candidate_id"], name=op.f("fk_label_events_candidate_id")),
        sa.PrimaryKeyConstraint("event_id"),
    )
    op.create_table(
        "operator_sessions",
        sa.Column("session_hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["name"], ["operators.name"], name=op.f("fk_operator_sessions_name")),
        sa.PrimaryKeyConstraint("session_hash"),
    )


def _create_votes() -> None:
    """Reservations and votes."""
    op.create_table(
        "reservations",
        sa.Column("candidate_id", sa.String(length=64), nullable=False),
        sa.Column("voter_id", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("takes_slot", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["candidate_id"], ["items.candidate_id"], name=op.f("fk_reservations_candidate_id")),
        sa.ForeignKeyConstraint(["voter_id"], ["voters.voter_id"], name=op.f("fk_reservations_voter_id")),
        sa.PrimaryKeyConstraint("candidate_id", "voter_id"),
    )
    with op.batch_alter_table("reservations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reservations_expires_at"), ["expires_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_reservations_voter_id"), ["voter_id"], unique=False)

    op.create_table(
        "votes",
        sa.Column("vote_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("candidate_id", sa.String(length=64), nullable=False),
        sa.Column("voter_id", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.String(length=16), nullable=False),
        sa.Column("origin", sa.String(length=32), nullable=False),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("voted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["candidate_id"], ["items.candidate_id"], name=op.f("fk_votes_candidate_id")),
        sa.ForeignKeyConstraint(["voter_id"], ["voters.voter_id"], name=op.f("fk_votes_voter_id")),
        sa.PrimaryKeyConstraint("vote_id"),
    )
    with op.batch_alter_table("votes", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_votes_voter_id_withdrawn_sequence"), ["voter_id", "withdrawn", "sequence"], unique=False
        )
        batch_op.create_index("ux_votes_candidate_voter", ["candidate_id", "voter_id"], unique=True)


def downgrade() -> None:
    """Take back."""
    with op.batch_alter_table("votes", schema=None) as batch_op:
        batch_op.drop_index("ux_votes_candidate_voter")
        batch_op.drop_index(batch_op.f("ix_votes_voter_id_withdrawn_sequence"))

    op.drop_table("votes")
    with op.batch_alter_table("reservations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_reservations_voter_id"))
        batch_op.drop_index(batch_op.f("ix_reservations_expires_at"))

    op.drop_table("reservations")
    op.drop_table("operator_sessions")
    op.drop_table("label_events")
    op.drop_table("decisions")
    op.drop_table("voters")
    op.drop_table("operators")
    with op.batch_alter_table("items", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_items_campaign_state_n_taken_shuffle"))
        batch_op.drop_index(batch_op.f("ix_items_campaign_state_n_taken_priority_shuffle"))
        batch_op.drop_index(batch_op.f("ix_items_campaign_gold"))
        batch_op.drop_index(batch_op.f("ix_items_block_key"))

    op.drop_table("items")
