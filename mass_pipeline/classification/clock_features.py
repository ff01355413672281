"""What the clock itself says: plausibility of the hour, how it is written, and its gaps to the neighbours.

Belongs: everything about the marked hour that is no word. Not here: the words around it (features).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from mass_pipeline.classification.tokens import hash_text

_CLOCK: Final = re.compile(r"(?<![\d.:,])([01]?\d|2[0-3])[:.]([0-5]\d)(?![\d]|[.:]\d)")
_NEAR_CHARACTERS: Final = 160
_GAPS: Final = ((-1, "back"), (0, "same"), (30, "to30"), (59, "to59"), (60, "60"), (89, "to89"), (120, "to120"), (240, "to240"))
_CLASSES: Final = str.maketrans({"–": "-", "—": "-", "„": '"', "”": '"', "\u00a0": " "})


@cache
def _code(name: str) -> int:
    return hash_text(name)


def clock_features(
    times: Sequence[str],
    raws: Sequence[str],
    lefts: Sequence[str],
    rights: Sequence[str],
    blocks: Sequence[str],
    list_indexes: Sequence[int],
    page_scores: Sequence[float],
) -> list[list[int]]:
    """Hashes of the non-word features of each hour, in the order given; all sequences have one length."""
    columns = zip(times, raws, lefts, rights, blocks, list_indexes, page_scores, strict=True)
    return [[_code(name) for name in _names(*row)] for row in columns]


def _names(time: str, raw: str, left: str, right: str, block: str, index: int, page_score: float) -> Iterator[str]:
    before, behind = left[-_NEAR_CHARACTERS:], right[:_NEAR_CHARACTERS]
    yield f"hour {time[:2]}"
    yield f"minute {time[3:] if time[3:] in ('00', '15', '30', '45') else 'odd' if time[3:][-1:] not in '05' else 'five'}"
    yield f"clock {time[:2]} {time[3:4]}"
    yield f"written {re.sub('[0-9]', '0', raw)[:8]}"
    yield f"before {_shape(before[-2:])}"
    yield f"behind {_shape(behind[:2])}"
    yield f"around {_shape(before[-1:])}{_shape(behind[:1])}"
    kind, _, region = block.partition("/")
    yield f"kind {kind}"
    yield f"region {region}"
    yield f"index {min(int(index), 6)}"
    yield f"page {min(int(page_score * 4), 3)}"
    minutes = _minutes(time)
    yield from _gap_names(minutes, before, behind)


def _shape(text: str) -> str:
    return re.sub("[0-9]", "0", re.sub(r"[^\W\d_]", "a", text.translate(_CLASSES)))


def _minutes(time: str) -> int:
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute) if hour.isdigit() and minute.isdigit() else -1


def _gap_names(minutes: int, before: str, behind: str) -> Iterator[str]:
    left, right = list(_CLOCK.finditer(before)), list(_CLOCK.finditer(behind))
    yield f"clocks left {min(len(left), 5)}"
    yield f"clocks right {min(len(right), 5)}"
    line_left = before[before.rfind("\n") + 1 :]
    line_right = behind.partition("\n")[0]
    yield f"line left {min(len(_CLOCK.findall(line_left)), 4)}"
    yield f"line right {min(len(_CLOCK.findall(line_right)), 4)}"
    yield f"alone {not line_left.strip()} {not line_right.strip()}"
    if left:
        between = before[left[-1].end() :]
        yield f"gap left {_gap(minutes - _match_minutes(left[-1]))}"
        yield f"link left {_link(between)}"
    if right:
        between = behind[: right[0].start()]
        yield f"gap right {_gap(_match_minutes(right[0]) - minutes)}"
        yield f"link right {_link(between)}"


def _match_minutes(match: re.Match[str]) -> int:
    return int(match[1]) * 60 + int(match[2])


def _gap(minutes: int) -> str:
    return next((name for limit, name in _GAPS if minutes <= limit), "more")


def _link(between: str) -> str:
    """The characters between two hours when they are few: `, ` `-` ` i ` ` do `."""
    plain = between.translate(_CLASSES).lower()
    return _shape(plain) if len(plain) > 6 and len(plain) < 12 else plain if len(plain) <= 6 else "far"
