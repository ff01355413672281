"""Which days are meant: days of the week, weeks, standing orders. Rules as values, and how their findings come together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import TOLD, Draft, Found, Match, Piece, each, longest, pattern, phrases
from mass_pipeline.finding.questions.vocabulary import every, expression, joined, mapping, number_of, words_pattern
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.records import WEEKDAYS
from mass_pipeline.reading.words.weekday_patterns import EVERY_OF_ONE, WEEKDAY_NAMES, WEEKDAYS_OF

MOST_DATES: Final = 31
_WORKDAYS: Final = ("Mo", "Tu", "We", "Th", "Fr")
_ORDERS: Final = {"workday": _WORKDAYS, "mosa": WEEKDAYS[:6], "weekday": WEEKDAYS[:6], "sunday": ("Su",)}  # in lists of days
_FRIDAY, _SATURDAY, _SUNDAY = 4, 5, 6
_IN_DAYS: Final = re.compile(r"\b(?:za|in) (?P<count>\d{1,3}) (?:dni|days)\b")
_ROMAN: Final = frozenset({"i", "ii", "iii", "iv"})  # "i" is a word of its own too
_SINGULAR: Final = frozenset({"do", "od", "tej", "z", "najblizszej", "przyszlej", "najblizsze", "przyszle", "te"})
_VILLAGE: Final = re.compile(r"\b(?:wies|wsi|miejscowosc\w*)\W+$")  # of the name Sobota, Piątek, Środa
_SHORT_NAMES: Final = frozenset({"so", "cz", "pia", "wto", "srod", "piat"})  # words too, without an hour after them
_OF_MASS: Final = re.compile(r"\W+(?:msz|mass)")  # "piątkowa msza"
_IN_A_TOWN: Final = re.compile(r"(?<![^\W_])we?\W+$")
_OF_EASTER: Final = re.compile(r"\beaster\W+$")


def _of_weeks(draft: Draft) -> Found:
    """This week, next week, in two weeks; weekends."""
    for section in ("weekends", "weeks", "in_weeks"):
        for number, match in phrases(section)(draft):
            yield f"{section} {number}", match


@cache
def _negated() -> re.Pattern[str]:
    days = (*mapping("weekdays").values(), *mapping("standing_plural").values(), *mapping("days").values())
    return re.compile(rf"(?<![^\W_]){expression(joined('negated', 'words'))}\W+{expression('|'.join(days))}(?![^\W_])")


@cache
def _several() -> re.Pattern[str]:
    lead = expression("|".join(joined("next", key) for key in ("several", "next", "coming")))
    before = r"(?:(?:przez|w|w ciagu|na|for|over|in|within)\W+)?(?:the\W+)?"
    return re.compile(rf"(?<![^\W_]){before}{lead}\W+(?P<count>\d{{1,2}})\W+(?:dni|days)(?![^\W_])")


def _ahead(draft: Draft, *offsets: int) -> Piece:
    return {"days": tuple(draft.today + timedelta(n) for n in offsets)}


def standing(draft: Draft) -> Draft:
    """The standing order of Sundays, weekdays, all days or named days: in the plural (soboty, Sundays), or after "every"."""
    said: list[str] = []
    named: set[str] = set()
    for key, match in phrases("standing", "workday", "mosa", "sunday", "weekday", "holy_day", "all")(draft):
        if not draft.text.is_taken(*match.span()):
            said.append(key)
            named.update(_ORDERS.get(key, ()))
            draft = draft.plus(match.span())
    for _, match in pattern(_each_day)(draft):
        named.add(WEEKDAYS[number_of("weekdays", match["day"])])
        draft = draft.plus(match.span())
    for number, match in phrases("standing_plural")(draft):
        if not (draft.text.is_taken(*match.span()) or _may_be_one(draft, match)):
            named.add(WEEKDAYS[int(number)])
            draft = draft.plus(match.span())
    return draft.put(standing=_order([day for day in WEEKDAYS if day in named], said))


@cache
def _each_day() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){expression(joined('standing', 'every'))}\W+(?P<day>{every('weekdays')})(?![^\W_])")


def _may_be_one(draft: Draft, match: Match) -> bool:
    """A line typed without diacritics that asks for one Mass means one day; "do soboty", "tej środy" are singular too."""
    before = draft.text.plain[: match.start()].split()[-1:]
    if draft.text.raw[match.end() - 1].casefold() == "ę" or (before and before[0] in _SINGULAR):
        return True
    one_mass = re.search(r"\bmsza\b|\bmsze sw|\bjaka\b|\bmass\b", draft.text.plain) is not None
    return match[0] == "niedziele" and not draft.text.has_diacritics and one_mass


def _order(days: Sequence[str], said: list[str]) -> str | tuple[str, ...] | None:
    if not days:
        return next((one for one in ("all", "holy_day") if one in said), None)
    named: dict[tuple[str, ...], str] = {tuple(WEEKDAYS): "all", tuple(WEEKDAYS[:6]): "weekday", ("Su",): "sunday"}
    return named.get(tuple(days), tuple(days))


@cache
def _range() -> re.Pattern[str]:
    days = every("weekdays")
    return re.compile(rf"(?<![^\W_])(?:od|from)\W+(?P<first>{days})\W+(?:do|to|till|until|through)\W+(?P<last>{days})(?![^\W_])")


def _days_of_range(draft: Draft, _: str, match: Match) -> Piece:
    """From Friday to Sunday: the coming ones, in a row."""
    first, last = number_of("weekdays", match["first"]), number_of("weekdays", match["last"])
    start = (first - draft.today.weekday()) % 7
    return _ahead(draft, *range(start, start + (last - first) % 7 + 1))


def _vigil(draft: Draft, key: str, match: Match) -> Piece | None:
    """The Mass of Sunday on Saturday evening; that of Easter is a feast of its own."""
    is_other = (
        _OF_EASTER.search(draft.text.plain[: match.start()])
        if key == "words"
        else not words_pattern(mapping("weekdays")[str(_SATURDAY)]).search(draft.text.rest)
    )
    return None if is_other else {"is_vigil": True}


@cache
def _ordinal() -> re.Pattern[str]:
    days, months, ordinals = (every(name) for name in ("weekdays", "months", "ordinals"))
    of, coming = expression(joined("of_month", "words")), expression(joined("next", "coming"))
    tail = rf"(?:(?P<of>\W+{of})|(?:\W+(?:of|in|w|we))?\W+(?P<month>{months})(?:\W+miesiaca)?)?"
    also = rf"(?:(?P<also>{ordinals})\W+(?:i|oraz|lub|albo|and|or)\W+)?"
    return re.compile(rf"(?<![^\W_])(?:w\W+)?(?:{coming}\W+)?{also}(?P<ordinal>{ordinals})\W+(?P<day>{days}){tail}(?![^\W_])")


def _nth_day(draft: Draft, _: str, match: Match) -> Piece | None:
    """The first Friday, the last Sunday of November, the first and third Sunday."""
    number, day = number_of("ordinals", match["ordinal"]), number_of("weekdays", match["day"])
    after = draft.text.rest[match.end() :].split()[:1]
    is_of_month = bool(match["of"] or match["month"] or match["also"])
    is_pick = number != 1 or (day != _FRIDAY and bool(after) and after[0].startswith(("msz", "mass", "serv")))
    if not is_of_month and (is_pick or match["ordinal"] in _ROMAN):
        return None
    month = number_of("months", match["month"]) if match["month"] else None
    numbers = [number, *([number_of("ordinals", match["also"])] if match["also"] else [])]
    kind = draft.kind or ("first_friday" if number == 1 and day == _FRIDAY else None)
    return {"kind": kind, "days": tuple(_nth(draft.today, one, day, month) for one in numbers)}


def _nth(today: date, number: int, weekday: int, month: int | None) -> date:
    """The next such day from today; of a negative number the last one of its month. Not every month has a fifth."""
    days = (day for n in range(5 * 366) if (day := today + timedelta(n)).weekday() == weekday and month in (None, day.month))
    found = (day for day in days if ((day + timedelta(7)).month != day.month if number < 0 else (day.day - 1) // 7 + 1 == number))
    return next(found, today)


@cache
def _weekday() -> re.Pattern[str]:
    lead = rf"(?P<coming>{expression('|'.join(joined('next', key) for key in ('coming', 'next')))})"
    this = expression(joined("next", "this"))
    return re.compile(rf"(?<![^\W_])(?:{lead}\W+)?(?:{this}\W+)?(?P<day>{every('weekdays')})(?![^\W_])")


def _day_of_week(draft: Draft, _: str, match: Match) -> Piece | None:
    """Sunday, this Sunday, next Friday; short names that are words too only where an hour stands beside them."""
    number, rest = number_of("weekdays", match["day"]), draft.text.rest
    is_word = match["day"] in _SHORT_NAMES and not re.match(r"\W*\d", rest[match.end() :])
    if is_word or _VILLAGE.search(rest[: match.start()]) or _names_town(draft, number, match):
        return None
    return {"weekdays": ((number, match.span("day")),), "skip_today": draft.skip_today or match["coming"] is not None}


def _names_town(draft: Draft, number: int, match: Match) -> bool:
    """Whether the form is rather one of a town's name ("w Piątku", "Piątkowo"): days have the accusative after "w"."""
    day, own = match["day"], (fold(WEEKDAY_NAMES[WEEKDAYS[number]]), fold(list(EVERY_OF_ONE)[number]))
    if _OF_MASS.match(draft.text.rest, match.end()) or day not in draft.places.forms or day in own:
        return False
    return day not in WEEKDAYS_OF or _IN_A_TOWN.search(draft.text.rest[: match.start("day")]) is not None


