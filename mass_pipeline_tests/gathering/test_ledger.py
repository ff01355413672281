"""The quota ledger: units are reserved before a call, settled after, never overspent (P4)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.gathering.decisions import find_answer, find_decision, record_liveness, store_decision
from mass_pipeline.gathering.ledger import BeingAsked, ClaimedElsewhere, QuotaLedger
from mass_pipeline.gathering.lookups import open_ledger
from mass_pipeline.gathering.parish_url import ParishUrl
from mass_pipeline.gathering.ports import Page, Place
from mass_pipeline.gathering.raw_pages import open_edition
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.model.errors import ConfigurationError, QuotaExhausted, StorageError
from mass_pipeline.model.identifiers import DioceseKey, ParishId
from mass_pipeline.resources.storage import clear_failures
from mass_pipeline_tests.gathering.support import NOW, Clock
from mass_pipeline_tests.postgres import fresh_database

ANNA = Place("id-1", "Parafia św. Anny", "Opole", ("church",), "http://swanna.example/", "77 123 45 67")


@pytest.fixture(scope="module")
def state_database() -> Iterator[str]:
    with fresh_database() as url:
        yield url


def emptied(url: str) -> str:
    with DiscoveryState(url) as state, state.transaction() as connection:
        connection.exec_driver_sql("TRUNCATE calls, spent, answers, decisions, editions, raw_pages RESTART IDENTITY")
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], DiscoveryState]]:
    """Opens the state once more, as another process would: every promise holds in a file and in PostgreSQL."""
    opened: list[DiscoveryState] = []
    url = emptied(request.getfixturevalue("state_database")) if request.param == "postgresql" else ""

    def again() -> DiscoveryState:
        opened.append(DiscoveryState(url or tmp_path / "state" / "discovery.sqlite"))
        opened[-1].has_own_clock = False  # goes by the moments of the tests
        return opened[-1]

    yield again
    for state in opened:
        state.close()


@pytest.fixture
def state(open_again: Callable[[], DiscoveryState]) -> DiscoveryState:
    return open_again()


@pytest.mark.row("P4")
class TestReserve:
    def test_the_limit_is_never_passed(self, state: DiscoveryState) -> None:
        ledger = QuotaLedger(state, limit_units=25)
        for number in range(2):
            ledger.settle(ledger.reserve(f"q{number}", 10, NOW), "answered", NOW, ())

        with pytest.raises(QuotaExhausted, match="20 of 25 units are spent in the last 1 day, 0:00:00;"):
            ledger.reserve("q3", 10, NOW)
        assert ledger.look(NOW).left == 5
        assert QuotaLedger(state, limit_units=15).look(NOW).left == 0  # of a limit that was lowered nothing is left

    def test_units_come_free_after_the_window(self, state: DiscoveryState) -> None:
        ledger = QuotaLedger(state, limit_units=10)
        ledger.settle(ledger.reserve("q1", 10, NOW), "answered", NOW, ())
        with pytest.raises(QuotaExhausted):
            ledger.reserve("q2", 10, NOW + timedelta(hours=24))

        later = ledger.look(NOW + timedelta(seconds=30)).next_release
        assert later == NOW + timedelta(hours=24, minutes=6)  # the minute of the call, a day, and what a call may wait
        assert ledger.reserve("q2", 10, later + timedelta(seconds=1)).units == 10

    def test_without_a_key_nothing_may_be_spent(self, state: DiscoveryState) -> None:
        ledger = open_ledger(state, PlacesConfig())

        assert ledger.limit_units == 0
        with pytest.raises(QuotaExhausted):
            ledger.reserve("q", 1, NOW)

    def test_with_a_key_the_operator_must_confirm_the_terms(self, state: DiscoveryState) -> None:
        with pytest.raises(ConfigurationError, match="TERMS_CONFIRMED"):
            open_ledger(state, PlacesConfig(api_key="AIzaKey"))
        assert open_ledger(state, PlacesConfig(api_key="AIzaKey", terms_confirmed=True)).limit_units == 1000

    def test_an_open_question_is_not_asked_twice_until_its_lease_is_over(self, state: DiscoveryState) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.reserve("q", 10, NOW)

        with pytest.raises(BeingAsked):
            ledger.reserve("q", 10, NOW + timedelta(minutes=4))
        assert ledger.reserve("q", 10, NOW + timedelta(minutes=6)).call_id == 2
        assert (ledger.look(NOW).spent, ledger.look(NOW).open_calls) == (20, 1)

    @pytest.mark.parametrize("days", [-1, 1])
    def test_a_clock_that_steps_by_a_day_keeps_no_question_waiting(self, state: DiscoveryState, days: int) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.reserve("q", 10, NOW)

        assert ledger.reserve("q", 10, NOW + timedelta(days=days)).units == 10
        assert ledger.look(NOW + timedelta(days=days)).open_calls == 1

    def test_what_was_settled_meanwhile_is_not_asked(self, state: DiscoveryState) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        with pytest.raises(ClaimedElsewhere, match="'q' was settled"):
            ledger.reserve("q", 10, NOW, lambda _: True)

        assert ledger.look(NOW).next_release is None
        assert ledger.reserve("q", 10, NOW, lambda _: False).units == 10


class TestSettle:
    def test_an_unknown_outcome_counts_as_spent(self, state: DiscoveryState) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.reserve("q", 10, NOW)

        assert (ledger.look(NOW).spent, ledger.look(NOW).open_calls) == (10, 1)

    def test_a_failed_call_stays_spent(self, state: DiscoveryState) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.settle(ledger.reserve("q1", 10, NOW), "failed", NOW)

        assert ledger.look(NOW).spent == 10
        assert find_answer(state, "q1", NOW) is None

    def test_the_answer_is_kept_in_the_same_transaction(
        self, state: DiscoveryState, open_again: Callable[[], DiscoveryState]
    ) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.settle(ledger.reserve("q", 10, NOW), "answered", NOW, (ANNA,))

        assert find_answer(open_again(), "q", NOW) == (ANNA,)
        kept = {hours: find_answer(state, "q", NOW + timedelta(hours=hours)) for hours in (23, 24)}
        assert list(kept.values()) == [(ANNA,), None]  # what Places says is kept for a day


class TestClockThatIsSet:
    def test_by_a_month_forward_or_back_it_frees_no_units_early(self, state: DiscoveryState) -> None:
        uptime = [100.0]
        ledger = QuotaLedger(state, limit_units=10, stopwatch=lambda: ("boot", uptime[0]))
        ledger.reserve("q1", 10, NOW)
        uptime[0] += 60

        for days in (-31, 31):
            with pytest.raises(QuotaExhausted):
                ledger.reserve("q2", 10, NOW + timedelta(days=days))
        with pytest.raises(QuotaExhausted):  # by the clock alone
            QuotaLedger(state, limit_units=10).reserve("q2", 10, NOW - timedelta(days=31))
        uptime[0] += 25 * 3600
        assert ledger.reserve("q2", 10, NOW + timedelta(days=32)).units == 10


class TestAnyHistory:
    @settings(max_examples=15, deadline=None)
    @given(
        steps=st.lists(
            st.tuples(st.integers(0, 5), st.sampled_from([1, 10]), st.sampled_from(["answered", "failed", "not_sent", "crash"])),
            max_size=40,
        ),
        limit=st.integers(0, 60),
    )
    @pytest.mark.row("P4")
    def test_no_window_ever_holds_more_than_the_limit(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int, str]], limit: int
    ) -> None:
        """Whatever happens in whatever order, any 24 hours hold at most the limit, by the times the calls really left."""
        ledger = QuotaLedger(DiscoveryState(tmp_path_factory.mktemp("q") / "s.sqlite"), limit_units=limit)
        clock, sent = Clock(), list[tuple[float, int]]()
        for number, (hours, units, outcome) in enumerate(steps):
            clock.move(hours=hours)
            try:
                reservation = ledger.reserve(f"q{number}", units, clock())
            except QuotaExhausted:
                continue
            if outcome != "not_sent":
                sent.append((clock().timestamp(), units))
            if outcome != "crash":
                ledger.settle(reservation, outcome, clock(), ())  # type: ignore[arg-type]

        for moment, _ in sent:
            assert sum(units for at, units in sent if moment <= at < moment + 24 * 3600) <= limit


class TestStateFile:
    def test_damage_that_is_found_later_is_named_too(self, tmp_path: Path) -> None:
        path = tmp_path / "state.sqlite"
        with DiscoveryState(path):
            pass
        whole = path.read_bytes()
        path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))

        with pytest.raises(StorageError, match=r"state\.sqlite.*Restore a copy"), DiscoveryState(path) as state:
            state.rows("SELECT * FROM decisions")

    def test_tables_of_another_version_are_refused_with_the_remedy(self, tmp_path: Path) -> None:
        path = tmp_path / "state.sqlite"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE calls (call_id INTEGER)")
        connection.close()

        with pytest.raises(StorageError, match=r"something else.*wait a day"):
            DiscoveryState(path)


@pytest.mark.service
class TestTablesInPostgres:
    def test_a_newer_version_is_refused_and_left_as_it_is(self, state_database: str) -> None:
        with DiscoveryState(emptied(state_database)) as state:
            QuotaLedger(state, limit_units=100).reserve("q1", 10, NOW)
        with psycopg.connect(state_database.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute("UPDATE discovery.version SET version = 2")
            with pytest.raises(StorageError, match=r"version 2, not 1: update this program"):
                DiscoveryState(state_database)
            connection.execute("UPDATE discovery.version SET version = 1")  # other tests go on with it

        with DiscoveryState(state_database) as state:
            assert state.rows("SELECT count(*) FROM calls") == [(1,)]


class TestSeveralAtOnce:
    def test_threads_share_a_store_and_one_failure_is_its_own(self, state: DiscoveryState) -> None:
        with ThreadPoolExecutor(8) as pool:
            ledger = QuotaLedger(state, limit_units=250)
            asked = [pool.submit(ledger.reserve, f"q{n}", 10, NOW) for n in range(40)]
            errors = [future.exception() for future in asked]

            assert sum(error is None for error in errors) == 25
            assert {QuotaExhausted, type(None)} == {type(error) for error in errors}
            assert ledger.look(NOW).spent == 250

    def test_stores_opened_several_times_never_spend_more_than_the_limit(self, open_again: Callable[[], DiscoveryState]) -> None:
        ledgers = [QuotaLedger(open_again(), limit_units=100) for _ in range(3)]
        with ThreadPoolExecutor(3) as pool:
            asked = [pool.submit(ledgers[n % 3].reserve, f"q{n}", 10, NOW) for n in range(18)]
            errors = [future.exception() for future in asked]

        assert sum(error is None for error in errors) == 10
        assert ledgers[0].look(NOW).spent == 100

    def test_what_failed_changes_nothing(self, state: DiscoveryState) -> None:
        def fail() -> None:
            with state.transaction() as connection:
                connection.exec_driver_sql("INSERT INTO editions (name, start_url, started_at) VALUES ('e', 'u', 1.0)")
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()

        assert state.rows("SELECT name FROM editions") == []

    def test_decisions_answers_and_pages_are_kept(self, state: DiscoveryState, open_again: Callable[[], DiscoveryState]) -> None:
        row = ParishUrl(
            ParishId("p1"), DioceseKey("lodzka"), "ok", "http://a.example/", "/", False, None, "osm", None, (), True, NOW
        )
        store_decision(state, row, "print", NOW, served=["q"])
        store_decision(state, row, "print 2", NOW)
        record_liveness(state, [], [row.parish_id])
        edition = open_edition(state, "http://list.example/", NOW)
        page = Page("http://list.example/1", 200, b"body", None, NOW)
        edition.keep(lambda _: page)("http://list.example/1")

        other = open_again()
        assert find_decision(other, row.parish_id, "print 2", 2) == row
        assert find_decision(other, row.parish_id, "print", 2) is None
        assert find_decision(other, row.parish_id, "print 2", 1) is None  # dead for one run
        assert open_edition(other, "http://list.example/", NOW).find("http://list.example/1") == page


@pytest.mark.service
class TestClockOfTheServer:
    """Machines that share a ledger have clocks of their own; an hour more or less must free no units."""

    @pytest.mark.parametrize("hours", [-26, -1, 1, 26])
    def test_a_wrong_clock_spends_nothing_twice(self, state_database: str, hours: int) -> None:
        with DiscoveryState(emptied(state_database)) as right, DiscoveryState(state_database) as wrong:
            QuotaLedger(right, limit_units=10).reserve("q1", 10, datetime.now(UTC))

            with pytest.raises(QuotaExhausted):
                QuotaLedger(wrong, limit_units=10).reserve("q2", 10, datetime.now(UTC) + timedelta(hours=hours))

    def test_a_server_that_is_not_there_is_named_and_its_stage_tried_again(self) -> None:
        """A database away for half a minute when a crawl ended cost its diocese the week."""
        with pytest.raises(dg.Failure) as failure, clear_failures():
            DiscoveryState("postgresql://postgres@127.0.0.1:1/none")

        assert "state of discovery in PostgreSQL" in str(failure.value.description)
        assert failure.value.allow_retries
