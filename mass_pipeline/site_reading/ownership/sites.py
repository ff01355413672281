"""The order of a parish out of the pages of its site: what is its own of today, and what waits for a person with the reasons.

Rules choose the richest order of a site before anything is weighed; a list of a café may be richer than that of the parish. So an
improbable order takes no place from a probable one. Not here: the choice among orders (reading.regular.combining), the
probability (confidence).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Final

from mass_pipeline.model.records import Evidence, Mass, ReadMass, SiteSchedule, WithheldMass
from mass_pipeline.reading.regular.combining import combine
from mass_pipeline.reading.regular.reading import PageReading, with_notices
from mass_pipeline.reading.regular.schedule_blocks import ACCEPT_SCORE, ScheduleBlock
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.validity.quotes import quote_of_line
from mass_pipeline.site_reading.ownership.confidence import probability
from mass_pipeline.site_reading.ownership.features import beside_plain, evidence_of
from mass_pipeline.site_reading.ownership.judging import JudgedPage, judge_page, rejected
from mass_pipeline.site_reading.ownership.own_names import OwnNames, own_names
from mass_pipeline.site_reading.ownership.publishing import is_published, weighed

if TYPE_CHECKING:
    from mass_pipeline.learning.model import Trained

_OPEN: Final = 0.3  # probability of an hour that no rule takes for a Mass
_MOST_NOTICES: Final = 200  # of a site that are looked at one by one; real sites state an order on three or four pages


@dataclass(frozen=True, slots=True)
class JudgedSite:
    """The pages of a site after judging, and the schedule they make up.

    Attributes:
        own: how the parish names itself.
        pages: in the order given.
        schedule: its `masses` are the parish's own of today; `withheld` is what was set aside where nothing else is left.
    """

    own: OwnNames
    pages: tuple[JudgedPage, ...]
    schedule: SiteSchedule

    @property
    def readings(self) -> list[PageReading]:
        """What is left of the pages."""
        return [page.reading for page in self.pages]


def judge_site(readings: Sequence[PageReading], today: date, names: Sequence[str] = ()) -> JudgedSite:
    """Read the order of a parish, without what its site says of others and of other times.

    Args:
        readings: one per page, of each alone.
        today: the day of which the order is asked.
        names: what a directory calls the parish: its name, its town.
    """
    own = own_names([reading.document for reading in readings], *names)
    pages = tuple(judge_page(reading, own, today) for reading in readings)
    return JudgedSite(own, pages, schedule_of_pages(pages))


def schedule_of_pages(pages: Sequence[JudgedPage]) -> SiteSchedule:
    """The schedule that judged pages make up, with the lines left out of its orders; whole orders that were set aside are
    reported only where nothing else is left."""
    schedule = read_site([page.reading for page in pages])
    if not schedule.masses:
        return replace(schedule, withheld=_withheld(pages))
    known = {(day, read.mass.time) for read in schedule.masses for day in read.mass.days}
    aside = [(read, one) for page in pages for one in page.left_out for read in one.notice.masses]
    waiting = [
        WithheldMass(read, tuple(dict.fromkeys(objection.reason for objection in one.objections)))
        for read, one in aside
        if any((day, read.mass.time) not in known for day in read.mass.days)
    ]
    return replace(schedule, withheld=(*schedule.withheld, *waiting)) if waiting else schedule


def _withheld(pages: Sequence[JudgedPage]) -> tuple[WithheldMass, ...]:
    """The best of what was set aside, for a person to look at."""
    found = combine([[one.notice for one in page.set_aside] for page in pages])
    if not found:
        return ()
    reasons = dict.fromkeys(one.reason for page in pages for aside in page.set_aside for one in aside.objections)
    return tuple(WithheldMass(read, tuple(reasons)) for read in found[0][1])


def open_hours(schedule: SiteSchedule, pages: Sequence[JudgedPage]) -> SiteSchedule:
    """The schedule with the hours beside it that no rule takes for a Mass nor for another service: nothing is dropped in silence.

    Args:
        schedule: as it is published, with what waits.
        pages: that it is of.
    """
    rows = [*schedule.masses, *(one.read for one in schedule.withheld)]
    stating = {one.source_url for read in rows for one in read.evidence}
    known = {(day, read.mass.time) for read in rows for day in read.mass.days}
    found: dict[Mass, WithheldMass] = {}
    for reading in (page.reading for page in pages if page.reading.document.url in stating):
        verdicts = (notice.verdicts for notice in reading.notices if notice.score >= ACCEPT_SCORE)
        for (line, start), verdict in chain.from_iterable(one.items() for one in verdicts):
            mass = verdict.may_be
            if mass is None or any((day, mass.time) in known for day in mass.days):
                continue
            text = reading.document.lines[line].text
            evidence = Evidence(reading.document.url, quote_of_line(text, start, start + len(mass.time)), line, start)
            found.setdefault(mass, WithheldMass(ReadMass(mass, _OPEN, (evidence,)), (verdict.reason,)))
    return replace(schedule, withheld=(*schedule.withheld, *found.values())) if found else schedule


def order_of(
    schedule: SiteSchedule, pages: Sequence[JudgedPage], own: OwnNames, parish_id: str, model: Trained | None
) -> SiteSchedule:
    """What is published of a site, and what waits.

    Where rows wait, the site is read once more without the orders that are improbable by themselves. That reading is taken
    when more of it is published; what waited then waits still.

    Args:
        schedule: what the pages add up to.
        pages: of the site, judged.
        own: how the parish names itself.
        model: the classifier, whose word on hours and rows counts; None for the rules alone.
    """
    return open_hours(_order_of(schedule, pages, own, parish_id, model), pages)


def _order_of(
    schedule: SiteSchedule, pages: Sequence[JudgedPage], own: OwnNames, parish_id: str, model: Trained | None
) -> SiteSchedule:
    whole = _decided(schedule, pages, own, parish_id, model)
    probable = _probable(pages, own) if whole.withheld else None
    if probable is None:
        return whole
    rest = _decided(schedule_of_pages(probable), probable, own, parish_id, model)
    if len(rest.masses) <= len(whole.masses):
        return whole
    said = {one.mass for one in rest.masses} | {one.read.mass for one in rest.withheld}
    return replace(rest, withheld=(*rest.withheld, *(one for one in whole.withheld if one.read.mass not in said)))


def _decided(
    schedule: SiteSchedule, pages: Sequence[JudgedPage], own: OwnNames, parish_id: str, model: Trained | None
) -> SiteSchedule:
    """A schedule with the classifier's word on it, its rows weighed."""
    if model is None:
        return weighed(schedule, pages, own)
    from mass_pipeline.site_reading.combine import decided_schedule  # pandas: the rules alone do without

    decided = decided_schedule(schedule, [page.reading for page in pages], parish_id, model)
    return weighed(decided, pages, own, model.rows)


