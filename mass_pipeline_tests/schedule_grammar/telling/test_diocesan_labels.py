"""Labelled rows of ten diocesan tables: their fields of Sundays, weekdays and feasts, read as labelled."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from mass_pipeline.schedule_grammar import read_strings
from mass_pipeline_tests.evaluation.scoring import VIEWS, Score, compare
from mass_pipeline_tests.evaluation.written import written_masses
from mass_pipeline_tests.shared import shared_folder

LABELS = Path(__file__).with_name("diocesan_labels.txt")


def labels() -> dict[str, list[dict[str, Any]]]:
    """Masses of every labelled row by its name."""
    rows = [line.split(" | ", 1) for line in LABELS.read_text(encoding="utf-8").splitlines() if " | " in line and line[0] != "#"]
    return {name: [one for part in label.split(" ; ") if part != "none" for one in written_masses(part)] for name, label in rows}


@pytest.mark.shared
class TestDiocesanTables:
    def test_rows_are_read_as_labelled(self) -> None:
        """Floors stand at what was measured; the rows that differ are known and told in docs/reading-schedules.md."""
        with shared_folder("directory", "diocesan-tables.tsv").open(encoding="utf-8") as stream:
            rows = {row["id"]: row for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)}
        scores: dict[str, Score] = defaultdict(Score)
        for name, masses in labels().items():
            reading = read_strings(rows[name]["sunday"], rows[name]["weekday"], rows[name]["feast"])
            for view in VIEWS:
                scores[view].add(compare(masses, [found.mass.as_dict() for found in reading.masses], view))

        assert scores["week"].records == 110
        assert scores["week"].f1 >= 0.985
        assert scores["feast"].f1 == 1.0
        assert scores["full"].f1 >= 0.972
