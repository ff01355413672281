"""The diocese of each question, for the figures of a campaign"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; of what is there the diocese is not known until it is loaded again."""
    op.add_column("items", sa.Column("diocese", sa.String(64), nullable=False, server_default=""))


def downgrade() -> None:
    """Take back."""
    op.drop_column("items", "diocese")
