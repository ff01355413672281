"""What becomes of reports: compared with what is published now, they are settled, wait, or become a proposal for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from mass_pipeline.finding.corrections import BadField, Given, corrected
from mass_pipeline.finding.inbox import Report
from mass_pipeline.finding.index.facts import mass_id
from mass_pipeline.schedules.reviews import Proposal, Verdict
from mass_pipeline.schedules.rows import ScheduleRow

State = Literal["received", "waits", "same", "changed", "declined"]


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


def state_of(outcome: State, verdict: Verdict | None, is_proposed: bool) -> State:
    """What the page of a report says, by what its parish's pages say and what a person decided.

    Args:
        verdict: about its proposal; None while nobody decided. is_proposed: whether it has one.
    """
    if verdict is not None and outcome != "changed":
        return "changed" if verdict == "approved" else "declined"
    return "waits" if is_proposed and outcome == "received" else outcome


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
        if known.get(report.report_id, "received") not in ("received", "waits"):
            continue
        published = rows.get(report.parish_id, ())
        meant = [row for row in published if mass_id(report.parish_id, row) == report.mass_id] or published
        sent = datetime.fromisoformat(report.sent_at)
        for row in meant:
            found[row.source_url] = max(sent, found.get(row.source_url, sent))
    return found


def sender_of(report: Report) -> str:
    """How proposals name it; what was written stays in the inbox."""
    return f"report {report.report_id}"


def proposal_of(report: Report, rows: Sequence[ScheduleRow], given: Given) -> Proposal:
    """The proposal that a person looks at: the order with the right hour where the report holds one, else the page it doubts.

    Args:
        rows: published rows of its parish now.
        given: where rows of people come from, for this report.
    """
    meant = [row for row in rows if mass_id(report.parish_id, row) == report.mass_id] or list(rows[:1])
    says = f"{sender_of(report)}: {report.kind}"
    try:
        correction = report.correction()
    except BadField:
        correction = None
    order = corrected(correction, [(mass_id(report.parish_id, row), row) for row in rows], given) if correction else ()
    if correction is not None and order:
        origin: Literal["exception", "report"] = "report" if correction.day is None else "exception"
        return Proposal(report.parish_id, origin, says, correction.day, order, given.source_url, given.quote, given.page_sha256)
    if not meant:
        return Proposal(report.parish_id, "report", says, None, (), given.source_url, says, given.page_sha256)
    return Proposal(report.parish_id, "report", says, None, (), meant[0].source_url, meant[0].quote, meant[0].page_sha256)
