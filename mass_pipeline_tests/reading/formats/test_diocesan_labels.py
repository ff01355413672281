"""Labelled rows of ten diocesan tables: their fields of Sundays, weekdays and feasts, read as labelled."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline.reading.regular.reading import read_strings
from mass_pipeline_tests.evaluation.scoring import VIEWS, Score, compare
from mass_pipeline_tests.reading.formats.table_strings import Row, difference, labelled, rows
from mass_pipeline_tests.shared import shared_folder

_MISREAD = {
    ("8.00, 10.00; 06-08 dod. 19.30", "17.00"),  # months by their numbers
    # a bracket of a season that names days of several hours moves the hour before it alone
    ("9.00", "wtorek 17.00, czwartek 8.00, sobota 17.00 (lato wtorek, sobota 18.00)"),
    ("10.00", "poniedziałek 16.00, środa 16.00 (lato poniedziałek, środa 18.00)"),
    ("11.00", "środa 17.00, piątek 17.30 (latem: środa 18.00, piątek 18.30)"),
}
LABELS = Path(__file__).with_name("diocesan_labels.txt")


def labels() -> dict[str, list[dict[str, Any]]]:
    """Masses of every labelled row by its name."""
    found = [line.split(" | ", 1) for line in LABELS.read_text(encoding="utf-8").splitlines() if " | " in line and line[0] != "#"]
    return {name: labelled(label) for name, label in found}


@pytest.mark.shared
class TestDiocesanTables:
    def test_are_read_as_labelled(self) -> None:
        """Floors stand at what was measured; the rows that differ are known and told in docs/reading.md."""
        with shared_folder("directory", "diocesan-tables.tsv").open(encoding="utf-8") as stream:
            table = {row["id"]: row for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)}
        scores: dict[str, Score] = defaultdict(Score)
        for name, masses in labels().items():
            reading = read_strings(table[name]["sunday"], table[name]["weekday"], table[name]["feast"])
            for view in VIEWS:
                scores[view].add(compare(masses, [found.mass.as_dict() for found in reading.masses], view))

        assert scores["week"].records == 400
        assert scores["week"].f1 >= 0.997
        assert scores["feast"].f1 == 1.0
        assert scores["full"].f1 >= 0.993


class TestClassesOfRows:
    @pytest.mark.parametrize(
        "row", rows(Path(__file__).with_name("table_strings.txt")), ids=lambda row: " || ".join(row.fields)[:60]
    )
    def test_is_read_as_it_is_meant(self, row: Row) -> None:
        assert (row.fields in _MISREAD) == bool(difference(row.fields, row.masses)), difference(row.fields, row.masses)
