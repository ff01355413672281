"""`mass-pipeline forget`: a removal request for a page or a host."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import MassPipelineError

if TYPE_CHECKING:
    from mass_pipeline.crawler.fetching.removals import Removals
    from mass_pipeline.finding.index.generations import Generation
    from mass_pipeline.resources.settings import Settings


@click.command()
@click.argument("target", metavar="URL|HOST")
def forget(target: str) -> None:
    """Take the words of a page, or of a host with its subdomains, out of everything that is kept, and never ask for it again.

    The wish is recorded first (state/removals.jsonl of the data folder): every crawl, watch and link collection of this
    installation obeys it from then on. Then the words go out of crawl and watch state with their logs, link collection,
    directory walks, tables, proposals, the questions of the annotation app, and the generations of the public index. Each
    part is done whole or not at all, and reported; what a running crawl holds is refused: wait for it and run the command again.

    \b
    Examples:
      mass-pipeline forget parafia.example
      mass-pipeline forget https://parafia.example/intencje
    """
    from mass_pipeline.crawler.fetching.removals import Removals, target_of
    from mass_pipeline.publishing.removal import forget as forget_covered
    from mass_pipeline.resources.refusals import record_refusal

    host, url = target_of(target)
    settings = the_settings()
    new = record_refusal(settings.shared, host, url, datetime.now(UTC))
    click.echo(f"{host or url}: {'recorded; it is never asked for again' if new else 'was recorded before'}")
    removals = Removals.of([host] if host else [], [url] if url else [])
    for done in forget_covered(settings, removals):
        click.echo(f"{done.part}: {done.count} {done.what}")
    _forget_generations(settings, removals)


def _forget_generations(settings: Settings, removals: Removals) -> None:
    """Build the public index anew where it holds the words, and remove its generations that do."""
    from mass_pipeline.publishing.generations import generations_of
    from mass_pipeline.publishing.index import publish_index
    from mass_pipeline.resources.lake import open_lake

    generations = generations_of(settings)
    holding = [one for one in generations.all() if _holds(one, removals)]
    current = generations.current()
    if current is not None and current in holding:
        publish_index(open_lake(settings), settings)
        now_in_force = generations.current()
        if now_in_force is None or now_in_force == current or _holds(now_in_force, removals):
            raise MassPipelineError(
                f"{current.name} still holds the words: the new index was not put in force. Read its objections with "
                "`mass-pipeline public build`, then run this command again."
            )
    for one in holding:
        shutil.rmtree(one.folder)
        click.echo(f"public index: {one.name} removed")


def _holds(generation: Generation, removals: Removals) -> bool:
    with closing(sqlite3.connect(f"{generation.index.absolute().as_uri()}?mode=ro", uri=True)) as index:
        sources = index.execute("SELECT source_url FROM mass UNION SELECT source_url FROM change")
        return any(removals.covers(url) for (url,) in sources)
