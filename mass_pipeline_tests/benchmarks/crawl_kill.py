"""kill -9 at random instants: the resumed crawl ends with the same pages, loses none that was acknowledged, asks nobody early.

A page that was acknowledged is never asked for again (`paid_twice`); those that were had, or on their way, in the moment before
a kill and are in no commit are (`asked_again`, told only).

    python -m mass_pipeline_tests.benchmarks.crawl_kill [--kills 200] [--sites 60] [--seed 1]

Prints one line of JSON; exit code 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
from pathlib import Path

from mass_pipeline.crawler import CrawlConfig, Seed, crawl_sites, read_pages
from mass_pipeline.model.errors import StorageError
from mass_pipeline_tests.benchmarks.killing import count_gaps, kill_at_random
from mass_pipeline_tests.crawler.loopback import RESERVATIONS, Loopback, Page, links

GAP_SECONDS = 0.05
PAGES_PER_SITE = 8
_LONGEST_SECONDS = 0.6
BROKEN = ("lost", "wrong_final_sets", "paid_twice", "early")  # figures that must be 0
_MODULE = __spec__.name if __spec__ else __name__


def make_sites(count: int, seed: int) -> dict[str, dict[str, Page]]:
    """Small sites whose pages link to one another at random; the same for the same seed."""
    chance = random.Random(seed)
    sites = {}
    for number in range(count):
        paths = ["/"] + [f"/p{n}" for n in range(1, PAGES_PER_SITE)]
        pages = {}
        for place, path in enumerate(paths):
            further = paths[place + 1 : place + 3] + chance.sample(paths, 2)
            pages[path] = Page(links(*further, text=f"site {number} page {place} " + "Msza święta 9:00 " * chance.randrange(200)))
        sites[f"s{number}.example"] = pages
    return sites


def child(state: Path, port: int, count: int) -> None:
    """The process that gets killed."""
    seeds = [Seed(f"s{n}", f"http://s{n}.example/") for n in range(count)]
    crawl_sites(seeds, state=state, config=config(), connect_to=lambda host, _: ("127.0.0.1", port))


def config() -> CrawlConfig:
    """Short but real delays, small transactions."""
    return CrawlConfig(
        max_depth=10, allow_private_hosts=True, start_delay_seconds=GAP_SECONDS, host_gap_seconds=GAP_SECONDS, commit_seconds=0.1,
        commit_pages=20, max_attempts=5, revisit="never",
    )  # fmt: skip


def stored(state: Path) -> dict[str, str | None]:
    """URL -> digest of every acknowledged page; two rows of one URL would be an error."""
    try:
        pages = [(page.url, page.body_sha256) for page in read_pages(state)]
    except StorageError:
        return {}
    assert len(pages) == len(dict(pages)), "a page is stored twice"
    return dict(pages)


def asked(server: Loopback, since: int) -> list[str]:
    """Pages asked for since so many requests; robots.txt and reservations are asked for in every run."""
    requests = (one for one in server.requests[since:] if one.path not in ("/robots.txt", RESERVATIONS))
    return [f"http://{one.host.partition(':')[0]}{one.path}" for one in requests]


def run(kills: int, count: int, seed: int) -> dict[str, float]:
    """The whole proof.

    Returns:
        `kills`, `crawls` (completed in between), `lost`, `wrong_final_sets`, `paid_twice`, `asked_again`, `pages`, `early`
        requests, `least_gap_ms`.
    """
    chance = random.Random(seed)
    sites = make_sites(count, seed)
    counted = ("kills", "crawls", "lost", "wrong_final_sets", "paid_twice", "asked_again", "pages", "early")
    figures = {**dict.fromkeys(counted, 0), "least_gap_ms": float("inf")}
    folder = Path(tempfile.mkdtemp(prefix="crawl-kill-"))
    try:
        with Loopback(sites) as server:
            child(folder / "reference", server.port, count)
            expected = stored(folder / "reference")
            state = folder / "state-0"
            acknowledged: dict[str, str] = {}
            server.requests.clear()
            while figures["kills"] < kills:
                command = [sys.executable, "-m", _MODULE, "--child", str(state), str(server.port), str(count)]
                before = len(server.requests)
                killed = kill_at_random(command, server, chance, _LONGEST_SECONDS)
                figures["paid_twice"] += len(acknowledged.keys() & set(asked(server, before)))
                now = stored(state)
                figures["lost"] += sum(now.get(url, "") != digest for url, digest in acknowledged.items())
                acknowledged = {url: digest for url, digest in now.items() if digest}  # what failed is tried again
                figures["kills"] += killed
                if not killed or figures["kills"] >= kills:
                    before = len(server.requests)
                    child(state, server.port, count)
                    figures["crawls"] += 1
                    figures["paid_twice"] += len(acknowledged.keys() & set(asked(server, before)))
                    figures["pages"] += len(expected)
                    figures["asked_again"] += len(asked(server, 0)) - len(set(asked(server, 0)))
                    figures["wrong_final_sets"] += stored(state) != expected
                    count_gaps(server, figures, GAP_SECONDS)  # a new crawl may start at once
                    acknowledged, state = {}, folder / f"state-{figures['crawls']}"
    finally:
        shutil.rmtree(folder)
    return figures


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--sites", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(Path(arguments.child[0]), int(arguments.child[1]), int(arguments.child[2]))
        return 0
    figures = run(arguments.kills, arguments.sites, arguments.seed)
    print(json.dumps(figures))
    return int(any(figures[name] for name in BROKEN))


if __name__ == "__main__":
    sys.exit(main())
