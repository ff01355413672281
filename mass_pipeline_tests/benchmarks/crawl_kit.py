"""The kit of synthetic parish sites beside the checkout: start its server, read its truth, run crawlers measured.

Used by the crawl_* benchmarks; the kit itself (`../shared/bench`) is no part of the project.
"""

from __future__ import annotations

import compileall
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import mass_pipeline

KIT = Path(__file__).resolve().parents[3] / "shared" / "bench"
CLIENT_CPU, SERVER_CPU = 0, 1


@dataclass(frozen=True)
class Kit:
    """A running server of synthetic sites.

    Attributes:
        control: start URL of the last site, which also answers for the counters (such requests count as visits of it).
    """

    seeds: Path
    truth: Path
    control: str

    def wanted(self, depth: int = 3) -> set[str]:
        """URLs of the pages a crawl of that depth must find."""
        return {
            page["url"]
            for page in map(json.loads, self.truth.read_text("utf-8").splitlines())
            if page["depth"] <= depth and page["status"] == 200 and not page["binary"] and page["kind"] != "missing"
        }

    def statistics(self) -> dict[str, float]:
        """Counters of the server."""
        return self._ask("__stats__")

    def reset(self) -> None:
        """Forget what was asked, and which flaky pages have recovered."""
        self._ask("__reset__")

    def _ask(self, name: str) -> dict[str, float]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        answer: dict[str, float] = json.loads(opener.open(self.control + name, timeout=10).read())
        return answer


@dataclass(frozen=True)
class Measured:
    """What a command cost.

    Attributes:
        queued_seconds: how long its main thread waited for a processor that others used; part of the wall.
    """

    cpu_seconds: float
    wall_seconds: float
    rss_mib: float
    output: str
    queued_seconds: float = 0.0


@contextlib.contextmanager
def serve(sites: int, *, latency_ms: float = 0, pages: str = "10-60", port: int = 8810) -> Iterator[Kit]:
    """Sites on loopback addresses, on a processor of their own; stops with the block."""
    if not KIT.exists():
        sys.exit(f"needs the benchmark kit in {KIT}")
    with tempfile.TemporaryDirectory(prefix="crawl-bench-") as folder:
        seeds, truth = Path(folder) / "seeds", Path(folder) / "truth"
        command = [sys.executable, str(KIT / "parish_web.py"), "--sites", str(sites), "--pages", pages]
        command += ["--latency-ms", str(latency_ms)]
        command += ["--urls", str(seeds), "--truth", str(truth), "--port", str(port), "--jobs", "1"]
        server = subprocess.Popen(pinned(command, SERVER_CPU), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            if not line.startswith("ready"):
                sys.exit(f"the kit's server did not start: {line!r}")
            yield Kit(seeds, truth, seeds.read_text().split()[-1])
        finally:
            server.terminate()
            server.communicate()


def pinned(command: Sequence[str], cpu: int) -> list[str]:
    """The command on one processor, where the machine has several."""
    return ["taskset", "-c", str(cpu), *command] if (os.cpu_count() or 1) > 1 else list(command)


def measure(command: Sequence[str], timeout: float = 900) -> Measured:
    """Run a command to its end; CPU is user and system time of it and its children, start-up included."""
    import time

    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    wrapper = [sys.executable, "-c", _RSS, *pinned(command, CLIENT_CPU)]
    done = subprocess.run(wrapper, capture_output=True, text=True, timeout=timeout, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    output, _, figures = done.stdout.rpartition("\nRSS ")
    rss, queued = figures.split()
    own = 0.02  # start-up of the measuring interpreter
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - own
    return Measured(cpu, time.monotonic() - began, float(rss), output, float(queued))


# ru_maxrss of a process started by a large one counts the large one's memory: a small process in between tells the truth.
# Its time in the queue can be read as long as nobody has taken notice of its end.
_RSS = """
import os, resource, subprocess, sys
child = subprocess.Popen(sys.argv[1:])
os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
queued = int(open(f"/proc/{child.pid}/schedstat").read().split()[1]) / 1e9
code = child.wait()
sys.stdout.flush()
print("\\nRSS", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, queued)
sys.exit(code)
"""


def our_command(kit: Kit, out: Path, *more: str) -> list[str]:
    """`mass-pipeline crawl` as a user runs it, without waiting; byte-compiled, as an installer leaves it (and Scrapy)."""
    compileall.compile_dir(Path(mass_pipeline.__file__).parent, quiet=1)
    console = Path(sys.executable).parent / "mass-pipeline"
    command = [str(console), "crawl", "--seeds", str(kit.seeds), "--out", str(out)]
    return [*command, "--allow-private-hosts", "--no-delay", *more]


def kept(out: Path) -> set[str]:
    """URLs that a JSON Lines file of ours holds with their text."""
    with out.open("rb") as lines:
        return {row["url"] for row in map(json.loads, lines) if row["outcome"] == "ok"}
