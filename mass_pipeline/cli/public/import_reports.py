"""`mass-pipeline public import-reports`, `parish-link`, `parish-mail`: what visitors and parishes say, and how they are asked."""

from __future__ import annotations

import os

import click


@click.command()
def import_reports() -> None:
    """Compare reports with what is published now, and put up for a person what holds a right hour or what the pages still say.

    A report changes nothing by itself: it is settled when the page it doubts says otherwise, and else becomes a proposal
    (`mass-pipeline schedules proposals`, or /operator/proposals of the annotation app). Answers of parishes to their links are
    taken too. The sensor `settle_inbox` does the same by itself. Settled reports are dropped after 60 days.

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


@click.command()
@click.option("--send", is_flag=True, help="Send them; without it, say who would get one.")
def parish_mail(send: bool) -> None:
    """Write to parishes: the links they ask for, and a reminder within two weeks before Christmas and Easter.

    The address is that of MASS_PIPELINE_PUBLIC_PARISH_CONTACTS, else the one that the parish's own site publishes. The sensor
    `parish_mail` does the same by itself, where MASS_PIPELINE_PUBLIC_PARISH_MAIL is true.

    \b
    Example:
      mass-pipeline public parish-mail
      mass-pipeline public parish-mail --send
    """
    from mass_pipeline.finding.config import PublicConfig
    from mass_pipeline.publishing.parish_mail import reminders, write_letters
    from mass_pipeline.publishing.published import Published
    from mass_pipeline.resources.alerts import Alerts

    published = Published.of(os.environ)
    settings = published.settings
    if send:
        alerts = Alerts.of(settings)
        done = write_letters(published, alerts)
        click.echo(f"{done.sent} letters sent; {done.without_address} parishes publish no address")
        return
    for one in reminders(published, settings.section(PublicConfig)):
        click.echo(f"{one.parish.parish_id}  {one.parish.label}: {one.address or 'no address known'}")
