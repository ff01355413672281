"""Every user of the chain dies again and again, by kill -9, by power cuts and by failing disks, and ends as one that lived.

    python -m mass_pipeline_tests.benchmarks.deaths [--runs 40] [--seed 1] [--kinds kills,cuts,faults] [--users crawl,links]

The users stand in `mass_pipeline_tests.crawling.users`. A kill comes at any request, from before the first to the last; a power
cut leaves any state that a disk may be left in (`crash_states`); a fault lets one system call fail with ENOSPC or EIO. Then the
user is run to its end. Prints a table of user and kind; exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline_tests.crawling import users
from mass_pipeline_tests.crawling.crash_states import Call, Disk, put_back, random_faults, record
from mass_pipeline_tests.crawling.loopback import RESERVATIONS, Loopback
from mass_pipeline_tests.crawling.made import QUICK
from mass_pipeline_tests.crawling.users import MORE_POLICIES, USERS, run_to_its_end, user_of

GAP_SECONDS: Final = 0.05
DEATHS_OF_A_RUN: Final = 3
KINDS: Final = ("kills", "stops", "cuts", "faults")
_INTERRUPTED: Final = 130
_MODULE: Final = __spec__.name if __spec__ else __name__
_UNTOLD: Final = ("-shm", ".lock", ".log")  # of these nothing is promised
_FOR_ALL: Final = ("/robots.txt", RESERVATIONS)  # asked once a day, or in every run
_CHILDREN: Final = multiprocessing.get_context("forkserver")  # each is forked from one process that has loaded everything
_CHILDREN.set_forkserver_preload([users.__name__])


@dataclass
class Figures:
    """What came of one user and one kind of death.

    Attributes:
        runs: ended, after one or more deaths each. right: those that ended as one that lived.
        deaths: in all of them.
        twice: pages asked for again; some may be, of those that no state held when the process died.
        paid_twice: pages asked for again though the state held them; must be none.
        least_gap: seconds between two requests to a host, those of different processes included.
        excess: a death that cost more pages than the user may ask for again.
        unclear: ends that were neither good nor one clear error.
        late: requests after a signal to stop, above those that were under way.
    """

    runs: int = 0
    right: int = 0
    deaths: int = 0
    twice: int = 0
    paid_twice: int = 0
    least_gap: float = float("inf")
    excess: int = 0
    unclear: int = 0
    late: int = 0

    @property
    def is_unharmed(self) -> bool:
        """Whether every promise was kept."""
        harmless = self.right == self.runs and not (self.paid_twice or self.excess or self.unclear or self.late)
        return harmless and self.least_gap >= GAP_SECONDS

    def row(self, user: str, kind: str) -> str:
        """A line of the table."""
        gap = "-" if self.least_gap == float("inf") else f"{1000 * self.least_gap:.0f} ms"
        return f"{user:<15}{kind:<8}{self.deaths:>7}{self.runs:>6}{self.right:>7}{self.twice:>7}{self.paid_twice:>7}{gap:>10}"


HEADER: Final = f"{'user':<15}{'kind':<8}{'deaths':>7}{'runs':>6}{'right':>7}{'twice':>7}{'paid':>7}{'least gap':>10}"


# kill -9


def kills(name: str, count: int, seed: int, *, leases: bool, stopped: bool = False) -> Figures:
    """Runs of a user, each killed up to three times.

    Args:
        count: of runs.
        stopped: by SIGTERM instead, to which a handler raises an interrupt, as Dagster's does.
        leases: hosts are leased, as by every command; without, the user's own state tells when a host was asked.
    """
    chance, figures, user = random.Random(f"{name} {seed}"), Figures(), user_of(name)
    config = replace(QUICK, no_delay=False, start_delay_seconds=GAP_SECONDS, host_gap_seconds=GAP_SECONDS, lease_seconds=1.0)
    with Loopback(user.sites) as server, _scratch() as folder:
        expected, asked_alive = _alive(name, server, folder)
        for number in range(count):
            own = replace(config, leases=str(folder / f"leases-{number}") if leases else "")
            life = _Life(name, server, folder / f"state-{number}", own, figures, stopped=stopped)
            server.requests.clear()
            for _ in range(chance.randint(1, DEATHS_OF_A_RUN)):
                if not life.live(chance.randint(0, sum(asked_alive.values()) // 2), chance.uniform(0, 2 * GAP_SECONDS)):
                    break
            else:
                life.live(None, 0)
            figures.runs += 1
            figures.right += life.result() == expected
            again = (_pages(server) - asked_alive).total()
            figures.twice += again
            figures.excess += again > life.deaths * user.again
            figures.least_gap = min(figures.least_gap, least_gap(server))
    return figures


class _Life:
    """One run of a user, in one process after another."""

    def __init__(self, name: str, server: Loopback, state: Path, config: CrawlConfig, figures: Figures, *, stopped: bool) -> None:
        self._name, self._server, self._state, self._config, self._figures = name, server, state, config, figures
        self._stopped = stopped
        self._end = state.with_suffix(".end")
        self.deaths = 0

    def live(self, until: int | None, then_seconds: float) -> bool:
        """Start a process; True when it was killed so long after so many requests, False when it had ended well before."""
        kept, since = user_of(self._name).kept(self._state), len(self._server.requests)
        parts = (self._name, self._state, self._server.port, self._config, self._end)
        process = _CHILDREN.Process(target=_run_until_stopped if self._stopped else run_to_its_end, args=parts)
        process.start()
        if until is not None:
            self._wait(process, since + until)
            process.join(then_seconds)
            asked = len(self._server.requests)
            process.terminate() if self._stopped else process.kill()
            process.join(120)
            self._figures.late += max(0, len(self._server.requests) - asked - len(self._server.sites))
        process.join(120)
        assert process.exitcode in (0, -9, -signal.SIGTERM, _INTERRUPTED), f"{self._name}: exit code {process.exitcode}"
        self._figures.paid_twice += len(kept & _pages(self._server, since).keys())
        self._figures.deaths += process.exitcode != 0
        self.deaths += process.exitcode != 0
        return process.exitcode != 0

    def _wait(self, process: BaseProcess, requests: int) -> None:
        while len(self._server.requests) < requests and process.is_alive():
            time.sleep(0.002)

    def result(self) -> object:
        """What the last process ended with."""
        return pickle.loads(self._end.read_bytes()) if self._end.exists() else None


def _run_until_stopped(*parts: Any) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    try:
        run_to_its_end(*parts)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _alive(name: str, server: Loopback, folder: Path) -> tuple[object, Counter[str]]:
    """What a run ends with that nobody kills, and what it asks for."""
    result = user_of(name).run(folder / "alive", server.connect_to, QUICK)
    asked = _pages(server)
    server.requests.clear()
    return result, asked


def _pages(server: Loopback, since: int = 0) -> Counter[str]:
    """URLs of pages that were asked for, and how often."""
    return Counter(f"http://{one.host}{one.path}" for one in server.requests[since:] if one.path not in _FOR_ALL)


def least_gap(server: Loopback) -> float:
    """Seconds between two requests to one host, of all processes together."""
    moments: dict[str, list[float]] = {}
    for request in server.requests:
        moments.setdefault(request.host, []).append(request.at)
    return min((later - earlier for times in moments.values() for earlier, later in pairwise(times)), default=float("inf"))


# Power cuts


@dataclass(frozen=True)
class Recorded:
    """What one run of a user wrote, synced and renamed, in order."""

    name: str
    server: Loopback
    state: Path
    calls: Sequence[Call]

    def cut(self, count: int, seed: int, *, syncs: bool = True) -> Figures:
        """In each state that a power cut may leave the user is run to its end.

        Args:
            count: of cuts.
            syncs: False plays a disk that ignores them; the promises must break then, or the proof proves nothing.
        """
        chance, figures, left = random.Random(f"{self.name} {seed}"), Figures(), self.state.with_suffix(".left")
        expected, _ = _alive(self.name, self.server, self.state.with_suffix(".alive"))
        disk, sure, moment, last_sync = Disk(), Disk(), 0, 0
        for until in sorted(chance.randint(0, len(self.calls)) for _ in range(count)):
            for place in range(moment, until):
                is_sync = self.calls[place].name == "sync"
                if syncs or not is_sync:
                    disk.play(self.calls[place])
                if is_sync:
                    for call in self.calls[last_sync : place + 1]:
                        sure.play(call)
                    last_sync = place + 1
            moment = until
            put_back(sure.as_seen(), self.state, left)
            kept = user_of(self.name).kept(left)
            shutil.rmtree(left, ignore_errors=True)
            put_back(disk.after_power_cut(chance), self.state, left)
            figures.deaths += 1
            _run_on(self.name, self.server, left, expected, kept, figures)
            shutil.rmtree(left, ignore_errors=True)
        return figures


@contextmanager
def recorded(names: Sequence[str]) -> Iterator[dict[str, Recorded]]:
    """One run of each user, in one process."""
    with _scratch() as folder, _served(names) as servers:
        calls = record(_command("--live", folder, servers), folder, folder / "strace.log")
        found = {}
        for name, server in servers.items():
            state = folder / name
            own = [call for call in calls if f"{call.path}/".startswith(f"{state}/") and not call.path.endswith(_UNTOLD)]
            found[name] = Recorded(name, server, state, own)
        yield found


def _run_on(name: str, server: Loopback, state: Path, expected: object, kept: set[str], figures: Figures) -> None:
    """Run a user to its end on what was left."""
    server.requests.clear()
    figures.runs += 1
    try:
        figures.right += user_of(name).run(state, server.connect_to, QUICK) == expected
    except MassPipelineError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    again = kept & _pages(server).keys()
    figures.twice += len(again)
    figures.paid_twice += len(again)


# Failing disks


def faults(names: Sequence[str], count: int, seed: int) -> dict[str, Figures]:
    """Processes in each of which one system call fails; the next run of each user ends well.

    Args:
        names: users that run in one process after one another, so that the fault comes to one of them.
        count: of processes.
    """
    chance, found = random.Random(f"{names} {seed}"), {name: Figures() for name in names}
    with _scratch() as folder, _served(names) as servers:
        expected = {name: _alive(name, server, folder / name)[0] for name, server in servers.items()}
        some = random_faults(_command("--live", folder / "counted", servers), folder / "strace.log", chance)
        for number, (fault, strace) in enumerate(islice(some, count)):
            command = [*strace, *_command("--live", folder / str(number), servers)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            ended = done.stdout.split()
            for name, figures in found.items():
                figures.deaths += name in ended
                figures.unclear += done.returncode != 0
                state = folder / str(number) / name
                _run_on(name, servers[name], state, expected[name], user_of(name).kept(state), figures)
            if done.returncode:
                print(f"{fault}: exit code {done.returncode}\n{done.stderr[-3000:]}", file=sys.stderr)
    return found


# Common to all


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder in memory, where there is such a thing: what a death leaves is the same, and nobody waits for the disk."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="deaths-", dir=memory if memory.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _served(names: Sequence[str]) -> Iterator[dict[str, Loopback]]:
    servers = {name: Loopback(user_of(name).sites) for name in names}
    try:
        yield {name: server.__enter__() for name, server in servers.items()}
    finally:
        for server in servers.values():
            server.__exit__(None, None, None)


def _command(option: str, folder: Path, servers: dict[str, Loopback]) -> list[str]:
    return [sys.executable, "-m", _MODULE, option, str(folder), *(f"{name}={server.port}" for name, server in servers.items())]


def _live_all(folder: Path, ports: Sequence[str]) -> int:
    """The process that strace watches or disturbs: users one after another. Names those that ended with one of our errors."""
    for name, _, port in (port.partition("=") for port in ports):
        try:
            user_of(name).run(folder / name, lambda host, _: ("127.0.0.1", int(port)), QUICK)  # noqa: B023  # ends at once
        except MassPipelineError as error:
            print(name)
            print(f"{name}: {error}", file=sys.stderr)
    return 0


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=40, help="of each user and kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--users", default=",".join((*USERS, *MORE_POLICIES)))
    parser.add_argument("--live", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.live:
        return _live_all(Path(arguments.live[0]), arguments.live[1:])
    names, broken = arguments.users.split(","), False
    print(HEADER)
    for name, kind, figures in proofs(names, arguments.runs, arguments.seed, arguments.kinds.split(",")):
        print(figures.row(name, kind) + ("" if figures.is_unharmed else f"  BROKEN: {figures}"), flush=True)
        broken |= not figures.is_unharmed
    return int(broken)


def proofs(names: Sequence[str], runs: int, seed: int, kinds: Sequence[str] = KINDS) -> Iterator[tuple[str, str, Figures]]:
    """Name, kind and figures, one after another."""
    for name in names:
        if "kills" in kinds:
            yield name, "kills", kills(name, runs, seed, leases=True)
            if user_of(name).remembers_hosts:
                yield name, "alone", kills(name, runs, seed, leases=False)
        if "stops" in kinds:
            yield name, "stops", kills(name, runs, seed, leases=True, stopped=True)
        if "cuts" in kinds:
            with recorded([name]) as lives:
                yield name, "cuts", lives[name].cut(runs, seed)
        if "faults" in kinds:
            yield name, "faults", faults([name], runs, seed)[name]


if __name__ == "__main__":
    sys.exit(main())
