"""Answers, changes, undo, restore, erasure, on SQLite and PostgreSQL."""

from __future__ import annotations

import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from mass_pipeline.annotation.ballots import Ballot, judge
from mass_pipeline.annotation.queue import next_question
from mass_pipeline.annotation.schema import items, label_events, reservations, voters, votes
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.vocabulary import STANDINGS
from mass_pipeline.annotation.voting import cast, ensure_voter, forget, redo, undo
from mass_pipeline.model.errors import BadInput
from mass_pipeline_tests.annotation.support import GENERATED, NO_CHANCE, START, answer, item, row_of

VOTERS = "amz"  # before and after one another in the alphabet: what one does leaves the others as they are
NAMES = ("c1", "c2", "c3", "known")
STEPS = ("answer",) * 8 + ("undo", "undo", "redo", "redo", "ask", "ask", "forget", "banned", "trusted", "normal")
_STEP = st.tuples(
    st.sampled_from(STEPS),
    st.sampled_from(VOTERS),
    st.sampled_from(("c1", "c1", "c1", "c1", *NAMES)),  # many about one, so that it is settled
    st.sampled_from(("yes", "yes", "yes", "yes", "no", "unknown")),
    st.sampled_from(("net1", "net2", "net3", "net4")),
)


@dataclass
class Given:
    """One answer as the law knows it."""

    name: str
    answer: str
    origin: str
    stands: bool = True


@dataclass
class Books:
    """What people did, kept in the plainest way: each voter's answers in the order in which they were first given."""

    answers: dict[str, list[Given]] = field(default_factory=dict)
    standing: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str | None] = field(default_factory=dict)
    noted: Counter[str] = field(default_factory=Counter)

    def do(self, step: str, voter: str, name: str, answer: str, origin: str) -> object:
        """Do a step; what the store shall return for it."""
        self.standing.setdefault(voter, "normal")
        mine = self.answers.setdefault(voter, [])
        if step == "answer":
            known = next((one for one in mine if one.name == name), None)
            if known is None:
                mine.append(known := Given(name, answer, origin))
            known.answer, known.origin, known.stands = answer, origin, True
        elif step in ("undo", "redo"):
            of_them = [one for one in (mine[::-1] if step == "undo" else mine) if one.stands == (step == "undo")]
            if not of_them:
                return None
            of_them[0].stands = step == "redo"
            return of_them[0].name
        elif step == "forget":
            del self.standing[voter]
            return len(self.answers.pop(voter))
        elif step != "ask":
            self.standing[voter] = step
        return None

    def ballots(self, name: str) -> list[Ballot]:
        counted = [(voter, one) for voter, mine in self.answers.items() for one in mine if one.name == name and one.stands]
        return [
            Ballot(one.answer, one.origin, is_trusted=self.standing[voter] == "trusted")
            for voter, one in counted
            if self.standing[voter] != "banned"
        ]


def do(store: Store, step: str, voter: str, name: str, word: str, origin: str) -> object:
    """The same in the store."""
    if step == "answer":
        return answer(store, voter, name, word, origin=origin)
    with store.engine.begin() as connection:
        if step == "ask":
            next_question(connection, voter, voter[: voter.index("-") + 1], START, NO_CHANCE, store.config)
            return None
        if step in STANDINGS:
            ensure_voter(connection, voter, START)
        else:
            return {"undo": undo, "redo": redo, "forget": forget}[step](connection, voter, now=START, config=store.config)
    return store.set_standing(voter, step, by="operator", now=START)


