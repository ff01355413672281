"""The published comparison of R1, R2 and R3 beside ours, as Markdown tables (B10; docs/link-bandits.md).

The three sets whose two free parameters come nearest to the published totals; then shapes that are fitted to nothing but the
published total of R1, each set's own sites over n and m, and the search for the nearest shapes. Seeds begin at 100: shapes and
policies were fitted on seeds 0 to 19. Belongs: what is compared. Not here: the site sets (site_sets), the game (game).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mass_pipeline.laboratory.bandits.config import LinkBanditConfig
from mass_pipeline.laboratory.bandits.game import oracle, play
from mass_pipeline.laboratory.bandits.policies import make_policy
from mass_pipeline.laboratory.bandits.site_sets import (
    NEAREST_SHAPES,
    OWN_COUNTS,
    PUBLISHED_COUNTS,
    PUBLISHED_TOTALS,
    Counts,
    Decline,
    SetName,
    Shape,
    calibrated,
    site_set,
)

Sets = Mapping[SetName, Mapping[str, NDArray[np.float64]]]
FIRST_SEED: Final = 100
_RULES: Final = ("r1", "r2", "r3")
POLICIES_SHOWN: Final = (*_RULES, "sequential", "oracle")
_DECLINES: Final[tuple[Decline, ...]] = ("hyperbolic", "exponential")
_EMPTY_PAGES: Final = (0, 10, 20, 40)
_LINKS_PER_PAGE: Final = (1, 3, 10, 30)
_STEPS: Final = (5, 10, 20, 50)  # n of R2 and m of R3, neither of them published
_TOLD: Final = ((10, 10, 0), (20, 3, 20))  # n = m, links on a page, empty first pages: cells of the table of own sites
_FIT_EMPTY_PAGES: Final = (0, 5, 10, 15, 20, 30, 50)
_FIT_LINKS_PER_PAGE: Final = (1, 2, 3, 5, 10, 20)
_FIT_SEEDS: Final = range(8)


def links_found(
    shape: Shape,
    names: Iterable[str],
    seeds: Sequence[int],
    config: LinkBanditConfig | None = None,
    counts: Counts = PUBLISHED_COUNTS,
) -> dict[str, NDArray[np.float64]]:
    """Policy -> links found with the whole budget on the site set of each seed; "oracle" is the best possible."""
    config = config or LinkBanditConfig()
    found: dict[str, list[int]] = {name: [] for name in names}
    for seed in seeds:
        sites = site_set(shape, seed, counts)
        for name, totals in found.items():
            if name == "oracle":
                totals.append(int(oracle(sites, config.budget_pages)[-1]))
            else:
                totals.append(play(make_policy(name, config, seed=seed), sites, config.budget_pages).total)
    return {name: np.array(totals, dtype=np.float64) for name, totals in found.items()}


def nearest_sets(seeds: Sequence[int]) -> Sets:
    """What every policy finds on the shapes nearest to the published totals."""
    return {name: links_found(shape, POLICIES_SHOWN, seeds) for name, shape in NEAREST_SHAPES.items()}


def published_table(sets: Sets) -> Iterator[str]:
    """What the policies find (`nearest_sets`), beside what the document's rules are published to have found."""
    heads = [f"{name}: {one.links_per_page:g} together, {one.empty_pages:g} empty" for name, one in NEAREST_SHAPES.items()]
    yield from _head("policy", *heads)
    for policy in POLICIES_SHOWN:
        cells = []
        for name, found in sets.items():
            best = max(found[rule].mean() for rule in _RULES)
            mean = found[policy].mean()
            cell = f"{mean:.0f} +- {found[policy].std(ddof=1):.0f}"
            if policy in _RULES:
                cell = f"**{cell}**" if mean == best else cell
                cell += f", published {PUBLISHED_TOTALS[name][_RULES.index(policy)]}"
            cells.append(cell)
        yield _row(policy, *cells)


def shapes_tables(seeds: Sequence[int]) -> Iterator[str]:
    """Which rule wins, and R2/R1 and R3/R1, for every pair of the free parameters."""
    for decline, (name, published) in itertools.product(_DECLINES, PUBLISHED_TOTALS.items()):
        yield f"{name}, {decline} decline; published: {_ratios(dict(zip(_RULES, map(float, published), strict=True)))}"
        yield ""
        yield from _head("empty first pages", *map(str, _LINKS_PER_PAGE))
        for empty in _EMPTY_PAGES:
            shapes = [calibrated(name, links, empty, decline) for links in _LINKS_PER_PAGE]
            yield _row(str(empty), *(_ratios(_means(links_found(shape, _RULES, seeds))) for shape in shapes))
        yield ""


def own_sites_table(seeds: Sequence[int]) -> Iterator[str]:
    """Each set's own sites, over n = m and the shapes: how often the rule wins that the document says wins."""
    told = [f"n = m = {step}, {links} together, {empty} empty pages" for step, links, empty in _TOLD]
    yield from _head("set", "the published rule wins on", *told, "published")
    for name, published in PUBLISHED_TOTALS.items():
        wins, cells = 0, dict[tuple[int, int, int], str]()
        for step, empty, links in itertools.product(_STEPS, _EMPTY_PAGES, _LINKS_PER_PAGE):
            found = _totals_of_own_sites(name, links, empty, step, seeds)
            wins += _best(found) == _RULES[int(np.argmax(published))]
            cells[step, links, empty] = _ratios(found)
        said = _ratios(dict(zip(_RULES, map(float, published), strict=True)))
        yield _row(name, f"{wins} of {len(cells)}", *(cells[one] for one in _TOLD), said)


def nearest_shapes(seeds: Sequence[int] = _FIT_SEEDS) -> Iterator[str]:
    """The shapes whose R2/R1 and R3/R1 come nearest to the published ones, the best six of each set."""
    yield from _head("set", "links together", "empty first pages", "error of both logarithms")
    for name, published in PUBLISHED_TOTALS.items():
        errors = []
        for links, empty in itertools.product(_FIT_LINKS_PER_PAGE, _FIT_EMPTY_PAGES):
            found = _means(links_found(calibrated(name, links, empty), _RULES, seeds))
            ratios = [np.log(found[rule] / found["r1"] * published[0] / published[n]) for n, rule in ((1, "r2"), (2, "r3"))]
            errors.append((float(np.hypot(*ratios)), links, empty))
        for error, links, empty in sorted(errors)[:6]:
            yield _row(name, str(links), str(empty), f"{error:.2f}")


def _totals_of_own_sites(name: SetName, links: float, empty: float, step: int, seeds: Sequence[int]) -> dict[str, float]:
    counts = OWN_COUNTS[name]
    config = LinkBanditConfig(step_pages=step, first_pages=step)
    return _means(links_found(calibrated(name, links, empty, counts=counts), _RULES, seeds, config, counts))


def _means(found: dict[str, NDArray[np.float64]]) -> dict[str, float]:
    return {name: float(totals.mean()) for name, totals in found.items()}


def _best(found: dict[str, float]) -> str:
    return max(_RULES, key=lambda rule: found[rule])


def _ratios(found: dict[str, float]) -> str:
    """The rule that wins, R2/R1 and R3/R1."""
    return f"**{_best(found).upper()}** {found['r2'] / found['r1']:.2f}, {found['r3'] / found['r1']:.2f}"


def _head(*cells: str) -> Iterator[str]:
    yield _row(*cells)
    yield "|" + "---|" * len(cells)


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"
