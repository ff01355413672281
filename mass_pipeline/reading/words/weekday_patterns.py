"""The names of weekdays, months and parts of the day: each is spelled here, once, as a piece that patterns are put together from.

Folded (`words.folding`, `model.identifiers.fold`) unless its name says otherwise; a stem takes its ending where it is used:
`rf"{SUNDAY}[aei]"`. Belongs here: spelling. Not here: which days a phrase means (dates, the grammars), the vocabulary of
the standing order (vocabulary/pl/days.toml).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MONDAY: Final = "poniedzial"
TUESDAY: Final = "wtor"
WEDNESDAY: Final = "srod"
THURSDAY: Final = "czwart"
FRIDAY: Final = "piat"
SATURDAY: Final = "sobot"
SUNDAY: Final = "niedziel"
WEEKDAY_STEMS: Final = (MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY)
WEEKDAY: Final = "|".join(WEEKDAY_STEMS)
# One of them in the singular, in any case that announcements use.
ONE_WEEKDAY: Final = "poniedzial(?:ek|ku|kiem)|wtor(?:ek|ku)|srod[aeyi]|czwart(?:ek|ku)|piat(?:ek|ku)|sobot[aeyi]|niedziel[aei]"
# From Monday on, in the cases announcements use them in: "od poniedziałku", "w poniedziałki".
WEEKDAYS_OF: Final = ("poniedzialku", "wtorku", "srody", "czwartku", "piatku", "soboty", "niedzieli")
WEEKDAYS_EVERY: Final = ("poniedzialki", "wtorki", "srody", "czwartki", "piatki", "soboty", "niedziele")
OF_WEEKDAY: Final = "|".join(WEEKDAYS_OF)
SUNDAY_SHORT: Final = "niedz"

# With accents.
EVERY_OF_ONE: Final[Mapping[str, str]] = {  # "w poniedziałek" -> "w poniedziałki"
    "poniedziałek": "poniedziałki", "wtorek": "wtorki", "środę": "środy", "czwartek": "czwartki", "piątek": "piątki",
    "sobotę": "soboty", "niedzielę": "niedziele",
}  # fmt: skip
WEEKDAY_NAMES: Final[Mapping[str, str]] = {
    "Mo": "poniedziałek",
    "Tu": "wtorek",
    "We": "środa",
    "Th": "czwartek",
    "Fr": "piątek",
    "Sa": "sobota",
    "Su": "niedziela",
}
# With accents or without: text as people type it.
WEEKDAY_TYPED: Final = "poniedzia|wtor|[sś]rod|czwart|pi[aą]t|sobot|niedziel"
SHORT_WEEKDAYS: Final[Mapping[str, int]] = {  # folded, Monday is 0
    "pon": 0, "pn": 0, "wt": 1, "sr": 2, "czw": 3, "czwart": 3, "pt": 4, "piat": 4, "sob": 5, "nd": 6, "ndz": 6, "niedz": 6,
}  # fmt: skip
DAYS_TYPED: Final = rf"{WEEKDAY_TYPED}|powszedn|codzien|[sś]wi[eę]t|uroczyst"  # feasts and working days too
SHORT_WEEKDAY_TYPED: Final = "pon|pn|wt|[sś]r|czw|pt|sob|nd"

MONTH: Final = "stycz|lut|mar[cz]|kwie|maj|czerw|lip|sierp|wrze|paz|listop|grud"  # what any case of its name begins with
_MONTHS_OF_LANGUAGES: Final = (  # abbreviations too: Polish, English, German where it differs, Ukrainian, Russian
    ("sty", "jan", "січ", "янв"), ("lut", "feb", "лют", "фев"), ("mar", "бер", "мар"), ("kwi", "apr", "кві", "апр"),
    ("maj", "may", "mai", "тра", "май", "маи", "мая"), ("cze", "jun", "чер", "июн"), ("lip", "jul", "лип", "июл"),
    ("sie", "aug", "сер", "авг"), ("wrz", "sep", "вер", "сен"), ("paz", "oct", "okt", "жов", "окт"), ("lis", "nov", "лис", "ноя"),
    ("gru", "dec", "dez", "гру", "дек"),
)  # fmt: skip
# "3 maja", "w maju", from January on.
OF_MONTH: Final = "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|wrzesnia|pazdziernika|listopada|grudnia"
OF_MONTH_TYPED: Final = OF_MONTH.replace("wrzesn", "wrze[śs]n").replace("pazdz", "pa[źz]dz")

MORNING: Final = "porann"  # of an adjective
IN_THE_MORNING: Final = "rano"
IN_THE_AFTERNOON: Final = "po poludniu"
AFTERNOON: Final = "popoludni"
EVENING: Final = "wieczor"
IN_THE_EVENING: Final = "wieczorem"


def weekday_number(folded: str) -> int:
    """Monday is 0, of a folded word that begins with the name of a weekday.

    >>> weekday_number("niedziele")
    6
    """
    return next(number for number, stem in enumerate(WEEKDAY_STEMS) if folded.startswith(stem))


_ROMAN_MONTHS: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def month_of(named: str) -> int:
    """1 to 12, of a month by its folded Polish name, as a number or as a Roman one; 0 for none.

    >>> month_of("maja"), month_of("05"), month_of("V"), month_of("xx")
    (5, 5, 5, 0)
    """
    if named.isdigit():
        return int(named)
    roman = named.lower()
    return _ROMAN_MONTHS.index(roman) + 1 if roman in _ROMAN_MONTHS else month_number(named)


def month_number(folded: str) -> int:
    """The number of a month by its name or abbreviation in any case and language of the vocabulary, 0 for a word that is none.

    >>> month_number("pazdziernika"), month_number("may"), month_number("soboty")
    (10, 5, 0)
    """
    return next((number for number, stems in enumerate(_MONTHS_OF_LANGUAGES, 1) if folded.startswith(stems)), 0)
