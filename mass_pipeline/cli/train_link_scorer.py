"""`mass-pipeline train-link-scorer`: the weights of the learnt scorer, from crawls and written menus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mass_pipeline.crawler.sites.records import CrawledPage
    from mass_pipeline.experiments.link_scorer.training import Example

_GENERATED_SEED = 411  # another one than the demo web's own: the shipped weights have not seen the sites they are measured on
_MENUS = 1500


@click.command()
@click.option(
    "--state", "states", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="State folder of an earlier crawl to learn from; may be repeated.  [default: generated sites of the demo web]",
)  # fmt: skip
@click.option("--sites", type=click.IntRange(10, 5000), default=160, show_default=True, help="Generated sites without --state.")
@click.option("--seed", type=int, default=20261120, show_default=True, help="Seed of the written menus and of the regression.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Weights file.  [default: the shipped one]")
def train_link_scorer(states: tuple[Path, ...], sites: int, seed: int, out: Path | None) -> None:
    """Train the learnt scorer anew; the same input and seed give the same bytes.

    It learns which links led to the page that states the Masses. Without --state it crawls generated sites of the demo web on
    loopback; written menus are added in either case.

    \b
    Examples:
      mass-pipeline train-link-scorer
      mass-pipeline train-link-scorer --state data/live/state/crawl/elblaska --out my-weights.json
    """
    from mass_pipeline.crawler.sites.scorers.learnt import MODEL_FILE
    from mass_pipeline.experiments.link_scorer.training import Example, train
    from mass_pipeline.experiments.link_scorer.written_menus import written_menus

    crawled = list(_crawled(states) if states else _of_demo_web(sites))
    written = [Example(sight, float(leads)) for sight, leads in written_menus(_MENUS, seed)]
    model = train([*crawled, *written], seed=seed)
    target = out or MODEL_FILE
    target.write_bytes(model.to_json())
    good = sum(example.value == 1 for example in crawled)
    click.echo(f"{len(crawled)} links of crawls ({good} lead to a schedule), {len(written)} of written menus")
    click.echo(f"{len(model.weights)} weights, {target.stat().st_size / 1000:.0f} kB -> {target}")


def _crawled(states: tuple[Path, ...]) -> Iterator[Example]:
    from itertools import groupby

    from mass_pipeline.crawler import read_pages
    from mass_pipeline.crawler.sites.stop_rule import read_statement
    from mass_pipeline.experiments.link_scorer.training import examples_of_site

    def parish(page: CrawledPage) -> str:
        return page.parish_id

    for state in states:
        for _, pages in groupby(read_pages(state), key=parish):
            yield from examples_of_site(pages, lambda page: (found := read_statement(page)) is not None and found.is_whole)


def _of_demo_web(count: int) -> Iterator[Example]:
    import tempfile

    from mass_pipeline.crawler import CrawlConfig, Seed, crawl_sites
    from mass_pipeline.demo_web.web import DemoWeb

    config = CrawlConfig(allow_private_hosts=True, no_delay=True)
    bundled = len(DemoWeb().parishes)
    with tempfile.TemporaryDirectory(prefix="mass-pipeline-train-") as folder:
        with DemoWeb(bundled + count, _GENERATED_SEED) as web:
            seeds = [Seed(one.key, one.start_url, one.site.prefix) for one in web.parishes[bundled:]]
            crawl_sites(seeds, state=Path(folder), config=config, connect_to=web.connect_to)
        yield from _crawled((Path(folder),))
