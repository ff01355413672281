"""Read labelled records with the rules alone, the way `mass-pipeline extract --rules-only` does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.reading.regular.reading import PageReading, read_page, read_strings, read_text
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.ownership.publishing import weighed_alone
from mass_pipeline.site_reading.ownership.sites import judge_site
from mass_pipeline_tests.evaluation.sets import LabelledRecord

EVALUATION_DAY: Final = date(2026, 11, 22)  # of which the order is asked, so that figures do not change with the calendar


@dataclass(frozen=True)
class RecordReading:
    """What was read: the pages one by one, and the schedule they add up to."""

    pages: tuple[tuple[str, PageReading], ...]
    schedule: SiteSchedule

    @property
    def masses(self) -> list[dict[str, Any]]:
        """What is published."""
        return [dict(read.mass.as_dict()) for read in self.schedule.masses]

    @property
    def withheld(self) -> list[dict[str, Any]]:
        """What was read and waits for a person."""
        return [dict(one.read.mass.as_dict()) for one in self.schedule.withheld]


def read_record(record: LabelledRecord) -> RecordReading:
    """Read one record."""
    if record.strings is not None:
        return _of_words(read_strings(*record.strings))
    if record.text is not None:
        return _of_words(read_text(record.text))
    pages = read_pages(record)
    site = judge_site([reading for _, reading in pages], EVALUATION_DAY)
    return RecordReading(tuple(zip((name for name, _ in pages), site.readings, strict=True)), site.schedule)


def _of_words(reading: PageReading) -> RecordReading:
    """A text of which nothing but its words is known."""
    schedule = SiteSchedule(reading.masses, "read" if reading.masses else "none")
    return RecordReading((("", reading),), weighed_alone(schedule))


def read_pages(record: LabelledRecord) -> tuple[tuple[str, PageReading], ...]:
    """The pages of a site with their names, each read alone."""
    return tuple(
        (name, read_page(read_document(path.read_bytes(), content_type=content_type, url=name)))
        for name, path, content_type in record.pages
    )
