"""`mass-pipeline public find`: a question answered with Masses, each with the words that it rests on."""

from __future__ import annotations

import click

from mass_pipeline.cli.options import the_settings
from mass_pipeline.model.errors import UsageError


@click.command()
@click.argument("question")
def find(question: str) -> None:
    """Answer a QUESTION from the public index: day, hour, parish, its own words, their site and when they were read.

    "Tomorrow" is counted from now, in the demo from its frozen day, 22 November 2026.

    \b
    Examples:
      mass-pipeline public find "msza w niedzielę po 9 w Starzynach"
      mass-pipeline public find "Mass in Starzyny tomorrow evening"
    """
    from mass_pipeline.cli.public.answering import answer_lines
    from mass_pipeline.public_web.params import Refused

    settings = the_settings()
    try:
        for line in answer_lines(settings, question):
            click.echo(line)
    except Refused as error:
        raise UsageError(
            f"{settings.shared} has no public index yet: mass-pipeline demo, or mass-pipeline public build."
        ) from error
