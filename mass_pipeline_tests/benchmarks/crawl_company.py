"""Thousands of healthy sites among hundreds of hostile ones: everything ends, and the healthy come out as if alone.

    python -m mass_pipeline_tests.benchmarks.crawl_company [--healthy 5040] [--hostile 560]

Promises (hazards L2): one final outcome per host, within 60 minutes, memory under 1.5 GiB, and the pages of the healthy sites are
those of a crawl without hostile ones. Each hostile host plays one of the broken servers of the tests (hazards T1, T2), every
third of them from robots.txt on.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mass_pipeline_tests.benchmarks import crawl_kit
from mass_pipeline_tests.crawling.loopback import Answer, Loopback
from mass_pipeline_tests.crawling.test_misbehaviour import SCRIPTS

LIMIT_MINUTES, LIMIT_MIB = 60, 1536


def hostile_sites(count: int) -> dict[str, dict[str, Answer]]:
    """Address -> what it answers; loopback addresses beyond those of the healthy sites."""
    scripts = [script for _, (script, _) in sorted(SCRIPTS.items())]
    sites: dict[str, dict[str, Answer]] = {}
    for number in range(count):
        script = scripts[number % len(scripts)]
        also_robots: dict[str, Answer] = {"/robots.txt": script} if number % 3 == 0 else {}
        sites[f"127.200.{number // 250}.{number % 250 + 1}"] = {"/": script, **also_robots}
    return sites


def mixed(healthy: list[str], hostile: list[str]) -> Iterator[str]:
    """Start URLs with the hostile ones spread evenly between the others."""
    step = max(len(healthy) // max(len(hostile), 1), 1)
    left = iter(hostile)
    for number, url in enumerate(healthy):
        if number % step == 0:
            yield from (extra for extra in [next(left, None)] if extra is not None)
        yield url
    yield from left


def crawl(kit: crawl_kit.Kit, seeds: list[str], folder: Path) -> tuple[dict[str, object], dict[str, tuple[str, str]]]:
    """Figures of one crawl, and URL -> (outcome, text) of everything it wrote."""
    kit.reset()
    kit.seeds.write_text("\n".join(seeds) + "\n", encoding="utf-8")
    out = folder / "pages.jsonl"
    measured = crawl_kit.measure(crawl_kit.our_command(kit, out), timeout=LIMIT_MINUTES * 60)
    with out.open(encoding="utf-8") as lines:
        rows = {row["url"]: (row["outcome"], row["content"] or "") for row in map(json.loads, lines)}
    figures: dict[str, object] = {
        "hosts": len(seeds),
        "pages": sum(outcome == "ok" for outcome, _ in rows.values()),
        "minutes": round(measured.wall_seconds / 60, 1),
        "cpu_seconds": round(measured.cpu_seconds),
        "rss_mib": round(measured.rss_mib),
    }
    return figures, rows


def run(healthy: int, hostile: int) -> dict[str, object]:
    """The healthy sites alone, then all together."""
    sites = hostile_sites(hostile)
    with (
        crawl_kit.serve(healthy, pages="3-12", port=8830) as kit,
        tempfile.TemporaryDirectory() as folder,
        Loopback(sites, address="0.0.0.0") as broken,
    ):
        good = kit.seeds.read_text(encoding="utf-8").split()
        bad = [f"http://{host}:{broken.port}/" for host in sites]
        alone, expected = crawl(kit, good, Path(folder))
        together, found = crawl(kit, list(mixed(good, bad)), Path(folder))
    return {
        "alone": alone,
        "together": together,
        "healthy_pages_different": sum(found.get(url) != page for url, page in expected.items()),
        "healthy_pages_new": sum(url not in expected and not url.startswith("http://127.200.") for url in found),
        "hostile_outcomes": dict(Counter(found[url][0] if url in found else "none" for url in bad).most_common()),
    }


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--healthy", type=int, default=5040, help="default: %(default)s")
    parser.add_argument("--hostile", type=int, default=560, help="default: %(default)s")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.healthy, arguments.hostile), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
