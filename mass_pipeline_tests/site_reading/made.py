"""Sites written as HTML, judged and published as of one day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.regular.reading import PageReading, read_page
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.ownership.publishing import weighed
from mass_pipeline.site_reading.ownership.sites import JudgedSite, judge_site

TODAY = date(2026, 11, 22)


def readings(*pages: str) -> list[PageReading]:
    """Pages at the addresses /0, /1 and so on."""
    return [read_page(read_document(page, content_type="text/html", url=f"/{at}")) for at, page in enumerate(pages)]


def site(*pages: str, names: Sequence[str] = ()) -> JudgedSite:
    """The site of these pages, judged."""
    return judge_site(readings(*pages), TODAY, names)


def published(*pages: str) -> SiteSchedule:
    """What is published of it, and what waits."""
    judged = site(*pages)
    return weighed(judged.schedule, judged.pages, judged.own)


def slots(schedule: SiteSchedule) -> set[tuple[str, str]]:
    """Days and hours that are published."""
    return {(day, read.mass.time) for read in schedule.masses for day in read.mass.days}
