"""The 40 phenomena of how Polish parishes write Mass times, ranked by reach among 596 parishes, and what proves each.

Every demo site names the ones it shows; what proves a claim is seen on the site or stands in its truth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from mass_pipeline.model.records import Mass

Proof = Callable[[str, Sequence[Mass]], bool]

_TIME = r"\d{1,2}[.:,;]\s?[0-5oO][0-9oO]"
_DAY = (
    r"(?:poniedziałk\w*|poniedziałek|wtor\w*|środ\w*|czwart\w*|piąt\w*|sobo\w*|sobót"
    r"|pon\.|pn\.|wt\.|śr\.|czw\.|pt\.|sob\.)"
)
_LABEL = r"(?:niedziel\w*|nd\.|powszedni\w*|w tygodniu|powszednie)"


def _seen(pattern: str) -> Proof:
    return lambda text, _: re.search(pattern, text, re.IGNORECASE) is not None


def _any_mass(condition: Callable[[Mass], bool]) -> Proof:
    return lambda _, masses: any(condition(mass) for mass in masses)


def _both(*proofs: Proof) -> Proof:
    return lambda text, masses: all(proof(text, masses) for proof in proofs)


def _either(*proofs: Proof) -> Proof:
    return lambda text, masses: any(proof(text, masses) for proof in proofs)


def _saturday_of_its_own(_: str, masses: Sequence[Mass]) -> bool:
    plain = [mass for mass in masses if mass.nth is None]
    saturday = {mass.time for mass in plain if "Sa" in mass.days}
    return bool(saturday) and saturday != {mass.time for mass in plain if "We" in mass.days}


def _a_weekday_without_mass(_: str, masses: Sequence[Mass]) -> bool:
    covered = {day for mass in masses for day in mass.days}
    return not {"Mo", "Tu", "We", "Th", "Fr", "Sa"} <= covered


PHENOMENA: Mapping[int, tuple[str, Proof]] = {
    1: ("comma list under a Sunday or weekday label", _seen(rf"{_LABEL}[^\d]{{0,50}}\d")),
    2: ("H:MM", _seen(r"\b\d{1,2}:[0-5]\d")),
    3: ("H.MM", _seen(r"\b\d{1,2}\.[0-5]\d")),
    4: ("bracketed qualifier after a time", _seen(rf"{_TIME}\s?\(")),
    5: ("godz. before a time", _seen(r"godz\.\s?\d")),
    6: ("any season condition", _any_mass(lambda mass: mass.season != "all")),
    7: ("several places", lambda _, masses: len({mass.place for mass in masses}) > 1),
    8: ("office hours beside the Masses", _seen(r"(kancelari|biuro)[^|]{0,60}\d")),
    9: ("confession beside the Masses", _seen(r"spowied[zź]")),
    10: ("weekday names inside the weekday field", _seen(_DAY)),
    11: ("boilerplate copy on every page", lambda text, masses: True),  # proved on the pages themselves, see test_sites
    12: ("list for feasts on working days", _any_mass(lambda mass: "AF" in mass.days)),
    13: ("children label", _seen(r"dzieci|rodzinna|szkolna")),
    14: (
        "vacation condition, exclusion form",
        _both(_seen(r"poza wakacjami|oprócz wakacji|wakacj\w+ (bez|nie ma)"), _any_mass(lambda mass: mass.season == "school")),
    ),
    15: ("devotions beside the Masses", _seen(r"nieszpory|różan\w+|koronk\w+|majow\w+|godzinki|nowenn\w+|gorzkie")),
    16: ("nth weekday of the month", _any_mass(lambda mass: mass.nth is not None)),
    17: (
        "one time per bullet or line",
        _seen(rf"{_TIME} (- \w+ )?(godz\. )?{_TIME} (godz\. )?{_TIME}|{_TIME} \w+ - {_TIME} \w+ - {_TIME}|08:00 10:00"),
    ),
    18: ("exclusion operator", _seen(r"\b(poza|oprócz|z wyjątkiem|bez|nie ma)\b")),
    19: ("lost or raised superscript minutes", _seen(r"\b([5-9]|1\d|2[0-2])(00|15|30|45)\b(?! r)|7:00, 9:00")),
    20: ("Saturday with hours of its own", _saturday_of_its_own),
    21: ("summer and winter words", _any_mass(lambda mass: mass.season in ("summer", "winter"))),
    22: (
        "default and a clause for single days",
        _seen(rf"{_TIME},? (?:w )?(?:\w+ )?{_DAY}|{_DAY} (?:tylko )?{_TIME}, w pozostałe|{_TIME}, w (?:piątki|środę)"),
    ),
    23: ("Saturday vigil in the Sunday list", _seen(rf"sobotni wieczór|{_TIME} \(sobota\)|w sobotę o {_TIME}")),
    24: ("explicit months or dates", _any_mass(lambda mass: re.fullmatch(r"\d\d-\d\d", mass.season) is not None)),
    25: ("youth label", _seen("młodzież")),
    26: ("place after the time", _seen(rf"{_TIME} ?[(–-] ?(dla dzieci, )?[A-ZŻŚk]\w+")),
    27: ("enumeration of days", _seen(rf"{_DAY}, {_DAY}")),
    28: ("vacation replaces a list or shifts an hour", _any_mass(lambda mass: mass.season in ("vacation", "07-08"))),
    29: ("suma", _seen("suma")),
    30: ("one-sided season, complement implied", _seen(rf"{_TIME} \((w okresie )?zim\w+ {_TIME}|zimowym {_TIME}")),
    31: ("mixed separators in one parish", lambda text, _: len(set(re.findall(r"\b\d{1,2}([.:,;])[0-5oO][0-9oO]", text))) > 1),
    32: ("abbreviated days", _seen(r"\b(pn|pon|wt|śr|czw|pt|sob|nd)\.")),
    33: ("day after the time", _seen(rf"{_TIME} \({_DAY}|{_DAY} {_TIME}")),
    34: ("times joined by i", _seen(rf"{_TIME} i (godz\. )?{_TIME}")),
    35: (
        "shift in May and October; academic Mass",
        _either(_any_mass(lambda mass: mass.season in ("may", "october")), _seen("akademicka")),
    ),
    36: ("range of days", _seen(rf"pn\.–(pt|sob)\.|od poniedziałku do (piątku|soboty)|poniedziałek – piątek|{_DAY}–{_DAY}")),
    37: (
        "Advent, Lent or pastoral visits; letter o for zero",
        _either(
            _any_mass(lambda mass: mass.season in ("advent", "lent", "christmasvisits")),
            _seen(r"kolęd"),
            _seen(r"\d[.:](oo|\d?o)\b"),
        ),
    ),
    38: (
        "remaining days; a weekday without Mass; exception with a day",
        _either(_seen("pozostałe dni|z wyjątkiem"), _a_weekday_without_mass),
    ),
    39: (
        "bare hours; zero-padded hours; a non-Mass hour inside the line",
        _either(_seen(r"\b0\d[:.]\d\d"), _seen(r"godz\. \d{1,2} i \d"), _seen(r"o \d{1,2}[.:]\d\d,? śpiewamy|Koronką")),
    ),
    40: (
        "no weekday data; negation; separator typos",
        _either(_seen(r"wg intencji|bez Mszy|nie ma Mszy"), _seen(r"\d,\d\d, \d\d;\d\d")),
    ),
}
