"""Annotation stores: labels of a file, of the demo pages, and of several stores together."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline.demo_web.annotations import Annotation
from mass_pipeline.model.errors import BadInput
from mass_pipeline.resources.annotations import CandidateInContext, DemoAnnotations, FileAnnotations, SeveralStores

HOURS = [
    CandidateInContext("c1", "http://a.example/", "08:00", "Niedziele i święta: "),
    CandidateInContext("c2", "http://a.example/", "16:00", "Kancelaria czynna: "),
]


class TestFileOfLabels:
    def test_a_missing_file_holds_no_labels(self, tmp_path: Path) -> None:
        assert FileAnnotations(tmp_path / "none.jsonl").count() == 0

    def test_of_two_lines_for_one_hour_the_last_counts(self, tmp_path: Path) -> None:
        file = tmp_path / "a.jsonl"
        file.write_text('{"candidate_id": "c1", "label": "mass"}\n{"candidate_id": "c1", "label": "not_mass", "weight": 0.5}\n')

        (label,) = FileAnnotations(file).labels(HOURS)

        assert (label.label, label.weight, label.n_votes) == ("not_mass", 0.5, 1)

    def test_labels_of_hours_that_are_gone_are_left_out(self, tmp_path: Path) -> None:
        file = tmp_path / "a.jsonl"
        file.write_text('{"candidate_id": "gone", "label": "mass"}\n')

        assert FileAnnotations(file).labels(HOURS) == []
        assert FileAnnotations(file).count() == 1

    @pytest.mark.parametrize("line", ["{", "[]", '{"label": "mass"}', '{"candidate_id": "c1", "label": "perhaps"}'])
    def test_a_line_that_is_no_label_is_named(self, tmp_path: Path, line: str) -> None:
        file = tmp_path / "a.jsonl"
        file.write_text('{"candidate_id": "c1", "label": "mass"}\n' + line + "\n")

        with pytest.raises(BadInput, match=r"a\.jsonl, line 2"):
            FileAnnotations(file).labels(HOURS)


class TestSeveralStores:
    def test_an_operator_s_file_corrects_the_demo_labels(self, tmp_path: Path) -> None:
        demo = DemoAnnotations(
            [Annotation("p", "d", "http://a.example/", "08:00", "8.00", "Niedziele i święta: ", "", "mass", False)]
        )
        file = tmp_path / "a.jsonl"
        file.write_text('{"candidate_id": "c1", "label": "cancelled", "dated": true}\n')

        both = SeveralStores((demo, FileAnnotations(file)))

        assert [label.label for label in demo.labels(HOURS)] == ["mass"]
        assert [(label.label, label.dated) for label in both.labels(HOURS)] == [("cancelled", True)]
        assert both.count() == 2
