"""The record of removal requests: hosts and pages that are never asked for again, one JSON object a line, synced to disk.

Every reading of the settings honours it, so that no crawl, watch or link collection of this installation needs to be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import orjson

from mass_pipeline.model.errors import StorageError
from mass_pipeline.storage.opening import Place, open_objects

_FILE: Final = "state/removals.jsonl"


@dataclass(frozen=True, slots=True)
class Refusals:
    """What owners wished to have removed: hosts with their subdomains, and addresses of single pages."""

    hosts: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


def read_refusals(place: Place) -> Refusals:
    """The record of a data folder or of object storage; empty when nobody ever asked.

    Raises:
        StorageError: the record is damaged: nothing is crawled then, rather than somebody who asked to be left alone.
    """
    objects = open_objects(place)
    known = objects.read(_FILE)
    hosts, urls = dict[str, None](), dict[str, None]()
    try:
        for line in known.data.splitlines() if known else ():
            entry = orjson.loads(line)
            (hosts if entry["host"] else urls)[entry["host"] or entry["url"]] = None
    except (ValueError, KeyError, TypeError) as error:
        where = objects.place(_FILE)
        raise StorageError(f"{where}: the record of removals cannot be read ({error}). Restore it from a copy.") from error
    return Refusals(tuple(hosts), tuple(urls))


def record_refusal(place: Place, host: str, url: str, at: datetime) -> bool:
    """Add a request to the record, synced to disk; False when it stands there already.

    Raises:
        StorageError: the record cannot be written.
    """
    known = read_refusals(place)
    if host in known.hosts or url in known.urls:
        return False
    open_objects(place).append(_FILE, orjson.dumps({"host": host, "url": url, "at": at}) + b"\n")
    return True