def _probable(pages: Sequence[JudgedPage], own: OwnNames) -> list[JudgedPage] | None:
    """The pages without orders of which no row is probable; None when that is none of them, or all."""
    stated = sum(bool(notice.masses) for page in pages for notice in page.reading.notices)
    if stated > _MOST_NOTICES:
        return None
    kept: list[JudgedPage] = []
    probable = improbable = 0
    for page in pages:
        notices: list[ScheduleBlock] = []
        for notice, is_probable in _judged(page, own):
            counts = bool(notice.masses) and notice.score >= ACCEPT_SCORE
            probable += counts and is_probable
            improbable += counts and not is_probable
            notices.append(notice if is_probable else rejected(notice, ()))
        kept.append(replace(page, reading=with_notices(page.reading, notices)) if notices != [*page.reading.notices] else page)
    return kept if probable and improbable else None


def _judged(page: JudgedPage, own: OwnNames) -> Iterator[tuple[ScheduleBlock, bool]]:
    """The notices of a page, and whether any of their rows would be published were there no other; true of those without rows.

    Words that nobody knows make rows wait; whose order it is they do not say, unless they name a place.
    """
    stated_rows = (read for notice in page.reading.notices for read in notice.masses)
    masses = [read if read.mass.place else replace(read, unexplained=()) for read in stated_rows]
    rows = evidence_of(masses, [page], own) if masses else []
    at = 0
    for notice in page.reading.notices:
        stated = beside_plain(rows[at : at + len(notice.masses)])
        at += len(notice.masses)
        weighed_rows = (replace(read, confidence=probability(row)) for read, row in zip(notice.masses, stated, strict=True))
        yield notice, not stated or any(map(is_published, weighed_rows))
