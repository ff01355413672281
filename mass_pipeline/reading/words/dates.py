"""Days an announcement speaks of, resolved against the day it was issued: dates, ranges, weekdays, feasts.

Not here: recurring days ("w każdy piątek"), which are no dates; dates of months (dates_of_months); feasts (feasts); what happens
on the days (reading).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from mass_pipeline.reading.words.church_calendar import advent
from mass_pipeline.reading.words.dates_of_months import MONTH_NAMED, dates_of_months, months_that_begin, near, whole_months
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.feasts import AFTER_HOLIDAYS, end_of_holidays, feasts
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.period import Period, gap
from mass_pipeline.reading.words.periods import periods
from mass_pipeline.reading.words.weekday_patterns import ONE_WEEKDAY, SHORT_WEEKDAYS, month_number, weekday_number

_WEEKDAY: Final = rf"({ONE_WEEKDAY})"
_SHORT_WEEKDAY: Final = re.compile(rf"(?:^|(?<=\bw )|(?<=\bwe )|(?<=\())({'|'.join(SHORT_WEEKDAYS)})(?:\.|\b)(?=\s?[,:–.(-]| )")
_ALONE: Final = re.compile(r"(?<=\d )i\b")
_RELATIVE_WEEKDAY: Final = re.compile(rf"(?<!kazd\w )\b(?:(przyszl\w+|nastepn\w+|za tydzien,? we?)\s+)?{_WEEKDAY}\b")
# "Wtorkowa Msza o 7.00", not "piątkowe Msze", nor "po środowej Mszy"
_MASS_OF_WEEKDAY: Final = re.compile(
    r"(?<!\bpo )(?<!\bprzed )\b((?:poniedzialkow|wtorkow|srodow|czwartkow|piatkow|sobotni)(?:a|ej))"
    r"(?= (?:\w+ )?(?:msz\w+|eucharysti\w+))"
)
_MEANWHILE: Final = re.compile(r"\b(?:(?:przez|w|na) (?:t[ey][mn]?|caly) (?:czas|okres|dni)|kazd\w+|co tydzien)")
_FROM_OTHER_DAY: Final = re.compile(
    r"(?:\bprzeniesion\w+ (?:\w+ )?|\()z (?:dnia )?$"
)  # "odpust (przeniesiony z 22 października)"
_ORDINAL_WEEKDAY: Final = re.compile(rf"\b(pierwsz\w+|(?<=w )i)\s+{_WEEKDAY}\b")  # not "wtorek i środę"
_OF_SEASON: Final = re.compile(r" (?:adwentu|wielkiego postu|wielkanocn\w+|roku szkoln\w+)\b")  # no first Monday of a month
_OF_ADVENT: Final = re.compile(rf"\b(?:pierwsz\w+|i) {_WEEKDAY} adwentu\b")
_WORDS: Final = re.compile(
    r"\b(dzis(?:iaj)?|jutr[oa]|pojutrze|w tym tygodniu|za tydzien"
    r"|(?:od (?:jutra|poniedzialku) )?przez caly (?:ten |najblizszy )?tydzien)\b"
    r"|\bdzisiejsz\w+ (?=niedziel|sobot|dzien|dnia\b|uroczyst|swiet|odpust)|\bdniu dzisiejszym\b|(?<=niedziela )dzisiejsza\b"
)
_TO_WEEKDAY: Final = re.compile(rf",? we? {_WEEKDAY}")  # "za tydzień, w piątek": one day, given by the weekday
_ORDINAL_BEFORE: Final = re.compile(r"\b(?:drug\w+|trzeci\w*|czwart[aąey]|ostatni\w*|kazd\w+|ii|iii|iv|v|(?<=\bw )i) $")
_LONGEST_CUT: Final = 62  # days of a period out of which weekdays are cut
_SATURDAY: Final = 5
_LONGEST_EXCEPTION: Final = 120  # characters after "z wyjątkiem"; bounded, as a sentence may hold the word many times
_EXCEPT: Final = expression(r"\b<leaving_out> ")
_LEADS_EXCEPTION: Final = re.compile(rf"(?:(?:najblizsz\w+|dni\w*|swiet\w*|uroczystosc\w*|samym|samego|{_WEEKDAY},?) )*")
_WEEKDAYS: Final = re.compile(
    r"\b(?:poniedzialkow|wtorkow|srod|czwartkow|piatkow|sobot)\b"
)  # "oprócz śród"; Sundays have no roraty anyway
_GENITIVE: Final = expression(
    r"\b(?:od|do|z|najblizszej|przyszlej|tej|dotyczy|dotyczy to|<leaving_out>) $"
)  # of one day, not of several
_AND_ALSO: Final = re.compile(r",? (?:i|oraz|a takze) (?:we? )?|, ")
_RETURN: Final = re.compile(rf"\b(?:po)?wraca(?:ja|my)? (?:dopiero )?we? {_WEEKDAY}")  # when somebody is back, not what is then
_TODAY_IS: Final = re.compile(
    r"\b(?:dzis|dzisiaj|dniu dzisiejszym|jutro|pojutrze),? (?:jest |w )?$|\bdzisiejsz\w+ $"
)  # "dziś niedziela": stated
_TODAY_CALLED: Final = re.compile(
    r"\bdzis(?:iaj|iejsz\w+)?\b[^;:]{0,40}(?<!\bw )(?<!\bna )(?<!\bod )(?<!\bdo )(?<!szla )(?<!szej )$"
)
_THAT_IS: Final = re.compile(r"\b(?:tj\.?|to jest|czyli|to znaczy)[^.;:]*$")
_NO_START: Final = re.compile(rf"\b(?:az )?do(?: dnia| czasu)?(?: {_WEEKDAY},?)? $")
_AS_ANOTHER_DAY: Final = re.compile(  # "Msza św. już z niedzieli": that of the day before
    r"\bjak w (?:kazda |zwykla )*(?:niedziel|sobot)\w+|(?<!\bdni )\bz (?:formularza |liturgii )?niedzieli\b(?! (?:na|do)\b)"
)
_MONTH_END: Final = re.compile(rf"\bkonca (?:tego |m)?(?:miesiaca|({MONTH_NAMED}))\b")
_WEEK_RANGE: Final = re.compile(
    r"\bod (?:poniedzialku|wtorku|srody|czwartku|piatku) do (?:wtorku|srody|czwartku|piatku|soboty|niedzieli)\b"
)
_FROM_NOW_ON: Final = re.compile(rf"\bod (?:dzis(?:iaj)?|jutra|pojutrze) do {_WEEKDAY}\b")
_WEEKDAYS_OF_DATES: Final = re.compile(
    rf"\b(?:{_WEEKDAY},? )+(?:(?:i|oraz) )?{_WEEKDAY}"
    r"(?=,? \(?\d{1,2}(?: ?[-–,]|\.? (?:i|oraz) \d{1,2}\.? [a-z]| [a-z]+,? (?:i |oraz )?\d))"
)
_TOLD_BEHIND: Final = re.compile(r"[\s,(–-]*(?:tj\. |to jest |od )?")  # "od poniedziałku do piątku (28.09–2.10)"
_OF_WEEKDAY: Final = re.compile(rf"\b{_WEEKDAY} $")
_NIGHT: Final = re.compile(
    rf"\b(?:w nocy z |(?<![\d.]))(\d{{1,2}})(?: na |/)\d{{1,2}}( (?:{MONTH_NAMED})|\.(?:0[1-9]|1[0-2])\b)"
)  # midnight belongs to the first, as everywhere
_DATE_NEXT: Final = re.compile(r",? \d{1,2}[. ]")
_UNTIL: Final = re.compile(rf"(?:do|az do|-|–)(?: dnia)?(?: {_WEEKDAY})?")
_FROM: Final = re.compile(r"\bod (?:(?:najblizsz|przyszl|nastepn)\w+ )?$")
_WEEKS_OF_SEASON: Final = 13  # days
_BETWEEN: Final = 20  # characters between a weekday and the date it belongs to: "w niedzielę za 2 tygodnie (12 listopada)"


def find_periods(text: str, issued: date) -> list[Period]:
    """Periods a text names, in order, overlapping ones resolved for the more precise; "od ... do ..." joined.

    Args:
        text: one sentence or clause, white space folded.
        issued: day of the announcement, usually a Sunday.

    Returns:
        Each period once, without the days that "z wyjątkiem" leaves out.
    """
    return [period for period in _periods(text, issued) if not period.left_out]


def days_left_out(text: str, issued: date) -> list[Period]:
    """Days named after "z wyjątkiem", "oprócz", of a text as for `find_periods`."""
    return [period for period in _periods(text, issued) if period.left_out]


@lru_cache(64)  # rules ask for the periods of one sentence several times
def _periods(text: str, issued: date) -> tuple[Period, ...]:
    return tuple(_read_periods(text, issued))


def _read_periods(text: str, issued: date) -> list[Period]:
    folded = fold(text)
    gone = list(_excepted(text, folded, issued))
    for day in gone:
        text = text[: day.start] + "~" * (day.end - day.start) + text[day.end :]
    return [*cut_out(_read_days(text, issued), gone), *gone]


def _read_days(text: str, issued: date) -> list[Period]:
    folded = fold(text)
    weekly = _WEEK_RANGE.search(folded) or _WEEKDAYS_OF_DATES.search(folded) or _FROM_NOW_ON.search(folded)
    if weekly:  # "przez cały październik od poniedziałku do soboty"
        without = text[: weekly.start()] + "~" * (weekly.end() - weekly.start()) + text[weekly.end() :]
        found = _find_periods(without, issued)
        longer = any(period.last - period.first > timedelta(6) for period in found)
        behind = [period for period in found if period.start >= weekly.end()]
        told = [period for period in behind if _TOLD_BEHIND.fullmatch(text[weekly.end() : period.start])]
        if _FROM_NOW_ON.match(weekly[0]):  # "od jutra do piątku (13–17 kwietnia)"; "do piątku, 17 kwietnia" tells its end
            return found if any(period.first < period.last for period in told) else _find_periods(text, issued)
        if told and not weekly[0].startswith("od ") and not _are_weekdays_of(weekly[0], behind):
            return [period for period in found if period.end <= weekly.start()]
        if longer or told:
            return found
    return _find_periods(text, issued)


def _are_weekdays_of(names: str, dates: list[Period]) -> bool:
    """Whether each weekday named is that of one of the dates."""
    days = {(one.first + timedelta(n)).weekday() for one in dates for n in range(min(7, (one.last - one.first).days + 1))}
    return days.issuperset(weekday_number(match[1]) for match in re.finditer(_WEEKDAY, names))


def _find_periods(text: str, issued: date) -> list[Period]:
    folded = _AS_ANOTHER_DAY.sub(lambda match: " " * len(match[0]), fold(text))
    folded = _RETURN.sub(lambda match: " " * len(match[0]), folded)
    night = _NIGHT.search(folded)
    folded = _NIGHT.sub(lambda match: match[1].ljust(len(match[0]) - len(match[2])) + match[2], folded)
    # A small "i" joins hours ("o 7 i 18"); only the capital is January.
    dates = list(dates_of_months(_ALONE.sub(lambda one: text[one.start()], folded), issued))
    dates = [p for p in dates if not _FROM_OTHER_DAY.search(folded[: p.start])]
    dates = [replace(p, is_mass=True) if night and night.start() <= p.start < night.end() else p for p in dates]
    vague = list(_relative(folded, text.lower(), issued))
    vague = [v for v in vague if not any(gap(v, p) < 0 and v.first.weekday() == p.first.weekday() for p in dates)]
    vague = [v for v in vague if not _is_dated_in_bracket(v, dates, folded)]
    feast_days = feasts(folded, issued, dates, vague)
    told = {p.first for p in dates}  # "poniedziałek i wtorek (16, 17 marca)": weekdays of other dates contradict none
    doubtful = [v for v in vague if v.first not in told]
    contrary = [p for p in dates if any(_contradicts(v, p, folded) for v in doubtful)]
    vague = [
        v
        for v in vague
        if not (v in doubtful and any(_contradicts(v, p, folded) for p in dates)) and not (dates and _explains(v, folded))
    ]
    dates = [p for p in dates if p not in contrary]
    vague = [v for v in vague if not _is_today(v, folded)]
    kept = _without_overlaps(sorted((*dates, *feast_days), key=lambda period: period.start))
    vague = [_behind(v, kept, issued) for v in vague]
    # A weekday beside a date only repeats it: "w czwartek, 19 czerwca".
    kept += [v for v in vague if not any(gap(v, p) < 0 or _touch(v, p, folded) for p in kept)]
    weeks = [k for k in vague if _is_week(k) and any(k is not o and k.first <= o.first <= o.last <= k.last for o in kept)]
    kept = [k for k in kept if k not in weeks]
    ordered = _joined(sorted(_without_overlaps(kept), key=lambda period: period.start), folded, issued)
    ordered = [_begun(period, folded, issued) for period in _over_the_weekend(ordered, folded)]
    ordered = _of_each_week(ordered, folded) if len(ordered) > 1 else _with_months(ordered, folded, issued)
    return [p for i, p in enumerate(ordered) if (p.first, p.last) not in {(o.first, o.last) for o in ordered[:i]}]


def _is_dated_in_bracket(weekday: Period, dates: Sequence[Period], folded: str) -> bool:
    """Whether a bracket gives the date of a weekday named before it: "poniedziałek i wtorek rekolekcji (1 i 2 marca)"."""
    same = [day for day in dates if weekday.is_day and day.is_day and day.first.weekday() == weekday.first.weekday()]
    between = [folded[weekday.end : day.start] for day in same if day.start > weekday.end]
    return any("(" in words and not re.search(r"\d[.:]\d\d|\)", words) for words in between)


def _over_the_weekend(days: list[Period], folded: str) -> list[Period]:
    """The days, a Monday or Tuesday named right after the end of a week in the next one: "w piątek i w poniedziałek"."""
    found: list[Period] = []
    for day in days:
        before = found[-1] if found else day
        joined = re.fullmatch(r",? (?:i|oraz|a takze) (?:we? )?", folded[before.end : day.start]) is not None
        weekend = joined and _is_weekday(before, folded) and _is_weekday(day, folded) and before.first.weekday() >= _SATURDAY - 1
        goes_back = weekend and day.first < before.first and day.first.weekday() <= 1
        found.append(replace(day, first=day.first + timedelta(7), last=day.last + timedelta(7)) if goes_back else day)
    return found


def _of_each_week(days: list[Period], folded: str) -> list[Period]:
    """The days; of some weeks and one weekday in one breath these weeks: "Do końca sierpnia nie ma Mszy w niedzielę"."""
    season = [one for one in days if (one.last - one.first).days > _WEEKS_OF_SEASON]
    weekday = [one for one in days if _is_weekday(one, folded)]
    together = len(season) == len(weekday) == 1 and len(days) == 2
    return season if together and _is_in_one_breath(season[0], weekday[0], folded) else days


def _with_months(days: list[Period], folded: str, issued: date) -> list[Period]:
    """The months or seasons of a text without other days but a weekday: from that on, or of each of their weeks."""
    seasons = _months(folded, issued) if not days or _is_weekday(days[0], folded) else []
    seasons = [one for one in seasons if not days or (one.last - one.first).days > _WEEKS_OF_SEASON]
    if not days or not seasons:
        return days or seasons or [*_masses_of_weekdays(folded, issued)]
    [day], season = days, seasons[0]
    if _FROM.search(folded[: day.start]) and day.start < season.start:
        return [replace(season, start=day.start, first=max(season.first, day.first))]
    return [season] if _is_in_one_breath(season, day, folded) else days


def _masses_of_weekdays(folded: str, issued: date) -> Iterator[Period]:
    """The next such days, of a text that tells no others: "wtorkowa Msza się nie odbędzie"."""
    for match in _MASS_OF_WEEKDAY.finditer(folded) if not _MEANWHILE.search(folded) else ():
        day = issued + timedelta((weekday_number(match[1]) - issued.weekday() - 1) % 7 + 1)
        yield Period(match.start(), match.end(), day, day)


def _is_weekday(day: Period, folded: str) -> bool:
    """Whether a day is told by the name of a weekday alone, which may be that of each week of a season."""
    return day.is_day and re.fullmatch(rf"(?:(?!za )\w+ )?{_WEEKDAY}", folded[day.start : day.end]) is not None


def _is_in_one_breath(one: Period, other: Period, folded: str) -> bool:
    return re.search(r"[,;:–(]", folded[min(one.end, other.end) : max(one.start, other.start)]) is None


def _months(folded: str, issued: date) -> list[Period]:
    """Whole months, or the first day of one: "w lipcu", "od września"."""
    return list(whole_months(folded, issued)) or list(periods(folded, issued)) or list(months_that_begin(folded, issued))


def _is_today(vague: Period, text: str) -> bool:
    """Whether a weekday is the day of issue, called by its name: "dziś niedziela", "dzisiejsza niedziela to II niedziela ..."."""
    head = text[: vague.start]
    return (
        text.startswith(" dzisiejsz", vague.end)
        or _TODAY_IS.search(head) is not None
        or (text.startswith("niedziel", vague.start) and bool(_TODAY_CALLED.search(head)))  # not "za tydzień w niedzielę"
    )


def _behind(vague: Period, precise: list[Period], issued: date) -> Period:
    """A weekday named after a day that is a week away is the one that follows it: "w Wielkanoc ..., w poniedziałek ..."."""
    earlier = [p.first for p in precise if p.end <= vague.start and p.first - issued >= timedelta(7) and p.first == p.last]
    if not earlier or vague.first != vague.last or vague.first > max(earlier) or max(earlier).weekday() == vague.first.weekday():
        return vague
    later = max(earlier) + timedelta((vague.first.weekday() - max(earlier).weekday()) % 7)
    return replace(vague, first=later, last=later)


def _begun(period: Period, folded: str, issued: date) -> Period:
    """A period of which only the end is given ("do końca stycznia") with its beginning: now."""
    if period.first < period.last or period.last <= issued or not _NO_START.search(folded[: period.start]):
        return period
    return replace(period, first=issued)


def _excepted(text: str, folded: str, issued: date) -> Iterator[Period]:
    """Days named after "z wyjątkiem", several joined by "i"; weekdays are those of every week."""
    for intro in _EXCEPT.finditer(folded):
        leads, end = _LEADS_EXCEPTION, intro.end()
        reach = intro.end() + _LONGEST_EXCEPTION
        near = [
            replace(day, start=day.start + intro.start(), end=day.end + intro.start())
            for day in _read_days(text[intro.start() : reach], issued)
        ]
        every = [Period(match.start(), match.end(), issued, issued) for match in _WEEKDAYS.finditer(folded, intro.end(), reach)]
        for period in sorted((*near, *every), key=lambda one: one.start):
            if leads.fullmatch(folded[end : period.start]) is None:
                break
            name = re.match(rf"{_WEEKDAY}|{_WEEKDAYS.pattern}", folded[period.start :])
            weekly = name is not None and not period.is_dated(folded)
            day = issued + timedelta((weekday_number(name[0]) - issued.weekday()) % 7) if name and weekly else None
            first, last = (day, day) if day else (period.first, period.last)
            yield replace(period, start=end, first=first, last=last, left_out=True, is_weekly=weekly)
            leads, end = _AND_ALSO, period.end


def cut_out(periods: Sequence[Period], gone: Iterable[Period]) -> list[Period]:
    """What is left of periods, in order.

    Args:
        periods: of which single days, and those longer than two months, stay as they are.
        gone: days that are cut out; a weekday without a date is cut out of every week.
    """
    left = list(periods)
    for day in gone:
        left = [part for period in left for part in _cut(period, day)]
    return left


def _cut(period: Period, gone: Period) -> list[Period]:
    days = [period.first + timedelta(n) for n in range((period.last - period.first).days + 1)]
    if len(days) == 1 or len(days) > _LONGEST_CUT:
        return [period]
    edges = [day for day in days if (day.weekday() == gone.first.weekday() if gone.is_weekly else gone.first <= day <= gone.last)]
    starts = [period.first, *(day + timedelta(1) for day in edges)]
    ends = [*(day - timedelta(1) for day in edges), period.last]
    return [replace(period, first=first, last=last) for first, last in zip(starts, ends, strict=True) if first <= last]


def _ordinal(text: str, issued: date) -> Iterator[Period]:
    """First weekdays of a month, and of Advent."""
    for match in _ORDINAL_WEEKDAY.finditer(text):
        if _OF_SEASON.match(text[match.end() :]) or AFTER_HOLIDAYS.match(text, match.end()):
            continue
        day = issued + timedelta(1)
        while day.weekday() != weekday_number(match[2]) or (day.day > 7):
            day += timedelta(1)
        yield Period(match.start(), match.end(), day, day)
    for match in _OF_ADVENT.finditer(text):
        begins = advent(issued.year)
        day = begins + timedelta((weekday_number(match[1]) + 1) % 7)
        yield Period(match.start(), match.end(), day, day)


def _relative(text: str, written: str, issued: date) -> Iterator[Period]:
    yield from _ordinal(text, issued)
    for match in _RELATIVE_WEEKDAY.finditer(text):
        if _OF_SEASON.match(text[match.end() :]):
            continue
        if _is_every_week(match[2], written[match.start(2) : match.end(2)], match[1], text[: match.start()]):
            continue
        day = issued + timedelta((weekday_number(match[2]) - issued.weekday() - 1) % 7 + 1)
        next_week = text.startswith(" za tydzien", match.end()) or (match[1] or "").startswith("za ")
        if next_week and day - issued < timedelta(7):
            day += timedelta(7)
        if AFTER_HOLIDAYS.match(text, match.end()) and (ends := end_of_holidays(issued)):
            day = ends + timedelta((weekday_number(match[2]) - ends.weekday() - 1) % 7 + 1)
        yield Period(match.start(), match.end(), day, day)
    for match in _SHORT_WEEKDAY.finditer(text):
        day = issued + timedelta((SHORT_WEEKDAYS[match[1]] - issued.weekday() - 1) % 7 + 1)
        yield Period(match.start(), match.end(), day, day)
    for match in _MONTH_END.finditer(text):
        month = month_number(match[1]) if match[1] else issued.month
        first = near(issued, month, 28, None) or issued
        day = (first.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)
        yield Period(match.start(), match.end(), day, day)
    for match in _WORDS.finditer(text):
        beside = _OF_WEEKDAY.search(text[: match.start()]) or _TO_WEEKDAY.match(text, match.end())
        if match[1] == "za tydzien" and beside:
            continue
        after, until = {
            "jutro": (1, 1),
            "jutra": (1, 1),
            "pojutrze": (2, 2),
            "w tym tygodniu": _rest_of_week(issued),
            "za tydzien": (7, 7),
        }.get(match[1] or "", _rest_of_week(issued) if "przez" in match[0] else (0, 0))
        yield Period(match.start(), match.end(), issued + timedelta(after), issued + timedelta(until))


def _rest_of_week(issued: date) -> tuple[int, int]:
    """First and last day of "this week", counted from the day of issue: on weekends the week that begins."""
    if issued.weekday() < _SATURDAY:
        return 0, _SATURDAY - issued.weekday()
    monday = 7 - issued.weekday()
    return monday, monday + 5


def _is_every_week(folded: str, written: str, adjective: str | None, before: str) -> bool:
    """Whether a weekday is meant in general: "w niedziele" (not "w niedzielę"), "w środy", "w drugą sobotę miesiąca"."""
    if folded == "niedziele" and written == folded and not adjective:
        return True
    plural = folded in ("srody", "soboty") and _GENITIVE.search(before) is None
    return plural or _ORDINAL_BEFORE.search(before) is not None


def _without_overlaps(periods: list[Period]) -> list[Period]:
    kept: list[Period] = []
    for period in periods:
        if not any(period.start < other.end and other.start < period.end for other in kept):
            kept.append(period)
    return kept


def _is_week(period: Period) -> bool:
    """Whether it is "w tym tygodniu", which a day named beside it makes precise."""
    return period.last - period.first == timedelta(5)


def _contradicts(vague: Period, precise: Period, text: str) -> bool:
    """Whether a weekday beside a date is not that of the date: a slip, or an announcement of another year."""
    between = text[min(vague.end, precise.end) : max(vague.start, precise.start)]
    days = {(precise.first + timedelta(n)).weekday() for n in range((precise.last - precise.first).days + 1)}
    named = text[vague.start : vague.end]
    is_weekday = vague.first == vague.last and (re.search(_WEEKDAY, named) or _SHORT_WEEKDAY.match(named + " ")) is not None
    if vague.start > precise.end and _DATE_NEXT.match(text[vague.end :]):  # "poniedziałek 7.04 – czwartek 10.04"
        return False
    return is_weekday and vague.first.weekday() not in days and re.fullmatch(r" ?[,(–-]? ?", between) is not None


def _explains(vague: Period, text: str) -> bool:
    """Whether a weekday only explains a date before it: "24-26 marca, tj. piątek, sobota, niedziela"."""
    return _THAT_IS.search(text[: vague.start]) is not None


def _touch(vague: Period, precise: Period, text: str) -> bool:
    between = text[min(vague.end, precise.end) : max(vague.start, precise.start)]
    return precise.first.weekday() == vague.first.weekday() and len(between.strip(" ,(-–")) <= _BETWEEN


def _joined(periods: list[Period], text: str, issued: date) -> list[Period]:
    """Join "od A do B" and "A – B"; "od niedzieli do środy" said on a Sunday begins now."""
    joined: list[Period] = []
    for period in periods:
        before = joined[-1] if joined else None
        between = text[before.end : period.start].strip(" ,)") if before else ""
        is_range = bool(before) and _UNTIL.fullmatch(between) is not None
        if before and is_range and period.last >= before.first:
            joined[-1] = Period(before.start, period.end, before.first, period.last)
        elif before and is_range and issued == before.first - timedelta(7):
            joined[-1] = Period(before.start, period.end, issued, period.last)
        else:
            joined.append(period)
    return joined
