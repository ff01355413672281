"""Sheets of announcements: whether an article is one, and its single announcements. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mass_pipeline.model.document import Document, LineKind
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.changes.clauses import with_lines_whole
from mass_pipeline.reading.text.news import NewsRecord
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.weekday_patterns import OF_MONTH_TYPED
from mass_pipeline.reading.words.written_dates import is_date_line

_MARKED: Final = re.compile(  # not "3. Maja", the day of a date
    rf"^\s*(?:\d{{1,2}}[.)/](?!\s+(?:{OF_MONTH_TYPED}))|[a-z]\)|[-–•*])\s+(?=\S)",
    re.I,
)
_NUMBERED: Final = re.compile(r"(?m)^\s*\d{1,2}[.)]\s")
_SHEET_WORDS: Final = re.compile(r"oglosze|komunikat")
_LOOKED_BACK: Final = 40  # lines; programmes of a parish have fewer
_LEAST_ITEMS: Final = 3  # fewer lines are a single notice, or a row of links
_LEAST_WORDS: Final = 4
_LONGEST_HEADING: Final = 8  # words
_HOURS: Final = expression(
    r"<at>\d{1,2}[.:][0-5]\d\b(?![.\d])|<clock> ?\d{1,2}\b|(?:[a-z]+ ){0,2}[a-z]+ ?[:–-] ?\d{1,2}[.:][0-5]\d\b(?!.*[a-z]{3})"
)
_HOUR: Final = re.compile(r"\b\d{1,2}[.:]\d\d\b")
_SAME_DAYS: Final = expression(r"(?:w (?:tych |te )?dni(?:ach)?|tego dnia|w t[ey][mn] dni\w*)\b(?! <weekly_word>)")
_MASSES: Final = expression(r"<mass_alone> ")
_PROGRAMME: Final = expression(r"<the_mass>|<programme>")
_WEEKDAYS: Final = "(?:<weekday>|<weekday_abbreviated>|wielk|wigili|boze nar)"
_FEASTS: Final = "(?:i{1,2}|[12]|<first_or_last>) <day_or_feast>|<day_of_year>"
_DATE: Final = r"\d{1,2}[.](?:0[1-9]|1[0-2])\b|\d{1,2}\.? (?:<month>|[ivx]+\b)"
_DAY: Final = expression(rf"{_WEEKDAYS}|{_FEASTS}|{_DATE}")
_DATED_LINE: Final = expression(rf"(?:{_WEEKDAYS}\w*[.,]? )?(?:{_DATE})")
_ROW: Final = expression(
    rf"(?=[^:\d]{{0,40}}?(?:{_DAY.pattern}))[^:\d]{{3,44}}: ?(?:<masses> (?:<holy> )?)?<at>\d{{1,2}}[.:]\d\d"
)
_ENDS: Final = expression(r"[;:]|(?!<abbreviation_at_hour>)\b\w+\. ")  # of what is said of other days
_SAID_OF_DAY: Final = expression(r"<mass>|liturgi|<is_not>|<in_part>")
_EASTER: Final = expression(r"(?:w )?(?:<sunday> )?(?:zmartwychwst|wielkanocn?\w*(?! <monday>))")
_MONDAY: Final = expression(r"(?:w )?<monday>(?! wielkanoc)(?![,:–-]* ?\d{1,2}[. ](?!\d\d\b))")
_PASTERKA: Final = expression(r"<midnight_mass>|rezurekcj|<mass_alone> .*\d")


def is_sheet(news: NewsRecord, document: Document) -> bool:
    """Whether an article is a sheet of announcements: called so, or a list or numbered lines; else it is prose."""
    words = fold(" ".join((news.title, news.anchor, news.url, *news.headings[:1])))
    if _SHEET_WORDS.search(words):
        return True
    listed = sum(line.kind is LineKind.LIST_ITEM and line.text in news.text for line in document.lines)
    return max(listed, len(_NUMBERED.findall(news.text))) >= _LEAST_ITEMS


_folded = lru_cache(1_000)(fold)  # each line is asked for its words by those that follow


def announcement_items(main_text: str) -> list[str]:
    """Single announcements of a sheet: the lines of its main text, without their numbers and bullets.

    A line that only goes on stays with the one before, on a line of its own: hours below a day, days below the heading of a
    programme, bullets within a numbered announcement, Masses of an occasion named before.

    Returns:
        In order; empty when there are fewer than three of at least four words, which is a menu or a single notice.
    """
    items: list[list[str]] = []
    outer = ""
    numbered = False
    for line in with_lines_whole(main_text).splitlines():
        mark = _mark_of(line)
        outer = outer or mark
        text = _MARKED.sub("", line).strip()
        numbered = bool(text) and (mark == "1" or (numbered and not mark))
        if not text:
            continue
        below = numbered and not mark  # right below a numbered announcement
        if below or (
            items
            and _goes_on(
                _folded(text),
                [*items[-1][:1], *items[-1][1:][-_LOOKED_BACK:]],
                inner=mark not in ("", outer),
                outer=mark != "" and mark == outer,
            )
        ):
            items[-1].append(text)
        else:
            items.append([text])
    long = ["\n".join(lines) for lines in items if len(lines) > 1 or _is_said(lines[0])]
    return long if len(long) >= _LEAST_ITEMS else []


def _mark_of(line: str) -> str:
    """Kind of number or bullet before a line: "1" for numbers, "a" for letters, the bullet itself; "" for none."""
    match = _MARKED.match(line)
    first = match[0].strip()[0] if match else ""
    return "1" if first.isdigit() else "a" if first.isalpha() else first


def _goes_on(words: str, before: Sequence[str], *, inner: bool, outer: bool) -> bool:
    """Whether a line belongs to the announcement before it.

    Args:
        words: of the line, folded.
        before: lines of that announcement.
        inner: whether it has a mark of another kind than the announcements of the sheet.
        outer: whether it has their mark.
    """
    heads, last = _folded(before[0]), _folded(before[-1])
    is_programme = _is_heading(heads) or (len(before) > 1 and _DAY.match(heads) is not None)
    of_days_before = _speaks_of_days_before(words) and _DAY.search(fold(" ".join(before)))
    is_after_easter = _MONDAY.match(words) and _EASTER.match(heads)
    if of_days_before or is_after_easter:
        return True
    if _HOURS.match(words) and (before[-1].endswith(":") or _HOURS.match(last) or _is_day_alone(last)):
        return True
    if outer or inner:
        lists = any(line.endswith(":") for line in before) or _is_day_alone(heads)
        return (is_programme and _DAY.match(words) is not None) or (lists and inner)
    if any(row.match(last) and row.match(words) for row in (_DATED_LINE, _ROW)):  # of a table
        return True
    if _HOURS.match(words) or _SAME_DAYS.match(words):
        return True
    # "WIGILIA – 24 grudnia" / "Roraty o 7.00."
    if _SAID_OF_DAY.match(words) and _is_day_alone(heads) and not heads.endswith("."):
        return True
    if _MASSES.match(words):
        return _is_day_alone(heads)
    return is_programme and _DAY.match(words) is not None


def _speaks_of_days_before(words: str) -> bool:
    """Whether a line speaks of days named before it: "nie będzie w tych dniach Mszy o 7.00"."""
    match = _SAME_DAYS.search(words)
    head = words[: match.start()] if match else ""
    return match is not None and _ENDS.search(head) is None and _DAY.search(head) is None


def _is_day_alone(words: str) -> bool:
    return _DAY.match(words) is not None and _HOUR.search(words) is None


def _is_heading(words: str) -> bool:
    short = len(words.split()) <= _LONGEST_HEADING and not words.endswith(".")
    return words.endswith(":") or (short and _PROGRAMME.search(words) is not None and _HOUR.search(words) is None)


def _is_said(text: str) -> bool:
    """Whether a line alone is an announcement: long enough, or a Mass with its hour in few words."""
    if is_date_line(text):
        return False
    return len(text.split()) >= _LEAST_WORDS or _PASTERKA.search(fold(text)) is not None
