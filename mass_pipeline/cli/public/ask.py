"""`mass-pipeline public ask`: how questions are read, one or a file of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.json_lines import read_objects, write_lines
from mass_pipeline.cli.options import FILE, FILE_THERE
from mass_pipeline.model.errors import BadInput, UsageError

if TYPE_CHECKING:
    from mass_pipeline.finding.places import Places


@click.command()
@click.argument("question", required=False)
@click.option("--at", help="Moment of asking, YYYY-MM-DDTHH:MM, Polish time unless an offset is given.  [default: now]")
@click.option(
    "--places",
    "table",
    type=FILE_THERE,
    help="Tab-separated table of parishes: town and voivodeship.  [default: the published parishes, else the demo's]",
)
@click.option("--records", type=FILE_THERE, help='JSON Lines file of {"id", "q", "at"}.')
@click.option("--out", type=FILE, help="JSON Lines file to write.  [default: stdout]")
def ask(question: str | None, at: str | None, table: Path | None, records: Path | None, out: Path | None) -> None:
    """Tell how a QUESTION is read, or a file of questions: one JSON object each. Answers: `mass-pipeline public find`.

    \b
    Examples:
      mass-pipeline public ask "msza jutro po 18 w Gnieźnie"
      mass-pipeline public ask "Mass in English near me" --at 2026-11-22T10:00
      mass-pipeline public ask --records questions.jsonl --out readings.jsonl --places parishes.tsv
    """
    if (question is None) == (records is None):
        raise click.UsageError("give either a QUESTION or --records FILE.")
    from mass_pipeline.finding.questions import prepare

    moment = moment_of(at) if at is not None else datetime.now(UTC)
    places = _places(table)
    prepare(places)
    if question is not None:
        write_lines(iter([_answer("question", question, moment, places)]), out, "readings")
    else:
        assert records is not None
        write_lines(_answers(records, moment, places), out, "readings")


def moment_of(text: str) -> datetime:
    """The moment of a text in ISO form; UsageError when it is none."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no moment: give YYYY-MM-DDTHH:MM, with an offset if you like.") from error


def _places(table: Path | None) -> Places:
    from mass_pipeline.cli.public.tables import places_of_table, published_places

    return places_of_table(table, os.environ) if table is not None else published_places(os.environ)


def _answer(identifier: object, question: str, at: datetime, places: Places) -> dict[str, object]:
    from mass_pipeline.finding.questions import interpret

    return {"id": identifier, **interpret(question, at, places).to_record()}


def _answers(records: Path, now: datetime, places: Places) -> Iterator[dict[str, object]]:
    """Answers in the order of the records."""
    for number, record in read_objects(records, errors="replace"):
        if "q" not in record:
            raise BadInput(f'{records}:{number}: expected an object with "q".')
        moment = record.get("at")
        yield _answer(record.get("id", number), str(record["q"] or ""), moment_of(str(moment)) if moment else now, places)
