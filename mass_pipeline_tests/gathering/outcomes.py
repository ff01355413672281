"""The outcomes of 2018 as a book of the Places emulator, for the test with the real table."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mass_pipeline.demo_web.places import Place, PlacesBook, book_from_mapping
from mass_pipeline.gathering.lookups import queries
from mass_pipeline.gathering.parish import Parish


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a look-up of 2018 ended: OK, AMBIGUOUS or NOT_FOUND, and the web site it gave, "" for none."""

    status: str
    url: str


def read_outcomes(path: Path) -> list[Outcome]:
    """Outcomes in the order of the table's rows."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Outcome(row["status"], row["url"] or "") for row in rows]


def book_of(parishes: Sequence[Parish], outcomes: Sequence[Outcome]) -> PlacesBook:
    """Each parish's first query leads to what 2018 found for it; an ambiguous one to two places."""
    book: dict[str, tuple[Place, ...]] = {}
    for parish, outcome in zip(parishes, outcomes, strict=True):
        address = f"{parish.street or parish.town}, {parish.postcode or ''} {parish.town}, Polska"
        own = Place(f"Parafia {parish.name}", address, outcome.url)
        chapel = Place(f"Kaplica, {parish.town}", f"{parish.town}, Polska")
        places = {"OK": (own,), "AMBIGUOUS": (own, chapel), "NOT_FOUND": ()}[outcome.status]
        for query in queries(parish):
            book.setdefault(query, places)
    return book_from_mapping(book)
