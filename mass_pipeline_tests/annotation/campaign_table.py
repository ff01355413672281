"""Wrong labels of hours and rows after campaigns of 1,000 voters, some hostile in six ways: ours, the majority's and plain
Dawid-Skene's. One label in a thousand is chance: several seeds are added up.

python -m mass_pipeline_tests.annotation.campaign_table [--items 3000] [--seeds 3] [--way patient spite] [--networks 1]
"""

from __future__ import annotations

import argparse
import itertools
import time
from dataclasses import replace
from statistics import mean

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.store import open_store
from mass_pipeline_tests.annotation.campaign import WAYS, Campaign, play


def main() -> None:
    """Command line: one line per way and share of hostile votes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=3000)
    parser.add_argument("--voters", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--hostile", type=float, nargs="*", default=[0.0, 0.1, 0.3, 0.5])
    parser.add_argument("--way", choices=WAYS, nargs="*", default=["opposite"])
    parser.add_argument("--networks", type=int, nargs="*", default=[5], help="of the hostile voters")
    parser.add_argument("--rows", type=float, default=0.5, help="share of questions about rows")
    parser.add_argument("--accept", type=float, default=AnnotationConfig().accept_probability, help="probability that settles")
    given = parser.parse_args()
    config = replace(AnnotationConfig(), accept_probability=given.accept)
    print(
        "way       hostile  networks  published  rows  withheld  wrong  wrong rows published  planted  "
        "majority wrong  Dawid-Skene wrong  votes/item  seconds"
    )
    for way, share, networks in itertools.product(given.way, given.hostile, given.networks):
        begun = time.perf_counter()
        results = []
        for seed in range(1, given.seeds + 1):
            store = open_store("sqlite://", config)
            campaign = Campaign(
                given.items, given.voters, share, way=way, hostile_prefixes=networks, row_share=given.rows, seed=seed
            )
            results.append(play(store, campaign))
            store.close()
        published, wrong = sum(one.n_published for one in results), sum(one.n_wrong for one in results)
        figures = [f"{way:8}", f"{share:7.0%}", f"{networks:8}", f"{published:9}", f"{sum(one.n_rows for one in results):4}"]
        figures += [f"{sum(one.n_withheld for one in results):8}", f"{wrong / max(published, 1):5.2%}"]
        figures += [f"{sum(one.n_wrong_rows for one in results):20}", f"{sum(one.n_planted for one in results):7}"]
        figures += [f"{mean(one.wrong_by_majority for one in results):14.2%}"]
        figures += [f"{mean(one.wrong_by_dawid_skene for one in results):17.2%}"]
        votes = sum(one.n_votes for one in results) / given.items / given.seeds
        print("  ".join([*figures, f"{votes:10.2f}", f"{time.perf_counter() - begun:7.0f}"]), flush=True)


if __name__ == "__main__":
    main()
