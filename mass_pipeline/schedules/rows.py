"""One row of `mass_schedules` as a value: a Mass, when the row holds, what kind of row it is, and its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from typing import Any, Final, Literal

from mass_pipeline.model.records import Mass, Method
from mass_pipeline.schedules.checked import Checked
from mass_pipeline.schedules.heard import Heard

Exception_ = Literal["added", "cancelled", "only"]
_PLAIN: Final = (  # what the table holds as it is here
    *("method", "confidence", "source_url", "quote", "page_sha256", "fetched_at", "checked_at", "valid_from", "valid_to"),
    "exception",
)


@dataclass(frozen=True, slots=True)
class ScheduleRow:
    """One row.

    Attributes:
        mass: what is said, on which days of the week.
        exception: None in a standing order; `added` beside it; `cancelled`; `only`: these rows are all the Masses
            of the day.
        valid_from, valid_to: days, inclusive; None: no bound.
        source_url, quote, page_sha256, fetched_at: page, its words, digest of its body, moment of the fetch (aware UTC).
        checked_at: when the server last confirmed that page, the fetch included; None when not known.
        method: who read it.
        confidence: probability that the row is right, 0 to 1.
        heard: what other sources say of it (sources).
        checked: who settled that it is right, where people did; None of other rows.
    """

    mass: Mass
    source_url: str
    quote: str
    page_sha256: str
    fetched_at: datetime | None
    method: Method = "rules"
    confidence: float = 1.0
    exception: Exception_ | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    checked_at: datetime | None = None
    heard: tuple[Heard, ...] = ()
    checked: Checked | None = None

    def as_dict(self, parish_id: str, service_times: str, *, points: str = "", note: str = "") -> dict[str, object]:
        """The row of the table.

        Args:
            service_times, points, note: the whole order of the parish (reading.formats.osm).
        """
        return {
            **self.mass.as_dict(),
            "parish_id": parish_id,
            **{name: getattr(self, name) for name in _PLAIN},
            "service_times": service_times,
            "service_times_points": points,
            "service_times_note": note,
            "heard": [one.as_dict() for one in self.heard],
            "checked": self.checked and asdict(self.checked),
        }

    def as_logged(self, parish_id: str) -> dict[str, object]:
        """The row of the log of reviews: what other sources said at the time is none of its evidence."""
        return replace(self, heard=()).as_dict(parish_id, "")

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> ScheduleRow:
        """A row of the table back as a value."""
        heard = tuple(Heard.from_dict(one) for one in row.get("heard") or ())
        checked = Checked.from_dict(row["checked"]) if row.get("checked") else None
        known: dict[str, Any] = {"checked_at": None, **row}
        return cls(Mass.from_dict(row), **{name: known[name] for name in _PLAIN}, heard=heard, checked=checked)

    def holds_on(self, day: date) -> bool:
        """Whether the day lies between the bounds of the row."""
        return (self.valid_from is None or self.valid_from <= day) and (self.valid_to is None or day <= self.valid_to)


def rows_by_parish(table: Iterable[Mapping[str, Any]], *, standing: bool = False) -> dict[str, list[ScheduleRow]]:
    """parish_id -> its rows, in the order of the table.

    Args:
        table: rows of `mass_schedules`.
        standing: those of standing orders alone.
    """
    found: dict[str, list[ScheduleRow]] = {}
    for row in table:
        if not standing or row["exception"] is None:
            found.setdefault(str(row["parish_id"]), []).append(ScheduleRow.from_dict(row))
    return found
