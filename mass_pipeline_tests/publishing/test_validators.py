"""What every asset check promises, by rows that keep the promise and rows that break it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from mass_pipeline.model.columns import ANNOTATED_SET, CANDIDATE_HOURS
from mass_pipeline.publishing.promises import validators
from mass_pipeline.publishing.promises.validators import columns_with_vocabulary, validate_schema
from mass_pipeline.schedules.reviews import Decision, Proposal

FILE = Path("data/dioceses.csv")


class TestSchema:
    def test_the_dictionary_s_own_schema_passes(self) -> None:
        verdict = validate_schema(ANNOTATED_SET, [("a", ANNOTATED_SET.schema)], [ANNOTATED_SET.schema.empty_table()])

        assert verdict.passed

    def test_a_column_of_another_type_is_named(self) -> None:
        other = ANNOTATED_SET.schema.set(0, pa.field("candidate_id", pa.int64()))

        verdict = validate_schema(ANNOTATED_SET, [("lake/part-0.parquet", other)], [])

        assert not verdict.passed
        assert verdict.findings[0]["file"] == "lake/part-0.parquet"
        assert "candidate_id" in str(verdict.findings[0]["where"])

    def test_a_word_outside_a_closed_vocabulary_is_named(self) -> None:
        chunk = pa.table({"label": ["mass", "perhaps"], "source": ["crowd", "rules"], "split": ["train", "dev"]})

        verdict = validate_schema(ANNOTATED_SET, [], [chunk])

        assert not verdict.passed
        assert "'perhaps'" in str(verdict.findings[0]["fault"])

    def test_rows_of_tables_without_vocabularies_are_counted_too(self) -> None:
        assert columns_with_vocabulary(CANDIDATE_HOURS) == ["candidate_id"]


class TestParishes:
    def test_five_per_cent_more_or_less_is_tolerated(self) -> None:
        assert validators.validate_count(9_624, 10_130, 0.05).passed
        assert validators.validate_count(10_636, 10_130, 0.05).passed

    def test_more_than_that_fails_and_names_the_selectors(self) -> None:
        verdict = validators.validate_count(9_000, 10_130, 0.05)

        assert not verdict.passed
        assert "9000 parishes; expected 10130" in verdict.summary
        assert "MASS_PIPELINE_DIRECTORY" in verdict.summary

    def test_without_an_expectation_an_empty_table_fails_still(self) -> None:
        assert not validators.validate_count(0, 0, 0.05).passed

    def test_an_unknown_diocese_fails_and_gives_the_row_to_add(self) -> None:
        rows = [{"diocese_key": "nowosadecka", "diocese": "nowosądecka"}, {"diocese_key": "lodzka", "diocese": "łódzka"}]

        verdict = validators.validate_dioceses(rows, {"lodzka"}, FILE)

        assert not verdict.passed
        assert "nowosadecka,nowosądecka,nowosądecka" in verdict.summary
        assert str(FILE) in verdict.summary


class TestParishUrls:
    def test_a_parish_without_a_row_and_one_with_two_are_named(self) -> None:
        verdict = validators.validate_one_row_each(["a", "b", "c"], ["a", "c", "c"])

        assert not verdict.passed
        assert [row["parish_id"] for row in verdict.findings] == ["b", "c"]

    def test_pending_look_ups_are_no_error(self) -> None:
        assert validators.validate_statuses(["ok"] + ["pending"] * 9).passed

    def test_many_errors_are_one(self) -> None:
        assert not validators.validate_statuses(["error"] * 2 + ["ok"] * 8).passed


class TestCrawledPages:
    def test_a_diocese_without_sites_passes(self) -> None:
        assert validators.validate_start_pages([]).passed

    def test_mostly_silent_sites_fail_and_are_named(self) -> None:
        rows = [{"parish_id": str(n), "outcome": "timeout" if n else "ok"} for n in range(3)]

        verdict = validators.validate_start_pages(rows)

        assert not verdict.passed
        assert [row["parish_id"] for row in verdict.findings] == ["1", "2"]
        assert verdict.figures["outcome_timeout"] == 2


class TestCandidateHours:
    def test_a_time_that_no_clock_shows_fails(self) -> None:
        assert not validators.validate_times([{"candidate_id": "a", "time": "25:00"}]).passed

    def test_parishes_without_any_hour_are_named(self) -> None:
        verdict = validators.validate_parishes_covered(["a", "b", "c"], ["a"])

        assert not verdict.passed
        assert [row["parish_id"] for row in verdict.findings] == ["b", "c"]


class TestAnnotatedSet:
    def test_a_parish_in_two_parts_fails(self) -> None:
        rows = [{"parish_id": "a", "split": "train"}, {"parish_id": "a", "split": "test"}]

        assert not validators.validate_splits(rows).passed

    def test_labels_of_one_kind_only_fail(self) -> None:
        assert not validators.validate_labels([{"label": "mass"}] * 40).passed
        assert validators.validate_labels([{"label": "mass"}, {"label": "not_mass"}]).passed

    def test_too_few_dioceses_fail_and_are_named(self) -> None:
        verdict = validators.validate_dioceses_covered(["a", "b"], ["b"], 0.9)

        assert not verdict.passed
        assert verdict.findings[0]["diocese"] == "a"


class TestHoursClassifier:
    def test_a_figure_below_its_floor_fails_and_is_named(self) -> None:
        verdict = validators.validate_metrics({"precision": 0.7, "recall": 0.9}, {"precision": 0.8, "recall": 0.8})

        assert not verdict.passed
        assert [row["metric"] for row in verdict.findings] == ["precision"]

    def test_a_figure_that_was_not_measured_fails(self) -> None:
        assert not validators.validate_metrics({}, {"precision": 0.8}).passed
        assert not validators.validate_metrics({"precision": float("nan")}, {"precision": 0.8}).passed


class TestMassSchedules:
    def row(self, **changes: str) -> dict[str, object]:
        found = {
            "parish_id": "a",
            "time": "08:00",
            "quote": "Niedziela 8.00",
            "source_url": "http://a.example/",
            "page_sha256": "d1",
        }
        return {**found, **changes}

    def test_night_hours_fail_but_midnight_mass_does_not(self) -> None:
        assert validators.validate_hours([self.row(), self.row(time="00:00")], "05:00", "24:00").passed
        assert not validators.validate_hours([self.row(time="03:30")], "05:00", "24:00").passed

    def test_a_row_without_words_or_without_its_page_fails(self) -> None:
        assert validators.validate_evidence([self.row()], {("a", "d1")}).passed
        assert not validators.validate_evidence([self.row(quote="")], {("a", "d1")}).passed
        assert not validators.validate_evidence([self.row()], {("b", "d1")}).passed

    def test_an_exception_without_its_days_fails(self) -> None:
        first, last = date(2026, 11, 20), date(2026, 11, 21)
        standing = {**self.row(), "exception": None, "valid_from": None, "valid_to": None}
        dated = {**self.row(), "exception": "added", "valid_from": first, "valid_to": last}

        assert validators.validate_exceptions([standing, dated]).passed
        assert not validators.validate_exceptions([{**dated, "valid_to": None}]).passed
        assert not validators.validate_exceptions([{**dated, "valid_from": last, "valid_to": first}]).passed

    def test_a_site_that_differs_from_an_approved_order_fails_until_it_is_decided_about(self) -> None:
        differs = Proposal("a", "crawl", "", None, (), "http://a.example/", "Niedziela 9.00", "d1")
        announced = replace(differs, origin="announcement")
        rejected = Decision(differs, "rejected", "Jan", "2026-11-20T12:00:00+00:00")

        assert not validators.validate_approved([differs], [], {"a"}).passed
        assert validators.validate_approved([differs], [rejected], {"a"}).passed
        assert validators.validate_approved([differs], [], {"b"}).passed
        assert validators.validate_approved([announced], [], {"a"}).figures == {"differing": 0, "waiting": 1}


class TestExternalLinks:
    PAGES = ({"parish_id": "a", "url": "http://a.example/", "domain": "a.example"},)

    def row(self, **changes: str) -> dict[str, object]:
        return {"parish_id": "a", "url": "http://b.example/x", "site": "b.example", "source_url": "http://a.example/", **changes}

    def test_a_link_on_no_crawled_page_of_its_parish_fails(self) -> None:
        assert validators.validate_links([self.row()], self.PAGES).passed
        for change in ({"parish_id": "b"}, {"source_url": "http://a.example/other"}):
            assert not validators.validate_links([self.row(**change)], self.PAGES).passed

    def test_a_link_within_its_site_fails_and_is_named(self) -> None:
        verdict = validators.validate_links([self.row(site="a.example")], self.PAGES)

        assert not verdict.passed
        assert verdict.findings == [{"parish_id": "a", "url": "http://b.example/x"}]


class TestCompanionSites:
    def row(self, site: str, connectivity: int, *linked_from: str) -> dict[str, object]:
        return {"site": site, "connectivity": connectivity, "linked_from": list(linked_from)}

    def test_a_site_of_the_target_set_is_no_companion(self) -> None:
        rows = [self.row("radio.example", 1, "a")]

        assert validators.validate_companions(rows, ["http://www.anna.example/", None, "no address"]).passed
        assert not validators.validate_companions(rows, ["http://www.radio.example/"]).passed

    def test_a_companion_stands_in_the_subset_of_as_many_parishes_as_it_names(self) -> None:
        assert validators.validate_companions([self.row("radio.example", 2, "a", "b")], []).passed
        assert not validators.validate_companions([self.row("radio.example", 3, "a", "b")], []).passed
        assert not validators.validate_companions([self.row("radio.example", 0)], []).passed


class TestLearning:
    CURVE: ClassVar = [
        {"answers": 0, "waiting": 10, "share": 0.0, "precision": 0.99},
        {"answers": 50, "waiting": 10, "share": 0.8, "precision": 1.0},
    ]

    def test_answers_that_publish_no_less_surely_pass(self) -> None:
        verdict = validators.validate_learning(self.CURVE)

        assert verdict.passed
        assert "80%" in verdict.summary

    def test_answers_that_publish_wrong_rows_do_not_and_the_remedy_is_named(self) -> None:
        verdict = validators.validate_learning([*self.CURVE, {"answers": 200, "waiting": 10, "share": 0.9, "precision": 0.9}])

        assert not verdict.passed
        assert "annotate stats" in verdict.summary
