"""Marks by which the author of a page says what its hours are, and the labelled hours that follow from them.

In a source, `{n 16.00-17.30}` marks hours that are no Masses, `{d ...}` dated Masses, `{x ...}` cancelled ones, `{m ...}`
Masses of the standing schedule, `{b 8, 10}` the same written as bare hours or with lost superscripts; unmarked hours have
the kind of their page. Marks never reach the reader: they become private-use characters while a page is composed, and
are removed before it is served.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["m", "d", "x", "n", "b"]
KINDS: Final[tuple[Kind, ...]] = ("m", "d", "x", "n", "b")

_OPEN: Final = {kind: chr(0xE000 + i) for i, kind in enumerate(KINDS)}
_KIND_OF: Final = {mark: kind for kind, mark in _OPEN.items()}
_CLOSE: Final = "\ue00f"
_SENTINELS: Final = re.compile(f"[{''.join(_OPEN.values())}{_CLOSE}]")
_MARK: Final = re.compile(r"\{([mdxnb]) ([^{}]*)\}")
_CONTEXT: Final = 60

_INVISIBLE: Final = re.compile(r"(?is)<(head|script|style|noframes)\b.*?</\1\s*>|<!--.*?-->")
_SUPERSCRIPT: Final = re.compile(r"(?i)(\d)\s*<(sup|small)[^>]*>\s*([0-5oO][0-9oO])\s*</\2>")
_TAG: Final = re.compile(r"(?s)<(/?)(\w*)[^>]*>")
_INLINE: Final = frozenset(["a", "b", "i", "u", "em", "strong", "font", "span", "big", "small", "sup", "sub", "abbr", "time"])
_CLOCK: Final = re.compile(r"(?<![\d,:/])(?<!\d\.)(?P<h>[01]?\d|2[0-4])(?:[.:]|: |[,;](?=\d\d\b))(?P<m>[0-5oO][0-9oO])(?![\d%])")
_BARE: Final = re.compile(r"(?<![\d,:/])(?<!\d\.)(?P<h>[01]?\d|2[0-4]) ?(?P<m>00|15|30|45)?(?![\d%])")

LABELS: Final = {
    "m": ("mass", False),
    "b": ("mass", False),
    "d": ("mass", True),
    "x": ("cancelled", True),
    "n": ("not_mass", None),
}


@dataclass(frozen=True, slots=True)
class MarkedHour:
    """One hour of a page, with what it is and the visible text around it."""

    kind: Kind
    time: str
    raw: str
    left: str
    right: str


def mark(text: str, default: Kind) -> str:
    """Turn the written marks into invisible ones; the whole text gets the default kind.

    >>> strip(mark("Msze: 8.00 {n (kancelaria 9.00)}", "m"))
    'Msze: 8.00 (kancelaria 9.00)'
    """

    def replaced(match: re.Match[str]) -> str:
        kind = match[1]
        return f"{_OPEN[kind]}{match[2]}{_OPEN[default]}"  # type: ignore[index]

    return _OPEN[default] + _MARK.sub(replaced, text) + _CLOSE


def strip(text: str) -> str:
    """The text as readers get it."""
    return _SENTINELS.sub("", text)


def visible_text(markup: str) -> str:
    """Words of a page in order, blocks set apart by spaces, superscript minutes written as `7:30`; marks stay."""
    shown = _SUPERSCRIPT.sub(r"\1:\3", _INVISIBLE.sub(" ", markup))
    shown = _TAG.sub(lambda tag: "" if tag[2].lower() in _INLINE else " ", shown)
    return " ".join(html.unescape(shown).split())


def marked_hours(markup: str) -> Iterator[MarkedHour]:
    """Hours of a composed page in reading order; text outside any mark has none."""
    text = visible_text(markup)
    plain = strip(text)
    position = 0
    for kind, part in _parts(text):
        pattern = _BARE if kind == "b" else _CLOCK
        if kind is not None:
            # The neighbours decide whether a token is part of a longer number, so match in the whole text.
            for match in pattern.finditer(plain, max(0, position), position + len(part)):
                time = _clock(match)
                if time is not None:
                    left = plain[max(0, match.start() - _CONTEXT) : match.start()]
                    yield MarkedHour(kind, time, match[0], left, plain[match.end() : match.end() + _CONTEXT])
        position += len(part)


def _parts(text: str) -> Iterator[tuple[Kind | None, str]]:
    kind: Kind | None = None
    start = 0
    for match in _SENTINELS.finditer(text):
        yield kind, text[start : match.start()]
        kind = None if match[0] == _CLOSE else _KIND_OF[match[0]]
        start = match.end()
    yield kind, text[start:]


def _clock(match: re.Match[str]) -> str | None:
    hour, minute = int(match["h"]), int((match["m"] or "00").lower().replace("o", "0"))
    if hour == 24 and minute == 0:
        return "00:00"
    return f"{hour:02}:{minute:02}" if hour < 24 else None
