"""Disks that fill up or fail (D3): a crawl pauses and goes on, a publication is whole or not at all, nothing is lost.

    python -m mass_pipeline_tests.benchmarks.crawl_faults [--faults 200] [--seed 1]

strace makes single writes, syncs, renames and truncations of a child process fail with ENOSPC or EIO. Prints one line of JSON
each for a crawl and for a publication; exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mass_pipeline.crawler import CrawlConfig, Seed, crawl_sites, read_pages
from mass_pipeline.model.columns import CRAWLED_PAGES
from mass_pipeline.model.errors import MassPipelineError, StorageError
from mass_pipeline.resources.lake import Lake, table_of
from mass_pipeline_tests.crawler.loopback import Loopback, Page, links

SITES = 4
PAGES = 12
CALLS = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "rename", "fallocate")
CLEAR_EXIT = 3  # the child ended with one of our errors
_ERRORS = ("ENOSPC", "ENOSPC", "EIO")


def make_sites() -> dict[str, dict[str, Page]]:
    """Pages that do not compress, so that they need room."""
    sites = {}
    for number in range(SITES):
        paths = [f"/p{n}" for n in range(PAGES)]
        pages = {path: Page(random.Random(path + str(number)).randbytes(4000).hex()) for path in paths}
        sites[f"s{number}.example"] = {"/": Page(links(*paths, text=f"site {number}")), **pages}
    return sites


SEEDS = [Seed(f"s{n}", f"http://s{n}.example/") for n in range(SITES)]


def config(**settings: object) -> CrawlConfig:
    """Many small transactions."""
    return CrawlConfig(
        allow_private_hosts=True, no_delay=True, min_free_bytes=0, commit_seconds=0.05, commit_pages=5, max_disk_wait_seconds=20,
        **settings,  # type: ignore[arg-type]
    )  # fmt: skip


def crawl_child(state: Path, port: int) -> None:
    """The crawl whose system calls fail."""
    crawl_sites(SEEDS, state=state, config=config(), connect_to=lambda host, _: ("127.0.0.1", port))


def publish_child(root: Path, value: int) -> None:
    """Replace a partition by another one."""
    Lake(root).publish(CRAWLED_PAGES, {"d": iter([table_of(CRAWLED_PAGES, rows(value, part)) for part in range(4)])})


def rows(value: int, part: int) -> list[dict[str, object]]:
    """Rows whose bodies are all made of one value."""
    body = random.Random(value).randbytes(20_000)
    common = {
        "final_url": None, "url_md5": "0" * 32, "start_url": "http://a/", "domain": "a", "depth": 0, "referrer": None,
        "link_text": None, "outcome": "ok", "truncated": False, "body": body,
    }  # fmt: skip
    return [{"parish_id": "p", "url": f"http://a/{part}{n:03}", **common} for n in range(50)]


def crawl_through_faults(faults: int, seed: int) -> dict[str, int]:
    """Crawls with one fault each.

    Returns:
        `faults`; `lost` acknowledged pages, `wrong` final page sets, `unclear` ends (neither success nor one clear error),
        `went_on` runs that succeeded in spite of the fault.
    """
    figures = {"faults": 0, "lost": 0, "wrong": 0, "unclear": 0, "went_on": 0}
    with Loopback(make_sites()) as server, _scratch() as folder:
        crawl_child(folder / "reference", server.port)
        expected = _stored(folder / "reference")
        calls = _count_calls("--crawl", str(folder / "counted"), str(server.port))
        for name, number, error in _choose(calls, faults, seed):
            state = folder / f"state-{figures['faults']}"
            code = _run_with_fault(name, number, error, "--crawl", str(state), str(server.port))
            acknowledged = _acknowledged(state)
            kept = _stored(state)
            figures["faults"] += 1
            figures["went_on"] += code == 0
            figures["unclear"] += code not in (0, CLEAR_EXIT)
            figures["lost"] += sum(kept.get(url) != expected[url] for url in acknowledged)
            crawl_child(state, server.port)
            figures["wrong"] += _stored(state) != expected
            shutil.rmtree(state)
    return figures


def publish_through_faults(faults: int, seed: int) -> dict[str, int]:
    """Publications with one fault each; the figures as for a crawl: `lost` are partitions that are neither old nor new."""
    figures = {"faults": 0, "lost": 0, "wrong": 0, "unclear": 0, "went_on": 0}
    with _scratch() as folder:
        root = folder / "lake"
        digests = {value: _publish(root, value) for value in (2, 1)}
        calls = _count_calls("--publish", str(folder / "counted"), "1")
        for name, number, error in _choose(calls, faults, seed):
            _publish(root, 1)
            code = _run_with_fault(name, number, error, "--publish", str(root), "2")
            found = Lake(root).path(CRAWLED_PAGES, "d").read_bytes()
            figures["faults"] += 1
            figures["went_on"] += code == 0
            figures["unclear"] += code not in (0, CLEAR_EXIT)
            figures["lost"] += found not in digests.values()
            figures["wrong"] += code == 0 and found != digests[2]
            figures["wrong"] += len(list(Lake(root).path(CRAWLED_PAGES, "d").parent.iterdir())) != 1  # nothing is left over
    return figures


def on_small_file_system(folder: Path) -> int:
    """Crawl on a tmpfs that fills up and is enlarged when the crawl has noticed; inside a mount namespace of its own."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(folder)], check=True)
    state = folder / "state"
    seen: list[str] = []

    def watch(progress: object) -> None:
        paused = str(getattr(progress, "paused", ""))
        if paused and not seen:
            seen.append(paused)
            threading.Timer(1.5, _enlarge, [folder]).start()

    with Loopback(make_sites()) as server:
        report = crawl_sites(
            SEEDS, state=state, config=config(), connect_to=lambda host, _: ("127.0.0.1", server.port), on_progress=watch
        )
        asked_twice = len(server.paths()) - len({(request.host, request.path) for request in server.requests}) + SITES
    words = [line.split()[1] for line in (state / "progress.log").read_text().splitlines()]
    events = [word for word in words if word in ("paused_disk", "resumed")]
    print(json.dumps({"events": events, "pages": report.pages, "asked_twice": asked_twice, "reason": seen}))
    whole = report.finished and report.pages == SITES * (PAGES + 1) and asked_twice == 0
    return int(not (whole and events and events[-1] == "resumed"))


