"""Which rows of schedules people are asked about, made from the published tables and the log of proposals; no page is read.

Asked are rows that wait, rows of which another page, source or the last reading says otherwise, rows that the classifier reads
without the rules, rows that rest on the same wording as one that was confirmed to be wrong, and every row of a parish whose own
people look through it. Each row is asked in the words
of the page: those around the candidate hour that states it. Not here: the order of the queue, votes (annotation).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from mass_pipeline.model.columns import CANDIDATE_HOURS, MASS_SCHEDULES, PARISHES
from mass_pipeline.model.records import Mass
from mass_pipeline.publishing.reviews import Reviews
from mass_pipeline.reading.words.masking.lines import MASK
from mass_pipeline.resources.lake import Lake
from mass_pipeline.schedules.checked import Reason, RowAnswer, RowQuestion, context_of, quoted_lines, row_id, row_key, wording_of
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline.schedules.rows import ScheduleRow, rows_by_parish
from mass_pipeline.schedules.standing_order import confirmed_wrong
from mass_pipeline.site_reading.ownership.confidence import CONTRADICTED_REASON

MOST_OF_A_WORDING: Final = 12  # rows of one wording that are asked about because one of them was wrong
_COLUMNS: Final = ("parish_id", "url", "time", "raw", "left", "right", "heading", "day_scope", "rule_reading")

_Hours = Mapping[tuple[str, str, str], Sequence[Mapping[str, object]]]


def row_questions(
    lake: Lake,
    keys: Sequence[str],
    reviews: Reviews,
    answers: Iterable[RowAnswer],
    *,
    whole: Set[str] = frozenset(),
) -> list[RowQuestion]:
    """The questions about rows of some dioceses, each once, by row_id.

    Args:
        keys: of the dioceses.
        reviews: proposals with the rows that wait, and decisions about reports.
        answers: what people settled already; that is not asked again.
        whole: parishes of which each row is asked about, as their own people look through it.
    """
    answers = list(answers)
    wrong = {one.row_id: one for one in (*confirmed_wrong(reviews.decisions), *(one for one in answers if one.verdict != "yes"))}
    settled = {one.row_id for one in answers} | set(wrong)
    named = {str(row["parish_id"]): _label(row) for row in lake.published(PARISHES).rows(["parish_id", "name", "town"])}
    waiting = _waiting(reviews.proposals)
    made: list[tuple[RowQuestion, Reason | None]] = []
    wordings = {one.row_id: one.wording for one in wrong.values() if one.wording}
    for key in keys:
        rows = rows_by_parish(lake.published(MASS_SCHEDULES, [key]).rows(), standing=True)
        hours = _hours_of(lake, key)
        for parish_id in sorted({*rows, *(one for one in waiting if one in _parishes(hours))}):
            made += _of_parish(key, parish_id, rows.get(parish_id, ()), waiting.get(parish_id), hours, named)
        for one in wrong.values():
            for hour in hours.get((one.parish_id, one.source_url, one.mass.time), ())[:1]:
                told = (str(hour[name] or "") for name in ("heading", "left", "right"))
                wordings.setdefault(one.row_id, wording_of(*told))
    suspect = Counter(wordings.values())
    chosen: dict[str, RowQuestion] = {}
    of_wording: Counter[str] = Counter()
    for question, reason in sorted(made, key=lambda one: (one[0].probability, one[0].row_id)):
        if question.row_id in settled or question.row_id in chosen:
            continue
        if suspect[question.wording] and of_wording[question.wording] < MOST_OF_A_WORDING:
            of_wording[question.wording] += 1
            reason = "reported"
        if reason is None and question.parish_id in whole:
            reason = "parish"
        if reason is not None:
            chosen[question.row_id] = RowQuestion.from_dict(question.as_dict() | {"reason": reason})
    return [chosen[name] for name in sorted(chosen)]


def _of_parish(
    key: str, parish_id: str, rows: Sequence[ScheduleRow], waiting: Proposal | None, hours: _Hours, named: Mapping[str, str]
) -> Iterator[tuple[RowQuestion, Reason | None]]:
    published = {row_key(row.mass) for row in rows}
    candidates: list[tuple[ScheduleRow, Reason | None]] = [(row, _doubt(row)) for row in rows if row.checked is None]
    still = [row for row in (waiting.rows if waiting else ()) if row_key(row.mass) not in published]
    is_contradicted = waiting is not None and CONTRADICTED_REASON in waiting.doubts
    candidates += [(row, "contradicted" if is_contradicted or _is_otherwise(row, rows) else "waits") for row in still]
    for row, reason in candidates:
        hour = _stating(row, hours.get((parish_id, row.source_url, row.mass.time), ()))
        if hour is not None and row.quote and MASK not in row.mass.place:
            yield _question(key, parish_id, row, hour, reason or "waits", named.get(parish_id, "")), reason


def _doubt(row: ScheduleRow) -> Reason | None:
    """Why a published row is asked about; None for one that nothing speaks against."""
    if any(one.says == "contradicts" for one in row.heard) or row.method == "classifier":
        return "contradicted"
    return None


def _is_otherwise(row: ScheduleRow, published: Iterable[ScheduleRow]) -> bool:
    """Whether people settled another reading of the lines of a row that waits."""
    checked = (one for one in published if one.checked is not None and one.mass.time == row.mass.time)
    return any(quoted_lines(one.quote) & quoted_lines(row.quote) for one in checked)


def _question(key: str, parish_id: str, row: ScheduleRow, hour: Mapping[str, object], reason: Reason, parish: str) -> RowQuestion:
    left, right, heading, day_scope = (str(hour[name] or "") for name in ("left", "right", "heading", "day_scope"))
    return RowQuestion(
        row_id(parish_id, row.mass, row.quote), parish_id, key, parish, row.source_url, row.mass, row.quote, left,
        str(hour["raw"]), right, heading, day_scope, reason, row.confidence, wording_of(heading, left, right),
        context_of(row.mass.time, heading, day_scope, left, right),
    )  # fmt: skip


def _stating(row: ScheduleRow, hours: Sequence[Mapping[str, object]]) -> Mapping[str, object] | None:
    """The candidate hour that states the row: one that the rules took for it, else the first of its time on the page."""
    for hour in hours:
        told = hour["rule_reading"]
        if told and set(Mass.from_dict(json.loads(str(told))).days) & set(row.mass.days):
            return hour
    return hours[0] if hours else None


def _hours_of(lake: Lake, key: str) -> dict[tuple[str, str, str], list[Mapping[str, object]]]:
    found: dict[tuple[str, str, str], list[Mapping[str, object]]] = {}
    for row in lake.published(CANDIDATE_HOURS, [key]).rows(list(_COLUMNS)):
        found.setdefault((str(row["parish_id"]), str(row["url"]), str(row["time"])), []).append(row)
    return found


def _parishes(hours: _Hours) -> set[str]:
    return {parish for parish, _, _ in hours}


def _waiting(proposals: Iterable[Proposal]) -> dict[str, Proposal]:
    """The last order of each parish of which rows waited, with those that were published."""
    return {one.parish_id: one for one in proposals if one.origin == "withheld"}


def _label(row: Mapping[str, object]) -> str:
    return ", ".join(str(row[name]) for name in ("town", "name") if row[name])
