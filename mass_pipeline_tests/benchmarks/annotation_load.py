"""Votes per second against the real app, of which something is killed (-9) again and again; checks every acknowledged vote.

python -m mass_pipeline_tests.benchmarks.annotation_load --rate 100 --seconds 300 --kills 50 --database postgresql://...

`--victim worker` (default) kills one of the worker processes, which the supervisor replaces; `--victim all` kills the supervisor,
with which its workers die, and starts the app anew.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
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
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import aiohttp

from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.campaign import questions

_TOKEN = re.compile(r'name="(item|token)" value="([^"]*)"')
_COOKIE = re.compile(r"__Host-voter=([^;]+)")


@dataclass
class Voter:
    """One simulated person at a network of its own."""

    number: int
    cookie: str = ""
    form: dict[str, str] = field(default_factory=dict)
    pending: str = ""

    @property
    def headers(self) -> dict[str, str]:
        address = f"10.{self.number // 250}.{self.number % 250}.7"
        return {"X-Forwarded-For": address, "Cookie": f"__Host-voter={self.cookie}" if self.cookie else ""}

    @property
    def voter_id(self) -> str:
        return self.cookie.split("|")[0]


@dataclass
class Result:
    """What was measured; times in milliseconds."""

    acknowledged: dict[tuple[str, str], str] = field(default_factory=dict)
    sent: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    vote_ms: list[float] = field(default_factory=list)
    cycle_ms: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    n_late: int = 0
    cpu_seconds: float = 0.0


class Server:
    """The app as its operator starts it, in processes of its own."""

    def __init__(self, database: str, folder: Path, n_workers: int) -> None:
        self.database, self.folder, self.n_workers = database, folder, n_workers
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environ = {name: value for name, value in os.environ.items() if not name.startswith("MASS_PIPELINE_")}
        environ |= {"MASS_PIPELINE_DATA_FOLDER": str(self.folder), "MASS_PIPELINE_ANNOTATION_TRUSTED_PROXIES": "127.0.0.1"}
        command = [sys.executable, "-c", "from mass_pipeline.cli import main; main()", "annotate"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--database", self.database, "--workers", str(self.n_workers)],
            env=environ,
            stderr=subprocess.DEVNULL,
        )

    def workers(self) -> list[int]:
        """Process ids of the workers."""
        assert self.process is not None
        pid = self.process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def cpu_seconds(self) -> float:
        """Processor time of the supervisor and its present workers."""
        assert self.process is not None
        ticks = 0
        for pid in (self.process.pid, *self.workers()):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def kill_worker(self, rng: random.Random) -> None:
        """Kill one worker; its supervisor replaces it."""
        workers = self.workers()
        if workers:
            os.kill(rng.choice(workers), signal.SIGKILL)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    async def until_up(self, seconds: float = 60.0) -> None:
        for _ in range(int(seconds / 0.05)):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            await asyncio.sleep(0.05)
        raise TimeoutError("the server did not come up")


class Load:
    """Voters who answer at a fixed rate, whatever the server does."""

    def __init__(self, server: Server, n_voters: int, victim: str = "worker", seed: int = 1) -> None:
        self.server = server
        self.victim = victim
        self.result = Result()
        self.rng = random.Random(seed)
        self.voters = [Voter(number) for number in range(n_voters)]
        self.idle: asyncio.Queue[Voter] = asyncio.Queue()

    async def run(self, rate: float, seconds: float, kills: int) -> Result:
        await self.server.until_up()
        connector = aiohttp.TCPConnector(limit=100)
        base = {"Origin": self.server.origin, "Accept-Encoding": "identity"}
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(self.server.origin, connector=connector, headers=base, cookie_jar=jar) as session:
            for voter in self.voters:
                await self._join(session, voter)
            self.result.cycle_ms.clear()
            cpu_before = self.server.cpu_seconds()
            killer = asyncio.create_task(self._kill_regularly(kills, seconds))
            tasks = await self._vote_steadily(session, rate, seconds)
            await killer
            await asyncio.wait(tasks, timeout=60)
            self.result.cpu_seconds = self.server.cpu_seconds() - cpu_before if kills == 0 else 0.0
        return self.result

    async def _join(self, session: aiohttp.ClientSession, voter: Voter) -> None:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        async with session.post("/instructions", headers=voter.headers | form, allow_redirects=False) as response:
            found = _COOKIE.search(response.headers.get("Set-Cookie", ""))
            assert found, (response.status, await response.text())
            voter.cookie = found.group(1).strip('"')
        await self._next(session, voter)
        self.idle.put_nowait(voter)

    async def _next(self, session: aiohttp.ClientSession, voter: Voter) -> None:
        async with session.get("/task", headers=voter.headers, allow_redirects=False) as response:
            text = await response.text()
            self.result.statuses[f"task {response.status}"] += 1
        voter.form = dict(reversed([(name, html.unescape(value)) for name, value in _TOKEN.findall(text)]))

    async def _vote_steadily(self, session: aiohttp.ClientSession, rate: float, seconds: float) -> set[asyncio.Task[None]]:
        tasks: set[asyncio.Task[None]] = set()
        begun = time.perf_counter()
        for slot in range(int(rate * seconds)):
            delay = begun + slot / rate - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            try:
                voter = self.idle.get_nowait()
            except asyncio.QueueEmpty:
                self.result.n_late += 1  # everybody waits for a server that is down: this slot is lost
                continue
            tasks.add(asyncio.create_task(self._cycle(session, voter)))
        return tasks

    async def _cycle(self, session: aiohttp.ClientSession, voter: Voter) -> None:
        """One answer and the next question; repeated as a person would after a broken connection."""
        if "item" not in voter.form:
            self.result.statuses["nothing to answer"] += 1
            return
        key = (voter.voter_id, voter.form["item"])
        answer = self.rng.choice(["yes", "yes", "no", "cancelled", "unknown"])
        self.result.sent.setdefault(key, set()).add(answer)
        while True:
            begun = time.perf_counter()
            try:
                status = await self._vote(session, voter, answer)
                if status == 303:
                    self.result.vote_ms.append(1000 * (time.perf_counter() - begun))
                    self.result.acknowledged[key] = answer
                    await self._next(session, voter)
                    self.result.cycle_ms.append(1000 * (time.perf_counter() - begun))
                elif status == 429:
                    await asyncio.sleep(2)
                break
            except (aiohttp.ClientError, OSError):
                self.result.statuses["broken connection"] += 1
                await asyncio.sleep(self.rng.uniform(0.5, 3.0))  # as a person presses again, not as a machine
        self.idle.put_nowait(voter)

    async def _vote(self, session: aiohttp.ClientSession, voter: Voter, answer: str) -> int:
        fields = {"item": voter.form["item"], "token": voter.form["token"], "answer": answer}
        async with session.post("/vote", data=fields, headers=voter.headers, allow_redirects=False) as response:
            await response.read()
            self.result.statuses[f"vote {response.status}"] += 1
            return response.status

    async def _kill_regularly(self, kills: int, seconds: float) -> None:
        for _ in range(kills):
            await asyncio.sleep(
                max(seconds / kills - (0.0 if self.victim == "worker" else 2.5), 0.5) * self.rng.uniform(0.8, 1.2)
            )
            if self.victim == "worker":
                self.server.kill_worker(self.rng)
                continue
            self.server.kill()
            self.server.start()
            await self.server.until_up()


def check(database: str, result: Result) -> dict[str, int]:
    """Compare the store with what was acknowledged: lost, changed, doubled, never sent, and items whose count is wrong.

    Voters who answer at random for minutes get banned by their record; their answers may still be counted, or not any more.
    """
    store = open_store(database)
    votes = store.votes()
    stored = {(row.voter_id, row.candidate_id): row.answer for row in votes.itertuples()}
    lost = [key for key in result.acknowledged if key not in stored]
    changed = [key for key, answer in result.acknowledged.items() if key in stored and stored[key] != answer]
    most = votes.groupby("candidate_id").size().to_dict()
    least = votes[votes["standing"] != "banned"].groupby("candidate_id").size().to_dict()
    import sqlalchemy as sa

    from mass_pipeline.annotation.schema import items

    with store.engine.connect() as connection:
        recorded = {row.candidate_id: row.n_votes for row in connection.execute(sa.select(items.c.candidate_id, items.c.n_votes))}
    store.close()
    return {
        "acknowledged": len(result.acknowledged), "stored": len(votes), "lost": len(lost), "changed": len(changed),
        "doubled": len(votes) - len(stored), "never_sent": sum(key not in result.sent for key in stored),
        "wrong_item_counts": sum(not least.get(name, 0) <= n <= most.get(name, 0) for name, n in recorded.items()),
    }  # fmt: skip


def percentiles(values: list[float]) -> dict[str, float]:
    """Median, 95th, 99th percentile and maximum, milliseconds."""
    ordered = sorted(values) or [0.0]
    at = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: round(ordered[min(int(share * len(ordered)), len(ordered) - 1)], 1) for name, share in at.items()} | {
        "max": round(ordered[-1], 1)
    }


def run(
    database: str,
    *,
    rate: float,
    seconds: float,
    kills: int,
    n_voters: int,
    n_items: int,
    n_workers: int = 2,
    victim: str = "worker",
) -> dict[str, object]:
    """Fill an empty database, play, check. Returns the figures."""
    store = open_store(database)
    store.add_items(questions(n_items, random.Random(1), n_items // 50)[0], now=datetime.now(UTC))
    store.close()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(database, Path(folder), n_workers)
        server.start()
        try:
            result = asyncio.run(Load(server, n_voters, victim).run(rate, seconds, kills))
        finally:
            server.kill()
    return {
        "rate": rate, "seconds": seconds, "workers": n_workers, "kills": kills, "victim": victim,
        "votes_per_second": round(len(result.vote_ms) / seconds, 1),
        "vote_ms": percentiles(result.vote_ms), "vote_and_next_page_ms": percentiles(result.cycle_ms),
        "lost_slots": result.n_late, "server_cpu_ms_per_vote": round(1000 * result.cpu_seconds / max(len(result.vote_ms), 1), 2),
        "load_average": os.getloadavg()[0], "statuses": dict(result.statuses), **check(database, result),
    }  # fmt: skip


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", required=True, help="an empty database")
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--victim", choices=["worker", "all"], default="worker")
    parser.add_argument("--voters", type=int, default=600)
    parser.add_argument("--items", type=int, default=20_000)
    given = parser.parse_args()
    figures = run(
        given.database,
        rate=given.rate,
        seconds=given.seconds,
        kills=given.kills,
        n_voters=given.voters,
        n_items=given.items,
        n_workers=given.workers,
        victim=given.victim,
    )
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
