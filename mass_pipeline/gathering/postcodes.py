"""Which voivodeship a postcode lies in: by its first three digits, else its first two (data/postcodes.csv).

Postal districts do not follow voivodeship borders, so three digits are right for most offices, not for every village.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


def voivodeship_of(postcode: str | None) -> str | None:
    """Voivodeship, lower case; None without a postcode or for an unknown district.

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
    path = files("mass_pipeline.gathering").joinpath("data/postcodes.csv")
    with path.open(encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {prefix: row["voivodeship"] for row in rows for prefix in row["prefixes"].split()}
