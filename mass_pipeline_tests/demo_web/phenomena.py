"""The 40 phenomena of how Polish parishes write Mass times, ranked by reach among 596 parishes.

Every demo site names the ones it shows; the tests prove each claim on the page or in the truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PHENOMENA: Final[Mapping[int, str]] = {
    1: "comma list under a Sunday or weekday label",
    2: "H:MM",
    3: "H.MM",
    4: "bracketed qualifier after a time",
    5: "godz. before a time",
    6: "any season condition",
    7: "several places",
    8: "office hours beside the Masses",
    9: "confession beside the Masses",
    10: "weekday names inside the weekday field",
    11: "boilerplate copy on every page",
    12: "list for feasts on working days",
    13: "children label",
    14: "vacation condition, exclusion form",
    15: "devotions beside the Masses",
    16: "nth weekday of the month",
    17: "one time per bullet or line",
    18: "exclusion operator",
    19: "lost or raised superscript minutes",
    20: "Saturday with hours of its own",
    21: "summer and winter words",
    22: "default and a clause for single days",
    23: "Saturday vigil in the Sunday list",
    24: "explicit months or dates",
    25: "youth label",
    26: "place after the time",
    27: "enumeration of days",
    28: "vacation replaces a list or shifts an hour",
    29: "suma",
    30: "one-sided season, complement implied",
    31: "mixed separators in one parish",
    32: "abbreviated days",
    33: "day after the time",
    34: "times joined by i",
    35: "shift in May and October; academic Mass",
    36: "range of days",
    37: "Advent, Lent or pastoral visits; letter o for zero",
    38: "remaining days; a weekday without Mass; exception with a day",
    39: "bare hours; zero-padded hours; a non-Mass hour inside the line",
    40: "no weekday data; negation; separator typos",
}
