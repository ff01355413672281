"""The final extractor: what the rules read, judged and completed by the classifier (P18).

Published is what the rules accept unless the classifier strongly rejects every hour it rests on, and, for days on which
the rules read nothing, the hours that the classifier accepts in a part of a page of which the rules read days and hours but
do not know whether it states the standing order. A day that has a list already is not added to: a further hour there belongs
to a neighbouring parish more often than to this one (docs/classifier.md). A site on which the rules found no order is not
opened by the classifier: what it took there were the orders of other churches, programmes and history. Belongs: the decision.
Not here: verdicts on hours (hours), reading days and seasons (reading), how probably a row is right (ownership).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from mass_pipeline.learning.model import Trained
from mass_pipeline.model.records import Evidence, Mass, ReadMass, SiteSchedule
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.text.candidates import CandidateHour
from mass_pipeline.reading.validity.quotes import quote_of_line
from mass_pipeline.reading.words.masking.lines import masked_line
from mass_pipeline.site_reading.hours import ACCEPT, FIRM, LEAST_PAGE_SCORE, REJECT, JudgedHour, judge_hours

_QUOTE_CHARACTERS: Final = 300
_LEAST_DAYS_OF_A_LIST: Final = 3  # beside a schedule only a missing list is added, not a single day's hour


def decided_schedule(
    schedule: SiteSchedule, readings: Iterable[PageReading], parish_id: str, model: Trained | None
) -> SiteSchedule:
    """What the rules read of a site, completed and corrected by the classifier; unchanged without one.

    Args:
        schedule: what the pages add up to.
        readings: one per page; hours of pages that state no order at all are neither for nor against it.
    """
    if model is None:
        return schedule
    telling = [reading for reading in readings if reading.score >= LEAST_PAGE_SCORE]
    judged = judge_hours(telling, schedule, parish_id=parish_id, model=model)
    return final_schedule(schedule, list(chain.from_iterable(judged)), max(model.threshold, ACCEPT))


def final_schedule(site: SiteSchedule, hours: Sequence[JudgedHour], accept: float = ACCEPT) -> SiteSchedule:
    """Combine the rules' schedule of one site with the verdicts on its hours.

    Args:
        site: what the rules read.
        hours: of the same site, judged by rules and classifier.
        accept: least probability at which an hour that the rules left open is published.

    Returns:
        The schedule with the method of every row and the classifier's word on it; without hours the rules' own rows.
    """
    kept = [row for read in site.masses if (row := _judged(read, hours, accept)) is not None]
    added = _added(hours, [row.mass for row in kept], accept) if kept else []
    masses = tuple(sorted((*kept, *added), key=lambda row: row.mass.sort_key()))
    if not masses:
        return replace(site, masses=masses, status="none" if site.masses else site.status)
    return replace(site, masses=masses, status="ambiguous" if site.status == "ambiguous" else "read")


def supporting(mass: Mass, hours: Iterable[JudgedHour]) -> list[JudgedHour]:
    """Hours whose pages state this Mass: same time and at least one common day."""
    return [
        one for one in hours if one.stated is not None and one.hour.time == mass.time and set(one.stated.days) & set(mass.days)
    ]


def _judged(read: ReadMass, hours: Sequence[JudgedHour], accept: float) -> ReadMass | None:
    support = supporting(read.mass, hours)
    best = max((one.standing for one in support if one.standing is not None), default=None)
    if support and read.confidence < FIRM and max(one.mass or 0.0 for one in support) < REJECT:
        return None
    agreed = best is not None and best >= accept
    return replace(read, standing=best, method="both" if agreed else "rules")


def _added(hours: Sequence[JudgedHour], present: Sequence[Mass], accept: float) -> list[ReadMass]:
    taken = {day for mass in present for day in mass.days} | {"PH", "AF"}
    found: dict[Mass, list[JudgedHour]] = {}
    for one in hours:
        mass = one.said if one.is_open and one.hour.page_score >= LEAST_PAGE_SCORE else None
        if mass is None or (one.standing or 0.0) < accept:
            continue
        days = tuple(day for day in mass.days if day not in taken)
        if "Su" in days or len(days) >= _LEAST_DAYS_OF_A_LIST:
            found.setdefault(replace(mass, days=days), []).append(one)
    return [_added_row(mass, sources) for mass, sources in found.items()]


def _added_row(mass: Mass, hours: Sequence[JudgedHour]) -> ReadMass:
    best = sorted(hours, key=lambda one: (-(one.standing or 0.0), one.hour.url))
    evidence = tuple(Evidence(one.hour.url, _quote(one.hour)) for one in best)
    standing = best[0].standing or 0.0
    return ReadMass(mass, round(standing, 4), evidence, "classifier", standing=standing)


def _quote(hour: CandidateHour) -> str:
    """What proves the hour in its line, after the day words above it."""
    before = hour.left.rpartition("\n")[2]
    line = f"{before}{hour.raw}{hour.right.partition(chr(10))[0]}"
    quote = quote_of_line(line, len(before), len(before) + len(hour.raw))
    day = masked_line(hour.day_scope or "")
    return quote if not day or day in quote else f"{day} … {quote}"[:_QUOTE_CHARACTERS]
