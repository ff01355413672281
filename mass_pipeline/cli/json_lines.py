"""Files of commands: JSON Lines in and out, and files that are replaced only when they are complete."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from mass_pipeline.model.errors import BadInput, UsageError
from mass_pipeline.model.whole_files import replacing


@contextmanager
def replaced_file(out: Path) -> Iterator[Path]:
    """A file to write that takes the place of `out` in the end; UsageError when it cannot be written."""
    try:
        with replacing(out) as aside:
            yield aside
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}. Choose another file.") from error


def write_lines(answers: Iterable[Mapping[str, object]], out: Path | None, noun: str) -> None:
    """One object a line, to a file, replaced only when complete, or to standard output.

    Args:
        answers: in order.
        out: where to; None for standard output.
        noun: what they are, in the plural, for the word at the end.

    Raises:
        UsageError: the file cannot be written.
    """
    if out is None:
        for answer in answers:
            click.echo(json.dumps(answer, ensure_ascii=False))
        return
    count = 0
    with replaced_file(out) as aside, aside.open("w", encoding="utf-8") as stream:
        for answer in answers:
            stream.write(json.dumps(answer, ensure_ascii=False) + "\n")
            count += 1
    click.echo(f"{count} {noun} written to {out}", err=True)


def read_objects(path: Path, errors: str = "strict") -> Iterator[tuple[int, dict[str, Any]]]:
    """The object of each line of a file, with the number of the line, in order; blank lines are skipped.

    Args:
        path: of the file, in UTF-8.
        errors: what becomes of bytes that are none, as of `open`.

    Raises:
        UsageError: the file cannot be opened, or is no UTF-8.
        BadInput: a line is no JSON object; the message names it.
    """
    try:
        with path.open(encoding="utf-8", errors=errors) as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, _object(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}. Give a UTF-8 file with one JSON object per line.") from error


def _object(line: str, place: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{place}: not JSON ({error}). Each line must be one object.") from error
    if not isinstance(data, dict):
        raise BadInput(f"{place}: not an object.")
    return data
