"""Polish of parish offices: days, seasons, feasts, towns and hours in the forms that phrases ask for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

DAYS: Final = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
WORDS: Final[Mapping[str, Any]] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
TOWNS: Final = [one.split() for one in WORDS["towns"]]
PATRONS: Final[Sequence[str]] = WORDS["patrons"]
_FEAST_CLASSES: Final = {"u": "uroczystości uroczystością uroczystości uroczystość", "s": "święta świętem święcie święto"}
_PLAIN: Final = str.maketrans("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ", "acelnoszzACELNOSZZ")


def day_forms(day: str) -> dict[str, str]:
    """Slots of a weekday: dn da dg di dp dgp dip, and wda, wdp with their preposition."""
    forms = dict(zip(("dn", "da", "dg", "di", "dp", "dgp", "dip"), WORDS["days"][DAYS.index(day)].split(), strict=True))
    before = "we" if day == "Tu" else "w"
    return forms | {"wda": f"{before} {forms['da']}", "wdp": f"{before} {forms['dp']}"}


def mass_forms(rng: Random) -> dict[str, str]:
    """Slots M Mg Ma Mi Mp Mgp: one name of the Mass for the whole sentence."""
    which = rng.choices(range(4), (6, 3, 4, 1))[0]
    return {slot: forms[which] for slot, forms in WORDS["mass"].items()}


def drawn_season(rng: Random) -> tuple[frozenset[int], dict[str, str]]:
    """Months, and the slots ws ("w wakacje"), sg, si."""
    months, *forms = rng.choice(WORDS["seasons"]).split("|")
    return frozenset(map(int, months.split())), dict(zip(("ws", "sg", "si"), forms, strict=True))


def without_marks(text: str) -> str:
    """As typed without Polish letters."""
    return text.translate(_PLAIN)


def fill(rng: Random, template: str, slots: Mapping[str, str]) -> str:
    """A phrase with its slots filled; "[a|b]" is one of the two, "[a|]" may be left out."""
    chosen = re.sub(r"\[([^\[\]]*)\]", lambda found: rng.choice(found[1].split("|")), template)
    return re.sub(r"\s+([.,;:)])", r"\1", " ".join(chosen.format_map(slots).replace("..", ".").split()))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """With a capital and an end."""
    return capital(text) + ("" if text[-1] in ".!?" else ".")


@dataclass(frozen=True, slots=True)
class Clock:
    """How one text writes its hours: the mark between hour and minutes, the cue before an hour within a sentence."""

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

    def listed(self, hours: Sequence[str]) -> str:
        """ "8.00, 10.00, 12.00"."""
        return ", ".join(map(self.bare, hours))

    def all_of(self, hours: Sequence[str]) -> str:
        """Several in a sentence, "8.00, 10.00 i 12.00"."""
        *first, last = map(self.bare, hours)
        return self.cue + (f"{', '.join(first)} i {last}" if first else last)


def date_words(day: date) -> str:
    """ "25 grudnia"."""
    return f"{day.day} {WORDS['months'][day.month - 1]}"


def easter(year: int) -> date:
    """Gauss, Gregorian."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, day = divmod(h + k - 7 * ((a + 11 * h + 22 * k) // 451) + 114, 31)
    return date(year, month, day + 1)


def drawn_feast(rng: Random, only: str = "") -> tuple[date, dict[str, str]]:
    """A feast of 2025 or 2026 kept on its own day, Christmas most, and its slots Fg Fi Fl Fa; `only` is its day ("12-25")."""
    choices = [one.split("|") for one in WORDS["feasts"] if not only or one.startswith(f"{only}|")]
    when, _, *forms = rng.choices(choices, [int(one[1]) for one in choices])[0]
    year = rng.choice((2025, 2026)) if when != "05-03" else 2025  # a Sunday in 2026: kept on the day before
    day = date.fromisoformat(f"{year}-{when}") if when[2:3] == "-" else easter(year) + timedelta(int(when))
    if len(forms) == 1:
        kind, name = forms[0].split(" ", 1)
        forms = [f"{one} {name}" for one in _FEAST_CLASSES[kind].split()]
    return day, dict(zip(("Fg", "Fi", "Fl", "Fa"), forms, strict=True))
