"""`mass-pipeline hours`: every candidate hour of records with its verdict."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.judges import judge_of
from mass_pipeline.cli.options import FILE, write_lines
from mass_pipeline.cli.records import Record, read_records

if TYPE_CHECKING:
    from mass_pipeline.learning.model import Trained


@click.command()
@click.option("--records", required=True, type=FILE, help="JSON Lines of sources; paths are relative.")
@click.option("--out", type=FILE, help="Where to write; standard output when left out.")
@click.option("--rules-only", is_flag=True, help="Leave the classifier out.")
def hours(records: Path, out: Path | None, rules_only: bool) -> None:
    """List every candidate hour: id, file, time, raw, left, right, is_mass, score.

    A record is one JSON object per line with "id" and one of "pages": [{"file": ...}], "file", "html", "text", or
    "sunday", "weekday" and "feast". All pages of a record are one site: what its pages say of each other counts.

    \b
    Examples:
      mass-pipeline hours --records sites.jsonl --out hours.jsonl
      mass-pipeline hours --records sites.jsonl | jq 'select(.is_mass)'
    """
    judge = judge_of(os.environ, rules_only=rules_only)
    click.echo(f"Judged by {judge.name}.", err=True)
    model = judge.model()
    write_lines((line for record in read_records(records) for line in _lines(record, model)), out, "hours")


def _lines(record: Record, model: Trained | None) -> Iterator[dict[str, object]]:
    from mass_pipeline.reading.regular.sites import read_site
    from mass_pipeline.reading.words.effective_date import today_in_poland
    from mass_pipeline.site_reading.hours import judge_hours
    from mass_pipeline.site_reading.ownership.sites import judge_site

    named = list(record.readings())
    names, readings = [one.name for one in named], [one.reading for one in named]
    for one in named:
        if one.ended:
            click.echo(f"{record.id}: {one.ended}", err=True)
    if record.strings is None:
        site = judge_site(readings, today_in_poland())
        readings, schedule = site.readings, site.schedule
    else:
        schedule = read_site(readings)
    pages = judge_hours(readings, schedule, parish_id=record.id, model=model)
    for name, judged in zip(names, pages, strict=True):
        for verdict in judged:
            hour = verdict.hour
            yield {
                "id": record.id,
                "file": name,
                "time": hour.time,
                "raw": hour.raw,
                "left": hour.left,
                "right": hour.right,
                "is_mass": verdict.is_mass,
                "score": round(verdict.score, 4),
            }