weeks = each(longest(_of_weeks), lambda _, value, __: {value.split()[0]: int(value.split()[1])})
negated = each(pattern(_negated), lambda *_: TOLD)  # no answer leaves a day out
tonight = each(phrases("tonight"), lambda draft, *_: {"days": (draft.today,), "tonight": True})
offsets = each(longest(phrases("days")), lambda draft, days, _: _ahead(draft, int(days)))  # today, tomorrow
in_days = each(pattern(_IN_DAYS), lambda draft, _, match: _ahead(draft, int(match["count"])))
next_days = each(pattern(_several), lambda draft, _, match: _ahead(draft, *range(min(int(match["count"]), MOST_DATES))))
day_ranges = each(pattern(_range), _days_of_range)
vigil = each(phrases("vigil", "words", "with_saturday"), _vigil)  # "w sobotę wieczorem ... msza niedzielna"
ordinals = each(pattern(_ordinal), _nth_day)
weekdays = each(pattern(_weekday), _day_of_week)


def resolve(draft: Draft) -> Draft:
    """With the dates that the rules' findings mean together; () when a standing order or nothing is said."""
    found = sorted(set(_dates(draft)))
    if draft.year is not None and not any(day.year == draft.year[0] for day in found):
        draft = draft.reported(*draft.year[1])
    for number, span in draft.weekdays:
        if draft.is_dated and all(day.weekday() != number for day in draft.days):
            draft = draft.reported(*span)
    if found and (draft.standing == "all" or draft.is_dated):  # "26 grudnia, msze niedzielne": a date is surer than an order
        draft = draft.put(standing=None)
    return draft.put(dates=() if draft.standing is not None else tuple(found[:MOST_DATES]))


