"""Whether the words beside an hour name a single date. Used for labels whose voters were not asked about it.

Belongs: cue words of dated announcements. Not here: reading the date itself (reading).
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.learning.tokens import fold_case
from mass_pipeline.reading.words.weekday_patterns import FRIDAY, OF_MONTH, SATURDAY, SUNDAY, THURSDAY

_DATE: Final = re.compile(
    rf"\b\d{{1,2}}\.? ?(?:{OF_MONTH})\b|\b\d{{1,2}}\.\d{{1,2}}\.(?:20)?\d\d\b|"
    r"\b\d{1,2} ?(?:xii|xi|ix|iv|viii|vii|vi|iii|ii|v|x)\b"
)
_NEAR_DAY: Final = re.compile(
    rf"\b(?:dzis|dzisiaj|jutro|pojutrze|najblizsz\w+|przyszl\w+ (?:{SUNDAY}\w+|tydz\w+)|w tym tygodniu|wigili\w+ bozego|"
    rf"pasterk\w+|triduum|wielk\w+ (?:{THURSDAY}ek|{FRIDAY}ek|{SATURDAY}[ae])|{SUNDAY}\w+ palmow\w+"
    r"|rekolekcj\w+|odpust\w*)\b"
)
_LINES_BEFORE: Final = 2
_PERIOD: Final = re.compile(r"\b(?:od|do|miedzy|w okresie)\b[^\n]{0,20}$")


def has_dated_cue(left: str, right: str, heading: str) -> bool:
    """Whether a date or a single feast governs the hour: in its line, in the two lines before it, or in its heading.

    A period ("od 1 maja do 30 września") is no date: it makes a season of the standing schedule.

    >>> has_dated_cue("We wtorek, 12 maja, o godz. ", " Msza św. za zmarłych", "")
    True
    >>> has_dated_cue("Od 1 maja do 30 września: ", ", 19:00", "Msze święte")
    False
    """
    lines = fold_case(left).split("\n")[-1 - _LINES_BEFORE :]
    behind = fold_case(right).partition("\n")[0]
    text = "\n".join([fold_case(heading), *lines, behind])
    if _NEAR_DAY.search(text):
        return True
    return any(not _PERIOD.search(text[: match.start()]) for match in _DATE.finditer(text))
