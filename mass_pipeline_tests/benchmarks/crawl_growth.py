"""Growth and space: CPU per page and memory over the number of sites, memory per open site, stored bytes per page.

    python -m mass_pipeline_tests.benchmarks.crawl_growth [--sites 200,400,800] [--rounds 2]

Promises: CPU per page within 10 %, under 300 MiB at 800 sites, under 200 KB per further open site, at most 7 MB per 1,000 pages
readable by URL and 3 MB in Parquet. Of the CPU of several rounds the least counts: what disturbs only adds to it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from math import inf
from pathlib import Path

from mass_pipeline_tests.benchmarks import crawl_kit


def run(counts: list[int], rounds: int) -> dict[str, object]:
    """Crawls of each number of sites, then one with all sites open at once."""
    rows = []
    least: dict[int, float] = {}
    for count in counts * (rounds - 1):
        with crawl_kit.serve(count) as kit, tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.jsonl"
            measured = crawl_kit.measure(crawl_kit.our_command(kit, out, "--state", str(Path(folder) / "state")))
            cost = measured.cpu_seconds / len(crawl_kit.kept(out)) * 1000
            least[count] = min(least.get(count, cost), cost)
    for count in counts:
        with crawl_kit.serve(count) as kit, tempfile.TemporaryDirectory() as folder:
            out, state, parquet = Path(folder) / "out.jsonl", Path(folder) / "state", Path(folder) / "pages.parquet"
            measured = crawl_kit.measure(crawl_kit.our_command(kit, out, "--state", str(state)))
            pages = len(crawl_kit.kept(out))
            row: dict[str, object] = {
                "sites": count,
                "pages": pages,
                "cpu_ms_per_page": round(min(least.get(count, inf), measured.cpu_seconds / pages * 1000), 3),
                "rss_mib": round(measured.rss_mib, 1),
                "state_mb_per_1000_pages": round((state / "crawl.sqlite").stat().st_size / 1000 / pages, 2),
            }
            if count == counts[-1]:
                again = crawl_kit.our_command(kit, out, "--state", str(state), "--parquet", str(parquet), "--revisit", "never")
                crawl_kit.measure(again)
                row["parquet_mb_per_1000_pages"] = round(parquet.stat().st_size / 1000 / pages, 2)
                kit.reset()
                wide = crawl_kit.measure(crawl_kit.our_command(kit, out, "--sites-at-once", str(count)))
                row["rss_mib_all_open"] = round(wide.rss_mib, 1)
                row["kb_per_further_open_site"] = round((wide.rss_mib - measured.rss_mib) * 1024 / max(count - 100, 1), 1)
            rows.append(row)
    costs = [float(str(row["cpu_ms_per_page"])) for row in rows]
    return {"rows": rows, "cpu_spread": round(max(costs) / min(costs) - 1, 3)}


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sites", default="200,400,800")
    parser.add_argument("--rounds", type=int, default=2, help="default: %(default)s")
    arguments = parser.parse_args()
    print(json.dumps(run([int(count) for count in arguments.sites.split(",")], arguments.rounds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
