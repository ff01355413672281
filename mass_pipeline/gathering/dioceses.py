"""Dioceses and the spellings directories use for them. The list is a CSV (key, name, spellings joined by `|`)."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mass_pipeline.model.errors import ConfigurationError
from mass_pipeline.model.identifiers import DioceseKey, fold, slug

_KINDS = ("archidiecezja", "archieparchia", "diecezja", "eparchia")


@dataclass(frozen=True, slots=True)
class Diocese:
    """One row of the list: its key (a partition), its name, the spellings met in directories."""

    key: DioceseKey
    name: str
    spellings: tuple[str, ...]


class Dioceses:
    """Finds the key of a diocese however it is written."""

    def __init__(self, rows: Iterable[Diocese]) -> None:
        self.rows = tuple(rows)
        self._keys: dict[str, DioceseKey] = {}
        for row in self.rows:
            for spelling in (row.key, row.name, *row.spellings):
                self._keys.setdefault(_comparable(spelling), row.key)

    @classmethod
    def from_csv(cls, path: Path) -> Dioceses:
        """Read the list.

        Raises:
            ConfigurationError: the file is missing, lacks a column or repeats a key.
        """
        try:
            with path.open(encoding="utf-8", newline="") as file:
                records = list(csv.DictReader(file))
            rows = [Diocese(DioceseKey(r["key"]), r["name"], tuple(filter(None, r["spellings"].split("|")))) for r in records]
        except (OSError, KeyError, AttributeError) as error:
            raise ConfigurationError(
                f"{path} cannot be read as a list of dioceses, a CSV with the columns key, name, spellings "
                f"({getattr(error, 'strerror', None) or f'without {error}'}): mend it, or unset MASS_PIPELINE_DIOCESES_FILE."
            ) from error
        keys = [row.key for row in rows]
        if len(set(keys)) != len(keys):
            raise ConfigurationError(f"{path}: a key stands there twice; keys must be unique.")
        return cls(rows)

    def find(self, spelling: str) -> DioceseKey | None:
        """Key of the diocese, or None when the list has no such spelling.

        >>> Dioceses([Diocese(DioceseKey("lodzka"), "archidiecezja łódzka", ())]).find("Diecezja ŁÓDZKA")
        'lodzka'
        """
        return self._keys.get(_comparable(spelling))

    def key_of(self, spelling: str) -> DioceseKey:
        """Key of the diocese; for an unknown spelling its slug, which the check on parishes then reports.

        >>> Dioceses([]).key_of("nowosądecka")
        'nowosadecka'
        """
        return self.find(spelling) or DioceseKey(slug(spelling) or "unknown")


def _comparable(spelling: str) -> str:
    words = fold(spelling).replace("(", " ").replace(")", " ").replace(".", " ").replace("-", " ").split()
    return " ".join(word for word in words if word not in _KINDS)
