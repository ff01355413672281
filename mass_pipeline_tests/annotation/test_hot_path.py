"""A vote and the next question: few statements, and still all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from mass_pipeline.annotation.database import Together
from mass_pipeline.annotation.people import COUNT_VOTES
from mass_pipeline.annotation.schema import items, reservations, voters, votes
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.voting import rehearse
from mass_pipeline_tests.annotation.support import START, answer, ask, item, row_of


@contextmanager
def counted(store: Store) -> Iterator[list[str]]:
    """The statements that go to the database meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if not statement.startswith("BEGIN"):  # PostgreSQL's driver sends it itself
            sent.append(statement)

    sa.event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        sa.event.remove(store.engine, "before_cursor_execute", note)


class TestHotPath:
    def test_an_answer_takes_three_statements_and_the_next_question_five(self, store: Store) -> None:
        """Statements are where the time of a vote goes: 100 votes a second beside the database on two cores (issue 6)."""
        store.add_items([item(number) for number in range(3)], now=START)
        first = ask(store, "a")
        assert first is not None

        with counted(store) as sent:
            answer(store, "a", first.candidate_id, "yes")
        with counted(store) as sent_for_next:
            ask(store, "a")

        joined = store.engine.dialect.name == "postgresql"
        assert len(sent) == (3 if joined else 6)
        assert len(sent_for_next) == (5 if joined else 6)

    def test_what_is_written_together_is_all_there(self, store: Store) -> None:
        store.add_items([item(0)], now=START)
        asked = ask(store, "a")
        assert asked is not None
        answer(store, "a", asked.candidate_id, "yes")

        assert (row_of(store, asked.candidate_id).n_votes, row_of(store, asked.candidate_id).n_taken) == (1, 1)
        assert list(store.votes()["answer"]) == ["yes"]
        assert n_votes_of(store, "a") == 1

    def test_or_nothing_is_when_a_part_fails(self, store: Store) -> None:
        store.add_items([item(0)], now=START)
        ask(store, "a")
        wrong = sa.update(items).values(state=sa.null())
        with pytest.raises(sa.exc.IntegrityError), store.engine.begin() as connection:
            Together(COUNT_VOTES, wrong).execute(connection, {"voter": "a", "more_votes": 5})

        assert n_votes_of(store, "a") == 0

    def test_a_rehearsal_leaves_no_trace(self, store: Store) -> None:
        """Nobody is asked by it, and nothing answered: it only readies what the workers inherit."""
        store.add_items([item(number) for number in range(2)], now=START)
        rehearse(store.engine, "default", now=START, config=store.config)
        with store.engine.connect() as connection:
            n_rows = [
                connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
                for table in (voters, votes, reservations)
            ]

        assert n_rows == [0, 0, 0]
        assert row_of(store, "c0000").n_taken == 0


def n_votes_of(store: Store, voter: str) -> int:
    """The number of votes that stands in a voter's row."""
    with store.engine.connect() as connection:
        return int(connection.execute(sa.select(voters.c.n_votes).where(voters.c.voter_id == voter)).scalar_one())
