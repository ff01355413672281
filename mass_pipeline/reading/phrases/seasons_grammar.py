"""Seasons: named ones, months and their ranges, dates as borders, moveable borders."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from mass_pipeline.model.dates_of_year import (
    SUMMER,
    WINTER,
    YEAR,
    DatesOfYear,
    MonthDay,
    dates_of_months,
    is_day,
    length_of,
    months_from_to,
    span,
)
from mass_pipeline.reading.phrases.cursor import Cursor
from mass_pipeline.reading.phrases.nodes import Cond, InSeason, Season
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.lexer import Token
from mass_pipeline.reading.words.weekday_patterns import month_number

_VACATION: Final = dates_of_months((7, 8))
NAMED_DATES: Final = {
    "vacation": _VACATION,
    "school": YEAR & ~_VACATION,
    "summer": SUMMER,  # summer time: last Sunday of March to last Sunday of October
    "winter": WINTER,
    "yearly": YEAR,
    "academic": YEAR & ~dates_of_months((7, 8, 9)),
}
_QUARTERS: Final = {  # where spring or autumn is named too, summer and winter are three months long
    "spring": dates_of_months((3, 4, 5)),
    "summer": dates_of_months((6, 7, 8)),
    "autumn": dates_of_months((9, 10, 11)),
    "winter": dates_of_months((12, 1, 2)),
}
_MAY: Final = dates_of_months((5,))
_OCTOBER: Final = dates_of_months((10,))
_CHURCH_SEASONS: Final = frozenset({"advent", "lent", "christmasvisits"})  # without dates of their own
_MONTHS_OF_SEASON: Final = re.compile(r"(\d\d)-(\d\d)")
_STEM: Final = 8  # letters that the cases of a name share: "Wielkanoc", "Wielkanocy"
_ROMAN_VALUES: Final = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
    "vi": 6,
    "vii": 7,
    "viii": 8,
    "ix": 9,
    "x": 10,
    "xi": 11,
    "xii": 12,
}
_TO_DATE: Final = re.compile(r" ?(?:[-–—]|do) ?")
_DAY_MONTH: Final = re.compile(r"(\d{1,2})(?: ?[-–/] ?29)?[. ]{0,3}(\d{1,2}|[ivx]{1,4}|[^\W\d_]+)")
_AFTER_MONTHS: Final = ("colon", "dash", "semicolon", "slash", "bar", "hour", "op", "glue", "open")  # beside hours
_HAVE: Final = "mają"  # they have; folded it is the genitive of May
_CLASSES: Final = re.compile(r"\b(?:klas\w*|kl)\.?$")  # folded
_OF_ONE_YEAR: Final = re.compile(r"\d{4}|\.\d\d?\.\d\d")
SPAN_OF_DAYS: Final = re.compile(r"\d{1,2} ?[-–—] ?\d{1,2}")
_BORDER_KINDS: Final = ("month", "roman", "feast", "clock", "edge", "ordinal", "season", "border")


def parse_season(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """A part of the year at a position: `(condition, next position)` or None."""
    token = cursor.at(position)
    if token is None or (token.kind == "roman" and _counts_classes(cursor, position)):
        return None
    if token.kind == "complement" and token.value == "months":
        return InSeason(Season(None, rest=True), token.start, token.end), position + 1
    start = cursor.skip(position, "monthword", "glue") if token.kind == "monthword" else position
    months = [parsed for parsed in (_parse_range(cursor, start), _parse_months(cursor, start)) if parsed is not None]
    found = max(months, key=lambda parsed: parsed[1], default=None) or _parse_named(cursor, start)
    if found is None:
        return None
    season, end = found
    if season.borders and season.dates is None:
        season = replace(season, says=" ".join(part.text for part in cursor.tokens[start:end]))
    return InSeason(season, token.start, cursor.tokens[end - 1].end), end


def _counts_classes(cursor: Cursor, position: int) -> bool:
    """`dla dzieci klas IV-VIII`: the numerals are those of classes, not of months."""
    while position > 0 and cursor.is_kind(position - 1, "roman", "dash", "comma", "and", "stop"):
        position -= 1
    before = cursor.at(position - 1) if position > 0 else None
    return before is not None and _CLASSES.search(fold(before.text)) is not None


def _parse_named(cursor: Cursor, position: int) -> tuple[Season, int] | None:
    token = cursor.at(position)
    if token is None or token.kind != "season":
        return None
    end = position + 1
    name = token.value
    while cursor.is_kind(end, "season") and cursor.tokens[end].value == name:
        end += 1
    if name in _CHURCH_SEASONS:
        return _church_seasons(cursor, end, name)
    if months := _MONTHS_OF_SEASON.fullmatch(name):  # as the vocabulary names one that has no name of its own
        return _season_of(dates_of_months(months_from_to(int(months[1]), int(months[2])))), end
    if name == "yearly":
        return Season(YEAR, "all"), end
    if name in ("spring", "autumn") and not token.text.islower():
        return None  # a house called "Pogodna Jesień"
    if name in _QUARTERS and (name not in NAMED_DATES or _names_quarters(cursor)):
        return _quarters(cursor, end, _QUARTERS[name])
    return Season(NAMED_DATES.get(name), name), end


def _names_quarters(cursor: Cursor) -> bool:
    return any(token.kind == "season" and token.value in ("spring", "autumn") and token.text.islower() for token in cursor.tokens)


def _quarters(cursor: Cursor, end: int, dates: DatesOfYear) -> tuple[Season, int]:
    """`wiosna, jesień`, `wiosną i jesienią`: both."""
    while cursor.is_kind(end, "and", "comma", "slash"):
        index = cursor.skip(end + 1, "glue", "and")
        if not cursor.is_kind(index, "season") or cursor.tokens[index].value not in _QUARTERS:
            break
        dates |= _QUARTERS[cursor.tokens[index].value]
        end = index + 1
    return Season(dates), end


def _church_seasons(cursor: Cursor, end: int, name: str) -> tuple[Season, int]:
    """`w Adwencie i (w) Wielkim Poście`: both, named `advent+lent`."""
    names = [name]
    while cursor.is_kind(end, "and", "comma", "slash"):
        index = cursor.skip(end + 1, "glue", "and")
        if not cursor.is_kind(index, "season") or cursor.tokens[index].value not in _CHURCH_SEASONS:
            break
        names.append(cursor.tokens[index].value)
        end = index + 1
    return Season(None, "+".join(dict.fromkeys(names))), end


def _parse_months(cursor: Cursor, position: int) -> tuple[Season, int] | None:
    """`I, II, XI, XII`, `w lipcu i w sierpniu`, `III-VI i IX-XII`."""
    months: set[int] = set()
    index = end = position
    while True:
        item = _parse_month_item(cursor, index)
        if item is None:
            break
        months |= item[0]
        end = item[1]
        index = cursor.skip(cursor.skip(end, "comma", "and", "slash"), "glue", "and")
    if not months or not _may_be_months(cursor, position, end):
        return None
    return _season_of(dates_of_months(months)), end


def _parse_month_item(cursor: Cursor, position: int) -> tuple[set[int], int] | None:
    first = _month(cursor, position)
    if first is None:
        return None
    if cursor.is_kind(position + 1, "dash"):
        last = _month(cursor, position + 2)
        if last is not None:
            return set(months_from_to(first, last)), position + 3
    return {first}, position + 1


def _may_be_months(cursor: Cursor, start: int, end: int) -> bool:
    """A lone numeral is a month only where nothing else claims it: not `Jana Pawła II`, `II niedziela`, `klasa VI`."""
    tokens = cursor.tokens[start:end]
    if any(token.kind == "month" for token in tokens):
        return True
    before = cursor.at(start - 1)
    if before is not None and before.kind in ("word", "placetail", "person", "place"):
        return False
    if before is not None and before.kind in ("kind", "anchor") and len(tokens) == 1 and tokens[0].text == "I":
        return False  # "Msze święte I NABOŻEŃSTWA"
    if before is None and len(tokens) == 1 and _numbers_the_line(cursor, end):
        return False
    return not cursor.is_kind(end, "word", "day", "ordinal", "feast") or len(tokens) > 1


def _numbers_the_line(cursor: Cursor, after: int) -> bool:
    """`II. Dni powszednie`, `III) Spowiedź`, `I Msze święte`: a numeral at the head of a line that goes on with no hour."""
    rest = cursor.skip(after, "stop", "close", "comma")
    following = cursor.at(rest)
    if following is None:
        return rest > after
    return following.kind not in _AFTER_MONTHS and not following.is_time


def _month(cursor: Cursor, position: int) -> int | None:
    token = cursor.at(position)
    if token is None or token.kind not in ("month", "roman") or token.text == _HAVE:
        return None
    return int(token.value)


def _parse_range(cursor: Cursor, position: int) -> tuple[Season, int] | None:
    """`od IV do IX`, `od X-III`, `od 1.05 do 30.09`, `01.V-30.IX`, `od Wielkanocy do października`, `1 lipca - 31 sierpnia`."""
    opened = cursor.is_op(position, "from")
    index = cursor.skip(position + 1, "glue") if opened else position
    token = cursor.at(index)
    if token is None or token.kind not in _BORDER_KINDS:
        return None
    if token.kind == "clock" and SPAN_OF_DAYS.fullmatch(token.text) and cursor.is_kind(index + 1, "month"):
        month = int(cursor.tokens[index + 1].value)
        first, last = ((month, int(day)) for day in re.findall(r"\d+", token.text))
        return (_between(first, last), index + 2) if is_day(first) and is_day(last) else None  # "1-10 czerwca"
    if token.kind == "clock" and token.value == "date":
        whole = _date_range_token(token)
        if whole is not None:
            return whole, index + 1
        if not (cursor.is_kind(index + 1, "dash") or cursor.is_op(index + 1, "to")):
            return None  # most dates
    begin = _border(cursor, index, opening=True)
    if begin is None:
        return None
    if not (cursor.is_kind(begin[1], "dash") or cursor.is_op(begin[1], "to")):
        return None
    end = _border(cursor, cursor.skip(begin[1] + 1, "glue"), opening=False)
    if end is None or not _is_season_range(cursor, opened, index, end[1]):
        return None
    borders = (_border_said(cursor, begin), _border_said(cursor, end))
    return _between(begin[0], end[0], borders), cursor.skip(end[1], "yearword")


def _border_said(cursor: Cursor, border: tuple[MonthDay | None, int]) -> str:
    """A border that can be compared with others: its month, or the moment in whatever case it stands."""
    day, end = border
    return str(day[0]) if day else fold(cursor.tokens[end - 1].text)[:_STEM]


def parse_open_season(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """A season of which only one border is told, after "od" or "do".

    `od maja 19.00, od 16 października 17.00`: each day begins a season that the next one ends. `do 15 października 18.00, od 16
    października 17.00`: nobody says when they meet again. A lone `od września` over a list begins what goes on beside the seasons
    named: the other months.
    """
    border = _open_border(cursor, position)
    if border is None:
        return None
    day, end = border
    begins, ends = cursor.open_borders or _open_borders(cursor)
    is_begin = cursor.is_op(position, "from")
    later = begins - {day} if is_begin else frozenset()
    if later:
        until = min(later, key=lambda one: (one <= day, one))
        season = _season_of(span(day, until) & ~span(until, until))
    elif any(span(*(one, day) if is_begin else (day, one)).bit_count() == 2 for one in (ends if is_begin else begins)):
        words = " ".join(token.text for token in cursor.tokens[position:end])
        season = Season(None, "custom", borders=(str(day[0]), ""), says=words)
    elif not is_begin or cursor.is_kind(end - 1, "clock"):
        return None
    elif (following := cursor.at(end)) is None or following.is_time or following.kind == "hour":
        return None  # nobody says how long
    else:
        season = Season(None, rest=True)
    return InSeason(season, cursor.tokens[position].start, cursor.tokens[end - 1].end), end


def _open_borders(cursor: Cursor) -> tuple[frozenset[MonthDay], frozenset[MonthDay]]:
    """All days that begin a season without an end, and that end one without a beginning; looked for once, as each asks."""
    found: dict[str, set[MonthDay]] = {"from": set(), "to": set()}
    for index, token in enumerate(cursor.tokens):
        border = _open_border(cursor, index)
        if border is not None:
            found[token.value].add(border[0])
    cursor.open_borders = frozenset(found["from"]), frozenset(found["to"])
    return cursor.open_borders


def _open_border(cursor: Cursor, position: int) -> tuple[MonthDay, int] | None:
    """The day of `od maja`, `od początku września`, `do 15.10` and the next position; None for ranges and days of one year."""
    is_begin = cursor.is_op(position, "from")
    index = cursor.skip(position + 1, "glue")
    token = cursor.at(index)
    if not (is_begin or cursor.is_op(position, "to")) or token is None or token.kind not in ("month", "edge", "clock"):
        return None
    if _date_range_token(token) is not None or _OF_ONE_YEAR.search(token.text):
        return None
    border = _border(cursor, index, opening=is_begin)
    if border is None or border[0] is None or cursor.is_kind(border[1], "dash") or cursor.is_op(border[1], "to"):
        return None
    before = cursor.at(position - 1)
    if not is_begin and before is not None and before.kind in _BORDER_KINDS:
        return None
    return border[0], border[1]


def _is_season_range(cursor: Cursor, opened: bool, start: int, end: int) -> bool:
    if opened:
        return True
    return not any(token.kind in ("ordinal", "season") for token in cursor.tokens[start:end])


def _between(first: MonthDay | None, last: MonthDay | None, borders: tuple[str, ...] = ()) -> Season:
    return _season_of(span(first, last)) if first and last else Season(None, "custom", borders=borders)


def _season_of(dates: DatesOfYear) -> Season:
    """The season of these days, with its name where they are exactly those of a named one."""
    return Season(dates, {_VACATION: "vacation", _MAY: "may", _OCTOBER: "october"}.get(dates, ""))


def _border(cursor: Cursor, position: int, *, opening: bool) -> tuple[MonthDay | None, int] | None:
    """The first or last day of a season and the next position; None stands for a moveable border."""
    token = cursor.at(position)
    if token is None:
        return None
    weekday = _nth_day_border(cursor, position)
    if weekday is not None:  # "do I niedzieli października", before the numeral is a month
        return weekday
    month = _month(cursor, position)
    if month is not None:
        return _edge_of(month, opening=opening), position + 1
    if token.kind == "edge":
        inner = _month(cursor, position + 1)
        if inner is None:
            return (None, position + 2) if cursor.is_kind(position + 1, "season", "feast") else None
        return None if token.value == "middle" else _edge_of(inner, opening=opening), position + 2
    if token.kind in ("feast", "season", "border"):
        return _day(token.value if token.kind == "feast" else ""), position + 1  # "1.11" of All Saints
    if token.kind == "clock" and token.value == "date":
        return _day(token.text), position + 1
    return None


def _edge_of(month: int, *, opening: bool) -> MonthDay:
    return month, 1 if opening else length_of(month)


def _nth_day_border(cursor: Cursor, position: int) -> tuple[None, int] | None:
    """`ostatniej niedzieli października`, `1 niedzieli października`."""
    token = cursor.tokens[position]
    numeral = token.kind == "clock" and token.text.isdigit()
    if not (numeral or token.kind in ("ordinal", "roman")):
        return None
    index = cursor.skip(position + 1, "stop")
    if cursor.is_kind(index, "day") and (cursor.is_kind(index + 1, "month", "feast", "season")):
        return None, index + 2
    return None


def _day(text: str) -> MonthDay | None:
    """The day of a date; None of a moment that has none, or moves."""
    match = _DAY_MONTH.match(fold(text))
    month, day = (_month_number(match[2]), int(match[1])) if match else (0, 0)
    return (month, min(day, length_of(month))) if month and 1 <= day <= 31 else None  # "31.09" ends September


def _month_number(word: str) -> int:
    if word.isdigit():
        return int(word) if 1 <= int(word) <= 12 else 0
    if word in _ROMAN_VALUES:
        return _ROMAN_VALUES[word]
    return month_number(word)


def _date_range_token(token: Token) -> Season | None:
    """A date that holds both: `1.05 do 30.09`."""
    parts = _TO_DATE.split(token.text, maxsplit=1)
    if len(parts) != 2:
        return None
    return _between(_day(parts[0]), _day(parts[1]))
