"""Programmes over several lines: a day and below it the hours of that day, an hour and below it its days, the season of roraty.

Belongs here: lines without their marks, which of them make a programme, what they say, the days that are left of Advent.
Not here: sentences (reading).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes import phrases
from mass_pipeline.reading.changes.change import Change, Doubt, Part, ScheduleChange, on_its_day
from mass_pipeline.reading.changes.clauses import sentences
from mass_pipeline.reading.changes.details import weekdays_of
from mass_pipeline.reading.changes.hours import clock_hours, folded_sentence, mass_hours, without_asides
from mass_pipeline.reading.changes.phrases import is_feast, is_report, names_season
from mass_pipeline.reading.words.church_calendar import advent
from mass_pipeline.reading.words.dates import find_periods
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.period import Period, without_periods
from mass_pipeline.reading.words.spoken_hours import in_digits
from mass_pipeline.reading.words.weekday_patterns import OF_MONTH_TYPED

_PICTURES: Final = "\u2190-\u21ff\u25a0-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff"  # arrows, shapes, emoji: "➡ 19:00 Msza"
_MARK: Final = re.compile(
    rf"^\s*(?:\d{{1,2}}[.)/]\s+(?!(?:{OF_MONTH_TYPED}))|[a-z]\)\s+|[-–—•*·{_PICTURES}]\s*)*",
    re.I,
)
_MOST_ROWS: Final = 300  # lines of one programme; a Holy Week with every devotion has some sixty
_LONGEST_LINE: Final = 240  # characters
_MOST_WORDS: Final = 5  # of a line of dates: "III kwartał", "Szkoła nr 2"
_LEAST_DATES: Final = 2
_HEADS_DATES: Final = expression(r":\s*$|\b(?:dniach|terminach|datach|<weekdays>)\s*$")
_BRACKET: Final = re.compile(r"\([^()]*\)")
_WEEKDAYS_BETWEEN: Final = expression(r"\bod <of_weekday> do <of_weekday>")
_WEEK: Final = timedelta(7)
_SAID_BEFORE: Final = timedelta(9)  # roraty are announced on the last Sundays before Advent at the earliest
_OF_SEASON: Final = ("added", "order", "new_order", "moved")
_CHRISTMAS_EVE: Final = (12, 24)
_LONGEST_HEADING: Final = 9  # words besides the day
_LEADS: Final = expression(r"(?:(?:(?:we?|na|od|do|dnia|uroczystosc)\b|<day_or_feast>|<weekday_beginning>)[.,: (–-]*)*")
_HOUR_FIRST: Final = expression(r"<at>\d{1,2}(?:[.:]\d\d\b|[⁰¹²³⁴⁵]⁰)|<clock> ?\d{1,2}\b")
_MASSES_FIRST: Final = expression(r"<masses>(?: <holy>)?:? <at>\d")
_NONE_OF_PART: Final = expression(r"(?:<of_part> <the_mass>|<the_mass> <of_part>) <is_not>\W*$")
_WEEKDAY_OF_DATE: Final = expression(r"\d{1,2}\.(?:0?[1-9]|1[0-2])\.?,? \(?(?:<weekday>|<weekday_abbreviated>)")
_WEEKDAY_BEHIND: Final = expression(r"\s*[(,]? ?(?:<weekday>|<weekday_abbreviated>\.?)\)?")
_NAME_BEFORE_DAY: Final = re.compile(r"[a-z][a-z. ]{2,40}\(")  # "Świętej Rodziny (niedziela)"
_ONE_A_DAY: Final = expression("<one_mass_a_day>")
_LABEL: Final = re.compile(r"(?!\d)[^\d:]{2,40}: ?(?=\D{0,12}\d{1,2}[.:]\d\d)|(?!\d)(?:[^\W\d]+ ){1,3}[–-] (?=\d{1,2}[.:]\d\d)")
_INTENTION: Final = re.compile(
    r"\+|†|\bsp\.|intencj|\bza \w+|dziekczyn|\bo (?:boz|bl|zdrow)\w*|\bo \w+ bl\b|greg|blog|r\. sm|rocz"
)
_BESIDE: Final = re.compile(r"\bze? \w+|\([^)]*\)")  # "z nauką", "(bez Mszy)": said of what stands before
_ONLY_HOURS: Final = re.compile(r"[\s,;i]*(?:\d{1,2}[.:]\d\d(?: ?\([^)]*\))?(?:,| i| oraz|;| ?\||\s*[-–—])?\s*)+\.?")
_NAMES_LIST: Final = expression(
    r"(?:<order>|\bplan|\brozklad) (?:\w+ )?<of_masses>(?: sw\.)?[^.]*:\s*$|<masses>(?: <holy>)?[^.;:\d]*:\s*$"
)
_INSTEAD: Final = expression(r"<instead> (?:<of_part> )?(?:<the_mass>|(?:o )?<at>\d)[^\d]*\d")
_CHURCH: Final = re.compile(r"koscio|kaplic|parafi|fili")
_ADDED: Final = re.compile(r"pogrzeb|slub|dodatkow|prymicj|komuni")
_NEXT_ENTRY: Final = re.compile(r";(?=\s*[a-z][^;\d]*\d{1,2}[.:]\d\d)")
_FEW: Final = 2
_LEAST_ROWS: Final = 3
_BETWEEN_COLUMNS: Final = " \t|-–—:"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text.

    Attributes:
        start, end: where it stands in the text, its mark left out.
        text: as written.
        words: folded, hours in digits, of the same length.
    """

    start: int
    end: int
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Programme:
    """A day and its lines.

    Attributes:
        days: of the heading.
        lines: heading first.
        is_list: whether all Masses of the day are listed: a heading before says so.
        is_series: the heading tells the hour, the lines the days.
    """

    days: tuple[Period, ...]
    lines: tuple[Line, ...]
    is_list: bool
    is_series: bool = False


