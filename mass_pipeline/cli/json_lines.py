"""JSON Lines, as the commands that answer record by record write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from mass_pipeline.model.errors import UsageError


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
    partial = out.with_name(out.name + ".part")
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as stream:
            for answer in answers:
                stream.write(json.dumps(answer, ensure_ascii=False) + "\n")
                count += 1
        partial.replace(out)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}. Choose another --out.") from error
    finally:
        partial.unlink(missing_ok=True)
    click.echo(f"{count} {noun} written to {out}", err=True)
