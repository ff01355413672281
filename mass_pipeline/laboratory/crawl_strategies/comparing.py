"""Strategies of crawling on one web after the other: the demo web and saved sites over real HTTP, graphs in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.laboratory.crawl_strategies.graphs import GraphShape, make_graph
from mass_pipeline.laboratory.crawl_strategies.measuring import Run, measure_graph, measure_sites
from mass_pipeline.laboratory.crawl_strategies.running import ServedWeb, crawl_graph, crawl_web, disjoint_starts
from mass_pipeline.laboratory.crawl_strategies.webs import demo_web, folder_web
from mass_pipeline.laboratory.orders import order_of

_GRAPH_SEEDS: Final = 10


def all_runs(
    webs: tuple[str, ...], saved: tuple[Path, Path] | None, arms: tuple[str, ...], seeds: range, budgets: tuple[int, int],
    generated: int,
) -> Iterator[Run]:  # fmt: skip
    """Every strategy on every web, web by web and seed by seed.

    Args:
        webs: `demo`, `demo-shuffled` or `graphs`.
        saved: folder of saved sites and the file of its labels.
        arms: names of strategies.
        seeds: one run each.
        budgets: requests per site that are judged, and per graph.
        generated: sites of the demo web beside the bundled ones.
    """
    served: dict[str, Callable[[int], AbstractContextManager[ServedWeb]]] = {
        "demo": lambda seed: demo_web(generated, seed),
        "demo-shuffled": lambda seed: demo_web(generated, seed, shuffled=True),
    }
    if saved is not None:
        served["saved sites"] = lambda seed: folder_web(*saved, seed)
    for name in [*webs, *(["saved sites"] if saved else [])]:
        for seed in seeds:
            if name == "graphs":
                yield from _runs_on_graph(arms, seed, budgets[1])
                continue
            with served[name](seed) as web:
                for arm in arms:
                    yield _run_on_sites(name, web, arm, seed, budgets[0])


def _run_on_sites(name: str, web: ServedWeb, arm: str, seed: int, budget: int) -> Run:
    order, config = order_of(arm, seed), CrawlConfig(allow_private_hosts=True, no_delay=True, seed=seed)
    crawled = crawl_web(web, config, order)
    short = replace(config, max_pages_per_site=budget)
    one, other = disjoint_starts(web.sites, seed)
    halves = crawl_web(web, short, order, one), crawl_web(web, short, order, other)
    figures, curves, until = measure_sites(web.sites, crawled, halves, budget)
    return Run(name, arm, seed, figures, curves, until)


def _runs_on_graph(arms: tuple[str, ...], seed: int, budget: int) -> Iterator[Run]:
    graph = make_graph(GraphShape(), seed)
    seeds = graph.relevant[:_GRAPH_SEEDS]
    targets = frozenset(graph.relevant[_GRAPH_SEEDS:])
    for arm in arms:
        order = order_of(arm, seed)
        visits = crawl_graph(graph, seeds, order, budget)
        halves = crawl_graph(graph, seeds[::2], order, budget), crawl_graph(graph, seeds[1::2], order, budget)
        figures, curves = measure_graph(visits, targets, halves, budget)
        yield Run("graphs", arm, seed, figures, curves)