def lines_of(text: str) -> list[Line]:
    """Lines that are not blank, in order, without marks of lists."""
    found, start = [], 0
    for raw in text.splitlines(keepends=True):
        body = raw.rstrip()
        mark = _MARK.match(body)
        begins = start + (mark.end() if mark else 0)
        if body[begins - start :].strip():
            written = body[begins - start :]
            found.append(Line(begins, start + len(body), written, in_digits(folded_sentence(written))))
        start += len(raw)
    return found


def series_below(line: Line, below: Sequence[Line], counted: Mapping[int, date]) -> Programme | None:
    """ "Msze w następujące czwartki o 20.00:" with lines of dates below it; None of anything else.

    Args:
        line: that may be the heading.
        below: the lines after it.
        counted: by start of a line, the day from which its weekdays are counted.
    """
    if len(line.text) > _LONGEST_LINE or phrases.NEGATION.search(line.words):
        return None
    if _HEADS_DATES.search(line.words) is None:
        return None
    own = [day for day in find_periods(line.text, counted[line.start]) if day.is_dated(line.words)]
    if own or not phrases.MASS.search(line.words) or not mass_hours(line.words):
        return None
    days: list[Period] = []
    lines: list[Line] = []
    for one in below:
        dates = _dates_alone(one, counted[one.start])
        if not dates:
            break
        days += dates
        lines.append(one)
    return Programme(tuple(days), (line, *lines), is_list=False, is_series=True) if len(days) >= _LEAST_DATES else None


def _dates_alone(line: Line, since: date) -> list[Period]:
    """The days of a line that names days and hardly anything else; [] of any other."""
    if len(line.text) > _LONGEST_LINE:
        return []
    days = find_periods(line.text, since)
    rest = without_periods(line.words, days)
    if clock_hours(rest) or len(re.findall(r"[^\W\d]{2,}", rest)) > _MOST_WORDS:
        return []
    dated = all(day.is_day for day in days) and re.search(r"\d", line.words) is not None
    return days if dated else []


