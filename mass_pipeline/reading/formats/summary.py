"""A schedule in words, in Polish or English, as a parish would print it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from mass_pipeline.model.dates_of_year import YEAR, dates_of_season, is_of_months, spans
from mass_pipeline.model.records import DAYS, Mass
from mass_pipeline.reading.words.weekday_patterns import WEEKDAY_NAMES

Language = Literal["pl", "en"]


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one language."""

    days: Mapping[str, str]
    groups: Mapping[frozenset[str], str]
    seasons: Mapping[str, str]
    months: Sequence[str]
    weeks: Mapping[int, str]
    week_pattern: str
    nothing: str


_WORKING: Final = frozenset(("Mo", "Tu", "We", "Th", "Fr", "Sa"))
_PL: Final = _Words(
    days={**WEEKDAY_NAMES, "PH": "święta nakazane", "AF": "święta zniesione"},
    groups={
        _WORKING: "dni powszednie",
        frozenset(("Su", "PH")): "niedziele i święta",
        frozenset(("Mo", "Tu", "We", "Th", "Fr")): f"{WEEKDAY_NAMES['Mo']}-{WEEKDAY_NAMES['Fr']}",
        _WORKING | {"Su"}: "codziennie",
    },
    seasons={
        "school": "poza wakacjami",
        "vacation": "w wakacje",
        "summer": "latem",
        "winter": "zimą",
        "may": "w maju",
        "october": "w październiku",
        "advent": "w Adwencie",
        "lent": "w Wielkim Poście",
        "christmasvisits": "w czasie kolędy",
        "custom": "okresowo",
    },
    months=("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"),
    weeks={1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", -1: "ostatni tydzień"},
    week_pattern="{days} ({weeks} w miesiącu)",
    nothing="brak danych",
)
_EN: Final = _Words(
    days={
        "Mo": "Monday",
        "Tu": "Tuesday",
        "We": "Wednesday",
        "Th": "Thursday",
        "Fr": "Friday",
        "Sa": "Saturday",
        "Su": "Sunday",
        "PH": "holy days",
        "AF": "feasts on working days",
    },
    groups={
        _WORKING: "weekdays",
        frozenset(("Su", "PH")): "Sundays and holy days",
        frozenset(("Mo", "Tu", "We", "Th", "Fr")): "Monday-Friday",
        _WORKING | {"Su"}: "daily",
    },
    seasons={
        "school": "except July and August",
        "vacation": "July and August",
        "summer": "summer time",
        "winter": "winter time",
        "may": "May",
        "october": "October",
        "advent": "Advent",
        "lent": "Lent",
        "christmasvisits": "during pastoral visits",
        "custom": "at times",
    },
    months=("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    weeks={1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", -1: "last"},
    week_pattern="{days} ({weeks} of the month)",
    nothing="no data",
)
_LANGUAGES: Final[Mapping[str, _Words]] = {"pl": _PL, "en": _EN}


def summarize(masses: Iterable[Mass], language: Language = "pl") -> str:
    """One line per group of days, Sundays first, with seasons, places and remarks in brackets.

    Args:
        masses: the schedule.
        language: `pl` or `en`.

    Returns:
        Lines joined by newlines; "brak danych" / "no data" for an empty schedule.

    >>> print(summarize([Mass(("Su", "PH"), "08:00"), Mass(("Su", "PH"), "20:00", "vacation")], "en"))
    Sundays and holy days: 8:00, 20:00 (July and August)
    """
    words = _LANGUAGES[language]
    groups: dict[tuple[str, ...], list[Mass]] = {}
    for mass in masses:
        groups.setdefault(mass.days, []).append(mass)
    if not groups:
        return words.nothing
    ordered = sorted(groups.items(), key=lambda item: ("Su" not in item[0], [DAYS.index(d) for d in item[0]], item[0]))
    return "\n".join(f"{_days(days, words)}: {_times(members, words)}" for days, members in ordered)


def _days(days: Sequence[str], words: _Words) -> str:
    group = words.groups.get(frozenset(days))
    return group if group is not None else ", ".join(words.days[day] for day in days)


def _times(masses: Sequence[Mass], words: _Words) -> str:
    unique = dict.fromkeys(sorted(masses, key=lambda m: (m.time, m.season, m.nth or (), m.place)))
    return ", ".join(_time(mass, words) for mass in unique)


def _time(mass: Mass, words: _Words) -> str:
    remarks = [mass.place] if mass.place else []
    if mass.nth:
        weeks = ", ".join(words.weeks[n] for n in mass.nth)
        remarks.append(words.week_pattern.format(days="", weeks=weeks).strip(" ()"))
    if mass.when != "all":
        remarks.append(_season(mass.when, words))
    if mass.note:
        remarks.append(mass.note)
    clock = mass.time.removeprefix("0")
    return f"{clock} ({'; '.join(remarks)})" if remarks else clock


def _season(when: str, words: _Words) -> str:
    if when in words.seasons:
        return words.seasons[when]
    dates = dates_of_season(when) or YEAR
    named = [
        words.months[month - 1] if is_of_months(dates) else f"{day} {words.months[month - 1]}" for month, day in spans(dates)[0]
    ]
    return "-".join(dict.fromkeys(named))
