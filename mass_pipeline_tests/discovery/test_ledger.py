"""The quota ledger: units are reserved before a call, settled after, never overspent (P4)."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.discovery.answers import find_answer
from mass_pipeline.discovery.config import PlacesConfig
from mass_pipeline.discovery.ledger import ClaimedElsewhere, QuotaLedger
from mass_pipeline.discovery.lookups import open_ledger
from mass_pipeline.discovery.ports import Place
from mass_pipeline.discovery.state import StateFile
from mass_pipeline.model.errors import ConfigurationError, QuotaExhausted, StorageError
from mass_pipeline_tests.discovery.support import NOW, Clock

ANNA = Place("id-1", "Parafia św. Anny", "Opole", ("church",), "http://swanna.example/", "77 123 45 67")


@pytest.fixture
def state(tmp_path: Path) -> StateFile:
    return StateFile(tmp_path / "state" / "discovery.sqlite")


class TestReserve:
    def test_the_limit_is_never_passed(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=25)
        for number in range(2):
            ledger.settle(ledger.reserve(f"q{number}", 10, NOW), "answered", NOW, ())

        with pytest.raises(QuotaExhausted, match="20 of 25 units"):
            ledger.reserve("q3", 10, NOW)
        assert ledger.look(NOW).left == 5

    def test_units_come_free_after_the_window(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=10)
        ledger.settle(ledger.reserve("q1", 10, NOW), "answered", NOW, ())
        with pytest.raises(QuotaExhausted):
            ledger.reserve("q2", 10, NOW + timedelta(hours=24))

        later = ledger.look(NOW).next_release
        assert later is not None
        assert ledger.reserve("q2", 10, later + timedelta(seconds=1)).units == 10

    def test_a_limit_of_zero_forbids_every_call(self, state: StateFile) -> None:
        with pytest.raises(QuotaExhausted):
            QuotaLedger(state, limit_units=0).reserve("q", 1, NOW)

    def test_without_a_key_nothing_may_be_spent(self, state: StateFile) -> None:
        assert open_ledger(state, PlacesConfig()).limit_units == 0

    def test_with_a_key_the_operator_must_confirm_the_terms(self, state: StateFile) -> None:
        with pytest.raises(ConfigurationError, match="TERMS_CONFIRMED"):
            open_ledger(state, PlacesConfig(api_key="AIzaKey"))
        assert open_ledger(state, PlacesConfig(api_key="AIzaKey", terms_confirmed=True)).limit_units == 1000

    def test_an_open_question_is_not_asked_twice_until_its_lease_is_over(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=100, lease=timedelta(minutes=5))
        ledger.reserve("q", 10, NOW)

        with pytest.raises(ClaimedElsewhere):
            ledger.reserve("q", 10, NOW + timedelta(minutes=4))
        assert ledger.reserve("q", 10, NOW + timedelta(minutes=6)).call_id == 2


class TestSettle:
    def test_an_unknown_outcome_counts_as_spent(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.reserve("q", 10, NOW)

        assert (ledger.look(NOW).spent, ledger.look(NOW).open_calls) == (10, 1)

    def test_a_failed_call_stays_spent_and_one_never_sent_does_not(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.settle(ledger.reserve("q1", 10, NOW), "failed", NOW)
        ledger.settle(ledger.reserve("q2", 10, NOW), "not_sent", NOW)

        assert ledger.look(NOW).spent == 10

    def test_the_answer_is_kept_in_the_same_transaction(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=100)
        ledger.settle(ledger.reserve("q", 10, NOW), "answered", NOW, (ANNA,))
        answer = find_answer(StateFile(state.path), "q", NOW)

        assert answer is not None
        assert answer.places == (ANNA,)


class TestClockThatIsSet:
    """A clock set by a month, forward or back, must not free units early."""

    def test_set_back(self, state: StateFile) -> None:
        ledger = QuotaLedger(state, limit_units=10)
        ledger.reserve("q1", 10, NOW)

        with pytest.raises(QuotaExhausted):
            ledger.reserve("q2", 10, NOW - timedelta(days=31))

    def test_set_forward(self, state: StateFile) -> None:
        uptime = [100.0]
        ledger = QuotaLedger(state, limit_units=10, stopwatch=lambda: ("boot", uptime[0]))
        ledger.reserve("q1", 10, NOW)
        uptime[0] += 60

        with pytest.raises(QuotaExhausted):
            ledger.reserve("q2", 10, NOW + timedelta(days=31))
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
    def test_no_window_ever_holds_more_than_the_limit(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int, str]], limit: int
    ) -> None:
        """Whatever happens in whatever order, any 24 hours hold at most the limit, by the times the calls really left."""
        ledger = QuotaLedger(StateFile(tmp_path_factory.mktemp("q") / "s.sqlite"), limit_units=limit)
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
    def test_a_file_that_is_no_database_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "state.sqlite"
        path.write_bytes(b"not a database, but long enough to be read as one" * 100)

        with pytest.raises(StorageError, match=r"state\.sqlite"):
            StateFile(path)

    def test_tables_of_another_version_are_refused_with_the_remedy(self, tmp_path: Path) -> None:
        path = tmp_path / "state.sqlite"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE calls (call_id INTEGER)")
        connection.close()

        with pytest.raises(StorageError, match="another version"):
            StateFile(path)

    def test_threads_share_commits_and_one_failure_is_its_own(self, tmp_path: Path) -> None:
        with StateFile(tmp_path / "s.sqlite") as state, ThreadPoolExecutor(8) as pool:
            ledger = QuotaLedger(state, limit_units=250)
            asked = [pool.submit(ledger.reserve, f"q{n}", 10, NOW) for n in range(40)]
            errors = [future.exception() for future in asked]

            assert sum(error is None for error in errors) == 25
            assert {QuotaExhausted, type(None)} == {type(error) for error in errors}
            assert ledger.look(NOW).spent == 250
