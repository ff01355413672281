"""Whether words tell what has been: no announcement, however much it speaks of Masses."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.announcement_grammar import phrases

_REMARK: Final = re.compile(r"(?<=\d )\((?:[^()\d]|\d(?!\d?[.:]\d\d))*\)")  # "10.00 (za zmarłych w minionym roku)"
# "żeby był czas na ubieranie ołtarzy", "abyśmy zdążyli na procesję": what is aimed at has not been
_PURPOSE: Final = re.compile(r"\b(?:[żz]e|a)?by(?:[śs]my|[śs]cie|m|[śs])?\b[^.;,]*", re.I)

# "bo tak prosili ludzie": the Mass is ahead all the same
_BECAUSE: Final = re.compile(r"\b(?:bo|gdyż|ponieważ)\b[^\d]*$", re.I)


def is_report(sentence: str, folded: str) -> bool:
    """Whether a sentence tells what has been; what a bracket says of one Mass of a list does not count.

    Args:
        sentence: as written.
        folded: the same, folded.
    """
    said, written = (_what_is_said(words) for words in (phrases.BECAUSE.sub("", folded), sentence))
    past = phrases.PAST.search(written) is not None and not phrases.AHEAD.search(folded)
    return past or phrases.REPORT.search(said) is not None


def _what_is_said(words: str) -> str:
    for aside in (_REMARK, _PURPOSE, _BECAUSE, phrases.FOR_THOSE):
        words = aside.sub("", words)
    return words
