"""Which days are meant: dates, days of the week, weeks, standing orders. Rules over a draft, and how they come together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import Final

from mass_pipeline.finding.questions.draft import Draft
from mass_pipeline.finding.questions.vocabulary import every, expression, joined, mapping, number_of, words_pattern
from mass_pipeline.model.identifiers import fold
from mass_pipeline.model.records import WEEKDAYS
from mass_pipeline.reading.words.weekday_patterns import EVERY_OF_ONE, WEEKDAY_NAMES, WEEKDAYS_OF

MOST_DATES: Final = 31
_WORKDAYS: Final = ("Mo", "Tu", "We", "Th", "Fr")
_FRIDAY: Final = 4
_IN_DAYS: Final = re.compile(r"\b(?:za|in) (\d{1,3}) (?:dni|days)\b")
_SUNDAY: Final = 6
_ROMAN: Final = frozenset({"i", "ii", "iii", "iv"})  # "i" is a word of its own too
_WEEKEND: Final = (5, 6)


def weeks(draft: Draft) -> None:
    """This week, next week, in two weeks; weekends. The longest words are taken first: "next weekend" before "weekend"."""
    for section, number, _ in draft.longest("weekends", "weeks", "in_weeks"):
        setattr(draft, {"weekends": "weekend", "weeks": "week"}.get(section, section), int(number))


@cache
def _negated_pattern() -> re.Pattern[str]:
    days = (*mapping("weekdays").values(), *mapping("standing_plural").values(), *mapping("days").values())
    return re.compile(rf"(?<![^\W_]){expression(joined('negated', 'words'))}\W+{expression('|'.join(days))}(?![^\W_])")


def negated(draft: Draft) -> None:
    """A day that is not wanted ("nie w niedzielę, tylko w sobotę") is reported as not understood: no answer leaves one out."""
    for match in _negated_pattern().finditer(draft.text.rest):
        draft.report(*match.span())


def offsets(draft: Draft) -> None:
    """Today, tomorrow, in three days."""
    for _ in draft.said("tonight", "words"):
        draft.days.append(draft.today)
        draft.tonight = True
    draft.days.extend(draft.today + timedelta(int(offset)) for _, offset, _ in draft.longest("days"))
    draft.days.extend(draft.today + timedelta(int(match[1])) for match in draft.taken(_IN_DAYS))
    for match in draft.taken(_several_days()):
        draft.days.extend(draft.today + timedelta(n) for n in range(min(int(match["count"]), MOST_DATES)))


@cache
def _several_days() -> re.Pattern[str]:
    lead = expression("|".join(joined("next", key) for key in ("several", "next", "coming")))
    before = r"(?:(?:przez|w|w ciagu|na|for|over|in|within)\W+)?(?:the\W+)?"
    return re.compile(rf"(?<![^\W_]){before}{lead}\W+(?P<count>\d{{1,2}})\W+(?:dni|days)(?![^\W_])")


def compared(draft: Draft) -> None:
    """ "Jak w niedzielę": beside a date no other day, by itself the standing order."""
    for kind in ("sunday", "weekday"):
        for _ in draft.said("standing", f"compared_{kind}"):
            draft.compared = kind


def standing(draft: Draft) -> None:
    """The standing order of Sundays, weekdays, all days or named days."""
    said: list[str] = []
    for key in ("workday", "mosa", "sunday", "weekday", "holy_day", "all"):
        for match in words_pattern(joined("standing", key)).finditer(draft.text.rest):
            if key == "sunday" and match[0].endswith(("iele", "ielne")) and _is_one_sunday(draft, match):
                continue
            said.append(key)
            draft.text.take(*match.span())
    plurals = _plural_days(draft)
    draft.standing = _standing(said, plurals)


def _is_one_sunday(draft: Draft, match: re.Match[str]) -> bool:
    """Whether the words mean the coming Sunday: typed with ę."""
    return draft.text.raw[match.start() : match.end()].endswith("ę") and "swiet" not in match[0] and "co" not in match[0].split()


def _plural_days(draft: Draft) -> list[int]:
    """Days in the plural (soboty, Sundays), or after "every"."""
    each = re.compile(rf"(?<![^\W_]){expression(joined('standing', 'every'))}\W+(?P<day>{every('weekdays')})(?![^\W_])")
    found = [number_of("weekdays", match["day"]) for match in draft.taken(each)]
    for number, phrases in mapping("standing_plural").items():
        for match in words_pattern(phrases).finditer(draft.text.rest):
            raw = draft.text.raw[match.start() : match.end()]
            if raw.casefold().endswith("ę") or _may_be_one(draft, match):
                continue
            found.append(int(number))
            draft.text.take(*match.span())
    return found


def _may_be_one(draft: Draft, match: re.Match[str]) -> bool:
    """A line typed without diacritics that asks for one Mass means one day; "do soboty", "tej środy" are singular too."""
    before = draft.text.plain[: match.start()].split()[-1:]
    if before and before[0] in {"do", "od", "tej", "z", "najblizszej", "przyszlej", "najblizsze", "przyszle", "te"}:
        return True
    one_mass = re.search(r"\bmsza\b|\bmsze sw|\bjaka\b|\bmass\b", draft.text.plain) is not None
    return match[0] == "niedziele" and not draft.text.has_diacritics and one_mass


def _standing(said: list[str], plurals: list[int]) -> str | tuple[str, ...] | None:
    named = {WEEKDAYS[number] for number in plurals}
    if "workday" in said:
        named.update(_WORKDAYS)
    if "mosa" in said or "weekday" in said:
        named.update(WEEKDAYS[:6])
    if "sunday" in said:
        named.add(WEEKDAYS[_SUNDAY])
    if "all" in said and not named:
        return "all"
    if not named:
        return "holy_day" if "holy_day" in said else None
    ordered = tuple(str(day) for day in WEEKDAYS if day in named)
    if len(ordered) == len(WEEKDAYS):
        return "all"
    if ordered == tuple(map(str, WEEKDAYS[:6])):
        return "weekday"
    return "sunday" if ordered == (str(WEEKDAYS[_SUNDAY]),) else ordered


@cache
def _range_pattern() -> re.Pattern[str]:
    days = every("weekdays")
    return re.compile(rf"(?<![^\W_])(?:od|from)\W+(?P<first>{days})\W+(?:do|to|till|until|through)\W+(?P<last>{days})(?![^\W_])")


def day_ranges(draft: Draft) -> None:
    """From Friday to Sunday: the coming ones, in a row."""
    for match in draft.taken(_range_pattern()):
        first, last = number_of("weekdays", match["first"]), number_of("weekdays", match["last"])
        start = draft.today + timedelta((first - draft.today.weekday()) % 7)
        draft.days.extend(start + timedelta(n) for n in range((last - first) % 7 + 1))


def vigil(draft: Draft) -> None:
    """The Mass of Sunday on Saturday evening."""
    for match in words_pattern(joined("vigil", "words")).finditer(draft.text.rest):
        if not re.search(r"\beaster\W+$", draft.text.plain[: match.start()]):  # that of Easter is a feast of its own
            draft.is_vigil = True
            draft.text.take(*match.span())
    if words_pattern(mapping("weekdays")["5"]).search(draft.text.rest):
        for _ in draft.said("vigil", "with_saturday"):
            draft.is_vigil = True  # "w sobotę wieczorem ... msza niedzielna"


@cache
def _ordinal_pattern() -> re.Pattern[str]:
    days, months, ordinals = (every(name) for name in ("weekdays", "months", "ordinals"))
    of, coming = expression(joined("of_month", "words")), expression(joined("next", "coming"))
    tail = rf"(?:(?P<of>\W+{of})|(?:\W+(?:of|in|w|we))?\W+(?P<month>{months})(?:\W+miesiaca)?)?"
    also = rf"(?:(?P<also>{ordinals})\W+(?:i|oraz|lub|albo|and|or)\W+)?"
    return re.compile(rf"(?<![^\W_])(?:w\W+)?(?:{coming}\W+)?{also}(?P<ordinal>{ordinals})\W+(?P<day>{days}){tail}(?![^\W_])")


def ordinals(draft: Draft) -> None:
    """The first Friday, the last Sunday of November, the first and third Sunday."""
    for match in _ordinal_pattern().finditer(draft.text.rest):
        number, day = number_of("ordinals", match["ordinal"]), number_of("weekdays", match["day"])
        after = draft.text.rest[match.end() :].split()[:1]
        is_of_month = bool(match["of"] or match["month"] or match["also"])
        is_pick = number != 1 or (day != _FRIDAY and bool(after) and after[0].startswith(("msz", "mass", "serv")))
        if not is_of_month and (is_pick or match["ordinal"] in _ROMAN):
            continue
        if number == 1 and day == _FRIDAY and draft.kind is None:
            draft.kind = "first_friday"
        month = number_of("months", match["month"]) if match["month"] else None
        numbers = [number, *([number_of("ordinals", match["also"])] if match["also"] else [])]
        draft.days.extend(_nth(draft, one, day, month) for one in numbers)
        draft.text.take(*match.span())


def _nth(draft: Draft, number: int, weekday: int, month: int | None) -> date:
    """The next such day from today."""
    year, at = draft.today.year, draft.today.month
    for _ in range(60):
        found = _nth_of_month(year, at, number, weekday)
        if found >= draft.today and found.month == at and month in (None, at):  # not every month has a fifth
            return found
        year, at = (year + 1, 1) if at == 12 else (year, at + 1)
    return draft.today


def _nth_of_month(year: int, month: int, number: int, weekday: int) -> date:
    if number < 0:
        last = (date(year + (month == 12), month % 12 + 1, 1)) - timedelta(1)
        return last - timedelta((last.weekday() - weekday) % 7)
    first = date(year, month, 1)
    return first + timedelta((weekday - first.weekday()) % 7 + 7 * (number - 1))


@cache
def _weekday_pattern() -> re.Pattern[str]:
    lead = rf"(?:(?P<coming>{expression(joined('next', 'coming'))})|(?P<next>{expression(joined('next', 'next'))}))"
    this = expression(joined("next", "this"))
    return re.compile(rf"(?<![^\W_])(?:{lead}\W+)?(?:{this}\W+)?(?P<day>{every('weekdays')})(?![^\W_])")


_VILLAGE: Final = re.compile(r"\b(?:wies|wsi|miejscowosc\w*)\W+$")  # of the name Sobota, Piątek, Środa
_SHORT_NAMES: Final = frozenset({"so", "we", "su", "th", "tu", "mo", "cz", "sa", "pia", "wto", "srod", "piat"})
_OF_MASS: Final = re.compile(r"\W+(?:msz|mass)")  # "piątkowa msza"
_IN_A_TOWN: Final = re.compile(r"(?<![^\W_])we?\W+$")


def weekdays(draft: Draft) -> None:
    """Sunday, this Sunday, next Friday; short names that are words too only where an hour or "msza" stands beside them."""
    for match in _weekday_pattern().finditer(draft.text.rest):
        number = number_of("weekdays", match["day"])
        if match["day"] in _SHORT_NAMES and not re.match(r"\W*\d", draft.text.rest[match.end() :]):
            continue
        if _VILLAGE.search(draft.text.rest[: match.start()]) or _names_town(draft, number, match):
            continue
        draft.weekdays.append(number)
        draft.weekday_spans.append(match.span("day"))
        draft.skip_today |= match["next"] is not None or match["coming"] is not None
        draft.text.take(*match.span())


def _names_town(draft: Draft, number: int, match: re.Match[str]) -> bool:
    """Whether the form is rather one of a town's name ("w Piątku", "Piątkowo"): days have the accusative after "w"."""
    day, before = match["day"], draft.text.rest[: match.start("day")]
    if (
        _OF_MASS.match(draft.text.rest, match.end())
        or day not in draft.places.forms
        or day in (fold(WEEKDAY_NAMES[WEEKDAYS[number]]), fold(list(EVERY_OF_ONE)[number]))
    ):
        return False
    return day not in WEEKDAYS_OF or _IN_A_TOWN.search(before) is not None


