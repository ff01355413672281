"""A vote and the next question: few statements, sent together, and still all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
import sqlalchemy as sa

from mass_pipeline.annotation.database import send_together, writing
from mass_pipeline.annotation.queue import next_question
from mass_pipeline.annotation.schema import voters
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.voting import cast
from mass_pipeline_tests.annotation.support import NO_CHANCE, START, answer, ask, item, row_of


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


def enter_twice(store: Store) -> None:
    """The same voter two times in one transaction, which cannot be."""
    row = {"voter_id": "a", "created_at": START}
    with writing(store.engine) as connection:
        send_together(connection)
        connection.execute(sa.insert(voters).inline(), row)
        connection.execute(sa.insert(voters).inline(), row)


class TestHotPath:
    def test_an_answer_takes_six_statements_and_the_next_question_five(self, store: Store) -> None:
        """Statements are where the time of a vote goes: 100 votes a second beside the database on two cores (issue 6)."""
        store.add_items([item(number) for number in range(3)], now=START)
        first = ask(store, "a")
        assert first is not None

        with counted(store) as sent:
            answer(store, "a", first.candidate_id, "yes")
        with counted(store) as sent_for_next:
            ask(store, "a")

        assert len(sent) == 6
        assert len(sent_for_next) == 5

    def test_statements_sent_together_arrive(self, store: Store) -> None:
        store.add_items([item(0)], now=START)
        with writing(store.engine) as connection:
            asked = next_question(connection, "a", "default", START, NO_CHANCE, store.config)
        assert asked is not None
        with writing(store.engine) as connection:
            cast(connection, "a", asked.candidate_id, "yes", origin="net", now=START, config=store.config)

        assert (row_of(store, asked.candidate_id).n_votes, row_of(store, asked.candidate_id).n_taken) == (1, 1)
        assert list(store.votes()["answer"]) == ["yes"]

    def test_one_that_fails_takes_all_back_and_the_connection_stays_usable(self, store: Store) -> None:
        """In a pipeline an error shows at the end only: nothing must have been acknowledged by then."""
        with pytest.raises((sa.exc.IntegrityError, psycopg.errors.UniqueViolation)):
            enter_twice(store)

        with writing(store.engine) as connection:
            assert connection.execute(sa.select(sa.func.count()).select_from(voters)).scalar_one() == 0
