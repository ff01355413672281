"""Our crawler against Scrapy on the same sites in the same run: CPU per page, wall, memory, completeness.

    python -m mass_pipeline_tests.benchmarks.crawl_speed [--sites 200] [--latency-ms 0] [--rounds 1] [--scrapy-python PATH]

Without --scrapy-python only ours is measured (Scrapy is no dependency of the project; make a venv of its own with
`pip install scrapy uvloop`). Gate, robots, dedupe, digests and storage are on, and the JSON Lines are written.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from mass_pipeline_tests.benchmarks import crawl_kit


def run(sites: int, latency_ms: float, rounds: int, scrapy_python: str | None) -> dict[str, object]:
    """Rounds in turn; medians and the ratio inside each round."""
    ours: list[tuple[float, float, float, float]] = []
    theirs: list[tuple[float, float, float]] = []
    with crawl_kit.serve(sites, latency_ms=latency_ms) as kit, tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.jsonl"
        wanted = kit.wanted()
        for _ in range(rounds):
            kit.reset()
            measured = crawl_kit.measure(crawl_kit.our_command(kit, out))
            found = crawl_kit.kept(out)
            ours.append((measured.cpu_seconds / len(found) * 1000, measured.wall_seconds, measured.rss_mib, _alone(measured)))
            if scrapy_python:
                kit.reset()
                out.unlink()  # what Scrapy does not write is not to be counted for it
                command = [scrapy_python, str(crawl_kit.KIT / "crawl_scrapy.py"), str(kit.seeds), "--out", str(out)]
                measured = crawl_kit.measure(command)
                pages = sum(1 for _ in out.open("rb"))
                theirs.append((measured.cpu_seconds / pages * 1000, measured.wall_seconds, _alone(measured)))
    result: dict[str, object] = {
        "sites": sites,
        "latency_ms": latency_ms,
        "pages": len(found),
        "missing": len(wanted - found),
        "out_of_truth": len(found - wanted),
        "cpu_ms_per_page": round(median(row[0] for row in ours), 3),
        "wall_s": round(median(row[1] for row in ours), 2),
        "rss_mib": round(max(row[2] for row in ours)),
    }
    if theirs:
        result["scrapy_cpu_ms_per_page"] = round(median(row[0] for row in theirs), 3)
        result["scrapy_wall_s"] = round(median(row[1] for row in theirs), 2)
        result["cpu_ratio"] = round(median(one[0] / other[0] for one, other in zip(ours, theirs, strict=True)), 3)
        result["wall_ratio"] = round(median(one[1] / other[1] for one, other in zip(ours, theirs, strict=True)), 3)
        result["wall_ratio_alone"] = round(median(one[3] / other[2] for one, other in zip(ours, theirs, strict=True)), 3)
    return result


def _alone(measured: crawl_kit.Measured) -> float:
    """Wall seconds without those in which others had the processor: what a machine with other work can tell of a quiet one."""
    return measured.wall_seconds - measured.queued_seconds


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--scrapy-python", default=None)
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.sites, arguments.latency_ms, arguments.rounds, arguments.scrapy_python)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
