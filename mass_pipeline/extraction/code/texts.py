"""Methods of texts and numbers whose result the code itself tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from mass_pipeline.extraction.code.values import (
    LONGEST_TEXT,
    UNKNOWN,
    Function,
    Number,
    Pattern,
    Value,
    as_number,
    number,
)

_MOST_PIECES: Final = 2000  # of a text that is split
_SAME: Final = frozenset({"toString", "normalize", "valueOf", "catch", "finally", "text", "raw"})
_PATTERN: Final = re.compile(r"/((?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)/([gimsuy]*)")
_SIMPLE: Final = re.compile(r"\^?(?:(?:\\[dsw.:/,-]|[\w :.,;/-]|\[[\w :.,;–-]+\])(?:[+*?]|\{\d\})?){1,6}\$?")


def of_text(text: str, method: str, arguments: list[Value], call: Callable[[Function, list[Value]], Value]) -> Value:
    """The result of a method of a text.

    >>> of_text("08:30", "split", [":"], None), of_text("7", "padStart", ["2", "0"], None)
    (['08', '30'], '07')
    """
    first = arguments[0] if arguments else UNKNOWN
    if method == "split" and isinstance(first, Pattern):
        pattern = _simple(first)
        return list(pattern.split(text)[:_MOST_PIECES]) if pattern is not None else UNKNOWN
    if method == "split" and isinstance(first, str):
        return list(text.split(first)[:_MOST_PIECES]) if first else list(text[:_MOST_PIECES])
    if method in ("slice", "substring", "substr", "at", "charAt"):
        return _part(text, method, arguments)
    if method in ("padStart", "padEnd"):
        return _padded(text, method, arguments)
    if method in ("replace", "replaceAll") and len(arguments) > 1:
        return _replaced(text, first, arguments[1], is_all=method == "replaceAll")
    if method in ("includes", "startsWith", "endsWith", "indexOf") and isinstance(first, str):
        return _sought(text, method, first)
    if method in ("toFixed", "toLocaleString", "localeCompare"):
        return _of_number(text, method, first)
    if method == "concat" and all(isinstance(one, str) for one in arguments):
        return text + "".join(one for one in arguments if isinstance(one, str))[:LONGEST_TEXT]
    changed = {
        "toUpperCase": text.upper, "toLocaleUpperCase": text.upper, "toLowerCase": text.lower, "toLocaleLowerCase": text.lower,
        "trim": text.strip, "trimEnd": text.rstrip, "trimStart": text.lstrip,
    }.get(method)  # fmt: skip
    if changed is not None:
        return changed()
    return str(text) if method in _SAME else UNKNOWN


def _part(text: str, method: str, arguments: list[Value]) -> Value:
    bounds = [as_number(one) for one in arguments[:2]]
    if any(one is None for one in bounds):
        return UNKNOWN
    places = [int(one) for one in bounds if one is not None]
    start = places[0] if places else 0
    if method in ("at", "charAt"):
        return text[start : start + 1] if start >= 0 else text[start:][:1]
    if method == "substr":
        return text[start : start + places[1]] if len(places) > 1 else text[start:]
    return text[start : places[1]] if len(places) > 1 else text[start:]


def _padded(text: str, method: str, arguments: list[Value]) -> Value:
    width, filler = as_number(arguments[0]) if arguments else None, arguments[1] if len(arguments) > 1 else " "
    if width is None or width > 100 or not isinstance(filler, str) or len(filler) != 1:
        return UNKNOWN
    return str(text.rjust(int(width), filler) if method == "padStart" else text.ljust(int(width), filler))


def _replaced(text: str, sought: Value, given: Value, *, is_all: bool) -> Value:
    """A text with another in place of what is sought: a text, or a pattern of single characters (`/:/g`, `/^0/`)."""
    if not isinstance(sought, str) or not isinstance(given, str) or not sought:
        return UNKNOWN
    if not isinstance(sought, Pattern):
        return text.replace(sought, given, -1 if is_all else 1)[:LONGEST_TEXT]
    pattern = _simple(sought)
    if pattern is None or "$" in given:
        return UNKNOWN
    return pattern.sub(lambda _: given, text, count=0 if "g" in sought.rpartition("/")[2] else 1)[:LONGEST_TEXT]


def _simple(written: Pattern) -> re.Pattern[str] | None:
    """A regular expression of single characters in the form of Python; at most one of them is repeated, so that it is linear."""
    match = _PATTERN.fullmatch(written)
    if match is None or not _SIMPLE.fullmatch(match[1]) or sum(match[1].count(one) for one in "+*?{") > 1:
        return None
    return re.compile(match[1], re.IGNORECASE if "i" in match[2] else 0)


def _sought(text: str, method: str, part: str) -> Value:
    if method == "indexOf":
        return number(text.find(part))
    return part in text if method == "includes" else text.startswith(part) if method == "startsWith" else text.endswith(part)


def _of_number(text: str, method: str, first: Value) -> Value:
    value = as_number(text)
    if method == "localeCompare":
        return number((text > first) - (text < first)) if isinstance(first, str) else UNKNOWN
    if value is None:
        return UNKNOWN
    digits = as_number(first) if method == "toFixed" else None
    return f"{value:.{int(digits)}f}" if digits is not None and 0 <= digits <= 9 else Number(text)
