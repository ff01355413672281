"""`mass-pipeline public import-reports` and `parish-link`: what visitors and parishes say, on its way to a person."""

from __future__ import annotations

import os

import click


@click.command()
def import_reports() -> None:
    """Compare reports with what is published now, and put up for a person what holds a right hour or what the pages still say.

    A report changes nothing by itself: it is settled when the page it doubts says otherwise, and else becomes a proposal
    (`mass-pipeline schedules proposals`, or /operator/proposals of the annotation app). Answers of parishes to their links are
    taken too. The sensor `people_said` does the same by itself. Settled reports are dropped after 60 days.

    \b
    Example:
      mass-pipeline public import-reports
    """
    from mass_pipeline.publishing.inbox import settle
    from mass_pipeline.publishing.published import Published

    done = settle(Published.of(os.environ))
    click.echo(f"{done.reports} reports, {len(done.to_read)} parishes wait to be read again, {done.proposed} new proposals")
    for parish_id in done.to_read:
        click.echo(f"  to be read again: {parish_id}")
    for parish_id in done.confirmed:
        click.echo(f"  {parish_id}: confirmed by the parish")
    if done.dropped:
        click.echo(f"  {done.dropped} settled reports were dropped with their words")


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

    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.finding.parish_links import make_link, order_digest
    from mass_pipeline.publishing.published import Published

    published = Published.of(os.environ)
    config = published.settings.section(PublicConfig)
    found = published.parish(parish)
    order = order_digest(found.parish_id, published.rows(found))
    now = datetime.fromisoformat(published.now())
    token = make_link(published.inbox, found.parish_id, order, now)
    address = config.base_url.rstrip("/") or f"http://{config.host}:{config.port}"
    click.echo(f"{address}/potwierdz/{token}")
