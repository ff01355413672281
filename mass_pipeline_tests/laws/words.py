"""Polish of parish offices: days, seasons, feasts, towns and hours in the forms that phrases ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Final

DAYS: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_DAY_FORMS: Final = (  # nominative, accusative, genitive, instrumental, plural, its genitive, its instrumental, abbreviation
    "poniedziałek poniedziałek poniedziałku poniedziałkiem poniedziałki poniedziałków poniedziałkami pn.",
    "wtorek wtorek wtorku wtorkiem wtorki wtorków wtorkami wt.",
    "środa środę środy środą środy śród środami śr.",
    "czwartek czwartek czwartku czwartkiem czwartki czwartków czwartkami czw.",
    "piątek piątek piątku piątkiem piątki piątków piątkami pt.",
    "sobota sobotę soboty sobotą soboty sobót sobotami sob.",
    "niedziela niedzielę niedzieli niedzielą niedziele niedziel niedzielami nd.",
)
_MONTHS: Final = (
    "stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia", "września", "października", "listopada",
    "grudnia",
)  # fmt: skip
SEASONS: Final[tuple[tuple[frozenset[int], str, str, str], ...]] = (  # months, "in it", genitive, instrumental
    (frozenset({7, 8}), "w wakacje", "wakacji", "wakacjami"),
    (frozenset({7, 8}), "w okresie wakacji", "okresu wakacji", "okresem wakacji"),
    (frozenset({7, 8}), "w lipcu i sierpniu", "lipca i sierpnia", "lipcem i sierpniem"),
    (frozenset({7, 8}), "w miesiącach wakacyjnych", "miesięcy wakacyjnych", "miesiącami wakacyjnymi"),
    (frozenset({8}), "w sierpniu", "sierpnia", "sierpniem"),
    (frozenset({7}), "w lipcu", "lipca", "lipcem"),
    (frozenset({1, 2}), "w styczniu i lutym", "stycznia i lutego", "styczniem i lutym"),
)
TOWNS: Final = (  # nominative, locative, genitive
    ("Olszanka", "Olszance", "Olszanki"),
    ("Brzezie", "Brzeziu", "Brzezia"),
    ("Kalinowo", "Kalinowie", "Kalinowa"),
    ("Dębina", "Dębinie", "Dębiny"),
    ("Wierzbówka", "Wierzbówce", "Wierzbówki"),
    ("Zarębin", "Zarębinie", "Zarębina"),
    ("Lipniki", "Lipnikach", "Lipnik"),
    ("Grabowiec", "Grabowcu", "Grabowca"),
    ("Jodłowo", "Jodłowie", "Jodłowa"),
    ("Modrzejów", "Modrzejowie", "Modrzejowa"),
    ("Topolany", "Topolanach", "Topolan"),
    ("Rudawka", "Rudawce", "Rudawki"),
)
PATRONS: Final = (
    "św. Anny", "św. Wita", "św. Macieja", "św. Łukasza", "św. Bartłomieja", "św. Jadwigi", "Świętej Trójcy",
    "Matki Bożej Różańcowej", "Przemienienia Pańskiego", "św. Michała Archanioła", "św. Wawrzyńca", "św. Doroty",
)  # fmt: skip
_MASS: Final[Mapping[str, tuple[str, ...]]] = {
    "M": ("Msza św.", "Msza święta", "Msza", "Eucharystia"),
    "Mg": ("Mszy św.", "Mszy świętej", "Mszy", "Eucharystii"),
    "Ma": ("Mszę św.", "Mszę świętą", "Mszę", "Eucharystię"),
    "Mi": ("Mszą św.", "Mszą świętą", "Mszą", "Eucharystią"),
    "Mp": ("Msze św.", "Msze święte", "Msze", "Eucharystie"),
    "Mgp": ("Mszy św.", "Mszy świętych", "Mszy", "Eucharystii"),
}
_PLAIN: Final = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ")


def day_forms(day: str) -> dict[str, str]:
    """Slots of a weekday: dn da dg di dp dgp dip db, and wda, wdp with their preposition."""
    forms = dict(zip(("dn", "da", "dg", "di", "dp", "dgp", "dip", "db"), _DAY_FORMS[DAYS.index(day)].split(), strict=True))
    before = "we" if day == "Tu" else "w"
    return forms | {"wda": f"{before} {forms['da']}", "wdp": f"{before} {forms['dp']}"}


def mass_forms(rng: Random) -> dict[str, str]:
    """Slots M Mg Ma Mi Mp Mgp: one name of the Mass for the whole sentence."""
    which = rng.choices(range(4), (6, 3, 4, 1))[0]
    return {slot: forms[which] for slot, forms in _MASS.items()}


def without_marks(text: str) -> str:
    """As typed without Polish letters."""
    return text.translate(_PLAIN)


def fill(rng: Random, template: str, slots: Mapping[str, str]) -> str:
    """A phrase with its slots filled; "[a|b]" is one of the two, "[a|]" may be left out."""
    chosen = re.sub(r"\[([^\[\]]*)\]", lambda m: rng.choice(m[1].split("|")), template)
    return re.sub(r"\s+([.,;:)])", r"\1", " ".join(chosen.format_map(slots).replace("..", ".").split()))


def sentence(text: str) -> str:
    """With a capital and an end."""
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


@dataclass(frozen=True, slots=True)
class Clock:
    """How one text writes its hours.

    Attributes:
        mark: between hour and minutes.
        cue: before an hour within a sentence.
    """

    mark: str
    cue: str

    @classmethod
    def drawn(cls, rng: Random) -> Clock:
        return cls(rng.choice(".:."), rng.choice(("", "", "godz. ")))

    def bare(self, hour: str) -> str:
        """In a list."""
        return f"{int(hour[:2])}{self.mark}{hour[3:]}"

    def said(self, hour: str) -> str:
        """In a sentence behind its preposition."""
        return self.cue + self.bare(hour)

    def all_of(self, hours: tuple[str, ...] | list[str]) -> str:
        """Several in a sentence, "8.00, 10.00 i 12.00"."""
        *first, last = (self.bare(one) for one in hours)
        return self.cue + (f"{', '.join(first)} i {last}" if first else last)


def date_words(day: date) -> str:
    """ "25 grudnia"."""
    return f"{day.day} {_MONTHS[day.month - 1]}"


def easter(year: int) -> date:
    """Gauss, Gregorian."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, day = divmod(h + k - 7 * ((a + 11 * h + 22 * k) // 451) + 114, 31)
    return date(year, month, day + 1)


