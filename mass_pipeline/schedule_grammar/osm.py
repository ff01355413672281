"""A schedule in the syntax of OpenStreetMap's `service_times` (the opening_hours grammar).

Masses of the parish church form rules with disjoint days and months, joined by `; `. What comes on top (certain weekdays of
the month, Masses elsewhere, Advent) follows as additional rules, joined by `, `, so that it never overrides the rest.
An hour is written `08:00+`: it begins then, and nobody says when it ends; a bare `08:00` is no valid time span for strict
parsers. Abolished feasts (AF) have no selector in that grammar and are left to the summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.schedule_grammar.nodes import YEAR
from mass_pipeline.schedule_grammar.regions import SUMMER

LONGEST_VALUE: Final = 255  # characters: OpenStreetMap API 0.6, length of a tag's value
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS: Final[tuple[str, ...]] = (*WEEKDAYS, "PH")
_ORDER: Final = {day: index for index, day in enumerate(_DAYS)}
_NAMED: Final[Mapping[str, frozenset[int]]] = {
    "all": YEAR,
    "vacation": frozenset({7, 8}),
    "school": YEAR - {7, 8},
    "summer": SUMMER,
    "winter": YEAR - SUMMER,
    "may": frozenset({5}),
    "october": frozenset({10}),
}
_OVERLAY_COMMENTS: Final = {
    "advent": "w Adwencie",
    "lent": "w Wielkim Poście",
    "christmasvisits": "w czasie kolędy",
    "custom": "okresowo",
}


@dataclass(frozen=True, slots=True)
class ServiceTimes:
    """A value for the tag and what it leaves out.

    Attributes:
        value: at most 255 characters, "" for no Masses.
        note: what had to be left out, "" when nothing.
    """

    value: str
    note: str = ""


def service_times(masses: Iterable[Mass]) -> str:
    """The value of `service_times`, at most 255 characters; "" when there is nothing to say.

    >>> service_times([Mass(("Su", "PH"), "08:00"), Mass(("Mo", "Tu", "We"), "18:00"), Mass(("Fr",), "16:30", nth=(1,))])
    'Mo-We 18:00+; Su,PH 08:00+, Fr[1] 16:30+'
    """
    return describe_service_times(masses).value


def describe_service_times(masses: Iterable[Mass]) -> ServiceTimes:
    """The value and a note; beyond 255 characters additional rules go first, then rules from the end."""
    masses = list(masses)
    base = _base_rules([mass for mass in masses if _is_base(mass)])
    additional = _additional_rules([mass for mass in masses if not _is_base(mass)])
    value = _joined(base, additional)
    if len(value) <= LONGEST_VALUE:
        return ServiceTimes(value)
    left_out = 0
    while len(_joined(base, additional)) > LONGEST_VALUE and (additional or base):
        (additional or base).pop()
        left_out += 1
    note = f"skrócono: {left_out} reguł nie mieści się w {LONGEST_VALUE} znakach"
    return ServiceTimes(_joined(base, additional), note)


def months_of_season(season: str) -> frozenset[int] | None:
    """Months of a season token; None for overlays, which have none of their own.

    >>> sorted(months_of_season("10-03") or ())
    [1, 2, 3, 10, 11, 12]
    """
    if season in _NAMED:
        return _NAMED[season]
    if season in _OVERLAY_COMMENTS:
        return None
    first, last = (int(part) for part in season.split("-"))
    return frozenset((first - 1 + step) % 12 + 1 for step in range((last - first) % 12 + 1))


def _is_base(mass: Mass) -> bool:
    return not mass.nth and not mass.place and months_of_season(mass.season) is not None


def _joined(base: Sequence[str], additional: Sequence[str]) -> str:
    head = "; ".join(base)
    return ", ".join([head, *additional] if head else additional)


def _base_rules(masses: Sequence[Mass]) -> list[str]:
    """Rules with disjoint selectors: days with the same hours in the same months together."""
    groups: dict[tuple[frozenset[int], tuple[str, ...]], list[str]] = {}
    for day in _DAYS:
        months_of_list: dict[tuple[str, ...], set[int]] = {}
        for month in sorted(YEAR):
            hours = tuple(sorted({m.time for m in masses if day in m.days and month in (months_of_season(m.season) or ())}))
            if hours:
                months_of_list.setdefault(hours, set()).add(month)
        for hours, months in months_of_list.items():
            groups.setdefault((frozenset(months), hours), []).append(day)
    ordered = sorted(groups.items(), key=lambda item: (_ORDER[item[1][0]], min(item[0][0]), item[0][1]))
    return [_rule(months, days, hours) for (months, hours), days in ordered]


def _additional_rules(masses: Sequence[Mass]) -> list[str]:
    """Certain weekdays of the month, other places, movable seasons."""
    groups: dict[tuple[object, ...], list[Mass]] = {}
    for mass in sorted(masses, key=Mass.sort_key):
        days = [day for day in mass.days if day in _DAYS]
        if days and not (mass.nth and "PH" in days):
            groups.setdefault((*days, mass.season, mass.nth, mass.place), []).append(mass)
    rules: list[str] = []
    for members in groups.values():
        first = members[0]
        comment = " ".join(part for part in (first.place, _OVERLAY_COMMENTS.get(first.season, "")) if part)
        months = months_of_season(first.season) or YEAR
        times = sorted({mass.time for mass in members})
        rules.append(_rule(months, [day for day in first.days if day in _DAYS], times, first.nth, comment))
    return rules


def _rule(
    months: frozenset[int], days: Sequence[str], times: Sequence[str], nth: tuple[int, ...] | None = None, comment: str = ""
) -> str:
    parts = [_month_selector(months)] if months != YEAR else []
    parts.append(_day_selector(days, nth))
    parts.append(",".join(f"{time}+" for time in times))
    if comment:
        parts.append('"' + comment.replace('"', "'") + '"')
    return " ".join(parts)


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
    """`Mo-Fr,Su,PH`, `Fr[1,3]`."""
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
    if "PH" in days:
        spans.append("PH")
    return ",".join(spans)
