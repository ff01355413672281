"""A second calendar: which published rows are said on which days, worked out apart from `schedules.day` and from its parts.

Tests compare both over made orders and over an index. It knows the columns of `mass` alone, imports nothing of the project, and
works on sets of days instead of day after day: a set is a whole number with a bit for each day laid out. Which list a day
takes: docs/finding.md. Easter: Knuth, The Art of Computer Programming I, 1.3.2, algorithm E.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Final

Days = int  # a set of days: bit n is the nth day laid out
MOST_A_DAY: Final = 40  # a day of which more Masses are stated has none
_CODES: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_SUNDAY: Final = 6
_OBLIGATION: Final = frozenset({(1, 1), (1, 6), (8, 15), (11, 1), (12, 25)})
_FEASTS_KEPT_IN_PLACE: Final = frozenset({(2, 2), (6, 29), (11, 2), (12, 26)})
_MONTHS: Final = {
    "vacation": (7, 8), "school": (9, 6), "summer": (4, 10), "winter": (11, 3), "may": (5, 5), "october": (10, 10),
}  # fmt: skip
_REMARKS: Final = (  # words beside an hour -> seasons in which it is left out
    ("poza Adwentem", ("advent",)),
    ("poza Wielkim Postem", ("lent",)),
    ("nie w czasie kolędy", ("christmasvisits",)),
    ("poza majem", ("may",)),
    ("poza październikiem", ("october",)),
    ("poza majem i październikiem", ("october",)),
)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table `mass`; columns as the index holds them (text).

    Attributes:
        days: separated by spaces. nth: a JSON list, None for every week.
        season_days: `MM-DD/MM-DD`, first and last day of the season; "": the season says it.
        valid_from, valid_to: ISO dates, inclusive. exception: added, cancelled, only; None: standing order.
    """

    days: str
    time: str
    season: str
    nth: str | None
    place: str
    note: str
    valid_from: str | None
    valid_to: str | None
    exception: str | None
    season_days: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """On which days a row is said, and on which it is announced not to be."""

    held: Days
    cancelled: Days


