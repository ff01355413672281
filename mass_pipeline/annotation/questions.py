"""What the pages show of an item: read-only views, no decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.items import source_host
from mass_pipeline.annotation.schema import items, voters


@dataclass(frozen=True, slots=True)
class Question:
    """An item as a person sees it; all texts are untrusted and masked.

    Attributes:
        link: the source page when it is http(s), else "".
    """

    candidate_id: str
    host: str
    link: str
    heading: str
    day_scope: str
    left: str
    raw: str
    right: str

    @property
    def line_before(self) -> str:
        """The end of the text before the hour, for the list mode."""
        return self.left.rsplit("\n", 1)[-1][-70:]

    @property
    def line_behind(self) -> str:
        """The beginning of the text behind the hour, for the list mode."""
        return self.right.split("\n", 1)[0][:50]


QUESTION_COLUMNS: Final = (
    items.c.candidate_id, items.c.url, items.c.heading, items.c.day_scope, items.c.left, items.c.raw, items.c.right
)  # fmt: skip
_QUESTIONS: Final = sa.select(*QUESTION_COLUMNS).where(items.c.candidate_id.in_(sa.bindparam("names", expanding=True)))
_VOTES_OF: Final = sa.select(voters.c.n_votes).where(voters.c.voter_id == sa.bindparam("voter"))


def read_questions(connection: Connection, candidate_ids: Sequence[str]) -> list[Question]:
    """Questions in the given order; unknown ids are left out."""
    rows = connection.execute(_QUESTIONS, {"names": list(candidate_ids)})
    found = {row.candidate_id: question_of(row) for row in rows}
    return [found[name] for name in candidate_ids if name in found]


def votes_of(connection: Connection, voter_id: str) -> int:
    """How many answers of a person stand."""
    return connection.execute(_VOTES_OF, {"voter": voter_id}).scalar_one_or_none() or 0


def question_of(row: Any) -> Question:
    """The view of a row that has the `QUESTION_COLUMNS`."""
    host = source_host(row.url)
    return Question(row.candidate_id, host, row.url if host else "", row.heading, row.day_scope, row.left, row.raw, row.right)
