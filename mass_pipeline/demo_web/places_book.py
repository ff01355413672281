"""What the Places emulator knows about the demo parishes: most sites once, some twice, in the wrong town, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.demo_web.places import Place, PlacesBook
from mass_pipeline.demo_web.source import SiteSource
from mass_pipeline.model.identifiers import fold

WRONG_TOWN: Final = Place(
    "Parafia Rzymskokatolicka", "ul. Krakowska 1, 40-001 Odległe Małe, Polska", "http://parafia-odlegle.example/"
)


@dataclass(frozen=True, slots=True)
class _Entry:
    site: SiteSource
    town: frozenset[str]
    name: frozenset[str]
    street: frozenset[str]
    places: tuple[Place, ...]

    def answers(self, query: frozenset[str]) -> bool:
        """Whether a query asks for this parish: the town and at least half of the dedication are named."""
        if not self.town <= query or 2 * len(self.name & query) < len(self.name):
            return False
        return self.site.places != "without_street" or not self.street & query


def demo_book(sites: Sequence[SiteSource]) -> PlacesBook:
    """Find the places of the demo parishes by the words of a query."""
    entries = [_entry(site) for site in sites if site.places != "none"]

    def find(query: str) -> Sequence[Place]:
        words = _words(query)
        return [place for entry in entries if entry.answers(words) for place in entry.places]

    return find


def _entry(site: SiteSource) -> _Entry:
    town = _words(site.town)  # its number too: towns of a generated country differ by nothing else
    street = frozenset(word for word in _words(site.street) - town - {"ul"} if not word.isdigit())
    return _Entry(site, town, _words(site.name) - town, street, _places(site))


def _places(site: SiteSource) -> tuple[Place, ...]:
    address = f"{site.street}, {site.postcode} {site.town}, Polska"
    own = Place(f"Parafia Rzymskokatolicka pw. {site.name}", address, site.start_url)
    chapel = Place(f"Kaplica cmentarna, {site.town}", f"ul. Cmentarna, {site.postcode} {site.town}, Polska")
    wrong = Place(f"Parafia pw. {site.name}", WRONG_TOWN.address, WRONG_TOWN.website)
    return {"two": (own, chapel), "wrong_town": (wrong,), "no_website": (Place(own.name, address),)}.get(site.places, (own,))


def _words(text: str) -> frozenset[str]:
    letters = "".join(c if c.isalnum() else " " for c in fold(text))
    return frozenset(letters.split())
