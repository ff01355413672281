"""`mass-pipeline evaluate-crawl`: crawl strategies side by side, as table, CSV, JSON and picture."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.model.errors import BadInput

if TYPE_CHECKING:
    from mass_pipeline.cli.evaluation_webs import ServedWeb
    from mass_pipeline.experiments.crawl_strategies.measuring import Run

_WEBS = ("demo", "demo-shuffled", "graphs")
_GRAPH_SEEDS = 10


@click.command()
@click.option(
    "--web", "webs", multiple=True, type=click.Choice(_WEBS), help="Web to crawl; may be repeated.  [default: all three]"
)
@click.option(
    "--sites",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of saved sites, one folder each.",
)
@click.option(
    "--labels", type=click.Path(dir_okay=False, path_type=Path),
    help="JSON Lines that name the pages with the schedule.  [default: sites.jsonl beside the folder]",
)  # fmt: skip
@click.option("--strategy", "arms", multiple=True, help="Strategy by its name in the table; may be repeated.  [default: all]")
@click.option("--runs", type=click.IntRange(1, 100), default=3, show_default=True, help="Runs, each with a seed of its own.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the first run; the others count up.")
@click.option("--budget", type=click.IntRange(1, 1000), default=10, show_default=True, help="Requests per site that are judged.")
@click.option("--graph-budget", type=click.IntRange(50, 10_000), default=300, show_default=True, help="Requests per graph.")
@click.option("--generated", type=click.IntRange(0, 1000), default=20, show_default=True, help="Generated sites of the demo web.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for results.json, results.csv, results.png."
)
def evaluate_crawl(
    webs: tuple[str, ...], folder: Path | None, labels: Path | None, arms: tuple[str, ...], runs: int, seed: int, budget: int,
    graph_budget: int, generated: int, out: Path | None,
) -> None:  # fmt: skip
    """Crawl the same webs with every strategy and compare how soon they find what is looked for.

    The demo web and saved sites are crawled over real HTTP on loopback, graphs in memory. What each column means is printed below
    the table and told in docs/crawl-strategies.md.

    \b
    Examples:
      mass-pipeline evaluate-crawl
      mass-pipeline evaluate-crawl --web graphs --runs 10 --out comparison
      mass-pipeline evaluate-crawl --sites saved/sites --labels saved/labels.jsonl
      mass-pipeline evaluate-crawl --strategy breadth-first --strategy "best-first, learnt"
    """
    from mass_pipeline.crawler.fetching.config import CrawlConfig
    from mass_pipeline.experiments.crawl_strategies import presenting
    from mass_pipeline.experiments.crawl_strategies.arms import ARMS, config_of

    names = arms or tuple(ARMS)
    for name in names:
        config_of(name, CrawlConfig(), seed)  # an unknown name is told before anything runs
    chosen = webs or (() if folder else _WEBS)
    if out is not None and not out.parent.is_dir():
        raise BadInput(f"{out}: the folder {out.parent} does not exist. Make it, or choose another --out.")
    saved = (folder, labels or folder.parent / "sites.jsonl") if folder else None
    steps = len(names) * runs * (len(chosen) + (saved is not None))
    wanted = _all_runs(chosen, saved, names, range(seed, seed + runs), (budget, graph_budget), generated)
    done = _with_progress(wanted, steps)
    click.echo(presenting.as_table(done))
    if out is not None:
        out.mkdir(exist_ok=True)
        (out / "results.json").write_bytes(presenting.as_json(done))
        (out / "results.csv").write_text(presenting.as_csv(done), encoding="utf-8")
        (out / "results.png").write_bytes(presenting.as_plot(done))
        click.echo(f"-> {out}/results.json, results.csv, results.png")


def _with_progress(runs: Iterator[Run], steps: int) -> list[Run]:
    """A bar on a terminal, otherwise a line for each web and seed."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import track

        return list(track(runs, "Crawling", total=steps, console=Console(stderr=True)))
    done: list[Run] = []
    for run in runs:
        if not done or (run.web, run.seed) != (done[-1].web, done[-1].seed):
            click.echo(f"{run.web}, seed {run.seed}: {len(done)} of {steps} crawls done", err=True)
        done.append(run)
    return done


def _all_runs(
    webs: tuple[str, ...], saved: tuple[Path, Path] | None, arms: tuple[str, ...], seeds: range, budgets: tuple[int, int],
    generated: int,
) -> Iterator[Run]:  # fmt: skip
    from mass_pipeline.cli.evaluation_webs import demo_web, folder_web

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
    from dataclasses import replace

    from mass_pipeline.crawler.fetching.config import CrawlConfig
    from mass_pipeline.experiments.crawl_strategies.arms import config_of
    from mass_pipeline.experiments.crawl_strategies.measuring import Run, measure_sites
    from mass_pipeline.experiments.crawl_strategies.running import crawl_web, disjoint_starts

    config = config_of(arm, CrawlConfig(allow_private_hosts=True, no_delay=True), seed)
    crawled = crawl_web(web, config)
    short = replace(config, max_pages_per_site=budget)
    one, other = disjoint_starts(web.sites, seed)
    halves = crawl_web(web, short, one), crawl_web(web, short, other)
    figures, curves, until = measure_sites(web.sites, crawled, halves, budget)
    return Run(name, arm, seed, figures, curves, until)


def _runs_on_graph(arms: tuple[str, ...], seed: int, budget: int) -> Iterator[Run]:
    from mass_pipeline.crawler.fetching.config import CrawlConfig
    from mass_pipeline.experiments.crawl_strategies.arms import config_of
    from mass_pipeline.experiments.crawl_strategies.graphs import GraphShape, make_graph
    from mass_pipeline.experiments.crawl_strategies.measuring import Run, measure_graph
    from mass_pipeline.experiments.crawl_strategies.running import crawl_graph

    graph = make_graph(GraphShape(), seed)
    seeds = graph.relevant[:_GRAPH_SEEDS]
    targets = frozenset(graph.relevant[_GRAPH_SEEDS:])
    for arm in arms:
        config = config_of(arm, CrawlConfig(), seed)
        visits = crawl_graph(graph, seeds, config, budget)
        halves = crawl_graph(graph, seeds[::2], config, budget), crawl_graph(graph, seeds[1::2], config, budget)
        figures, curves = measure_graph(visits, targets, halves, budget)
        yield Run("graphs", arm, seed, figures, curves)
