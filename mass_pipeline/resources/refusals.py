"""The record of removal requests: hosts and pages that are never asked for again, one JSON object a line, synced to disk.

Every reading of the settings honours it, so that no crawl, watch or link collection of this installation needs to be told.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import orjson

from mass_pipeline.model.errors import StorageError

_FILE: Final = Path("state") / "removals.jsonl"


@dataclass(frozen=True, slots=True)
class Refusals:
    """What owners wished to have removed: hosts with their subdomains, and addresses of single pages."""

    hosts: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


def read_refusals(data_folder: Path) -> Refusals:
    """The record of a data folder; empty when nobody ever asked.

    Raises:
        StorageError: the file is damaged: nothing is crawled then, rather than somebody who asked to be left alone.
    """
    path = data_folder / _FILE
    if not path.is_file():
        return Refusals()
    hosts, urls = dict[str, None](), dict[str, None]()
    try:
        for line in path.read_bytes().splitlines():
            entry = orjson.loads(line)
            (hosts if entry["host"] else urls)[entry["host"] or entry["url"]] = None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StorageError(f"{path}: the record of removals cannot be read ({error}). Restore it from a copy.") from error
    return Refusals(tuple(hosts), tuple(urls))


def record_refusal(data_folder: Path, host: str, url: str, at: datetime) -> bool:
    """Add a request to the record, synced to disk; False when it stands there already.

    Raises:
        StorageError: the file cannot be written.
    """
    known = read_refusals(data_folder)
    if host in known.hosts or url in known.urls:
        return False
    path = data_folder / _FILE
    entry = orjson.dumps({"host": host, "url": url, "at": at}) + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(entry)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise StorageError(f"Cannot write {path}: {error.strerror or error}. Check the folder and its rights.") from error
    return True
