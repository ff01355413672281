"""Rows of schedules as questions: what their answers settle, and how the pipeline reads it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.store import SETTLED_FIELDS, Store, open_store
from mass_pipeline.model.errors import BadInput
from mass_pipeline.resources.annotation_app import AppAnnotations
from mass_pipeline_tests.annotation.support import START, answer, item, row_item, row_of


class TestRowAnswers:
    def test_three_networks_that_say_yes_settle_a_row(self, store: Store) -> None:
        asked = row_item(1)
        store.add_items([asked], now=START)
        for voter in "abc":
            answer(store, voter, asked.candidate_id, "yes")

        assert (row_of(store, asked.candidate_id).state, row_of(store, asked.candidate_id).label) == ("settled", "yes")

    def test_people_who_name_different_faults_agree_that_it_is_wrong(self, store: Store) -> None:
        """What is wrong does not matter to whether it is left out."""
        asked = row_item(1)
        store.add_items([asked], now=START)
        for voter, word in zip("abcd", ("other", "no_mass", "other", "not_this_parish"), strict=True):
            answer(store, voter, asked.candidate_id, word)

        assert (row_of(store, asked.candidate_id).state, row_of(store, asked.candidate_id).label) == ("settled", "other")
        assert float(store.labels().loc[0, "agreement"]) == 1.0

    def test_answers_of_one_network_settle_no_row(self, store: Store) -> None:
        asked = row_item(1)
        store.add_items([asked], now=START)
        for number in range(9):
            answer(store, f"v{number}", asked.candidate_id, "no_mass", origin="1f3a9c0.farm")

        assert row_of(store, asked.candidate_id).state != "settled"
        assert store.settled().empty

    def test_a_record_counts_for_both_kinds(self, store: Store) -> None:
        from mass_pipeline.annotation.review import refresh_skills

        rows = [row_item(n, row_id=f"r{n}") for n in range(30)]
        store.add_items([*rows, item(1)], now=START)
        for one in rows:
            for voter in "abcd":
                answer(store, voter, one.candidate_id, "yes" if voter != "d" else "no_mass")
        refresh_skills(store, now=START)
        answer(store, "a", "c0001", "yes")
        answer(store, "b", "c0001", "yes")

        assert row_of(store, "c0001").state == "settled"  # two proven voters of two networks

    @pytest.mark.parametrize(("made", "word"), [(item(1), "no_mass"), (row_item(1), "cancelled")])
    def test_a_word_of_the_other_kind_is_refused(self, store: Store, made: object, word: str) -> None:
        store.add_items([made], now=START)  # type: ignore[list-item]
        with pytest.raises(BadInput, match=word):
            answer(store, "a", made.candidate_id, word)  # type: ignore[attr-defined]


class TestSettled:
    def test_hours_and_rows_in_one_table(self, store: Store) -> None:
        row = row_item(1)
        store.add_items([item(1), row], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "no")
            answer(store, voter, row.candidate_id, "yes")
        found = store.settled()

        assert list(found.columns) == list(SETTLED_FIELDS)
        assert list(found[["kind", "id", "verdict", "by", "people", "day"]].itertuples(index=False, name=None)) == [
            ("hour", "c0001", "not_mass", "people", 3, date(2026, 3, 1)),
            ("row", row.candidate_id, "yes", "people", 3, date(2026, 3, 1)),
        ]
        assert set(found["text_digest"]) == {item(1).text_digest, row.text_digest}

    def test_an_operators_word_counts_at_once_and_is_told_apart(self, store: Store) -> None:
        row = row_item(1)
        store.add_items([row], now=START)
        store.decide(row.candidate_id, "not_this_parish", operator="anna", now=START)
        found = store.settled()

        assert list(found[["verdict", "by", "people"]].itertuples(index=False, name=None)) == [("not_this_parish", "operator", 1)]

    def test_an_empty_store_gives_the_columns(self, store: Store) -> None:
        assert list(store.settled().columns) == list(SETTLED_FIELDS)

    def test_the_pipeline_reads_rows_as_values(self, tmp_path: Path) -> None:
        url = f"sqlite:///{tmp_path / 'a.db'}"
        store, row = open_store(url), row_item(1)
        store.add_items([row, item(1)], now=START)
        store.decide(row.candidate_id, "yes", operator="anna", now=START)
        store.close()
        (found,) = AppAnnotations(url, AnnotationConfig()).rows()

        assert row.row is not None
        assert (found.row_id, found.mass, found.quote, found.verdict) == (row.candidate_id, row.row.mass, row.row.quote, "yes")
        assert (found.checked.by, found.checked.on) == ("operator", date(2026, 3, 1))
