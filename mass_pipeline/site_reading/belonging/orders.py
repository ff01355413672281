"""The order of a site as it is published: an improbable order of a page takes no place from a probable one.

Rules choose the richest order of a site before anything is weighed; a list of a café may be richer than that of the parish.
Not here: the choice among orders (schedule_grammar.judging.combining), the probability (confidence).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.schedule_grammar.config import DEFAULT
from mass_pipeline.schedule_grammar.judging.notices import Notice
from mass_pipeline.schedule_grammar.judging.reading import PageReading, with_notices
from mass_pipeline.site_reading.belonging.confidence import probability
from mass_pipeline.site_reading.belonging.features import beside_plain, evidence_of
from mass_pipeline.site_reading.belonging.judging import JudgedPage, rejected
from mass_pipeline.site_reading.belonging.own_names import OwnNames
from mass_pipeline.site_reading.belonging.publishing import is_published, weighed
from mass_pipeline.site_reading.belonging.sites import schedule_of_pages

_MOST_NOTICES: Final = 200  # of a site that are looked at one by one; real sites state an order on three or four pages

Decide = Callable[[SiteSchedule, Sequence[PageReading]], SiteSchedule]


def order_of(schedule: SiteSchedule, pages: Sequence[JudgedPage], own: OwnNames, decide: Decide) -> SiteSchedule:
    """What is published of a site, and what waits.

    Where rows wait, the site is read once more without the orders that are improbable by themselves. That reading is taken
    when more of it is published; what waited then waits still.

    Args:
        schedule: what the pages add up to.
        pages: of the site, judged.
        own: how the parish names itself.
        decide: the classifier's word on a schedule and the pages that it was read on.
    """
    whole = weighed(decide(schedule, [page.reading for page in pages]), pages, own)
    probable = _probable(pages, own) if whole.withheld else None
    if probable is None:
        return whole
    rest = weighed(decide(schedule_of_pages(probable), [page.reading for page in probable]), probable, own)
    if len(rest.masses) <= len(whole.masses):
        return whole
    said = {one.mass for one in rest.masses} | {one.read.mass for one in rest.withheld}
    return replace(rest, withheld=(*rest.withheld, *(one for one in whole.withheld if one.read.mass not in said)))


def _probable(pages: Sequence[JudgedPage], own: OwnNames) -> list[JudgedPage] | None:
    """The pages without orders of which no row is probable; None when that is none of them, or all."""
    stated = sum(bool(notice.masses) for page in pages for notice in page.reading.notices)
    if stated > _MOST_NOTICES:
        return None
    kept: list[JudgedPage] = []
    probable = improbable = 0
    for page in pages:
        notices: list[Notice] = []
        for notice, is_probable in _judged(page, own):
            counts = bool(notice.masses) and notice.score >= DEFAULT.accept_score
            probable += counts and is_probable
            improbable += counts and not is_probable
            notices.append(notice if is_probable else rejected(notice, ()))
        kept.append(replace(page, reading=with_notices(page.reading, notices)) if notices != [*page.reading.notices] else page)
    return kept if probable and improbable else None


def _judged(page: JudgedPage, own: OwnNames) -> Iterator[tuple[Notice, bool]]:
    """The notices of a page, and whether any of their rows would be published were there no other; true of those without rows."""
    masses = [read for notice in page.reading.notices for read in notice.masses]
    rows = evidence_of(masses, [page], own) if masses else []
    at = 0
    for notice in page.reading.notices:
        stated = beside_plain(rows[at : at + len(notice.masses)])
        at += len(notice.masses)
        weighed_rows = (replace(read, confidence=probability(row)) for read, row in zip(notice.masses, stated, strict=True))
        yield notice, not stated or any(map(is_published, weighed_rows))
