"""When a site has said enough: two of its pages state the same standing order. Reads pages with the rules, lazily imported.

The crawl itself knows only the `StopRule` port (strategies); who wants early stops passes `ScheduleFoundTwice`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.guard import Slow, within_seconds
from mass_pipeline.guard.sandbox import SLOW_SECONDS, is_ordinary
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.model.records import WEEKDAYS

_AGREEMENT: Final = 0.95  # F1 of the slots of a week: a feast or a season more on one page is no contradiction
_SUNDAY: Final = "Su"


@dataclass(frozen=True, slots=True)
class Statement:
    """What one page states.

    Attributes:
        slots: (day, time) of the standing order, Monday to Sunday.
        quotes: the words it was read from: a block that is copied onto every page states it once.
    """

    slots: frozenset[tuple[str, str]]
    quotes: frozenset[str]

    @property
    def is_whole(self) -> bool:
        """Whether it names Sunday and some other day; a summary in a corner may name Sunday alone."""
        days = {day for day, _ in self.slots}
        return _SUNDAY in days and len(days) > 1

    def agrees(self, other: Statement) -> bool:
        """The same week in other words: agreement of the slots, F1, is at least 0.95."""
        common = 2 * len(self.slots & other.slots)
        return self.quotes != other.quotes and common >= _AGREEMENT * (len(self.slots) + len(other.slots))


class ScheduleFoundTwice:
    """Stop rule of one site."""

    def __init__(self) -> None:
        self._statements: dict[str, Statement] = {}
        self.reason = ""

    def observe(self, page: SeenPage) -> None:
        """Read the page; one that states no whole order, or cannot be read, says nothing."""
        statement = read_statement(page)
        self._statements.pop(page.url, None)
        if statement is not None and statement.is_whole:
            self._statements[page.url] = statement
        stated = list(self._statements.values())
        agreed = any(one.agrees(other) for n, one in enumerate(stated) for other in stated[:n])
        self.reason = "schedule found twice" if agreed else ""


def read_statement(page: SeenPage) -> Statement | None:
    """What the rules read on a page as its standing order; None for nothing, and for what is not ordinary or slow to read."""
    from mass_pipeline.reading.regular.readings import standing_slots
    from mass_pipeline.site_reading.guarded import read_whole

    if not page.body or not is_ordinary(page.body):
        return None
    try:
        _, reading = within_seconds(SLOW_SECONDS, read_whole, page.body, page.content_type, page.url, page.link_text)
    except (MassPipelineError, ValueError, RecursionError, MemoryError, Slow):
        return None
    slots = frozenset((day, time) for day, time in standing_slots(reading.masses) if day in WEEKDAYS)
    quotes = frozenset(evidence.quote for read in reading.masses for evidence in read.evidence)
    return Statement(slots, quotes) if slots else None
