"""What goes into the index of one parish: values of the published tables, put together by the asset."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from mass_pipeline.model.identifiers import content_id, slug
from mass_pipeline.schedules.rows import ScheduleRow


@dataclass(frozen=True, slots=True)
class ParishFacts:
    """A parish with everything the index says of it.

    Attributes:
        site: start URL of its own web site, None when none is known.
        state: one of `freshness.STATES`; reason: in words of parish_states.
        checked_at: when the page of its order was last confirmed.
        latitude, longitude, precision_m, position_method, position_source_id, attribution: of parish_positions.
        rows: published rows, standing order and exceptions.
    """

    parish_id: str
    name: str
    town: str
    voivodeship: str
    diocese_key: str
    diocese: str = ""
    deanery: str = ""
    street: str = ""
    postcode: str = ""
    directory_url: str = ""
    source: str = ""
    site: str = ""
    state: str = "pending"
    reason: str = ""
    state_url: str = ""
    checked_at: datetime | None = None
    approved_at: datetime | None = None
    differs: bool = False
    proposals: int = 0
    latitude: float | None = None
    longitude: float | None = None
    precision_m: int | None = None
    position_method: str | None = None
    position_source_id: str | None = None
    licence: str | None = None
    attribution: str | None = None
    wheelchair: str | None = None
    wheelchair_at: date | None = None
    service_times: str = ""
    rows: tuple[ScheduleRow, ...] = ()

    @property
    def town_key(self) -> str:
        """Address of its town among the pages: voivodeship/town."""
        return f"{slug(self.voivodeship) or 'polska'}/{slug(self.town) or 'x'}"

    @property
    def slug(self) -> str:
        """Readable part of its page's address."""
        return slug(f"{self.town} {self.name}")[:80].strip("-")


def mass_id(parish_id: str, row: ScheduleRow) -> str:
    """Identifier of a row: of what it says, not of where it was read, so that it outlives a new reading of the same order."""
    mass = row.mass
    parts = ("".join(mass.days), mass.time, mass.season, str(mass.nth or ""), mass.place, mass.note, row.exception or "")
    return content_id(parish_id, *parts, str(row.valid_from or ""), str(row.valid_to or ""))
