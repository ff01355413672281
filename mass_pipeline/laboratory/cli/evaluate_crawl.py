"""`mass-pipeline lab evaluate-crawl`: crawl strategies side by side, as table, CSV, JSON and picture."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import FILE, FOLDER, FOLDER_THERE, require_folder_of

if TYPE_CHECKING:
    from mass_pipeline.laboratory.crawl_strategies.measuring import Run

_WEBS = ("demo", "demo-shuffled", "graphs")


@click.command()
@click.option(
    "--web", "webs", multiple=True, type=click.Choice(_WEBS), help="Web to crawl; may be repeated.  [default: all three]"
)
@click.option("--sites", "folder", type=FOLDER_THERE, help="Folder of saved sites, one folder each.")
@click.option(
    "--labels", type=FILE, help="JSON Lines that name the pages with the schedule.  [default: sites.jsonl beside the folder]"
)
@click.option("--strategy", "arms", multiple=True, help="Strategy by its name in the table; may be repeated.  [default: all]")
@click.option("--runs", type=click.IntRange(1, 100), default=3, show_default=True, help="Runs, each with a seed of its own.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the first run; the others count up.")
@click.option("--budget", type=click.IntRange(1, 1000), default=10, show_default=True, help="Requests per site that are judged.")
@click.option("--graph-budget", type=click.IntRange(50, 10_000), default=300, show_default=True, help="Requests per graph.")
@click.option("--generated", type=click.IntRange(0, 1000), default=20, show_default=True, help="Generated sites of the demo web.")
@click.option("--out", type=FOLDER, help="Folder for results.json, results.csv, results.png.")
def evaluate_crawl(
    webs: tuple[str, ...], folder: Path | None, labels: Path | None, arms: tuple[str, ...], runs: int, seed: int, budget: int,
    graph_budget: int, generated: int, out: Path | None,
) -> None:  # fmt: skip
    """Crawl the same webs with every strategy and compare how soon they find what is looked for.

    The demo web and saved sites are crawled over real HTTP on loopback, graphs in memory. What each column means is printed below
    the table and explained in docs/crawl-strategies.md.

    \b
    Examples:
      mass-pipeline lab evaluate-crawl
      mass-pipeline lab evaluate-crawl --web graphs --runs 10 --out comparison
      mass-pipeline lab evaluate-crawl --sites saved/sites --labels saved/labels.jsonl
      mass-pipeline lab evaluate-crawl --strategy breadth-first --strategy "best-first, learnt"
    """
    from mass_pipeline.laboratory.crawl_strategies import presenting
    from mass_pipeline.laboratory.crawl_strategies.comparing import all_runs
    from mass_pipeline.laboratory.orders import ARMS, order_of

    names = arms or tuple(ARMS)
    for name in names:
        order_of(name, seed)  # an unknown name is reported before anything runs
    chosen = webs or (() if folder else _WEBS)
    require_folder_of(out)
    saved = (folder, labels or folder.parent / "sites.jsonl") if folder else None
    steps = len(names) * runs * (len(chosen) + (saved is not None))
    wanted = all_runs(chosen, saved, names, range(seed, seed + runs), (budget, graph_budget), generated)
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
