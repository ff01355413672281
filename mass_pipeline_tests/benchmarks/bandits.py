"""Policies of the link bandits on site sets with the published counts (B10): table, ratios, regret against the oracle.

    python -m mass_pipeline_tests.benchmarks.bandits [--seeds 30] [--plot regret.png]

Seeds begin at 100: the parameters were tuned on seeds 0 to 19.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mass_pipeline.crawler.link_bandits import POLICIES, LinkBanditConfig, make_policy, play
from mass_pipeline.crawler.link_bandits.game import oracle
from mass_pipeline.crawler.link_bandits.site_sets import SHAPES, Shape, site_set

FIRST_SEED = 100
PUBLISHED: Mapping[str, tuple[int, int, int]] = {
    "institutes": (417, 816, 457),
    "universities": (1337, 774, 1447),
    "mixed": (949, 994, 1078),
}
Curves = Mapping[str, NDArray[np.float64]]


def measure(shape: Shape, seeds: Sequence[int], config: LinkBanditConfig) -> dict[str, list[NDArray[np.int64]]]:
    """Policy -> links found after each page, one curve per seed; "oracle" is the best possible."""
    curves: dict[str, list[NDArray[np.int64]]] = {name: [] for name in (*POLICIES, "oracle")}
    for seed in seeds:
        sites = site_set(shape, seed)
        for name in POLICIES:
            curves[name].append(play(make_policy(name, config, seed=seed), sites, config.budget_pages).links)
        curves["oracle"].append(oracle(sites, config.budget_pages)[1:])
    return curves


def print_table(shape: Shape, curves: Mapping[str, Sequence[NDArray[np.int64]]]) -> None:
    """Mean, spread, share of the best of R1-R3 and of the oracle."""
    totals = {name: np.array([curve[-1] for curve in found], dtype=float) for name, found in curves.items()}
    best = max(totals[name].mean() for name in ("r1", "r2", "r3"))
    print(f"\n{shape} (published: R1 {PUBLISHED[shape][0]}, R2 {PUBLISHED[shape][1]}, R3 {PUBLISHED[shape][2]})")
    print(f"{'policy':<12}{'links':>8}{'+-':>7}{'of best R':>11}{'of oracle':>11}")
    for name, found in totals.items():
        spread = found.std(ddof=1) if found.size > 1 else 0.0
        share = found.mean() / totals["oracle"].mean()
        print(f"{name:<12}{found.mean():>8.0f}{spread:>7.0f}{found.mean() / best:>10.1%}{share:>11.1%}")


def plot_regret(measured: Mapping[str, Mapping[str, Sequence[NDArray[np.int64]]]], path: Path) -> None:
    """Links missed against the oracle by pages fetched, one panel per set."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4), layout="constrained")
    for axes, (shape, curves) in zip(figure.subplots(1, len(measured)), measured.items(), strict=True):
        for name in POLICIES:
            regret = np.mean([best - found for best, found in zip(curves["oracle"], curves[name], strict=True)], axis=0)
            axes.plot(regret, label=name)
        axes.set(title=shape, xlabel="pages fetched", ylabel="links missed against the oracle")
        axes.legend(fontsize=7)
    figure.savefig(path, dpi=90)


def main() -> None:
    """Measure every set and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=30, help="number of site sets per shape")
    parser.add_argument("--plot", type=Path, help="write the regret curves here (PNG or SVG)")
    arguments = parser.parse_args()
    config = LinkBanditConfig()
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.seeds)
    started = time.perf_counter()
    measured = {shape: measure(shape, seeds, config) for shape in SHAPES}
    print(f"budget {config.budget_pages} pages, 10 sites, {arguments.seeds} seeds, {time.perf_counter() - started:.0f} s")
    for shape, curves in measured.items():
        print_table(shape, curves)
    if arguments.plot:
        plot_regret(measured, arguments.plot)


if __name__ == "__main__":
    main()
