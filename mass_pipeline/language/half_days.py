"""Hours of the twelve-hour clock that share one `am` or `pm`: "5:00 & 7:00 pm" are both in the afternoon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mass_pipeline.language.clock import ClockKind, ClockToken
from mass_pipeline.language.parts_of_day import NOON

_JOINER: Final = re.compile(r" ?(?:,|&|and|/|or|,? and) ?")
_AFTERNOON: Final = re.compile(r"[pP]\.? ?[mM]\.?$")
_HALF: Final = re.compile(r"[apAP]\.? ?[mM]\.?$|noon$")


def share_halves(tokens: Sequence[ClockToken], text: str) -> list[ClockToken]:
    """Give an hour without am or pm the pm of the hour that it is joined to, as long as it is the earlier one.

    >>> from mass_pipeline.language.clock import find_clock_tokens
    >>> text = "8:00, 10:00 am, 5:00 & 7:00 pm"
    >>> [token.time for token in share_halves(find_clock_tokens(text), text)]
    ['08:00', '10:00', '17:00', '19:00']
    """
    shared = list(tokens)
    moved: set[int] = set()
    for index in range(len(shared) - 2, -1, -1):
        token, following = shared[index], shared[index + 1]
        if token.kind is not ClockKind.TIME or following.kind is not ClockKind.TIME or _HALF.search(token.raw):
            continue
        in_afternoon = following.time >= NOON and (_AFTERNOON.search(following.raw) or index + 1 in moved)
        later = f"{int(token.time[:2]) % 12 + 12:02d}{token.time[2:]}"
        if in_afternoon and later < following.time and _JOINER.fullmatch(text[token.end : following.start]):
            shared[index] = replace(token, time=later)
            moved.add(index)
    return shared
