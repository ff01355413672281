"""Kills and racing processes: units really asked for never pass the limit, and an answered question is never asked again (P4).

The judge is the server: it counts what arrives, whatever the ledger believes.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.server import LoopbackServer
from mass_pipeline.gathering.state import DiscoveryState

SEARCH_UNITS = 10
DETAILS_UNITS = 1
_PATIENCE_SECONDS = 0.7


class CountingPlaces:
    """A Places server that knows one place per query and counts units and questions."""

    def __init__(self) -> None:
        self.units = 0
        self.asked: Counter[str] = Counter()
        self.delay_seconds = 0.002

    def respond(self, request: Request) -> Response:
        query = dict(parse_qsl(request.target.partition("?")[2]))
        is_search = "textsearch" in request.path
        self.units += SEARCH_UNITS if is_search else DETAILS_UNITS
        self.asked[query["query"] if is_search else "details:" + query["placeid"]] += 1
        place = {"place_id": f"id {query.get('query', '')}", "name": "Parafia", "formatted_address": "Opole"}
        answer = {"results": [place]} if is_search else {"result": {}}
        body = json.dumps({"status": "OK", "html_attributions": [], **answer}).encode()
        return Response(200, body, "application/json", delay_seconds=self.delay_seconds)


@pytest.fixture
def places() -> Iterator[tuple[CountingPlaces, LoopbackServer]]:
    counting = CountingPlaces()
    server = LoopbackServer(counting.respond)
    server.start()
    yield counting, server
    server.stop()


class Nursery:
    """Starts worker processes quickly: one interpreter that has imported everything forks them."""

    def __init__(self, state: Path, server: LoopbackServer) -> None:
        self._state, self._port = state, server.port
        command = [sys.executable, "-m", "mass_pipeline_tests.gathering.quota_worker"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, parishes: int, limit: int, lease_seconds: float = 0.5) -> int:
        """Number of a new worker process."""
        return int(self._ask(f"{self._state} {self._port} {parishes} {limit} {lease_seconds}"))

    def wait(self) -> int:
        """Number of workers that ended badly, once all have ended."""
        return int(self._ask("wait"))

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, line: str) -> str:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


@pytest.fixture
def nursery(tmp_path: Path, places: tuple[CountingPlaces, LoopbackServer]) -> Iterator[Nursery]:
    opened = Nursery(tmp_path / "state.sqlite", places[1])
    yield opened
    opened.close()


def answered(state: Path) -> set[str]:
    """Questions whose answer is on the disk."""
    with DiscoveryState(state) as opened:
        return {str(row[0]) for row in opened.rows("SELECT question FROM answers")}


def soak(state: Path, nursery: Nursery, counting: CountingPlaces, kills: int, seed: int) -> None:
    """Two processes at a time, both killed at a random moment; every few kills the limit is raised as a new day would."""
    chance = random.Random(seed)
    limit, parishes, killed = 0, 0, 0
    while killed < kills:
        limit, parishes = limit + 150, parishes + 20
        for _ in range(5):
            known, before = answered(state), Counter(counting.asked)
            racing = [nursery.start(parishes, limit) for _ in range(2)]
            _wait_for_units(counting, counting.units + chance.randint(0, 60), chance.uniform(0.0, 0.003))
            for process in racing:
                os.kill(process, signal.SIGKILL)
            killed += nursery.wait()
            asked = {question for question, times in counting.asked.items() if times > before[question]}

            assert counting.units <= limit
            assert not {q for q in asked if f"search:legacy:pl:pl:{q}" in known or q in known}
    assert counting.units > kills  # the kills did hit work


def _wait_for_units(counting: CountingPlaces, units: int, jitter_seconds: float) -> None:
    """Until so many units were asked for, or nothing seems to come any more: kills hit work on a busy machine too."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while counting.units < units and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(jitter_seconds)


class TestKillsAndRaces:
    def test_fifteen_kills_of_two_racing_processes(
        self, tmp_path: Path, nursery: Nursery, places: tuple[CountingPlaces, LoopbackServer]
    ) -> None:
        soak(tmp_path / "state.sqlite", nursery, places[0], kills=15, seed=1)

    @pytest.mark.soak
    def test_a_thousand_kills_of_two_racing_processes(
        self, tmp_path: Path, nursery: Nursery, places: tuple[CountingPlaces, LoopbackServer]
    ) -> None:
        soak(tmp_path / "state.sqlite", nursery, places[0], kills=1000, seed=2)

    def test_what_was_in_flight_at_a_kill_is_asked_again_once(
        self, tmp_path: Path, nursery: Nursery, places: tuple[CountingPlaces, LoopbackServer]
    ) -> None:
        """It is waited for until its lease is over, by every process that needs it; the lost call stays spent."""
        counting = places[0]
        counting.delay_seconds = 30.0
        killed = nursery.start(parishes=1, limit=100)
        while not counting.units:
            time.sleep(0.01)
        os.kill(killed, signal.SIGKILL)
        assert nursery.wait() == 1

        counting.delay_seconds = 0.002
        for _ in range(2):
            nursery.start(parishes=1, limit=100)
        assert nursery.wait() == 0
        with DiscoveryState(tmp_path / "state.sqlite") as state:
            assert state.rows("SELECT count(*) FROM decisions") == [(1,)]
            calls = state.rows("SELECT outcome, sum(units) FROM calls GROUP BY outcome")
        assert dict(calls) == {"failed": SEARCH_UNITS, "answered": SEARCH_UNITS + DETAILS_UNITS}
        assert counting.units == 2 * SEARCH_UNITS + DETAILS_UNITS

    def test_two_processes_that_live_share_the_work_and_the_limit(
        self, nursery: Nursery, places: tuple[CountingPlaces, LoopbackServer]
    ) -> None:
        for _ in range(2):
            nursery.start(parishes=60, limit=330, lease_seconds=60.0)  # a busy machine lets a living process wait for seconds

        assert nursery.wait() == 0
        assert 300 < places[0].units <= 330
        assert max(places[0].asked.values()) == 1