def roraty_season(folded: str, own: Sequence[Period], since: date, *, before: bool) -> list[Period]:
    """The days of Advent that are left, of a sentence with the hour of roraty and no day; [] of any other.

    Args:
        folded: the sentence.
        own: days it names.
        since: the day it is issued.
        before: whether the sentence before was one of these: "Dzieci zapraszamy na godzinę 18.00".
    """
    words = _BRACKET.sub("", folded)  # "7.00 (roraty)" of another list
    said = phrases.RORATY.search(words) or (before and phrases.INVITES_TO_HOUR.search(words))
    if phrases.EXCEPT.search(phrases.BUT_SUNDAYS.sub("", words)):
        return []
    begins, ends = advent(since.year), date(since.year, *_CHRISTMAS_EVE)
    single = [day for day in own if day.is_day]
    own = single if _WEEKDAYS_BETWEEN.search(words) and len(single) == 1 else own  # "od 30 listopada, od poniedziałku do soboty"
    lasts = len(own) == 1 and own[0].is_day and phrases.LASTING.search(folded[: own[0].start])
    begun = lasts and not phrases.MOVED.search(folded)
    if (own and not begun) or not said or not clock_hours(words) or phrases.NEGATION.search(folded):
        return []
    first = max([max(since, begins) + timedelta(1), *(day.first for day in own)])
    return [Period(0, 0, first, ends)] if begins - since <= _SAID_BEFORE and first <= ends else []


def rest_of_advent(told: Iterable[ScheduleChange], folded: str, before: str, since: date) -> Iterator[ScheduleChange]:
    """Roraty "od poniedziałku do piątku" in the weeks of Advent after the one that was read; a person confirms them.

    Args:
        told: changes of the sentence.
        folded: the sentence.
        before: those right before it, which may have named the roraty.
        since: the day it is issued.
    """
    between = _WEEKDAYS_BETWEEN.search(folded)
    if between is None or not phrases.RORATY.search(f"{before} {folded}") or advent(since.year) - since > _SAID_BEFORE:
        return
    ends = date(since.year, *_CHRISTMAS_EVE)
    for change in told:
        last = change.valid_to
        if change.kind in _OF_SEASON and last and last - change.valid_from < _WEEK and last < ends:
            details = replace(change.details, weekdays=weekdays_of(between[0]), is_of_roraty=True)
            yield replace(change, valid_from=last + timedelta(1), valid_to=ends, details=details)


def of_season(found: Sequence[ScheduleChange], series: Sequence[Period], *, named: bool) -> list[ScheduleChange]:
    """Masses of roraty as added on the days of the season; what else is said of days counts where the sentence names them."""
    kept = [one for one in found if named or one.kind in _OF_SEASON]
    ends = series[-1].last
    return [_over(one, series[0].first, ends) if one.kind in _OF_SEASON else one for one in kept]


def _over(change: ScheduleChange, first: date, ends: date) -> ScheduleChange:
    """A Mass of roraty on the days of the season, also where the clause names its first day alone."""
    begins = change.valid_from == change.valid_to == first
    kind: Change = "moved" if change.kind == "moved" else "added"
    return replace(change, kind=kind, valid_to=ends if begins or change.valid_to is None else change.valid_to)


def leaves_sundays_out(folded: str, own: Sequence[Period]) -> bool:
    """Whether the several days of a sentence are no Sundays: roraty, "codziennie oprócz niedziel"."""
    several = any(not day.is_day for day in own)
    return several and any(one.search(folded) for one in (phrases.RORATY, phrases.BUT_SUNDAYS))


def is_of_season(change: ScheduleChange) -> bool:
    """Whether a change is that of roraty for what is left of Advent."""
    ends = change.valid_to is not None and (change.valid_to.month, change.valid_to.day) == _CHRISTMAS_EVE
    return ends and change.valid_to != change.valid_from


