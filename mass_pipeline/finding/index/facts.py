"""What goes into the index of one parish: values of the published tables, put together by the asset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mass_pipeline.finding.index.records import ConfessionRecord, ParishColumns
from mass_pipeline.finding.town_names import ParishRow, in_ordinary_capitals
from mass_pipeline.model.identifiers import content_id, one_line, slug
from mass_pipeline.schedules.rows import ScheduleRow

_LONGEST: Final = {  # characters; the longest of 10,130 parishes have 115 (name), 39 (town), 68 (deanery)
    "name": 200, "town": 100, "voivodeship": 50, "diocese": 100, "deanery": 100, "street": 200, "postcode": 20,
}  # fmt: skip
_NAMELESS: Final = "Parafia"
_LONGEST_SLUG: Final = 80


@dataclass(frozen=True, slots=True)
class ParishFacts(ParishColumns):
    """A parish with everything the index says of it.

    Its texts are in one line and of a length that a page can show, whatever the directory holds: a name without a letter becomes
    "Parafia", a town without a letter is unknown (""), and a point that is none on Earth is no point.

    Attributes:
        rows: published rows, standing order and exceptions. confession: when one can confess.
    """

    rows: tuple[ScheduleRow, ...] = ()
    confession: tuple[ConfessionRecord, ...] = ()

    def __post_init__(self) -> None:
        for column, most in _LONGEST.items():
            text = shortened(one_line(getattr(self, column)), most)
            object.__setattr__(self, column, text if any(c.isalnum() for c in text) else "")
        object.__setattr__(self, "town", in_ordinary_capitals(self.town))
        object.__setattr__(self, "name", self.name or _NAMELESS)
        object.__setattr__(self, "diocese", self.diocese or self.diocese_key)
        if not (abs(self.latitude or 0) <= 90 and abs(self.longitude or 0) <= 180):
            object.__setattr__(self, "latitude", None)
            object.__setattr__(self, "longitude", None)

    @property
    def table_row(self) -> ParishRow:
        """What tells in which town it lies."""
        address = f"{self.street}|{self.postcode} {self.town}"
        return ParishRow(self.town, self.voivodeship, self.name, address, self.deanery, self.parish_id)

    @property
    def slug(self) -> str:
        """Readable part of its page's address."""
        return slug(f"{self.town} {self.name}")[:_LONGEST_SLUG].strip("-")


def town_key(voivodeship: str, town: str) -> str:
    """Address of a town among the pages: voivodeship/town; a town in another script by what its name digests to.

    >>> town_key("małopolskie", "Nowy Sącz"), town_key("", "")
    ('malopolskie/nowy-sacz', 'polska/x')
    """
    name = slug(town)
    if not name or len(name) > _LONGEST_SLUG:
        name = f"x-{content_id(town)}" if town else "x"
    return f"{slug(voivodeship) or 'polska'}/{name}"


def shortened(text: str, most: int) -> str:
    """At most so many characters of a text in one line, cut at a word.

    >>> len(shortened("słowo " * 100, 200)) <= 200
    True
    """
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 2].rsplit(" ", 1)[0] + " …"


def mass_id(parish_id: str, row: ScheduleRow) -> str:
    """Identifier of a row: of what it says, not of where it was read, so that it outlives a new reading of the same order."""
    mass = row.mass
    parts = ("".join(mass.days), mass.time, mass.season, str(mass.nth or ""), mass.place, mass.note, row.exception or "")
    valid = (str(row.valid_from or ""), str(row.valid_to or ""))
    return content_id(parish_id, *parts, *valid, *([mass.season_days] if mass.season_days else []))
