"""Evidence for a candidate web site before its page is fetched: what the source says about the place behind it.

Evidence is words of ours (`town`, `other_dedication`), never words of the source, so that it may be kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mass_pipeline.gathering.address import street_words
from mass_pipeline.gathering.dedication import is_same_patron, names_other_patron
from mass_pipeline.gathering.hosts import HostKind, kind_of
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.ports import Place
from mass_pipeline.gathering.tables import group
from mass_pipeline.gathering.words import has_town, has_word, words

# Points per evidence; the score is their sum, squeezed into 0..1. Tuned on the written cases: docs/directory.md.
WEIGHTS: Final = {
    "dedication": 0.30,
    "town": 0.25,
    "postcode": 0.15,
    "street": 0.20,
    "parish_words": 0.15,
    "church_type": 0.05,
    "own_site": 0.05,
    "listed_by_directory": 0.45,
    "listed_by_operator": 0.70,
    "listed_by_osm": 0.40,
    "other_dedication": -0.60,
    "other_town": -0.60,
    "other_institution": -0.50,
    "closed": -0.40,
    "diocesan_site": -0.10,
    "social_network": -0.30,
    "portal": -0.60,
    "parked_domain": -0.80,
}


@dataclass(frozen=True, slots=True)
class CandidateSite:
    """A web site that a source offers for a parish.

    Attributes:
        url: as the source writes it.
        source: `directory`, `operator`, `osm`, `places`.
        evidence: keys of `WEIGHTS` and of verification, in order of their finding.
        score: 0..1.
        place_id: of the place it belongs to, for source `places`.
        phone: of that place; used for verification only, never kept.
    """

    url: str
    source: str
    evidence: tuple[str, ...]
    score: float
    place_id: str | None = None
    phone: str | None = None


def place_evidence(parish: Parish, place: Place) -> tuple[str, ...]:
    """What agrees and what contradicts between a parish and a place."""
    name_words, address_words = words(place.name), words(place.address)
    found: list[str] = []
    if is_same_patron(parish.name, place.name, parish.town):
        found.append("dedication")
    elif names_other_patron(parish.name, place.name, parish.town):
        found.append("other_dedication")
    found.extend(_location_evidence(parish, place, name_words, address_words))
    found.extend(_kind_evidence(place, name_words))
    return tuple(found)


def _location_evidence(parish: Parish, place: Place, name_words: list[str], address_words: list[str]) -> Iterable[str]:
    postcode = bool(parish.postcode and parish.postcode in place.address)
    if has_town(parish.town, address_words) or has_town(parish.town, name_words):
        yield "town"
    elif place.address and not postcode:
        yield "other_town"
    if postcode:
        yield "postcode"
    if has_street(parish.street, address_words):
        yield "street"


def has_street(street: str | None, among: list[str]) -> bool:
    """Whether all words of a street, its number included, stand in the same order among others; False for no street."""
    wanted = street_words(street or "").split()
    return bool(wanted) and any(among[at : at + len(wanted)] == wanted for at in range(len(among) - len(wanted) + 1))


def _kind_evidence(place: Place, name_words: list[str]) -> Iterable[str]:
    parish_words = any(has_word(word, name_words) for word in group("parish"))
    types = frozenset(place.types)
    is_church = bool(types & group("church_type"))
    if is_other_institution(name_words) or (types & group("other_type") and not is_church):
        yield "other_institution"
    elif parish_words:
        yield "parish_words"
    if is_church:
        yield "church_type"
    if place.is_closed:
        yield "closed"


def is_other_institution(name_words: Iterable[str]) -> bool:
    """Whether a name is that of a museum, school, cemetery and the like, even of a parish's own: what is named first counts.

    >>> is_other_institution(words("Cmentarz parafialny")), is_other_institution(words("Parafia św. Anny, szkoła, Caritas"))
    (True, False)
    """
    kinds, parish = group("institution"), group("parish")
    for word in name_words:
        if word in kinds:
            return True
        if has_word(word, parish):
            return False
    return False


def with_scheme(url: str) -> str:
    """A URL as people write it, with http:// where they left it out.

    >>> with_scheme("www.parafia.example")
    'http://www.parafia.example'
    """
    return url if "://" in url else "http://" + url.lstrip("/")


def host_evidence(url: str) -> str:
    """The kind of the URL's host as evidence."""
    return kind_of(url).value


def score_of(evidence: Iterable[str]) -> float:
    """Sum of the evidence's weights within 0..1; evidence without a weight counts nothing."""
    return round(min(1.0, max(0.0, sum(WEIGHTS.get(name, 0.0) for name in evidence))), 4)


def is_crawlable(url: str) -> bool:
    """Whether a URL may be a parish's site at all: http(s), and no social network, portal or parked domain."""
    kind = kind_of(url)
    return url.lower().startswith(("http://", "https://")) and kind in {HostKind.OWN, HostKind.DIOCESAN}
