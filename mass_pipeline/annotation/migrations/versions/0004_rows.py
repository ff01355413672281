"""Questions about rows of schedules, and tiers of the queue"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_ITEMS: Final = sa.table(
    "items", *(sa.column(name) for name in ("candidate_id", "kind", "tier")), sa.column("priority", sa.Float)
)
_OLD: Final = ("campaign", "state", "n_taken", "priority", "shuffle")
_NEW: Final = ("campaign", "state", "n_taken", "tier", "priority", "shuffle")
_TEXTS: Final = ("text_digest", "mass", "place", "quote", "reason", "context", "wording")
_SHORT: Final = {"text_digest": 16, "reason": 20, "context": 16, "wording": 16}
_TIER_OF_HOURS: Final = 5
_TIER_ASKED_FIRST: Final = 4


def upgrade() -> None:
    """Apply: what is there are hours; those that were put before the others by a negative priority get their own tier."""
    op.add_column("items", sa.Column("kind", sa.String(8), nullable=False, server_default="hour"))
    op.add_column("items", sa.Column("tier", sa.Integer, nullable=False, server_default=str(_TIER_OF_HOURS)))
    for name in _TEXTS:
        kind = sa.String(_SHORT[name]) if name in _SHORT else sa.Text()
        op.add_column("items", sa.Column(name, kind, nullable=False, server_default=""))
    first = sa.update(_ITEMS).where(_ITEMS.c.priority < 0)
    op.execute(first.values(tier=_TIER_ASKED_FIRST, priority=_ITEMS.c.priority + 1))
    op.drop_index(op.f(f"ix_items_{'_'.join(_OLD)}"), "items")
    op.create_index(op.f(f"ix_items_{'_'.join(_NEW)}"), "items", list(_NEW))


def downgrade() -> None:
    """Take back: questions about rows go, with what was said of them."""
    rows = sa.select(_ITEMS.c.candidate_id).where(_ITEMS.c.kind != "hour")
    for name in ("votes", "reports", "reservations", "label_events", "decisions", "items"):
        table = sa.table(name, sa.column("candidate_id"))
        op.execute(sa.delete(table).where(table.c.candidate_id.in_(rows)))
    op.drop_index(op.f(f"ix_items_{'_'.join(_NEW)}"), "items")
    first = sa.update(_ITEMS).where(_ITEMS.c.tier == _TIER_ASKED_FIRST)
    op.execute(first.values(priority=_ITEMS.c.priority - 1))
    for name in (*_TEXTS, "tier", "kind"):
        op.drop_column("items", name)
    op.create_index(op.f(f"ix_items_{'_'.join(_OLD)}"), "items", list(_OLD))
