"""More sites of the same kind, for load tests: layouts times wordings, with the truth computed along.

The n-th generated site depends on the seed and n alone.
"""

from __future__ import annotations

import random
from typing import Final

from mass_pipeline.demo_web.source import PageSource, SiteSource
from mass_pipeline.demo_web.truth import parse_truth
from mass_pipeline.demo_web.wordings import WORDINGS, draw_hours
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
