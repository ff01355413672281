"""Addresses as directories write them: `name | street | postcode town | woj. ...` with parts missing or glued.

Facts: of 10,130 addresses 8,751 have 4 parts, 1,279 have 3 and 100 have 2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.identifiers import fold

_POSTCODE: Final = re.compile(r"(?<!\d)(\d\d)\s?-\s?(\d\d\d)(?!\d)")
_BROKEN_POSTCODE: Final = re.compile(r"^\d{1,2}\s?-\s?\d{1,3}(?=\s)")  # "22-24 Poznań", "1 - 52 Łódź": digits were lost
_VOIVODESHIP: Final = re.compile(r"^\s*woj(?:ewództwo|\.)?\s+", re.IGNORECASE)
_GLUED_STREET: Final = re.compile(r"(?<=[^\W\d_])(?=(?:ul|al|pl|os)\.\s?[A-ZŁŚŻŹĆÓ\d])")
_STREET_WORD: Final = re.compile(r"\b(?:ul|al|pl|os|aleja|aleje|plac|osiedle|rynek|rondo)\b\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """The pieces of an address.

    Attributes:
        text: parts as written, white space folded, joined by `|`.
        street: street with number, or village with number; None when there is none.
        postcode: `NN-NNN`, None when missing or mutilated.
        post_town: town after the postcode, None when missing.
        voivodeship: lower case without `woj.`, None when missing.
    """

    text: str
    street: str | None
    postcode: str | None
    post_town: str | None
    voivodeship: str | None


def parse_address(parts: Sequence[str], town: str = "") -> Address:
    """Read the parts of an address, the first of which repeats the parish's name.

    Args:
        parts: in the order of the page; empty ones are dropped.
        town: town of the parish; a middle part that only repeats it is no street.

    >>> parse_address(["św. Anny", "Łążekul. Kościelna 5", "86-150 Łążek", "woj. kujawsko-pomorskie"], "Łążek").street
    'Łążek, ul. Kościelna 5'
    >>> parse_address(["św. Anny", "23-113 Piotrków"]).postcode
    '23-113'
    """
    clean = [part for part in (" ".join(part.split()) for part in parts) if part]
    text = "|".join(clean)
    rest = clean[1:]
    voivodeship = None
    if rest and _VOIVODESHIP.match(rest[-1]):
        voivodeship = _VOIVODESHIP.sub("", rest.pop()).lower() or None
    postcode, post_town = None, None
    if rest:
        postcode, post_town, rest = _split_post_part(rest, town)
    street = ", ".join(unglue(part) for part in rest) or None
    if street is not None and fold(street) in {fold(town), fold(post_town or "")}:
        street = None
    return Address(text, street, postcode, post_town, voivodeship)


def _split_post_part(rest: list[str], town: str) -> tuple[str | None, str | None, list[str]]:
    """Postcode, post town and the remaining parts; the post part is the last one, or holds the town alone."""
    last = rest[-1]
    found = _POSTCODE.search(last)
    if found:
        return f"{found[1]}-{found[2]}", last[found.end() :].strip(" ,") or None, rest[:-1]
    broken = _BROKEN_POSTCODE.search(last)
    if broken:
        return None, last[broken.end() :].strip(" ,") or None, rest[:-1]
    if len(rest) > 1 or fold(last) == fold(town):
        return None, last, rest[:-1]
    return None, None, rest


def unglue(street: str) -> str:
    """Put the border back where a village and its street were run together.

    >>> unglue("Łążekul. Kościelna 5")
    'Łążek, ul. Kościelna 5'
    >>> unglue("ul.3 Maja 33")
    'ul.3 Maja 33'
    """
    return _GLUED_STREET.sub(", ", street)


def street_words(street: str) -> str:
    """The name and number of a street without its kind, folded: for comparing.

    >>> street_words("ul. T. Kościuszki 1")
    't kosciuszki 1'
    """
    return " ".join(re.findall(r"\w+", fold(_STREET_WORD.sub(" ", street))))