# Day ("12-25", or days after Easter), weight, genitive; what stands before it: u(roczystość), s(więto), or its own forms
# genitive|instrumental|locative|accusative.
_FEASTS: Final = (
    ("12-25", 8, "", "Bożego Narodzenia|Bożym Narodzeniem|Bożym Narodzeniu|Boże Narodzenie"),
    ("12-25", 4, "Narodzenia Pańskiego", "u"),
    ("01-01", 2, "", "Nowego Roku|Nowym Rokiem|Nowym Roku|Nowy Rok"),
    ("01-01", 1, "Świętej Bożej Rodzicielki Maryi", "u"),
    ("01-06", 2, "Objawienia Pańskiego", "u"),
    ("01-06", 2, "Trzech Króli", "u"),
    ("02-02", 2, "Ofiarowania Pańskiego", "s"),
    ("03-19", 2, "św. Józefa", "u"),
    (-46, 2, "", "Środy Popielcowej|Środą Popielcową|Środzie Popielcowej|Środę Popielcową"),
    (-7, 1, "", "Niedzieli Palmowej|Niedzielą Palmową|Niedzieli Palmowej|Niedzielę Palmową"),
    (0, 2, "Zmartwychwstania Pańskiego", "u"),
    ("05-03", 2, "NMP Królowej Polski", "u"),
    (42, 1, "Wniebowstąpienia Pańskiego", "u"),
    (49, 1, "Zesłania Ducha Świętego", "u"),
    (56, 1, "Trójcy Przenajświętszej", "u"),
    (60, 3, "", "Bożego Ciała|Bożym Ciałem|Bożym Ciele|Boże Ciało"),
    (68, 2, "Najświętszego Serca Pana Jezusa", "u"),
    ("06-29", 2, "Świętych Apostołów Piotra i Pawła", "u"),
    ("08-15", 3, "Wniebowzięcia NMP", "u"),
    ("08-26", 1, "Matki Bożej Częstochowskiej", "u"),
    ("09-14", 1, "Podwyższenia Krzyża Świętego", "s"),
    ("11-01", 4, "Wszystkich Świętych", "u"),
    ("11-02", 1, "", "Dnia Zadusznego|Dniem Zadusznym|Dniu Zadusznym|Dzień Zaduszny"),
    ("12-08", 3, "Niepokalanego Poczęcia NMP", "u"),
)
_CLASSES: Final = {
    "u": ["uroczystości", "uroczystością", "uroczystości", "uroczystość"],
    "s": ["święta", "świętem", "święcie", "święto"],
}


@dataclass(frozen=True, slots=True)
class Feast:
    """A feast of one year, with the forms Fg Fi Fl Fa."""

    day: date
    forms: Mapping[str, str]


def drawn_feast(rng: Random, only: str = "") -> Feast:
    """A feast of 2025 or 2026, Christmas most, none that yields to another day; `only` names one by its day ("12-25")."""
    choices = [one for one in _FEASTS if not only or str(one[0]) == only]
    when, _, name, kind = rng.choices(choices, [one[1] for one in choices])[0]
    year = rng.choice((2025, 2026))
    day = easter(year) + timedelta(when) if isinstance(when, int) else date.fromisoformat(f"{year}-{when}")
    forms = [f"{one} {name}" for one in _CLASSES[kind]] if kind in _CLASSES else kind.split("|")
    return Feast(day, dict(zip(("Fg", "Fi", "Fl", "Fa"), forms, strict=True)))
