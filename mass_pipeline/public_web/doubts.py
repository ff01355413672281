"""Why nothing says that an order is in force, in the language of the page. The tables tell it in English: `schedules.states`."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from mass_pipeline.public_web.texts import Words

_UNTIL: Final = re.compile(r"said to hold until (\d{4}-\d\d-\d\d)\.$")
_MANY: Final = re.compile(r"states (\d+) Masses for one day")
_WORDS: Final = re.compile(r"^Its page says: (.+)\.$|\(([^()]+)\)\.$")


def why_doubted(say: Words, reason: str) -> str:
    """The reason as a sentence; "" for one that has no sentence in this language."""
    if found := _UNTIL.search(reason):
        return say("doubt_until", day=say.day(date.fromisoformat(found[1])))
    if found := _MANY.search(reason):
        return say("doubt_many", n=found[1])
    if found := _WORDS.search(reason):
        return say("doubt_words", words=found[1] or found[2])
    return ""
