"""What one run has of hosts: kept while in use, given back when others wait, good for nothing once the table is out of order."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.host_table import HOST, HostTable
from mass_pipeline.crawling.fetching.host_turns import HostTurns, Turn
from mass_pipeline.crawling.fetching.hosts import HostNote
from mass_pipeline.crawling.fetching.outcomes import LeasedElsewhere
from mass_pipeline_tests.crawling.fetching.hosts.conftest import Open, PassTime
from mass_pipeline_tests.shared import PATIENCE_SECONDS

PLACE = "a.example"
NOTE = HostNote(wait_seconds=30.0, delay=2.5)
SECONDS = 24.0  # eight beats: a loop that comes late by seven of them has lost nothing
CONFIG = replace(CrawlConfig(), lease_seconds=SECONDS, lease_turn_seconds=3600.0)


def turns(table: HostTable, config: CrawlConfig = CONFIG, steady: Callable[[], float] = time.monotonic) -> HostTurns:
    return HostTurns(table, config, steady)


async def waited(run: HostTurns, place: str = PLACE) -> Turn:
    """The turn at a host, however long others have it."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                turn = await run.host(place)
            except LeasedElsewhere:
                await asyncio.sleep(0.05)
                continue
            assert turn is not None
            return turn


class TestKeeping:
    def test_what_is_in_use_is_renewed_and_taken_up_again_without_asking(self, opened: Open, pass_time: PassTime) -> None:
        async def use() -> tuple[bool, bool]:
            async with turns(opened()) as one, turns(opened()) as other:
                turn = await waited(one)
                until = turn.until
                while turn.until <= until:  # by itself
                    await asyncio.sleep(0.05)
                pass_time(SECONDS / 2)
                with pytest.raises(LeasedElsewhere):
                    await other.host(PLACE)
                one.release(turn)
                return one.may_ask(turn), await one.host(PLACE) is turn

        assert asyncio.run(use()) == (True, True)

    def test_what_is_given_up_goes_to_who_waits_with_its_pace(self, opened: Open) -> None:
        async def use() -> float:
            async with turns(opened()) as one, turns(opened()) as other:
                turn = await waited(one)
                with pytest.raises(LeasedElsewhere):
                    await other.host(PLACE)
                one.release(turn, NOTE)
                one.surrender(PLACE)
                note = (await waited(other)).grant.note
                assert note is not None
                return note.delay

        assert asyncio.run(use()) == NOTE.delay

    def test_after_its_turn_a_run_lets_those_ask_who_wait(self, opened: Open) -> None:
        """A run with hundreds of sites on one host must not keep another one from its single site."""

        async def keep_asking(run: HostTurns) -> None:
            while True:
                run.release(await waited(run))
                await asyncio.sleep(0.01)

        async def use() -> None:
            async with turns(opened(), replace(CONFIG, lease_turn_seconds=0.3)) as one, turns(opened()) as other:
                asking = asyncio.create_task(keep_asking(one))
                await asyncio.sleep(0.1)
                await waited(other)
                asking.cancel()

        asyncio.run(use())

    def test_an_address_is_asked_by_two_at_once_and_shared_with_other_runs(self, opened: Open) -> None:
        at_once: list[int] = []
        inside: set[str] = set()

        async def ask(run: HostTurns, name: str, times: int) -> None:
            for _ in range(times):
                try:
                    async with run.address("192.0.2.1"):
                        inside.add(name)
                        at_once.append(len(inside))
                        await asyncio.sleep(0.02)
                        inside.remove(name)
                except LeasedElsewhere:
                    await asyncio.sleep(0.05)

        async def use() -> None:
            config = replace(CONFIG, lease_seconds=2.0, lease_turn_seconds=1.0)
            async with turns(opened(), config) as one, turns(opened(), config) as other:
                await asyncio.gather(*(ask(run, f"{id(run)}{n}", 10) for run in (one, other) for n in range(3)))

        asyncio.run(use())

        assert max(at_once) == 2
        assert len(at_once) > 30


class TestDeath:
    def test_a_pause_that_a_host_asked_for_outlives_a_killed_run(self, opened: Open, place: str, pass_time: PassTime) -> None:
        """`report` returns when it is written: whatever happens to the process afterwards, the next one hears of it."""
        with subprocess.Popen([sys.executable, "-c", _DOOMED, place], stdout=subprocess.PIPE) as doomed:
            assert doomed.stdout is not None
            assert doomed.stdout.readline() == b"said\n"
            doomed.send_signal(signal.SIGKILL)
        pass_time(60)
        grant = opened().take(HOST + PLACE, "other", 1.0)

        assert grant is not None
        assert grant.was_lost
        assert grant.note is not None
        assert 0 < grant.note.wait_seconds <= 3540


_DOOMED = """
import asyncio, sys
from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.host_table import open_hosts
from mass_pipeline.crawling.fetching.host_turns import HostTurns
from mass_pipeline.crawling.fetching.hosts import HostNote
async def die():
    async with HostTurns(open_hosts(sys.argv[1]), CrawlConfig()) as run:
        await run.report(await run.host("a.example"), HostNote(3600.0, 5.0))
        print("said", flush=True)
        await asyncio.sleep(3600)
asyncio.run(die())
"""


@contextmanager
def blocked(place: str) -> Iterator[None]:
    """The table is there, and nobody gets at it."""
    if place.startswith("postgresql"):
        import psycopg

        with psycopg.connect(place) as connection:
            connection.execute("LOCK TABLE hosts IN ACCESS EXCLUSIVE MODE")
            yield
            connection.rollback()
        return
    (path,) = Path(place).glob("*.sqlite")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    yield
    connection.execute("ROLLBACK")
    connection.close()


class TestATableOutOfOrder:
    def test_nothing_new_is_given_what_is_held_ends_in_its_time_and_then_the_run_goes_on(self, opened: Open, place: str) -> None:
        ahead = 0.0

        async def use() -> str:
            nonlocal ahead
            async with turns(opened(), steady=lambda: time.monotonic() + ahead) as run:
                turn = await waited(run)
                with blocked(place):
                    assert run.may_ask(turn)
                    with pytest.raises(LeasedElsewhere, match="table of hosts"):
                        await run.host("b.example")
                    ahead = SECONDS
                    assert not run.may_ask(turn)
                run.release(turn)
                await waited(run, "c.example")
                return run.trouble

        assert asyncio.run(use()) == ""
