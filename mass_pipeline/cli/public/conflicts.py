"""`mass-pipeline public conflicts`: where OpenStreetMap and the parishes' sites say different hours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from mass_pipeline.cli.options import FILE, FILE_THERE, the_settings
from mass_pipeline.model.errors import UsageError


@click.command()
@click.option("--osm", "extract", type=FILE_THERE, help="Overpass JSON of churches.")
@click.option("--out", type=FILE, help="File to write; CSV when it is called so.  [default: stdout]")
def conflicts(extract: Path | None, out: Path | None) -> None:
    """Write tasks for mappers (MapRoulette's line-by-line GeoJSON, or CSV); nothing is ever edited.

    \b
    Example:
      mass-pipeline public conflicts --osm churches.json --out tasks.jsonl
      mass-pipeline public conflicts --osm churches.json --out tasks.csv
    """
    from mass_pipeline.finding.conflicts import table, tasks
    from mass_pipeline.publishing.index import PublishedTables
    from mass_pipeline.publishing.mapper_tasks import mapper_tasks
    from mass_pipeline.resources.lake import open_lake
    from mass_pipeline.resources.operation import OperationConfig
    from mass_pipeline.schedules.config import FreshnessConfig

    settings = the_settings()
    now, ages = settings.section(OperationConfig).clock()(), settings.section(FreshnessConfig)
    tables = PublishedTables.of(open_lake(settings), settings)
    files = replace(tables.files, osm_extract=extract) if extract else tables.files
    found = mapper_tasks(tables.parishes, files, tables.facts(now, ages), now, ages)
    if found is None:
        raise UsageError("No extract of OpenStreetMap: give --osm FILE, or set MASS_PIPELINE_PUBLIC_OSM_EXTRACT.")
    if out is None:
        click.echo(tasks(found.tasks), nl=False)
    else:
        out.write_text(table(found.tasks) if out.suffix == ".csv" else tasks(found.tasks), encoding="utf-8")
    click.echo(f"{found.matched} churches matched, {len(found.tasks)} tasks", err=True)
