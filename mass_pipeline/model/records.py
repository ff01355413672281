"""What a Mass is: the record, its closed vocabularies, and the evidence a reading must carry.

Belongs here: plain immutable values. Not here: how they are read (reading) or stored (columns).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypedDict

Day = Literal["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su", "PH", "AF"]
Method = Literal["rules", "classifier", "both", "person", "people"]

WEEKDAYS: Final[tuple[Day, ...]] = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
DAYS: Final[tuple[Day, ...]] = (*WEEKDAYS, "PH", "AF")  # PH: holy day of obligation; AF: abolished feast, a working day
LONGEST_QUOTE: Final = 300  # characters
NAMED_SEASONS: Final = (
    "all",
    "school",
    "vacation",
    "summer",
    "winter",
    "may",
    "october",
    "advent",
    "lent",
    "christmasvisits",
    "custom",
)


class MassDict(TypedDict, total=False):
    """A Mass as it stands in JSON files."""

    days: list[str]
    time: str
    season: str
    nth: list[int] | None
    place: str
    note: str
    season_days: str


@dataclass(frozen=True, slots=True)
class Mass:
    """One Mass of a standing schedule.

    Attributes:
        days: at least one of `DAYS`, in that order.
        time: `HH:MM`, 00:00 to 23:59, local clock time.
        season: one of `NAMED_SEASONS` or `MM-MM` (months, inclusive, may wrap the year); of days inside months the nearest.
        nth: ordinals of the weekday in its month (1 first, -1 last), or None for every week.
        place: "" for the parish church.
        note: what the source says beside the hour, "" when nothing.
        season_days: `MM-DD/MM-DD`, first and last day of the season, inclusive, may wrap the year; "" when `season` says it.
    """

    days: tuple[Day, ...]
    time: str
    season: str = "all"
    nth: tuple[int, ...] | None = None
    place: str = ""
    note: str = ""
    season_days: str = ""

    @property
    def when(self) -> str:
        """The season to the day: its days where they are told, else its token (model.dates_of_year.dates_of_season)."""
        return self.season_days or self.season

    def as_dict(self) -> MassDict:
        """The record as JSON files hold it."""
        return {
            "days": list(self.days),
            "time": self.time,
            "season": self.season,
            "nth": list(self.nth) if self.nth else None,
            "place": self.place,
            "note": self.note,
            "season_days": self.season_days,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Mass:
        """Read the JSON form back; unknown keys are ignored.

        >>> Mass.from_dict({"days": ["Su"], "time": "08:00"}).season
        'all'
        """
        nth = data.get("nth")
        return cls(
            days=tuple(day for day in DAYS if day in data["days"]),
            time=data["time"],
            season=data.get("season") or "all",
            nth=tuple(nth) if nth else None,
            place=data.get("place") or "",
            note=data.get("note") or "",
            season_days=data.get("season_days") or "",
        )

    def sort_key(self) -> tuple[Any, ...]:
        """Total order: by first day, time, then everything else."""
        days = [DAYS.index(day) for day in self.days]
        return (days, self.time, self.season, self.nth or (), self.place, self.note, self.season_days)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a reading stands in its source: no schedule row exists without one.

    Attributes:
        source_url: page the words were read on ("" for bare strings).
        quote: the words themselves, as visible on the page, at most `LONGEST_QUOTE` characters.
        line: of the page's visible text in which the hour is, from 0; -1 when unknown.
        column: of the hour in that line, in characters from 0; -1 when unknown.
    """

    source_url: str = ""
    quote: str = ""
    line: int = -1
    column: int = -1


@dataclass(frozen=True, slots=True)
class ReadMass:
    """A Mass together with how surely and from where it was read.

    Attributes:
        confidence: 0 to 1; of rows published with 0.9, nine in ten should be right.
        method: who accepted it.
        evidence: first the best source, then the agreeing ones.
        unexplained: words of the lines it rests on that no rule accounts for, as written, and its place when nothing but the
            shape of the name speaks for one; may hold names of persons, so that they are masked before they are shown.
        contradicted: 0 to 1, the weight of other orders of the same church on pages of the site that state it otherwise.
        standing: 0 to 1, how surely the classifier takes its best hour for a Mass of the order; None where none was asked.
    """

    mass: Mass
    confidence: float
    evidence: tuple[Evidence, ...]
    method: Method = "rules"
    unexplained: tuple[str, ...] = ()
    contradicted: float = 0.0
    standing: float | None = None

    def quote_of(self, page: str) -> str:
        """What a page says of it: Sundays and weekdays of one hour often stand in two lines, and both prove it.

        Args:
            page: a `source_url` of the evidence.

        Returns:
            The quotes of that page, best first, each once, as many as fit into 300 characters.
        """
        quote = ""
        for said in dict.fromkeys(one.quote for one in self.evidence if one.source_url == page and one.quote):
            longer = f"{quote} / {said}" if quote else said
            if len(longer) <= LONGEST_QUOTE:
                quote = longer
        return quote


@dataclass(frozen=True, slots=True)
class WithheldMass:
    """A Mass that was read and is not published, for a person to decide.

    Attributes:
        read: the Mass with its confidence and evidence.
        reasons: why it is withheld, in words; at least one.
    """

    read: ReadMass
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteSchedule:
    """What one site (or one page, or one string) says about the standing order of Masses.

    Attributes:
        masses: sorted by `Mass.sort_key`; empty when none is stated.
        status: `read`; `none` (text was read and states no standing schedule); `image_only`, `pdf_unreadable`,
            `javascript_only` (there seems to be one, but not as text); `ambiguous` (several readings, none certain).
        alternatives: further admissible readings with their weights, when the source is ambiguous.
        notes: remarks for people, for example the link of an unreadable poster.
        withheld: what was read beside `masses` and is not sure enough, or not the parish's own of today.
    """

    masses: tuple[ReadMass, ...] = ()
    status: Literal["read", "none", "image_only", "pdf_unreadable", "javascript_only", "ambiguous"] = "none"
    alternatives: tuple[tuple[float, Sequence[Mass]], ...] = ()
    notes: tuple[str, ...] = field(default=())
    withheld: tuple[WithheldMass, ...] = ()
