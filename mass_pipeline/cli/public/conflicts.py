"""`mass-pipeline public conflicts`: where OpenStreetMap and the parishes' sites say different hours."""

from __future__ import annotations

import os
from datetime import date, timedelta
from pathlib import Path

import click

from mass_pipeline.model.errors import UsageError

_LONGEST_VALUE = 255  # characters of a tag of OpenStreetMap


@click.command()
@click.option("--osm", "extract", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Overpass JSON of churches.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write; CSV when it is called so.  [default: stdout]"
)
def conflicts(extract: Path | None, out: Path | None) -> None:
    """Write tasks for mappers (MapRoulette's line-by-line GeoJSON, or CSV); nothing is ever edited.

    \b
    Example:
      mass-pipeline public conflicts --osm churches.json --out tasks.jsonl
      mass-pipeline public conflicts --osm churches.json --out tasks.csv
    """
    from mass_pipeline.assets.parish_positions import churches_of, homes_and_towns
    from mass_pipeline.assets.public_index import parish_facts
    from mass_pipeline.finding.conflicts import find_conflicts, table, tasks
    from mass_pipeline.finding.positions import match_churches
    from mass_pipeline.resources.lake import open_lake
    from mass_pipeline.resources.operation import OperationConfig
    from mass_pipeline.resources.settings import load_settings
    from mass_pipeline.schedule_grammar.telling.osm import describe_service_times
    from mass_pipeline.schedules.config import FreshnessConfig

    settings = load_settings(os.environ)
    operation: OperationConfig = settings.section(OperationConfig)
    ages: FreshnessConfig = settings.section(FreshnessConfig)
    lake, now = open_lake(settings), operation.clock()()
    homes, towns, default = homes_and_towns(lake, settings)
    chosen = extract or default
    if chosen is None:
        raise UsageError("No extract of OpenStreetMap: give --osm FILE, or set MASS_PIPELINE_PUBLIC_OSM_EXTRACT.")
    matched = match_churches(homes, churches_of(chosen), towns)
    known = {one.parish_id: one for one in parish_facts(lake, now, ages)}
    points = {
        key: value
        for key, one in known.items()
        if len(value := describe_service_times(row.mass for row in one.rows if row.exception is None).points) <= _LONGEST_VALUE
    }
    found = list(find_conflicts(matched, known, points, evaluated, now, timedelta(ages.fresh_days)))
    if out is None:
        click.echo(tasks(found), nl=False)
    else:
        out.write_text(table(found) if out.suffix == ".csv" else tasks(found), encoding="utf-8")
    click.echo(f"{len(matched)} churches matched, {len(found)} tasks", err=True)


def evaluated(value: str, first: date, days: int) -> frozenset[str] | None:
    """Local starts of a value; None when it cannot be read. Open-ended hours and points of time count by their start.

    Raises:
        UsageError: the evaluator is not installed.
    """
    import re

    try:
        from opening_hours import OpeningHours, ParserError  # type: ignore[attr-defined]
    except ImportError as error:
        raise UsageError("conflicts needs the package opening-hours-py: pip install opening-hours-py.") from error
    from datetime import datetime

    # A point of time is no span to an evaluator: one minute stands for it.
    spans = re.sub(r"(?<![-\d:])(\d\d):(\d\d)\+?(?![-:\d+])", lambda m: f"{m[1]}:{m[2]}-{_a_minute_later(m[1], m[2])}", value)
    try:
        hours = OpeningHours(spans)
    except ParserError:
        return None
    start = datetime(first.year, first.month, first.day)  # noqa: DTZ001 - local wall clock throughout
    found = hours.intervals(start, start + timedelta(days=days))
    return frozenset(f"{one[0]:%Y-%m-%dT%H:%M}" for one in found if str(one[2]) == "open")


def _a_minute_later(hour: str, minute: str) -> str:
    total = int(hour) * 60 + int(minute) + 1
    return f"{total // 60:02d}:{total % 60:02d}"
