"""Programmes over several lines: a line that names a day, and below it the hours of that day, one or a few a line.

Belongs here: which lines make a programme, and what its lines say. Not here: sentences (reading).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from mass_pipeline.announcement_grammar import phrases
from mass_pipeline.announcement_grammar.change import Doubt, ScheduleChange, on_its_day
from mass_pipeline.announcement_grammar.context import is_feast, names_season
from mass_pipeline.announcement_grammar.hours import clock_hours, without_asides
from mass_pipeline.announcement_grammar.lines import Line, Programme, without_days
from mass_pipeline.announcement_grammar.reports import is_report
from mass_pipeline.announcement_grammar.series import read_series, series_below
from mass_pipeline.language.dates import find_periods
from mass_pipeline.language.expressions import expression
from mass_pipeline.language.period import Period

_LONGEST_LINE: Final = 240  # characters
_LONGEST_HEADING: Final = 9  # words besides the day
_LEADS: Final = expression(r"(?:(?:(?:we?|na|od|do|dnia|uroczystosc)\b|<day_or_feast>|<weekday_beginning>)[.,: (–-]*)*")
_HOUR_FIRST: Final = expression(r"<at>\d{1,2}(?:[.:]\d\d\b|[⁰¹²³⁴⁵]⁰)|<clock> ?\d{1,2}\b")
_LABEL: Final = re.compile(r"(?!\d)[^\d:]{2,40}: ?(?=\D{0,12}\d{1,2}[.:]\d\d)|(?!\d)(?:[^\W\d]+ ){1,3}[–-] (?=\d{1,2}[.:]\d\d)")
_INTENTION: Final = re.compile(
    r"\+|†|\bsp\.|intencj|\bza \w+|dziekczyn|\bo (?:boz|bl|zdrow)\w*|\bo \w+ bl\b|greg|blog|r\. sm|rocz"
)
_BESIDE: Final = re.compile(r"\bze? \w+|\([^)]*\)")  # "z nauką", "(bez Mszy)": said of what stands before
_ONLY_HOURS: Final = re.compile(r"[\s,;i]*(?:\d{1,2}[.:]\d\d(?: ?\([^)]*\))?(?:,| i| oraz|;| ?\||\s*[-–—])?\s*)+\.?")
_FALLS_OUT: Final = expression(r"\((?=[^()]*<the_mass>)[^()]*<is_not>[^()]*\)")
_NAMES_LIST: Final = expression(
    r"(?:<order>|\bplan|\brozklad) (?:\w+ )?<of_masses>(?: sw\.)?[^.]*:\s*$|<masses>(?: <holy>)?[^.;:\d]*:\s*$"
)
_CHURCH: Final = re.compile(r"koscio|kaplic|parafi|fili")
_ADDED: Final = re.compile(r"pogrzeb|slub|dodatkow|prymicj|komuni")
_ENTRY: Final = expression(
    r"[\s,.:–|-]*(?:(?:<weekday_abbreviated>|\b(?:pn|ndz)\b)\.?)?[\s,.:–|-]*(?P<hour>\d{1,2}[.:]\d\d)"
    r"[\s,.:–|-]*(?=\+|†|za |o (?:zdr|bl|bo)|dziekcz|w int)"
)
_NEXT_ENTRY: Final = re.compile(r";(?=\s*[a-z][^;\d]*\d{1,2}[.:]\d\d)")
_PLACE_LABEL: Final = re.compile(r"[^:;\d]*: ")
_FEW: Final = 2
_LEAST_ROWS: Final = 3
_BETWEEN_COLUMNS: Final = " \t|-–—:"


def programmes(lines: Sequence[Line], counted: Mapping[int, date]) -> list[Programme]:
    """Programmes of a text in order; none in running prose.

    Args:
        lines: of the text.
        counted: by start of a line, the day from which its weekdays are counted.
    """
    found: list[Programme] = []
    is_list, at = False, 0
    while at < len(lines):
        line = lines[at]
        row = _row_of_intentions(line, counted[line.start])
        if row:
            below = _below(lines[at + 1 :], counted)
            found.append(replace(row, lines=(*row.lines, *below)))
            at += len(below) + 1
            continue
        series = series_below(line, lines[at + 1 :], counted)
        if series:
            found.append(series)
            at += len(series.lines)
            continue
        days = _heading_days(line, counted[line.start])
        below = _below(lines[at + 1 :], counted) if days else []
        if days and below:
            found.append(Programme(days, (line, *below), is_list))
            at += len(below) + 1
            continue
        rows = _table(lines[at:], counted)
        if rows:
            found += (replace(row, is_list=is_list) for row in rows)
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
    if not days or names_season(days) or phrases.NEGATION.search(line.words) or clock_hours(without_days(line.words, days)):
        return ()
    if line.words.rstrip().endswith(":") and all(day.first == day.last for day in days):
        return days
    short = len(re.findall(r"[^\W\d]{2,}", without_days(line.words, days))) <= _LONGEST_HEADING
    lead = line.words[: days[0].start]
    return days if short and (_LEADS.fullmatch(lead) is not None or is_feast(lead)) else ()


def _row_of_intentions(line: Line, since: date) -> Programme | None:
    """A day, an hour and an intention in one line, as a heading and the line below it: "14.10 śr. 8.00 za nauczycieli"."""
    days = tuple(find_periods(line.text, since)) if len(line.text) <= _LONGEST_LINE else ()
    if not days or _LEADS.fullmatch(line.words[: days[0].start]) is None:
        return None
    ends = days[-1].end if len(days) == 1 or days[0].first == days[-1].first else 0
    entry = _ENTRY.match(line.words, ends) if ends else None
    if entry is None:
        return None
    at = line.start + len(line.text) - len(line.text.lstrip()) + entry.start("hour")
    written = " ".join(line.text.split())
    heading = Line(line.start, at, written[: entry.start("hour")], line.words[: entry.start("hour")])
    first = Line(at, line.end, written[entry.start("hour") :], line.words[entry.start("hour") :])
    return Programme(days[:1], (heading, first), is_list=False)


def _below(lines: Sequence[Line], counted: Mapping[int, date]) -> list[Line]:
    """The lines with hours right below a heading."""
    found: list[Line] = []
    for line in lines:
        if len(line.text) > _LONGEST_LINE or _row_of_intentions(line, counted[line.start]):
            break
        label = _LABEL.match(line.words)
        names_day = _heading_days(line, counted[line.start]) or (
            label and find_periods(line.text[: label.end()], counted[line.start])
        )
        sunday = phrases.AS_SUNDAY.search(line.words) and not find_periods(line.text, counted[line.start])
        says = _HOUR_FIRST.match(line.words) or label or sunday or (not found and _names_list(line))
        if names_day or not says or is_report(line.text, line.words):
            break
        found.append(line)
    return found


def _names_list(line: Line) -> bool:
    """Whether the hours below a line are those of Masses: "Msze św. z obrzędem posypania głów:"."""
    return _NAMES_LIST.search(line.words) is not None and not phrases.OTHER.search(line.words) and not clock_hours(line.words)


def _table(lines: Sequence[Line], counted: Mapping[int, date]) -> list[Programme]:
    """Rows of a table: a day and nothing but hours after it, of one church or of several in columns; [] when it is none."""
    rows: list[Programme] = []
    for line in lines:
        if len(line.text) > _LONGEST_LINE:
            break
        days = tuple(find_periods(line.text, counted[line.start]))
        alone = len(days) == 1 and _LEADS.fullmatch(line.words[: days[0].start]) is not None
        if not alone or not _ONLY_HOURS.fullmatch(line.words[days[0].end :].strip(_BETWEEN_COLUMNS)):
            break
        rows.append(Programme(days, (line,), is_list=False))
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
        yield from read_series(programme, text[heading.start : below[-1].end][:quoted])
        return
    if not below:
        hours = sorted({hour.time for hour in clock_hours(without_days(heading.words, programme.days))})
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
            masses += [hour.time for hour in clock_hours(_apart(line.words)[0]) if hour.time not in masses]
    if masses:
        doubts: list[Doubt] = ["hours_left"] if "unknown" in kinds else []
        outside = all(phrases.AT_CEMETERY.search(line.words) for line, kind in zip(below, kinds, strict=True) if kind == "mass")
        whole = not outside and (len(masses) >= _FEW or is_list)
        is_event = "other" in kinds and not is_feast(heading.words)  # of one Mass among other things nobody takes the day for all
        doubts += [] if whole or is_event or outside else ["kind"]
        yield from _changes(programme.days, "order" if whole else "added", sorted(masses), quote, doubts)


def _entries(line: Line) -> list[Line]:
    """A line by its semicolons, each entry with the place that the line names: "cmentarz: Procesja – 11.45; Msza – 12.15"."""
    cuts = [mark.start() for mark in _NEXT_ENTRY.finditer(line.words)]
    label = _PLACE_LABEL.match(line.words)
    place = label[0] if label else ""
    starts, ends = [0, *(at + 1 for at in cuts)], [*cuts, len(line.words)]
    return [
        Line(line.start, line.end, line.text, (place if start else "") + line.words[start:end].strip())
        for start, end in zip(starts, ends, strict=True)
    ]


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
        yield from _changes(days, "cancelled", fallen, quote, ())
    if kind == "as_sunday":
        yield from _changes(days, "as_sunday", (), quote, ())
    elif kind == "intention" and not _ADDED.search(line.words):  # a funeral or wedding may be without Mass
        yield from _changes(days, "added", said[:1], quote, ("intention",))
    elif kind == "mass" and is_intentions and _ADDED.search(line.words):
        yield from _changes(days, "added", said, quote, ())


def _apart(words: str) -> tuple[str, str]:
    """The words of a line without those that tell what falls out, and these: a bracket, or a piece between commas."""
    match = _FALLS_OUT.search(words)
    if match is None:
        negation = phrases.NEGATION.search(words)
        if negation is None:
            return words, ""
        begins = max(words.rfind(mark, 0, negation.start()) for mark in (", ", "; ")) + 1
        ends = re.search(r"[,;] (?!i |o |\d)", words[negation.end() :])
        until = negation.end() + ends.start() if ends else len(words)
        return words[:begins] + " " * (until - begins) + words[until:], words[begins:until]
    return words[: match.start()] + " " * len(match[0]) + words[match.end() :], match[0]


def _changes(
    days: Sequence[Period], kind: phrases.Change, hours: Sequence[str], quote: str, doubts: Sequence[Doubt]
) -> Iterator[ScheduleChange]:
    for day in days:
        change = ScheduleChange(kind, day.first, day.last, tuple(hours), quote=quote)
        yield from (replace(one, doubts=tuple(doubts)) for one in on_its_day(change))
