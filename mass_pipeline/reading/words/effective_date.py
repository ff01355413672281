"""The day from which an order is said to hold: `od niedzieli 1 września 2024 r.`, with its year."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.weekday_patterns import MONTH, WEEKDAY, month_number

_SINCE: Final = re.compile(
    rf"(?<!\w)(?:od|z dniem|from)(?: dnia)?(?: (?:{WEEKDAY})\w*)?,?\s*\(?([0-3]?\d)[. ]+(?:({MONTH})\w*|(1[0-2]|0?[1-9])\.?)[. ]+"
    r"(20\d\d)(?!\d)(?!\s*(?:r\.?|roku)?\s*(?:do\b|[-–]))"
)  # folded; a day that ends again begins no order


_FOR_A_WHILE: Final = re.compile(
    r"na czas\b|do odwolania|epidemi|pandemi|obostrz|remont|rekolekc|misji\b|wakac|feri(?:e|i|ach)\b|kolend|koled"
)  # folded


def since(texts: Iterable[str]) -> date | None:
    """The latest such day in some lines; None when none is named, or what they tell holds for a while only.

    >>> since(["Od niedzieli 1 września 2024 r. Msze św. o 8.00"])
    datetime.date(2024, 9, 1)
    >>> since(["od 1 lipca 2024 do 31 sierpnia 2024", "od 1 września"]) is None
    True
    """
    telling = [fold(text) for text in texts if "20" in text]
    if any(_FOR_A_WHILE.search(text) for text in telling):
        return None
    found = [day for text in telling for match in _SINCE.finditer(text) if (day := _day(match)) is not None]
    return max(found, default=None)


def _day(match: re.Match[str]) -> date | None:
    month = month_number(match[2]) if match[2] else int(match[3])
    try:
        return date(int(match[4]), month, int(match[1]))
    except ValueError:
        return None
