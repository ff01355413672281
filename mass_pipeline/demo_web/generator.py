"""More sites of the same kind, for load tests: layouts times wordings, with the truth computed along.

The n-th generated site depends on the seed and n alone. Each wording writes the hours it is given and states what they mean; the
bundled sites are written by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.demo_web.source import PageSource, SiteSource, parse_truth
from mass_pipeline.model.identifiers import slug

_FIRST: Final = ("Brzez", "Dąbr", "Górz", "Jaw", "Kamion", "Lip", "Miros", "Olsz", "Piask", "Rogoz", "Sokol", "Wierzb", "Zalas")
_MIDDLE: Final = ("owi", "icz", "now", "ani", "esz", "ów", "ni")
_LAST: Final = ("ce", "ec", "no", "ki", "ów", "sko", "ewo")
_PATRONS: Final = ("Świętego Marcina", "Świętej Jadwigi", "Wszystkich Świętych", "Matki Bożej Śnieżnej", "Świętego Floriana")
_DIOCESES: Final = (
    ("elbląska", "warmińsko-mazurskie"),
    ("koszlińsko-kołobrzeska", "zachodniopomorskie"),
    ("tarnowska", "małopolskie"),
)
_TEMPLATES: Final = ("tables", "joomla", "wordpress", "php", "bootstrap", "markdown", "municipal", "builder", "blog")
_CHARSETS: Final = ("utf-8", "utf-8", "utf-8", "cp1250", "iso-8859-2")
_FILLER: Final = (
    *("historia", "duszpasterze", "chrzest", "malzenstwo", "pogrzeb", "kancelaria", "kontakt", "galeria", "ministranci"),
    *("schola", "rozaniec", "caritas", "spowiedz", "nabozenstwa", "aktualnosci", "standardy"),
)


def generate_sites(count: int, seed: int) -> tuple[SiteSource, ...]:
    """That many sites; the same for the same seed, a longer list begins with a shorter one.

    >>> generate_sites(2, 7) == generate_sites(3, 7)[:2]
    True
    """
    return tuple(_site(number, random.Random(f"{seed}/{number}")) for number in range(count))


def _site(number: int, rng: random.Random) -> SiteSource:
    town = f"{rng.choice(_FIRST)}{rng.choice(_MIDDLE)}{rng.choice(_LAST)} {number + 1}"
    patron = rng.choice(_PATRONS)
    diocese, voivodeship = rng.choice(_DIOCESES)
    charset = rng.choice(_CHARSETS)
    worded = rng.choice(WORDINGS)(draw_hours(rng), rng.choice((":", ".")))
    home = f"<p>Witamy na stronie parafii {patron}, {town}. Zapraszamy na [[msze|Msze święte]].</p>"
    return SiteSource(
        key=f"z{number:06}",
        name=patron,
        town=town,
        locative=f"miejscowości {town}",
        street=f"ul. Kościelna {rng.randint(1, 90)}",
        postcode=f"{rng.randint(10, 99)}-{rng.randint(100, 999)}",
        voivodeship=voivodeship,
        diocese=diocese,
        deanery=f"Dekanat {rng.choice(_FIRST)}owo",
        host=f"{slug(town)}-{number + 1}.example",
        template=rng.choice(_TEMPLATES),
        charset=charset,
        declared="utf-8" if charset == "utf-8" else "",
        truth=parse_truth(worded.truth),
        pages=(
            PageSource("start", "Strona główna", home),
            PageSource("msze", "Msze święte", f"<h2>Porządek Mszy świętych</h2>\n{worded.body}", hours="m"),
        ),
        sidebar=worded.body if rng.random() < 0.25 else "",
        filler=(*rng.sample(_FILLER, rng.randint(4, 8)), "ogloszenia", "intencje"),
    )


@dataclass(frozen=True, slots=True)
class Worded:
    """A schedule in words: HTML with marks, and its truth in the notation of the truth module."""

    body: str
    truth: str


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of a generated parish, `H:MM`; `late` is the weekday evening Mass, `winter` the same in winter."""

    sunday: Sequence[str]
    early: str
    late: str
    winter: str


