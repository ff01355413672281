"""Open the state of discovery where the settings put it. Wiring only."""

from __future__ import annotations

from pathlib import Path

from mass_pipeline.gathering.state_port import StateStore


def open_state(place: Path | str) -> StateStore:
    """The store: of PostgreSQL for a URL, of SQLite for a file.

    Raises:
        StorageError: it cannot be opened.
    """
    if isinstance(place, str):
        from mass_pipeline.gathering.postgres_state import PostgresState  # one machine alone needs no driver

        return PostgresState(place)
    from mass_pipeline.gathering.state import StateFile

    return StateFile(place)