def easter_sunday(year: int) -> date:
    """Easter of the Gregorian calendar.

    >>> easter_sunday(2027), easter_sunday(2038)
    (datetime.date(2027, 3, 28), datetime.date(2038, 4, 25))
    """
    golden, century = year % 19 + 1, year // 100 + 1
    skipped = 3 * century // 4 - 12
    sundays = 5 * year // 4 - skipped - 10
    epact = (11 * golden + 20 + (8 * century + 5) // 25 - 5 - skipped) % 30
    if epact == 24 or (epact == 25 and golden > 11):
        epact += 1
    full_moon = 44 - epact + (30 if epact > 23 else 0)
    in_march = full_moon + 7 - (sundays + full_moon) % 7
    return date(year, 3, 1) + timedelta(in_march - 1)


@dataclass(slots=True)
class SecondCalendar:
    """The days laid out, by what they are.

    Attributes:
        first: the first day. count: how many.
    """

    first: date
    count: int
    every: Days = 0
    closed: Days = 0
    obligation: Days = 0
    second_feast: Days = 0
    abolished: Days = 0
    _weekday: dict[str, Days] = field(default_factory=dict)
    _known: dict[tuple[str, str], Days] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.every = (1 << self.count) - 1
        for number, code in enumerate(_CODES):
            self._weekday[code] = self._where(lambda day, number=number: day.weekday() == number)  # type: ignore[misc]
        self.closed = self._where(lambda day: (easter_sunday(day.year) - day).days in (1, 2))
        self.obligation = self._where(lambda day: (day.month, day.day) in _OBLIGATION or _after_easter(day) == 60)
        self.second_feast = self._where(lambda day: (day.month, day.day) == (12, 26) or _after_easter(day) == 1)
        self.abolished = self._where(_is_abolished)

    def said(self, rows: Sequence[Row]) -> list[Said]:
        """Days of each row of one parish, in the order of the rows.

        Args:
            rows: all rows of the parish.
        """
        valid = [self._between(row) for row in rows]
        standing = [one if row.exception is None else 0 for row, one in zip(rows, valid, strict=True)]
        lists = self._lists(rows, standing)
        held = [days and days & self._of_row(row, lists) for row, days in zip(rows, standing, strict=True)]
        cancelled = [0] * len(rows)
        for number in _bits(joined(days for row, days in zip(rows, valid, strict=True) if row.exception is not None)):
            self._announced(number, rows, valid, held, cancelled)
        self._drop_impossible(held, cancelled)
        return [Said(*one) for one in zip(held, cancelled, strict=True)]

    def _where(self, holds: Callable[[date], bool]) -> Days:
        return sum(1 << number for number in range(self.count) if holds(self.first + timedelta(number)))

    def _between(self, row: Row) -> Days:
        begin = 0 if row.valid_from is None else max(0, (date.fromisoformat(row.valid_from) - self.first).days)
        end = self.count - 1
        if row.valid_to is not None:
            end = min(end, (date.fromisoformat(row.valid_to) - self.first).days)
        return ((1 << (end + 1)) - 1) >> begin << begin if end >= begin else 0

    def _lists(self, rows: Sequence[Row], standing: Sequence[Days]) -> dict[str, Days]:
        """Code of a list -> days that take it, for a parish with these standing rows."""
        has = {"PH": 0, "AF": 0}
        for row, days in zip(rows, standing, strict=True):
            for code in has:
                has[code] |= days if code in row.days.split() else 0
        left = self.every & ~self.closed
        sundays = left & self._weekday["Su"]
        left &= ~sundays
        holy = left & self.obligation & has["PH"]
        assumed = left & self.obligation & ~has["PH"]
        left &= ~self.obligation
        feasts = left & self.abolished & has["AF"]
        assumed |= left & ~feasts & self.second_feast
        left &= ~feasts & ~self.second_feast
        return {**{code: days & left for code, days in self._weekday.items()}, "Su": sundays | assumed, "PH": holy, "AF": feasts}

    def _of_row(self, row: Row, lists: dict[str, Days]) -> Days:
        days = joined(lists[code] for code in row.days.split())
        if row.season_days or row.season != "all":
            days &= self._cached("season", row.season_days or row.season)
        if row.nth is not None:
            days &= self._cached("nth", row.nth)
        if row.note:
            days &= ~self._cached("remark", row.note)
        return days

    def _cached(self, kind: str, text: str) -> Days:
        known = self._known.get((kind, text))
        if known is None:
            known = {"season": self._season, "nth": self._nth, "remark": self._left_out}[kind](text)
            self._known[kind, text] = known
        return known

    def _season(self, season: str) -> Days:
        if season == "custom":
            return self.every  # nothing says when it is
        return self._where(lambda day: _is_in_season(day, season))

    def _nth(self, text: str) -> Days:
        wanted = json.loads(text)
        return self._where(lambda day: any(_is_of_order(day, one) for one in wanted))

    def _left_out(self, note: str) -> Days:
        return joined(self._season(one) for remark, seasons in _REMARKS if remark in note for one in seasons)

    def _announced(
        self, number: int, rows: Sequence[Row], valid: Sequence[Days], held: list[Days], cancelled: list[Days]
    ) -> None:
        """Put what announcements say of one day in the place of the standing order."""
        bit, weekday = 1 << number, _CODES[(self.first + timedelta(number)).weekday()]
        dated = [at for at, row in enumerate(rows) if row.exception and valid[at] & bit and weekday in row.days.split()]
        if bit & self.obligation:
            dated = [at for at in dated if not _length(rows[at]) or "Su" in rows[at].days.split()]
        now = {at for at in range(len(rows)) if held[at] & bit}
        only = [at for at in dated if rows[at].exception == "only"]
        if only:
            shortest = min(_length(rows[at]) for at in only)
            now = _kept_elsewhere(rows, now, [at for at in only if _length(rows[at]) == shortest])
        gone = [at for at in dated if rows[at].exception == "cancelled"]
        now = {at for at in now if not any(_same_hour(rows[at], rows[one]) for one in gone)}
        new = [at for at in dated if rows[at].exception == "added"]
        now |= {at for at in new if not any(_same_hour(rows[at], rows[one]) for one in now)}
        for at in range(len(rows)):
            held[at] = held[at] | bit if at in now else held[at] & ~bit
            cancelled[at] |= bit if at in gone else 0

    def _drop_impossible(self, held: list[Days], cancelled: list[Days]) -> None:
        if len(held) <= MOST_A_DAY:
            return
        crowded = sum(1 << n for n in range(self.count) if sum(days >> n & 1 for days in held) > MOST_A_DAY)
        held[:] = [days & ~crowded for days in held]
        cancelled[:] = [days & ~crowded for days in cancelled]


def _kept_elsewhere(rows: Sequence[Row], usual: set[int], only: Sequence[int]) -> set[int]:
    """A list of announced Masses stands for its places; one without a place for the church, or for all when no Mass is there."""
    places = {rows[at].place for at in only}
    if "" in places and all(rows[at].place for at in usual):
        return set(only)
    return set(only) | {at for at in usual if rows[at].place not in places}


def _same_hour(one: Row, other: Row) -> bool:
    return one.time == other.time and (not one.place or not other.place or one.place == other.place)


def _length(row: Row) -> int:
    first = date.fromisoformat(row.valid_from) if row.valid_from else date.min
    last = date.fromisoformat(row.valid_to) if row.valid_to else date.max
    return (last - first).days


def _after_easter(day: date) -> int:
    return (day - easter_sunday(day.year)).days


def _is_abolished(day: date) -> bool:
    if (day.month, day.day) in _FEASTS_KEPT_IN_PLACE or _after_easter(day) in (-46, 1, 50):
        return True
    return day in (_saint_joseph(day.year), _off_sunday(date(day.year, 5, 3), -1), _off_sunday(date(day.year, 12, 8), 1))


def _saint_joseph(year: int) -> date:
    day, palms = date(year, 3, 19), easter_sunday(year) - timedelta(7)
    return palms - timedelta(1) if day >= palms else _off_sunday(day, 1)


def _off_sunday(day: date, step: int) -> date:
    return day + timedelta(step) if day.weekday() == _SUNDAY else day


def _is_in_season(day: date, season: str) -> bool:
    if season == "advent":
        eve = date(day.year, 12, 24)
        fourth = eve - timedelta((eve.weekday() + 1) % 7)
        return fourth - timedelta(21) <= day <= eve
    if season == "lent":
        return -46 <= _after_easter(day) < 0
    if season == "christmasvisits":
        return (day.month == 12 and day.day >= 27) or day.month == 1 or (day.month == 2 and day.day <= 2)
    if "/" in season:
        begin, end = season.split("/")
        today = f"{day:%m-%d}"
        return begin <= today <= end if begin <= end else today >= begin or today <= end
    first, last = _MONTHS.get(season) or (int(season[:2]), int(season[3:]))
    return first <= day.month <= last if first <= last else day.month >= first or day.month <= last


def _is_of_order(day: date, wanted: int) -> bool:
    if wanted == -1:
        return (day + timedelta(7)).month != day.month
    return 7 * (wanted - 1) < day.day <= 7 * wanted


def _bits(days: Days) -> list[int]:
    return [number for number in range(days.bit_length()) if days >> number & 1]


def joined(sets: Iterable[Days]) -> Days:
    """All days of several sets.

    >>> joined([1, 4, 5])
    5
    """
    found = 0
    for one in sets:
        found |= one
    return found
