"""The order of a parish out of the pages of its site: what is its own of today, and what waits for a person with the reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from mass_pipeline.model.records import SiteSchedule, WithheldMass
from mass_pipeline.reading.config import DEFAULT, GrammarConfig
from mass_pipeline.reading.regular.combining import combine
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.site_reading.ownership.judging import JudgedPage, judge_page
from mass_pipeline.site_reading.ownership.own_names import OwnNames, own_names


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


def judge_site(
    readings: Sequence[PageReading], today: date, names: Sequence[str] = (), config: GrammarConfig = DEFAULT
) -> JudgedSite:
    """Read the order of a parish, without what its site says of others and of other times.

    Args:
        readings: one per page, of each alone.
        today: the day of which the order is asked.
        names: what a directory calls the parish: its name, its town.
        config: least score of a notice.
    """
    own = own_names([reading.document for reading in readings], *names)
    pages = tuple(judge_page(reading, own, today) for reading in readings)
    return JudgedSite(own, pages, schedule_of_pages(pages, config))


def schedule_of_pages(pages: Sequence[JudgedPage], config: GrammarConfig = DEFAULT) -> SiteSchedule:
    """The schedule that judged pages make up; what was set aside is reported only where nothing else is left."""
    schedule = read_site([page.reading for page in pages], config)
    return schedule if schedule.masses else replace(schedule, withheld=_withheld(pages, config))


def _withheld(pages: Sequence[JudgedPage], config: GrammarConfig) -> tuple[WithheldMass, ...]:
    """The best of what was set aside, for a person to look at."""
    found = combine([[one.notice for one in page.set_aside] for page in pages], config)
    if not found:
        return ()
    reasons = dict.fromkeys(one.reason for page in pages for aside in page.set_aside for one in aside.objections)
    return tuple(WithheldMass(read, tuple(reasons)) for read in found[0][1])