def _enlarge(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=50m", str(folder)], check=True)


def _publish(root: Path, value: int) -> bytes:
    publish_child(root, value)
    return Lake(root).path(CRAWLED_PAGES, "d").read_bytes()


def _stored(state: Path) -> dict[str, str | None]:
    try:
        return {page.url: page.body_sha256 for page in read_pages(state)}
    except StorageError:
        return {}  # the fault came before the state file was made


def _acknowledged(state: Path) -> list[str]:
    """URLs that the progress log calls finished: it is written after the commit."""
    with contextlib.suppress(FileNotFoundError):
        lines = [line.split() for line in (state / "progress.log").read_text().splitlines()]
        return [words[2] for words in lines if len(words) == 3 and words[1] == "ok"]
    return []


def _choose(calls: dict[str, int], faults: int, seed: int) -> Iterator[tuple[str, int, str]]:
    """Random calls, each kind as often as any other, and what each fails with."""
    chance = random.Random(seed)
    kinds = [name for name in CALLS if calls.get(name)]
    for _ in range(faults):
        name = chance.choice(kinds)
        yield name, chance.randint(1, calls[name]), chance.choice(_ERRORS)


def _count_calls(*arguments: str) -> dict[str, int]:
    """How often a child makes each of the calls when nothing fails."""
    with tempfile.NamedTemporaryFile("r") as log:
        command = [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-e",
            f"trace={','.join(CALLS)}",
            "-o",
            log.name,
            *child_command(*arguments),
        ]
        subprocess.run(command, check=True, capture_output=True)
        names = [line.split()[1].partition("(")[0] for line in log.read().splitlines() if "(" in line]
    return {name: names.count(name) for name in CALLS}


def _run_with_fault(name: str, number: int, error: str, *arguments: str) -> int:
    inject = f"inject={name}:error={error}:when={number}"
    command = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", f"trace={name}", "-e", inject, "-o", "/dev/null"]
    done = subprocess.run([*command, *child_command(*arguments)], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode not in (0, CLEAR_EXIT):
        print(f"{name} {number} {error}: exit code {done.returncode}\n{done.stderr[-3000:]}", file=sys.stderr)
    return done.returncode


def child_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", __spec__.name if __spec__ else __name__, *arguments]


@contextlib.contextmanager
def _scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="crawl-faults-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _as_child(work: Callable[[], None]) -> int:
    try:
        work()
    except MassPipelineError as error:
        print(error)
        return CLEAR_EXIT
    return 0


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    for hidden, count in (("--crawl", 2), ("--publish", 2), ("--tmpfs", 1)):
        parser.add_argument(hidden, nargs=count, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.crawl:
        return _as_child(lambda: crawl_child(Path(arguments.crawl[0]), int(arguments.crawl[1])))
    if arguments.publish:
        return _as_child(lambda: publish_child(Path(arguments.publish[0]), int(arguments.publish[1])))
    if arguments.tmpfs:
        return on_small_file_system(Path(arguments.tmpfs[0]))
    broken = 0
    for prove in (crawl_through_faults, publish_through_faults):
        began = time.monotonic()
        figures = prove(arguments.faults, arguments.seed)
        print(json.dumps({"proof": prove.__name__, **figures, "seconds": round(time.monotonic() - began)}))
        broken += figures["lost"] + figures["wrong"] + figures["unclear"]
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
