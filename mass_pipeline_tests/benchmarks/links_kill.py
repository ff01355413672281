"""kill -9 at random instants while links are collected: none is lost, none is there twice, the policies choose as if unharmed.

    python -m mass_pipeline_tests.benchmarks.links_kill [--kills 100] [--sites 6] [--seed 1]

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

from mass_pipeline.crawler import CrawlConfig
from mass_pipeline.crawler.link_collection.bandits.config import LinkBanditConfig
from mass_pipeline.crawler.link_collection.collector import collect_links
from mass_pipeline.crawler.link_collection.reading import read_links
from mass_pipeline.crawler.link_collection.records import CollectionSettings
from mass_pipeline.crawler.link_collection.store import LinkStore
from mass_pipeline.crawler.link_collection.target_set import add_site
from mass_pipeline_tests.benchmarks.killing import count_gaps, kill_at_random
from mass_pipeline_tests.crawler.loopback import Loopback, Page, links

GAP_SECONDS = 0.03
_LONGEST_SECONDS = 0.8
_MODULE = __spec__.name if __spec__ else __name__
POLICIES = ("quantum", "r2", "r3", "thompson", "rotting")


def make_sites(count: int, seed: int) -> dict[str, dict[str, Page]]:
    """Sites of 5 to 40 pages that link to one another and to other sites at random; the same for the same seed."""
    chance = random.Random(seed)
    sites = {}
    for number in range(count):
        paths = ["/"] + [f"/p{n}" for n in range(1, chance.randrange(5, 40))]
        sites[f"s{number}.example"] = {
            path: Page(
                links(
                    *paths[place + 1 : place + 4], *chance.sample(paths, 2), "javascript:x()",
                    *(f"http://e{chance.randrange(300)}.example/" for _ in range(chance.randrange(4))),
                )
            )
            for place, path in enumerate(paths)
        }  # fmt: skip
    return sites


def child(state: Path, port: int, policy: str) -> None:
    """The process that gets killed."""
    config = CrawlConfig(
        allow_private_hosts=True, start_delay_seconds=GAP_SECONDS, host_gap_seconds=GAP_SECONDS, contact="x@example.org"
    )  # fmt: skip
    settings = CollectionSettings(policy=policy, budget_pages=70, max_level=20)
    collect_links(
        state, settings, config=config, bandits=LinkBanditConfig(step_pages=3, first_pages=2, quantum_pages=3),
        connect_to=lambda host, _: ("127.0.0.1", port),
    )  # fmt: skip


def stored(state: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything a collection holds but moments."""
    with LinkStore(state) as store:
        tables = {
            kind: [tuple(value for name, value in row.items() if name != "found_at") for row in read_links(store, kind)]
            for kind in ("external", "internal", "bad")
        }
        turns = store.rows(
            "SELECT t.number,i.url,t.asked,t.new_links FROM turns t JOIN internal_links i USING(link_id) ORDER BY turn_id"
        )
    return {**tables, "turns": [tuple(row) for row in turns]}


def add_sites(state: Path, count: int) -> None:
    """A fresh target set."""
    with LinkStore(state, create=True) as store:
        for number in range(count):
            add_site(store, f"s{number}.example")


def run(kills: int, count: int, seed: int) -> dict[str, float]:
    """The whole proof.

    Returns:
        `kills`, `collections` (ended in between), `lost` and `twice` (links), `wrong` (collections that differ from the
        reference in any table or in the order of pages), `early` requests, `least_gap_ms`.
    """
    chance = random.Random(seed)
    figures = {
        "kills": 0.0,
        "collections": 0.0,
        "lost": 0.0,
        "twice": 0.0,
        "wrong": 0.0,
        "early": 0.0,
        "least_gap_ms": float("inf"),
    }
    folder = Path(tempfile.mkdtemp(prefix="links-kill-"))
    try:
        with Loopback(make_sites(count, seed)) as server:
            while figures["kills"] < kills:
                round_ = int(figures["collections"])
                policy = POLICIES[round_ % len(POLICIES)]
                for name in ("reference", "killed"):
                    add_sites(folder / f"{name}-{round_}", count)
                child(folder / f"reference-{round_}", server.port, policy)
                server.requests.clear()
                _collect_killed(server, folder / f"killed-{round_}", policy, chance, kills, figures)
                _compare(stored(folder / f"reference-{round_}"), stored(folder / f"killed-{round_}"), figures)
                count_gaps(server, figures, GAP_SECONDS)
                figures["collections"] += 1
    finally:
        shutil.rmtree(folder)
    return figures


def _collect_killed(
    server: Loopback, state: Path, policy: str, chance: random.Random, kills: int, figures: dict[str, float]
) -> None:
    """One collection, killed again and again until it ends."""
    seen: set[tuple[object, ...]] = set()
    while True:
        if figures["kills"] >= kills:
            child(state, server.port, policy)
            return
        command = [sys.executable, "-m", _MODULE, "--child", str(state), str(server.port), policy]
        if not kill_at_random(command, server, chance, _LONGEST_SECONDS):
            return
        figures["kills"] += 1
        now = {row[1:3] for row in stored(state)["external"]}
        figures["lost"] += len(seen - now)
        seen = now


def _compare(
    expected: dict[str, list[tuple[object, ...]]], found: dict[str, list[tuple[object, ...]]], figures: dict[str, float]
) -> None:
    keys = [row[1:3] for row in found["external"]]
    figures["twice"] += len(keys) - len(set(keys))
    figures["lost"] += len({row[1:3] for row in expected["external"]} - set(keys))
    figures["wrong"] += expected != found


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--sites", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(Path(arguments.child[0]), int(arguments.child[1]), arguments.child[2])
        return 0
    figures = run(arguments.kills, arguments.sites, arguments.seed)
    print(json.dumps(figures))
    return int(any(figures[name] for name in ("lost", "twice", "wrong", "early")))


if __name__ == "__main__":
    sys.exit(main())
