"""The public server of a whole country under load: kill -9 and swaps in between, every answer compared with its generation.

    python -m mass_pipeline_tests.benchmarks.public_load [--parishes 10130] [--days 60] [--seconds 300] [--rate 50] [--folder DIR]
    python -m mass_pipeline_tests.benchmarks.public_load --carrier --seconds 60

`mass-pipeline public serve` as a process of its own on one core; requests leave at fixed moments, whatever came of others.
A wrong answer is one that differs from what an untouched server gives of the generation that the answer names; one of two
generations would be mixed. With --carrier it is another minute: 500 phones behind one carrier's address ask for a page each
20 s (25 a second) while another address asks 100 times a second, with the limits that the site has by default; addresses come by
X-Forwarded-For of a trusted proxy. Requests between a kill and the first healthy answer are counted apart. Waiting is that of the
machine: run it where nothing else runs; the load of the machine is printed. Ends with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import aiohttp
from starlette.testclient import TestClient

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.index.building import Horizon, build_index
from mass_pipeline.finding.index.generations import INDEX_NAME, Generation, Generations
from mass_pipeline.finding.index.library import Library
from mass_pipeline.public_web.app import create_app
from mass_pipeline.public_web.site import make_site
from mass_pipeline_tests.benchmarks.public_search import FIRST, NOW, parishes
from mass_pipeline_tests.benchmarks.targets import Quantiles, Targets

_CORES = sorted(os.sched_getaffinity(0))
_QUESTIONS = 200
_NAME = re.compile(r"gen-\d{8}T\d{6}Z-[0-9a-f]{8}")
_NO_LIMITS = {"MASS_PIPELINE_PUBLIC_PAGES_PER_MINUTE": "10000000", "MASS_PIPELINE_PUBLIC_API_PER_MINUTE": "10000000"}
_CARRIER = {"phones": ("203.0.113.7", 25), "hammer": ("198.51.100.9", 100)}  # address and requests a second
_SERVE = "from mass_pipeline.cli import main; main()"


@dataclass
class Figures:
    """What came of the requests; milliseconds."""

    spent: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    cpu: float = 0.0


def two_generations(folder: Path, count: int, days: int) -> list[Generation]:
    """Two whole generations of other parishes, built unless they are there."""
    generations = Generations(folder / "public")
    for number in range(len(generations.all()), 2):

        def write(aside: Path, number: int = number) -> dict[str, object]:
            build_index(aside / INDEX_NAME, parishes(count, 1 + number), Horizon(FIRST, days), NOW + timedelta(hours=number))
            return {"objections": []}

        generations.build(NOW + timedelta(hours=number), write)
    return generations.all()[:2]


def questions(rng: random.Random) -> list[str]:
    """Addresses of the Sunday peak: half pages, half API."""
    found = []
    for number in range(_QUESTIONS):
        at = f"lat={rng.uniform(49.6, 54):.3f}&lon={rng.uniform(15, 23):.3f}"
        page = f"/en/msze?{at}&dzien=2026-11-22&od=07:00&do=13:00"
        found.append(page if number % 2 else f"/api/v1/masses?{at}&from=2026-11-22T07:00&to=2026-11-22T13:00")
    return found


def expected_of(folder: Path, made: Generation, asked: list[str]) -> dict[str, str]:
    """Address -> answer of a server that has never had another generation."""
    Generations(folder / "public").put_in_force(made)
    config = PublicConfig(pages_per_minute=10**7, api_per_minute=10**7, public_hosts=("127.0.0.1",))
    site = make_site(Library(folder / "public"), config, lambda: NOW, folder)
    client = TestClient(create_app(site), base_url="http://127.0.0.1")
    return {address: client.get(address).text for address in asked}


class Server:
    """`mass-pipeline public serve` on one core, begun again after each kill."""

    def __init__(self, folder: Path, limits: Mapping[str, str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self._environ = {
            **os.environ,
            "MASS_PIPELINE_DATA_FOLDER": str(folder),
            **limits,
            "MASS_PIPELINE_OPERATION_FROZEN_NOW": NOW.isoformat(),
        }
        self.is_up = False
        self.cpu = 0.0
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin a process on the last core."""
        command = [sys.executable, "-c", _SERVE, "public", "serve", "--port", str(self.port)]
        self._process = subprocess.Popen(
            ["taskset", "-c", str(_CORES[-1]), *command], env=self._environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self) -> None:
        """End it with SIGKILL, its processor's time noted."""
        assert self._process is not None
        self.is_up = False
        os.kill(self._process.pid, signal.SIGKILL)
        _, _, usage = os.wait4(self._process.pid, 0)
        self.cpu += usage.ru_utime + usage.ru_stime
        self._process.returncode = -signal.SIGKILL

    async def wait(self, session: aiohttp.ClientSession) -> float:
        """Seconds until it answers."""
        began = time.monotonic()
        while True:
            try:
                async with session.get(f"http://127.0.0.1:{self.port}/zdrowie") as answer:
                    if answer.status == 200:
                        self.is_up = True
                        return time.monotonic() - began
            except aiohttp.ClientError:
                await asyncio.sleep(0.05)


