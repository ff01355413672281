"""Files of JSON Lines that people give: one object a line, mistakes named with file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mass_pipeline.model.errors import BadInput, UsageError


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
