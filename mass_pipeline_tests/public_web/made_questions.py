"""Questions to the box: those that people wrote down, and made ones over the towns, parts, churches and saints of a table.

A made question is drawn from the seed alone: forms of a town's name, parts of cities, dedications, orders, days, hours, kinds and
languages in Polish and English, with wrong letters, words of other things, and the asker's position.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from mass_pipeline.finding.names import forms
from mass_pipeline.finding.places import Places

WRITTEN: Final = Path(__file__).with_name("written_questions.txt")
FIRST_MOMENT: Final = datetime(2026, 11, 22, 5)  # noqa: DTZ001 - Polish wall clock, as questions are asked
DEFAULT_MOMENT: Final = datetime(2026, 11, 26, 10)  # noqa: DTZ001
_MOMENT_DAYS: Final = 55
_DAYS: Final = (
    *("", "", "dziś", "jutro", "pojutrze", "w niedzielę", "niedziela", "w sobotę wieczorem", "we wtorek", "w piątek", "wczoraj"),
    *("za tydzień w niedzielę", "w weekend", "w przyszłą środę", "24 grudnia", "25.12", "6 stycznia", "na pasterkę", "pasterka"),
    *(
        "w Boże Narodzenie",
        "Wielki Piątek",
        "w Wielkanoc",
        "w Boże Ciało",
        "1 listopada",
        "w niedziele",
        "w tygodniu",
        "codziennie",
    ),
    *("tomorrow", "on Sunday", "sunday", "Saturday evening", "on Christmas Eve", "Good Friday", "31 lutego", "12 maja 2031"),
)
_HOURS: Final = (
    *("", "", "", "rano", "wieczorem", "po południu", "po 18", "przed 9", "o 7", "o 12", "o 18:30", "między 10 a 12", "teraz"),
    *("o północy", "o 3 w nocy", "po 22", "ostatnia", "pierwsza", "najbliższa", "in the morning", "after 5pm", "at 9am", "now"),
)
_KINDS: Final = (
    *("", "", "", "", "po angielsku", "po ukraińsku", "po koreańsku", "dla dzieci", "dla młodzieży", "roraty", "trydencka"),
    *("w języku migowym", "dla wózków", "in English", "in Spanish", "Latin Mass", "for children", "wheelchair access"),
)
_CHURCHES: Final = (
    *("katedra", "u dominikanów", "u jezuitów", "franciszkanie", "bazylika", "sanktuarium", "fara", "u św. Anny", "św. Jana"),
    *("parafia Matki Boskiej Częstochowskiej", "kościół Najświętszego Serca", "św. Wojciecha", "cathedral", "ul. Kościelna 3"),
)
_OTHER: Final = ("", "", "", "", "", "spowiedź", "adoracja", "proszę", "gdzie jest", "xqzwvk", "parking", "msza", "mass")


@dataclass(frozen=True, slots=True)
class Question:
    """Words, the moment they are asked at (Polish wall clock), and further parameters of the address."""

    words: str
    at: datetime
    params: tuple[tuple[str, str], ...] = ()

    @property
    def record(self) -> dict[str, str]:
        """The parameters of the page that answers it."""
        return {"q": self.words, **dict(self.params)}


def written() -> list[Question]:
    """The questions of the file beside this module."""
    lines = WRITTEN.read_text(encoding="utf-8").splitlines()
    return [_question(line) for line in lines if line.strip() and not line.startswith("#")]


def _question(line: str) -> Question:
    words, moment, position = (part.strip() for part in (*line.split("|"), "", "")[:3])
    latitude, _, longitude = position.partition(",")
    at = datetime.fromisoformat(moment) if moment else DEFAULT_MOMENT
    return Question(words, at, (("lat", latitude), ("lon", longitude)) if position else ())


def made(places: Places, count: int, seed: int) -> Iterator[Question]:
    """So many questions over the places of a table."""
    rng = random.Random(seed)
    towns, districts = places.largest, [part for found in places.districts.values() for part in found]
    weights = [1 + len(town.rows) / 3 for town in towns]
    for _ in range(count):
        town = rng.choices(towns, weights)[0]
        where = [_town(town.name, rng), _town(town.name, rng), "", "blisko mnie"]
        if districts:
            part = rng.choice(districts)
            where += [f"{part.town.name} {part.name}", f"na {_inflected(part.name, 'loc', rng)}"]
        where.append(f"{rng.choice(_CHURCHES)} {_town(town.name, rng)}")
        where.append(f"{rng.choice((*town.rows,)).name[:60]} {_town(town.name, rng)}")
        parts = ["msza" if rng.random() < 0.5 else "", *(rng.choice(one) for one in (where, _DAYS, _HOURS, _KINDS, _OTHER))]
        if rng.random() < 0.3:
            rng.shuffle(parts)
        words = " ".join(part for part in parts if part)
        near = rng.random() < 0.12
        position = (("lat", f"{rng.uniform(49.2, 54.6):.3f}"), ("lon", f"{rng.uniform(14.4, 23.8):.3f}")) if near else ()
        at = FIRST_MOMENT + timedelta(minutes=rng.randrange(_MOMENT_DAYS * 24 * 60))
        yield Question(_mistyped(words, rng)[:200], at, position)


def _town(name: str, rng: random.Random) -> str:
    """A name as questions hold it: as it is, declined, without diacritics, with its land."""
    said = rng.choice(("{0}", "w {1}", "do {2}", "in {0}", "koło {2}", "{0}"))
    return said.format(name, _inflected(name, "loc", rng), _inflected(name, "gen", rng))


def _inflected(name: str, case: str, rng: random.Random) -> str:
    def form(match: re.Match[str]) -> str:
        found: Sequence[str] = sorted(form for form, cases in forms(match[0]).items() if case in cases)
        return rng.choice(found).capitalize() if found else match[0]

    return re.sub(r"[^\W_]+", form, name)


def _mistyped(words: str, rng: random.Random) -> str:
    """Now and then two letters change places, or all are small."""
    if rng.random() < 0.08 and len(words) > 6:
        at = rng.randrange(1, len(words) - 2)
        words = words[:at] + words[at + 1] + words[at] + words[at + 2 :]
    return words.lower() if rng.random() < 0.2 else words
