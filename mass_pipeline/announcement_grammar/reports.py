"""Whether words tell what has been: no announcement, however much it speaks of Masses."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.announcement_grammar import phrases

_REMARK: Final = re.compile(r"(?<=\d )\((?:[^()\d]|\d(?!\d?[.:]\d\d))*\)")  # "10.00 (za zmarłych w minionym roku)"


def is_report(sentence: str, folded: str) -> bool:
    """Whether a sentence tells what has been; what a bracket says of one Mass of a list does not count.

    Args:
        sentence: as written.
        folded: the same, folded.
    """
    said = phrases.BECAUSE.sub("", _REMARK.sub("", folded))
    past = phrases.PAST.search(_REMARK.sub("", sentence)) is not None and not phrases.AHEAD.search(folded)
    return past or phrases.REPORT.search(said) is not None
