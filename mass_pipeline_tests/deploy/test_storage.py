"""Dagster's tables while the database is away: whoever wants to connect waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from dagster_postgres import PostgresScheduleStorage
from dagster_postgres.utils import DagsterPostgresException
from sqlalchemy.pool import NullPool

from mass_pipeline.operations.engine.storage import _TABLES_LOCK, PatientPostgresStorage, be_patient
from mass_pipeline_tests.cut_line import Line
from mass_pipeline_tests.postgres import fresh_database


@pytest.fixture
def away() -> Iterator[tuple[str, Line]]:
    """A database over a line that can be dropped."""
    with fresh_database() as url, Line(url, 5432) as line:
        plain = sa.make_url(line.through(url)).set(drivername="postgresql+psycopg2")
        yield plain.render_as_string(hide_password=False), line


@pytest.mark.service
class TestPatience:
    def test_a_connection_waits_for_the_database_to_come_back(self, away: tuple[str, Line]) -> None:
        url, line = away
        engine = be_patient(sa.create_engine(url, poolclass=NullPool))
        line.drop()
        threading.Timer(1.5, line.mend).start()

        with engine.connect() as connection:
            assert connection.scalar(sa.text("SELECT 1")) == 1

    def test_it_does_not_wait_for_ever(self, away: tuple[str, Line]) -> None:
        url, line = away
        engine = be_patient(sa.create_engine(url, poolclass=NullPool), patience_seconds=0.5)
        line.drop()

        with pytest.raises(sa.exc.OperationalError):
            engine.connect()

    def test_the_tables_of_dagster_are_opened_and_read_by_it(
        self, away: tuple[str, Line], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        url, line = away
        line.drop()
        threading.Timer(1.0, line.mend).start()
        PatientPostgresStorage(url)  # it begins while the database is away
        schedules = PostgresScheduleStorage.__init__

        def gone_between(*arguments: Any, **named: Any) -> None:
            monkeypatch.setattr(PostgresScheduleStorage, "__init__", schedules)
            raise DagsterPostgresException("too many retries for DB connection")

        monkeypatch.setattr(PostgresScheduleStorage, "__init__", gone_between)
        storage = PatientPostgresStorage(url)

        line.drop()
        threading.Timer(1.0, line.mend).start()
        assert storage.run_storage.get_runs() == []

        line.drop()
        threading.Timer(1.0, line.mend).start()
        assert storage.event_log_storage.get_maximum_record_id() is None


@pytest.mark.service
class TestNewDatabase:
    def test_one_process_at_a_time_makes_the_tables(self) -> None:
        """Code server and daemon of a fresh installation begin together; the daemon died of a type that existed already."""
        with fresh_database() as url:
            plain = sa.make_url(url).set(drivername="postgresql+psycopg2").render_as_string(hide_password=False)
            other = sa.create_engine(plain, poolclass=NullPool)
            opening = threading.Thread(target=PatientPostgresStorage, args=(plain,))
            with other.connect() as connection:
                connection.execute(sa.select(sa.func.pg_advisory_lock(_TABLES_LOCK)))
                opening.start()
                waiting = sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                while opening.is_alive() and not connection.scalar(waiting):
                    opening.join(0.1)

                assert opening.is_alive()
                assert sa.inspect(connection).get_table_names() == []
            opening.join()

            assert "runs" in sa.inspect(other).get_table_names()
