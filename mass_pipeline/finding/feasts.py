"""Days that people ask for by name, as data (feasts.toml): which feast a date is, and when a feast comes next."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Final

from mass_pipeline.reading.words.church_calendar import easter, kept_on

_ANNOUNCED_AHEAD: Final = timedelta(14)  # parishes announce their orders of feasts on one of the two Sundays before


@dataclass(frozen=True, slots=True)
class Feast:
    """A named day.

    Attributes:
        slug: its word in addresses of pages.
        pl, en: names.
        month_day: `MM-DD` of a fixed day, "" for a movable one.
        after_easter: days after Easter of a movable one.
    """

    slug: str
    pl: str
    en: str
    month_day: str = ""
    after_easter: int = 0

    def day(self, year: int) -> date:
        """The date in a year."""
        if self.month_day:
            return kept_on(date.fromisoformat(f"{year}-{self.month_day}"))
        return easter(year) + timedelta(self.after_easter)

    def next_day(self, today: date) -> date:
        """The next date of the feast, today included."""
        own = self.day(today.year)
        return own if own >= today else self.day(today.year + 1)


@dataclass(frozen=True, slots=True)
class Season:
    """Days in a row for which parishes announce an order of their own.

    Attributes:
        pl, en: names.
        first: the first day. count: how many.
        is_reminded: whether parishes are asked for their hours before it.
    """

    pl: str
    en: str
    first: date
    count: int
    is_reminded: bool = False

    @property
    def days(self) -> tuple[date, ...]:
        """The days, in order."""
        return tuple(self.first + timedelta(offset) for offset in range(self.count))


def season_near(today: date) -> Season | None:
    """The season that a day lies in or that begins within two weeks of it; the first of several.

    >>> season_near(date(2026, 12, 10)).en, season_near(date(2026, 12, 9))
    ('Christmas', None)
    """
    near = (one for year in (today.year, today.year + 1) for one in _seasons(year) if one.days[-1] >= today)
    found = min(near, key=lambda one: one.first)
    return found if found.first - today <= _ANNOUNCED_AHEAD else None


@cache
def _seasons(year: int) -> tuple[Season, ...]:
    return tuple(
        Season(
            row["pl"],
            row["en"],
            Feast("", "", "", row.get("date", ""), int(row.get("easter", 0))).day(year),
            int(row["days"]),
            bool(row.get("remind")),
        )
        for row in _data()["season"]
    )


@cache
def _data() -> dict[str, list[dict[str, str]]]:
    return tomllib.loads(files(__package__).joinpath("feasts.toml").read_text(encoding="utf-8"))


@cache
def feasts() -> tuple[Feast, ...]:
    """All named days, in the order of the file."""
    return tuple(
        Feast(row["slug"], row["pl"], row["en"], row.get("date", ""), int(row.get("easter", 0))) for row in _data()["feast"]
    )


def feast_of(day: date) -> Feast | None:
    """The feast on a date, None on a day without a name.

    >>> feast_of(date(2027, 5, 27)).slug
    'boze-cialo'
    """
    return next((one for one in feasts() if one.day(day.year) == day), None)
