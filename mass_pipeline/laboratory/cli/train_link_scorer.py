"""`mass-pipeline lab train-link-scorer`: the weights of the learnt scorer, from crawls and written menus."""

from __future__ import annotations

from pathlib import Path

import click

from mass_pipeline.cli.options import FILE, FOLDER_THERE

_MENUS = 1500


@click.command()
@click.option(
    "--state",
    "states",
    multiple=True,
    type=FOLDER_THERE,
    help="State folder of an earlier crawl to learn from; may be repeated.  [default: generated sites of the demo web]",
)
@click.option("--sites", type=click.IntRange(10, 5000), default=160, show_default=True, help="Generated sites without --state.")
@click.option("--seed", type=int, default=20261120, show_default=True, help="Seed of the written menus and of the regression.")
@click.option("--out", type=FILE, help="Weights file.  [default: the shipped one]")
def train_link_scorer(states: tuple[Path, ...], sites: int, seed: int, out: Path | None) -> None:
    """Train the learnt scorer anew; the same input and seed give the same bytes.

    It learns which links led to the page that states the Masses. Without --state it crawls generated sites of the demo web on
    loopback; written menus are added in either case.

    \b
    Examples:
      mass-pipeline lab train-link-scorer
      mass-pipeline lab train-link-scorer --state data/live/state/crawl/elblaska --out my-weights.json
    """
    from mass_pipeline.crawling.sites.learnt_scorer import MODEL_FILE
    from mass_pipeline.laboratory.link_scorer.crawls import crawled, of_demo_web
    from mass_pipeline.laboratory.link_scorer.training import Example, train
    from mass_pipeline.laboratory.link_scorer.written_menus import written_menus

    found = list(crawled(states) if states else of_demo_web(sites))
    written = [Example(sight, float(leads)) for sight, leads in written_menus(_MENUS, seed)]
    model = train([*found, *written], seed=seed)
    target = out or MODEL_FILE
    target.write_bytes(model.to_json())
    good = sum(example.value == 1 for example in found)
    click.echo(f"{len(found)} links of crawls ({good} lead to a schedule), {len(written)} of written menus")
    click.echo(f"{len(model.weights)} weights, {target.stat().st_size / 1000:.0f} kB -> {target}")
