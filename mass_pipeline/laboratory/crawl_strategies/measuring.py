"""From the requests of crawls to the figures of a comparison: one row per web, strategy and run, and their mean and spread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean, stdev

from mass_pipeline.laboratory.crawl_strategies.metrics import (
    WINDOW,
    Visit,
    average_relevance,
    harvest_rate,
    requests_until,
    robustness,
    search_lengths,
    target_recall,
    windowed_relevance,
)
from mass_pipeline.laboratory.crawl_strategies.running import EvaluatedSite


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run of one strategy on one web gave; means over sites where there are several.

    Attributes:
        until_inner: requests until the first page that states the schedule, over sites whose start page does not; every request
            of the crawl where it was not found. None on graphs, as the next three.
        until_all: the same over all sites. until_own: over those whose own links lead there.
        found: share of the sites whose schedule was found.
        harvest: share of relevant pages among the requests of the budget.
        relevance: mean likeness to the topic of the pages of the budget. window: the same of the last 50 requests.
        recall: share of the targets found within the budget.
        length_10, length_50, length_90: requests until that share of the targets was found; every request where it was not.
        robustness: overlap of the relevant pages of two crawls from disjoint seeds within the budget; None without any.
        requests: of the whole crawl.
    """

    until_inner: float | None
    until_all: float | None
    until_own: float | None
    found: float | None
    harvest: float
    relevance: float
    window: float
    recall: float
    length_10: float | None
    length_50: float | None
    length_90: float | None
    robustness: float | None
    requests: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run: which web, strategy and seed, its figures, and curves over the first requests.

    Attributes:
        curves: "recall", "harvest", "relevance" -> value after n requests, n = 1 to the budget, mean over sites.
        until: site -> requests until the schedule, None where it was not found; empty on graphs.
    """

    web: str
    arm: str
    seed: int
    figures: Figures
    curves: Mapping[str, Sequence[float]] = field(default_factory=dict)
    until: Mapping[str, int | None] = field(default_factory=dict)


def measure_sites(
    sites: Sequence[EvaluatedSite],
    crawled: Mapping[str, Sequence[Visit]],
    halves: tuple[Mapping[str, Sequence[Visit]], Mapping[str, Sequence[Visit]]],
    budget: int,
) -> tuple[Figures, dict[str, list[float]], dict[str, int | None]]:
    """Figures, curves and requests-until of a run over sites.

    Args:
        crawled: parish_id -> requests of the whole crawl.
        halves: the same of two crawls from disjoint starts.
        budget: requests per site that count for harvest, relevance, recall and robustness.
    """
    names = {site.seed.parish_id: site for site in sites}
    until = {name: requests_until(crawled[name], site.targets) for name, site in names.items()}

    def cost(name: str) -> int:
        return until[name] or len(crawled[name])

    firsts = {name: crawled[name][:budget] for name in names}
    curves = _mean_curves([(firsts[name], site.targets) for name, site in names.items()], budget)
    overlaps = [robustness(halves[0][name][:budget], halves[1][name][:budget]) for name in halves[0]]
    figures = Figures(
        _mean(cost(name) for name, site in names.items() if not site.starts_on_target),
        _mean(map(cost, names)),
        _mean(cost(name) for name, site in names.items() if site.by_own_links),
        fmean(steps is not None for steps in until.values()),
        curves["harvest"][-1],
        curves["relevance"][-1],
        fmean(_last(windowed_relevance(crawled[name], WINDOW)) for name in names),
        curves["recall"][-1],
        *_search_lengths([(crawled[name], site.targets) for name, site in names.items()]),
        _mean(value for value in overlaps if value is not None),
        fmean(len(visits) for visits in crawled.values()),
    )
    return figures, curves, until


def measure_graph(
    visits: Sequence[Visit], targets: frozenset[str], halves: tuple[Sequence[Visit], Sequence[Visit]], budget: int
) -> tuple[Figures, dict[str, list[float]]]:
    """Figures and curves of a run over a graph."""
    curves = _mean_curves([(visits, targets)], budget)
    window = _last(windowed_relevance(visits))
    overlap = robustness(*halves)
    found = curves["harvest"][-1], curves["relevance"][-1], window, curves["recall"][-1]
    figures = Figures(None, None, None, None, *found, *_search_lengths([(visits, targets)]), overlap, len(visits))
    return figures, curves


def summary(runs: Iterable[Run]) -> list[dict[str, object]]:
    """One row per web and strategy, in the order of the runs: mean and standard deviation (`..._sd`) of every figure."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.web, run.arm), []).append(run)
    rows: list[dict[str, object]] = []
    for (web, arm), members in groups.items():
        row: dict[str, object] = {"web": web, "strategy": arm, "runs": len(members)}
        for name in Figures.__dataclass_fields__:
            values = [value for run in members if (value := asdict(run.figures)[name]) is not None]
            row[name] = fmean(values) if values else None
            row[f"{name}_sd"] = stdev(values) if len(values) > 1 else None
        rows.append(row)
    return rows


def _mean_curves(crawls: Sequence[tuple[Sequence[Visit], frozenset[str]]], budget: int) -> dict[str, list[float]]:
    """Mean over crawls of each measure after n requests; a crawl that ended keeps its last value."""

    def harvest(visits: Sequence[Visit], _: frozenset[str]) -> list[float]:
        return [harvest_rate(visits[:n]) for n in range(1, len(visits) + 1)]

    measures: dict[str, Callable[[Sequence[Visit], frozenset[str]], list[float]]] = {
        "recall": target_recall,
        "harvest": harvest,
        "relevance": lambda visits, _: average_relevance(visits),
    }
    curves = {}
    for name, measure in measures.items():
        single = [measure(visits, targets) for visits, targets in crawls]
        curves[name] = [fmean(_at(curve, n) for curve in single) for n in range(budget)]
    return curves


def _search_lengths(crawls: Sequence[tuple[Sequence[Visit], frozenset[str]]]) -> tuple[float | None, float | None, float | None]:
    """Mean over the crawls that have targets, for each share."""
    each = [
        [reached or len(visits) for reached in search_lengths(visits, targets).values()] for visits, targets in crawls if targets
    ]
    ten, fifty, ninety = (_mean(one[n] for one in each) for n in range(3))
    return ten, fifty, ninety


def _at(curve: Sequence[float], n: int) -> float:
    return curve[min(n, len(curve) - 1)] if curve else 0.0


def _last(curve: Sequence[float]) -> float:
    return curve[-1] if curve else 0.0


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None
