"""Signs after an hour that a line below the list explains (`18.00*`, `○ w roku szkolnym`), and signs that fill a plan."""

from __future__ import annotations

import re
from typing import Final

SIGNS: Final = "●○◐◑◒◓◉◎■□▪▫▲△◆◇★☆✓✔✗✘†‡"
_SIGN: Final = rf"(?:\*{{1,4}}|[{SIGNS}]{{1,3}}|\([1-9]\))"
_ANY: Final = re.compile(rf"[*{SIGNS}]|\([1-9]\)")
# Another sign than an asterisk may be the bullet of what comes next, unless it is tied to the hour or ends the line.
_BEHIND: Final = re.compile(
    rf"(?:(?: ?\(?[^\W\d_]{{1,12}}\)?){{0,2}} ?(\*{{1,4}})(?![^\W\d_])| ?([{SIGNS}]{{1,3}})$|([{SIGNS}]{{1,3}})| ?(\([1-9]\))"
    rf"|[^\d*{SIGNS}]{{1,80}}({_SIGN})\s*$)"  # "11.00 – z udziałem dzieci *": the last hour of its line
)
EXPLAINED: Final = re.compile(rf"(?<![^\s,;.])\(?({_SIGN})\)?[\s–=:-]*(?=\S)")  # group 1: the mark
_FIRST: Final = frozenset(f"*({SIGNS}")


def mark_after(text: str, position: int) -> str:
    """The mark after an hour, "" when there is none; `20.00 DA*` says for whom the hour is, `20.00 (2)` which line explains it.

    >>> mark_after("9.00, 18.00**, 20.00", 11), mark_after("18.00 DA*", 5), mark_after("6.30 ●", 4)
    ('**', '*', '●')
    >>> mark_after("18.00 (1), 7.00 (2)", 5)
    '(1)'
    >>> mark_after("11.00 – dla dzieci i ich rodziców *", 5)
    '*'
    """
    if _ANY.search(text, position) is None:
        return ""  # as after most hours
    match = _BEHIND.match(text, position)
    return match[match.lastindex or 0] if match is not None else ""


def explains_marks(text: str) -> bool:
    """Whether a line begins with a mark that may stand after hours above it.

    >>> explains_marks("* w wakacje nie ma"), explains_marks("18.00*")
    (True, False)
    """
    return text[:1] in _FIRST and EXPLAINED.match(text) is not None