def _dates(draft: Draft) -> Iterator[date]:
    """The dates said; else the days of the week in the week said, else that week; days of the week only confirm a date."""
    today, monday = draft.today, draft.today - timedelta(draft.today.weekday())
    week = draft.weeks if draft.weeks is not None else draft.in_weeks
    yield from draft.days
    if draft.weekends is not None:
        weekend = (_SATURDAY, _SUNDAY)
        named = [day for day, _ in draft.weekdays if day in weekend]
        yield from (monday + timedelta(7 * draft.weekends + day) for day in named or weekend)
    elif draft.weekdays and not draft.is_dated:
        for number, _ in draft.weekdays:
            ahead = ((_SATURDAY if draft.is_vigil and number == _SUNDAY else number) - today.weekday()) % 7
            is_next = ahead == 0 and draft.skip_today and not draft.is_vigil
            yield monday + timedelta(7 * week + number) if week is not None else today + timedelta(7 if is_next else ahead)
    elif draft.weekdays:
        return
    elif draft.in_weeks is not None:
        yield today + timedelta(7 * draft.in_weeks)
    elif draft.weeks is not None and not draft.days:
        first = max(monday + timedelta(7 * draft.weeks), today)
        yield from (day for n in range(7) if (day := first + timedelta(n)) <= monday + timedelta(7 * draft.weeks + 6))
    elif draft.is_vigil and not draft.days:
        yield today + timedelta((_SATURDAY - today.weekday()) % 7)
