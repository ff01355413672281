"""How the look-up of a parish's web site ended: the record of the `parish_urls` table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import orjson

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
        return orjson.dumps(self).decode()

    @classmethod
    def from_json(cls, text: str) -> ParishUrl:
        """The row back from JSON text."""
        data = orjson.loads(text)
        data["candidates"] = tuple(RatedUrl(c["url"], c["source"], tuple(c["evidence"]), c["score"]) for c in data["candidates"])
        if data["checked_at"] is not None:
            data["checked_at"] = datetime.fromisoformat(data["checked_at"])
        return cls(**data)