def judged(address: str, text: str, expected: dict[str, dict[str, str]]) -> str:
    """How an answer is: right for one generation, or wrong."""
    fitting = [name for name, answers in expected.items() if answers[address] == text]
    if not fitting:
        return "wrong or mixed"
    named = _NAME.search(text)
    return "right" if named is None or named[0] in fitting else "wrong or mixed"


async def ask(
    session: aiohttp.ClientSession, server: Server, address: str, expected: dict[str, dict[str, str]], figures: Figures
) -> None:
    """One request and what came of it."""
    was_up, began = server.is_up, time.perf_counter()
    try:
        async with session.get(f"http://127.0.0.1:{server.port}{address}") as answer:
            text = await answer.text()
            outcome = judged(address, text, expected) if answer.status == 200 else f"status {answer.status}"
    except (aiohttp.ClientError, TimeoutError):
        outcome = "no answer"
    if not (was_up and server.is_up):
        outcome = f"restart: {outcome}"
    elif outcome == "right":
        figures.spent.append((time.perf_counter() - began) * 1000)
    figures.outcomes[outcome] += 1


async def trouble(
    server: Server, session: aiohttp.ClientSession, folder: Path, made: list[Generation], chosen: argparse.Namespace
) -> None:
    """Swaps and kills at even distances over the time."""
    generations = Generations(folder / "public")
    events = sorted(
        [((n + 1) / (chosen.swaps + 1), "swap") for n in range(chosen.swaps)]
        + [((n + 0.6) / chosen.kills, "kill") for n in range(chosen.kills)]
    )
    began, swapped = time.monotonic(), 0
    for share, kind in events:
        await asyncio.sleep(max(0.0, began + share * chosen.seconds - time.monotonic()))
        if kind == "swap":
            swapped += 1
            generations.put_in_force(made[swapped % 2])
        else:
            server.kill()
            server.start()
            print(f"killed, healthy again after {await server.wait(session):.1f} s")


async def load(folder: Path, made: list[Generation], expected: dict[str, dict[str, str]], chosen: argparse.Namespace) -> Figures:
    """Requests at fixed moments while generations are swapped and the server is killed."""
    figures, server, rng = Figures(), Server(folder, _NO_LIMITS), random.Random(4)
    asked = list(next(iter(expected.values())))
    timeout = aiohttp.ClientTimeout(total=20)
    async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=500)) as session:
        server.start()
        print(f"healthy after {await server.wait(session):.1f} s")
        for address in asked[:20]:
            await ask(session, server, address, expected, Figures())
        meddling = asyncio.create_task(trouble(server, session, folder, made, chosen))
        began, tasks = time.monotonic(), set[asyncio.Task[None]]()
        for number in range(chosen.seconds * chosen.rate):
            await asyncio.sleep(max(0.0, began + number / chosen.rate - time.monotonic()))
            task = asyncio.create_task(ask(session, server, rng.choice(asked), expected, figures))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.gather(*tasks)
        await meddling
        server.kill()
    figures.cpu = server.cpu
    return figures


