"""What becomes of reports: compared with what is published now, they are settled, wait, or become a proposal for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from mass_pipeline.finding.inbox import Report
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.schedules.reviews import Proposal
from mass_pipeline.schedules.rows import ScheduleRow

State = Literal["received", "same", "changed", "declined"]


def outcome(report: Report, rows: Sequence[ScheduleRow]) -> State:
    """What the pages of the parish say since the report.

    Args:
        report: the report.
        rows: published rows of its parish now.

    Returns:
        `changed`: the row it means is published no more; `same`: the pages were read again since and say it still;
        `received`: they were not read again yet.
    """
    published = {mass_id(report.parish_id, row) for row in rows}
    if report.mass_id and report.mass_id not in published:
        return "changed"
    sent = datetime.fromisoformat(report.sent_at)
    moments = [moment for row in rows if row.exception is None and (moment := row.checked_at or row.fetched_at)]
    return "same" if moments and max(moments) > sent else "received"


def doubted_pages(
    reports: Sequence[Report], known: Mapping[str, str], rows: Mapping[str, Sequence[ScheduleRow]]
) -> dict[str, datetime]:
    """Pages that are worth reading again early: those of the reported row, or all of a parish reported as a whole.

    Args:
        reports: of the inbox. known: report_id -> state, as the last import wrote; settled reports ask for nothing.
        rows: parish_id -> its published rows.

    Returns:
        URL -> moment of the latest report that doubts it.
    """
    found: dict[str, datetime] = {}
    for report in reports:
        if known.get(report.report_id, "received") != "received":
            continue
        published = rows.get(report.parish_id, ())
        meant = [row for row in published if mass_id(report.parish_id, row) == report.mass_id] or published
        sent = datetime.fromisoformat(report.sent_at)
        for row in meant:
            found[row.source_url] = max(sent, found.get(row.source_url, sent))
    return found


def proposal_of(report: Report, rows: Sequence[ScheduleRow]) -> Proposal:
    """The proposal that a person looks at: what is reported beside the words it doubts; it holds no order of its own."""
    meant = [row for row in rows if mass_id(report.parish_id, row) == report.mass_id] or list(rows[:1])
    says = f"report {report.report_id}: {report.kind}" + (f": {report.text}" if report.text else "")
    if not meant:
        return Proposal(report.parish_id, "report", says, None, (), "", says, "")
    return Proposal(report.parish_id, "report", says, None, (), meant[0].source_url, meant[0].quote, meant[0].page_sha256)


def with_verdicts(states: Mapping[str, State], rejected: Mapping[str, bool]) -> dict[str, State]:
    """States with what people decided about the proposals of reports: rejected is declined, approved is changed."""
    decided: dict[str, State] = {key: "declined" if is_rejected else "changed" for key, is_rejected in rejected.items()}
    return {**states, **{key: state for key, state in decided.items() if key in states}}
