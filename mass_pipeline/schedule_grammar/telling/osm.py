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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.language.remarks import left_out_seasons
from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.schedule_grammar.parsing.nodes import YEAR
from mass_pipeline.schedule_grammar.resolving.regions import months_of_season

LONGEST_VALUE: Final = 255  # characters: OpenStreetMap API 0.6, length of a tag's value
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS: Final[tuple[str, ...]] = (*WEEKDAYS[:6], "PH", "Su")  # in this order rules override one another
_ORDER: Final = {day: index for index, day in enumerate(_DAYS)}
# Months -> holy day of obligation (can. 1246, decree of the Polish bishops of 2003); Corpus Christi lies in 21 May to 24 June.
_HOLY_DAYS: Final = (
    (frozenset({1}), "Jan 01"),
    (frozenset({1}), "Jan 06"),
    (frozenset({8}), "Aug 15"),
    (frozenset({11}), "Nov 01"),
    (frozenset({12}), "Dec 25"),
    (frozenset({5, 6}), "easter +60 days"),
)
_PERIODS: Final = {"lent": "easter -46 days-easter -3 days", "christmasvisits": "Dec 27-Feb 02"}  # no holy day in Lent
_HOLY_DAYS_OF_VISITS: Final = "Jan 01,Jan 06"
_UNTOLD: Final = {"advent": "w Adwencie", "custom": "okresowo"}
_MONTHS_LEFT_OUT: Final = {"may": 5, "october": 10}
_REMARKS: Final = {"advent": "poza Adwentem", "lent": "poza Wielkim Postem", "christmasvisits": "nie w czasie kolędy"}
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
    told = [mass for mass in masses if mass.season not in _UNTOLD]
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
        hours = sorted({mass.time for mass in masses if mass.season == season})
        if hours:
            notes.append(f"pominięto {words}: {', '.join(hours)}")
    for season, words in _REMARKS.items():
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
    return not mass.nth and not mass.place and months_of_season(mass.season) is not None


def _months_of(mass: Mass) -> frozenset[int]:
    """Months in which a Mass is said, without those its remark leaves out; a period of its own counts as all the year."""
    left_out = {_MONTHS_LEFT_OUT[season] for season in left_out_seasons(mass.note) if season in _MONTHS_LEFT_OUT}
    return (months_of_season(mass.season) or YEAR) - left_out


def _joined(base: Sequence[str], additional: Sequence[str]) -> str:
    head = "; ".join(base)
    return ", ".join([head, *additional] if head else additional)


def _base_rules(masses: Sequence[Mass]) -> list[str]:
    """Rules with disjoint selectors: days with the same hours in the same months together.

    Sundays stand apart where there are holy days, so that the holy days can follow them.
    """
    apart = any("PH" in mass.days for mass in masses)
    groups: dict[tuple[bool, frozenset[int], tuple[str, ...]], list[str]] = {}
    for day in _DAYS:
        months_of_list: dict[tuple[str, ...], set[int]] = {}
        for month in sorted(YEAR):
            hours = tuple(sorted({mass.time for mass in masses if day in mass.days and month in _months_of(mass)}))
            if hours:
                months_of_list.setdefault(hours, set()).add(month)
        for hours, months in months_of_list.items():
            groups.setdefault((apart and day == "Su", frozenset(months), hours), []).append(day)
    ordered = sorted(groups.items(), key=lambda item: (_ORDER[item[1][0]], min(item[0][1]), item[0][2]))
    weekdays = [_rule(months, days, hours) for (_, months, hours), days in ordered if days[0] not in ("PH", "Su")]
    holy_days = [_holy_rule(months, hours) for (_, months, hours), days in ordered if "PH" in days]
    sundays = [_rule(months, days, hours) for (_, months, hours), days in ordered if days[0] == "Su"]
    return [rule for rule in (*weekdays, *holy_days, *sundays) if rule]


def _additional_rules(masses: Sequence[Mass]) -> list[str]:
    """Certain weekdays of the month, other places, movable seasons."""
    groups: dict[tuple[object, ...], list[Mass]] = {}
    for mass in sorted(masses, key=Mass.sort_key):
        days = [day for day in _DAYS if day in mass.days]
        if days and not (mass.nth and "PH" in days):
            groups.setdefault((*days, mass.season, mass.nth, mass.place, _months_of(mass)), []).append(mass)
    rules: list[str] = []
    for members in groups.values():
        first = members[0]
        months, period = _months_of(first), _PERIODS.get(first.season, "")
        times = sorted({mass.time for mass in members})
        week = [day for day in _DAYS if day in first.days and day != "PH"]
        rules.append(_rule(months, week, times, first.nth, first.place, period) if week else "")
        rules.append(_holy_rule(months, times, first.place, first.season) if "PH" in first.days else "")
    return [rule for rule in rules if rule]


def _rule(
    months: frozenset[int],
    days: Sequence[str],
    times: Sequence[str],
    nth: tuple[int, ...] | None = None,
    comment: str = "",
    period: str = "",
) -> str:
    parts = [period] if period else [_month_selector(months)] if months != YEAR else []
    parts.append(_day_selector(days, nth))
    return " ".join([*parts, ",".join(times), *_quoted(comment)])


def _holy_rule(months: frozenset[int], times: Sequence[str], comment: str = "", season: str = "all") -> str:
    """The hours of holy days of obligation, by their dates; "" when none lies in these months, or only perhaps."""
    if season in _PERIODS:
        dates = _HOLY_DAYS_OF_VISITS if season == "christmasvisits" else ""
    else:
        dates = ",".join(date for within, date in _HOLY_DAYS if within <= months)
    return " ".join([dates, ",".join(times), *_quoted(comment)]) if dates else ""


def _quoted(comment: str) -> list[str]:
    return ['"' + comment.replace('"', "'") + '"'] if comment else []


def _month_selector(months: frozenset[int]) -> str:
    """`Sep-Jun`, `Jan,Mar`; a span may wrap the year."""
    spans: list[str] = []
    for start in (m for m in sorted(months) if (m - 2) % 12 + 1 not in months):
        end = start
        while end % 12 + 1 in months:
            end = end % 12 + 1
        spans.append(_MONTHS[start - 1] if start == end else f"{_MONTHS[start - 1]}-{_MONTHS[end - 1]}")
    return ",".join(spans)


def _day_selector(days: Sequence[str], nth: tuple[int, ...] | None) -> str:
    """`Mo-Fr,Su`, `Fr[1,3]`."""
    week = [day for day in WEEKDAYS if day in days]
    if nth:
        ordinals = ",".join(str(n) for n in nth)
        return ",".join(f"{day}[{ordinals}]" for day in week)
    spans: list[str] = []
    index = 0
    while index < len(week):
        end = index
        while end + 1 < len(week) and WEEKDAYS.index(week[end + 1]) == WEEKDAYS.index(week[end]) + 1:
            end += 1
        spans.extend([f"{week[index]}-{week[end]}"] if end > index + 1 else week[index : end + 1])
        index = end + 1
    return ",".join(spans)
