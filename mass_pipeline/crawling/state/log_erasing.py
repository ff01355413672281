"""Take the entries of some addresses out of the logs of a state folder. Not here: state files (erasing)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.state.logs import ERROR_LOG, PROGRESS_LOG
from mass_pipeline.model.errors import StorageError
from mass_pipeline.model.state_file import lock_folder

_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ ")
_URL: Final = re.compile(r"https?://[^\s'\"<>]+")
_LOGS: Final = tuple(name for log in (PROGRESS_LOG, ERROR_LOG) for name in (log, str(Path(log).with_suffix(".old.log"))))


def erase_log_entries(folder: Path, is_covered: Callable[[object], bool]) -> int:
    """Write the logs of a folder anew without the entries that name a covered address; how many those were.

    An entry begins with its moment; a traceback below it goes with it. A log is replaced as a whole, or not at all.

    Raises:
        StorageError: another process uses the folder, or a log cannot be written.
    """
    paths = [folder / name for name in _LOGS if (folder / name).exists()]
    if not paths:
        return 0
    lock = lock_folder(folder)
    try:
        return sum(_rewritten(path, is_covered) for path in paths)
    except OSError as error:
        raise StorageError(f"{folder}: a log cannot be written ({error}). Run the command again.") from error
    finally:
        os.close(lock)


def _rewritten(path: Path, is_covered: Callable[[object], bool]) -> int:
    gone = 0
    aside = path.with_name(f".{path.name}.new")
    with path.open(encoding="ascii", errors="backslashreplace") as old, aside.open("w", encoding="ascii") as new:
        for entry in _entries(old):
            if any(is_covered(url) for url in _URL.findall(entry)):
                gone += 1
            else:
                new.write(entry)
        new.flush()
        os.fsync(new.fileno())
    if gone:
        aside.replace(path)
    else:
        aside.unlink()
    return gone


def _entries(lines: Iterator[str]) -> Iterator[str]:
    entry: list[str] = []
    for line in lines:
        if entry and _STAMP.match(line):
            yield "".join(entry)
            entry = []
        entry.append(line)
    if entry:
        yield "".join(entry)
