"""Days that people ask for by name, as data (feasts.toml): which feast a date is, and when a feast comes next."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from mass_pipeline.language.church_calendar import easter, kept_on


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


@cache
def feasts() -> tuple[Feast, ...]:
    """All named days, in the order of the file."""
    data = tomllib.loads(files(__package__).joinpath("feasts.toml").read_text(encoding="utf-8"))
    return tuple(
        Feast(row["slug"], row["pl"], row["en"], row.get("date", ""), int(row.get("easter", 0))) for row in data["feast"]
    )


def feast_of(day: date) -> Feast | None:
    """The feast on a date, None on a day without a name.

    >>> feast_of(date(2027, 5, 27)).slug
    'boze-cialo'
    """
    return next((one for one in feasts() if one.day(day.year) == day), None)
