"""Rows of a directory's table by class of misreading (`table_strings.txt`): strings with their Masses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mass_pipeline.reading.regular.reading import read_strings
from mass_pipeline_tests.evaluation.scoring import compare
from mass_pipeline_tests.evaluation.written import written_masses


@dataclass(frozen=True)
class Row:
    """The fields of Sundays, weekdays and feasts, in which class of wording they are, and their Masses."""

    name: str
    fields: tuple[str, ...]
    masses: list[dict[str, Any]]


def rows(file: Path) -> list[Row]:
    """The rows of a file, in order."""
    found: list[Row] = []
    name = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
        written, arrow, label = line.partition(" => ")
        if arrow and line[0] != "#":
            found.append(Row(name, tuple(one.strip() for one in written.split("||")), labelled(label)))
    return found


def labelled(label: str) -> list[dict[str, Any]]:
    """Masses of a label; "none" has none."""
    return [one for part in label.split(" ; ") if part != "none" for one in written_masses(part)]


def difference(fields: Sequence[str], masses: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the reading of a row, with months and ordinals; empty when nothing is."""
    told = compare(masses, [found.mass.as_dict() for found in read_strings(*fields).masses], "full")
    fates = (("extra", told.extras), ("missed", told.misses))
    return [f"{word} {sorted(cells)}" for word, cells in fates if cells]
