"""What one run holds: kept while in use, given back when others wait, good for nothing once the store is out of order."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching.leases.keeper import Holding, LeaseKeeper
from mass_pipeline.crawling.fetching.leases.ports import ADDRESS, HOST
from mass_pipeline_tests.crawling.fetching.leases.conftest import OpenStore, PassTime
from mass_pipeline_tests.shared import PATIENCE_SECONDS, comes_true

KEY = HOST + "a.example"
LEASE_SECONDS = 24.0  # eight beats: a thread that comes late by seven of them has lost nothing
Keep = Callable[..., LeaseKeeper]


@pytest.fixture
def keep(opened: OpenStore) -> Iterator[Keep]:
    """Keepers of several runs over one store."""
    keepers: list[LeaseKeeper] = []

    def another(
        lease_seconds: float = LEASE_SECONDS, turn_seconds: float = 3600.0, steady: Callable[[], float] = time.monotonic
    ) -> LeaseKeeper:
        keepers.append(LeaseKeeper(opened(), lease_seconds=lease_seconds, turn_seconds=turn_seconds, steady=steady))
        return keepers[-1]

    yield another
    for keeper in keepers:
        keeper.close()


def claimed(keeper: LeaseKeeper, key: str = KEY, slots: int = 1) -> Holding | None:
    """The answer to a claim."""
    return keeper.claim(key, slots).result(PATIENCE_SECONDS)


class TestHolding:
    def test_what_is_in_use_is_renewed_for_as_long_as_it_takes(self, keep: Keep, pass_time: PassTime) -> None:
        one, other = keep(), keep()
        holding = claimed(one)
        assert holding is not None
        until = holding.until
        assert comes_true(lambda: holding.until > until)  # by itself
        pass_time(LEASE_SECONDS / 2)
        assert claimed(other) is None

        assert one.may_ask(holding)

    def test_it_is_taken_up_again_without_asking_the_store(self, keep: Keep) -> None:
        keeper = keep()
        holding = claimed(keeper)
        assert holding is not None
        keeper.vacate(holding)

        assert keeper.occupy(KEY) is holding
        assert keeper.occupy(KEY) is None

    def test_what_is_given_up_goes_to_who_waits(self, keep: Keep) -> None:
        one, other = keep(), keep()
        holding = claimed(one)
        assert holding is not None
        assert claimed(other) is None
        one.vacate(holding)
        one.give_up(KEY)

        assert comes_true(lambda: claimed(other))

    def test_after_its_turn_a_run_lets_those_ask_who_wait(self, keep: Keep) -> None:
        """A run with hundreds of sites on one host must not keep another one from its single site."""
        one, other = keep(turn_seconds=0.3), keep()
        holding = claimed(one)

        def served() -> bool:
            nonlocal holding
            if claimed(other) is not None:
                return True
            if holding is not None:
                one.vacate(holding)
                holding = one.occupy(KEY)
            return False

        assert comes_true(served)

    def test_of_two_leases_of_an_address_one_goes_to_who_waits(self, keep: Keep) -> None:
        one, other = keep(), keep()
        address = ADDRESS + "192.0.2.1"
        first, second = claimed(one, address, 2), claimed(one, address, 2)
        assert first is not None
        assert second is not None
        assert claimed(other, address, 2) is None
        assert comes_true(lambda: first.wanted or second.wanted)
        one.vacate(second)

        assert comes_true(lambda: claimed(other, address, 2))
        assert one.may_ask(first)


class TestWhatIsSaid:
    def test_a_pause_that_a_host_asked_for_outlives_a_killed_run(self, keep: Keep, place: str, pass_time: PassTime) -> None:
        """`say` returns when it is written: whatever happens to the process afterwards, the next one hears of it."""
        with subprocess.Popen([sys.executable, "-c", _DOOMED, place, KEY], stdout=subprocess.PIPE) as doomed:
            assert doomed.stdout is not None
            assert doomed.stdout.readline() == b"said\n"
            doomed.send_signal(signal.SIGKILL)
        pass_time(60)
        other = keep()
        found: list[Holding] = []
        assert comes_true(lambda: found.extend(one for one in [claimed(other)] if one) or found)
        note = found[0].grant.note

        assert found[0].grant.was_lost
        assert note is not None
        assert 0 < note.wait_seconds <= 3540


_DOOMED = """
import sys, time
from mass_pipeline.crawling.fetching.leases.keeper import LeaseKeeper
from mass_pipeline.crawling.fetching.leases.client import open_leases
from mass_pipeline.crawling.fetching.leases.ports import HostNote
keeper = LeaseKeeper(open_leases(sys.argv[1]), lease_seconds=60.0, turn_seconds=60)
holding = keeper.claim(sys.argv[2]).result(60)
keeper.say(holding, HostNote(3600.0, 5.0)).result(60)
print("said", flush=True)
time.sleep(3600)
"""


@contextmanager
def blocked(place: str) -> Iterator[None]:
    """The store is there, and nobody gets at it."""
    if place.startswith("postgresql"):
        import psycopg

        with psycopg.connect(place) as connection:
            connection.execute("LOCK TABLE lease_fences IN ACCESS EXCLUSIVE MODE")
            yield
            connection.rollback()
        return
    (path,) = Path(place).glob("*.sqlite")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    yield
    connection.execute("ROLLBACK")
    connection.close()


class TestAStoreOutOfOrder:
    def test_nothing_new_is_given_what_is_held_ends_in_its_time_and_then_the_run_goes_on(self, keep: Keep, place: str) -> None:
        ahead = 0.0
        keeper = keep(steady=lambda: time.monotonic() + ahead)
        holding = claimed(keeper)
        assert holding is not None
        with blocked(place):
            refused = keeper.claim(HOST + "b.example")
            assert keeper.may_ask(holding)
            ahead = LEASE_SECONDS
            assert not keeper.may_ask(holding)
            assert refused.result(PATIENCE_SECONDS) is None
            assert "leases of hosts" in keeper.trouble
        keeper.vacate(holding)

        assert comes_true(lambda: claimed(keeper, HOST + "c.example"))
        assert keeper.trouble == ""
