"""Feasts by name, and the words beside a name that mean another day: the one place where both are known. Folded text.

A feast's name is not its day where a word beside it moves it: "wigilia", "w przeddzień", "dzień po", "sobota przed", "drugi
dzień", "oktawa". Announcements ask `feasts`; questions, whose feasts have names of their own (finding.feasts), ask `moved`.
Belongs here: names and words. Not here: the calendar (church_calendar).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from importlib import resources
from typing import Final

from mass_pipeline.reading.words.church_calendar import day_of, easter
from mass_pipeline.reading.words.period import Period, gap
from mass_pipeline.reading.words.weekday_patterns import WEEKDAY, WEEKDAY_STEMS

_DAY: Final = timedelta(1)


_Days = Callable[[date], tuple[date, date] | None]  # of the day of a feast: first and last day meant


_WIGILIA: Final = "wigili"
_OF: Final = (  # between a word that moves a feast and its name, or before a name that is a dedication too
    r"(?:(?:uroczystosc\w*|swie(?:t[oaeu]|ci)\w*|swiat|dni(?:a|u|em)?|dzien|niedziel[aei]|odpustu|najswietszej|maryi|panny|nmp|matki|bozej|boskiej"
    r"|swietych|swietego|swietym\w?|sw\.?|apostolow|naszego|pana|pol)[^\w,;:()–]+)*"
)
_CALLED: Final = re.compile(rf"\b(?:(?:uroczystosc\w*|swiet[oau]\w*|dzien|dniu)\W+){_OF}$")
_DEDICATED: Final = re.compile(
    r"\b(?:parafi[aeio]?[ai]?|kosci(?:ol|ele)\w*|kaplic\w*|bazylik\w*|sanktuari\w*|pw|p\.w|wezwani\w*)\.? $"
)
_TABLE: Final = tomllib.loads(resources.files(__package__).joinpath("feasts.toml").read_text(encoding="utf-8"))["feast"]
_ALL: Final = re.compile("|".join(row[key] for row in _TABLE for key in ("alone", "called") if key in row))
_NAMES: Final = tuple(  # as they stand alone, as they are called, the rule of the date
    (re.compile(row.get("alone", "(?!)")), re.compile(row.get("called", "(?!)")), row["date"]) for row in _TABLE
)
_MIDNIGHT_MASS: Final = re.compile(r"\bpasterk\w+|\bmsz\w+ (?:sw\w*\.? )?pastersk\w+")
# A procession of the Resurrection may also end the Paschal Vigil: the day beside it counts.
_EASTER_MORNING: Final = re.compile(r"\brezurekc\w+")

_ORDINAL: Final = {"pierwsz": 0, "i": 0, "1": 0, "drug": 1, "ii": 1, "2": 1, "trzeci": 2, "iii": 2, "3": 2}
_NUMBERS: Final = {"jeden": 1, "dwa": 2, "trzy": 3, "cztery": 4, "piec": 5, "szesc": 6, "siedem": 7, "osiem": 8, "dziewiec": 9}
_LONGEST_SIGN: Final = 3  # "iii"
_NTH: Final = r"(pierwsz\w*|drug\w*|trzeci\w*|i{1,3}|[123])\.?"
_LEAD: Final = rf"[^\w,;:()–]+{_OF}$"
_BEFORE_OR_AFTER: Final = r"(?:(?P<before>przed|poprzedzajac\w+|before)|po|nastepujac\w+ po|after)"
_EVE: Final = re.compile(rf"\b(?:wigili[aeio]\w{{0,2}}|przed ?(?:dzien|edni\w)|przedednia|noc|nocy|eve of)(?: dnia)?{_LEAD}")
# "dzień po", "następnego dnia po", "w dniu poprzedzającym", "dwa dni przed", "przez siedem dni przed", "na tydzień przed"
_DAYS_BESIDE: Final = re.compile(
    r"\b(?:(?P<all>przez|within) )?(?:(?P<nth>pierwsz\w*|drug\w*|trzeci\w*|na drugi) |(?:nastepn|kolejn|poprzedni|ostatni)\w* )?"
    rf"(?:(?P<number>{'|'.join(_NUMBERS)}|\d) )?(?:(?P<week>tydzien|tygodnie|tygodni|weeks?)|(?P<within>tygodniu)|nazajutrz"
    r"|(?:dzien|dnia|dniu|dniem|dni|noc|wieczor\w*|days?))(?: (?:nastepn|poprzedni)\w*)? "
    rf"{_BEFORE_OR_AFTER}{_LEAD}"
)
_COUNTED: Final = re.compile(  # "czterdziestego dnia po": counted, not told
    r"(?:(?:pierwsz|drug|trzec|czwart|piat|szost|siodm|osm|wiat|siat|dziest|nast|setn)(?:ego|iego|y|i|ym|im)|\d\.?) $"
)
_WEEKDAY_BESIDE: Final = re.compile(
    rf"\b(?:{_NTH} )?(?P<day>(?:{WEEKDAY})\w*|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    rf"\W+(?:bezposrednio |zaraz )?{_BEFORE_OR_AFTER}{_LEAD}"
)
_ENGLISH: Final = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_NTH_DAY: Final = re.compile(rf"\b{_NTH}(?:(?: i| oraz|,) {_NTH})? (?:dzien|dnia|dniu|dzionek|swieto|day)(?: swiat| of)?{_LEAD}")
_BOTH_DAYS: Final = re.compile(r"\bw (?:oba |obydwa |te )?(?:dni )?swieta \W*$")
_OCTAVE_OF: Final = re.compile(
    r"\b(?:(?P<all>w ciagu|podczas|przez|within)|(?P<end>zakonczeni\w+|koniec|konca|ostatni dzien)|w)"
    rf" (?:(?:cala|calej|the) )?(?:(?P<day>oktawe)|oktaw\w+|octave of){_LEAD}"
)
# Days near a feast, none of which is told: "po Bożym Ciele", "w okresie Bożego Narodzenia", "przygotowanie do świąt".
_AROUND: Final = re.compile(
    r"\b(?:przed|po|oktaw\w*|okres\w*|(?<!do )czas\w*|okolo|wokol|miedzy|pomiedzy|przygotowa\w+ do)" + _LEAD
)
_REACH: Final = 90  # characters before a name that may move it
_CHRISTMAS, _EASTER = "narodz", ("wielkanoc", "zmartwychwst")

# "Ze względu na późny wieczór sylwestrowy pierwsza Msza o 10.00": the night before the day that is spoken of.
_NIGHT_BEFORE: Final = re.compile(
    r"\b(?:po|(?:ze wzgledu|z uwagi) na|z powodu|z racji|w zwiazku ze?) (?:[a-z]+ ){0,3}sylwestrow\w+(?! msz)"
)
_NEXT_BUT_ONE: Final = timedelta(14)
_NAMED_TOGETHER: Final = 20  # characters between a feast and its weekday
_KEPT_ON_ANOTHER_DAY: Final = timedelta(10)  # a feast named beside a day this near is kept on that day
_UNTIL: Final = re.compile(r"\bdo (?:czasu )?$")
AFTER_HOLIDAYS: Final = re.compile(r" po (?:swietach|wielkanocy|bozym narodzeniu)\b")
_SOON: Final = timedelta(21)
_BESIDE: Final = 30  # characters between a feast and its date
_LENT: Final = timedelta(46)
_STILL_SPOKEN_OF: Final = timedelta(7)
_DAY_OF_HOLIDAYS: Final = re.compile(rf"\b{_NTH}(?:(?: i| oraz|,) {_NTH})? (?:(?:dzien|dniu|dnia) swiat\b|swieto(?=:))")


@dataclass(frozen=True, slots=True)
class Moved:
    """What the words beside the name of a feast make of its day.

    Attributes:
        start: where these words begin; that of the name where there are none.
        days: of the day of the feast: first and last day meant, None where the words tell no day ("po Bożym Ciele").
        is_eve: whether the evening or the day before is meant.
    """

    start: int
    days: _Days
    is_eve: bool = False

    @property
    def is_moved(self) -> bool:
        """Whether any word moves the feast."""
        return self.days is not _same


def _same(day: date) -> tuple[date, date]:
    return day, day


def _none(day: date) -> None:
    return None


def _after(first: int, last: int | None = None) -> _Days:
    return lambda day: (day + timedelta(first), day + timedelta(first if last is None else last))


def moved(folded: str, start: int) -> Moved:
    """The words before the name of a feast that mean another day than its own.

    Args:
        folded: text without accents, in lower case; questions may have any signs between words.
        start: where the name begins.

    >>> found = moved("w sobote przed niedziela palmowa", 15)
    >>> found.start, found.days(date(2026, 3, 29))
    (2, (datetime.date(2026, 3, 28), datetime.date(2026, 3, 28)))
    >>> moved("w drugi dzien swiat bozego narodzenia", 20).days(date(2026, 12, 25))[0]
    datetime.date(2026, 12, 26)
    """
    since = max(0, start - _REACH)
    before = folded[since:start]
    found = _moved(before)
    return Moved(since + found[0], found[1], found[1] is _eve) if found else Moved(start, _same)


_eve: Final = _after(-1)


def _moved(before: str) -> tuple[int, _Days] | None:
    """Where the words begin that move a feast named right behind a text, and the days that they mean."""
    if match := _WEEKDAY_BESIDE.search(before):
        weekday, is_before = _weekday(match["day"]), match["before"] is not None
        later = timedelta(7 * (_ordinals(match[1])[0] if match[1] else 0))
        return match.start(), lambda day: _same(_nearest(day, weekday, is_before=is_before) + later)
    if match := _DAYS_BESIDE.search(before):
        return match.start(), _none if _COUNTED.search(before, 0, match.start()) else _days_beside(match)
    if match := _EVE.search(before):
        return match.start(), _eve
    if match := _NTH_DAY.search(before):
        return match.start(), _after(*_ordinals(*match.groups()))
    if match := _OCTAVE_OF.search(before):
        return match.start(), _after(7) if match["end"] or (match["day"] and not match["all"]) else _after(0, 7)
    match = _AROUND.search(before)
    return (match.start(), _none) if match else None


def _days_beside(match: re.Match[str]) -> _Days:
    """The days of "dwa dni po", "przez tydzień przed", "pierwszego dnia po", "na drugi dzień po"."""
    number, nth = match["number"] or "", match["nth"]
    count = _NUMBERS.get(number) or int(number or 1)
    if nth and not nth.startswith("na "):  # "na drugi dzień" is the next one
        count = _ordinals(nth)[0] + 1
    count *= 7 if match["week"] or match["within"] else 1
    if match["all"] or match["within"]:
        return _after(-count, -1) if match["before"] else _after(1, count)
    if match["before"]:
        return _eve if count == 1 else _after(-count)
    return _after(count)


def _ordinals(*words: str) -> tuple[int, int]:
    """The first and last of the days, counted from 0, that "drugi dzień", "pierwszy i drugi dzień" mean."""
    stems = [next(stem for stem in _ORDINAL if word.rstrip(".") == stem or (len(stem) > _LONGEST_SIGN and word.startswith(stem)))
             for word in words if word]  # fmt: skip
    return min(_ORDINAL[stem] for stem in stems), max(_ORDINAL[stem] for stem in stems)


def _weekday(word: str) -> int:
    return next(at % 7 for at, stem in enumerate((*WEEKDAY_STEMS, *_ENGLISH)) if word.startswith(stem))


def _nearest(day: date, weekday: int, *, is_before: bool) -> date:
    """The nearest such day of the week before or after a feast."""
    if is_before:
        return day - timedelta((day.weekday() - weekday) % 7 or 7)
    return day + timedelta((weekday - day.weekday()) % 7 or 7)


def end_of_holidays(issued: date) -> date | None:
    """The last day of Easter or Christmas that is meant by "po świętach" on a day, None where neither is near.

    >>> end_of_holidays(date(2026, 3, 29)), end_of_holidays(date(2026, 6, 7))
    (datetime.date(2026, 4, 6), None)
    """
    ends = easter(issued.year) + _DAY, date(issued.year, 12, 26)
    return next((day for day in ends if timedelta(0) <= day - issued <= _SOON), None)


def feasts(text: str, issued: date, dates: Sequence[Period], weekdays: Sequence[Period]) -> list[Period]:
    """The days that feasts and the words beside them name, in no order.

    Args:
        text: folded.
        issued: day of the announcement.
        dates: that the text gives; a feast beside one ("26 grudnia, drugi dzień świąt") only explains it.
        weekdays: days named without a date; a feast called so beside another day near it is kept on that day.
    """
    text = _NIGHT_BEFORE.sub(lambda match: " " * len(match[0]), text)
    masses = [replace(one, is_mass=True) for one in _on(_MIDNIGHT_MASS, text, issued, "12-24")]
    alone, called = list[Period](), list[Period]()
    if _ALL.search(text):
        for name, dedication, rule in _NAMES:
            alone += [one for one, _ in _named(name, text, issued, rule)]
            called += [one for one, _ in _named(dedication, text, issued, rule, needs_call=True)]
    holidays = list(_days_of_holidays(text, issued))
    longest = _longest([*alone, *called, *holidays])
    of_names = [one for one in longest if one not in called] or list(_on(_EASTER_MORNING, text, issued, "e0"))
    of_calls = [one for one in longest if one in called and not any(_is_kept_on(day, one, text) for day in (*dates, *weekdays))]
    told = [
        one
        for one in (*masses, *of_names)
        if _UNTIL.search(text[: one.start]) or not any(gap(one, other) <= _BESIDE for other in dates)
    ]
    return [one for one in (*told, *of_calls) if one.first <= one.last]


def moved_feasts(text: str, today: date) -> Iterator[tuple[Period, Moved]]:
    """The next days from today on that feasts with words beside them mean, each with these words; no feast of any other name.

    Args:
        text: folded.
        today: the day that is asked from.
    """
    for name, dedication, rule in _NAMES if _ALL.search(text) else ():
        for pattern in (name, dedication):
            told = _named(pattern, text, today, rule, needs_call=True, back=timedelta(0))
            yield from ((days, beside) for days, beside in told if beside.is_moved and days.first <= days.last)


def _named(
    pattern: re.Pattern[str],
    text: str,
    issued: date,
    rule: str,
    *,
    needs_call: bool = False,
    back: timedelta = _STILL_SPOKEN_OF,
) -> Iterator[tuple[Period, Moved]]:
    """Feasts of one name with the words that move them; one whose words tell no day is a period that ends before it begins."""
    for match in pattern.finditer(text):
        if _DEDICATED.search(text, max(0, match.start() - _REACH), match.start()):
            continue
        beside = moved(text, match.start())
        call = _CALLED.search(text, max(0, match.start() - _REACH), match.start())
        if needs_call and call is None and not beside.is_moved:
            continue
        start = min(beside.start, call.start() if call else match.start())
        days = beside.days
        if _BOTH_DAYS.search(text[: match.start()]) and (_CHRISTMAS in match[0] or match[0].startswith(_EASTER)):
            days = _after(0, 1)
        yield Period(start, match.end(), *_coming(rule, issued, days, match[0], back)), beside


def _coming(
    rule: str, issued: date, days: _Days = _same, name: str = "", back: timedelta = _STILL_SPOKEN_OF
) -> tuple[date, date]:
    """The next such days, or those that were a week ago at most; where none are told, a stretch that ends before it begins."""
    if name.startswith(_WIGILIA) and "paschal" not in name and timedelta(0) < easter(issued.year) - issued <= _LENT:
        return _same(easter(issued.year) - _DAY)  # "Wieczorem Wigilia" in the Holy Week is not that of Christmas
    told = (days(day_of(rule, year)) for year in (issued.year - 1, issued.year, issued.year + 1))
    coming = next((one for one in told if one is not None and one[1] >= issued - back), None)
    is_of_another = coming and name.startswith(_WIGILIA) and coming[0] - issued > _LENT  # "w wigilię odpustu", in August
    return (issued, issued - _DAY) if coming is None or is_of_another else coming


def _on(pattern: re.Pattern[str], text: str, issued: date, rule: str) -> Iterator[Period]:
    for match in pattern.finditer(text):
        yield Period(match.start(), match.end(), *_coming(rule, issued))


def _days_of_holidays(text: str, issued: date) -> Iterator[Period]:
    """Days of Christmas or Easter, whichever comes next."""
    for match in _DAY_OF_HOLIDAYS.finditer(text):
        first, last = _ordinals(*match.groups())
        coming = (day for year in (issued.year, issued.year + 1) for day in (easter(year), date(year, 12, 25)))
        day = next(day for day in coming if day >= issued - _DAY)
        yield Period(match.start(), match.end(), day + timedelta(first), day + timedelta(last))


def _longest(found: Sequence[Period]) -> list[Period]:
    """The periods without those that overlap a longer one: "wigilia" of "wigilia Bożego Narodzenia"."""
    kept: list[Period] = []
    for one in sorted(found, key=lambda period: period.start - period.end):
        if not any(gap(one, other) < 0 for other in kept):
            kept.append(one)
    return kept


def _is_kept_on(day: Period, feast: Period, text: str) -> bool:
    """Whether a day named with a feast is the one meant: near it in the year, or a date right before its name."""
    if day.first == feast.first or gap(day, feast) < 0:
        return False
    has_date = re.search(r"\d", text[day.start : day.end]) is not None
    if not has_date and _is_weekday_of(day, feast, text):
        return False
    explained = has_date and day.end <= feast.start and re.fullmatch(r"[\s,(–-]*(?:w )?", text[day.end : feast.start]) is not None
    return explained or abs(day.first - feast.first) <= _KEPT_ON_ANOTHER_DAY


def _is_weekday_of(day: Period, feast: Period, text: str) -> bool:
    """Whether a weekday beside a feast that comes a week or two later is that of the feast: "Święto Niepodległości w środę"."""
    later = timedelta(0) < feast.first - day.first <= _NEXT_BUT_ONE and day.first.weekday() == feast.first.weekday()
    between = text[min(day.end, feast.end) : max(day.start, feast.start)]
    return later and day.first == day.last and len(between.strip(" ,(-–")) <= _NAMED_TOGETHER
