"""Which words of the name of a place may be shown.

Belongs: names of places as the grammar read them. Not here: words of a line (lines).
"""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.masking.lines import BLANK, MASK, blanked
from mass_pipeline.reading.words.masking.words import has_form_of_surname, is_given_name, is_plain, is_saint

_OF_A_VILLAGE: Final = re.compile(r"\w{3,}(?:[oe]wk?o|[iy]ce|[iy]cach|isko|[iy]no)(?!\w)")  # as no surname ends
_LEFT_HANGING: Final = re.compile(
    r"(?:[^\w\"”)]+|(?<!\w)(?:[^\W\d_]{1,3}\.?|przy|obok|koło|ulicy|imienia|parafii|księdza|domu))+\Z", re.IGNORECASE
)
_NAMED_HOUSE: Final = re.compile(  # a house that bears a given name: Sanatorium „Irena”
    r"\b(?:sanatori|uzdrowisk|pensjonat|hospicj|szpital|dom|DPS|ośrod|schronisk|hotel|przedszkol|świetlic)\w*(?:\s+[^\W\d_]+){0,2}\s+[„”\"«»]([^„”\"«»\d]{2,40})[”\"«»]",
    re.IGNORECASE,
)
_SMALL: Final = 3  # letters of words that join names
_WORD: Final = re.compile(r"[^\W\d_]+")


def is_form_of_village(name: str) -> bool:
    """Whether the first word of a name ends as names of villages do, and no surname.

    >>> is_form_of_village("Kopaszewo"), is_form_of_village("Radzewice"), is_form_of_village("Przybylak")
    (True, True, False)
    """
    return _OF_A_VILLAGE.match(fold(name)) is not None


def public_place(name: str, *, is_known: bool) -> str:
    """What may be shown of a place: buildings, patrons, villages; a person is no place.

    Args:
        name: as read.
        is_known: whether the page uses the name as that of a place. Else a name beside no building is hidden.

    Returns:
        The name up to the first word that may be a person's; "" for nothing but a person, `MASK` where nothing else is known.

    >>> public_place("kaplica w Zalesiu", is_known=False), public_place("Genowefa Przybylak", is_known=True)
    ('kaplica w Zalesiu', '')
    >>> public_place("kaplica w domu Kowalskich", is_known=False), public_place("Przybylaki", is_known=False)
    ('kaplica', '▒▒▒')
    >>> public_place("Kozi Bród (skromna cerkiew)", is_known=True)
    'Kozi Bród'
    >>> public_place("Sanatorium „Irena”", is_known=False), public_place("hospicjum, Anna Nowak", is_known=False)
    ('Sanatorium „Irena”', 'hospicjum')
    """
    shown = blanked(name)
    if BLANK not in shown:
        return name
    words = [(match.start(), match.end(), fold(match.group())) for match in _WORD.finditer(name)]
    bare = not any(len(word) > _SMALL and is_plain(word) for _, _, word in words)
    if bare and any(is_given_name(word) or is_saint(word) for _, _, word in words):
        return ""  # of "Piotra i Pawła", the name of a feast, too
    parts = list(shown)
    for house in _NAMED_HOUSE.finditer(name):
        parts[house.start(1) : house.end(1)] = house[1]
    for start, end, word in words:
        is_town = name[start].isupper() and not is_given_name(word) and not has_form_of_surname(word)
        if is_town and (is_known or not bare or _OF_A_VILLAGE.fullmatch(word) is not None):
            parts[start:end] = name[start:end]
    told = "".join(parts)
    if BLANK not in told:
        return told
    public = _LEFT_HANGING.sub("", told.partition(BLANK)[0])
    telling = is_known or any(is_plain(fold(word)) or is_saint(fold(word)) for word in _WORD.findall(public))
    return public if public and telling else MASK
