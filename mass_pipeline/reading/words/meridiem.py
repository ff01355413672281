"""Hours of the twelve-hour clock: those that share one `am` or `pm`, and those of which words tell the half of the day.

"5:00 & 7:00 pm" are both in the afternoon, "o szóstej wieczorem" and "po południu o 4.30" are 18.00 and 16.30.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from mass_pipeline.reading.words.clock import ClockKind, ClockToken
from mass_pipeline.reading.words.parts_of_day import NOON
from mass_pipeline.reading.words.weekday_patterns import EVENING, IN_THE_AFTERNOON, IN_THE_EVENING, IN_THE_MORNING

_JOINER: Final = re.compile(r" ?(?:,|&|and|/|or|,? and) ?")
_AFTERNOON: Final = re.compile(r"[pP]\.? ?[mM]\.?$")
_HALF: Final = re.compile(r"[apAP]\.? ?[mM]\.?$|noon$")

_LATE: Final = rf"(?:{IN_THE_EVENING}|{EVENING}|{IN_THE_AFTERNOON}|po pol\.)"  # folded
# "7.00 rano i wieczorem o 18.00", "18.00, wieczorem 6.30": an hour after the words is the one that they tell.
_LATE_BEHIND: Final = re.compile(rf" *(?:godz\w*\.? )?{_LATE}(?!\w)(?!,? (?:o )?(?:godz\w*\.? )?\d)")
_LATE_BEFORE: Final = re.compile(rf"(?<!\w){_LATE},? (?:o )(?:godz\w*\.? )?$")
_DENIED: Final = re.compile(rf"(?:\b(?:nie|bez|zamiast|ani|oprocz)\b[^.;:]*|{IN_THE_MORNING},? (?:i |oraz )?)$")
_SEEN: Final = 40  # characters before an hour
# "o szóstej wieczorem, nie o piątej": both hours are of the same half of the day.
_AGAINST: Final = re.compile(rf"(?: *{_LATE})? *,? *(?:(?:a )?nie|zamiast|ale|lecz)(?: jak \w+)?,? (?:o )?(?:godz\w*\.? )?")
_EARLY_BEHIND: Final = re.compile(rf" *{IN_THE_MORNING}\b")
_NEAR: Final = 3  # hours between the old and the new hour of a Mass


def in_the_evening(tokens: Sequence[ClockToken], folded: str) -> list[ClockToken]:
    """Hours before noon of which words at their side say that they are in the afternoon or evening.

    Args:
        tokens: of a text.
        folded: the text without accents, in lower case, of the same length.

    >>> from mass_pipeline.reading.words.clock import find_clock_tokens
    >>> texts = "msza o szostej wieczorem", "wieczorem, o 6.30", "7.00 wieczorem o 18.00", "nie wieczorem, ale rano o 8.00"
    >>> [[token.time for token in in_the_evening(find_clock_tokens(text), text)] for text in texts]
    [['18:00'], ['18:30'], ['07:00', '18:00'], ['08:00']]
    """
    return [_later(token) if _is_late(token, folded) else token for token in tokens]


def with_hours_against(tokens: Sequence[ClockToken], folded: str) -> list[ClockToken]:
    """`in_the_evening`, with the hour that such a one is set against.

    >>> from mass_pipeline.reading.words.clock import find_clock_tokens
    >>> text = "msza o 6.00 wieczorem, nie o 5.00"
    >>> [token.time for token in with_hours_against(find_clock_tokens(text), text)]
    ['18:00', '17:00']
    """
    found = in_the_evening(tokens, folded)
    for at, (one, other) in enumerate(pairwise(tokens)):
        moved = found[at].time != one.time, found[at + 1].time != other.time
        near = one.time and other.time and abs(int(one.time[:2]) - int(other.time[:2])) <= _NEAR
        late = at if moved[1] else at + 1
        in_the_morning = _EARLY_BEHIND.match(folded, tokens[late].end) is not None
        if moved[0] != moved[1] and near and not in_the_morning and _AGAINST.fullmatch(folded, one.end, other.start):
            found[late] = _later(tokens[late])
    return found


def _is_late(token: ClockToken, folded: str) -> bool:
    if token.kind not in (ClockKind.TIME, ClockKind.BARE) or not "01:00" <= token.time < NOON:
        return False
    if _LATE_BEHIND.match(folded, token.end) is not None:
        return True
    before = folded[max(0, token.start - _SEEN) : token.start]
    said = _LATE_BEFORE.search(before)
    return (
        said is not None
        and _DENIED.search(before[: said.start()]) is None
        and IN_THE_MORNING not in folded[token.end : token.end + 6]
    )


def _later(token: ClockToken) -> ClockToken:
    return replace(token, time=f"{int(token.time[:2]) + 12:02d}{token.time[2:]}")


def share_halves(tokens: Sequence[ClockToken], text: str) -> list[ClockToken]:
    """Give an hour without am or pm the pm of the hour that it is joined to, as long as it is the earlier one.

    >>> from mass_pipeline.reading.words.clock import find_clock_tokens
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
