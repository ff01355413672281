"""Written sets are scored one by one, each author's sites apart."""

from __future__ import annotations

from mass_pipeline_tests.evaluation.written import PAGES, SCHEDULES, SITES, masses_read, written_records


class TestWrittenRecords:
    def test_of_every_form_are_read(self) -> None:
        for source in (SCHEDULES, PAGES, SITES):
            record = written_records(source)[0]

            assert {read.mass.time for read in masses_read(record, source)} == {mass["time"] for mass in record["masses"]}
