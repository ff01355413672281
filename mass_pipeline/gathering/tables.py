"""The tables of data/: words by which names are judged, kinds of hosts, postcodes of the voivodeships."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from importlib.resources import files


def rows_of(name: str) -> Iterator[dict[str, str]]:
    """Rows of a table by its name, without comments."""
    with files("mass_pipeline.gathering").joinpath(f"data/{name}.csv").open(encoding="utf-8") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


@cache
def group(kind: str) -> frozenset[str]:
    """Folded words of a group, by what they tell.

    Groups: `empty` (tells no patron from another), `half` and `weak` (titles and forms of address), `patron_sign` (dedications
    only), `parish` (names of churches), `page` (words of parish home pages), `institution` (names of something else),
    `other_type` and `church_type` (types of Places), `ending` (of Polish declension).

    >>> "muzeum" in group("institution")
    True
    """
    found = frozenset(word for row in rows_of("words") if row["kind"] == kind for word in row["words"].split())
    if not found:
        raise KeyError(kind)
    return found


def voivodeship_of(postcode: str | None) -> str | None:
    """Voivodeship by the first three digits of a postcode, else the first two; None without one or for an unknown district.

    Postal districts do not follow voivodeship borders, so three digits are right for most offices, not for every village.

    >>> voivodeship_of("48-217")
    'opolskie'
    """
    if not postcode:
        return None
    digits = postcode.replace("-", "")
    table = _prefixes()
    return table.get(digits[:3]) or table.get(digits[:2])


@cache
def _prefixes() -> dict[str, str]:
    return {prefix: row["voivodeship"] for row in rows_of("postcodes") for prefix in row["prefixes"].split()}