class TestLaw:
    """Answers, second answers, undo and redo without limit, forgetting, bans and trust, in any order of any people."""

    @pytest.mark.row("P14")
    def test_the_tables_say_what_people_did_and_what_their_ballots_settle(self, store: Store) -> None:
        examples, most = itertools.count(), 20 if store.engine.dialect.name == "sqlite" else 6

        @settings(max_examples=most, **GENERATED)
        @given(st.lists(_STEP, min_size=30, max_size=40))
        def holds(steps: list[tuple[str, str, str, str, str]]) -> None:
            self.follow(store, f"{next(examples)}-", steps)

        holds()

    def follow(self, store: Store, mark: str, steps: list[tuple[str, str, str, str, str]]) -> None:
        """One run of people and questions of its own, told by a mark."""
        new = [item(n, candidate_id=mark + name, gold="yes" if name == "known" else None) for n, name in enumerate(NAMES)]
        store.add_items(new, now=START, campaign=mark)
        books = Books()
        for step, who, what, word, origin in steps:
            voter, name = mark + who, mark + what
            held = self.held(store)
            assert do(store, step, voter, name, word, origin) == books.do(step, voter, name, word, origin)
            freed = {one for one in held if one[0] == voter and (step == "forget" or (step == "answer" and one[1] == name))}
            assert self.held(store) - held == set() or step == "ask"
            assert held - self.held(store) == freed
            self.check(store, mark, books)

    @staticmethod
    def held(store: Store) -> set[tuple[str, str]]:
        with store.engine.connect() as connection:
            return {
                (row[0], row[1]) for row in connection.execute(sa.select(reservations.c.voter_id, reservations.c.candidate_id))
            }

    @staticmethod
    def check(store: Store, mark: str, books: Books) -> None:
        with store.engine.connect() as connection:
            mine = votes.c.voter_id.startswith(mark)
            order = sa.select(votes).where(mine).order_by(votes.c.voter_id, votes.c.sequence)
            stored = [
                (row.voter_id, row.candidate_id, row.answer, row.origin, not row.withdrawn) for row in connection.execute(order)
            ]
            counts = {
                row.voter_id: row.n_votes
                for row in connection.execute(sa.select(voters).where(voters.c.voter_id.startswith(mark)))
            }
            slots = Counter(connection.execute(sa.select(reservations.c.candidate_id).where(reservations.c.takes_slot)).scalars())
            noted = Counter(connection.execute(sa.select(label_events.c.candidate_id)).scalars())
            rows = {
                row.candidate_id: row for row in connection.execute(sa.select(items).where(items.c.candidate_id.startswith(mark)))
            }
        told = [
            (v, one.name, one.answer, one.origin, one.stands) for v, given_ in sorted(books.answers.items()) for one in given_
        ]
        assert stored == told
        assert counts == {voter: sum(one.stands for one in books.answers[voter]) for voter in books.standing}
        for name, row in rows.items():
            ballots = books.ballots(name)
            verdict = judge(ballots, store.config)
            label = verdict.label if verdict.is_settled else None
            if row.gold is not None:
                assert (row.state, row.label, row.n_votes) == ("gold", "mass", len(ballots))
                continue
            books.noted[name] += label is not None and label != books.labels.get(name)
            books.labels[name] = label
            assert (row.label, row.state == "settled", noted[name]) == (label, verdict.is_settled, books.noted[name])
            assert (row.n_votes, row.n_taken) == (len(ballots), len(ballots) + slots[name])


class TestCast:
    @pytest.mark.parametrize(("measured", "stored"), [(-5, 0), (0, 0), (1500, 1500), (4_000_000, 3_600_000), (None, None)])
    def test_time_to_answer_is_kept_within_an_hour(self, store: Store, measured: int | None, stored: int | None) -> None:
        store.add_items([item(1)], now=START)
        with store.engine.begin() as connection:
            cast(connection, "a", "c0001", "yes", origin="net", now=START, config=store.config, duration_ms=measured)
            assert connection.execute(sa.select(votes.c.duration_ms)).scalar() == stored

    def test_whoever_cannot_tell_is_counted_and_most_of_them_hand_it_to_the_operator(self, store: Store) -> None:
        store.add_items([item(1)], now=START)
        for voter in "abc":
            answer(store, voter, "c0001", "unknown")

        assert (row_of(store, "c0001").state, row_of(store, "c0001").label) == ("disputed", None)

    @pytest.mark.parametrize(("candidate", "word"), [("c9999", "yes"), ("c0001", "perhaps")])
    def test_what_cannot_be_stores_nothing(self, store: Store, candidate: str, word: str) -> None:
        store.add_items([item(1)], now=START)
        with pytest.raises(BadInput, match=r"c9999|perhaps"):
            answer(store, "a", candidate, word)

        assert store.votes().empty

    def test_votes_cast_at_once_are_all_counted(self, store: Store) -> None:
        store.add_items([item(1, gold="yes"), item(2)], now=START)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: answer(store, f"v{n}", "c0001", "yes"), range(24)))

        assert len(store.votes()) == row_of(store, "c0001").n_votes == 24


class TestRecords:
    """What is stored of a voter decides how much their answer counts."""

    @pytest.mark.parametrize(("more", "state"), [(0, "settled"), (-1, "open")])
    def test_two_with_a_record_long_enough_settle_from_two_networks(self, store: Store, more: int, state: str) -> None:
        store.add_items([item(1), item(2)], now=START)
        for voter in "ab":
            answer(store, voter, "c0002", "no")
        with store.engine.begin() as connection:
            connection.execute(sa.update(voters).values(n_compared=store.config.proven_votes + more, skill=0.97))
        for voter in "ab":
            answer(store, voter, "c0001", "yes")

        assert row_of(store, "c0001").state == state
