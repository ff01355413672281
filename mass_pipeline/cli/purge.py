"""`mass-pipeline purge`: a removal request for a page or a host."""

from __future__ import annotations

import os
from contextlib import nullcontext
from datetime import UTC, datetime

import click

from mass_pipeline.cli.options import the_settings


@click.command()
@click.argument("target", metavar="URL|HOST")
def purge(target: str) -> None:
    """Erase all words of a page, or of a host with its subdomains, for good, and never ask for it again.

    The wish is recorded first (state/removals.jsonl of the data folder): every crawl, watch and link collection of this
    installation obeys it from then on. Then the words go out of crawl and watch state with their logs, link collection,
    directory walks, tables, proposals, the questions of the annotation app, the generations of the public index, and Dagster's
    history of runs. Each part is done whole or not at all, and reported; what a running crawl holds is refused: wait for it and
    run the command again. What remains is the address where it must: in this record, and with the parish as the directory
    and look-ups gave it, so that nobody asks for it.

    \b
    Examples:
      mass-pipeline purge parafia.example
      mass-pipeline purge https://parafia.example/intencje
    """
    from mass_pipeline.cli.run import keeps_history, open_instance, prepare_home
    from mass_pipeline.crawling.fetching.scope import OptOuts, target_of
    from mass_pipeline.operations.operator_ui.history import erase_in_history, report_erased
    from mass_pipeline.publishing.removal import erase
    from mass_pipeline.resources.opt_outs import record_refusal

    host, url = target_of(target)
    settings = the_settings()
    new = record_refusal(settings.shared, host, url, datetime.now(UTC))
    click.echo(f"{host or url}: {'recorded; it is never asked for again' if new else 'was recorded before'}")
    removals = OptOuts.of([host] if host else [], [url] if url else [])
    home = prepare_home(settings, os.environ)
    gone = _Gone()
    with open_instance(home) if keeps_history(home) else nullcontext() as instance, gone:
        for done in erase(settings, removals):
            gone.add(done.part, done.what, done.count)
            if instance is not None:
                report_erased(instance, done)
        if instance is not None:
            for part, count in erase_in_history(instance, home, settings.data_folder / "logs", removals):
                gone.add(part, "rows of the history of runs", count)


class _Gone:
    """What was erased, told in a screen when it is done or refused: a line for each kind of part that held anything."""

    def __init__(self) -> None:
        self._parts: dict[tuple[str, str], list[int]] = {}
        self._searched = 0

    def add(self, part: str, what: str, count: int) -> None:
        """A part that was searched; partitions of a table, and states of one kind, are one line."""
        self._searched += 1
        if count:
            folders = part.split("/")
            self._parts.setdefault(("/".join(folders[:2]) if len(folders) > 2 else part, what), []).append(count)

    def __enter__(self) -> None:
        """Nothing is told yet."""

    def __exit__(self, *_: object) -> None:
        for (part, what), counts in self._parts.items():
            click.echo(f"{part}: {sum(counts)} {what}" + (f" in {len(counts)} parts" if len(counts) > 1 else ""))
        others = self._searched - sum(map(len, self._parts.values()))
        click.echo(f"{others} of {self._searched} parts that were searched held nothing of it.")
