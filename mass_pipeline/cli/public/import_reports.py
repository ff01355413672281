"""`mass-pipeline public import-reports` and `parish-link`: what visitors and parishes say, on its way to a person."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mass_pipeline.cli.published import Published
    from mass_pipeline.schedules.rows import ScheduleRow


@click.command()
def import_reports() -> None:
    """Compare reports with what is published now, and put up for a person what the pages still say.

    A report changes nothing by itself: it is settled when the page it doubts says otherwise, waits until the page was read again,
    and else becomes a proposal (`mass-pipeline schedules proposals`). Answers of parishes to their links are taken too.

    \b
    Example:
      mass-pipeline public import-reports
    """
    from mass_pipeline.cli.published import Published
    from mass_pipeline.finding.inbox import read_reports, write_states
    from mass_pipeline.finding.reports import outcome, proposal_of, with_verdicts

    published = Published.of(os.environ)
    inbox = published.settings.data_folder / "public-inbox"
    reports = list(read_reports(inbox))
    rows = {key: _rows(published, key) for key in {one.parish_id for one in reports}}
    states = {one.report_id: outcome(one, rows[one.parish_id]) for one in reports}
    proposals = {one.report_id: proposal_of(one, rows[one.parish_id]) for one in reports if states[one.report_id] == "same"}
    made = published.log.propose(proposals.values())
    verdicts = {one.proposal.proposal_id: one.verdict == "rejected" for one in published.log.read().decisions}
    by_report = {key: verdicts[one.proposal_id] for key, one in proposals.items() if one.proposal_id in verdicts}
    final = with_verdicts(states, by_report)
    if reports:
        write_states(inbox, final)
    waiting = sum(state == "received" for state in final.values())
    click.echo(f"{len(reports)} reports, {waiting} wait for their page to be read again, {made} new proposals")
    for parish_id in sorted({one.parish_id for one in reports if final[one.report_id] == "received"}):
        click.echo(f"  to be read again: {parish_id}")
    _take_answers(published)


def _rows(published: Published, parish_id: str) -> list[ScheduleRow]:
    from mass_pipeline.model.errors import UsageError

    try:
        return published.rows(published.parish(parish_id))
    except UsageError:
        return []  # the parish is no longer in the directory


def _take_answers(published: Published) -> None:
    """Answers of parishes: the order they were shown is confirmed while it stands; anything else waits for a person."""
    from mass_pipeline.finding.parish_links import order_digest, read_answers
    from mass_pipeline.schedules.reviews import Decision, Proposal

    decided = {one.proposal.says for one in published.log.read().decisions}
    for answer in read_answers(published.settings.data_folder / "public-inbox"):
        rows = tuple(row for row in _rows(published, answer.parish_id) if row.exception is None)
        says = f"parish link {answer.digest[:12]}: {answer.says}" + (f": {answer.text}" if answer.text else "")
        if says in decided or not rows:
            continue
        first = rows[0]
        if answer.says == "in_force" and answer.order == order_digest(answer.parish_id, rows):
            proposal = Proposal(answer.parish_id, "published", says, None, rows, first.source_url, first.quote, first.page_sha256)
            published.log.decide(Decision(proposal, "approved", "parish link", answer.sent_at, rows, rows))
            click.echo(f"  {answer.parish_id}: confirmed by the parish")
        else:
            proposal = Proposal(answer.parish_id, "report", says, None, (), first.source_url, says, first.page_sha256)
            if published.log.propose([proposal]):
                click.echo(f"  {answer.parish_id}: {answer.says}, waits for a person")


@click.command()
@click.argument("parish")
def parish_link(parish: str) -> None:
    """Make a link with which a PARISH confirms its order; send it to the address on the parish's own site.

    It holds for 30 days and for one answer. Opening it changes nothing.

    \b
    Example:
      mass-pipeline public parish-link "Starzyny"
    """
    from datetime import datetime

    from mass_pipeline.cli.published import Published
    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.finding.parish_links import make_link, order_digest

    published = Published.of(os.environ)
    config = published.settings.section(PublicConfig)
    found = published.parish(parish)
    order = order_digest(found.parish_id, published.rows(found))
    now = datetime.fromisoformat(published.now())
    token = make_link(published.settings.data_folder / "public-inbox", found.parish_id, order, now)
    address = config.base_url.rstrip("/") or f"http://{config.host}:{config.port}"
    click.echo(f"{address}/potwierdz/{token}")
