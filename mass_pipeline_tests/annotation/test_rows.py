"""Rows of schedules as questions: what their answers settle, and how the pipeline reads it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import items_of_rows
from mass_pipeline.annotation.store import SETTLED_FIELDS, Store, open_store
from mass_pipeline.annotation.vocabulary import ANSWERS
from mass_pipeline.model.records import Mass
from mass_pipeline.resources.annotations import AppAnnotations
from mass_pipeline_tests.annotation.support import (
    NO_CHANCE,
    START,
    Clock,
    answer,
    ask,
    begun,
    item,
    row_item,
    row_of,
    row_question,
)


class TestRowAnswers:
    def test_people_who_name_different_faults_agree_that_it_is_wrong(self, store: Store) -> None:
        """What is wrong does not matter to whether it is left out."""
        asked = row_item(1)
        store.add_items([asked], now=START)
        for voter, word in zip("abcd", ("other", "no_mass", "other", "not_this_parish"), strict=True):
            answer(store, voter, asked.candidate_id, word)

        assert (row_of(store, asked.candidate_id).state, row_of(store, asked.candidate_id).label) == ("settled", "other")
        assert float(store.labels().loc[0, "agreement"]) == 1.0

    def test_a_record_counts_for_both_kinds(self, store: Store) -> None:
        from mass_pipeline.annotation.campaign import refresh_skills

        rows = [row_item(n, row_id=f"r{n}") for n in range(30)]
        store.add_items([*rows, item(1)], now=START)
        for one in rows:
            for voter in "abcd":
                answer(store, voter, one.candidate_id, "yes" if voter != "d" else "no_mass")
        refresh_skills(store, now=START)
        answer(store, "a", "c0001", "yes")
        answer(store, "b", "c0001", "yes")

        assert row_of(store, "c0001").state == "settled"  # two proven voters of two networks


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


class TestQuestion:
    def test_one_sentence_the_words_of_the_page_and_five_answers(self, store: Store) -> None:
        person = begun(store, Clock(), row_item(3))
        page = person.get("/task").text

        words = re.sub(r"<[^>]*>", "", page)
        assert "Niedziela 10:45, Lipowiec: czy tak mówi ta strona o swoich Mszach?" in words
        assert '<mark class="said">Niedziela</mark>' in page
        assert all(f'value="{word}"' in page for word in ANSWERS["row"])
        assert person.vote("not_this_parish").status_code == 303
        assert list(store.votes()["answer"]) == ["not_this_parish"]

    @pytest.mark.parametrize("word", ["cancelled", "no", "maybe"])
    def test_words_of_other_questions_are_refused(self, store: Store, word: str) -> None:
        person = begun(store, Clock(), row_item(3))

        assert person.vote(word).status_code == 422
        assert store.votes().empty

    def test_a_report_counts_as_who_cannot_tell(self, store: Store) -> None:
        person = begun(store, Clock(), row_item(3))
        person.post("/report", token=person.form()["token"], reason="unreadable")

        assert list(store.votes()["answer"]) == ["cannot_tell"]

    def test_hidden_test_questions_are_rows_too(self, store: Store) -> None:
        store.add_items([row_item(1), row_item(2, row_id="known", gold="other")], now=START)
        found = ask(store, "a", draw=replace(NO_CHANCE, wants_gold=True))

        assert found is not None
        assert (found.candidate_id, store.known_labels()) == ("known", {"known": "other"})

    @pytest.mark.parametrize(
        ("mass", "language", "words"),
        [
            (Mass(("Su",), "10:45", place="kaplica w Dąbrowie"), "pl", "Niedziela 10:45, kaplica w Dąbrowie, Lipowiec"),
            (
                Mass(("Mo", "Tu", "We", "Th", "Fr"), "18:00", season="vacation"),
                "en",
                "Monday-Friday 18:00 (July and August), Lipowiec",
            ),
        ],
    )
    def test_its_sentence_says_days_hour_season_and_place(self, store: Store, mass: Mass, language: str, words: str) -> None:
        store.add_items([row_item(1, mass=mass)], now=START)
        found = ask(store, "a")

        assert found is not None
        assert found.question.row(language) == words

    def test_words_that_state_it_elsewhere_are_shown_above(self, store: Store) -> None:
        store.add_items([row_item(1, quote="W czasie żniw … 10.45", day_scope="")], now=START)
        found = ask(store, "a")

        assert found is not None
        assert found.question.quote_told == "W czasie żniw"

    def test_a_long_line_is_cut_around_its_day_words(self, store: Store) -> None:
        words = "Zapraszamy wszystkich parafian i gości na wspólną modlitwę w naszym kościele "
        store.add_items([row_item(1, quote=f"{words * 3}w święta o godzinie", day_scope="święta")], now=START)
        found = ask(store, "a")

        assert found is not None
        assert found.question.quote_told == "…święta o godzinie"

    def test_excerpts_are_cut_between_words(self, store: Store) -> None:
        words = "Zapraszamy wszystkich parafian i gości na Msze święte w naszym kościele " * 6
        store.add_items([row_item(1, left=words, right=words), item(1, left=words, right=words)], now=START)
        known = {*words.split(), ""}
        for _ in range(2):
            found = ask(store, "a")
            assert found is not None
            shown = found.question
            for text in (shown.near, shown.near_after, shown.line_before, shown.line_behind):
                assert set(text.split()) <= known
            assert shown.far + shown.near == shown.left
            answer(store, "a", found.candidate_id, "yes")


class TestTurns:
    def test_one_row_of_each_parish_is_asked_before_the_second_of_any(self, store: Store) -> None:
        sizes = {"large": 30, "small": 2, "chapel": 1}
        questions = [
            row_question(at, row_id=f"{parish}{at}", parish_id=parish) for parish, size in sizes.items() for at in range(size)
        ]
        store.add_items(items_of_rows(questions), now=START)

        asked = []
        for at in range(5):
            question = ask(store, f"v{at}", START)
            assert question is not None
            store.decide(question.candidate_id, "yes", operator="anna", now=START)
            asked.append(question.candidate_id.rstrip("0123456789"))

        assert sorted(asked[:3]) == sorted(sizes)
        assert sorted(asked[3:]) == ["large", "small"]

    def test_a_leading_reason_comes_before_any_turn(self, store: Store) -> None:
        waits = [row_question(1, row_id="a", parish_id="p"), row_question(2, row_id="b", parish_id="q")]
        contradicted = [row_question(at, row_id=f"c{at}", parish_id="p", reason="contradicted") for at in range(3)]
        store.add_items(items_of_rows([*waits, *contradicted]), now=START)

        first = ask(store, "v", START)
        assert first is not None
        assert first.candidate_id.startswith("c")


class TestRetired:
    def test_a_row_that_is_no_longer_read_is_asked_no_more_until_it_is_read_again(self, store: Store) -> None:
        gone, stays = row_item(1, row_id="gone"), row_item(2, row_id="stays")
        store.add_items([gone, stays], now=START)
        assert store.retire_rows({"stays"}) == 1
        answer(store, "z", "gone", "yes")  # who was asked before
        assert row_of(store, "gone").state == "retired"
        answer(store, "a", "stays", "yes")
        assert ask(store, "a") is None
        store.add_items([gone], now=START)
        found = ask(store, "a")

        assert found is not None
        assert found.candidate_id == "gone"

    def test_what_people_settled_stays_so(self, store: Store) -> None:
        store.add_items([row_item(1, row_id="gone")], now=START)
        for voter in "abc":
            answer(store, voter, "gone", "yes")

        assert store.retire_rows(set()) == 0
        assert list(store.settled()["verdict"]) == ["yes"]
