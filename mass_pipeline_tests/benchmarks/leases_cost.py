"""What leases of hosts cost: CPU and time of one exchange with the store, alone and beside others.

    python -m mass_pipeline_tests.benchmarks.leases_cost [--hosts 500] [--held 50] [--processes 6] [--store PLACE]

A host is claimed, its pace told as it is given back; leases are renewed many at a time. PLACE is a folder or a database
(`postgresql://...`); without it a new folder. Beside others: so many processes claim hosts of their own at the same time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.queues import SimpleQueue

from mass_pipeline.crawling.fetching.leases.client import open_leases
from mass_pipeline.crawling.fetching.leases.ports import HOST, Claim, HostNote, LeaseStore, Said
from mass_pipeline_tests.benchmarks.targets import Targets

TARGET_CPU_MS = 1.0  # of a claim and of what is given back, together
TARGET_WAIT_MS = 250.0  # of the slowest hundredth beside others: a host is asked every two seconds
_SECONDS = 30.0
_FORK = multiprocessing.get_context("fork")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and clock of a piece of work, in milliseconds."""
    clock, cpu = time.perf_counter(), time.process_time()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - clock) * 1000


def hosts_in_turn(store: LeaseStore, owner: str, hosts: int) -> list[tuple[float, float]]:
    """CPU and clock, for each host, of claiming it and of giving it back with its pace."""
    found = []
    for number in range(hosts):
        claim = Claim(f"{HOST}{owner}-{number}.example")

        def turn(claim: Claim = claim) -> None:
            [grant] = store.exchange(owner, Said(claims=(claim,)), _SECONDS).grants
            if grant is None:
                raise AssertionError(f"{claim.key} is held by nobody else")
            store.exchange(owner, Said(notes={grant.lease: HostNote(1.0, 2.0)}, given_up=(grant.lease,)), _SECONDS)

        found.append(timed(turn))
    return found


def _beside(place: str, owner: str, hosts: int, answer: SimpleQueue[list[float]]) -> None:
    with closing(open_leases(place)) as store:
        answer.put([clock for _, clock in hosts_in_turn(store, owner, hosts)])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hosts", type=int, default=500, help="of each process")
    parser.add_argument("--held", type=int, default=50, help="leases that are renewed together")
    parser.add_argument("--processes", type=int, default=6)
    parser.add_argument("--store", help="folder or database")
    given = parser.parse_args()
    targets = Targets()
    with tempfile.TemporaryDirectory() as folder:
        place = given.store or folder
        with closing(open_leases(place)) as store:
            alone = hosts_in_turn(store, f"alone-{os.getpid()}", given.hosts)
            owner = f"many-{os.getpid()}"
            store.exchange(owner, Said(claims=tuple(Claim(f"{HOST}{owner}-{n}.example") for n in range(given.held))), _SECONDS)
            renewed = [timed(lambda: store.exchange(owner, Said(seconds=_SECONDS), _SECONDS)) for _ in range(100)]
        answer: SimpleQueue[list[float]] = _FORK.SimpleQueue()
        names = [f"p{number}-{os.getpid()}" for number in range(given.processes)]
        others = [_FORK.Process(target=_beside, args=(place, name, given.hosts, answer)) for name in names]
        for other in others:
            other.start()
        clocks = sorted(clock for _ in others for clock in answer.get())
        for other in others:
            other.join()
    cpu = statistics.median(cpu for cpu, _ in alone)
    print(f"a host claimed and given back: {cpu:.2f} ms of CPU, {statistics.median(clock for _, clock in alone):.2f} ms")
    print(f"{given.held} leases renewed: {statistics.median(cpu for cpu, _ in renewed):.2f} ms of CPU")
    slow = clocks[int(len(clocks) * 0.99)]
    print(f"beside {given.processes - 1} others: {statistics.median(clocks):.2f} ms, the slowest hundredth {slow:.1f} ms")
    targets.at_most("CPU of a host", cpu, TARGET_CPU_MS, " ms")
    targets.at_most("the slowest hundredth beside others", slow, TARGET_WAIT_MS, " ms")
    return targets.end()


if __name__ == "__main__":
    sys.exit(main())
