"""Days that people ask for by name, as data (feasts.toml): what they are called, which feast a date is, when one comes next."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, Final

from mass_pipeline.reading.words.church_calendar import day_of

_ANNOUNCED_AHEAD: Final = timedelta(14)  # parishes announce their orders of feasts on one of the two Sundays before


@dataclass(frozen=True, slots=True)
class Feast:
    """A named day.

    Attributes:
        rules: of its date, as `day_of` reads them; of several the day is the one that comes first.
        slug: its word in addresses of pages, "" of one without a page. pl, en: names there.
        words: what questions call it, as phrases. names: what answers call it, for each rule; "" for nothing.
        start, until: hours within the day, "" for none.
    """

    rules: tuple[str, ...]
    slug: str = ""
    pl: str = ""
    en: str = ""
    words: str = ""
    names: tuple[str, ...] = ("",)
    start: str = ""
    until: str = ""

    def next_day(self, today: date) -> date:
        """The next date of the feast, today included."""
        return min(next_day(rule, today) for rule in self.rules)


def next_day(rule: str, today: date, year: int | None = None) -> date:
    """The date of a rule in a year, or the next one from today.

    >>> next_day("e60", date(2026, 11, 22)), next_day("12-24", date(2026, 12, 24))
    (datetime.date(2027, 5, 27), datetime.date(2026, 12, 24))
    """
    own = day_of(rule, year or today.year)
    return own if year or own >= today else day_of(rule, today.year + 1)


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
    rows = _data()["season"]
    return tuple(Season(row["pl"], row["en"], day_of(row["date"], year), row["days"], bool(row.get("remind"))) for row in rows)


@cache
def _data() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads(files(__package__).joinpath("feasts.toml").read_text(encoding="utf-8"))


@cache
def feasts() -> tuple[Feast, ...]:
    """All named days, in the order of the file."""
    return tuple(map(_feast, _data()["feast"]))


def _feast(row: dict[str, str]) -> Feast:
    rules, names = tuple(row["date"].split("|")), tuple(row.get("name", "").split("|"))
    slug, pl, en, start, until = (row.get(key, "") for key in ("slug", "pl", "en", "from", "until"))
    return Feast(rules, slug, pl, en, row["words"], names, start, until)


@cache
def feasts_with_pages() -> tuple[Feast, ...]:
    """Those of which the site has a page."""
    return tuple(one for one in feasts() if one.slug)


def feast_of(day: date) -> Feast | None:
    """The feast on a date, None on a day without a name.

    >>> feast_of(date(2027, 5, 27)).slug
    'boze-cialo'
    """
    return next((one for one in feasts_with_pages() if day_of(one.rules[0], day.year) == day), None)
