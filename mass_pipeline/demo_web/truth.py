"""The short notation in which the ground truth of a demo site is written by hand.

One line per group of Masses: days, then optional season, place and ordinals, a colon, the hours, an optional note.

    Su PH: 8:00 10:00 12:00
    Mo-Sa summer: 18:00
    Fr [1] school: 17:00 (dla dzieci)
    Su @Brzezie: 9:30
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import DAYS, NAMED_SEASONS, WEEKDAYS, Day, Mass

_LINE: Final = re.compile(r"^(?P<head>[^:]*?)\s*(?:@(?P<place>[^:]+?))?\s*:\s+(?P<hours>\d[\d: ]*?)\s*(?:\((?P<note>.*)\))?$")
_MONTHS: Final = re.compile(r"^(0[1-9]|1[0-2])-(0[1-9]|1[0-2])$")


def parse_truth(text: str) -> tuple[Mass, ...]:
    """Masses of a truth text, sorted; empty text gives none.

    Raises:
        BadInput: naming the line that cannot be read.

    >>> [mass.time for mass in parse_truth("Su PH: 8:00 11:30 (suma)")]
    ['08:00', '11:30']
    """
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    masses = [mass for line in lines if line for mass in _parse_line(line)]
    return tuple(sorted(masses, key=Mass.sort_key))


def _parse_line(line: str) -> list[Mass]:
    match = _LINE.match(line)
    if match is None:
        raise BadInput(f"truth line {line!r}: expected 'Su PH: 8:00 10:00 (note)'; see mass_pipeline/demo_web/truth.py")
    days: set[str] = set()
    season, nth = "all", None
    for word in match["head"].split():
        if word.startswith("["):
            nth = tuple(int(ordinal) for ordinal in word.strip("[]").split(","))
        elif word in NAMED_SEASONS or _MONTHS.match(word):
            season = word
        else:
            days |= _days(word, line)
    ordered: tuple[Day, ...] = tuple(day for day in DAYS if day in days)
    if not ordered:
        raise BadInput(f"truth line {line!r}: no day named")
    note, place = match["note"] or "", (match["place"] or "").strip()
    return [Mass(ordered, _time(hour), season, nth, place, note) for hour in match["hours"].split()]


def _days(word: str, line: str) -> set[str]:
    first, dash, last = word.partition("-")
    if first not in DAYS or (dash and not {first, last} <= set(WEEKDAYS)):
        raise BadInput(f"truth line {line!r}: {word!r} is neither a day (Mo..Su, PH, AF), a season nor [ordinals]")
    if not dash:
        return {word}
    return set(WEEKDAYS[WEEKDAYS.index(first) : WEEKDAYS.index(last) + 1])


def _time(hour: str) -> str:
    hours, minutes = hour.split(":")
    return f"{int(hours):02}:{int(minutes):02}"
