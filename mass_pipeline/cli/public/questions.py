"""`mass-pipeline public find`, `ask`: a question, or a file of them, answered with Masses and their words; how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mass_pipeline.cli.options import FILE, FILE_THERE, the_settings, write_lines
from mass_pipeline.model.errors import BadInput, StorageError, UsageError
from mass_pipeline.model.json_lines import read_objects

if TYPE_CHECKING:
    from mass_pipeline.finding.places import Places


F = TypeVar("F", bound=Callable[..., object])


def _question_or_records(command: F) -> F:
    """The argument QUESTION, or the options `--records` and `--out`."""
    out = click.option("--out", type=FILE, help="JSON Lines file to write.  [default: stdout]")
    form = '{"id", "q", "at", "lat", "lon"}; all but q may be absent'
    records = click.option("--records", type=FILE_THERE, help=f"JSON Lines file of {form}; `ask` reads no place.")
    return click.argument("question", required=False)(records(out(command)))


@click.command()
@_question_or_records
@click.option("--at", help="Moment of asking, YYYY-MM-DDTHH:MM, Polish time unless an offset is given.  [default: now]")
@click.option(
    "--places",
    "table",
    type=FILE_THERE,
    help="Table of parishes (CSV, TSV, Parquet): town and voivodeship.  [default: the published parishes, else the demo's]",
)
def ask(question: str | None, at: str | None, table: Path | None, records: Path | None, out: Path | None) -> None:
    """Tell how a QUESTION is read, or a file of questions: one JSON object each. Answers: `mass-pipeline public find`.

    \b
    Examples:
      mass-pipeline public ask "msza jutro po 18 w Gnieźnie"
      mass-pipeline public ask "Mass in English near me" --at 2026-11-22T10:00
      mass-pipeline public ask --records questions.jsonl --out readings.jsonl --places parishes.tsv
    """
    _require_one(question, records)
    from mass_pipeline.finding.questions import interpret, prepare

    moment = moment_of(at) if at is not None else datetime.now(UTC)
    places = _places(table)
    prepare(places)

    def reading(record: Mapping[str, Any], asked_at: datetime | None) -> dict[str, object]:
        return interpret(str(record["q"] or ""), asked_at or moment, places).to_record()

    if records is None:
        write_lines([{"id": "question", **reading({"q": question}, None)}], out, "readings")
    else:
        write_lines(_answers(records, reading), out, "readings")


def _places(table: Path | None) -> Places:
    """Places of a table, else the published parishes, before the first run those of the demo web; with the gazetteer's towns."""
    from mass_pipeline.demo_web.source import load_sites
    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.finding.gazetteer import Gazetteer, read_gazetteer
    from mass_pipeline.finding.places import Places
    from mass_pipeline.finding.town_names import ParishRow, read_rows
    from mass_pipeline.model.columns import PARISHES
    from mass_pipeline.model.project_files import project_file
    from mass_pipeline.resources.lake import open_lake

    settings = the_settings()
    if table is not None:
        rows = read_rows(table)
    elif (lake := open_lake(settings)).has(PARISHES):
        columns = ("town", "voivodeship", "name", "address", "deanery")
        rows = [ParishRow(*(str(row[name] or "") for name in columns)) for row in lake.reader(PARISHES).rows(columns)]
    else:
        rows = [
            ParishRow(one.town, one.voivodeship or "", one.name, f"{one.street}|{one.postcode} {one.town}", one.deanery or "")
            for one in load_sites()
        ]
    path = settings.section(PublicConfig).gazetteer
    return Places.of(rows, read_gazetteer(project_file(path)) if path else Gazetteer(()))


@click.command()
@_question_or_records
def find(question: str | None, records: Path | None, out: Path | None) -> None:
    """Answer a QUESTION from the public index: day, hour, parish, its own words, their site and when they were read.

    "Tomorrow" is counted from now, in the demo from its frozen day, 22 November 2026; in records from their "at". What each page
    answers to records is one JSON object a line: kind (masses, next_best, ask_place, not_understood, nothing), place, parishes,
    dates and hours shown, what was left out.

    \b
    Examples:
      mass-pipeline public find "msza w niedzielę po 9 w Starzynach"
      mass-pipeline public find "Mass in Starzyny tomorrow evening"
      mass-pipeline public find --records questions.jsonl --out answers.jsonl
    """
    _require_one(question, records)
    from mass_pipeline.publishing.generations import generations_of

    settings = the_settings()
    if generations_of(settings).current() is None:
        remedy = "mass-pipeline demo, or mass-pipeline public build (public check says what speaks against one that was built)"
        raise UsageError(f"{settings.shared} has no public index in force: {remedy}.")
    from mass_pipeline.cli.public.answering import answer_lines, site_of_settings
    from mass_pipeline.public_web.answered import answer_record
    from mass_pipeline.public_web.params import Refused
    from mass_pipeline.public_web.texts import ZONE

    site = site_of_settings(settings)

    def answer(record: Mapping[str, Any], asked_at: datetime | None) -> dict[str, object]:
        moment = asked_at or site.now()
        now = moment if moment.tzinfo is None else moment.astimezone(ZONE).replace(tzinfo=None)
        return answer_record(site, {name: str(record[name]) for name in ("q", "lat", "lon") if record.get(name) is not None}, now)

    try:
        if records is not None:
            write_lines(_answers(records, answer), out, "answers")
        else:
            for line in answer_lines(site, str(question)):
                click.echo(line)
    except Refused as error:
        raise StorageError(site.library.trouble or "The public index cannot be opened: mass-pipeline public check.") from error


def _require_one(question: str | None, records: Path | None) -> None:
    if (question is None) == (records is None):
        raise click.UsageError("give either a QUESTION or --records FILE.")


def _answers(
    records: Path, answer: Callable[[Mapping[str, Any], datetime | None], dict[str, object]]
) -> Iterator[dict[str, object]]:
    """What is answered to each record and its moment (None: not stated), in the order of the records."""
    for number, record in read_objects(records, errors="replace"):
        if "q" not in record:
            raise BadInput(f'{records}:{number}: expected an object with "q".')
        yield {"id": record.get("id", number), **answer(record, moment_of(str(record["at"])) if record.get("at") else None)}


def moment_of(text: str) -> datetime:
    """The moment of a text in ISO form; UsageError when it is none."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no moment: give YYYY-MM-DDTHH:MM, with an offset if you like.") from error
