"""`mass-pipeline extract`: Mass schedules from records, pages or folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.cli.judges import judge_of
from mass_pipeline.cli.options import FILE, FILE_THERE, write_lines
from mass_pipeline.model.errors import BadInput

if TYPE_CHECKING:
    from mass_pipeline.cli.reading_records import Answer
    from mass_pipeline.cli.records import Record

_CHUNK: Final = 8  # records handed to a worker at a time
_NO_PARISH: Final = (
    "Read without knowing the parish, so another church's order may be taken for its own: give `name` and `town` with --records."
)
_PAGES: Final = frozenset({".html", ".htm", ".xhtml", ".md", ".mdx", ".txt", ".pdf", ".docx", ".odt", ".php", ".asp", ""})


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--records", type=FILE_THERE, help="JSON Lines file of records.")
@click.option("--out", type=FILE, help="JSON Lines file to write.  [default: stdout]")
@click.option("--rules-only", is_flag=True, help="Use the grammar alone, even when a trained model is there.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="Print PATHs as JSON Lines instead of for people.")
@click.option("--explain", is_flag=True, help="Show lines, tokens, verdicts and scores behind each schedule.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The day of which the order is asked.  [default: today]")
@click.option("--picture", is_flag=True, help="PATHs are pictures or scanned PDF files: propose what they show (extra ocr).")
@click.option("--language", type=click.Choice(["pl", "en"]), default="pl", show_default=True, help="Language of summaries.")
def extract(
    paths: tuple[Path, ...],
    records: Path | None,
    out: Path | None,
    rules_only: bool,
    jobs: int,
    as_json: bool,
    explain: bool,
    today: datetime | None,
    picture: bool,
    language: str,
) -> None:
    """Read Mass schedules from pages, folders (one folder is one site) or a file of records.

    Each line of a records file is an object with "id" and one of: "pages" (a list of {"file": path}), "file", "html",
    "text", or "sunday", "weekday" and "feast"; "name" and "town" of the parish help to know it.
    The answer holds "id", "masses", "service_times" and "status"; where the words admit more than one reading, the likeliest
    is in "masses" and the others are in "alternatives" with their weights. What was read and is not the parish's own of today,
    or not sure enough, is in "proposed" with the reasons. Of a site that is kept as source code
    (.vue, .tsx, .svelte, ...) give the pages as a browser gets them: such files are not read.

    Pictures are read with --picture, which needs Debian's tesseract-ocr and tesseract-ocr-pol. Every row of a picture is a
    proposal with its confidence; nothing is published from a picture alone. Files are read on this machine; nothing is sent.

    \b
    Examples:
      mass-pipeline extract parish.html
      mass-pipeline extract site-folder --explain
      mass-pipeline extract --picture plakat-msze.jpg
      mass-pipeline extract --records sites.jsonl --rules-only --out schedules.jsonl --jobs 2
    """
    if bool(paths) == (records is not None):
        raise click.UsageError("give either PATHs or --records FILE.")
    if picture:
        _print_pictures(paths)
        return
    from mass_pipeline.cli.reading_records import read_record
    from mass_pipeline.reading.words.effective_date import today_in_poland

    day = today.date() if today is not None else today_in_poland()
    worker = partial(read_record, judge=judge_of(os.environ, rules_only=rules_only), today=day, explain=explain)
    if records is not None:
        from mass_pipeline.cli.records import read_records

        write_lines((answer.as_dict() for answer in _answers(read_records(records), worker, jobs)), out, "schedules")
        return
    answers = _answers((_path_record(path) for path in paths), worker, jobs)
    if as_json or out is not None:
        write_lines((answer.as_dict() for answer in answers), out, "schedules")
    else:
        _print_for_people(answers, language)


def _answers(records: Iterable[Record], worker: Callable[[Record], Answer], jobs: int) -> Iterator[Answer]:
    """Answers in the order of the records."""
    if jobs == 1:
        yield from map(worker, records)
        return
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        yield from pool.map(worker, records, chunksize=_CHUNK)


def _path_record(path: Path) -> Record:
    """A file, or a folder whose files are the pages of one site."""
    from mass_pipeline.cli.records import Record

    if path.is_dir():
        files = sorted(f for f in path.rglob("*") if f.is_file() and _is_page(f.relative_to(path)))
        if not files:
            raise BadInput(
                f"{path}: no page in this folder. Expected files like page.html, page.md, page.txt or page.pdf; of a site that "
                "is built from source code the pages as a browser gets them."
            )
        return Record(str(path), {"id": str(path), "pages": [str(f.relative_to(path)) for f in files]}, path)
    return Record(str(path), {"id": str(path), "file": path.name}, path.parent)


def _is_page(path: Path) -> bool:
    """Whether a file of a folder is one of the site, and nothing that its tools install; source code is named as unread."""
    from mass_pipeline.model.sniffing import is_source_code

    if any(part.startswith(".") or part == "node_modules" for part in path.parts):
        return False
    return path.suffix.lower() in _PAGES or is_source_code(path.name)


def _print_for_people(answers: Iterable[Answer], language: str) -> None:
    from mass_pipeline.reading.formats.summary import summarize

    for number, answer in enumerate(answers):
        if number:
            click.echo()
        click.secho(answer.id, bold=True)
        click.echo(summarize((read.mass for read in answer.schedule.masses), "en" if language == "en" else "pl"))
        if answer.service_times:
            click.echo(f"service_times={answer.service_times}")
        click.echo(f"status: {answer.schedule.status}  (judged by: {answer.judged_by})")
        for weight, masses in answer.schedule.alternatives:
            click.echo(f"or, with weight {weight:.2f}:")
            click.echo(summarize(masses, "en" if language == "en" else "pl"))
        for reason in dict.fromkeys(reason for one in answer.schedule.withheld for reason in one.reasons):
            click.echo(f"not published: {reason}")
        for note in answer.schedule.notes:
            click.echo(f"note: {note}")
        for line in answer.explanation:
            click.echo(line)
    click.echo(_NO_PARISH, err=True)


def _print_pictures(files: Iterable[Path]) -> None:
    """Proposals of pictures and scans, for a person to judge; BadInput when none of them could be read."""
    from mass_pipeline.guard import TooCostly
    from mass_pipeline.reading.ocr.reading import read_picture
    from mass_pipeline.reading.ocr.tesseract import PictureUnreadable

    readable = False
    for file in files:
        try:
            found = read_picture(file.read_bytes(), url=file.name)
        except (PictureUnreadable, TooCostly, OSError) as error:
            click.echo(f"{file}: {error}", err=True)
            continue
        readable = True
        click.echo(f"{file}: {len(found.withheld)} rows proposed")
        for one in found.withheld:
            mass = one.read.mass
            click.echo(f"  {' '.join(mass.days)} {mass.time} {mass.when} {one.read.confidence:.2f} ({', '.join(one.reasons)})")
        for note in found.notes:
            click.echo(f"  {note}")
    if not readable:
        raise BadInput("none of the files could be read.")
