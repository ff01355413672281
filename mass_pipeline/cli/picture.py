"""`mass-pipeline picture`: the schedule that a picture or a scan seems to show, for a person to judge."""

from __future__ import annotations

from pathlib import Path

import click

from mass_pipeline.cli.options import FILE_THERE
from mass_pipeline.model.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE_THERE)
def picture(files: tuple[Path, ...]) -> None:
    """Propose the Masses of pictures and scanned PDF files.

    Needs the extra `ocr` and Debian's tesseract-ocr and tesseract-ocr-pol. Every row is a proposal with its confidence;
    nothing is published from a picture alone. Files are read on this machine; nothing is fetched or sent.

    \b
    Example:
      mass-pipeline picture plakat-msze.jpg
    """
    from mass_pipeline.guard import TooCostly
    from mass_pipeline.reading.ocr.reading import read_picture
    from mass_pipeline.reading.ocr.tesseract import PictureUnreadable

    failed = 0
    for file in files:
        try:
            found = read_picture(file.read_bytes(), url=file.name)
        except (PictureUnreadable, TooCostly, OSError) as error:
            click.echo(f"{file}: {error}", err=True)
            failed += 1
            continue
        click.echo(f"{file}: {len(found.withheld)} rows proposed")
        for one in found.withheld:
            mass = one.read.mass
            click.echo(f"  {' '.join(mass.days)} {mass.time} {mass.when} {one.read.confidence:.2f} ({', '.join(one.reasons)})")
        for note in found.notes:
            click.echo(f"  {note}")
    if failed == len(files):
        raise BadInput("none of the files could be read.")