Wording = Callable[[Hours, str], Worded]


def draw_hours(rng: random.Random) -> Hours:
    """Plausible hours: two to five Sunday Masses, a morning and an evening Mass on weekdays."""
    sunday = sorted(rng.sample(["7:00", "7:30", "9:00", "10:30", "12:00", "16:00", "18:00"], rng.randint(2, 5)), key=_minutes)
    late = rng.choice(["17:00", "17:30", "18:00", "18:30"])
    winter = f"{int(late.split(':')[0]) - 1}:{late.split(':')[1]}"
    return Hours(sunday, rng.choice(["6:30", "7:00", "7:30", "8:00"]), late, winter)


def _minutes(hour: str) -> int:
    hours, minutes = hour.split(":")
    return 60 * int(hours) + int(minutes)


def _in(style: str, *hours: str) -> list[str]:
    return [hour.replace(":", style) for hour in hours]


def paragraphs(hours: Hours, style: str) -> Worded:
    """Two paragraphs with labels and comma lists."""
    sunday, weekday = ", ".join(_in(style, *hours.sunday)), ", ".join(_in(style, hours.early, hours.late))
    body = f"<p><b>Niedziele i święta:</b> {sunday}</p>\n<p><b>Dni powszednie:</b> {weekday}</p>"
    return Worded(body, f"Su PH: {' '.join(hours.sunday)}\nMo-Sa: {hours.early} {hours.late}")


def seasons(hours: Hours, style: str) -> Worded:
    """A one-sided winter hour."""
    late, winter = _in(style, hours.late, hours.winter)
    body = f"<p>W niedziele: {', '.join(_in(style, *hours.sunday))}</p><p>W tygodniu: {late} (zimą {winter})</p>"
    return Worded(body, f"Su: {' '.join(hours.sunday)}\nMo-Sa summer: {hours.late}\nMo-Sa winter: {hours.winter}")


def bullets(hours: Hours, style: str) -> Worded:
    """One hour per bullet, office hours after them."""
    items = "".join(f"<li>godz. {hour}</li>" for hour in _in(style, *hours.sunday))
    body = (
        f"<h3>Niedziele</h3><ul>{items}</ul><h3>Od poniedziałku do piątku</h3><ul><li>godz. {_in(style, hours.late)[0]}</li></ul>"
        f"<h3>Sobota</h3><ul><li>godz. {_in(style, hours.early)[0]}</li></ul>"
        "<h3>Kancelaria</h3><p>{n wtorek i czwartek 16.00–17.30}</p>"
    )
    return Worded(body, f"Su: {' '.join(hours.sunday)}\nMo-Fr: {hours.late}\nSa: {hours.early}")


def table(hours: Hours, style: str) -> Worded:
    """Two columns, Sunday beside weekdays."""
    weekday = _in(style, hours.early, hours.late)
    rows = [
        f"<tr><td>{sunday}</td><td>{weekday[i] if i < len(weekday) else ''}</td></tr>"
        for i, sunday in enumerate(_in(style, *hours.sunday))
    ]
    body = f"<table><tr><th>Niedziele i święta</th><th>Dni powszednie</th></tr>{''.join(rows)}</table>"
    return Worded(body, f"Su PH: {' '.join(hours.sunday)}\nMo-Sa: {hours.early} {hours.late}")


def prose(hours: Hours, style: str) -> Worded:
    """Sentences, the vacation without the earliest Sunday Mass, confession beside."""
    first, *rest = _in(style, *hours.sunday)
    late = _in(style, hours.late)[0]
    body = (
        f"<p>W niedziele Msze święte odprawiane są o godz. {first} (poza wakacjami), {', '.join(rest)}. "
        f"W dni powszednie zapraszamy o godz. {late}, z wyjątkiem środy. {{n Spowiedź od 17.00 w pierwsze piątki.}}</p>"
    )
    truth = f"Su school: {hours.sunday[0]}\nSu: {' '.join(hours.sunday[1:])}\nMo Tu Th-Sa: {hours.late}"
    return Worded(body, truth)


WORDINGS: Final[Sequence[Wording]] = (paragraphs, seasons, bullets, table, prose)
