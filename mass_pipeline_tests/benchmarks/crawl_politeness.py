"""Politeness as the server sees it, and the recrawl: normal delays, then a second visit of unchanged pages.

    python -m mass_pipeline_tests.benchmarks.crawl_politeness [--sites 20] [--gap 0.5]

Promises: at most one request in flight per host, no gap under the smallest delay, robots.txt never broken, at least 95 % of the
second visit answered 304 (of the pages that carry an ETag).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from mass_pipeline.crawling import CrawlConfig, Seed, crawl_sites, read_pages
from mass_pipeline_tests.benchmarks import crawl_kit


def run(sites: int, gap: float) -> dict[str, object]:
    """Both visits.

    Returns:
        Figures of the server and of our own report.
    """
    with crawl_kit.serve(sites, pages="10-15", port=8811) as kit, tempfile.TemporaryDirectory() as folder:
        seeds = [Seed(url, url) for url in kit.seeds.read_text().split() if url != kit.control]
        polite = CrawlConfig(allow_private_hosts=True, start_delay_seconds=4 * gap, host_gap_seconds=gap, max_depth=3)
        kit.reset()
        first = crawl_sites(seeds, state=Path(folder), config=polite)
        seen = kit.statistics()
        again = CrawlConfig(allow_private_hosts=True, no_delay=True, revisit="all")
        tagged = sum(page.etag is not None for page in read_pages(Path(folder)))
        kit.reset()
        second = crawl_sites(seeds, state=Path(folder), config=again)
        unchanged = second.outcomes.get("not_modified", 0)
    return {
        "sites": sites,
        "pages": first.pages,
        "seconds": round(first.seconds, 1),
        "gap_wanted_ms": gap * 1000,
        "least_gap_ms": seen["min_gap_ms_per_site"],
        "most_in_flight_per_site": seen["max_inflight_per_site"],
        "politeness": dict(first.politeness),
        "revisited_with_etag": tagged,
        "answered_304": unchanged,
        "share_304": round(unchanged / max(tagged, 1), 3),
    }


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sites", type=int, default=20)
    parser.add_argument("--gap", type=float, default=0.5)
    arguments = parser.parse_args()
    figures = run(arguments.sites, arguments.gap)
    print(json.dumps(figures))
    polite = figures["most_in_flight_per_site"] == 1 and float(str(figures["least_gap_ms"])) >= 1000 * arguments.gap
    return 0 if polite else 1


if __name__ == "__main__":
    sys.exit(main())
