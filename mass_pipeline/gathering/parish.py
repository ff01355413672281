"""A parish as a directory lists it: the record of the `parishes` table. No parsing here; see the sources."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from mass_pipeline.model.identifiers import DioceseKey, ParishId, content_id


@dataclass(frozen=True, slots=True)
class Parish:
    """One row of `parishes`; the attributes are its columns (`model.columns.PARISHES`), in order.

    Attributes:
        parish_id: stable over runs: derived from the directory entry (`entry_id`).
        name: dedication as the directory writes it, white space folded.
        town: town or village as the directory writes it.
        voivodeship: lower case, or None when neither the directory nor the postcode tells.
        address: parts as written, joined by `|`.
        street: street with number, or the village with number; None when the address has none.
        postcode: `NN-NNN`, or None.
        deanery: None when the directory has none.
        diocese: as the directory writes it.
        diocese_key: key of the diocese (`dioceses.Dioceses`).
        directory_url: page of the parish in the directory, or None.
        website_hint: web site the directory names, unverified, or None.
        source: name of the source (`deon`, `table`, `osm`), several joined by `+` after a merge.
        fetched_at: when the source was fetched, aware UTC, or None for files without a date.
    """

    parish_id: ParishId
    name: str
    town: str
    voivodeship: str | None
    address: str
    street: str | None
    postcode: str | None
    deanery: str | None
    diocese: str
    diocese_key: DioceseKey
    directory_url: str | None
    website_hint: str | None
    source: str
    fetched_at: datetime | None


def entry_id(source: str, *parts: str) -> ParishId:
    """Identifier of a directory entry: depends on the source and on what the source identifies its entries by.

    >>> entry_id("deon", "https://directory.example/1") == entry_id("deon", "https://directory.example/1")
    True
    """
    return ParishId(content_id(source, *parts))
