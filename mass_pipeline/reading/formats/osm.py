"""A schedule in the syntax of OpenStreetMap's `service_times` (the opening_hours grammar), for evaluators that know no parish.

Masses of the parish church form rules joined by `; `, of which a later one overrides an earlier one on its days. What comes on
top (certain weekdays of the month, Masses elsewhere, Lent) follows as additional rules, joined by `, `, so that it never
overrides the rest. Holy days of obligation are written as dates: `PH` there means public holidays, which are other days. They
stand before Sundays, because a holy day that is a Sunday has the Sunday list.

An hour is written in one of two ways. `value`: `08:00+`, which strict parsers take; it begins then, and nobody says when it
ends, so an evaluator gives one interval a day. `points`: `08:00`, points of time, which strict parsers refuse.

No selector: Advent, seasons that the parish does not date, remarks ("poza Adwentem"), each stated in the note; abolished feasts
(AF), left to the summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from mass_pipeline.model.dates_of_year import (
    NO_DATES,
    YEAR,
    DatesOfYear,
    MonthDay,
    dates_of_season,
    is_of_months,
    joined,
    span,
    spans,
)
from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.reading.words.remarks import REMARK_OF_SEASON, left_out_seasons

LONGEST_VALUE: Final = 255  # characters: OpenStreetMap API 0.6, length of a tag's value
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS: Final[tuple[str, ...]] = (*WEEKDAYS[:6], "PH", "Su")  # in this order rules override one another
_ORDER: Final = {day: index for index, day in enumerate(_DAYS)}
# When it may be -> holy day of obligation (can. 1246, decree of the Polish bishops of 2003).
_HOLY_DAYS: Final = (
    *((span(day, day), f"{_MONTHS[day[0] - 1]} {day[1]:02d}") for day in ((1, 1), (1, 6), (8, 15), (11, 1), (12, 25))),
    (span((5, 21), (6, 24)), "easter +60 days"),
)
_PERIODS: Final = {"lent": "easter -46 days-easter -3 days", "christmasvisits": "Dec 27-Feb 02"}  # no holy day in Lent
_HOLY_DAYS_OF_VISITS: Final = "Jan 01,Jan 06"
_UNTOLD: Final = {"advent": "w Adwencie", "custom": "okresowo"}
_PAIR: Final = 2  # days one after the other, which are named; more are a span
_HOUR: Final = re.compile(r"\b\d\d:\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class ServiceTimes:
    """A value for the tag and what it leaves out.

    Attributes:
        value: at most 255 characters, "" for no Masses; hours as `08:00+`.
        note: what had to be left out, "" when nothing.
        points: the same with hours as points of time, `08:00`; at most 255 characters too, so that it may hold more.
    """

    value: str
    note: str = ""
    points: str = ""


def service_times(masses: Iterable[Mass]) -> str:
    """The value of `service_times`, at most 255 characters; "" when there is nothing to say.

    >>> service_times([Mass(("Su", "PH"), "08:00"), Mass(("Fr",), "16:30", nth=(1,))])
    'Jan 01,Jan 06,Aug 15,Nov 01,Dec 25,easter +60 days 08:00+; Su 08:00+, Fr[1] 16:30+'
    """
    return describe_service_times(masses).value


def describe_service_times(masses: Iterable[Mass]) -> ServiceTimes:
    """Both values and a note; beyond 255 characters additional rules go first, then rules from the end."""
    masses = list(masses)
    told = [mass for mass in masses if mass.when not in _UNTOLD]
    base = _base_rules([mass for mass in told if _is_base(mass)])
    additional = _additional_rules([mass for mass in told if not _is_base(mass)])
    points, _ = _fitting(base, additional)
    value, left_out = _fitting([_open_ended(rule) for rule in base], [_open_ended(rule) for rule in additional])
    notes = _untold(masses)
    if left_out:
        notes.append(f"skrócono: {left_out} reguł nie mieści się w {LONGEST_VALUE} znakach")
    return ServiceTimes(value, "; ".join(notes), points)


def _untold(masses: Sequence[Mass]) -> list[str]:
    """What no selector says, in words with the hours concerned."""
    notes = []
    for season, words in _UNTOLD.items():
        hours = sorted({mass.time for mass in masses if mass.when == season})
        if hours:
            notes.append(f"pominięto {words}: {', '.join(hours)}")
    for season, words in REMARK_OF_SEASON.items():
        hours = sorted({mass.time for mass in masses if season in left_out_seasons(mass.note)})
        if hours:
            notes.append(f"{words} nie ma: {', '.join(hours)}")
    return notes


def _fitting(base: Sequence[str], additional: Sequence[str]) -> tuple[str, int]:
    """The rules as one value that is short enough, and how many were left out for it."""
    base, additional = list(base), list(additional)
    left_out = 0
    while len(_joined(base, additional)) > LONGEST_VALUE:
        (additional or base).pop()
        left_out += 1
    return _joined(base, additional), left_out


def _open_ended(rule: str) -> str:
    """The rule with every hour as the beginning of a span; words in quotation marks stay as they are."""
    selector, quote, comment = rule.partition('"')
    return _HOUR.sub(lambda hour: f"{hour[0]}+", selector) + quote + comment


def _is_base(mass: Mass) -> bool:
    return not mass.nth and not mass.place and dates_of_season(mass.when) is not None


def _dates_of(mass: Mass) -> DatesOfYear:
    """Days on which a Mass is said, without those its remark leaves out; a period of its own counts as all the year."""
    left_out = joined(dates_of_season(season) or NO_DATES for season in left_out_seasons(mass.note))
    return (dates_of_season(mass.when) or YEAR) & ~left_out


def _joined(base: Sequence[str], additional: Sequence[str]) -> str:
    head = "; ".join(base)
    return ", ".join([head, *additional] if head else additional)


def _base_rules(masses: Sequence[Mass]) -> list[str]:
    """Rules with disjoint selectors: days with the same hours in the same months together.

    Sundays stand apart where there are holy days, so that the holy days can follow them.
    """
    apart = any("PH" in mass.days for mass in masses)
    groups: dict[tuple[bool, DatesOfYear, tuple[str, ...]], list[str]] = {}
    for day in _DAYS:
        for hours, dates in _hours_by_dates([mass for mass in masses if day in mass.days]):
            groups.setdefault((apart and day == "Su", dates, hours), []).append(day)
    ordered = sorted(groups.items(), key=lambda item: (_ORDER[item[1][0]], _first_day(item[0][1]), item[0][2]))
    weekdays = [_rule(dates, days, hours) for (_, dates, hours), days in ordered if days[0] not in ("PH", "Su")]
    holy_days = [_holy_rule(dates, hours) for (_, dates, hours), days in ordered if "PH" in days]
    sundays = [_rule(dates, days, hours) for (_, dates, hours), days in ordered if days[0] == "Su"]
    return [rule for rule in (*weekdays, *holy_days, *sundays) if rule]


def _hours_by_dates(masses: Sequence[Mass]) -> Iterator[tuple[tuple[str, ...], DatesOfYear]]:
    """The lists of hours of one day of the week, each with the days of the year that have it."""
    parts = [YEAR]
    for said in {_dates_of(mass) for mass in masses}:
        parts = [part for whole in parts for part in (whole & said, whole & ~said) if part]
    dates_of_list: dict[tuple[str, ...], DatesOfYear] = {}
    for part in parts:
        hours = tuple(sorted({mass.time for mass in masses if _dates_of(mass) & part}))
        dates_of_list[hours] = dates_of_list.get(hours, NO_DATES) | part
    yield from ((hours, dates) for hours, dates in dates_of_list.items() if hours)


def _first_day(dates: DatesOfYear) -> int:
    return (dates & -dates).bit_length()


def _additional_rules(masses: Sequence[Mass]) -> list[str]:
    """Certain weekdays of the month, other places, movable seasons."""
    groups: dict[tuple[object, ...], list[Mass]] = {}
    for mass in sorted(masses, key=Mass.sort_key):
        days = [day for day in _DAYS if day in mass.days]
        if days and not (mass.nth and "PH" in days):
            groups.setdefault((*days, mass.when, mass.nth, mass.place, _dates_of(mass)), []).append(mass)
    rules: list[str] = []
    for members in groups.values():
        first = members[0]
        dates, period = _dates_of(first), _PERIODS.get(first.season, "")
        times = sorted({mass.time for mass in members})
        week = [day for day in _DAYS if day in first.days and day != "PH"]
        rules.append(_rule(dates, week, times, first.nth, first.place, period) if week else "")
        rules.append(_holy_rule(dates, times, first.place, first.season) if "PH" in first.days else "")
    return [rule for rule in rules if rule]


def _rule(
    dates: DatesOfYear,
    days: Sequence[str],
    times: Sequence[str],
    nth: tuple[int, ...] | None = None,
    comment: str = "",
    period: str = "",
) -> str:
    parts = [period] if period else [_date_selector(dates)] if dates != YEAR else []
    parts.append(_day_selector(days, nth))
    return " ".join([*parts, ",".join(times), *_quoted(comment)])


def _holy_rule(dates: DatesOfYear, times: Sequence[str], comment: str = "", season: str = "all") -> str:
    """The hours of holy days of obligation, by their dates; "" when none lies in these dates, or only perhaps."""
    if season in _PERIODS:
        feasts = _HOLY_DAYS_OF_VISITS if season == "christmasvisits" else ""
    else:
        feasts = ",".join(feast for within, feast in _HOLY_DAYS if not within & ~dates)
    return " ".join([feasts, ",".join(times), *_quoted(comment)]) if feasts else ""


def _quoted(comment: str) -> list[str]:
    return ['"' + comment.replace('"', "'") + '"'] if comment else []


def _date_selector(dates: DatesOfYear) -> str:
    """`Sep-Jun`, `Jan,Mar`, `May 12-Sep 20`; a span may wrap the year."""
    return ",".join(_span_selector(first, last) for first, last in sorted(spans(dates)))


def _span_selector(first: MonthDay, last: MonthDay) -> str:
    if is_of_months(span(first, last)):
        return "-".join(dict.fromkeys((_MONTHS[first[0] - 1], _MONTHS[last[0] - 1])))
    return "-".join(f"{_MONTHS[month - 1]} {day:02d}" for month, day in dict.fromkeys((first, last)))


def _day_selector(days: Sequence[str], nth: tuple[int, ...] | None) -> str:
    """`Mo-Fr,Su`, `Fr[1,3]`."""
    week = [day for day in WEEKDAYS if day in days]
    if nth:
        ordinals = ",".join(str(n) for n in nth)
        return ",".join(f"{day}[{ordinals}]" for day in week)
    # Days that follow one another keep their distance from their place in the list.
    runs = (list(run) for _, run in groupby(week, key=lambda day: WEEKDAYS.index(day) - week.index(day)))
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > _PAIR else ",".join(run) for run in runs)