async def carrier(folder: Path, asked: list[str], seconds: int) -> dict[str, Counter[int]]:
    """Statuses of a carrier's phones and of a hammer, by who asks."""
    server, outcomes = (
        Server(folder, {"MASS_PIPELINE_PUBLIC_TRUSTED_PROXIES": "127.0.0.1"}),
        {who: Counter[int]() for who in _CARRIER},
    )

    async def one(session: aiohttp.ClientSession, who: str, address: str) -> None:
        headers = {"X-Forwarded-For": _CARRIER[who][0]}
        async with session.get(f"http://127.0.0.1:{server.port}{address}", headers=headers) as answer:
            await answer.read()
            outcomes[who][answer.status] += 1

    events = sorted((number / rate, who) for who, (_, rate) in _CARRIER.items() for number in range(seconds * rate))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=500)) as session:
        server.start()
        await server.wait(session)
        began, tasks = time.monotonic(), list[asyncio.Task[None]]()
        for number, (at, who) in enumerate(events):
            await asyncio.sleep(max(0.0, began + at - time.monotonic()))
            tasks.append(asyncio.create_task(one(session, who, asked[number % len(asked)])))
        await asyncio.gather(*tasks)
        server.kill()
    return outcomes


def crowd_and_hammer(folder: Path, made: Generation, asked: list[str], seconds: int) -> int:
    """Ask and print; 1 when a phone is refused or the hammer is served on."""
    Generations(folder / "public").put_in_force(made)
    outcomes = asyncio.run(carrier(folder, [address for address in asked if not address.startswith("/api/")], seconds))
    print({who: dict(found) for who, found in outcomes.items()}, f"load of the machine {os.getloadavg()[0]:.1f}")
    targets = Targets()
    targets.at_most("phones refused", sum(n for status, n in outcomes["phones"].items() if status != 200), 0)
    targets.at_most("the hammer's pages, of its burst and a third of it more", outcomes["hammer"][200], 900)
    return targets.end()


def main() -> int:
    """Build, ask, print; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("parishes", 10_130), ("days", 60), ("seconds", 300), ("rate", 50), ("swaps", 20), ("kills", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--folder", type=Path, help="where generations are kept; a temporary folder by default")
    parser.add_argument("--carrier", action="store_true", help="500 phones behind one address, and a hammer at another")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder: Path = chosen.folder or Path(temporary)
        made = two_generations(folder, chosen.parishes, chosen.days)
        os.sched_setaffinity(0, {_CORES[0]})  # the server has the last one to itself
        asked = questions(random.Random(3))
        if chosen.carrier:
            return crowd_and_hammer(folder, made[0], asked, chosen.seconds)
        expected = {one.name: expected_of(folder, one, asked) for one in made}
        assert all(len({answers[address] for answers in expected.values()}) == 2 for address in asked)
        figures = asyncio.run(load(folder, made, expected, chosen))
    waited, targets, asked_for = Quantiles.of(figures.spent), Targets(), chosen.seconds * chosen.rate
    print(f"{dict(figures.outcomes)}; load of the machine {os.getloadavg()[0]:.1f}")
    print(f"{figures.cpu:.0f} s CPU of the server, {chosen.kills + 1} starts among them")
    print(f"waiting outside the restarts: p50 {waited.p50:.0f} ms, p95 {waited.p95:.0f} ms, p99 {waited.p99:.0f} ms")
    bad = sum(n for name, n in figures.outcomes.items() if name not in ("right", "restart: right", "restart: no answer"))
    targets.at_most("wrong, mixed, failed or missing answers", bad, 0)
    targets.at_most("p99 outside the restarts", waited.p99, 100, " ms")
    targets.at_most("share of a core", figures.cpu / chosen.seconds, 0.5)
    targets.at_least("answers", figures.outcomes["right"] / asked_for, 0.9)
    return targets.end()


if __name__ == "__main__":
    sys.exit(main())
