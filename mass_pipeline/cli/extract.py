"""`mass-pipeline extract`: Mass schedules from records, pages or folders."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mass_pipeline.model.errors import BadInput, UsageError

if TYPE_CHECKING:
    from mass_pipeline.cli.records import Record
    from mass_pipeline.cli.schedules import Answer

_CHUNK: Final = 8  # records handed to a worker at a time
_PAGES: Final = frozenset({".html", ".htm", ".xhtml", ".md", ".mdx", ".txt", ".pdf", ".docx", ".odt", ".php", ".asp", ""})


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--records", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="JSON Lines file of records.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="JSON Lines file to write.  [default: stdout]")
@click.option("--rules-only", is_flag=True, help="Use the grammar alone, even when a trained model is there.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="Print PATHs as JSON Lines instead of for people.")
@click.option("--explain", is_flag=True, help="Show lines, tokens, verdicts and scores behind each schedule.")
@click.option("--language", type=click.Choice(["pl", "en"]), default="pl", show_default=True, help="Language of summaries.")
def extract(
    paths: tuple[Path, ...],
    records: Path | None,
    out: Path | None,
    rules_only: bool,
    jobs: int,
    as_json: bool,
    explain: bool,
    language: str,
) -> None:
    """Read Mass schedules from pages, folders (one folder is one site) or a file of records.

    Each line of a records file is an object with "id" and one of: "pages" (a list of {"file": path}), "file", "html",
    "text", or "sunday" and "weekday". The answer holds "id", "masses", "service_times" and "status"; where the words
    admit more than one reading, the likeliest is in "masses" and the others are in "alternatives" with their weights.

    \b
    Examples:
      mass-pipeline extract parish.html
      mass-pipeline extract site-folder --explain
      mass-pipeline extract --records sites.jsonl --rules-only --out schedules.jsonl --jobs 2
    """
    if bool(paths) == (records is not None):
        raise click.UsageError("give either PATHs or --records FILE.")
    worker = _Worker(rules_only, explain, _model_folder(rules_only))
    if records is not None:
        from mass_pipeline.cli.records import read_records

        _write(_answers(read_records(records), worker, jobs), out)
        return
    answers = _answers((_path_record(path) for path in paths), worker, jobs)
    if as_json or out is not None:
        _write(answers, out)
    else:
        _print_for_people(answers, language)


class _Worker:
    """Reads one record; picklable, so that processes can share the work."""

    def __init__(self, rules_only: bool, explain: bool, model_folder: Path | None) -> None:
        self.rules_only, self.explain, self.model_folder = rules_only, explain, model_folder

    def __call__(self, record: Record) -> Answer:
        from mass_pipeline.cli.schedules import read_record

        return read_record(record, self.model_folder, explain=self.explain)


def _model_folder(rules_only: bool) -> Path | None:
    if rules_only:
        return None
    from mass_pipeline.resources.settings import load_settings

    return load_settings(os.environ).data_folder


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
        files = sorted(f for f in path.rglob("*") if f.is_file() and f.suffix.lower() in _PAGES and not f.name.startswith("."))
        if not files:
            raise BadInput(f"{path}: no page in this folder. Expected files like page.html, page.md, page.txt or page.pdf.")
        return Record(str(path), {"id": str(path), "pages": [str(f.relative_to(path)) for f in files]}, path)
    return Record(str(path), {"id": str(path), "file": path.name}, path.parent)


def _write(answers: Iterable[Answer], out: Path | None) -> None:
    """JSON Lines to a file, replaced only when complete, or to standard output."""
    if out is None:
        for answer in answers:
            click.echo(json.dumps(answer.as_dict(), ensure_ascii=False))
        return
    partial = out.with_name(out.name + ".part")
    try:
        with partial.open("w", encoding="utf-8") as stream:
            count = 0
            for answer in answers:
                stream.write(json.dumps(answer.as_dict(), ensure_ascii=False) + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    finally:
        partial.unlink(missing_ok=True)
    click.echo(f"{count} schedules written to {out}", err=True)


def _print_for_people(answers: Iterable[Answer], language: str) -> None:
    from mass_pipeline.schedule_grammar.summary import summarize

    for number, answer in enumerate(answers):
        if number:
            click.echo()
        click.secho(answer.id, bold=True)
        click.echo(summarize((read.mass for read in answer.schedule.masses), "en" if language == "en" else "pl"))
        if answer.service_times:
            click.echo(f"service_times={answer.service_times}")
        click.echo(f"status: {answer.schedule.status}")
        for weight, masses in answer.schedule.alternatives:
            click.echo(f"or, with weight {weight:.2f}:")
            click.echo(summarize(masses, "en" if language == "en" else "pl"))
        for note in answer.schedule.notes:
            click.echo(f"note: {note}")
        for line in answer.explanation:
            click.echo(line)
