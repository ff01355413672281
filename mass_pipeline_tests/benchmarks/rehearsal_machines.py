"""The rehearsal on two worker machines: one loses its power while it crawls, the other is cut off for longer than leases last.

    make rehearsal MACHINES=2 PARISHES=2000
    python -m mass_pipeline_tests.benchmarks.rehearsal_machines [--parishes 200] [--places 2] [--quiet]

A machine here is a network of its own behind a cable that can be pulled, with process numbers, host name and disk of its own;
this needs root, and says so without it. Tables, models and copies of crawl states lie in object storage (moto), leases and
Dagster in PostgreSQL. With `--quiet` nothing befalls the machines. Prints the runs by status and the time of each job; what the
hosts saw; whether every diocese has its parts and no row stands twice; a digest of what was published, as `rehearsal` does.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import orjson

from mass_pipeline.model.columns import CANDIDATE_HOURS, CRAWLED_PAGES, MASS_SCHEDULES, PARISH_STATES
from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.benchmarks.cut_line import Line
from mass_pipeline_tests.benchmarks.moved_installation import WEB
from mass_pipeline_tests.benchmarks.rehearsal import LEASE_SECONDS, megabytes, tell_manners, tell_outcome
from mass_pipeline_tests.benchmarks.rehearsal_web import Served, Server, dioceses, serving
from mass_pipeline_tests.benchmarks.scale_chain import environment, lake_of, launch
from mass_pipeline_tests.benchmarks.scale_workers import Workers, wait_for
from mass_pipeline_tests.object_storage import fresh_address, storage_server
from mass_pipeline_tests.postgres import fresh_database

CODE = "mass_pipeline_tests.benchmarks.moved_definitions"
JOBS = {"directory_job": False, "crawl_job": True, "learning_job": False, "schedules_job": True}  # of each diocese?
CUT_SECONDS = 75.0  # lease 20 s, heartbeat of the broker 2 x 20 s
FAULTS = {"crawl_job": ((20, "kill"), (60, "back"), (90, "cut"), (90 + CUT_SECONDS, "mend"))}
PATIENCE_SECONDS = 7_200.0
NAMES = ("w1", "w2")


class Machines(Workers):
    """The two workers on machines of their own; arguments as of `Workers`."""

    def machine(self, name: str) -> Sequence[str]:
        disk, here = self._folder / "disks" / name, self._folder / "disk"
        for one in (disk, here):
            one.mkdir(parents=True, exist_ok=True)
        mounted = f'hostname {name} && mount --bind {disk} {here} && MASS_PIPELINE_STATE_FOLDER={here} exec "$@"'
        own = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts"]
        return ["ip", "netns", "exec", _space(name), *own, "sh", "-c", mounted, "machine"]

    def kill(self) -> None:
        """Power is lost: no connection is closed, as a process that ends would."""
        _plug("w1", "down")
        super().kill()

    def start_worker(self, name: str, lines: Mapping[str, str] | None = None) -> None:
        _plug(name, "up")
        super().start_worker(name, lines)

    def cut(self) -> None:
        _plug("w2", "down")

    def mend(self) -> None:
        _plug("w2", "up")


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


def _space(name: str) -> str:
    return f"mass{os.getpid()}{name}"


def _cable(name: str) -> str:
    return f"m{os.getpid() % 10_000_000}{name}"


def _plug(name: str, state: str) -> None:
    _ip("link", "set", _cable(name), state)


@contextmanager
def network() -> Iterator[str]:
    """A bridge with a cable to each machine; yields the address that machines reach this one by."""
    net = f"10.99.{os.getpid() % 250}"
    bridge = _cable("br")
    _ip("link", "add", bridge, "type", "bridge")
    try:
        _ip("addr", "add", f"{net}.1/24", "dev", bridge)
        _ip("link", "set", bridge, "up")
        for number, name in enumerate(NAMES, start=11):
            space, cable = _space(name), _cable(name)
            _ip("netns", "add", space)
            _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
            _ip("link", "set", cable, "master", bridge, "up")
            _ip("-n", space, "addr", "add", f"{net}.{number}/24", "dev", "eth0")
            _ip("-n", space, "link", "set", "eth0", "up")
            _ip("-n", space, "link", "set", "lo", "up")
        yield f"{net}.1"
    finally:
        for name in NAMES:
            subprocess.run(["ip", "netns", "delete", _space(name)], check=False)
        subprocess.run(["ip", "link", "delete", bridge], check=False)


def faults_of(lake: Lake, parishes: int) -> dict[str, int]:
    """Table -> rows that stand there more than once, over all dioceses; and how many parts and parishes are missing."""
    wanted = {row["key"] for row in dioceses()}
    found = {"parts missing": sum(len(wanted - set(lake.partitions(table))) for table in (CRAWLED_PAGES, MASS_SCHEDULES))}
    keys: dict[str, Callable[[Mapping[str, object]], object]] = {
        CRAWLED_PAGES.name: lambda row: (row["parish_id"], row["url"]),
        PARISH_STATES.name: lambda row: row["parish_id"],
    }
    for table in (CRAWLED_PAGES, CANDIDATE_HOURS, MASS_SCHEDULES, PARISH_STATES):
        rows = lake.reader(table, lake.partitions(table)).rows()
        counts = Counter(map(keys.get(table.name, lambda row: orjson.dumps(row, default=str)), rows))
        found[f"twice in {table.name}"] = sum(count - 1 for count in counts.values())
    found["parishes missing"] = parishes - len(counts)
    found["nothing published"] = int(not len(lake.reader(MASS_SCHEDULES, lake.partitions(MASS_SCHEDULES))))
    return found


def rehearse(chosen: argparse.Namespace, folder: Path, server: Server, shared: Mapping[str, str], here: str) -> int:
    """Run the chain; 0 when every run succeeded in the end and nothing is missing or doubled."""
    keys, script = [row["key"] for row in dioceses()], {} if chosen.quiet else FAULTS
    base = {name: value for name, value in os.environ.items() if not name.startswith(("MASS_PIPELINE_", "DAGSTER_"))}
    base |= {"PYTHONWARNINGS": "ignore", "DAGSTER_DISABLE_TELEMETRY": "1"}
    with fresh_database() as first, fresh_database() as second:
        machines = Machines(folder, shared, base, (first, second), code=CODE, places=chosen.places, here=here)
        try:
            wait_for(folder / "code")
            machines.switch_on("lost_runs")
            with environment(machines.environ):
                for job, each in JOBS.items():
                    began = time.monotonic()
                    ended = launch(machines, [(job, key) for key in (keys if each else [""])], script, PATIENCE_SECONDS)
                    print(f"{job:14}{time.monotonic() - began:7.0f} s  {ended}", flush=True)
                    if job == "directory_job":
                        server.forget()
                    if job == "crawl_job":
                        tell_manners(server, chosen.gap, 0)
                lake = lake_of(machines.environ)
        finally:
            machines.stop()
    with environment(dict(machines.environ)):
        tell_outcome(lake, server)
        found = faults_of(lake, chosen.parishes)
    for name in NAMES:
        disk = folder / "disks" / name
        crawled = len(list((disk / "state" / "crawl").glob("*")))
        print(f"{name}        crawled {crawled} dioceses, {megabytes(disk):.1f} MB on its disk")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"together  {used.ru_utime + used.ru_stime:.0f} CPU-s of the processes that ended in peace, without the services")
    print(f"complete  {found}: {'SHORT' if any(found.values()) else 'met'}", flush=True)
    return 1 if any(found.values()) else 0


def web_of(served: Served, port: int, address: str, file: Path) -> str:
    """What `moved_installation.WEB` says to processes that reach the served country there."""
    told = {"port": port, "address": address, "hosts": sorted(served.hosts), "places": f"http://{address}:{port}"}
    file.write_text(json.dumps(told), encoding="utf-8")
    return f"@{file}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--parishes", type=int, default=200)
    parser.add_argument("--gap", type=float, default=0.2, help="seconds a host is left alone (default: %(default)s)")
    parser.add_argument("--latency", type=float, default=0.02, help="seconds each answer takes (default: %(default)s)")
    parser.add_argument("--hostile", type=int, default=10, help="every so many-th host is hostile; 0: none")
    parser.add_argument("--places", type=int, default=2, help="runs at once on a machine (default: %(default)s)")
    parser.add_argument("--quiet", action="store_true", help="nothing befalls the machines")
    parser.add_argument("--keep-log", type=Path, help="copy the log of daemon and workers there")
    chosen = parser.parse_args()
    if os.geteuid() != 0:
        print("skipped: machines with networks of their own need root")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # machines outlive nobody
    with (
        tempfile.TemporaryDirectory(prefix="mass-machines-") as name,
        network() as here,
        serving(chosen.parishes, chosen.latency, chosen.hostile) as server,
        storage_server() as storage,
        Line(f"http://127.0.0.1:{server.served.port}", 80, here) as web,
    ):
        shared = {
            **storage,
            WEB: web_of(server.served, web.port, here, Path(name, "web.json")),
            "MASS_PIPELINE_DATA_FOLDER": fresh_address(),
            "MASS_PIPELINE_CRAWL_HOST_GAP_SECONDS": str(chosen.gap),
            "MASS_PIPELINE_CRAWL_LEASE_SECONDS": str(LEASE_SECONDS),
            "MASS_PIPELINE_OPERATION_EXPECTED_PARISHES": str(chosen.parishes),
        }
        try:
            return rehearse(chosen, Path(name), server, shared, here)
        finally:
            if chosen.keep_log:
                chosen.keep_log.write_bytes(Path(name, "log").read_bytes())


if __name__ == "__main__":
    sys.exit(main())
