"""Policies of the link bandits on site sets with the published counts (B10): table, regret, and which shape favours which rule.

    python -m mass_pipeline_tests.benchmarks.bandits [--seeds 30] [--plot regret.png] [--map-seeds 20] [--fit] [--own 20]

First the three sets whose two free parameters come nearest to the published totals of R2 and R3 (`--fit` searches them anew);
then, over shapes that are fitted to nothing but the published total of R1, which rule wins and how the new policies do there.
Seeds begin at 100: shapes and policies were fitted on seeds 0 to 19.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.game import oracle, play
from mass_pipeline.laboratory.bandits.policies import POLICIES, make_policy
from mass_pipeline.laboratory.bandits.site_sets import (
    NEAREST_SHAPES,
    OWN_COUNTS,
    PUBLISHED_TOTALS,
    Decline,
    SetName,
    Shape,
    calibrated,
    site_set,
)

FIRST_SEED = 100
RULES = ("r1", "r2", "r3")
NEW = ()
DECLINES: tuple[Decline, ...] = ("hyperbolic", "exponential")
MAP_EMPTY_PAGES = (0, 10, 20, 40)
MAP_LINKS_PER_PAGE = (1, 3, 10, 30)
STEPS = (5, 10, 20, 50)  # n of R2 and m of R3, neither of them published
FIT_EMPTY_PAGES = (0, 5, 10, 15, 20, 30, 50)
FIT_LINKS_PER_PAGE = (1, 2, 3, 5, 10, 20)
CONFIG = LinkBanditConfig()


def totals(shape: Shape, names: Iterable[str], seeds: Sequence[int]) -> dict[str, float]:
    """Policy -> mean links found over the site sets of these seeds."""
    found: dict[str, list[int]] = {name: [] for name in names}
    for seed in seeds:
        sites = site_set(shape, seed)
        for name, results in found.items():
            results.append(play(make_policy(name, CONFIG, seed=seed), sites, CONFIG.budget_pages).total)
    return {name: float(np.mean(results)) for name, results in found.items()}


def measure(shape: Shape, seeds: Sequence[int]) -> dict[str, list[NDArray[np.int64]]]:
    """Policy -> links found after each page, one curve per seed; "oracle" is the best possible."""
    curves: dict[str, list[NDArray[np.int64]]] = {name: [] for name in (*POLICIES, "oracle")}
    for seed in seeds:
        sites = site_set(shape, seed)
        for name in POLICIES:
            curves[name].append(play(make_policy(name, CONFIG, seed=seed), sites, CONFIG.budget_pages).links)
        curves["oracle"].append(oracle(sites, CONFIG.budget_pages)[1:])
    return curves


def print_table(name: SetName, shape: Shape, curves: Mapping[str, Sequence[NDArray[np.int64]]]) -> None:
    """Mean, spread, share of the best of R1-R3 and of the oracle, beside what is published."""
    finals = {policy: np.array([curve[-1] for curve in found], dtype=float) for policy, found in curves.items()}
    best = max(finals[rule].mean() for rule in RULES)
    published = dict(zip(RULES, PUBLISHED_TOTALS[name], strict=True))
    print(f"\n{name}: {shape.links_per_page:g} links per page, {shape.empty_pages:g} empty first pages, {shape.decline}")
    print(f"{'policy':<12}{'links':>8}{'+-':>7}{'published':>11}{'of best R':>11}{'of oracle':>11}")
    for policy, found in finals.items():
        spread = found.std(ddof=1) if found.size > 1 else 0.0
        share, said = found.mean() / finals["oracle"].mean(), published.get(policy, "")
        print(f"{policy:<12}{found.mean():>8.0f}{spread:>7.0f}{said:>11}{found.mean() / best:>10.1%}{share:>11.1%}")


def print_map(seeds: Sequence[int]) -> None:
    """Per shape the best rule, what R2 and R3 find for each link of R1, and the share of the best that new policies reach."""
    shares: dict[str, list[float]] = {name: [] for name in NEW}
    for name, decline in itertools.product(PUBLISHED_TOTALS, DECLINES):
        said = PUBLISHED_TOTALS[name]
        print(f"\n{name}, {decline} (published: R2/R1 {said[1] / said[0]:.2f}, R3/R1 {said[2] / said[0]:.2f})")
        print("empty pages \\ links per page " + "".join(f"{links:>28}" for links in MAP_LINKS_PER_PAGE))
        for empty in MAP_EMPTY_PAGES:
            cells = []
            for links in MAP_LINKS_PER_PAGE:
                found = totals(calibrated(name, links, empty, decline), (*RULES, *NEW), seeds)
                best = max(RULES, key=lambda rule: found[rule])
                for policy in NEW:
                    shares[policy].append(found[policy] / found[best])
                ratios = " ".join(f"{found[rule] / found['r1']:.2f}" for rule in RULES[1:])
                cells.append(f"{best} ({ratios}; {' '.join(f'{shares[policy][-1]:.0%}' for policy in NEW)})")
            print(f"{empty:>28} " + "".join(f"{cell:>28}" for cell in cells), flush=True)
    for policy, found_shares in shares.items():
        array = np.array(found_shares)
        print(
            f"\n{policy} over {array.size} shapes: mean {array.mean():.0%} of the best rule, least {array.min():.0%}, "
            f"at least 95 % in {np.mean(array >= 0.95):.0%} of them",
            end="",
        )
    print()


def print_fit(seeds: Sequence[int]) -> None:
    """The shapes nearest to the published ratios R2/R1 and R3/R1, per set."""
    for name, said in PUBLISHED_TOTALS.items():
        errors = []
        for links, empty in itertools.product(FIT_LINKS_PER_PAGE, FIT_EMPTY_PAGES):
            found = totals(calibrated(name, links, empty), RULES, seeds)
            ratios = [np.log(found[rule] / found["r1"] * said[0] / said[n]) for n, rule in ((1, "r2"), (2, "r3"))]
            errors.append((float(np.hypot(*ratios)), links, empty, found))
        print(f"\n{name}: nearest shapes (error of the logarithms of both ratios)")
        for error, links, empty, found in sorted(errors, key=lambda row: row[0])[:6]:
            print(
                f"  {error:.2f}  {links:>2} links per page, {empty:>2} empty pages: "
                + str({k: round(v) for k, v in found.items()})
            )


def print_own_sites(seeds: Sequence[int]) -> None:
    """Of each set's own sites: the rule that wins and the ratios, for every shape and every n = m."""
    for name, said in PUBLISHED_TOTALS.items():
        wanted = RULES[int(np.argmax(said))]
        print(f"\n{name}, own sites (published: {wanted}, R2/R1 {said[1] / said[0]:.2f}, R3/R1 {said[2] / said[0]:.2f})")
        print("n = m, empty pages \\ links per page " + "".join(f"{links:>18}" for links in MAP_LINKS_PER_PAGE))
        right, by_m = 0, defaultdict[tuple[int, int], list[float]](list)
        for step, empty in itertools.product(STEPS, MAP_EMPTY_PAGES):
            cells = []
            for links in MAP_LINKS_PER_PAGE:
                shape = calibrated(name, links, empty, counts=OWN_COUNTS[name])
                found = _totals_of_own(name, shape, step, seeds)
                best = max(RULES, key=lambda rule: found[rule])
                right += best == wanted
                by_m[empty, links].append(found["r3"])
                cells.append(f"{best} {found['r2'] / found['r1']:.2f}, {found['r3'] / found['r1']:.2f}")
            print(f"{step:>10}{empty:>25} " + "".join(f"{cell:>18}" for cell in cells), flush=True)
        spread = max(max(links) / min(links) - 1 for links in by_m.values())
        print(f"R3 with m of {STEPS[0]} to {STEPS[-1]}: its total differs by {spread:.2%} at most, so n alone moves the ratios")
        print(f"the published rule wins on {right} of {len(STEPS) * len(MAP_EMPTY_PAGES) * len(MAP_LINKS_PER_PAGE)}")


