"""What the pages show of an item: read-only views, no decisions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.items import source_host
from mass_pipeline.annotation.schema import items, voters, votes
from mass_pipeline.annotation.vocabulary import Kind


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
    kind: Kind = "hour"
    mass: str = ""
    place: str = ""
    quote: str = ""

    @property
    def near(self) -> str:
        """The end of the text before the hour: with `near_after` so much that all of it stands on a phone's screen."""
        return _beginning(self.left[::-1], 4 * _PHONE_LINE)[::-1]

    @property
    def far(self) -> str:
        """What stands before `near`, shown on demand; "" when that is all."""
        return self.left[: len(self.left) - len(self.near)]

    @property
    def near_after(self) -> str:
        """The beginning of the text after the hour."""
        return _beginning(self.right, 3 * _PHONE_LINE)

    @property
    def far_after(self) -> str:
        """What stands after `near_after`, shown on demand; "" when that is all."""
        return self.right[len(self.near_after) :]

    @property
    def heading_told(self) -> str:
        """The heading, cut to two lines of a phone; "" when it stands beside the hour anyway."""
        if _plain(self.heading) in _plain(self.near):
            return ""
        return self.heading if len(self.heading) <= 2 * _PHONE_LINE else self.heading[: 2 * _PHONE_LINE - 1].rstrip() + "…"

    @property
    def days_told(self) -> str:
        """The day words that govern the hour; "" when all of them stand beside it or in the heading that is shown."""
        beside = _plain(f"{self.heading_told}\n{self.near}{self.raw}{self.near_after}").split()
        return "" if set(_plain(self.day_scope).split()) <= set(beside) else self.day_scope

    @property
    def line_before(self) -> str:
        """The end of the text before the hour, for the list mode."""
        return self.left.rsplit("\n", 1)[-1][-70:]

    @property
    def line_behind(self) -> str:
        """The beginning of the text after the hour, for the list mode."""
        return self.right.split("\n", 1)[0][:50]


def _beginning(text: str, room: int) -> str:
    kept: list[str] = []
    for line in text.split("\n")[:_NEAR_LINES]:
        shown = line[:room]
        kept.append(shown)
        room -= max(len(shown), _PHONE_LINE)
        if shown != line or room <= 0:
            break
    return "\n".join(kept)


def _plain(text: str) -> str:
    """Words alone, for comparing."""
    return " ".join(re.findall(r"\w+", text.casefold()))


_NEAR_LINES: Final = 3
_PHONE_LINE: Final = 36  # characters that a phone 360 pixels wide shows in a line

QUESTION_COLUMNS: Final = (
    items.c.candidate_id, items.c.url, items.c.heading, items.c.day_scope, items.c.left, items.c.raw, items.c.right,
    items.c.kind, items.c.mass, items.c.place, items.c.quote,
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
    link = row.url if host else ""
    words = row.heading, row.day_scope, row.left, row.raw, row.right
    return Question(row.candidate_id, host, link, *words, row.kind, row.mass, row.place, row.quote)
