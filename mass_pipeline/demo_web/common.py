"""Pages that every parish has: history, priests, sacraments, groups. Texts lie in data/demo/common, several variants each.

A text may use `$name`, `$town`, `$locative`, `$street`, `$postcode`, `$host`, `$phone`, `$year`, `$priest`, `$curate`,
`$sunday` and `$weekday` (a Mass of the standing schedule).
"""

from __future__ import annotations

import random
import tomllib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final

from mass_pipeline.demo_web.source import DEMO_FOLDER, PageSource, SiteSource
from mass_pipeline.model.errors import BadInput

_FIRST_NAMES: Final = ("Jan", "Marek", "Tadeusz", "Andrzej", "Piotr", "Zbigniew", "Krzysztof", "Wacław", "Józef", "Damian")
_LAST_NAMES: Final = ("Malec", "Wrona", "Cichosz", "Borek", "Gawlik", "Stolarz", "Pietras", "Kalina", "Duda", "Lisowski", "Zych")
_TITLES: Final = ("kan. ", "mgr ", "dr ", "", "", "")


@dataclass(frozen=True, slots=True)
class CommonPage:
    """One variant of a common page."""

    title: str
    body: str
    hours: str = "n"


CommonPages = Mapping[str, Sequence[CommonPage]]


def load_common(folder: Path = DEMO_FOLDER) -> CommonPages:
    """Name -> variants, of every file in the folder `common` that holds pages."""
    found: dict[str, Sequence[CommonPage]] = {}
    for path in sorted((folder / "common").glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if "page" in data:
            found[path.stem] = tuple(CommonPage(**variant) for variant in data["page"])
    return found


def chance(site: SiteSource, purpose: str) -> random.Random:
    """Random numbers that depend on the site and the purpose alone."""
    return random.Random(zlib.crc32(f"{site.key}/{purpose}".encode()))


def placeholders(site: SiteSource) -> dict[str, str]:
    """What a common text may ask for, the same on every page of a site."""
    rng = chance(site, "words")
    plain = [mass for mass in site.truth if mass.season == "all" and not mass.place and not mass.nth]
    sundays = [mass.time for mass in plain if "Su" in mass.days]
    weekdays = [mass.time for mass in plain if "We" in mass.days]
    names = rng.sample(_LAST_NAMES, 2)
    return {
        "name": site.name,
        "town": site.town,
        "locative": site.locative,
        "street": site.street,
        "postcode": site.postcode,
        "host": site.host,
        "phone": f"{rng.randint(14, 95)} {rng.randint(100, 999)} {rng.randint(10, 99)} {rng.randint(10, 99)}",
        "year": str(rng.randint(1848, 1989)),
        "priest": f"ks. {rng.choice(_TITLES)}{rng.choice(_FIRST_NAMES)} {names[0]}",
        "curate": f"ks. {rng.choice(_FIRST_NAMES)} {names[1]}",
        "sunday": _written(rng.choice(sundays)) if sundays else "",
        "weekday": _written(rng.choice(weekdays)) if weekdays else "",
    }


def common_page(site: SiteSource, name: str, pages: CommonPages) -> PageSource:
    """The site's variant of a common page.

    Raises:
        BadInput: when there is no page of that name.
    """
    variants = pages.get(name)
    if not variants:
        raise BadInput(f"site {site.key}: no common page {name!r}; there are {', '.join(sorted(pages))}")
    words = placeholders(site)
    usable = [v for v in variants if not _asks_for_missing(v.body, words)] or list(variants)
    variant = chance(site, name).choice(usable)
    body = Template(variant.body).safe_substitute(words)
    return PageSource(name, variant.title, body, hours=variant.hours)  # type: ignore[arg-type]


def _asks_for_missing(body: str, words: Mapping[str, str]) -> bool:
    return any(f"${name}" in body for name, value in words.items() if not value)


def _written(time: str) -> str:
    return time.lstrip("0").replace(":", ".")
