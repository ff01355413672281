"""How the look-up of a parish's web site ended: the record of the `parish_urls` table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Literal

import pyarrow as pa

from mass_pipeline.model.columns import PARISH_URLS
from mass_pipeline.model.identifiers import DioceseKey, ParishId

UrlStatus = Literal["ok", "ambiguous", "not_found", "error", "pending"]


@dataclass(frozen=True, slots=True)
class RatedUrl:
    """One candidate as it is published: URL, source, evidence and score 0..1."""

    url: str
    source: str
    evidence: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class ParishUrl:
    """One row of `parish_urls`; the attributes are its columns (`model.columns.PARISH_URLS`), in order.

    A row with a `url` is to be crawled; without one there is nothing to crawl, whatever its status.
    """

    parish_id: ParishId
    diocese_key: DioceseKey
    status: UrlStatus
    url: str | None
    scope_prefix: str | None
    shared_host: bool
    place_id: str | None
    source: str | None
    query: str | None
    candidates: tuple[RatedUrl, ...]
    verified: bool
    checked_at: datetime | None

    def to_json(self) -> str:
        """The row as JSON text, for the state file."""
        return json.dumps(asdict(self), default=_iso, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> ParishUrl:
        """The row back from JSON text."""
        data = json.loads(text)
        data["candidates"] = tuple(RatedUrl(c["url"], c["source"], tuple(c["evidence"]), c["score"]) for c in data["candidates"])
        if data["checked_at"] is not None:
            data["checked_at"] = datetime.fromisoformat(data["checked_at"])
        return cls(**data)


def parish_urls_table(rows: Iterable[ParishUrl]) -> pa.Table:
    """The rows as an Arrow table, one per parish, sorted by parish_id; an empty table keeps the columns."""
    ordered = sorted(rows, key=lambda row: row.parish_id)
    columns = {field.name: [getattr(row, field.name) for row in ordered] for field in fields(ParishUrl)}
    columns["candidates"] = [[asdict(candidate) for candidate in row.candidates] for row in ordered]
    return pa.table(columns, schema=PARISH_URLS.schema)


def _iso(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat()
