"""Which days of the year something holds, year after year: sets of days, their spans, and the seasons that a row names them by.

A set is a whole number with a bit for each day of a leap year, 1 January lowest, so that joining, taking away and comparing are
one operation each. Belongs here: arithmetic of days without a year. Not here: Advent and
Lent, which move (schedules.church_year).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_
from typing import Final

DatesOfYear = int
MonthDay = tuple[int, int]  # (month, day)

_LENGTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE: Final = (0, *accumulate(_LENGTHS))
YEAR_LENGTH: Final = _BEFORE[-1]
YEAR: Final[DatesOfYear] = (1 << YEAR_LENGTH) - 1
NO_DATES: Final[DatesOfYear] = 0
_EARLY_DAY: Final = 10  # a season that begins before takes the whole month in, one that ends before leaves it out
_LATE_DAY: Final = 20  # likewise the other way round
_MOST_ROUNDED: Final = 31  # days by which the months of a span may differ from it


def dates_of_months(months: Iterable[int]) -> DatesOfYear:
    """All days of these months, 1 to 12.

    >>> spans(dates_of_months([12, 1]))
    (((12, 1), (1, 31)),)
    """
    found = NO_DATES
    for month in months:
        found |= ((1 << _LENGTHS[month - 1]) - 1) << _BEFORE[month - 1]
    return found


def span(first: MonthDay, last: MonthDay) -> DatesOfYear:
    """From a day to a day, both included; over New Year where the last one is the earlier. 28 February ends its month.

    >>> spans(span((10, 15), (4, 15)) & ~dates_of_months([1]))
    (((2, 1), (4, 15)), ((10, 15), (12, 31)))

    Raises:
        ValueError: no such day.
    """
    begin, end = _index(first), _index((2, 29) if last == (2, 28) else last)
    if begin <= end:
        return (1 << (end + 1)) - (1 << begin)
    return YEAR & ~((1 << begin) - (1 << (end + 1)))


def length_of(month: int) -> int:
    """Days of a month, 29 of February."""
    return _LENGTHS[month - 1]


def months_from_to(first: int, last: int) -> tuple[int, ...]:
    """Months from one to another, both included; over New Year where the last one is the earlier."""
    return tuple(range(first, last + 1)) if first <= last else (*range(first, 13), *range(1, last + 1))


def is_day(day: MonthDay) -> bool:
    """Whether a year, leap or not, has it."""
    return 1 <= day[0] <= 12 and 1 <= day[1] <= _LENGTHS[day[0] - 1]


def _index(day: MonthDay) -> int:
    if not is_day(day):
        raise ValueError(f"no year has day {day[1]} of month {day[0]}")
    return _BEFORE[day[0] - 1] + day[1] - 1


def _day(index: int) -> MonthDay:
    month = next(m for m in range(1, 13) if index < _BEFORE[m])
    return month, index - _BEFORE[month - 1] + 1


def joined(sets: Iterable[DatesOfYear]) -> DatesOfYear:
    """All days of several sets."""
    return reduce(or_, sets, NO_DATES)


def holds(dates: DatesOfYear, day: MonthDay) -> bool:
    """Whether the set has the day."""
    return bool(dates >> _index(day) & 1)


def months_in(dates: DatesOfYear) -> frozenset[int]:
    """Months of which it has any day."""
    return frozenset(month for month in range(1, 13) if dates & dates_of_months([month]))


def is_of_months(dates: DatesOfYear) -> bool:
    """Whether it is made up of whole months.

    >>> is_of_months(span((7, 1), (8, 31))), is_of_months(span((7, 1), (8, 30)))
    (True, False)
    """
    return dates == dates_of_months(months_in(dates))


@lru_cache(maxsize=1024)
def spans(dates: DatesOfYear) -> tuple[tuple[MonthDay, MonthDay], ...]:
    """Its spans by their first day, the one over New Year last; the whole year is one of its own."""
    if dates == YEAR:
        return (((1, 1), (12, 31)),)
    found: list[tuple[int, int]] = []
    rest, offset = dates, 0
    while rest:
        gap = (rest & -rest).bit_length() - 1
        rest >>= gap
        length = (~rest & (rest + 1)).bit_length() - 1
        found.append((offset + gap, offset + gap + length - 1))
        rest >>= length
        offset += gap + length
    if len(found) > 1 and found[0][0] == 0 and found[-1][1] == YEAR_LENGTH - 1:
        found = [*found[1:-1], (found[-1][0], found[0][1])]
    return tuple((_day(begin), _day(end)) for begin, end in found)


_NAMES: Final = {
    YEAR: "all",
    dates_of_months([7, 8]): "vacation",
    YEAR & ~dates_of_months([7, 8]): "school",
    dates_of_months([5]): "may",
    dates_of_months([10]): "october",
}
SUMMER: Final = dates_of_months(range(4, 11))
WINTER: Final = YEAR & ~SUMMER
_SEASONS: Final = {**{token: dates for dates, token in _NAMES.items()}, "summer": SUMMER, "winter": WINTER}
_WITHOUT_DATES: Final = frozenset({"advent", "lent", "christmasvisits", "custom"})


def seasons_of(dates: DatesOfYear, *, summer_named: bool = False) -> list[tuple[str, str]]:
    """The seasons that together make up these days: (token, days), in calendar order.

    The token is a named season or months, those nearest to the days, `custom` where none are near; the days are "" where the
    token says all, else `MM-DD/MM-DD`.

    Args:
        dates: not empty.
        summer_named: the source said summer or winter, so April to October is `summer` and not `04-10`.

    >>> seasons_of(dates_of_months([11, 12, 1, 2])), seasons_of(dates_of_months([1, 3]))
    ([('11-02', '')], [('01-01', ''), ('03-03', '')])
    >>> seasons_of(span((5, 5), (9, 25))), seasons_of(span((5, 12), (9, 20)))
    ([('05-09', '05-05/09-25')], [('custom', '05-12/09-20')])
    """
    if dates in _NAMES:
        return [(_NAMES[dates], "")]
    if summer_named and dates in (SUMMER, WINTER):
        return [("summer" if dates == SUMMER else "winter", "")]
    return [_season_of(first, last) for first, last in sorted(spans(dates))]


def _season_of(first: MonthDay, last: MonthDay) -> tuple[str, str]:
    dates = span(first, last)
    if is_of_months(dates):
        return _months_token(first[0], last[0]), ""
    days = f"{first[0]:02d}-{first[1]:02d}/{last[0]:02d}-{last[1]:02d}"
    begin = first[0] if first[1] <= _EARLY_DAY else first[0] % 12 + 1 if first[1] > _LATE_DAY else 0
    end = last[0] if last[1] >= _LATE_DAY else (last[0] - 2) % 12 + 1 if last[1] <= _EARLY_DAY else 0
    if not begin or not end:
        return "custom", days
    token = _months_token(begin, end)
    near = dates_of_season(token)
    return (token if near is not None and (near ^ dates).bit_count() <= _MOST_ROUNDED else "custom"), days


def _months_token(first: int, last: int) -> str:
    return _NAMES.get(dates_of_months(months_from_to(first, last)), f"{first:02d}-{last:02d}")


def dates_of_season(season: str) -> DatesOfYear | None:
    """Days of a season token, or of `MM-DD/MM-DD`; None where they are not told or move from year to year.

    >>> spans(dates_of_season("10-03") or 0), spans(dates_of_season("05-12/09-20") or 0)
    ((((10, 1), (3, 31)),), (((5, 12), (9, 20)),))
    """
    if season in _SEASONS:
        return _SEASONS[season]
    if season in _WITHOUT_DATES:
        return None
    if "/" in season:
        first, last = (_month_day(part) for part in season.split("/"))
        return span(first, last)
    begin, end = (int(part) for part in season.split("-"))
    return span((begin, 1), (end, _LENGTHS[end - 1]))


def _month_day(text: str) -> MonthDay:
    month, _, day = text.partition("-")
    return int(month), int(day)
