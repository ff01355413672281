"""Answers, changes, undo, restore, erasure, on SQLite and PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.voting import forget, redo, undo
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.annotation.support import START, answer, ask, item, row_of


def take_back(store: Store, voter: str) -> str | None:
    with store.engine.begin() as connection:
        return undo(connection, voter, now=START, config=store.config)


def restore(store: Store, voter: str) -> str | None:
    with store.engine.begin() as connection:
        return redo(connection, voter, now=START, config=store.config)


class TestCast:
    def test_a_second_answer_replaces_the_first(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for word in ("yes", "no", "no"):
            answer(store, "a", "c0001", word)

        assert list(store.votes()[["candidate_id", "answer"]].itertuples(index=False, name=None)) == [("c0001", "no")]
        assert row_of(store, "c0001").n_votes == 1

    @pytest.mark.parametrize(("candidate", "word"), [("c9999", "yes"), ("c0001", "perhaps")])
    def test_what_cannot_be_stores_nothing(self, store: Store, candidate: str, word: str) -> None:
        store.add_items([item(1)], now=START)
        with pytest.raises(BadInput, match=r"c9999|perhaps"):
            answer(store, "a", candidate, word)

        assert store.votes().empty

    def test_an_answer_frees_the_reservation(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        ask(store, "a")
        answer(store, "a", "c0001", "yes")

        assert (row_of(store, "c0001").n_taken, row_of(store, "c0001").n_votes) == (1, 1)

    def test_votes_cast_at_once_are_all_counted(self, store: Store) -> None:
        store.add_items([item(1, gold="yes"), item(2)], now=START)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: answer(store, f"v{n}", "c0001", "yes"), range(24)))

        assert len(store.votes()) == row_of(store, "c0001").n_votes == 24


class TestUndo:
    def test_it_walks_back_without_limit_and_forward_again(self, store: Store) -> None:
        store.add_items([item(n) for n in range(40)], now=START)
        order = []
        for _ in range(40):
            asked = ask(store, "a")
            assert asked is not None
            order.append(asked.candidate_id)
            answer(store, "a", asked.candidate_id, "no")
        back = [take_back(store, "a") for _ in range(40)]

        assert back == order[::-1]
        assert take_back(store, "a") is None
        assert store.votes().empty
        assert [restore(store, "a") for _ in range(40)] == order
        assert restore(store, "a") is None
        assert len(store.votes()) == 40

    def test_the_undone_question_comes_back_with_its_answer(self, store: Store) -> None:
        store.add_items([item(n) for n in range(3)], now=START)
        first = ask(store, "a")
        assert first is not None
        answer(store, "a", first.candidate_id, "cancelled")
        ask(store, "a")
        take_back(store, "a")
        again = ask(store, "a")

        assert again is not None
        assert (first.candidate_id, "cancelled") == (again.candidate_id, again.previous)

    def test_it_reopens_a_settled_item(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
        take_back(store, "b")
        row = row_of(store, "c0001")

        assert (row.state, row.label, row.n_votes, row.n_taken) == ("open", None, 2, 2)


class TestForget:
    def test_it_erases_every_trace_and_recounts(self, store: Store) -> None:
        store.add_items([item(1), item(2)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
        ask(store, "a")
        with store.engine.begin() as connection:
            erased = forget(connection, "a", now=START, config=store.config)

        assert erased == 1
        assert {"b", "c"} == set(store.votes(with_withdrawn=True)["voter_id"])
        assert (row_of(store, "c0001").state, row_of(store, "c0001").n_votes) == ("open", 2)
        assert row_of(store, "c0002").n_taken == 0
