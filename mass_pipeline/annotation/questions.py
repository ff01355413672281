"""What the pages show of an item: read-only views, no decisions."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from mass_pipeline.annotation.items import source_host
from mass_pipeline.annotation.schema import items, voters, votes
from mass_pipeline.annotation.vocabulary import Kind
from mass_pipeline.model.records import Mass
from mass_pipeline.reading.formats.summary import summarize


@dataclass(frozen=True, slots=True)
class Question:
    """An item as a person sees it; all texts are untrusted and masked.

    Attributes:
        link: the source page when it is http(s), else "".
        kind: an hour or a row.
        mass, place, quote: of a row: the Mass as JSON, its parish, the words of the page that state it.
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
        return _beginning(self.left[::-1], self._lines(4) * _PHONE_LINE)[::-1]

    @property
    def far(self) -> str:
        """What stands before `near`, shown on demand; "" when that is all."""
        return self.left[: len(self.left) - len(self.near)]

    @property
    def near_after(self) -> str:
        """The beginning of the text after the hour."""
        return _beginning(self.right, self._lines(3) * _PHONE_LINE)

    @property
    def far_after(self) -> str:
        """What stands after `near_after`, shown on demand; "" when that is all."""
        return self.right[len(self.near_after) :]

    @property
    def heading_told(self) -> str:
        """The heading, cut to two lines of a phone; "" when it stands beside the hour anyway."""
        if _plain(self.heading) in _plain(self.near):
            return ""
        room = self._lines(2) * _PHONE_LINE
        return self.heading if len(self.heading) <= room else _whole_words(self.heading, room - 1).rstrip() + "…"

    def _lines(self, of_an_hour: int) -> int:
        """Lines of a phone that are left: the question about a row and its answers are longer."""
        return of_an_hour if self.kind == "hour" else max(of_an_hour - 2, 1)

    @property
    def days_told(self) -> str:
        """The day words that govern the hour; "" when all of them stand beside it or in the heading that is shown."""
        beside = _plain(f"{self.heading_told}\n{self.near}{self.raw}{self.near_after}").split()
        return "" if set(_plain(self.day_scope).split()) <= set(beside) else self.day_scope

    @property
    def quote_told(self) -> str:
        """Of the words that state a row, the lines that do not stand beside the hour or in its heading, cut to two lines of a
        phone around the first day word; "" when all of them do."""
        beside = set(_plain(f"{self.heading_told}\n{self.near}{self.raw}{self.near_after}").split())
        missing = [line for line in re.split(r" / | … ", self.quote) if not set(_plain(line).split()) <= beside]
        told, room = " … ".join(dict.fromkeys(missing)), 2 * _PHONE_LINE
        days = (re.search(rf"\b{re.escape(word)}\b", told.casefold()) for word in _plain(self.day_scope).split())
        first = min((day.start() for day in days if day), default=0)
        if first + _PHONE_LINE > room:
            told = "…" + told[first:]
        return told if len(told) <= room else _whole_words(told, room - 1).rstrip() + "…"

    def row(self, language: str) -> str:
        """What a row says, in words: days, hour, season, and where."""
        mass = Mass.from_dict(json.loads(self.mass))
        told = summarize([replace(mass, place="", note="")], "en" if language == "en" else "pl")
        where = ", ".join(dict.fromkeys(part for part in (mass.place, self.place.partition(", ")[0]) if part))
        said = told.replace(": ", " ", 1)
        return f"{said[:1].upper()}{said[1:]}" + (f", {where}" if where else "")

    def marks(self, text: str) -> list[tuple[str, bool]]:
        """The text in pieces, each with whether it is of the words that state the row; one piece for an hour."""
        words = {word for word in _plain(self.quote).split() if len(word) >= _LEAST_MARKED and word.isalpha()}
        if not words:
            return [(text, False)]
        found: list[tuple[str, bool]] = []
        for piece in re.split(r"(\W+)", text):
            is_marked = piece.casefold() in words
            if found and found[-1][1] == is_marked:
                found[-1] = (found[-1][0] + piece, is_marked)
            elif piece:
                found.append((piece, is_marked))
        return found

    @property
    def line_before(self) -> str:
        """The end of the text before the hour, for the list mode."""
        return _whole_words(self.left.rsplit("\n", 1)[-1][::-1], 70)[::-1]

    @property
    def line_behind(self) -> str:
        """The beginning of the text after the hour, for the list mode."""
        return _whole_words(self.right.split("\n", 1)[0], 50)


def _beginning(text: str, room: int) -> str:
    kept: list[str] = []
    for line in text.split("\n")[:_NEAR_LINES]:
        shown = _whole_words(line, room)
        kept.append(shown)
        room -= max(len(shown), _PHONE_LINE)
        if shown != line or room <= 0:
            break
    return "\n".join(kept)


def _whole_words(line: str, room: int) -> str:
    """The beginning of a line, cut between words where there is a place to cut.

    >>> _whole_words("Msze święte w niedziele", 14), _whole_words("Konstantynopol", 5)
    ('Msze święte w ', 'Konst')
    """
    if len(line) <= room or line[room - 1 : room].isspace() or line[room].isspace():
        return line[:room]
    cut = max(line.rfind(" ", 0, room), line.rfind("\t", 0, room)) + 1
    return line[:cut] if cut else line[:room]


def _plain(text: str) -> str:
    """Words alone, for comparing."""
    return " ".join(re.findall(r"\w+", text.casefold()))


_NEAR_LINES: Final = 3
_LEAST_MARKED: Final = 3  # letters: shorter words join
_PHONE_LINE: Final = 36  # characters that a phone 360 pixels wide shows in a line

QUESTION_COLUMNS: Final = (
    items.c.candidate_id, items.c.url, items.c.heading, items.c.day_scope, items.c.left, items.c.raw, items.c.right,
    items.c.kind, items.c.mass, items.c.place, items.c.quote,
)  # fmt: skip


def read_questions(connection: Connection, candidate_ids: Sequence[str]) -> list[Question]:
    """Questions in the given order; unknown ids are left out."""
    rows = connection.execute(sa.select(*QUESTION_COLUMNS).where(items.c.candidate_id.in_(candidate_ids)))
    found = {row.candidate_id: question_of(row) for row in rows}
    return [found[name] for name in candidate_ids if name in found]


def votes_of(connection: Connection, voter_id: str) -> int:
    """How many answers of a person stand."""
    return connection.execute(sa.select(voters.c.n_votes).where(voters.c.voter_id == voter_id)).scalar_one_or_none() or 0


def helped_by(connection: Connection, voter_id: str) -> int:
    """How many hours have a label that this person's standing answers took part in."""
    settled = sa.select(sa.func.count()).select_from(votes.join(items, items.c.candidate_id == votes.c.candidate_id))
    mine = settled.where(votes.c.voter_id == voter_id, ~votes.c.withdrawn, items.c.state == "settled")
    return connection.execute(mine).scalar_one()


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
