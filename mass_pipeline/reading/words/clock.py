"""Find everything in a line that looks like a clock time, and say what it is.

Belongs here: notations and look-alikes told apart by their shape and the few characters around them.
Not here: whether a time is a Mass (`reading.regular`); for that the words of the whole clause count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mass_pipeline.model.digits import has_digit
from mass_pipeline.reading.words import clock_patterns as patterns
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.spoken_hours import spoken_hours


class ClockKind(StrEnum):
    """What a number with the look of a time is."""

    TIME = "time"  # 9:30, 9.30, 09:30, 9,30, 7.oo, 7³⁰, godz. 9
    COMPACT = "compact"  # 730, 0900: lost superscript, a time only among other times
    SPACED = "spaced"  # 7 30: likewise
    BARE = "bare"  # 9: an hour only in a list of times
    GLUED = "glued"  # 9.3011.00: two hours and more without anything between them
    SLIP = "slip"  # 7.300, 1:030: a slip of the pen, a time only among other times
    RANGE = "range"  # 16.00-17.30: never the start of a Mass
    DATE = "date"
    PHONE = "phone"
    PRICE = "price"
    REFERENCE = "reference"  # Mt 18,15; kan. 1247; pkt 2.10
    POSTCODE = "postcode"
    ACCOUNT = "account"
    STAMP = "stamp"  # 18:12:05, "at 18:12": when something was posted
    YEAR = "year"
    NUMBER = "number"  # quantities, street numbers, sections


_KINDS: Final = {  # by the group of the master pattern that matched
    name: ClockKind(name.rstrip("0123456789AB_")) for name in patterns.NUMBER.groupindex if name != "separator"
}
TIME_LIKE: Final = frozenset({ClockKind.TIME, ClockKind.COMPACT, ClockKind.SPACED, ClockKind.BARE, ClockKind.SLIP})


@dataclass(slots=True, unsafe_hash=True)
class ClockToken:
    """A number in a line.

    Attributes:
        start, end: offsets in the line.
        raw: as written.
        time: `HH:MM` for kinds of `TIME_LIKE` and for the start of a range, else "".
        kind: what it is by its shape.
        until: `HH:MM` of the end of a range, else "".
    """

    start: int
    end: int
    raw: str
    time: str
    kind: ClockKind
    until: str = ""


MOST_TOKENS: Final = 1000  # of a line: of 1,100 real and odd pages no line below 180 kB has more than 270
_TIME, _RANGE = ClockKind.TIME, ClockKind.RANGE  # a member of an enumeration costs three times a global name
_KIND_NAMES: Final = {kind: kind.value for kind in ClockKind}  # a look-up takes a fifth of asking an enumeration
_CLOCKS: Final = frozenset({ClockKind.TIME, ClockKind.RANGE})
_MAY_BE_DAY: Final = frozenset({ClockKind.BARE, ClockKind.NUMBER})


def find_clock_tokens(text: str) -> list[ClockToken]:
    """Every number that could be taken for a time, in order and without overlap.

    Args:
        text: one line of visible text.

    Returns:
        Tokens sorted by start, at most `MOST_TOKENS`; empty when the line has no digit. Linear in the length of the line.

    >>> [(t.time, t.kind.value) for t in find_clock_tokens("godz. 9.30, 18; biuro 16.00-17.30; 8.12.2023")]
    [('09:30', 'time'), ('18:00', 'bare'), ('16:00', 'range'), ('', 'date')]
    """
    spoken = _spoken(text) if may_speak_of_hours(text) else []
    tokens: list[ClockToken] = []
    if not has_digit(text):
        return spoken
    position, ranges = 0, False
    for digits in patterns.DIGITS.finditer(text):
        start, end = digits.span()
        match = _number_at(text, start, end) if start >= position else None
        if match is not None:
            position = match.end()
            token = _classify(match, text)
            if token is not None and token.kind is ClockKind.GLUED:
                tokens.extend(_split_glued(token))
            elif token is not None:
                tokens.append(token)
                ranges = ranges or token.kind is _RANGE
                if len(tokens) == MOST_TOKENS:
                    break
    found = _chains_are_lists(tokens, text) if ranges else tokens
    found = _dates_among_hours(found, text) if ".05" in text else found
    return sorted([*found, *spoken], key=lambda token: token.start) if spoken else found


def may_speak_of_hours(text: str) -> bool:
    """Whether a text may name an hour in words: a cheap question asked of every line."""
    said = "msz" in text or "Msz" in text or "MSZ" in text or "ucharyst" in text or "godz" in text
    return (said and ("ej" in text or "godz" in text)) or "tylko " in text or "yłącznie " in text or "edynie " in text


def _spoken(text: str) -> list[ClockToken]:
    """Hours in words."""
    return [ClockToken(start, end, text[start:end], time, ClockKind.TIME) for start, end, time in spoken_hours(fold(text))]


def _number_at(text: str, start: int, end: int) -> re.Match[str] | None:
    """The number that begins with these digits. Most have one or two and a full stop or a colon after them, or are years."""
    if end - start == 4:
        return patterns.NUMBER_OF_FOUR_DIGITS.match(text, start)
    if end - start < 3:
        following = text[end : end + 1]
        if following == ".":
            return patterns.NUMBER_BEFORE_STOP.match(text, start)
        if following == ":":
            return patterns.NUMBER_BEFORE_COLON.match(text, start)
    return patterns.NUMBER.match(text, start)


def _classify(match: re.Match[str], text: str) -> ClockToken | None:
    """The token of one match of the master pattern."""
    kind = _KINDS[match.lastgroup or ""]
    start, end = match.span()
    if kind in _MAY_BE_DAY and _is_day_behind_month(match.group(), text, start, end):
        return ClockToken(start, end, match.group(), "", ClockKind.DATE)
    if kind not in TIME_LIKE and kind is not _RANGE:
        return ClockToken(start, end, match.group(), "", kind)
    before = text[max(0, start - patterns.LOOK_BACK) : start]
    other = _look_alike(kind, match.group(), before, text[end : end + patterns.LOOK_AHEAD])
    if other is not None:
        return ClockToken(start, end, match.group(), "", other)
    if kind is _RANGE:
        return _range(match)
    return _time(match, kind, before)


def _is_day_behind_month(raw: str, text: str, start: int, end: int) -> bool:
    """`July 18`, but not `May 1 to September 30`, which is a season."""
    if len(raw) > 2 or text[max(0, start - 2) : start - 1] not in patterns.ENDS_OF_MONTHS or text[start - 1] != " ":
        return False
    if patterns.MONTH_BEFORE.search(text[max(0, start - patterns.LOOK_BACK) : start]) is None:
        return False
    return patterns.SEASON_AFTER.match(text, end) is None


def _follows_hour_word(before: str) -> bool:
    """Whether what stands before a number ends with "godz.", "o", "od" or the like."""
    last = before.rstrip(" ")[-1:]
    if not (last.isalnum() or last in "_.:"):  # most numbers follow a comma or a dash
        return False
    return patterns.HOUR_WORD_BEFORE.search(before) is not None


def _look_alike(kind: ClockKind, raw: str, before: str, after: str) -> ClockKind | None:
    """The kind of a number that has the shape of a time but is none, or None when nothing speaks against it."""
    hour_word = _follows_hour_word(before[-patterns.HOUR_WORD_CHARACTERS :])
    if not hour_word:
        other = _said_before(before)
        if other is not None and not (before.endswith(("Mi ", "Mi. ", "Ne ", "Ne. ")) and patterns.WHOLE_HOUR.fullmatch(raw)):
            return other  # "Mi 9.00", "Ne 8.00" name days rather than verses of Micah and Nehemiah
    if kind is _TIME or kind is _RANGE:
        return None if hour_word or kind is _RANGE else _decimal_or_date(raw, before, after)
    if patterns.QUANTITY_AFTER.match(after):
        return ClockKind.NUMBER
    if kind in (ClockKind.BARE, ClockKind.COMPACT) and not hour_word and patterns.NUMBER_BEFORE.search(before):
        return ClockKind.NUMBER
    return None


def _said_before(before: str) -> ClockKind | None:
    """What the characters before a number make of it. Cheap tests first: most numbers have nothing before them."""
    if not before or before[-1] in ",;:|" or before[-2:] in (", ", "; "):
        return ClockKind.PHONE if before[-2:] == ": " and patterns.PHONE_BEFORE.search(before) else None
    if patterns.REFERENCE_BEFORE.search(before):
        return ClockKind.REFERENCE
    if patterns.PHONE_BEFORE.search(before):
        return ClockKind.PHONE
    return ClockKind.STAMP if patterns.STAMP_BEFORE.search(before) else None


def _decimal_or_date(raw: str, before: str, after: str) -> ClockKind | None:
    """`3.05` is a date (third of May) and `1,29` a verse, unless an hour word says otherwise."""
    parts = _hour_and_minute(raw)
    if parts is None:
        return None
    separator, hour, minute = parts
    if separator == "," and minute % 5:
        return ClockKind.REFERENCE
    if separator == "." and 1 <= hour <= 31 and 1 <= minute <= 12:
        if minute % 10 or hour < patterns.EARLIEST_HOUR or patterns.DATE_WORD_BEFORE.search(before):
            return ClockKind.DATE
        return ClockKind.DATE if patterns.YEAR_AFTER.match(after) else None
    if hour < patterns.EARLIEST_HOUR and separator == "." and patterns.DATE_WORD_BEFORE.search(before):
        return ClockKind.DATE
    return None


@lru_cache(maxsize=1024)
def _hour_and_minute(raw: str) -> tuple[str, int, int] | None:
    """The mark between them, the hour and the minute."""
    parts = patterns.HOUR_MINUTE.match(raw)
    return (parts["sep"].strip(), int(parts["h"]), patterns.digits(parts["m"])) if parts is not None else None


def _range(match: re.Match[str]) -> ClockToken | None:
    if patterns.DATE_RANGE.fullmatch(match.group()):
        return ClockToken(match.start(), match.end(), match.group(), "", ClockKind.DATE)
    found = list(patterns.CLOCK.finditer(match.group()))
    if len(found) < 2:
        return None
    first, last = (_clock_text(part["h"], part["m"]) for part in (found[0], found[-1]))
    if not first or not last:
        return ClockToken(match.start(), match.end(), match.group(), "", ClockKind.NUMBER)
    return ClockToken(match.start(), match.end(), match.group(), first, ClockKind.RANGE, last)


def _time(match: re.Match[str], kind: ClockKind, before: str) -> ClockToken | None:
    raw = match.group()
    time = _shown(raw, _KIND_NAMES[kind])
    if time is None:
        return None
    if not time:
        return ClockToken(match.start(), match.end(), raw, "", ClockKind.NUMBER)
    if kind is not ClockKind.TIME and _follows_hour_word(before):
        kind = ClockKind.TIME
    return ClockToken(match.start(), match.end(), raw, time, kind)


@lru_cache(maxsize=1024)
def _shown(raw: str, kind: str) -> str | None:
    """`HH:MM` of a number of such a kind, "" when no clock shows it, None when it has not the shape."""
    early = patterns.EARLY_COLON.fullmatch(raw) if kind == "slip" else None
    parts = patterns.SHAPES[kind].match(early.expand(r"\g<first>\g<second>:\g<m>") if early else raw)
    return _clock_text(*parts.groups()) if parts is not None else None


@lru_cache(maxsize=1024)
def _clock_text(hour: str, minute: str | None = None, half: str | None = None) -> str:
    """`HH:MM`, with 24:00 as 00:00 of the next day; "" when no clock shows it.

    >>> _clock_text("24", "00"), _clock_text("7", "3o"), _clock_text("31", "05"), _clock_text("6", "30", "pm")
    ('00:00', '07:30', '', '18:30')
    """
    hours, minutes = patterns.digits(hour), patterns.digits(minute) if minute else 0
    if half and hours <= 12:
        hours = hours % 12 + (12 if half[0].lower() == "p" else 0)
    if minutes > 59 or hours > 24 or (hours == 24 and minutes):
        return ""
    return f"{hours % 24:02d}:{minutes:02d}"


def _chains_are_lists(tokens: list[ClockToken], text: str) -> list[ClockToken]:
    """`8.00 - 10.00 - 12.00` lists three times: a range that a dash joins to a further time is no range.

    Neither is `zamiast 18.00 – 17.00`: the hour left and the one that takes its place.
    """
    joined = [
        one.kind in _CLOCKS and other.kind in _CLOCKS and patterns.ONLY_DASH.fullmatch(text[one.end : other.start]) is not None
        for one, other in pairwise(tokens)
    ]
    result: list[ClockToken] = []
    for token, before, after in zip(tokens, [False, *joined], [*joined, False], strict=True):
        swapped = patterns.SWAPPED.search(text[max(0, token.start - patterns.LOOK_BACK) : token.start]) is not None
        is_list = token.kind is ClockKind.RANGE and (before or after or swapped)
        result.extend(_split_range(token) if is_list else [token])
    return result


def _dates_among_hours(tokens: list[ClockToken], text: str) -> list[ClockToken]:
    """`7.30, 9.05, 11.00`, `niedziela: 9.05, 11.00`: what could be a date is an hour of a list in its order, or closes one."""
    result = list(tokens)
    for index, (token, after) in enumerate(pairwise(tokens)):
        parts = patterns.LIKE_DATE.fullmatch(token.raw) if token.kind is ClockKind.DATE else None
        time = _clock_text(parts["h"], parts["m"]) if parts is not None else ""
        if not time or after.kind is not ClockKind.TIME or time >= after.time:
            continue
        before = result[index - 1] if index else None
        listed = before is not None and before.kind is ClockKind.TIME and before.time < time
        listed = listed and before is not None and patterns.IN_LIST.fullmatch(text, before.end, token.start) is not None
        headed = text[: token.start].rstrip().endswith(":") or _begins_list(tokens, index, text)
        if (listed or headed) and patterns.IN_LIST.fullmatch(text, token.end, after.start):
            result[index] = ClockToken(token.start, token.end, token.raw, time, ClockKind.TIME)
    return [*result[:-1], _closing(result, text)] if len(result) > 1 else result


def _begins_list(tokens: Sequence[ClockToken], index: int, text: str) -> bool:
    """`8.05 – dla dzieci, 9.30, 16.00`: a line begins with a number that two later hours follow, each after a comma."""
    first, *later = tokens[index : index + 3]
    if text[: first.start].strip() or len(later) < 2:
        return False
    rising = all(one.kind is ClockKind.TIME for one in later) and later[0].time < later[1].time
    return rising and all("," in text[one.end : other.start] for one, other in pairwise((first, *later)))


def _closing(tokens: Sequence[ClockToken], text: str) -> ClockToken:
    """The last number of a line: `6.45, 17.00; w razie potrzeby 10.05` names an hour, as a date would tell of no other one."""
    before, last = tokens[-2:]
    parts = patterns.LIKE_DATE.fullmatch(last.raw) if last.kind is ClockKind.DATE else None
    if parts is None or before.kind is not ClockKind.TIME:
        return last
    listed = patterns.GOES_ON_IN_LIST.fullmatch(text, before.end, last.start) and patterns.ENDS_LIST.match(text, last.end)
    dated = patterns.DATE_WORD_BEFORE.search(text[max(0, last.start - patterns.LOOK_BACK) : last.start])
    return last if dated or not listed else replace(last, time=_clock_text(parts["h"], parts["m"]), kind=ClockKind.TIME)


def _split_glued(token: ClockToken) -> list[ClockToken]:
    """Its hours, each of its own."""
    found = []
    for part in patterns.GLUED_HOUR.finditer(token.raw):
        hour, minute = re.split(r"[.:]", part.group())
        start, end = token.start + part.start(), token.start + part.end()
        found.append(ClockToken(start, end, part.group(), _clock_text(hour, minute), ClockKind.TIME))
    return found


def _split_range(token: ClockToken) -> list[ClockToken]:
    parts = list(patterns.CLOCK.finditer(token.raw))
    return [
        ClockToken(token.start + part.start(), token.start + part.end(), part.group(), time, ClockKind.TIME)
        for part, time in ((parts[0], token.time), (parts[-1], token.until))
    ]
