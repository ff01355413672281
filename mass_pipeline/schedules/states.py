"""Why something, or nothing, is known of a parish: one of a closed list of states, with what shows it. Pure values.

Belongs here: the order of the reasons and their words. Not here: how pages were read (site_reading), tables (defs).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.schedules.config import FreshnessConfig
from mass_pipeline.schedules.freshness import confirmed_at, freshness, why_not_in_force
from mass_pipeline.schedules.rows import ScheduleRow

_TOO_COSTLY: Final = "TooCostly"  # name of the error that ends the reading of a page
_UNREAD: Final = {
    "image_only": "The hours seem to stand in a picture",
    "pdf_unreadable": "The hours seem to stand in a file without readable text",
    "javascript_only": "The hours seem to stand in a part of the page that only a script makes",
}
_OUTCOMES: Final = {
    "deferred": "the host asked for rest, or the time of the crawl was used up",
    "forbidden_by_robots": "its robots.txt or its reservation of rights forbids it",
    "gone": "its server says that it is no more",
    "dns_error": "its name is not known",
    "refused": "its server refuses",
    "blocked_address": "its name leads to no public address",
}


@dataclass(frozen=True, slots=True)
class SeenSite:
    """What the crawl knows of a parish's site.

    Attributes:
        url: start page.
        outcome: of the last look at the start page; "" when it was not asked yet.
        bodies: pages of which something is kept.
        confirmed_at: when a page of the site was confirmed last; asked_at: when one was asked for last.
        not_rendered: why a browser did not show a page that only scripts fill; "" when none should have.
    """

    url: str
    outcome: str = ""
    bodies: int = 0
    confirmed_at: datetime | None = None
    asked_at: datetime | None = None
    not_rendered: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """What a site without a published order says.

    Attributes:
        schedule: as read; its notes point to what is no text.
        unreadable: address -> reason of pages that could not be read.
        reasons: why what was read waits for a person, where it was proposed.
        is_over: all that was read is said to be over.
    """

    schedule: SiteSchedule
    unreadable: Mapping[str, str]
    reasons: Sequence[str] = ()
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """One state.

    Attributes:
        name: of `model.states.KNOWN_STATES` or `UNKNOWN_STATES`.
        reason: in words.
        url: what shows it, None for nothing.
        fetched_at, checked_at: of the page of the order that was confirmed least recently, else of the site.
    """

    name: str
    reason: str
    url: str | None = None
    fetched_at: datetime | None = None
    checked_at: datetime | None = None


def known_state(
    order: Sequence[ScheduleRow], site: SeenSite | None, now: datetime, config: FreshnessConfig, *, over: str = ""
) -> State:
    """The state of a parish with a published standing order: how old its oldest page is, or that nothing says it is in force.

    Args:
        order: its rows, at least one.
        site: as crawled; None for an approved order of a parish without a site.
        over: words of the page by which all of the order is over.
    """
    oldest = confirmed_at(order)
    name = freshness(oldest, now, config)
    row = next((row for row in order if (row.checked_at or row.fetched_at) == oldest), order[0])
    why = why_not_in_force(order, now.date()) or (f"Its page says: {over}." if over else "")
    if why:
        return State("not_said_current", why, row.source_url, row.fetched_at, oldest)
    told = "Its page was never confirmed" if oldest is None else f"Its page was confirmed on {oldest:%Y-%m-%d}"
    if name != "fresh" and site is not None and site.asked_at is not None:
        told += f"; last asked on {site.asked_at:%Y-%m-%d}, the start page ended as {site.outcome or 'not asked'}"
    return State(name, told + ".", row.source_url, row.fetched_at, oldest)


def unknown_state(status: str, site: SeenSite | None, unread: Unread | None, *, opted_out: bool) -> State:
    """Why nothing is known of a parish.

    Args:
        status: of the look-up of its site (`model.columns.URL_STATUSES`).
        site: as crawled, None without a site.
        unread: what its pages say, None when none could be read.
        opted_out: whether the owner of the site wants no part in this.
    """
    if opted_out:
        return State("opt_out", "The owner of the site wants no part in this.", site.url if site else None)
    if site is None:
        if status in ("pending", "error"):
            return State("pending", "Its web site was not looked up yet.")
        return State("no_site", "No web site of the parish is known.")
    if not site.outcome and not site.bodies:
        return State("pending", "Its web site was not asked yet.", site.url)
    if not site.bodies:
        name = "not_allowed" if site.outcome == "forbidden_by_robots" else "unreachable"
        why = _OUTCOMES.get(site.outcome, site.outcome)
        return State(name, f"No page of the site could be had: {why}.", site.url)
    return _of_reading(site, unread)


def _of_reading(site: SeenSite, unread: Unread | None) -> State:
    """Why pages that are kept gave no published order."""
    moments = {"checked_at": site.confirmed_at}
    schedule = unread.schedule if unread is not None else SiteSchedule()
    if schedule.status in _UNREAD:
        shown = [note for note in schedule.notes if ": " in note]
        url = shown[0].partition(": ")[2].partition(" (")[0] if shown else site.url
        why = f"; a browser did not show it: {site.not_rendered}" if site.not_rendered else ""
        return State(schedule.status, f"{_UNREAD[schedule.status]}{why}.", url or site.url, **moments)
    if schedule.status == "ambiguous":
        return State("ambiguous", "The site admits several readings, none of them certain.", _source(schedule, site), **moments)
    if schedule.masses or schedule.withheld:
        reasons = unread.reasons if unread and unread.reasons else _reasons(schedule)
        name = "not_said_current" if unread and unread.is_over else "withheld"
        return State(name, f"Hours were read and are not published: {'; '.join(reasons)}.", _source(schedule, site), **moments)
    costly = {url: why for url, why in (unread.unreadable if unread else {}).items() if why.startswith(_TOO_COSTLY)}
    if costly:
        url, why = min(costly.items())
        return State("too_costly", why, url, **moments)
    if site.outcome == "forbidden_by_robots":
        return State("not_allowed", f"The site may not be asked any more: {_OUTCOMES[site.outcome]}.", site.url, **moments)
    return State("no_schedule", "The site was read and states no standing order of Masses.", site.url, **moments)


def _source(schedule: SiteSchedule, site: SeenSite) -> str:
    read = (*schedule.masses, *(one.read for one in schedule.withheld))
    found = (evidence.source_url for mass in read for evidence in mass.evidence if evidence.source_url)
    return next(found, site.url)


def _reasons(schedule: SiteSchedule) -> list[str]:
    found = dict.fromkeys(reason for one in schedule.withheld for reason in one.reasons)
    return list(found) or ["they are too unsure"]
