"""Web sites that lists name for parishes: the operator's own file, and OSM churches matched by patron, town and address."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mass_pipeline.gathering.dedication import is_same_patron
from mass_pipeline.gathering.osm import Church
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.words import has_town, words
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.identifiers import ParishId, fold

OPERATOR: Final = "operator"
OSM: Final = "osm"


@dataclass(frozen=True, slots=True)
class ListedSite:
    """A web site that a list names for a parish; source `operator` or `osm`."""

    url: str
    source: str


def read_operator_list(path: Path) -> dict[ParishId, list[ListedSite]]:
    """The operator's file: CSV with the columns parish_id and url, one line per site.

    Raises:
        BadInput: the file is missing or lacks a column.
    """
    listed: dict[ParishId, list[ListedSite]] = defaultdict(list)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                listed[ParishId(row["parish_id"].strip())].append(ListedSite(row["url"].strip(), OPERATOR))
    except (OSError, KeyError, AttributeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as a list of web sites (CSV in UTF-8: parish_id, url): {error!r}.") from error
    return dict(listed)


def match_churches(parishes: Iterable[Parish], churches: Iterable[Church]) -> dict[ParishId, list[ListedSite]]:
    """Web sites of OSM churches for the parishes they belong to.

    A church belongs to a parish when the patron agrees and either the postcode does, or the town; a church that fits several
    parishes lends its site to none of them by town alone.
    """
    by_postcode: dict[str, list[Parish]] = defaultdict(list)
    by_town: dict[str, list[Parish]] = defaultdict(list)
    for parish in parishes:
        by_town[fold(parish.town)].append(parish)
        if parish.postcode:
            by_postcode[parish.postcode].append(parish)
    listed: dict[ParishId, list[ListedSite]] = defaultdict(list)
    for church in churches:
        parish_of = _only_fit(church, by_postcode.get(church.postcode, ())) or _only_fit(
            church, by_town.get(fold(church.town), ())
        )
        if church.website and parish_of is not None:
            listed[parish_of.parish_id].append(ListedSite(church.website, OSM))
    return dict(listed)


def join_lists(*lists: Mapping[ParishId, Sequence[ListedSite]]) -> dict[ParishId, list[ListedSite]]:
    """All sites of all lists per parish, in the order of the lists."""
    joined: dict[ParishId, list[ListedSite]] = defaultdict(list)
    for listed in lists:
        for parish_id, sites in listed.items():
            joined[parish_id].extend(sites)
    return dict(joined)


def _only_fit(church: Church, parishes: Sequence[Parish]) -> Parish | None:
    fitting = [
        parish
        for parish in parishes
        if is_same_patron(parish.name, church.name, parish.town)
        and (not church.town or has_town(parish.town, words(church.town)) or parish.postcode == church.postcode)
    ]
    return fitting[0] if len(fitting) == 1 else None
