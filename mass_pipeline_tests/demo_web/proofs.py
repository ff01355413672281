"""What must be seen on a site, or stand in its truth, for a claim that it shows a phenomenon to hold."""

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


PROOFS: Mapping[int, Proof] = {
    1: _seen(rf"{_LABEL}[^\d]{{0,50}}\d"),
    2: _seen(r"\b\d{1,2}:[0-5]\d"),
    3: _seen(r"\b\d{1,2}\.[0-5]\d"),
    4: _seen(rf"{_TIME}\s?\("),
    5: _seen(r"godz\.\s?\d"),
    6: _any_mass(lambda mass: mass.season != "all"),
    7: lambda _, masses: len({mass.place for mass in masses}) > 1,
    8: _seen(r"(kancelari|biuro)[^|]{0,60}\d"),
    9: _seen(r"spowied[zź]"),
    10: _seen(_DAY),
    11: lambda text, masses: True,  # proved on the pages themselves, see test_sites
    12: _any_mass(lambda mass: "AF" in mass.days),
    13: _seen(r"dzieci|rodzinna|szkolna"),
    14: _both(_seen(r"poza wakacjami|oprócz wakacji|wakacj\w+ (bez|nie ma)"), _any_mass(lambda mass: mass.season == "school")),
    15: _seen(r"nieszpory|różan\w+|koronk\w+|majow\w+|godzinki|nowenn\w+|gorzkie"),
    16: _any_mass(lambda mass: mass.nth is not None),
    17: _seen(rf"{_TIME} (- \w+ )?(godz\. )?{_TIME} (godz\. )?{_TIME}|{_TIME} \w+ - {_TIME} \w+ - {_TIME}|08:00 10:00"),
    18: _seen(r"\b(poza|oprócz|z wyjątkiem|bez|nie ma)\b"),
    19: _seen(r"\b([5-9]|1\d|2[0-2])(00|15|30|45)\b(?! r)|7:00, 9:00"),
    20: _saturday_of_its_own,
    21: _any_mass(lambda mass: mass.season in ("summer", "winter")),
    22: _seen(rf"{_TIME},? (?:w )?(?:\w+ )?{_DAY}|{_DAY} (?:tylko )?{_TIME}, w pozostałe|{_TIME}, w (?:piątki|środę)"),
    23: _seen(rf"sobotni wieczór|{_TIME} \(sobota\)|w sobotę o {_TIME}"),
    24: _any_mass(lambda mass: re.fullmatch(r"\d\d-\d\d", mass.season) is not None),
    25: _seen("młodzież"),
    26: _seen(rf"{_TIME} ?[(–-] ?(dla dzieci, )?[A-ZŻŚk]\w+"),
    27: _seen(rf"{_DAY}, {_DAY}"),
    28: _any_mass(lambda mass: mass.season in ("vacation", "07-08")),
    29: _seen("suma"),
    30: _seen(rf"{_TIME} \((w okresie )?zim\w+ {_TIME}|zimowym {_TIME}"),
    31: lambda text, _: len(set(re.findall(r"\b\d{1,2}([.:,;])[0-5oO][0-9oO]", text))) > 1,
    32: _seen(r"\b(pn|pon|wt|śr|czw|pt|sob|nd)\."),
    33: _seen(rf"{_TIME} \({_DAY}|{_DAY} {_TIME}"),
    34: _seen(rf"{_TIME} i (godz\. )?{_TIME}"),
    35: _either(_any_mass(lambda mass: mass.season in ("may", "october")), _seen("akademicka")),
    36: _seen(rf"pn\.–(pt|sob)\.|od poniedziałku do (piątku|soboty)|poniedziałek – piątek|{_DAY}–{_DAY}"),
    37: _either(
        _any_mass(lambda mass: mass.season in ("advent", "lent", "christmasvisits")),
        _seen(r"kolęd"),
        _seen(r"\d[.:](oo|\d?o)\b"),
    ),
    38: _either(_seen("pozostałe dni|z wyjątkiem"), _a_weekday_without_mass),
    39: _either(_seen(r"\b0\d[:.]\d\d"), _seen(r"godz\. \d{1,2} i \d"), _seen(r"o \d{1,2}[.:]\d\d,? śpiewamy|Koronką")),
    40: _either(_seen(r"wg intencji|bez Mszy|nie ma Mszy"), _seen(r"\d,\d\d, \d\d;\d\d")),
}