def within_advent(change: ScheduleChange) -> ScheduleChange:
    """The change, roraty that are told without an end with the end of Advent; what they take the place of is left to a person."""
    ends = date(change.valid_from.year, *_CHRISTMAS_EVE)
    lasts = change.valid_to is None and change.valid_from <= ends and change.details.is_of_roraty
    if not lasts or phrases.MOVED.search(fold(change.quote)):
        return change
    return replace(change, kind="added" if change.kind == "new_order" else change.kind, valid_to=ends)


def days_without_roraty(folded: str, own: Sequence[Period], periods: Sequence[Period], quote: str) -> list[ScheduleChange]:
    """Days of which a sentence says that there are no roraty: those it names, or single days named before it.

    Args:
        folded: the sentence.
        own: days it names.
        periods: days it speaks of.
        quote: its words.
    """
    if not phrases.NO_RORATY.search(folded):
        return []
    days = (day for day in periods if day in own or day.is_day)
    return [ScheduleChange("no_roraty", day.first, day.last, quote=quote) for day in days]


def programmes(lines: Sequence[Line], counted: Mapping[int, date]) -> list[Programme]:
    """Programmes of a text in order; none in running prose.

    Args:
        lines: of the text.
        counted: by start of a line, the day from which its weekdays are counted.
    """
    found: list[Programme] = []
    is_list, at = False, 0
    while at < len(lines):
        line, *rest = lines[at : at + _MOST_ROWS]
        series = series_below(line, rest, counted)
        if series:
            found.append(series)
            at += len(series.lines)
            continue
        days = _heading_days(line, counted[line.start])
        below = _below(rest, counted) if days else []
        if days and below:
            found.append(Programme(days, (line, *below), is_list))
            at += len(below) + 1
            continue
        rows = _table(lines[at - 1].words if at else "", (line, *rest), counted)
        if rows:
            above = at and phrases.MASS.search(lines[at - 1].words) and clock_hours(lines[at - 1].words)  # a row with the word
            listed = is_list or bool(above and find_periods(lines[at - 1].text, counted[lines[at - 1].start]))
            found += (replace(row, is_list=listed or row.is_list) for row in rows)
            at += len(rows)
            continue
        of_churches = len(line.words.split()) <= _LONGEST_HEADING and len(_CHURCH.findall(line.words)) > 0
        if (phrases.ORDER.search(line.words) or of_churches) and not clock_hours(line.words):
            is_list = True
        at += 1
    return found


def _heading_days(line: Line, issued: date) -> tuple[Period, ...]:
    """Days of a line that names days and no hours; () of any other."""
    if len(line.text) > _LONGEST_LINE:
        return ()
    days = tuple(find_periods(line.text, issued))
    if not days or names_season(days) or phrases.NEGATION.search(line.words) or clock_hours(without_periods(line.words, days)):
        return ()
    if line.words.rstrip().endswith(":") and all(day.is_day for day in days):
        return days
    short = len(re.findall(r"[^\W\d]{2,}", without_periods(line.words, days))) <= _LONGEST_HEADING
    lead = line.words[: days[0].start]
    return days if short and (_LEADS.fullmatch(lead) is not None or is_feast(lead)) else ()


def _below(lines: Sequence[Line], counted: Mapping[int, date]) -> list[Line]:
    """The lines with hours right below a heading."""
    found: list[Line] = []
    for line in lines:
        if len(line.text) > _LONGEST_LINE:
            break
        label = _LABEL.match(line.words)
        names_day = _heading_days(line, counted[line.start]) or (
            label and find_periods(line.text[: label.end()], counted[line.start])
        )
        sunday = phrases.AS_SUNDAY.search(line.words) and not find_periods(line.text, counted[line.start])
        says = _HOUR_FIRST.match(line.words) or label or sunday or (not found and _names_list(line))
        goes_on = bool(found) and (_MASSES_FIRST.match(line.words) or _NONE_OF_PART.match(line.words))
        names_other = bool(names_day) or _WEEKDAY_OF_DATE.match(line.words) is not None
        if names_other or not (says or goes_on) or is_report(line.text, line.words):
            break
        found.append(line)
    return found


