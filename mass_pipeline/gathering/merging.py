"""Join parishes of several sources into one table with provenance, and find twins: parishes of one name in one town."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Final

from mass_pipeline.gathering.address import street_words
from mass_pipeline.gathering.dedication import is_same_patron, patron
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.model.identifiers import ParishId, fold

_FILLED: Final = tuple(
    field.name for field in fields(Parish) if field.name in {"voivodeship", "street", "postcode", "deanery", "website_hint"}
)


def merge(sources: Sequence[Iterable[Parish]]) -> tuple[Parish, ...]:
    """Join sources in order of precedence: fields that a parish lacks are filled from entries that mean the same parish.

    An entry means the same parish when town and patron agree and nothing of the address contradicts; when several parishes
    fit, none is taken, and the entry stays a parish of its own.

    Returns:
        Parishes in the order of the sources, each with identifier and names of the first source that has it.
    """
    merged: dict[ParishId, Parish] = {}
    by_town: dict[str, list[ParishId]] = defaultdict(list)
    for rank, source in enumerate(sources):
        fresh: list[Parish] = []
        for entry in source:
            home = _same_parish(entry, [merged[key] for key in by_town[fold(entry.town)]]) if rank else None
            if home is None:
                fresh.append(entry)
            else:
                given = {name: value for name in _FILLED if (value := getattr(entry, name)) and not getattr(home, name)}
                merged[home.parish_id] = replace(home, source=f"{home.source}+{entry.source}", **given)
        for parish in fresh:  # entries of one source never absorb each other: twins are real
            merged[parish.parish_id] = parish
            by_town[fold(parish.town)].append(parish.parish_id)
    return tuple(merged.values())


def twin_groups(parishes: Iterable[Parish]) -> list[tuple[Parish, ...]]:
    """Groups of parishes with the same name and town, each of at least two, in order of first appearance."""
    groups: dict[tuple[str, str], list[Parish]] = defaultdict(list)
    for parish in parishes:
        groups[(fold(parish.name), fold(parish.town))].append(parish)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def namesakes(parishes: Iterable[Parish]) -> frozenset[ParishId]:
    """Parishes that share patron and town with another, however both are written: name and town do not tell them apart."""
    groups: dict[tuple[str, tuple[str, ...]], list[ParishId]] = defaultdict(list)
    for parish in parishes:
        strong = tuple(sorted(word for word, weight in patron(parish.name).items() if weight == 1.0))
        groups[(fold(parish.town), strong or tuple(sorted(patron(parish.name))))].append(parish.parish_id)
    return frozenset(key for group in groups.values() if len(group) > 1 for key in group)


def _same_parish(entry: Parish, known: Sequence[Parish]) -> Parish | None:
    fitting = [
        parish for parish in known if is_same_patron(parish.name, entry.name, entry.town) and not _contradicts(parish, entry)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _contradicts(one: Parish, other: Parish) -> bool:
    """Two known postcodes of different districts, or two known streets in one town."""
    if one.postcode and other.postcode and one.postcode[:2] != other.postcode[:2]:
        return True
    if not one.street or not other.street:
        return False
    mine, theirs = set(street_words(one.street).split()), set(street_words(other.street).split())
    return one.postcode != other.postcode and not mine & theirs
