"""What two builds, or the readings before and after a change, are compared by."""

from __future__ import annotations

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.regular.reading import read_strings
from mass_pipeline_tests.evaluation.builds import differences, rows


class TestRowsOfRealRecords:
    def test_name_all_that_a_row_says(self) -> None:
        masses = read_strings("8.00 (kaplica, w wakacje)", "w 1. piątki 17.00").masses

        assert [line.rpartition(" @")[0] for line in rows(SiteSchedule(masses, "read")).split("; ")[1:]] == [
            "Fr 17:00 nth 1",
            "Su 08:00 vacation place kaplica",
        ]

    def test_that_changed_are_listed_with_those_gone_and_new(self) -> None:
        before = ["same\tread; Su 08:00", "other\tread; Su 09:00", "gone\tnone"]
        after = ["same\tread; Su 08:00", "other\tread; Su 10:00", "new\tnone"]

        assert [found.split("\n")[0] for found in differences(before, after)] == ["other", "gone", "new"]
