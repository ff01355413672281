"""`mass-pipeline lab classifier`: the network beside the set-up of 2018 and the rules."""

from __future__ import annotations

from pathlib import Path

import click

from mass_pipeline.cli.options import FOLDER_THERE


@click.command()
@click.option("--folds", type=click.IntRange(3, 20), default=3, show_default=True, help="Parts of the parishes of the demo.")
@click.option("--saved", type=FOLDER_THERE, help="Folder of saved pages with labelled hours (sites.jsonl, sites_hours.jsonl).")
def classifier(folds: int, saved: Path | None) -> None:
    """Is this hour a Mass of the standing order? The network beside the set-up of 2018 and the rules.

    On demo sites cross-validated by parish; with --saved on labelled hours of real pages too, which nothing is fitted on.
    Minutes of processor time; Markdown tables, as in docs/classifier.md.

    \b
    Examples:
      mass-pipeline lab classifier
      mass-pipeline lab classifier --saved labelled-pages
    """
    from mass_pipeline.laboratory.classifier_rivals import cross_validated, judges, on_saved_pages, table_of
    from mass_pipeline.laboratory.pretraining import CONFIG, SEED, demo_sites, labelled_rows
    from mass_pipeline.learning.bundled import bundled_model

    rows = labelled_rows(demo_sites(), CONFIG)
    for line in table_of(cross_validated(rows, seed=SEED, config=CONFIG, folds=folds)):
        click.echo(line)
    shipped = bundled_model()
    if saved is not None and shipped is not None:
        click.echo("")
        models = judges(rows, seed=SEED, config=CONFIG, network=shipped)
        for line in table_of(on_saved_pages(saved, models, shipped)):
            click.echo(line)
