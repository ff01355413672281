"""What another source says of a published row, as a value. Not here: comparing (`sources`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

Source = Literal["directory", "last_reading"]
Says = Literal["agrees", "contradicts"]
RULES: Final[Mapping[tuple[str, str], str]] = {
    ("directory", "agrees"): "two sources say the same",
    ("directory", "contradicts"): "the parish's own site is followed",
    ("last_reading", "agrees"): "said before and after the page changed",
    ("last_reading", "contradicts"): "the newer reading is followed",
}


@dataclass(frozen=True, slots=True)
class Heard:
    """What another source says of the days of a row.

    Attributes:
        source: which; says: whether it has the row.
        hours: all its Masses on those days, in words.
        source_url, quote: its page and the words there; said_at: when that page was last confirmed (aware UTC).
    """

    source: Source
    says: Says
    hours: str
    source_url: str
    quote: str
    said_at: datetime | None

    @property
    def rule(self) -> str:
        """What decided."""
        return RULES[self.source, self.says]

    def as_dict(self) -> dict[str, object]:
        """As the column `heard` of mass_schedules holds it."""
        return {name: getattr(self, name) for name in (*self.__slots__, "rule")}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Heard:
        """Back from the table."""
        return cls(*(data[name] for name in cls.__slots__))