def _names_list(line: Line) -> bool:
    """Whether the hours below a line are those of Masses: "Msze św. z obrzędem posypania głów:"."""
    return _NAMES_LIST.search(line.words) is not None and not phrases.OTHER.search(line.words) and not clock_hours(line.words)


def _table(above: str, lines: Sequence[Line], counted: Mapping[int, date]) -> list[Programme]:
    """Rows of a table: a day and nothing but hours after it, of one church or of several in columns; [] when it is none.

    Args:
        above: words of the line before: where it names a column of Masses, only those count ("Dzień | Msza św. | Spowiedź").
        lines: that may be its rows.
        counted: by start of a line, the day from which its weekdays are counted.
    """
    masses = [at for at, name in enumerate(above.split("|")) if phrases.MASS.search(name)] if "|" in above else []
    rows: list[Programme] = []
    for line in lines:
        if len(line.text) > _LONGEST_LINE:
            break
        days = tuple(find_periods(line.text, counted[line.start]))
        lead = line.words[: days[0].start].lstrip(_BETWEEN_COLUMNS) if len(days) == 1 else None
        alone = lead is not None and any(one.fullmatch(lead) for one in (_LEADS, _NAME_BEFORE_DAY))
        if alone and masses:
            cells = line.words.split("|")
            line = replace(line, words="|".join(cell if at in masses else " " * len(cell) for at, cell in enumerate(cells)))
        behind = _WEEKDAY_BEHIND.match(line.words, days[0].end) if alone else None
        hours = line.words[behind.end() if behind else days[0].end :].strip(_BETWEEN_COLUMNS) if alone else ""
        if not _ONLY_HOURS.fullmatch(hours):
            break
        rows.append(Programme(days, (line,), is_list=bool(masses)))
    return rows if len(rows) >= _LEAST_ROWS else []


def read_programme(programme: Programme, text: str, quoted: int) -> Iterator[ScheduleChange]:
    """Changes a programme makes, with their doubts.

    Args:
        programme: as found in the text.
        text: the whole.
        quoted: most characters of a quote.
    """
    heading, *below = programme.lines
    if programme.is_series:
        series, quote = tuple(mass_hours(heading.words)), text[heading.start : below[-1].end][:quoted]
        yield from (ScheduleChange("added", day.first, day.last, series, quote=quote) for day in programme.days)
        return
    if not below:
        hours = sorted({hour.time for hour in clock_hours(without_periods(heading.words, programme.days))})
        yield from _changes(programme.days, "order", hours, heading.text[:quoted], () if programme.is_list else ("service",))
        return
    quote = text[heading.start : below[-1].end][:quoted]
    below = [entry for line in below for entry in _entries(line)]
    names_list = _names_list(heading) or _names_list(below[0])
    is_list = programme.is_list or names_list
    kinds = [_said(line, is_list) for line in below]
    is_intentions = any(kind == "intention" for kind in kinds)
    masses: list[str] = []
    for line, kind in zip(below, kinds, strict=True):
        yield from _of_line(programme.days, line, kind, line.text[:quoted], is_intentions=is_intentions)
        if kind == "mass" and not is_intentions:
            said = _apart(line.words)[0]  # an entry that opens with its hour is that of a Mass, whatever follows it
            times = [hour.time for hour in clock_hours(said)] if _HOUR_FIRST.match(said) else mass_hours(said)
            masses += [time for time in times if time not in masses]
    if masses:
        doubts: list[Doubt] = ["hours_left"] if "unknown" in kinds else []
        whole = len(masses) >= _FEW or is_list
        is_event = "other" in kinds and not is_feast(heading.words)  # of one Mass among other things nobody takes the day for all
        one_a_day = bool(_ONE_A_DAY.search(heading.words))
        doubts += [] if whole or is_event or one_a_day else ["kind"]
        yield from _changes(programme.days, "order" if whole else "added", sorted(masses), quote, doubts)


