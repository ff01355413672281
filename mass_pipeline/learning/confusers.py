"""What kind of hour a non-Mass probably is, from the words that govern it: for tables of errors, never for decisions.

Belongs: cue words as data. Not here: anything a model learns from.
"""

from __future__ import annotations

import re
from typing import Final

import pandas as pd

from mass_pipeline.learning.schema import texts_of
from mass_pipeline.learning.tokens import fold_case
from mass_pipeline.reading.words.weekday_patterns import MONTH

# Kind -> cues in folded text; of several cues the one nearest before the hour decides.
CUES: Final = {
    "office": r"kancelari|biuro|biura|czynn|urzedowani|przyjmuj|interesant|dyzur",
    "confession": r"spowied|pokut|pojednani|konfesjona",
    "adoration": r"adoracj|wystawieni|godzina swieta|cicha",
    "devotion": r"rozani?[ec]|nowenn|koronk|godzinki|nieszpor|majow|czerwcow|drog\w krzyz|gorzki|apel|wypomink|litani|nabozenstw",
    "meeting": r"spotkani|zbiork|prob[ay]\b|schol|chor|ministran|katechez|nauk[ai]|kurs|krag|swietlic|rada",
    "opening": r"otwart|cmentarz|zwiedzani|muzeum|sklepik|bibliotek",
    "feast": r"odpust|procesj|rekolekcj|koled|wigili|pasterk|triduum|rezurekcj|swieconk|swieceni",
    "sacrament": r"chrzest|chrztu|chrzty|slub|bierzmowan|komuni|pogrzeb",
    "other_parish": r"transmisj|na zywo|radi[oa]\b|tvp|youtube|dekanat|sanktuarium|jasn\w gor",
    "mass": r"msz[aeyu]|sum[ae]\b|eucharysti|liturgi",
}
_CUE: Final = re.compile("|".join(f"(?P<{kind}>{cue})" for kind, cue in CUES.items()))
_DATE: Final = re.compile(rf"\d{{1,2}}\.\d{{1,2}}\.\d{{2,4}}|\d{{1,2}} (?:{MONTH})")
_RANGE: Final = re.compile(r"[-–—]\s*$|\bdo\s*$")
_NEAR_CHARACTERS: Final = 200


def confuser_kinds(candidates: pd.DataFrame) -> list[str]:
    """Kind of each hour: a key of `CUES`, `date`, `range` or `none`; the order of the frame is kept."""
    columns = (texts_of(candidates[name]) for name in ("left", "right", "heading"))
    return [_kind(left, right, heading) for left, right, heading in zip(*columns, strict=True)]


def _kind(left: str, right: str, heading: str) -> str:
    near = fold_case(left[-_NEAR_CHARACTERS:])
    if _RANGE.search(near[-4:]) or re.match(r"\s*[-–—]\s*\d", right):
        return "range"
    if _DATE.search(near.rpartition("\n")[2]):
        return "date"
    kind = "none"
    for match in _CUE.finditer(f"{fold_case(heading)}\n{near}"):
        kind = match.lastgroup or kind
    return kind
