"""`mass-pipeline schedules`: the Masses of a date with their sources, and the regular schedules that people approve."""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from mass_pipeline.publishing.published import Published
    from mass_pipeline.schedules.day import DaySchedule
    from mass_pipeline.schedules.reviews import Proposal
    from mass_pipeline.schedules.rows import ScheduleRow

_DATE = click.DateTime(["%Y-%m-%d"])
_BY = click.option("--by", required=True, help="Who decides; kept in the log.")


@click.group()
def schedules() -> None:
    """Published schedules: the Masses of a date, and regular schedules that wait for a person.

    \b
    Examples:
      mass-pipeline schedules show "Brzezie" --date 2026-12-25
      mass-pipeline schedules proposals
      mass-pipeline schedules approve 0123456789ab --by "Jan Nowak"
    """


@schedules.command()
@click.argument("parish")
@click.option("--date", "day", type=_DATE, help="The day, YYYY-MM-DD.  [default: today]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@click.option("--why", is_flag=True, help="Also: how sure every row is, what other sources say, and what waits for a person.")
def show(parish: str, day: datetime | None, as_json: bool, why: bool) -> None:
    """Print the Masses of a day in a PARISH (identifier, or part of its town or name), each with source and date.

    \b
    Example:
      mass-pipeline schedules show "Brzezie" --date 2026-12-25 --why
    """
    from mass_pipeline.schedules.day import day_schedule

    published = _published()
    found = published.parish(parish)
    rows = published.rows(found)
    chosen = day.date() if day is not None else published.today()
    schedule = day_schedule(rows, chosen, found.voivodeship)
    if as_json:
        click.echo(json.dumps(_as_json(found.parish_id, schedule), ensure_ascii=False))
        return
    click.echo(f"{found.label}, {chosen:%A %Y-%m-%d} ({_BASES[schedule.basis]})")
    for row, flags in zip(schedule.masses, schedule.flags, strict=True):
        doubts = "".join(f"; {_FLAGS[flag]}" for flag in flags if flag in _FLAGS)
        click.echo(f"  {row.mass.time}  {_remarks(row)}{doubts}\n         {_source(row)}")
    for row in schedule.perhaps:
        click.echo(f"  {row.mass.time}  perhaps: {_FLAGS['approximate_season']}; {_remarks(row)}\n         {_source(row)}")
    for row in schedule.cancelled:
        click.echo(f"  {row.mass.time}  no Mass: {_remarks(row)}\n         {_source(row)}")
    if not schedule.masses:
        click.echo("  No Mass is known for that day." if rows else "  Nothing is known of this parish.")
    state, reason = published.state(found)
    if state not in ("", "fresh"):
        click.echo(f"  {state}: {reason}")
    if why:
        _print_why(published, found.parish_id, schedule)


@schedules.command()
@click.option("--all", "show_all", is_flag=True, help="Decided ones too.")
def proposals(show_all: bool) -> None:
    """List proposed regular schedules and doubtful dated changes that wait for a decision; those that are over are left out.

    \b
    Example:
      mass-pipeline schedules proposals
    """
    from mass_pipeline.publishing.deciding import waiting

    published = _published()
    found = waiting(published)
    for one in found:
        _print_proposal(one.proposal, one.label, one.words)
    if show_all:
        labels = published.labels()
        for decision in published.log.read().decisions:
            key = decision.proposal.parish_id
            _print_proposal(decision.proposal, labels.get(key, key))
            click.echo(f"  {decision.verdict} by {decision.by} at {decision.at}")
    if not found:
        click.echo("No proposal waits for a decision.")


@schedules.command()
@click.argument("proposal_id", required=False)
@_BY
@click.option("--published", "parish", metavar="PARISH", help="Approve the published order of a parish instead of a proposal.")
@click.option(
    "--order", help='The whole order in words, where the proposal has none: "Niedziele: 8.00, 10.00; dni powszednie: 18.00".'
)
def approve(proposal_id: str | None, by: str, parish: str | None, order: str | None) -> None:
    """Make the proposal PROPOSAL_ID the regular schedule, which stays until another is approved, or publish a dated change.

    With --published, the published regular schedule of a PARISH is approved as it stands: later readings of its site only
    propose.

    \b
    Examples:
      mass-pipeline schedules approve 0123456789ab --by "Jan Nowak"
      mass-pipeline schedules approve --published "Brzezie" --by "Jan Nowak"
    """
    from mass_pipeline.publishing import deciding

    if (proposal_id is None) == (parish is None):
        raise click.UsageError("give either a PROPOSAL_ID or --published PARISH.")
    if parish is not None:
        label, count = deciding.confirm(_published(), parish, by)
        click.echo(f"{label}: {count} rows confirmed.")
        return
    label = deciding.approve(_published(), str(proposal_id), by, order or "")
    click.echo(
        f"{label}: approved. It is published within minutes where automation is on, else by the next run of mass_schedules."
    )


@schedules.command()
@click.argument("proposal_id")
@_BY
def reject(proposal_id: str, by: str) -> None:
    """Reject the proposal PROPOSAL_ID; the same one is not made again.

    \b
    Example:
      mass-pipeline schedules reject 0123456789ab --by "Jan Nowak"
    """
    from mass_pipeline.publishing import deciding

    deciding.reject(_published(), proposal_id, by)
    click.echo(f"{proposal_id}: rejected.")


_BASES = {
    "weekday": "order of the weekday",
    "sunday": "Sunday order",
    "holy_day": "order of holy days",
    "abolished_feast": "order of abolished feasts",
    "assumed_sunday": "a feast of which the parish says nothing: Sunday order assumed",
    "announced": "order announced for the day",
    "triduum": "the standing order does not apply",
}


_FLAGS = {
    "own_order": "the usual hour; nearly every parish has an order of its own then",
    "school_break": "schools are closed",
    "school_break_unknown": "schools may be closed: the dates of the winter holidays are not known",
    "approximate_season": "the day lies near the border of a season",
    "season_unknown": "its season is not told",
    "transferred": "the feast is kept on another day than its own this year",
}

_DOUBTS = {
    "words": "its sentence is too long to be shown whole",
    "day": "which day is meant",
    "no_end": "it may be said of every such day, or without an end",
    "hours_left": "another hour of the sentence is not accounted for",
    "service": "the hour may be that of another service",
    "negation": "what does not take place",
    "shift": "a word of moving",
    "elsewhere": "it may be another church",
    "reference": "the Mass may be there anyway",
    "kind": "whether these are all Masses of the day or additional ones",
    "whole_day": "whether all Masses of the day fall out",
    "contradiction": "the announcement says something else of the same day",
}


def _published() -> Published:
    from mass_pipeline.publishing.published import Published

    return Published.of(os.environ)


def _print_why(published: Published, parish_id: str, schedule: DaySchedule) -> None:
    """The evidence of the rows of a day, and the proposals of the parish."""
    from mass_pipeline.schedules.reviews import pending
    from mass_pipeline.schedules.sources import why

    for line in why((*schedule.masses, *schedule.perhaps, *schedule.cancelled)):
        click.echo(f"  {line}")
    reviews = published.log.read()
    for one in pending(reviews.proposals, reviews.decisions):
        if one.parish_id == parish_id and not one.is_over(published.today()):
            _print_proposal(one, published.labels().get(parish_id, parish_id))


def _print_proposal(one: Proposal, label: str, words: str = "") -> None:
    from mass_pipeline.publishing.deciding import ORIGINS

    begins = f"from {one.valid_from}" if one.valid_from else "now"
    says = f": {one.says}" if one.says else ""
    click.echo(f"{one.proposal_id}  {label}, {begins}, {ORIGINS[one.origin]}{says}")
    click.echo(f"  „{one.quote}” {one.source_url}")
    if words:
        click.echo(f"  Its sender wrote: „{words}”")
    for row in one.rows:
        mass = row.mass
        extra = [word for word in (mass.when if mass.when != "all" else "", mass.place, mass.note) if word]
        click.echo(f"    {' '.join(mass.days)} {mass.time}{' (' + ', '.join(extra) + ')' if extra else ''}")
    if one.doubts:
        click.echo(f"    Doubtful: {'; '.join(_DOUBTS.get(doubt, doubt) for doubt in one.doubts)}.")
    if not one.rows and one.origin != "leave_out":
        told = (
            "It gives no hours: reject it." if one.origin == "exception" else "The whole order is not told: approve with --order."
        )
        click.echo(f"    {told}")


def _remarks(row: ScheduleRow) -> str:
    until = "" if row.valid_to in (None, row.valid_from) else f" to {row.valid_to}"
    dates = f"{row.valid_from}{until}" if row.valid_from else ""
    return ", ".join(word for word in (row.mass.place, row.mass.note, dates) if word) or "standing order"


def _source(row: ScheduleRow) -> str:
    confirmed = row.checked_at or row.fetched_at
    told = "date unknown" if confirmed is None else f"{confirmed:%Y-%m-%d}"
    if confirmed is not None and row.fetched_at is not None and row.fetched_at.date() != confirmed.date():
        told += f", unchanged since {row.fetched_at:%Y-%m-%d}"
    return f"„{row.quote}” {row.source_url} ({told})"


def _as_json(parish_id: str, schedule: DaySchedule) -> dict[str, object]:
    def described(row: ScheduleRow) -> dict[str, object]:
        return {
            "time": row.mass.time,
            "place": row.mass.place,
            "note": row.mass.note,
            "exception": row.exception,
            "valid_from": str(row.valid_from) if row.valid_from else None,
            "valid_to": str(row.valid_to) if row.valid_to else None,
            "source_url": row.source_url,
            "quote": row.quote,
            "confidence": row.confidence,
            "heard": [{**one.as_dict(), "said_at": one.said_at.isoformat() if one.said_at else None} for one in row.heard],
            "fetched_at": row.fetched_at.isoformat() if row.fetched_at else None,
            "checked_at": row.checked_at.isoformat() if row.checked_at else None,
        }

    return {
        "parish_id": parish_id,
        "date": str(schedule.day),
        "basis": schedule.basis,
        "masses": [{**described(row), "flags": list(flags)} for row, flags in zip(schedule.masses, schedule.flags, strict=True)],
        "perhaps": [described(row) for row in schedule.perhaps],
        "cancelled": [described(row) for row in schedule.cancelled],
    }
