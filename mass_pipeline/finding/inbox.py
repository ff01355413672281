"""The inbox of reports: lines appended by the public process, read by the operator's import; no address, no name.

A report changes nothing by itself. The import writes what became of each into a file of states that the site shows.
"""

from __future__ import annotations

import mmap
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.whole_files import replacing

REPORT_KINDS: Final = ("wrong_hour", "no_longer", "missing", "wrong_place", "personal_data", "other")
LONGEST_TEXT: Final = 500  # characters
MOST_BYTES: Final = 50_000_000  # of the inbox; a flood ends there, and the operator sees it
_REPORTS: Final = "reports.jsonl"
_REPORT_ID: Final = re.compile(r"\w{1,64}", re.ASCII)
_STATES: Final = "states.json"
_LOCK: Final = threading.Lock()
Record = TypeVar("Record")


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
    with _LOCK:
        append_line(folder / _REPORTS, report, MOST_BYTES)


def append_line(path: Path, record: object, most_bytes: int | None = None) -> None:
    """Append a record to a file of the inbox as a line of JSON, durably.

    Raises:
        StorageError: the disk refuses, or the file is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            if most_bytes is not None and file.tell() > most_bytes:
                raise StorageError(f"{path}: is full; import or remove its reports.")
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"{path}: cannot be written ({error.strerror}).") from error


def whole_lines(path: Path, kind: Callable[..., Record]) -> Iterator[Record]:
    """The records of a file, oldest first; a line broken off by a crash is passed over."""
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            yield kind(**orjson.loads(line))
        except (orjson.JSONDecodeError, TypeError):
            continue


def read_reports(folder: Path) -> Iterator[Report]:
    """All whole reports, oldest first."""
    return whole_lines(folder / _REPORTS, Report)


def states(folder: Path) -> dict[str, str]:
    """report_id -> what became of it, as the last import wrote."""
    try:
        found = orjson.loads((folder / _STATES).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def write_states(folder: Path, known: Mapping[str, str]) -> None:
    """Replace the file of states."""
    with replacing(folder / _STATES) as aside:
        aside.write_bytes(orjson.dumps(dict(known), option=orjson.OPT_SORT_KEYS))


def state_of(folder: Path, report_id: str) -> str | None:
    """What became of a report; None when there is none of that identifier."""
    known = states(folder).get(report_id)
    if known is not None:
        return known
    return "received" if _REPORT_ID.fullmatch(report_id) and _is_in(folder / _REPORTS, report_id.encode()) else None


def _is_in(path: Path, report_id: bytes) -> bool:
    """Whether the file holds a report of that identifier: the bytes are looked for, and nothing is taken apart."""
    wanted = b'{"report_id":"' + report_id + b'"'
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(wanted) >= 0
