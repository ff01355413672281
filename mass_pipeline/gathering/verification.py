"""Does a home page name the parish? Dedication and town, or street, or phone, in the page's own words.

The page decides, not the source that offered it: a Places hit may lie in another town, and a site may have a new owner.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mass_pipeline.gathering.address import street_words
from mass_pipeline.gathering.dedication import SAME_PATRON, covered, expand, names_other_patron, patron
from mass_pipeline.gathering.evidence import has_street, is_other_institution
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.ports import HomePage
from mass_pipeline.gathering.tables import group
from mass_pipeline.gathering.words import has_town, has_word, words
from mass_pipeline.model.identifiers import fold

_PHONE_DIGITS: Final = 9  # Polish numbers without the country's prefix
_PARKED: Final = re.compile(
    r"domena (?:jest )?(?:na sprzedaz|wygasla|zaparkowana)|kup te domene|domain (?:is )?for sale|this domain|strona w budowie"
    r"|konto zostalo zawieszone|account suspended|default web page|index of /"
)
_SHORT_TEXT_WORDS: Final = 400
_LIST_OF_PARISHES: Final = 4  # a page that names so many parishes, and none in its title, is a directory's or a deanery's
_PARISH_NAME: Final = re.compile(r"[Pp]arafi\w+ (?:pw\.? |p\.w\. |pod wezwaniem )?((?:św\w*\.?|[A-ZŚŁŻŹ]\w+) [A-ZĄĆĘŁŃÓŚŹŻ]\w+)")
_CONTRADICTIONS: Final = frozenset({"page:parked", "page:other_institution", "page:other_dedication", "page:many_parishes"})


@dataclass(frozen=True, slots=True)
class Verification:
    """What a home page says about a parish: whether it is its site, and the evidence for and against."""

    verified: bool
    evidence: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """Whether nothing contradicts, but not enough agrees yet: another page of the site may tell."""
        return not self.verified and not _CONTRADICTIONS.intersection(self.evidence)


def verify(parish: Parish, home: HomePage, phone: str | None = None, *, has_namesake: bool = False) -> Verification:
    """Judge a home page.

    Args:
        parish: whose site it may be.
        home: title and visible text, the title included.
        phone: number that a source names for the parish.
        has_namesake: another parish of the town has the same patron, so that name and town prove nothing.

    Returns:
        Verified when the page is a parish's, nothing in its title contradicts, and it names dedication and town, or the
        street with its number, or the phone.
    """
    found = tuple(_evidence(parish, home, phone))
    return Verification(_is_enough(frozenset(found), has_namesake), found)


def _evidence(parish: Parish, home: HomePage, phone: str | None) -> Iterator[str]:
    text_words, title_words = words(expand(home.text)), words(expand(home.title))
    if _PARKED.search(fold(home.text)) and len(text_words) < _SHORT_TEXT_WORDS:
        yield "page:parked"
    if any(has_word(sign, set(text_words)) for sign in group("page")):
        yield "page:parish_words"
    if is_other_institution(title_words):
        yield "page:other_institution"
    yield from _dedication_evidence(parish, home, title_words, text_words)
    if has_town(parish.town, text_words):
        yield "page:town"
    street = street_words(parish.street or "").split()
    if (
        len(street) > 1 and street[-1][0].isdigit() and has_street(parish.street, text_words)
    ):  # without a number it proves nothing
        yield "page:street"
    if parish.postcode and parish.postcode in home.text:
        yield "page:postcode"
    if phone and _has_phone(phone, home.text):
        yield "page:phone"


def _dedication_evidence(parish: Parish, home: HomePage, title_words: list[str], text_words: list[str]) -> Iterator[str]:
    if names_other_patron(parish.name, home.title, parish.town):
        yield "page:other_dedication"
    elif covered(parish.name, title_words) >= SAME_PATRON:
        yield "page:dedication_in_title"
    elif len({frozenset(patron(found)) for found in _PARISH_NAME.findall(home.text)}) >= _LIST_OF_PARISHES:
        yield "page:many_parishes"
    if covered(parish.name, text_words) >= SAME_PATRON:
        yield "page:dedication"


def _is_enough(found: frozenset[str], has_namesake: bool) -> bool:
    if found & _CONTRADICTIONS or "page:parish_words" not in found:
        return False
    located = bool(found & {"page:street", "page:phone"})
    named = bool(found & {"page:dedication", "page:dedication_in_title"}) and "page:town" in found
    return located or (named and (not has_namesake or "page:postcode" in found))


def _has_phone(phone: str, text: str) -> bool:
    wanted = re.sub(r"\D", "", phone)[-_PHONE_DIGITS:]
    return len(wanted) == _PHONE_DIGITS and wanted in re.sub(r"[\s()/.+-]", "", text)
