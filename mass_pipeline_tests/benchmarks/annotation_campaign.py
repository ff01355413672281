"""Wrong labels after a campaign of 1,000 voters, some hostile: ours beside the majority and plain Dawid-Skene.

python -m mass_pipeline_tests.benchmarks.annotation_campaign --items 3000 --voters 1000
"""

from __future__ import annotations

import argparse
import time

from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.campaign import Campaign, play


def main() -> None:
    """Command line: one line per share of hostile votes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=3000)
    parser.add_argument("--voters", type=int, default=1000)
    parser.add_argument("--hostile", type=float, nargs="*", default=[0.0, 0.1, 0.3, 0.5])
    given = parser.parse_args()
    print("hostile  published  withheld  wrong  majority wrong  Dawid-Skene wrong  votes/item  seconds")
    for share in given.hostile:
        begun = time.perf_counter()
        store = open_store("sqlite://")
        result = play(store, Campaign(given.items, given.voters, share))
        store.close()
        figures = [f"{share:7.0%}", f"{result.n_published:9}", f"{result.n_withheld:8}", f"{result.wrong_share:5.2%}"]
        figures += [f"{result.wrong_by_majority:14.2%}", f"{result.wrong_by_dawid_skene:17.2%}"]
        figures += [f"{result.n_votes / given.items:10.2f}", f"{time.perf_counter() - begun:7.0f}"]
        print("  ".join(figures), flush=True)


if __name__ == "__main__":
    main()
