"""Open the leases that the settings of a crawl name. Wiring only."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.leases.keeper import LeaseKeeper
from mass_pipeline.crawling.fetching.leases.ports import LeaseStore


def open_keeper(config: CrawlConfig) -> AbstractContextManager[LeaseKeeper | None]:
    """The keeper of a run; None where nothing is shared: no store is named, or nobody waits for anything (tests).

    Raises:
        StorageError: the store cannot be opened.
    """
    if not config.leases or config.no_delay:
        return nullcontext()
    return LeaseKeeper(
        open_leases(config.leases), lease_seconds=config.lease_seconds, turn_seconds=config.lease_turn_seconds
    )  # fmt: skip


def open_leases(place: str) -> LeaseStore:
    """A store: of PostgreSQL for a URL, of SQLite for a folder.

    Raises:
        StorageError: it cannot be opened.
    """
    if place.startswith("postgresql"):
        from mass_pipeline.crawling.fetching.leases.postgres_store import PostgresLeases  # one machine alone needs no driver

        return PostgresLeases(place)
    from mass_pipeline.crawling.fetching.leases.sqlite_store import SqliteLeases

    return SqliteLeases(Path(place))
