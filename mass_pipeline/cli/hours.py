"""`mass-pipeline hours`: every candidate hour of records with its verdict."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.records import Record, read_records
from mass_pipeline.model.errors import UsageError

if TYPE_CHECKING:
    from mass_pipeline.classification.model import Trained
    from mass_pipeline.schedule_grammar import PageReading


@click.command()
@click.option(
    "--records", required=True, type=click.Path(dir_okay=False, path_type=Path), help="JSON Lines of sources; paths are relative."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where to write; standard output when left out.")
@click.option("--rules-only", is_flag=True, help="Leave the classifier out.")
def hours(records: Path, out: Path | None, rules_only: bool) -> None:
    """List every candidate hour: id, file, time, raw, left, right, is_mass, score.

    A record is one JSON object per line with "id" and one of "pages": [{"file": ...}], "file", "html", "text", or
    "sunday" and "weekday". All pages of a record are one site: what its pages say of each other counts.

    \b
    Examples:
      mass-pipeline hours --records sites.jsonl --out hours.jsonl
      mass-pipeline hours --records sites.jsonl | jq 'select(.is_mass)'
    """
    model = None if rules_only else _model()
    lines = (line for record in read_records(records) for line in _lines(record, model))
    if out is None:
        for line in lines:
            click.echo(line)
        return
    partial = out.with_name(out.name + ".part")
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as stream:
            for line in lines:
                stream.write(line + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    finally:
        partial.unlink(missing_ok=True)
    click.echo(f"{count} hours written to {out}", err=True)


def _model() -> Trained | None:
    """The classifier in use: the operator's own, else the one shipped with the package."""
    from mass_pipeline.classification import load_model
    from mass_pipeline.resources.settings import load_settings

    return load_model(load_settings(os.environ).data_folder)


def _lines(record: Record, model: Trained | None) -> Iterator[str]:
    from mass_pipeline.extraction.decisions import decide_hours
    from mass_pipeline.schedule_grammar import read_site

    named = list(_readings(record))
    names, readings = [name for name, _ in named], [reading for _, reading in named]
    decided = decide_hours(readings, read_site(readings), parish_id=record.id)
    if model is not None:
        from mass_pipeline.classification.open_hours import decide_open_hours

        decided = decide_open_hours(decided, model)
    for name, decisions in zip(names, decided, strict=True):
        for decision in decisions:
            hour = decision.hour
            row = {
                "id": record.id,
                "file": name,
                "time": hour.time,
                "raw": hour.raw,
                "left": hour.left,
                "right": hour.right,
                "is_mass": decision.is_mass,
                "score": round(decision.score, 4),
            }
            yield json.dumps(row, ensure_ascii=False)


def _readings(record: Record) -> Iterator[tuple[str, PageReading]]:
    """Name and reading of every page; what is given as a bare text is a schedule, not a page that may hold one."""
    from mass_pipeline.schedule_grammar import read_page, read_strings, read_text

    if record.strings is not None:
        yield "", read_strings(*record.strings)
    elif "text" in record.data:
        yield "", read_text(str(record.data["text"]))
    else:
        for name, document in record.documents():
            yield name, read_page(document)
