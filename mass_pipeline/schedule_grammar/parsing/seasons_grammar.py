"""Seasons: named ones, months and their ranges, dates as borders, moveable borders (field guide C)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from mass_pipeline.language.day_words import month_in_any_language
from mass_pipeline.language.folding import fold
from mass_pipeline.language.lexer import Token
from mass_pipeline.schedule_grammar.parsing.cursor import Cursor
from mass_pipeline.schedule_grammar.parsing.nodes import YEAR, Cond, InSeason, Season

_SUMMER: Final = frozenset(range(4, 11))  # summer time: last Sunday of March to last Sunday of October
_VACATION: Final = frozenset({7, 8})
NAMED_MONTHS: Final = {
    "vacation": _VACATION,
    "school": YEAR - _VACATION,
    "summer": _SUMMER,
    "winter": YEAR - _SUMMER,
    "yearly": YEAR,
    "academic": YEAR - {7, 8, 9},
}
_QUARTERS: Final = {  # where spring or autumn is named too, summer and winter are three months long
    "spring": frozenset({3, 4, 5}),
    "summer": frozenset({6, 7, 8}),
    "autumn": frozenset({9, 10, 11}),
    "winter": frozenset({12, 1, 2}),
}
_CHURCH_SEASONS: Final = frozenset({"advent", "lent", "christmasvisits"})  # without months of their own
_STEM: Final = 8  # letters that the cases of a name share: "Wielkanoc", "Wielkanocy"
_EARLY_DAY: Final = 10  # a season that begins before takes the whole month in
_LATE_DAY: Final = 20
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
    if season.borders and season.months is None:
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
    if name == "yearly":
        return Season(YEAR, "all"), end
    if name in ("spring", "autumn") and not token.text.islower():
        return None  # a house called "Pogodna Jesień"
    if name in _QUARTERS and (name not in NAMED_MONTHS or _names_quarters(cursor)):
        return _quarters(cursor, end, _QUARTERS[name])
    return Season(NAMED_MONTHS.get(name), name), end


def _names_quarters(cursor: Cursor) -> bool:
    return any(token.kind == "season" and token.value in ("spring", "autumn") and token.text.islower() for token in cursor.tokens)


def _quarters(cursor: Cursor, end: int, months: frozenset[int]) -> tuple[Season, int]:
    """`wiosna, jesień`, `wiosną i jesienią`: both."""
    while cursor.is_kind(end, "and", "comma", "slash"):
        index = cursor.skip(end + 1, "glue", "and")
        if not cursor.is_kind(index, "season") or cursor.tokens[index].value not in _QUARTERS:
            break
        months |= _QUARTERS[cursor.tokens[index].value]
        end = index + 1
    return Season(months), end


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
    return Season(frozenset(months), _name_of(months)), end


def _parse_month_item(cursor: Cursor, position: int) -> tuple[set[int], int] | None:
    first = _month(cursor, position)
    if first is None:
        return None
    if cursor.is_kind(position + 1, "dash"):
        last = _month(cursor, position + 2)
        if last is not None:
            return set(_span(first, last)), position + 3
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
        return Season(None, "custom", borders=(token.text, cursor.tokens[index + 1].text)), index + 2  # "1-10 czerwca"
    if token.kind == "clock" and token.value == "date":
        whole = _date_range_token(token)
        if whole is not None:
            return whole, index + 1
        if not (cursor.is_kind(index + 1, "dash") or cursor.is_op(index + 1, "to")):
            return None  # most dates
    first = _border(cursor, index, opening=True)
    if first is None:
        return None
    if not (cursor.is_kind(first[1], "dash") or cursor.is_op(first[1], "to")):
        return None
    last = _border(cursor, cursor.skip(first[1] + 1, "glue"), opening=False)
    if last is None or not _is_season_range(cursor, opened, index, last[1]):
        return None
    borders = (_border_said(cursor, first), _border_said(cursor, last))
    return _between(first[0], last[0], borders), cursor.skip(last[1], "yearword")


def _border_said(cursor: Cursor, border: tuple[int, int]) -> str:
    """A border that can be compared with others: its month, or the moment in whatever case it stands."""
    month, end = border
    return str(month) if month else fold(cursor.tokens[end - 1].text)[:_STEM]


def parse_beginning(cursor: Cursor, position: int) -> tuple[Cond, int] | None:
    """`od maja 19.00, od października 18.00`: each month begins a season that the next one ends.

    A lone `od września` over a list begins what goes on beside the seasons named: the other months.
    """
    begun = _beginning(cursor, position)
    if begun is None:
        return None
    month, end = begun
    later = _months_begun(cursor) - {month}
    if later:
        until = min(later, key=lambda other: (other - month) % 12)
        months = _span(month, (until - 2) % 12 + 1)
        season = Season(months, _name_of(set(months)))
    elif (following := cursor.at(end)) is None or following.is_time or following.kind == "hour":
        return None  # nobody says how long
    else:
        season = Season(None, rest=True)
    return InSeason(season, cursor.tokens[position].start, cursor.tokens[end - 1].end), end


def _months_begun(cursor: Cursor) -> frozenset[int]:
    """All months that begin a season; looked for once, as each of them asks."""
    if cursor.months_begun is None:
        begun = (_beginning(cursor, index) for index in range(len(cursor.tokens)))
        cursor.months_begun = frozenset(found[0] for found in begun if found is not None)
    return cursor.months_begun


def _beginning(cursor: Cursor, position: int) -> tuple[int, int] | None:
    """The month of `od maja`, `od początku września` and the next position; None for ranges and dates."""
    if not cursor.is_op(position, "from"):
        return None
    index = cursor.skip(position + 1, "glue")
    if not cursor.is_kind(index, "month", "edge"):
        return None
    border = _border(cursor, index, opening=True)
    if border is None or not border[0] or cursor.is_kind(border[1], "dash") or cursor.is_op(border[1], "to"):
        return None
    return border


def _is_season_range(cursor: Cursor, opened: bool, start: int, end: int) -> bool:
    if opened:
        return True
    return not any(token.kind in ("ordinal", "season") for token in cursor.tokens[start:end])


def _between(first: int, last: int, borders: tuple[str, ...] = ()) -> Season:
    if not first or not last:
        return Season(None, "custom", borders=borders)
    months = _span(first, last)
    return Season(months, _name_of(set(months)))


def _border(cursor: Cursor, position: int, *, opening: bool) -> tuple[int, int] | None:
    """The first or last whole month of a season and the next position; month 0 stands for a moveable border."""
    token = cursor.at(position)
    if token is None:
        return None
    weekday = _nth_day_border(cursor, position)
    if weekday is not None:  # "do I niedzieli października", before the numeral is a month
        return weekday
    month = _month(cursor, position)
    if month is not None:
        return month, position + 1
    if token.kind == "edge":
        inner = _month(cursor, position + 1)
        if inner is None:
            return (0, position + 2) if cursor.is_kind(position + 1, "season", "feast") else None
        return (0 if token.value == "middle" else inner), position + 2
    if token.kind in ("feast", "season", "border"):
        fixed = token.value if token.kind == "feast" else ""  # "1.11" of All Saints
        return _date_border(fixed, opening=opening), position + 1
    if token.kind == "clock" and token.value == "date":
        return _date_border(token.text, opening=opening), position + 1
    return None


def _nth_day_border(cursor: Cursor, position: int) -> tuple[int, int] | None:
    """`ostatniej niedzieli października`, `1 niedzieli października`."""
    token = cursor.tokens[position]
    numeral = token.kind == "clock" and token.text.isdigit()
    if not (numeral or token.kind in ("ordinal", "roman")):
        return None
    index = cursor.skip(position + 1, "stop")
    if cursor.is_kind(index, "day") and (cursor.is_kind(index + 1, "month", "feast", "season")):
        return 0, index + 2
    return None


def _date_border(text: str, *, opening: bool) -> int:
    """The month in which a season begins or ends, 0 when it does so in the middle of one."""
    match = _DAY_MONTH.match(fold(text))
    month = _month_number(match[2]) if match else 0
    if not match or not month:
        return 0
    day = int(match[1])
    if opening:
        return month if day <= _EARLY_DAY else (month % 12 + 1 if day > _LATE_DAY else 0)
    return month if day >= _LATE_DAY else ((month - 2) % 12 + 1 if day <= _EARLY_DAY else 0)


def _month_number(word: str) -> int:
    if word.isdigit():
        return int(word) if 1 <= int(word) <= 12 else 0
    if word in _ROMAN_VALUES:
        return _ROMAN_VALUES[word]
    return month_in_any_language(word)


def _date_range_token(token: Token) -> Season | None:
    """A date that holds both: `1.05 do 30.09`."""
    parts = _TO_DATE.split(token.text, maxsplit=1)
    if len(parts) != 2:
        return None
    return _between(_date_border(parts[0], opening=True), _date_border(parts[1], opening=False))


def _span(first: int, last: int) -> frozenset[int]:
    if first <= last:
        return frozenset(range(first, last + 1))
    return frozenset(range(first, 13)) | frozenset(range(1, last + 1))


def _name_of(months: set[int]) -> str:
    """The token that names exactly these months, "" when they are written out."""
    return {frozenset({7, 8}): "vacation", frozenset({5}): "may", frozenset({10}): "october"}.get(frozenset(months), "")
