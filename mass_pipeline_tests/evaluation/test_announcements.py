"""Of what is published of written announcements nearly all is right; no single text of them is a gate."""

from __future__ import annotations

import pytest

from mass_pipeline_tests.evaluation.announcements import compared, report, sheets
from mass_pipeline_tests.reading.changes.compared import quality


@pytest.mark.soak
class TestWrittenAnnouncements:
    def test_what_is_published_is_right(self) -> None:
        found = [result for results in compared().values() for _, result in results]
        published, wrong = sum(len(result.published) for result in found), sum(len(result.wrong) for result in found)

        assert published > 2_000
        assert wrong / published <= 0.01

    def test_whole_sheets_of_strangers(self) -> None:
        precision, recall = quality(sheets(), published=True)

        assert precision >= 0.98
        assert recall >= 0.80

    def test_each_phenomenon_is_reported(self) -> None:
        lines = list(report())

        assert all(any(f"announcements: {phenomenon}," in line for line in lines) for phenomenon in compared())
        assert lines[-1].startswith("whole sheets, read: precision")
