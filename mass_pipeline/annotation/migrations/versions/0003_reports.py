"""Reports on bad questions; decided items are found fast, as they are hidden test questions"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "reports",
        sa.Column("candidate_id", sa.String(length=64), sa.ForeignKey("items.candidate_id"), primary_key=True),
        sa.Column("voter_id", sa.String(length=64), sa.ForeignKey("voters.voter_id"), primary_key=True),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("reported_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_items_campaign_decided", "items", ["campaign", "decided"])


def downgrade() -> None:
    """Take back."""
    op.drop_index("ix_items_campaign_decided", "items")
    op.drop_table("reports")
