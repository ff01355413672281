"""Invitations that were used"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_PREFIX = "invite:"


def upgrade() -> None:
    """Apply: invitations accepted before, as far as their voters are still there, count as used."""
    table = op.create_table(
        "invitations",
        sa.Column("name", sa.String(length=64), primary_key=True),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=False),
    )
    voters = sa.table("voters", sa.column("standing_by", sa.String), sa.column("created_at", sa.DateTime(timezone=True)))
    query = sa.select(voters.c.standing_by, sa.func.min(voters.c.created_at)).where(voters.c.standing_by.startswith(_PREFIX))
    used = op.get_bind().execute(query.group_by(voters.c.standing_by)).all()
    rows = [{"name": by.removeprefix(_PREFIX), "used_at": moment} for by, moment in used]
    if rows:
        op.bulk_insert(table, rows)


def downgrade() -> None:
    """Take back."""
    op.drop_table("invitations")
