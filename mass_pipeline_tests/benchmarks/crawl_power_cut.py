"""Power cuts (D2): in every state a disk may be left in, the state file opens and each acknowledged page is there, whole.

    python -m mass_pipeline_tests.benchmarks.crawl_power_cut [--states 500] [--seed 1]

A small crawl, its resumption and a publication in the lake are recorded once; their crash states are built and opened. Prints
one line of JSON each; exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from mass_pipeline.crawler import read_pages
from mass_pipeline.crawler.sites.store import CrawlStore
from mass_pipeline.crawler.state.schema import FILE_NAME
from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.model.errors import StorageError
from mass_pipeline.resources.lake import Lake
from mass_pipeline_tests.benchmarks import crawl_faults
from mass_pipeline_tests.benchmarks.crash_states import Call, Disk, put_back, record
from mass_pipeline_tests.crawler.loopback import Loopback

_UNTOLD = ("-shm", ".lock", ".log", "-journal.tmp")


def crawl_through_power_cuts(states: int, seed: int, *, syncs: bool = True) -> dict[str, int]:
    """Crash states of two crawls of one state folder.

    Args:
        syncs: False plays a disk that ignores them; the promises must break then, or the proof proves nothing.

    Returns:
        `states`, `calls` recorded, `acknowledged` pages asked for in all states; `lost` of them, `torn` pages whose bytes are
        not those of their digest, `closed` states that did not open though something had been acknowledged.
    """
    chance = random.Random(seed)
    figures = {"states": 0, "calls": 0, "acknowledged": 0, "lost": 0, "torn": 0, "closed": 0}
    with Loopback(crawl_faults.make_sites()) as server, _scratch() as folder:
        crawl_faults.crawl_child(folder / "reference", server.port)
        expected = {page.url: page.body_sha256 for page in read_pages(folder / "reference")}
        state = folder / "state"
        child = crawl_faults.child_command("--crawl", str(state), str(server.port))
        calls = record(child, state, folder / "strace.log")
        calls += record(child, state, folder / "strace.log")
        calls = [call for call in calls if syncs or call.name != "sync"]
        figures["calls"] = len(calls)
        for moment in sorted(chance.randint(0, len(calls)) for _ in range(states)):
            disk, acknowledged = _play(calls[:moment])
            figures["states"] += 1
            figures["acknowledged"] += len(acknowledged)
            put_back(disk.after_power_cut(chance), state, folder / "left")
            _judge(folder / "left", acknowledged, expected, figures)
            shutil.rmtree(folder / "left", ignore_errors=True)
    return figures


def publish_through_power_cuts(states: int, seed: int) -> dict[str, int]:
    """Crash states of a publication over an older one.

    Returns:
        `states`, `calls` recorded; `mixed` states that are neither the old nor the new partition, `forgotten` ones that are the
        old one though the publication had ended.
    """
    chance = random.Random(seed)
    figures = {"states": 0, "calls": 0, "mixed": 0, "forgotten": 0}
    with _scratch() as folder:
        root = folder / "lake"
        calls = record(crawl_faults.child_command("--publish", str(root), "1"), root, folder / "strace.log")
        old = Lake(root).path(CRAWLED_PAGES, "d").read_bytes()
        first = len(calls)
        calls += record(crawl_faults.child_command("--publish", str(root), "2"), root, folder / "strace.log")
        new = Lake(root).path(CRAWLED_PAGES, "d").read_bytes()
        figures["calls"] = len(calls) - first
        for _ in range(states):
            moment = chance.randint(first, len(calls))
            left = _play(calls[:moment])[0].after_power_cut(chance)
            found = left.get(str(Lake(root).path(CRAWLED_PAGES, "d")), b"")
            figures["states"] += 1
            figures["mixed"] += found not in (old, new)
            figures["forgotten"] += moment == len(calls) and found != new
    return figures


def _play(calls: list[Call]) -> tuple[Disk, list[str]]:
    """The disk after some calls, and the URLs that the progress log had called finished by then."""
    disk = Disk()
    acknowledged: list[str] = []
    for call in calls:
        if call.path.endswith("progress.log"):
            lines = [line.split() for line in call.data.decode().splitlines()]
            acknowledged += [words[2] for words in lines if len(words) == 3 and words[1] == "ok"]
        if not call.path.endswith(_UNTOLD):
            disk.play(call)
    return disk, acknowledged


def _judge(left: Path, acknowledged: list[str], expected: dict[str, str | None], figures: dict[str, int]) -> None:
    if not (left / FILE_NAME).exists():
        figures["closed"] += bool(acknowledged)
        return
    try:
        with CrawlStore(left, crawl_faults.config()):
            pages = list(read_pages(left))
    except StorageError as error:
        figures["closed"] += bool(acknowledged)
        if acknowledged:
            print(error, file=sys.stderr)
        return
    kept = {page.url: page.body_sha256 for page in pages}
    figures["lost"] += sum(kept.get(url) != expected[url] for url in acknowledged)
    figures["torn"] += sum(page.body is not None and hashlib.sha256(page.body).hexdigest() != page.body_sha256 for page in pages)


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="crawl-power-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--states", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    broken = 0
    for prove in (crawl_through_power_cuts, publish_through_power_cuts):
        began = time.monotonic()
        figures = prove(arguments.states, arguments.seed)
        print(json.dumps({"proof": prove.__name__, **figures, "seconds": round(time.monotonic() - began)}))
        broken += sum(figures.get(name, 0) for name in ("lost", "torn", "closed", "mixed", "forgotten"))
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
