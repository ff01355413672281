"""`mass-pipeline canary`: a first look at the live sources that asks as little as possible."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mass_pipeline.cli.options import FILE_THERE, plain, the_settings


@click.command()
@click.option("--osm", type=FILE_THERE, help="Overpass JSON of churches (contact:website): sites to look at.")
@click.option("--sites", type=click.IntRange(0, 100), default=10, show_default=True, help="Parish sites to look at.")
def canary(osm: Path | None, sites: int) -> None:
    """Look at the live sources before a first run: what answers, and what to do where it is not as expected.

    Asks for one list page and one parish page of the directory, looks one parish up in Places (from the quota), and asks for
    robots.txt and home page of some parish sites, by the rules of the profile. Sites are taken from the table parish_urls, else
    from --osm, else from the table of parishes. Ends with 1 when something is not as expected.

    \b
    Examples:
      MASS_PIPELINE_PROFILE=live MASS_PIPELINE_CONTACT=me@example.org mass-pipeline canary --osm churches.json
      MASS_PIPELINE_PROFILE=staging mass-pipeline canary
    """
    from mass_pipeline.operations.canary import look
    from mass_pipeline.resources.web import open_web

    found = look(the_settings(), open_web, lambda line: click.echo(plain(line), err=True), osm_extract=osm, sites=sites)
    for one in found:
        click.echo(plain(one.line))
    if any(one.remedy for one in found):
        sys.exit(1)