def _entries(line: Line) -> list[Line]:
    """The sentences of a line, cut at semicolons: "Procesja – 11.45; Msza – 12.15"."""
    found = (in_digits(folded_sentence(sentence)) for sentence in sentences(line.text))
    return [replace(line, words=words.strip()) for entry in found for words in _NEXT_ENTRY.split(entry)]


def _said(line: Line, is_list: bool) -> str:
    """What a line with hours says: `mass`, `cancelled`, `intention` (of a Mass there anyway), `other` or `unknown`."""
    written = without_asides(line.words)
    words = _BESIDE.sub(lambda match: " " * len(match[0]), written)
    service, mass, negation = (pattern.search(words) for pattern in (phrases.OTHER, phrases.MASS, phrases.NEGATION))
    if phrases.AS_SUNDAY.search(words) and not clock_hours(words):
        return "as_sunday" if not negation else "unknown"
    if negation and (service is None or negation.start() < service.start()):
        return "cancelled" if mass else "unknown"
    if mass and (service is None or mass.start() < service.start()):
        return "mass"
    if service:
        return "other"
    if _INTENTION.search(words):
        return "intention"
    label = _LABEL.match(words)
    rest = written[label.end() :] if label else written
    if is_list and _ONLY_HOURS.fullmatch(rest.strip()):
        return "mass"
    return "unknown"


def _of_line(days: Sequence[Period], line: Line, kind: str, quote: str, *, is_intentions: bool) -> Iterator[ScheduleChange]:
    """What a line says besides Masses of the day's list: what falls out, what comes to intentions, another day's order."""
    if kind == "other" and phrases.WITHOUT_MASS.search(line.words):  # "10.30 nauka dla dzieci (bez Mszy)"
        return
    said, fallen = ([hour.time for hour in clock_hours(words)] for words in _apart(line.words))
    if (kind == "cancelled" and (fallen or not phrases.AS_SUNDAY.search(line.words))) or (
        kind != "cancelled" and fallen
    ):  # not "7.30, 9.00 jak w niedzielę, wieczorem nie"
        part: Part = next((name for name, pattern in phrases.PARTS if not fallen and pattern.search(line.words)), "")
        yield from (replace(one, part=part) for one in _changes(days, "cancelled", fallen, quote, ()))
    if kind == "as_sunday":
        yield from _changes(days, "as_sunday", (), quote, ())
    elif kind == "intention" and not _ADDED.search(line.words):  # a funeral or wedding may be without Mass
        yield from _changes(days, "added", said[:1], quote, ("intention",))
    elif kind == "mass" and is_intentions and _ADDED.search(line.words):
        yield from _changes(days, "added", said, quote, ())


def _apart(words: str) -> tuple[str, str]:
    """The words of a line without those that tell what falls out, and these: a piece between commas, or a bracket."""
    negation, instead = phrases.NEGATION.search(words), _INSTEAD.search(words)
    if instead and not (negation and negation.start() < instead.start()):
        return words[: instead.start()], words[instead.start() :]
    if negation is None:
        return words, ""
    begins = max(words.rfind(mark, 0, negation.start()) for mark in (", ", "; ", "(")) + 1
    ends = re.search(r"[,;] (?!i |o |\d)|\)", words[negation.end() :])
    until = negation.end() + ends.start() if ends else len(words)
    return words[:begins] + " " * (until - begins) + words[until:], words[begins:until]


def _changes(
    days: Sequence[Period], kind: Change, hours: Sequence[str], quote: str, doubts: Sequence[Doubt]
) -> Iterator[ScheduleChange]:
    for day in days:
        change = ScheduleChange(kind, day.first, day.last, tuple(hours), quote=quote)
        yield from (replace(one, doubts=tuple(doubts)) for one in on_its_day(change))
