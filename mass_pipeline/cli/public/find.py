"""`mass-pipeline public find`: a question answered with Masses, each with the words that it rests on; or a file of questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mass_pipeline.cli.json_lines import read_objects, write_lines
from mass_pipeline.cli.options import FILE, FILE_THERE, the_settings
from mass_pipeline.cli.public.ask import moment_of
from mass_pipeline.model.errors import BadInput, StorageError, UsageError

if TYPE_CHECKING:
    from mass_pipeline.public_web.site import Site


@click.command()
@click.argument("question", required=False)
@click.option(
    "--records", type=FILE_THERE, help='JSON Lines file of {"id", "q", "at", "lang", "lat", "lon"}; all but q may be absent.'
)
@click.option("--out", type=FILE, help="JSON Lines file to write the answers to records.  [default: stdout]")
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
    if (question is None) == (records is None):
        raise click.UsageError("give either a QUESTION or --records FILE.")
    from mass_pipeline.publishing.generations import generations_of

    settings = the_settings()
    if generations_of(settings).current() is None:
        raise UsageError(f"{settings.shared} has no public index yet: mass-pipeline demo, or mass-pipeline public build.")
    from mass_pipeline.cli.public.answering import answer_lines, site_of_settings
    from mass_pipeline.public_web.params import Refused

    site = site_of_settings(settings)
    try:
        if question is not None:
            for line in answer_lines(site, question):
                click.echo(line)
        else:
            assert records is not None
            write_lines(_answers(site, records), out, "answers")
    except Refused as error:
        raise StorageError(site.library.trouble or "The public index cannot be opened: mass-pipeline public check.") from error


def _answers(site: Site, records: Path) -> Iterator[dict[str, object]]:
    """Answers in the order of the records."""
    from mass_pipeline.public_web.answered import answer_record
    from mass_pipeline.public_web.texts import ZONE

    for number, record in read_objects(records, errors="replace"):
        if "q" not in record:
            raise BadInput(f'{records}:{number}: expected an object with "q".')
        moment = moment_of(str(record["at"])) if record.get("at") else site.now()
        now = moment if moment.tzinfo is None else moment.astimezone(ZONE).replace(tzinfo=None)
        params = {name: str(record[name]) for name in ("q", "lat", "lon") if record.get(name) is not None}
        yield {"id": record.get("id", number), **answer_record(site, params, now)}
