"""The inbox of reports: lines appended by the public process, read by the operator's import; no address, no name.

A report changes nothing by itself. The import writes what became of each into a file of states that the site shows, and drops
reports that were settled long enough ago.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, TypeVar

import orjson

from mass_pipeline.finding.corrections import Correction, read_correction
from mass_pipeline.finding.index.dictionary import column, columns_of
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.identifiers import one_line
from mass_pipeline.model.whole_files import replacing
from mass_pipeline.reading.words.masking.lines import without_numbers

REPORT_KINDS: Final = ("wrong_hour", "no_longer", "missing", "wrong_place", "personal_data", "other")
LONGEST_TEXT: Final = 500  # characters
LONGEST_FIELD: Final = 80  # of every other field of a report
MOST_BYTES: Final = 50_000_000  # of the inbox; a flood ends there, and the operator sees it
_REPORTS: Final = "reports.jsonl"
_REPORT_ID: Final = re.compile(r"\w{1,64}", re.ASCII)
_STATES: Final = "states.json"
_LOCKED: Final = ".lock"  # taken by whoever writes, in this process or another
_LOCK: Final = threading.Lock()
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Report:
    """One report.

    Attributes:
        report_id: its identifier.
        sent_at: ISO moment, to the minute.
        kind: one of REPORT_KINDS.
        text: what was written, for people only; never published. Numbers and addresses of persons are hidden.
        The others: "" where nothing was said.
    """

    report_id: str
    sent_at: str
    parish_id: str = column("Identifier of the parish")
    mass_id: str = column("The row it means; empty: the parish as a whole")
    kind: str = column()
    text: str = column("What is wrong, in words")
    generation: str = column("The edition of the data that its sender saw")
    time: str = column("The right hour, HH:MM", default="")
    days: str = column("Days it holds for, as in `days` of a rule, with spaces", default="")
    day: str = column("The only date it holds for, YYYY-MM-DD", default="")

    def correction(self) -> Correction | None:
        """The right hour that it holds, if any.

        Raises:
            BadField: a field of it is malformed.
        """
        sent = date.fromisoformat(self.sent_at[:10])
        return read_correction(self.kind, self.mass_id, self.time, self.days, self.day, sent)


REPORT: Final = {name: one for name, one in columns_of(Report).items() if name not in ("report_id", "sent_at")}  # what is sent


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """The inbox to oneself: of two processes that write, one waits.

    Raises:
        StorageError: the disk refuses.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _LOCK, (folder / _LOCKED).open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise StorageError(f"{folder}: cannot be written ({error.strerror}).") from error


def append(folder: Path, report: Report) -> None:
    """Append a report, durably.

    Raises:
        StorageError: the disk refuses, or the inbox is full.
    """
    with writing(folder):
        append_line(folder / _REPORTS, report, MOST_BYTES)


def harmless(text: str, most: int) -> str:
    """Words of a stranger as they are kept: one line of so many characters, numbers and addresses of persons hidden.

    >>> harmless("o 9.00\\r\\n tel. 605 111 222", 40)
    'o 9.00 tel. ▒▒▒'
    """
    return without_numbers(one_line(text[:most]))


def drop_reports(folder: Path, gone: Collection[str]) -> None:
    """Remove reports, their words and their states for good."""
    with writing(folder):
        rewrite_lines(folder / _REPORTS, (one for one in read_reports(folder) if one.report_id not in gone))
        write_states(folder, {key: state for key, state in states(folder).items() if key not in gone})


def append_line(path: Path, record: object, most_bytes: int | None = None) -> None:
    """Append a record to a file of the inbox as a line of JSON, durably.

    Raises:
        StorageError: the disk refuses, or the file is full.
    """
    try:
        with path.open("ab") as file:
            if most_bytes is not None and file.tell() > most_bytes:
                raise StorageError(f"{path}: is full; import or remove its reports.")
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"{path}: cannot be written ({error.strerror}).") from error


def rewrite_lines(path: Path, records: Iterable[object]) -> None:
    """Replace a file of the inbox by these records of it."""
    lines = b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in records)
    with replacing(path) as aside:
        aside.write_bytes(lines)


def whole_lines(path: Path, kind: Callable[..., Record]) -> Iterator[Record]:
    """The records of a file, oldest first; a line broken off by a crash is passed over."""
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        found = _record(line, kind)
        if found is not None:
            yield found


def _record(line: bytes, kind: Callable[..., Record]) -> Record | None:
    try:
        return kind(**orjson.loads(line))
    except (orjson.JSONDecodeError, TypeError):
        return None


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


def report_of(folder: Path, report_id: str) -> Report | None:
    """A report by its identifier; None when there is none, or it was dropped."""
    if not _REPORT_ID.fullmatch(report_id):
        return None
    wanted = b'{"report_id":"' + report_id.encode() + b'"'
    path = folder / _REPORTS
    if not path.is_file() or not path.stat().st_size:
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        at = content.find(wanted)  # the bytes are looked for, and nothing else is taken apart
        line = content[at : content.find(b"\n", at)] if at >= 0 else b""
    return _record(line, Report) if line else None


def state_of(folder: Path, report_id: str) -> str | None:
    """What became of a report; None when there is none of that identifier."""
    known = states(folder).get(report_id)
    return known if known is not None or report_of(folder, report_id) is None else "received"
