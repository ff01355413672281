"""Answers of Places under its storage rules: place_id stays, everything else has a date of removal. See docs/terms.md.

There is no slot for any other field than those of `Place`, and none of them but place_id lies outside the `content` column,
which the sweeper empties.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime

from mass_pipeline.gathering.ports import Place
from mass_pipeline.gathering.state_port import Connection, StateStore


def store_answer(connection: Connection, question: str, places: Sequence[Place], now: datetime, content_until: datetime) -> None:
    """Keep an answer inside the caller's transaction; a later answer replaces an earlier one."""
    content = json.dumps([asdict(place) for place in places], ensure_ascii=False)
    identifiers = json.dumps([place.place_id for place in places])
    connection.execute(
        "INSERT INTO answers (question, answered_at, place_ids, content, content_until) VALUES (?, ?, ?, ?, ?) ON CONFLICT "
        "(question) DO UPDATE SET answered_at = excluded.answered_at, place_ids = excluded.place_ids, "
        "content = excluded.content, content_until = excluded.content_until",
        (question, now.timestamp(), identifiers, content, content_until.timestamp()),
    )


def find_answer(state: StateStore, question: str, now: datetime) -> tuple[Place, ...] | None:
    """The places that answer a question; None when it was never answered, or when their content is past its date."""
    for content, until in state.rows("SELECT content, content_until FROM answers WHERE question = ?", (question,)):
        if content is not None and isinstance(until, float) and until > now.timestamp():
            return tuple(Place(**{**item, "types": tuple(item["types"])}) for item in json.loads(str(content)))
    return None


def remove_content(connection: Connection, questions: Iterable[str]) -> None:
    """Remove the content of answers inside the caller's transaction; place_id stays, and so does "no such place"."""
    update = "UPDATE answers SET content = NULL, content_until = NULL WHERE question = ? AND place_ids <> '[]'"
    connection.executemany(update, [(question,) for question in questions])


def sweep(state: StateStore, now: datetime) -> int:
    """Remove what is overdue: content of answers, and decisions that hold for a time only.

    Returns:
        Number of answers and decisions touched.
    """
    with state.transaction() as connection:
        answers = connection.execute(
            "UPDATE answers SET content = NULL, content_until = NULL WHERE content IS NOT NULL AND content_until <= ?",
            (now.timestamp(),),
        )
        decisions = connection.execute("DELETE FROM decisions WHERE valid_until <= ?", (now.timestamp(),))
        return answers.rowcount + decisions.rowcount
