"""What the words beside one hour say of it: a Mass, of the standing order or of a single date, or the border of a range.

A page about baptism that says "na Mszy św. o 11:00" is no schedule, yet the words beside the hour call it a Mass.
Belongs: patterns over the context of one hour. Not here: what the site says of it elsewhere, and the verdict (hours).
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from mass_pipeline.reading.text.candidates import CandidateHour
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.weekday_patterns import SUNDAY_SHORT

_MASS_BEFORE: Final = expression(r"<mass_or_eucharist>")
_MASS_AFTER: Final = expression(r"\s*(?:[-–:]\s*)?<a_mass>")
# "po Mszy św. o 7.00, 9.00 i 12.00": whatever the sentence is about, these are hours of Masses.
_MASS_DIRECTLY_BEFORE: Final = re.compile(
    r"\bmsz[ąyię]\w*\s+(?:[sś]w\.?\s*|[sś]wi[eę]t\w+\s*)?(?:o\s+)?(?:godz\w*\.?\s*)?"
    r"(?:\d{1,2}[:.]\d\d[\s,;.]*(?:i|oraz)?\s*){0,12}\Z",
    re.I,
)
# What held until now, or long ago; a new order in the same sentence ends it.
_FORMER: Final = expression(
    r"(?:<until_now>|\bobowiazujacy do \d|<the_mass> byly|transmisj\w* <the_mass>)"
    r"(?:(?!<new> porz|\bod \d|<from_now_on>)[^\n])*\Z"
)
_OPEN_RANGE: Final = expression(r"\bod\s+(?:<clock>\s*)?\Z")
_END_OF_RANGE: Final = re.compile(r"\d\s*[-–—]\s*\Z")
_OTHER_BEFORE: Final = expression(r"<no_standing_mass>")
_DATED: Final = expression(
    r"\b\d{1,2}[.\s]+<month>|\b\d{1,2}\.\d{2}\.\d{2,4}\b|\b(?:dzis|dzisiaj|jutro|najblizsz\w+|w przyszl\w+)\b"
    r"|\b(?:odbyl|przewodniczyl|odprawil|odprawion|byla)\w*"
)
_ELSEWHERE: Final = expression(r"<mass_elsewhere>")
_NEGATION: Final = expression(r"<is_not>|<negated>|bez <the_mass>|<exception>|\bpoza")
_CLAUSE: Final = re.compile(r"[\n!?]|;(?!\s*(?:\d|\Z))|(?<!godz)(?<!św)(?<!ok)\.\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ])")
_DAYS_OF_WORDS: Final = tuple(
    (re.compile(words, re.I), days)
    for words, days in (
        (rf"{SUNDAY_SHORT}|\bnd", ("Su",)),
        (r"[sś]wi[eęą]t|uroczyst", ("PH", "AF")),
        (r"powszedn|codzien|tygodni", ("Mo", "Tu", "We", "Th", "Fr", "Sa")),
        (r"pon|\bpn", ("Mo",)),
        (r"\bwt", ("Tu",)),
        (r"\b[sś]r", ("We",)),
        (r"\bcz", ("Th",)),
        (r"\bpi[aą]t|\bpt", ("Fr",)),
        (r"\bso", ("Sa",)),
    )
)
_LINES_ABOVE: Final = 4
_LOOKED_AT: Final = 40  # characters after an hour


def begins_range(hour: CandidateHour) -> bool:
    """Whether the hour is where something begins: "od 17.00"."""
    return _OPEN_RANGE.search(fold(hour.left)) is not None


def ends_range(hour: CandidateHour) -> bool:
    """Whether the hour is where something ends: "16.00 – 17.00"."""
    return _END_OF_RANGE.search(hour.left) is not None


def is_former(hour: CandidateHour) -> bool:
    """Whether its line tells of an order that held until now or long ago."""
    return _FORMER.search(fold(hour.left.rsplit("\n", 1)[-1])) is not None


def is_listed(hour: CandidateHour, standing: Set[tuple[str, str]]) -> bool:
    """Whether the hour opens its line under words for Masses and for a day on which the site has a Mass then.

    Args:
        standing: (day, time) of the order of the site.
    """
    above = hour.left.split("\n")
    if above[-1].strip(" •*-–·") or hour.day_scope is None:
        return False
    words = fold(" ".join((hour.heading or "", *above[-_LINES_ABOVE:])))
    days = {day for pattern, days in _DAYS_OF_WORDS for day in days if pattern.search(hour.day_scope)}
    clause = f"{words} # {fold(hour.right.split(chr(10))[0])}"
    return (
        _MASS_BEFORE.search(words) is not None
        and any((day, hour.time) in standing for day in days)
        and not any(pattern.search(clause) for pattern in (_OTHER_BEFORE, _DATED, _NEGATION))
    )


def is_named_a_mass(left: str, right: str) -> bool:
    """Whether the hour directly follows the word Mass, undated and not cancelled: "przed Mszą św. o 7.00, 9.00".

    >>> is_named_a_mass("W niedzielę 15 minut przed Mszą św. o 7.00. 9.00. 10.30, ", " oraz od 17.00")
    True
    """
    clause = _CLAUSE.split(left)[-1]
    if not _MASS_DIRECTLY_BEFORE.search(clause):
        return False
    beside = fold(f"{clause} # {_CLAUSE.split(right)[0]}")
    return not any(pattern.search(beside) for pattern in (_DATED, _NEGATION, _ELSEWHERE))


def is_said_to_be_standing(left: str, right: str) -> bool:
    """Whether the clause itself calls the hour a Mass and nothing in it dates, cancels or removes it elsewhere.

    >>> is_said_to_be_standing("Chrzty w II niedzielę miesiąca na Mszy św. o godz. ", ". Rodzice")
    True
    >>> is_said_to_be_standing("W piątek 2 listopada Msza św. o ", " na cmentarzu")
    False
    """
    before, after = fold(_CLAUSE.split(left)[-1]), fold(_CLAUSE.split(right)[0])
    if not _MASS_BEFORE.search(before) and not _MASS_AFTER.match(fold(right[:_LOOKED_AT])):
        return False
    return not any(pattern.search(f"{before} # {after}") for pattern in (_OTHER_BEFORE, _DATED, _NEGATION))
