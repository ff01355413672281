"""What people's answers make of the rows that were read: published, left out, or waiting for one more answer.

A row that people settled is published or left out as long as the lines it rests on are the same. Where a later reading of
these lines says otherwise, what people said stays published and the new reading waits: it is a question of its own. Where the
lines changed, nothing was said about them yet. Not here: which lines a site still has (publishing.orders).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from mass_pipeline.schedules.checked import Checked, RowAnswer, quoted_lines, row_id, row_key
from mass_pipeline.schedules.reviews import Decision
from mass_pipeline.schedules.rows import ScheduleRow

OTHERWISE: Final = "people settled another reading of these lines"
_MOST: Final = 0.995  # people err too (docs/annotation.md)
_POLAND: Final = ZoneInfo("Europe/Warsaw")


@dataclass(frozen=True, slots=True)
class Decided:
    """Rows of a parish, with what people said of them.

    Attributes:
        published: rows to publish.
        waiting: rows that wait for a person.
        reasons: why rows wait that did not before.
    """

    published: tuple[ScheduleRow, ...]
    waiting: tuple[ScheduleRow, ...]
    reasons: tuple[str, ...] = ()


def unread(parish_id: str, read: Iterable[ScheduleRow], answers: Iterable[RowAnswer]) -> list[RowAnswer]:
    """Answers about rows that were not read this time."""
    found = {row_id(parish_id, row.mass, row.quote) for row in read}
    return [one for one in answers if one.row_id not in found]


def with_answers(
    parish_id: str,
    read: Sequence[ScheduleRow],
    waiting: Sequence[ScheduleRow],
    answers: Sequence[RowAnswer],
    kept: Sequence[tuple[RowAnswer, ScheduleRow]] = (),
) -> Decided:
    """Rows as people decided about them.

    Args:
        read: rows that would be published; waiting: rows that would wait.
        answers: about rows of this parish.
        kept: answers of `unread` whose lines the site still has, each with its row as the page states it now.
    """
    known = {one.row_id: one for one in answers}
    published: list[ScheduleRow] = []
    left: list[tuple[ScheduleRow, bool]] = []  # rows nobody settled, and whether they would be published
    for row, would in (*((row, True) for row in read), *((row, False) for row in waiting)):
        answer = known.get(row_id(parish_id, row.mass, row.quote))
        if answer is None:
            left.append((row, would))
        elif answer.verdict == "yes":
            published.append(as_checked(row, answer))
    stands = {row_key(row.mass) for row in published} | {row_key(row.mass) for row, would in left if would}
    said = [(answer, row) for answer, row in kept if answer.verdict != "yes" or row_key(answer.mass) not in stands]
    published += [as_checked(row, answer) for answer, row in said if answer.verdict == "yes"]
    doubted = [(row, would and any(_differs(row, answer) for answer, _ in said)) for row, would in left]
    published += [row for (row, fell), (_, would) in zip(doubted, left, strict=True) if would and not fell]
    still = [row for (row, fell), (_, would) in zip(doubted, left, strict=True) if fell or not would]
    return Decided(
        tuple(sorted(published, key=lambda row: row.mass.sort_key())),
        tuple(still),
        (OTHERWISE,) if any(fell for _, fell in doubted) else (),
    )


def as_checked(row: ScheduleRow, answer: RowAnswer) -> ScheduleRow:
    """The row as people settled it."""
    sure = max(row.confidence, min(answer.probability, _MOST))
    return replace(row, method="people", confidence=round(sure, 4), checked=answer.checked)


def _differs(row: ScheduleRow, answer: RowAnswer) -> bool:
    """Whether a row that nobody settled says otherwise than people: of the same lines, or once more what they said is wrong."""
    if answer.verdict != "yes":
        return row_key(row.mass) == row_key(answer.mass)
    hours = {line for line in quoted_lines(answer.quote) if any(c.isdigit() for c in line)}
    return row.mass.time == answer.mass.time and bool(hours & quoted_lines(row.quote))


def confirmed_wrong(decisions: Iterable[Decision]) -> list[RowAnswer]:
    """Rows that an approved report took out of an order without an hour in their place: the word of an operator.

    A row that got another hour was read as its page says: the page is out of date, and nothing follows for other sites.
    """
    found: dict[str, RowAnswer] = {}
    for one in decisions:
        if one.verdict != "approved" or one.proposal.origin != "report":
            continue
        parish_id, on = one.proposal.parish_id, datetime.fromisoformat(one.at).astimezone(_POLAND).date()
        right, before = _by_day(one.rows), _by_day(one.replaces)
        for row in one.replaces:
            is_gone = all(_hour(row) not in right.get(day, set()) for day in row.mass.days)
            if row.quote and is_gone and all(len(right.get(day, ())) < len(before[day]) for day in row.mass.days):
                key = row_id(parish_id, row.mass, row.quote)
                checked = Checked(1, on, "operator")
                found[key] = RowAnswer(key, parish_id, row.mass, row.quote, row.source_url, "no_mass", 1.0, checked)
    return [found[key] for key in sorted(found)]


def _by_day(rows: Iterable[ScheduleRow]) -> dict[str, set[tuple[str, str, str]]]:
    found: dict[str, set[tuple[str, str, str]]] = {}
    for row in rows:
        for day in row.mass.days:
            found.setdefault(day, set()).add(_hour(row))
    return found


def _hour(row: ScheduleRow) -> tuple[str, str, str]:
    return row.mass.time, row.mass.when, row.mass.place
