"""What the pages show of an item: read-only views, no decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.items import source_host
from mass_pipeline.annotation.schema import items, voters, votes


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
    def near(self) -> str:
        """The end of the text before the hour: so much that the hour stands on a phone's screen without scrolling."""
        kept: list[str] = []
        room = _NEAR_CHARACTERS
        for line in reversed(self.left.split("\n")[-_NEAR_LINES:]):
            shown = line[-room:]
            kept.append(shown)
            room -= max(len(shown), _PHONE_LINE)
            if shown != line or room <= 0:
                break
        return "\n".join(reversed(kept))

    @property
    def far(self) -> str:
        """What stands before `near`, shown on demand; "" when that is all."""
        return self.left[: len(self.left) - len(self.near)]

    @property
    def line_before(self) -> str:
        """The end of the text before the hour, for the list mode."""
        return self.left.rsplit("\n", 1)[-1][-70:]

    @property
    def line_behind(self) -> str:
        """The beginning of the text after the hour, for the list mode."""
        return self.right.split("\n", 1)[0][:50]


_NEAR_LINES: Final = 3
_PHONE_LINE: Final = 36  # characters that a phone 360 pixels wide shows in a line
_NEAR_CHARACTERS: Final = 4 * _PHONE_LINE

QUESTION_COLUMNS: Final = (
    items.c.candidate_id, items.c.url, items.c.heading, items.c.day_scope, items.c.left, items.c.raw, items.c.right
)  # fmt: skip
_QUESTIONS: Final = sa.select(*QUESTION_COLUMNS).where(items.c.candidate_id.in_(sa.bindparam("names", expanding=True)))
_VOTES_OF: Final = sa.select(voters.c.n_votes).where(voters.c.voter_id == sa.bindparam("voter"))

_HELPED: Final = (
    sa.select(sa.func.count())
    .select_from(votes.join(items, items.c.candidate_id == votes.c.candidate_id))
    .where(votes.c.voter_id == sa.bindparam("voter"), ~votes.c.withdrawn, items.c.state == "settled")
)


def read_questions(connection: Connection, candidate_ids: Sequence[str]) -> list[Question]:
    """Questions in the given order; unknown ids are left out."""
    rows = connection.execute(_QUESTIONS, {"names": list(candidate_ids)})
    found = {row.candidate_id: question_of(row) for row in rows}
    return [found[name] for name in candidate_ids if name in found]


def votes_of(connection: Connection, voter_id: str) -> int:
    """How many answers of a person stand."""
    return connection.execute(_VOTES_OF, {"voter": voter_id}).scalar_one_or_none() or 0


def helped_by(connection: Connection, voter_id: str) -> int:
    """How many hours have a label that this person's standing answers took part in."""
    return int(connection.execute(_HELPED, {"voter": voter_id}).scalar_one())


def is_milestone(answers: int) -> bool:
    """Whether a person who has given so many answers is thanked: at 10, 25, 50, and at each full hundred.

    >>> [n for n in range(301) if is_milestone(n)]
    [10, 25, 50, 100, 200, 300]
    """
    return answers in (10, 25, 50) or (answers > 0 and answers % 100 == 0)


def question_of(row: Any) -> Question:
    """The view of a row that has the `QUESTION_COLUMNS`."""
    host = source_host(row.url)
    return Question(row.candidate_id, host, row.url if host else "", row.heading, row.day_scope, row.left, row.raw, row.right)
