"""The inbox of reports: lines appended by the public process, read by the operator's import; no address, no name.

A report changes nothing by itself. The import writes what became of each into a file of states that the site shows.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.model.errors import StorageError

REPORT_KINDS: Final = ("wrong_hour", "no_longer", "missing", "wrong_place", "personal_data", "other")
LONGEST_TEXT: Final = 500  # characters
MOST_BYTES: Final = 50_000_000  # of the inbox; a flood ends there, and the operator sees it
_REPORTS: Final = "reports.jsonl"
_STATES: Final = "states.json"
_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Report:
    """One report.

    Attributes:
        report_id: its identifier.
        sent_at: ISO moment, to the minute.
        mass_id: the row it means, "" for the parish as a whole.
        kind: one of REPORT_KINDS.
        text: what was written, for people only; never published.
        generation: the generation its sender saw.
    """

    report_id: str
    sent_at: str
    parish_id: str
    mass_id: str
    kind: str
    text: str
    generation: str


def append(folder: Path, report: Report) -> None:
    """Append a report, durably.

    Raises:
        StorageError: the disk refuses, or the inbox is full.
    """
    path = folder / _REPORTS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _LOCK, path.open("ab") as file:
            if file.tell() > MOST_BYTES:
                raise StorageError(f"{path}: is full; import or remove its reports.")
            file.write(orjson.dumps(asdict(report), option=orjson.OPT_APPEND_NEWLINE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"{path}: a report cannot be written ({error.strerror}).") from error


def read_reports(folder: Path) -> Iterator[Report]:
    """All whole reports, oldest first; a line broken off by a crash is passed over."""
    path = folder / _REPORTS
    if not path.is_file():
        return
    for line in path.read_bytes().splitlines():
        try:
            yield Report(**orjson.loads(line))
        except (orjson.JSONDecodeError, TypeError):
            continue


def states(folder: Path) -> dict[str, str]:
    """report_id -> what became of it, as the last import wrote."""
    try:
        found = orjson.loads((folder / _STATES).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def write_states(folder: Path, known: Mapping[str, str]) -> None:
    """Replace the file of states."""
    aside = folder / f".{_STATES}.{os.getpid()}"
    aside.write_bytes(orjson.dumps(dict(known), option=orjson.OPT_SORT_KEYS))
    aside.replace(folder / _STATES)


def state_of(folder: Path, report_id: str) -> str | None:
    """What became of a report; None when there is none of that identifier."""
    known = states(folder).get(report_id)
    if known is not None:
        return known
    return "received" if any(one.report_id == report_id for one in read_reports(folder)) else None
