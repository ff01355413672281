"""Every hour of a schedule is read or named with the reason why it is not."""

from __future__ import annotations

import csv

import pytest

from mass_pipeline.reading.formats.left_out import hours_left_out
from mass_pipeline.reading.regular.reading import read_strings
from mass_pipeline_tests.shared import shared_folder


class TestHoursLeftOut:
    def test_a_schedule_read_whole_leaves_nothing_out(self) -> None:
        assert hours_left_out(read_strings("8.00, 10.00 (dla dzieci)", "18.00 (zimą 17.00)")) == []

    @pytest.mark.parametrize(
        ("sunday", "weekday", "note"),
        [
            ("10.00 - w dni odpustów; 12.00", "17.00", "left out: 10.00 (holds for single dates)"),
            ("8.00", "16.30 - Nabożeństwo ku czci św. Józefa; 17.00", "left out: 16.30 (devotion)"),
            ("8.00 (9.00)", "18.00", "left out: 9.00 (other hours take its place on all its days)"),
            ("wg potrzeb", "", "no hour is named"),
        ],
    )
    def test_an_hour_that_is_no_mass_is_named_with_the_reason(self, sunday: str, weekday: str, note: str) -> None:
        assert note in hours_left_out(read_strings(sunday, weekday))

    def test_what_the_field_of_feasts_says_of_single_weekdays_is_named_and_never_weekly(self) -> None:
        reading = read_strings("9.00", "7.30, 18.00", "7.30, 8.30 (sobota), 18.00")

        assert {found.mass.time for found in reading.masses if "AF" in found.mass.days} == {"07:30", "18:00"}
        assert "08:30" not in {found.mass.time for found in reading.masses}
        assert hours_left_out(reading) == ["left out: 8.30 (holds for single dates)"]

    def test_no_hour_of_the_diocesan_tables_is_lost_in_silence(self) -> None:
        """2,844 rows in the words of eleven editors."""
        with shared_folder("directory", "diocesan-tables.tsv").open(encoding="utf-8") as stream:
            rows = [
                row for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE) if row["sunday"] or row["weekday"]
            ]
        noted = [left for row in rows if (left := hours_left_out(read_strings(row["sunday"], row["weekday"], row["feast"])))]

        assert len(rows) == 2844
        assert len(noted) <= 13  # half a per cent; 64 before lists in brackets, "dod." and stops after seasons were read
