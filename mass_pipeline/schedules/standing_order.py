"""Which rows of a parish's standing order are published and which wait for a person, as other sources and people speak of them.

In this order: the page of a directory beside the parish's own site, the operator's threshold, people's answers, the last reading.

A row that people settled is published or left out as long as the lines it rests on are the same. Where a later reading of
these lines says otherwise, what people said stays published and the new reading waits: it is a question of its own. Where the
lines changed, nothing was said about them yet. Not here: which lines a site still has (publishing.orders), orders that a person
approved as a whole (reviews).
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
from mass_pipeline.schedules.sources import with_heard, with_last_reading

CONTRADICTED: Final = "the directory says otherwise"
OTHERWISE: Final = "people settled another reading of these lines"
_MOST: Final = 0.995  # people err too (docs/annotation.md)
_POLAND: Final = ZoneInfo("Europe/Warsaw")


@dataclass(frozen=True, slots=True)
class Order:
    """The standing order of one parish as it was read.

    Attributes:
        published: rows to publish.
        waiting: rows that were read and wait for a person.
        reasons: why they wait; () where none waits.
    """

    published: tuple[ScheduleRow, ...] = ()
    waiting: tuple[ScheduleRow, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corroboration:
    """What speaks of a standing order beside the site that states it.

    Attributes:
        listed: rows on the page of a directory; () where it has none, or is silent.
        answers: what people settled about rows of this parish.
        still_stated: answers about rows that were not read this time (`unread`) whose lines the site still has, each with its
            row as the page states it now.
        last: the standing order published before.
    """

    listed: Sequence[ScheduleRow] = ()
    answers: Sequence[RowAnswer] = ()
    still_stated: Sequence[tuple[RowAnswer, ScheduleRow]] = ()
    last: Sequence[ScheduleRow] = ()


def settle(parish_id: str, read: Order, evidence: Corroboration, least: float, operators_least: float) -> Order:
    """What is published of an order, and what waits.

    Args:
        parish_id: whose.
        read: as the parish's own site states it, by the fitted threshold.
        evidence: what else is known.
        least: the fitted threshold, a probability; operators_least: what the operator asks for, not below it.
    """
    order = at_least(corroborate_by_directory(read, evidence.listed, least), operators_least)
    order = with_answers(parish_id, order, evidence.answers, evidence.still_stated)
    return replace(order, published=with_last_reading(order.published, evidence.last))


def corroborate_by_directory(order: Order, listed: Sequence[ScheduleRow], least: float) -> Order:
    """The order beside what the page of a directory states: a contradiction lets unsure rows wait, and agreement publishes
    those that waited for their probability alone.

    Args:
        order: of the parish's own site.
        listed: the order on the page of the directory.
        least: least probability that is published.
    """
    rows = with_heard(order.published, "directory", listed)
    doubted = list(zip(order.waiting, with_heard(order.waiting, "directory", listed), strict=True))
    lifted = [row for before, row in doubted if before.confidence < least <= row.confidence]
    fallen = [row for row in rows if row.confidence < least]
    return _with_waiting(
        (*(row for row in rows if row.confidence >= least), *lifted),
        (*(row for _, row in doubted if row not in lifted), *fallen),
        (*order.reasons, *((CONTRADICTED,) if fallen else ())),
    )


def at_least(order: Order, least: float) -> Order:
    """The order without the rows that an operator does not find sure enough: these wait."""
    unsure = tuple(row for row in order.published if row.confidence < least)
    return _with_waiting(
        tuple(row for row in order.published if row.confidence >= least),
        (*order.waiting, *unsure),
        (*order.reasons, *((f"less sure than {least:g}",) if unsure else ())),
    )


def _with_waiting(published: Iterable[ScheduleRow], waiting: Sequence[ScheduleRow], reasons: Sequence[str]) -> Order:
    return Order(tuple(published), tuple(waiting), tuple(reasons) if waiting else ())


def unread(parish_id: str, read: Iterable[ScheduleRow], answers: Iterable[RowAnswer]) -> list[RowAnswer]:
    """Answers about rows that were not read this time."""
    found = {row_id(parish_id, row.mass, row.quote) for row in read}
    return [one for one in answers if one.row_id not in found]


def with_answers(
    parish_id: str,
    order: Order,
    answers: Sequence[RowAnswer],
    still_stated: Sequence[tuple[RowAnswer, ScheduleRow]] = (),
) -> Order:
    """The order as people decided about its rows.

    Args:
        parish_id: whose.
        order: as read.
        answers: about rows of this parish.
        still_stated: answers of `unread` whose lines the site still has, each with its row as the page states it now.
    """
    by_row = {one.row_id: one for one in answers}

    def answer_to(row: ScheduleRow) -> RowAnswer | None:
        return by_row.get(row_id(parish_id, row.mass, row.quote))

    settled = [
        as_checked(row, answer)
        for row in (*order.published, *order.waiting)
        if (answer := answer_to(row)) is not None and answer.verdict == "yes"
    ]
    unsettled = [row for row in order.published if answer_to(row) is None]
    waiting = [row for row in order.waiting if answer_to(row) is None]
    stated = {row_key(row.mass) for row in (*settled, *unsettled)}
    others = [(answer, row) for answer, row in still_stated if answer.verdict != "yes" or row_key(answer.mass) not in stated]
    contested = [row for row in unsettled if any(_differs(row, answer) for answer, _ in others)]
    published = [*settled, *(as_checked(row, answer) for answer, row in others if answer.verdict == "yes")]
    published += [row for row in unsettled if row not in contested]
    return _with_waiting(
        sorted(published, key=lambda row: row.mass.sort_key()),
        (*contested, *waiting),
        (*order.reasons, *((OTHERWISE,) if contested else ())),
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
