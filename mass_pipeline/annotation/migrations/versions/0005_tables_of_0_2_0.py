"""The tables of 0.2.0, from which later versions go on; a new database is made from `schema` at once"""

revision = "0005"
down_revision = None


def upgrade() -> None:
    """Nothing: databases begin here."""
