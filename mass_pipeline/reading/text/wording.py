"""The text of one line: white space folded, raised minutes written out, spaced capitals joined, invisible characters dropped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from mass_pipeline.model.digits import has_digit

_ODD: Final = re.compile(
    "[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u0300-\u036f\u00b2\u00b3\u00b9\u2070-\u2079\ufffc]"
)
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufffc]")
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_RAISED_MINUTES: Final = re.compile(r"(?<!\d)([01]?\d|2[0-4])\s?([⁰¹²³⁴⁵][⁰¹²³⁴-⁹])(?![⁰¹²³⁴-⁹])(?=(\d?))")
_HOUR_AT_END: Final = re.compile(r"(?:(?<![\d.,:])|(?<=:\d\d[,.;]))([01]?\d|2[0-4])\s*$")
_MINUTES: Final = re.compile(r"\s*[0-5oO][0-9oO](?!\d)")
_SPACED: Final = re.compile(r"(?<!\w)[^\W\d_](?:[ \u00a0][^\W\d_]){3,}(?!\w)")
_SPACED_CAPITALS: Final = re.compile(r"(?<!\w)[^\W\d_a-ząćęłńóśźż](?:[ \u00a0][^\W\d_a-ząćęłńóśźż]){2,}(?!\w)")
_SPACED_MEAN: Final = 4  # only lines of very short words can be letter-spaced: the exact check is dear


def fold(raw: str) -> str:
    """Visible text of a line.

    >>> fold("  Msze\\u00a0 św.  7³⁰ ")
    'Msze św. 7:30'
    >>> fold("M S Z E   Ś W I Ę T E  8.00")
    'MSZE ŚWIĘTE 8.00'
    >>> fold("7⁰⁰8³⁰")
    '7:00 8:30'
    """
    if not raw.isascii() and _ODD.search(raw):
        raw = _INVISIBLE.sub("", unicodedata.normalize("NFC", raw))
        raw = _RAISED_MINUTES.sub(lambda m: f"{m[1]}:{m[2].translate(_SUPERSCRIPTS)}{' ' if m[3] else ''}", raw)
    words = raw.split()
    text = " ".join(words)
    if len(words) > 2 and len(text) < _SPACED_MEAN * len(words) and _SPACED.search(raw) is not None:
        return " ".join(_join_spaced(raw).split())
    if len(words) > 2 and len(text) < _SPACED_MEAN * len(words) and _SPACED_CAPITALS.search(raw) is not None:
        return " ".join(_SPACED_CAPITALS.sub(lambda m: re.sub(r"[ \u00a0]", "", m[0]), raw).split())
    return text


def _join_spaced(raw: str) -> str:
    """Join letters that single spaces hold apart; wider gaps part the words."""
    return _SPACED.sub(lambda m: re.sub(r"[ \u00a0]", "", m[0]), raw)


def is_raised_minutes(before: str, raised: str) -> bool:
    """Whether raised digits after a text are the minutes of an hour.

    >>> is_raised_minutes("Msza o 7", "30"), is_raised_minutes("20 m", "2"), is_raised_minutes("2018", "30")
    (True, False, False)
    """
    if _MINUTES.match(raised) is None or not before.rstrip()[-1:].isdecimal():
        return False
    return _HOUR_AT_END.search(before) is not None


def is_new_time(before: str, after: str) -> bool:
    """Whether two inline pieces without a space between them are two things, as one of them is a time or a number.

    >>> is_new_time("Niedziela", "8:00"), is_new_time("9", "30"), is_new_time("8:00", "10:00"), is_new_time("17.30", "Biuro")
    (True, False, True, True)
    """
    last, first = before[-1:], after[:1]
    if first.isdigit():
        return last.isalpha() or (last.isdigit() and len(after) > 2 and _CLOCK_AT_END.search(before) is not None)
    return last.isdigit() and first.isalpha() and first not in "oO"


def is_styled_gap(between: Sequence[str], before: str, after: str) -> bool:
    """Whether tags between two words stand for a gap that the style sheet makes, and not inside one word.

    Two neighbouring elements of different kinds or with classes are two things (`<b>Kaplica</b><span>niedziela</span>`);
    what word processors cut out of one word has neither.

    Args:
        between: the tags, as "/b" for an end, "span" for a beginning, "span.class" for one that has a class.
        before, after: the texts on both sides.

    >>> is_styled_gap(["/b", "span"], "Kaplica", "niedziela"), is_styled_gap(["/span", "span"], "Nie", "dziela")
    (True, False)
    """
    if len(before) < _WHOLE_WORD or len(after) < _WHOLE_WORD:
        return False
    if len(between) == 1 and between[0].partition(".")[0] == "small":
        return True
    if not are_neighbours(between):
        return False
    name, _, has_class = between[-1].partition(".")
    is_new_word = before[-1].islower() and after[0].isupper()
    return is_new_word or between[0] != f"/{name}" or bool(has_class)


def are_neighbours(between: Sequence[str]) -> bool:
    """Whether one inline element ends between two pieces of text and another begins."""
    if len(between) < 2 or between[0][0] != "/" or between[-1][0] == "/":
        return False
    ends = [tag[0] == "/" for tag in between]
    return ends == sorted(ends, reverse=True)


def is_whole_time(before: str) -> bool:
    """Whether a text ends with hour and minutes, so that digits after it are another number."""
    return _TIME_AT_END.search(before) is not None


_TIME_AT_END: Final = re.compile(r"(?<!\d)(?:\d{1,2}[:.]\d\d|\d{3,4})$")
_WHOLE_WORD: Final = 3  # letters; shorter pieces are drop caps and parts of words
_CLOCK_AT_END: Final = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d$")


_FILE_NAME: Final = re.compile(r"^\S+\.(?:jpe?g|png|gif|webp|svg|bmp)$|^(?:img|dsc|image|obraz|zdj[eę]cie)[\W_]*\d*$", re.I)


def is_telling(alt: str) -> bool:
    """Whether an alternative text says something: words or numbers, no file name."""
    return len(alt) > 1 and _FILE_NAME.search(alt) is None and any(character.isalnum() for character in alt)


_HOUR: Final = re.compile(  # begins with a digit in every case, so that the search can skip; what stands before it comes next
    r"\d(?:(?<![\d.,:]\d)(?:(?<=[01])\d|(?<=2)[0-4])?\s?[.:,;]\s?[0-5oO][0-9oO](?!\d)"
    r"|(?<!\d\d)(?:(?<=[5-9])|(?<=1)\d|(?<=2)[0-2])(?:00|15|30|45)(?!\d))"
)
_HOUR_WORD: Final = re.compile(r"\bgodz")


def has_hour(text: str) -> bool:
    """Whether something written like an hour stands in the text; what it is, the grammar decides."""
    return (has_digit(text) and _HOUR.search(text) is not None) or ("godz" in text and _HOUR_WORD.search(text) is not None)