def resolve(draft: Draft) -> tuple[date, ...]:
    """The dates that the rules' findings mean together; () when a standing order or nothing is said."""
    found = sorted(set(_dates(draft)))
    if draft.year is not None and draft.year_span is not None and not any(day.year == draft.year for day in found):
        draft.report(*draft.year_span)
    if not found:
        draft.standing = draft.standing or draft.compared
    elif draft.standing == "all" or draft.dated:  # "26 grudnia, msze niedzielne": a date is surer than an order
        draft.standing = None
    if draft.standing is not None:
        return ()
    return tuple(found[:MOST_DATES])


def _dates(draft: Draft) -> Iterator[date]:
    monday = draft.today - timedelta(draft.today.weekday())
    yield from draft.days
    if draft.weekend is not None:
        named = [day for day in draft.weekdays if day in _WEEKEND]
        yield from (monday + timedelta(7 * draft.weekend + day) for day in named or _WEEKEND)
        return
    week = draft.week if draft.week is not None else draft.in_weeks
    if draft.weekdays:
        yield from _weekday_dates(draft, monday, week)
    elif draft.in_weeks is not None:
        yield draft.today + timedelta(7 * draft.in_weeks)
    elif draft.week is not None and not draft.days:
        first = max(monday + timedelta(7 * draft.week), draft.today)
        yield from (day for n in range(7) if (day := first + timedelta(n)) <= monday + timedelta(7 * draft.week + 6))
    elif draft.month is not None and not draft.days:
        yield from _days_of_month(draft)
    elif draft.is_vigil and not draft.days:
        yield draft.today + timedelta((5 - draft.today.weekday()) % 7)


def _weekday_dates(draft: Draft, monday: date, week: int | None) -> Iterator[date]:
    """Dates of the days of the week; beside a date they only confirm it, and one that does not is reported."""
    for number, (start, end) in zip(draft.weekdays, draft.weekday_spans, strict=True):
        if draft.dated:
            if all(day.weekday() != number for day in draft.days):
                draft.report(start, end)
        elif draft.is_vigil and number == _SUNDAY:
            yield draft.today + timedelta((5 - draft.today.weekday()) % 7)
        elif draft.month is not None:
            yield from (day for day in _days_of_month(draft) if day.weekday() == number)
        elif week is not None:
            yield monday + timedelta(7 * week + number)
        else:
            ahead = (number - draft.today.weekday()) % 7
            yield draft.today + timedelta(7 if ahead == 0 and draft.skip_today else ahead)


def _days_of_month(draft: Draft) -> Iterator[date]:
    assert draft.month is not None
    year, month = draft.month
    day = date(year, month, 1)
    while day.month == month:
        if day >= draft.today:
            yield day
        day += timedelta(1)
