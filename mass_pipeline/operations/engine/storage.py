"""Dagster's tables in a PostgreSQL that may be away for a while: whoever wants to connect waits, instead of failing.

Daemon, code server and workers open a connection for each question; dagster-postgres gives up after six seconds. What was under
way at that moment is then lost: a run that failed is not begun anew, a launched one is dropped. Waiting is all it takes.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Final, Self

import sqlalchemy as sa
from dagster_postgres import DagsterPostgresStorage
from dagster_postgres.utils import DagsterPostgresException, pg_url_from_config
from sqlalchemy.pool import NullPool

from mass_pipeline.dagster_internals import ConfigurableClassData

PATIENCE_SECONDS: Final = 300.0
_PAUSE_SECONDS: Final = 1.0
_TABLES_LOCK: Final = 0x6D617373  # any number that nobody else of this database locks; it is given back with its connection
_log = logging.getLogger(__name__)


class PatientPostgresStorage(DagsterPostgresStorage):
    """`DagsterPostgresStorage` that waits up to five minutes for its server. Takes the same settings.

    The connections of the web server are not patient: it says at once that the database is away.
    """

    def __init__(self, postgres_url: str, **arguments: Any) -> None:
        first, began = be_patient(sa.create_engine(postgres_url, poolclass=NullPool)), time.monotonic()
        while True:
            try:
                # What follows looks for the tables, and would not wait; of several that find none, one at a time makes them.
                with first.connect() as connection:
                    connection.execute(sa.select(sa.func.pg_advisory_lock(_TABLES_LOCK)))
                    super().__init__(postgres_url, **arguments)
                break
            except DagsterPostgresException:  # it went away in between
                if time.monotonic() - began > PATIENCE_SECONDS:
                    raise
        for part in self._parts:
            be_patient(part._engine)

    @classmethod
    def from_config_value(cls, inst_data: ConfigurableClassData | None, config_value: Any) -> Self:
        """Of the settings in dagster.yaml."""
        created = config_value.get("should_autocreate_tables", True)
        return cls(pg_url_from_config(config_value), should_autocreate_tables=created, inst_data=inst_data)

    @property
    def _parts(self) -> tuple[Any, ...]:
        return self._run_storage, self._event_log_storage, self._schedule_storage


def be_patient(engine: sa.Engine, patience_seconds: float = PATIENCE_SECONDS) -> sa.Engine:
    """Let every new connection of an engine be tried again until it succeeds, for so many seconds. Returns the engine."""

    @sa.event.listens_for(engine, "do_connect")
    def connect(dialect: sa.Dialect, _: object, arguments: list[Any], parameters: dict[str, Any]) -> Any:
        began, told = time.monotonic(), False
        while True:
            try:
                return dialect.connect(*arguments, **parameters)
            except dialect.loaded_dbapi.OperationalError as error:
                if time.monotonic() - began > patience_seconds:
                    raise
                if not told:
                    _log.warning("The database cannot be reached, trying for %.0f s: %s", patience_seconds, error)
                told = True
            time.sleep(_PAUSE_SECONDS)

    return engine
