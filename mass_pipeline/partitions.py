"""The dioceses: rows of data/dioceses.csv, and the static partitions made of them.

Static, so that the command line, CI and schedules work without instance state. The order of the file defines ranges:
append only. No reading of settings here; the path is an argument.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import dagster as dg

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.identifiers import DioceseKey, fold

_COLUMNS: Final = ("key", "name", "spellings")
_KEY: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # a key names a folder and stands in run tags


@dataclass(frozen=True, slots=True)
class Diocese:
    """One row of the file.

    Attributes:
        key: partition key; never reused.
        name: name in full, for people.
        spellings: what directories write, errors of spelling included.
    """

    key: DioceseKey
    name: str
    spellings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DioceseRegister:
    """All dioceses in the order of the file, and the way from a spelling to its key."""

    dioceses: tuple[Diocese, ...]
    source: Path

    @property
    def keys(self) -> tuple[DioceseKey, ...]:
        """Partition keys in order."""
        return tuple(diocese.key for diocese in self.dioceses)

    @property
    def partitions(self) -> dg.StaticPartitionsDefinition:
        """One partition per diocese."""
        return dg.StaticPartitionsDefinition(list(self.keys))

    def spellings(self) -> dict[str, DioceseKey]:
        """Folded spelling (`model.identifiers.fold`) -> key; name and key are spellings too."""
        return {
            fold(spelling): diocese.key
            for diocese in self.dioceses
            for spelling in (diocese.key, diocese.name, *diocese.spellings)
        }


def read_dioceses(path: Path) -> DioceseRegister:
    """Read the dioceses from a CSV file with the columns key, name, spellings (separated by |).

    Raises:
        ConfigurationError: the file is missing, empty, has other columns, a malformed or repeated key, or one spelling
            that belongs to two dioceses; the message names file and line.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            dioceses = tuple(_rows(file, path))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"Cannot read the dioceses from {path}: {error}. Point MASS_PIPELINE_DIOCESES_FILE to a CSV file with the columns "
            f"{', '.join(_COLUMNS)}, or leave it empty for the project's own."
        ) from error
    if not dioceses:
        raise ConfigurationError(f"{path} has no dioceses: it needs at least one row with {', '.join(_COLUMNS)}.")
    return DioceseRegister(dioceses, path)


def _rows(lines: Iterator[str], path: Path) -> Iterator[Diocese]:
    reader = csv.DictReader(lines)
    if tuple(reader.fieldnames or ()) != _COLUMNS:
        raise ConfigurationError(f"{path}, line 1: expected the columns {', '.join(_COLUMNS)}, found {reader.fieldnames}.")
    owners: dict[str, str] = {}
    keys: set[str] = set()
    for row in reader:
        key, where = row["key"] or "", f"{path}, line {reader.line_num}"
        if not _KEY.fullmatch(key) or key in keys:
            fault = "is used twice" if key in keys else "must be lower-case letters, digits and hyphens"
            raise ConfigurationError(f"{where}: the key {key!r} {fault}.")
        keys.add(key)
        spellings = tuple(part.strip() for part in (row["spellings"] or "").split("|") if part.strip())
        for spelling in (*spellings, row["name"] or "", key):
            owner = owners.setdefault(fold(spelling), key)
            if owner != key:
                raise ConfigurationError(f"{where}: the spelling {spelling!r} already belongs to {owner}.")
        yield Diocese(DioceseKey(key), row["name"] or key, spellings)
