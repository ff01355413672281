"""Erase the questions made of a page, with their votes and labels, at the wish of the page's owner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from mass_pipeline.annotation.schema import decisions, items, label_events, reports, reservations, votes

_AT_ONCE: Final = 500  # values of one statement


def erase_questions(engine: Engine, covers: Callable[[str], bool]) -> int:
    """Erase every question whose source page is covered, in one transaction; how many that were."""
    with engine.begin() as connection:
        gone = [name for name, url in connection.execute(sa.select(items.c.candidate_id, items.c.url)) if covers(url)]
        if engine.dialect.name == "sqlite":
            connection.execute(sa.text("PRAGMA secure_delete=ON"))
        for start in range(0, len(gone), _AT_ONCE):
            _erase(connection, gone[start : start + _AT_ONCE])
    return len(gone)


def _erase(connection: sa.Connection, candidates: Sequence[str]) -> None:
    for table in (votes, reports, reservations, label_events, decisions, items):
        connection.execute(sa.delete(table).where(table.c.candidate_id.in_(candidates)))
