"""The words by which names are judged (data/words.csv): folded, grouped by what they tell.

Groups: `empty` (tells no patron from another), `half` and `weak` (titles and forms of address), `patron_sign` (dedications only),
`parish` (names of churches), `page` (words of parish home pages), `institution` (names of something else), `other_type` and
`church_type` (types of Places), `ending` (of Polish declension).
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def group(kind: str) -> frozenset[str]:
    """Words of a group.

    >>> "muzeum" in group("institution")
    True
    """
    path = files("mass_pipeline.gathering").joinpath("data/words.csv")
    with path.open(encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = frozenset(word for row in rows if row["kind"] == kind for word in row["words"].split())
    if not found:
        raise KeyError(kind)
    return found
