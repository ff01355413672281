"""Menus put together from written entries (menu_phrases.toml): examples of wordings that no earlier crawl happened to meet."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mass_pipeline.crawling.sites.learnt_scorer import LinkSight

PHRASES_FILE: Final = Path(__file__).with_name("menu_phrases.toml")
_ENDINGS: Final = ("", "/", ".html", ".htm", ".php")
_OPAQUE: Final = ("strona.php?id={}", "index.php?page={}", "node/{}", "?p={}", "p{}.html")
_OPAQUE_SHARE: Final = 0.25  # sites whose addresses say nothing
_SILENT_SHARE: Final = 0.08  # links whose image has no alternative text
_TITLES: Final = ("", "Parafia", "Parafia św. Anny", "Strona parafii", "Parafia rzymskokatolicka", "Strona główna")


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of one meaning."""

    prior: float
    anchors: tuple[str, ...]
    slugs: tuple[str, ...]


def load_groups(path: Path = PHRASES_FILE) -> dict[str, Group]:
    """Groups by name."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return {one["name"]: Group(one["prior"], tuple(one["anchors"]), tuple(one["slugs"])) for one in data["group"]}


def written_menus(count: int, seed: int) -> Iterator[tuple[LinkSight, bool]]:
    """Links of so many menus with whether they lead to the schedule; the same seed gives the same menus.

    Args:
        count: menus; each has one entry of the schedule or of the liturgy and about a dozen others.
    """
    chance = random.Random(seed)
    groups = load_groups()
    for _ in range(count):
        kinds = [
            "schedule" if chance.random() < 0.75 else "liturgy",
            "weekly",
            "weekly",
            "about",
            "about",
            "sacraments",
            "sacraments",
        ]
        kinds += ["rest"] * chance.randint(3, 9) + ["liturgy"] * (chance.random() < 0.2)
        chance.shuffle(kinds)
        opaque = chance.choice(_OPAQUE) if chance.random() < _OPAQUE_SHARE else ""
        ending, title = chance.choice(_ENDINGS), chance.choice(_TITLES)
        for position, kind in enumerate(kinds):
            group = groups[kind]
            anchor = "" if chance.random() < _SILENT_SHARE else _spelled(chance.choice(group.anchors), chance)
            name = opaque.format(chance.randint(2, 90)) if opaque else chance.choice(group.slugs) + ending
            sight = LinkSight(
                anchor, f"http://parafia.example/{name}", title=title, position=position, likeness=chance.random() * 0.6
            )
            yield sight, chance.random() < group.prior


def _spelled(anchor: str, chance: random.Random) -> str:
    return anchor.upper() if chance.random() < 0.2 else anchor
