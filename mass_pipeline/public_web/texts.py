"""Words of the site, a file for each language (words/), and dates, distances and counts in them.

German and Ukrainian are frames: buttons, days and states; what they lack is said in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from importlib import resources
from typing import Any, Final
from zoneinfo import ZoneInfo

from mass_pipeline.finding.feasts import Feast, Season
from mass_pipeline.finding.index.records import ConfessionRecord
from mass_pipeline.model.dates_of_year import MonthDay, dates_of_season, is_of_months, spans

LANGUAGES: Final = ("pl", "en", "de", "uk")
_FALLBACK: Final = "en"  # of words that a frame lacks
ZONE: Final = ZoneInfo("Europe/Warsaw")
_PLAIN_DAYS: Final = 180  # in which a date needs no year
_WEEK: Final = frozenset(("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"))
_LEAST_OF_A_RUN: Final = 3  # days


class Words:
    """Texts of one language.

    Attributes:
        language: its code. root: what every address of the language begins with.
    """

    def __init__(self, language: str, table: Mapping[str, Any]) -> None:
        self.language = language
        self.root = "" if language == LANGUAGES[0] else f"/{language}"
        self._table = table

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in; a key nobody wrote is shown as it is."""
        text = self._table.get(key, key)
        return str(text).format(**values) if values else str(text)

    def named(self, group: str, key: str) -> str:
        """A word of a group (states, kinds, flags); the key itself when the group has none."""
        found = self._table.get(group, {})
        return str(found.get(key, key)) if isinstance(found, Mapping) else key

    def feast(self, feast: Feast | Season) -> str:
        """Name of a feast or of a season."""
        return feast.pl if self.language == "pl" else feast.en

    def season(self, when: str) -> str:
        """The season of a Mass, a `Mass.when`, in words."""
        dates = None if when in self._table["seasons"] else dates_of_season(when)
        if not dates:
            return self.named("seasons", when)
        ((first, last),) = spans(dates)
        if is_of_months(dates) and first[0] != last[0]:
            return self("season_of_months", first=self._month(first), last=self._month(last))
        return self("season_of_days", first=f"{first[1]} {self._month(first)}", last=f"{last[1]} {self._month(last)}")

    def _month(self, day: MonthDay) -> str:
        return str(self._table["months"][day[0] - 1])

    def weekday(self, day: date) -> str:
        """Name of the weekday."""
        return str(self._table["weekdays"][day.weekday()])

    def day(self, day: date) -> str:
        """A date in words, without weekday."""
        return f"{day.day} {self._table['months'][day.month - 1]} {day.year}"

    def long_day(self, day: date) -> str:
        """A date in words, with weekday."""
        return f"{self.weekday(day)}, {self.day(day)}"

    def near_day(self, day: date, today: date) -> str:
        """A date in words with weekday; the year only where it is not plain."""
        return self.long_day(day) if abs((day - today).days) > _PLAIN_DAYS else self.long_day(day).rpartition(" ")[0]

    def short_days(self, days: Sequence[date], today: date) -> str:
        """Days as a line of hours is headed: today and tomorrow by these words, days in a row as from-to."""
        if len(days) > 1 and (days[-1] - days[0]).days == len(days) - 1:
            return f"{self.short_weekday(days[0])}–{self.short_weekday(days[-1])}"
        return ", ".join(
            self("today") if day == today else self("tomorrow") if (day - today).days == 1 else self.short_weekday(day)
            for day in days
        )

    def short_weekday(self, day: date) -> str:
        """The weekday shortened, with day and month in figures."""
        return f"{self._table['short_weekdays'][day.weekday()]} {day.day}.{day.month:02d}"

    def run_of_days(self, days: Sequence[date]) -> str:
        """Three days and more in a row as from-to; "" for fewer, and for days that are not in a row."""
        if len(days) < _LEAST_OF_A_RUN or (days[-1] - days[0]).days != len(days) - 1:
            return ""
        is_one_month = (days[0].year, days[0].month) == (days[-1].year, days[-1].month)
        return f"{days[0].day if is_one_month else self.day(days[0])} – {self.day(days[-1])}"

    def moment_day(self, moment: datetime | None) -> str:
        """The local day of a moment in words; "" for none."""
        return "" if moment is None else self.day(moment.astimezone(ZONE).date())

    def days(self, days: Sequence[str]) -> str:
        """Days of an order: names one after the other, runs of weekdays as from-to."""
        order = ("Mo", "Tu", "We", "Th", "Fr", "Sa")
        at = [order.index(day) for day in days if day in order]
        parts = [self.named("order_days", day) for day in days if day not in order]
        if len(at) > 2 and at == list(range(at[0], at[-1] + 1)):
            return ", ".join([*parts, f"{self.named('order_days', order[at[0]])}–{self.named('order_days', order[at[-1]])}"])
        return ", ".join([*parts, *(self.named("order_days", order[one]) for one in at)])

    def confession(self, one: ConfessionRecord) -> tuple[str, str]:
        """Days and time of confession in words.

        >>> words("pl").confession(ConfessionRecord(("Fr",), (1,), "hours", "16:00", "17:30"))
        ('piątek, 1. w miesiącu', '16.00–17.30')
        >>> words("en").confession(ConfessionRecord(("Mo", "Tu", "We", "Th", "Fr", "Sa"), (), "before_mass", minutes=30))
        ('Monday–Saturday', '30 minutes before Mass')
        """
        days = self("every_day") if set(one.days) >= _WEEK else self.days(sorted(one.days, key=("PH", "Su").__contains__))
        if one.nth:
            days = self("of_month", day=days, n=", ".join(f"{n}." for n in one.nth))
        start, until = (hour.replace(":", ".") if self.language == "pl" else hour for hour in (one.start, one.until))
        if one.tied == "hours":
            return days, f"{start}–{until}" if until else self("from_hour", hour=start)
        masses = one.masses if one.masses[:1].isdigit() else self.named("masses_meant", one.masses)
        when = self(one.tied, masses=f" ({masses})" if masses else "")
        parts = (self("minutes", n=one.minutes) if one.minutes else "", when, self("until_hour", hour=until) if until else "")
        return days, " ".join(filter(None, parts))

    def short_row(self, short: str) -> str:
        """A row as a change names it (`finding.index.changes.short_form`), in words; "" for none.

        >>> words("pl").short_row("Su,PH 12:30"), words("en").short_row("Sa 18:00 summer")
        ('niedziele, święta nakazane: 12.30', 'Saturday: 18:00, in summer')
        """
        days, _, rest = short.partition(" ")
        time, *more = rest.split(" ", 2)
        if not time:
            return short
        season = more[0] if more and more[0] in self._table["seasons"] else ""
        limits = [self.season(season) if season else "", *(self(one) for one in (more[1:] if season else [" ".join(more)]))]
        hour = time.replace(":", ".") if self.language == "pl" else time
        return f"{self.days(days.split(','))}: {', '.join([hour, *filter(None, limits)])}"

    def distance(self, metres: float | None, precision_m: int | None) -> str:
        """A distance as far as it is known: metres, kilometres, or about so many kilometres."""
        if metres is None:
            return ""
        about = (precision_m or 0) >= 2_000
        if about:
            return self("about_km", km=max(1, round(max(metres, (precision_m or 0) / 2) / 1000)))
        if metres < 950:
            return f"{max(50, round(metres / 50) * 50)} m"
        return f"{self.decimal(metres / 1000, 1)} km"

    def decimal(self, number: float, places: int) -> str:
        """A number with so many places after the mark of the language: a comma in Polish."""
        return f"{number:.{places}f}".replace(".", "." if self.language == "en" else ",")

    def begins_in(self, minutes: int) -> str:
        """How soon a Mass begins, up to three hours ahead; "" beyond."""
        if not 0 < minutes <= 180:
            return ""
        if minutes < 60:
            return self("begins_in_min", min=minutes)
        return (
            self("begins_in_h", h=minutes // 60, min=minutes % 60) if minutes % 60 else self("begins_in_hours", h=minutes // 60)
        )


@cache
def words(language: str) -> Words:
    """Texts of a language."""
    table, fallback = _table(language), _table(_FALLBACK)
    if language in LANGUAGES[2:]:  # a frame: what it lacks comes from the fallback, group by group
        groups = {key: {**text, **table.get(key, {})} for key, text in fallback.items() if isinstance(text, dict)}
        table = {**fallback, **table, **groups}
    return Words(language, table)


def _table(language: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(f"words/{language}.toml").read_text(encoding="utf-8"))
