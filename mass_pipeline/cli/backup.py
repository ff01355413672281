"""`mass-pipeline backup` and `mass-pipeline restore`: one archive of an installation on one machine."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import click

from mass_pipeline.cli.options import FILE, FILE_THERE, progress_line, replaced_file, the_settings
from mass_pipeline.model.errors import UsageError


@click.command()
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Write tables, states, models, labels, the public index and Dagster's history into one file, while everything runs.

    Databases are copied whole at one moment each; what a run is at is in it as far as it was kept. Secrets are in no file of the
    data folder but those you put there. PostgreSQL and object storage (docs/scale.md) have backups of their own.

    \b
    Examples:
      mass-pipeline backup /mnt/backups/parishes-2026-11-28.tar.zst
    """
    from mass_pipeline.cli.run import prepare_home
    from mass_pipeline.operations.backup import write_backup

    settings = the_settings()
    if not settings.data_folder.is_dir():
        raise UsageError(f"{settings.data_folder} is not there, so there is nothing to keep: set MASS_PIPELINE_DATA_FOLDER.")
    home = prepare_home(settings, os.environ)
    for folder in (settings.data_folder, home):
        if file.absolute().is_relative_to(folder):
            raise UsageError(f"{file} lies in {folder}, which it is a backup of: choose a file elsewhere, best on another disk.")
    show, began = progress_line(), time.monotonic()

    def tell(done: int, whole: int) -> None:
        show(f"{done / 1e6:,.0f} of {whole / 1e6:,.0f} MB", time.monotonic() - began)

    if file.exists():
        raise UsageError(f"{file} is there already: choose another file, or move that one away first.")
    with replaced_file(file) as aside:
        made = write_backup(settings.data_folder, home, aside, version("mass_pipeline"), datetime.now(UTC), tell)
    click.echo(f"{file}: {len(made.digests)} files, {file.stat().st_size / 1e6:,.1f} MB. mass-pipeline restore puts them back.")


@click.command()
@click.argument("file", type=FILE_THERE)
def restore(file: Path) -> None:
    """Put a backup back, into a data folder that is empty or not there; every file is compared with its digest first.

    Runs that were under way when it was written become CANCELED: the next run of the diocese goes on from what they had kept.

    \b
    Examples:
      MASS_PIPELINE_DATA_FOLDER=/srv/restored mass-pipeline restore parishes-2026-11-28.tar.zst
    """
    from mass_pipeline.cli.run import home_of, keeps_history, open_instance
    from mass_pipeline.operations.backup import restore as put_back

    settings = the_settings()
    home = home_of(settings, os.environ)
    made = put_back(file, settings.data_folder, home)
    ended = 0
    if keeps_history(home):
        from dagster import RunsFilter

        from mass_pipeline.dagster_internals import NOT_FINISHED_STATUSES

        with open_instance(home) as instance:
            for run in instance.get_runs(RunsFilter(statuses=list(NOT_FINISHED_STATUSES))):
                instance.report_run_canceled(run, message="It was under way when the backup was written.")
                ended += 1
    click.echo(f"{settings.data_folder}: {len(made.digests)} files of {made.made_at:%Y-%m-%d %H:%M} UTC, by {made.version}.")
    if ended:
        click.echo(f"{ended} runs that were under way are canceled.")
    click.echo("Wishes of owners since then are not in it: repeat what mass-pipeline purge was told since.")