def _totals_of_own(name: SetName, shape: Shape, step: int, seeds: Sequence[int]) -> dict[str, float]:
    config = LinkBanditConfig(step_pages=step, first_pages=step)
    found: dict[str, list[int]] = {rule: [] for rule in RULES}
    for seed in seeds:
        sites = site_set(shape, seed, OWN_COUNTS[name])
        for rule, results in found.items():
            results.append(play(make_policy(rule, config, seed=seed), sites, config.budget_pages).total)
    return {rule: float(np.mean(results)) for rule, results in found.items()}


def plot_regret(measured: Mapping[SetName, Mapping[str, Sequence[NDArray[np.int64]]]], path: Path) -> None:
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
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=30, help="number of site sets per named set")
    parser.add_argument("--plot", type=Path, help="write the regret curves here (PNG or SVG)")
    parser.add_argument("--map-seeds", type=int, default=20, help="number of site sets per shape of the map; 0: no map")
    parser.add_argument("--fit", action="store_true", help="search the shapes nearest to the published totals instead")
    parser.add_argument("--own", type=int, default=0, metavar="SEEDS", help="each set's own sites, over n and m, instead")
    arguments = parser.parse_args()
    if arguments.own:
        print_own_sites(range(FIRST_SEED, FIRST_SEED + arguments.own))
        return
    if arguments.fit:
        print_fit(range(8))
        return
    seeds = range(FIRST_SEED, FIRST_SEED + arguments.seeds)
    started = time.process_time()
    measured = {name: measure(shape, seeds) for name, shape in NEAREST_SHAPES.items()}
    seconds = time.process_time() - started
    print(f"budget {CONFIG.budget_pages} pages, 10 sites, {arguments.seeds} seeds, {seconds:.0f} s of one core")
    for name, curves in measured.items():
        print_table(name, NEAREST_SHAPES[name], curves)
    if arguments.plot:
        plot_regret(measured, arguments.plot)
    if arguments.map_seeds:
        print_map(range(FIRST_SEED, FIRST_SEED + arguments.map_seeds))


if __name__ == "__main__":
    main()
