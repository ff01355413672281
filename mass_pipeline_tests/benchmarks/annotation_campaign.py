"""Wrong labels of hours and rows after a campaign of 1,000 voters, some hostile in five ways: ours, the majority's and plain
Dawid-Skene's.

python -m mass_pipeline_tests.benchmarks.annotation_campaign --items 3000 --voters 1000 [--way patient] [--networks 1]
"""

from __future__ import annotations

import argparse
import itertools
import time
from dataclasses import replace

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.campaign import WAYS, Campaign, play


def main() -> None:
    """Command line: one line per share of hostile votes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=3000)
    parser.add_argument("--voters", type=int, default=1000)
    parser.add_argument("--hostile", type=float, nargs="*", default=[0.0, 0.1, 0.3, 0.5])
    parser.add_argument("--way", choices=WAYS, nargs="*", default=["opposite"])
    parser.add_argument("--networks", type=int, default=5, help="of the hostile voters")
    parser.add_argument("--rows", type=float, default=0.5, help="share of questions about rows")
    parser.add_argument("--accept", type=float, default=AnnotationConfig().accept_probability, help="probability that settles")
    given = parser.parse_args()
    print(
        "way       hostile  published  rows  withheld  wrong  wrong rows  planted  "
        "majority wrong  Dawid-Skene wrong  votes/item  seconds"
    )
    for way, share in itertools.product(given.way, given.hostile):
        begun = time.perf_counter()
        store = open_store("sqlite://", replace(AnnotationConfig(), accept_probability=given.accept))
        result = play(
            store, Campaign(given.items, given.voters, share, way=way, hostile_prefixes=given.networks, row_share=given.rows)
        )
        store.close()
        figures = [f"{way:8}", f"{share:7.0%}", f"{result.n_published:9}", f"{result.n_rows:4}"]
        figures += [f"{result.n_withheld:8}", f"{result.wrong_share:5.2%}", f"{result.n_wrong_rows:10}", f"{result.n_planted:7}"]
        figures += [f"{result.wrong_by_majority:14.2%}", f"{result.wrong_by_dawid_skene:17.2%}"]
        figures += [f"{result.n_votes / given.items:10.2f}", f"{time.perf_counter() - begun:7.0f}"]
        print("  ".join(figures), flush=True)


if __name__ == "__main__":
    main()
