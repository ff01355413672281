"""Answers, changes, undo, restore, erasure, on SQLite and PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from mass_pipeline.annotation.schema import label_events, reservations, voters, votes
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.voting import cast, forget, redo, undo
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.annotation.support import START, answer, ask, item, row_of


def take_back(store: Store, voter: str) -> str | None:
    with store.engine.begin() as connection:
        return undo(connection, voter, now=START, config=store.config)


def restore(store: Store, voter: str) -> str | None:
    with store.engine.begin() as connection:
        return redo(connection, voter, now=START, config=store.config)


def counted(store: Store, voter: str) -> int | None:
    """Standing votes as the row of the voter counts them."""
    with store.engine.connect() as connection:
        return connection.execute(sa.select(voters.c.n_votes).where(voters.c.voter_id == voter)).scalar()


class TestCast:
    def test_a_second_answer_replaces_the_first(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for word in ("yes", "no", "no"):
            answer(store, "a", "c0001", word)

        assert list(store.votes()[["candidate_id", "answer"]].itertuples(index=False, name=None)) == [("c0001", "no")]
        row = row_of(store, "c0001")
        assert (row.n_votes, row.n_taken, counted(store, "a")) == (1, 1, 1)

    @pytest.mark.parametrize(("measured", "stored"), [(-5, 0), (0, 0), (1500, 1500), (4_000_000, 3_600_000), (None, None)])
    def test_time_to_answer_is_kept_within_an_hour(self, store: Store, measured: int | None, stored: int | None) -> None:
        store.add_items([item(1)], now=START)
        with store.engine.begin() as connection:
            cast(connection, "a", "c0001", "yes", origin="net", now=START, config=store.config, duration_ms=measured)
            assert connection.execute(sa.select(votes.c.duration_ms)).scalar() == stored

    @pytest.mark.row("P14")
    def test_answers_of_a_banned_voter_count_for_nothing(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "yes")
            with store.engine.begin() as connection:
                connection.execute(sa.update(voters).where(voters.c.voter_id == "a").values(standing="banned"))
        assert (row_of(store, "c0001").state, row_of(store, "c0001").n_votes) == ("open", 2)
        answer(store, "a", "c0001", "no")

        assert row_of(store, "c0001").n_votes == 2

    def test_votes_change_nothing_but_the_counts_of_a_test_question(self, store: Store) -> None:
        store.add_items([item(1, gold="yes")], now=START)
        before = row_of(store, "c0001")._asdict()
        for voter in "abc":
            answer(store, voter, "c0001", "no")

        assert row_of(store, "c0001")._asdict() == before | {"n_votes": 3, "n_taken": 3}

    def test_whoever_cannot_tell_is_counted_and_most_of_them_hand_it_to_the_operator(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "unknown")

        assert (row_of(store, "c0001").state, row_of(store, "c0001").label) == ("disputed", None)

    def test_a_label_is_noted_when_it_appears_and_when_it_changes(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abcd":
            answer(store, voter, "c0001", "yes")
        with store.engine.connect() as connection:
            assert list(connection.execute(sa.select(label_events.c.label)).scalars()) == ["mass"]

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
    @pytest.mark.row("P14")
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
        assert counted(store, "a") == 0
        assert take_back(store, "a") is None
        assert store.votes().empty
        assert [restore(store, "a") for _ in range(40)] == order
        assert restore(store, "a") is None
        assert len(store.votes()) == counted(store, "a") == 40
        with store.engine.connect() as connection:
            assert sorted(connection.execute(sa.select(votes.c.sequence)).scalars()) == list(range(1, 41))

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
        answer(store, "a", first.candidate_id, "no")
        assert counted(store, "a") == 1

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


class TestEachForThemselves:
    """Names before and after one's own in the alphabet: what one person does leaves the others as they are."""

    @pytest.mark.parametrize("who", ["a", "m", "z"])
    def test_undo_and_redo_turn_nobody_elses_answer(self, store: Store, who: str) -> None:
        others = sorted({"a", "m", "z"} - {who})
        store.add_items([item(1), item(2), item(3)], now=START)
        answer(store, who, "c0001", "yes")
        for other in others:
            for name in ("c0002", "c0003"):
                answer(store, other, name, "no")

        assert (take_back(store, who), take_back(store, who)) == ("c0001", None)
        assert [counted(store, other) for other in others] == [2, 2]
        assert [take_back(store, other) for other in others] == ["c0003", "c0003"]
        assert (restore(store, who), restore(store, who)) == ("c0001", None)
        assert [restore(store, other) for other in others] == ["c0003", "c0003"]

    def test_answers_on_the_items_before_and_after_count_for_nothing(self, store: Store) -> None:
        store.add_items([item(1), item(2), item(3)], now=START)
        for voter in "abc":
            for name in ("c0001", "c0003"):
                answer(store, voter, name, "yes")
        answer(store, "d", "c0002", "yes")
        assert (take_back(store, "d"), row_of(store, "c0002").n_votes) == ("c0002", 0)
        restore(store, "d")

        assert (row_of(store, "c0002").state, row_of(store, "c0002").n_votes) == ("open", 1)

    @pytest.mark.parametrize("who", ["a", "m", "z"])
    def test_whoever_is_erased_takes_no_reservation_along(self, store: Store, who: str) -> None:
        store.add_items([item(n) for n in range(1, 8)], now=START)
        held = {}
        for voter in ("a", "m", "z"):
            asked = ask(store, voter)
            assert asked is not None
            held[voter] = asked.candidate_id
        with store.engine.begin() as connection:
            forget(connection, who, now=START, config=store.config)
            left = connection.execute(sa.select(reservations.c.voter_id, reservations.c.candidate_id)).all()

        assert sorted(map(tuple, left)) == sorted((voter, name) for voter, name in held.items() if voter != who)


class TestRecords:
    """What is stored of a voter decides how much their answer counts."""

    @staticmethod
    def known(store: Store, **values: object) -> None:
        with store.engine.begin() as connection:
            connection.execute(sa.update(voters).values(**values))

    @pytest.mark.parametrize(("standing", "state"), [("trusted", "settled"), ("normal", "open")])
    def test_two_whom_the_operator_trusts_settle_from_one_network(self, store: Store, standing: str, state: str) -> None:
        store.add_items([item(1), item(2)], now=START)
        for voter in "ab":
            answer(store, voter, "c0002", "no", origin="one")
        self.known(store, standing=standing, skill=0.97)
        for voter in "ab":
            answer(store, voter, "c0001", "yes", origin="one")

        assert row_of(store, "c0001").state == state

    @pytest.mark.parametrize(("more", "state"), [(0, "settled"), (-1, "open")])
    def test_two_with_a_record_long_enough_settle_from_two_networks(self, store: Store, more: int, state: str) -> None:
        store.add_items([item(1), item(2)], now=START)
        for voter in "ab":
            answer(store, voter, "c0002", "no")
        self.known(store, n_compared=store.config.proven_votes + more, skill=0.97)
        for voter in "ab":
            answer(store, voter, "c0001", "yes")

        assert row_of(store, "c0001").state == state
