"""What is read out of an index: a parish, a row of its order, and a Mass of one date."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import orjson

from mass_pipeline.finding.expansion import ASSUMED_ONLY, Flag
from mass_pipeline.finding.freshness import NOT_TO_RELY_ON, confidence_word
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.model.records import Mass
from mass_pipeline.model.states import KNOWN_STATES
from mass_pipeline.schedules.checked import By, Checked
from mass_pipeline.schedules.rows import ScheduleRow

_PLAIN_HOST: Final = re.compile(r"https?://([a-z0-9.-]+)(?=[/?#]|$)")  # nearly all; the others are taken apart by the library
_ABOUT_M: Final = 2_000  # from this uncertainty on a distance is said with "about"


@dataclass(frozen=True, slots=True)
class ParishRecord:
    """A parish as the index has it; columns of the table `parish`, moments aware UTC."""

    pk: int
    parish_id: str
    slug: str
    name: str
    town: str
    voivodeship: str
    town_key: str
    diocese_key: str
    diocese: str
    deanery: str
    street: str
    postcode: str
    directory_url: str
    source: str
    site: str
    state: str
    reason: str
    state_url: str
    checked_at: datetime | None
    approved_at: datetime | None
    differs: bool
    proposals: int
    latitude: float | None
    longitude: float | None
    precision_m: int | None
    position_method: str | None
    position_source_id: str | None
    licence: str | None
    attribution: str | None
    wheelchair: str | None
    wheelchair_at: str | None
    service_times: str
    service_times_points: str
    service_times_note: str

    @classmethod
    def of(cls, row: Iterable[Any]) -> ParishRecord:
        """A row of the table: all its columns in their order."""
        values = list(row)
        for at in _MOMENTS:
            values[at] = moment(values[at])
        for at in _ADDRESSES:
            values[at] = web_address(values[at])
        values[_DIFFERS] = bool(values[_DIFFERS])
        return cls(*values)

    @property
    def path(self) -> str:
        """Address of its page within the site."""
        return f"/parafia/{self.slug}-{self.parish_id}"

    @property
    def label(self) -> str:
        """Town and name; the name alone where the town is unknown."""
        return f"{self.town}, {self.name}" if self.town else self.name

    @property
    def point(self) -> Point | None:
        """Where it is."""
        return None if self.latitude is None or self.longitude is None else Point(self.latitude, self.longitude)

    @property
    def is_exact(self) -> bool:
        """Whether the point is that of the church."""
        return self.precision_m is not None and self.precision_m < _ABOUT_M

    @property
    def is_doubted(self) -> bool:
        """Whether its hours are not to be relied on: not checked for long, or not said to be in force."""
        return self.state in NOT_TO_RELY_ON

    @property
    def is_known(self) -> bool:
        """Whether an order is published."""
        return self.state in KNOWN_STATES


_PARISH_COLUMNS: Final = tuple(one.name for one in fields(ParishRecord))
_MOMENTS: Final = tuple(map(_PARISH_COLUMNS.index, ("checked_at", "approved_at")))
_ADDRESSES: Final = tuple(map(_PARISH_COLUMNS.index, ("site", "directory_url", "state_url")))
_DIFFERS: Final = _PARISH_COLUMNS.index("differs")


def _checked(people: int | None, on: str, by: By) -> Checked | None:
    return Checked(people, date.fromisoformat(on), by) if people else None


@dataclass(frozen=True, slots=True)
class MassRecord:
    """A published row with what its words state; columns of the table `mass`."""

    pk: int
    mass_id: str
    row: ScheduleRow
    language: str | None
    kinds: tuple[str, ...]
    rite: str | None

    @classmethod
    def of(cls, row: sqlite3.Row) -> MassRecord:
        """A row of the table: all its columns in their order."""
        (
            pk, mass_id, _, days, hour, season, nth, place, note, method, confidence, source_url, quote, page_sha256, fetched_at,
            checked_at, valid_from, valid_to, exception, language, kinds, rite, people, checked_on, checked_by,
            season_days,
        ) = row  # fmt: skip
        mass = _mass(days, hour, season, nth, place, note, season_days)
        published = ScheduleRow(
            mass, source_url, quote, page_sha256, moment(fetched_at), method, confidence, exception, _day(valid_from),
            _day(valid_to), moment(checked_at), checked=_checked(people, checked_on, checked_by),
        )  # fmt: skip
        return cls(pk, mass_id, published, language, tuple(kinds.split()), rite)

    @property
    def host(self) -> str:
        """Host of the page it was read on; "" when the address is none of the web."""
        return _host(self.row.source_url) if self.link else ""

    @property
    def link(self) -> str:
        """The page, when its address may stand in a link; "" for anything but http(s)."""
        return web_address(self.row.source_url)

    @property
    def confidence_word(self) -> str:
        """high, good or low."""
        return confidence_word(self.row.confidence)


@dataclass(frozen=True, slots=True)
class Found:
    """One Mass of one date.

    Attributes:
        minute: local clock minutes since the horizon's first day.
        start: local wall clock, without zone.
        distance_m: from the asker to the parish's point, None when nobody asked from somewhere.
    """

    parish: ParishRecord
    mass: MassRecord
    minute: int
    start: datetime
    flags: Flag
    distance_m: float | None = None

    @property
    def is_cancelled(self) -> bool:
        """Whether it is announced not to take place."""
        return bool(self.flags & Flag.CANCELLED)

    @property
    def is_assumed(self) -> bool:
        """Whether its hour is only assumed for its day."""
        return bool(self.flags & ASSUMED_ONLY)

    @property
    def status(self) -> Literal["confirmed", "tentative", "cancelled"]:
        """In the words of iCalendar (RFC 5545 3.8.1.11)."""
        return "cancelled" if self.is_cancelled else "tentative" if self.is_assumed else "confirmed"


@lru_cache(maxsize=4_096)
def _mass(days: str, hour: str, season: str, nth: str | None, place: str, note: str, season_days: str) -> Mass:
    """A Mass of the columns that state it; most are those of many parishes."""
    named: Any = tuple(days.split())
    return Mass(named, hour, season, tuple(orjson.loads(nth)) if nth else None, place, note, season_days)


def _host(address: str) -> str:
    plain = _PLAIN_HOST.match(address)
    return (plain[1] if plain else urlsplit(address).hostname or "").removeprefix("www.")


def web_address(text: str) -> str:
    """An address that may stand in a link; "" for anything but http(s), and for what is no address at all.

    >>> web_address("javascript:alert(1)"), web_address("https://parafia.example/")
    ('', 'https://parafia.example/')
    """
    if _PLAIN_HOST.match(text):
        return text
    try:
        return text if text.startswith(("https://", "http://")) and urlsplit(text).hostname else ""
    except ValueError:  # brackets that hold no address
        return ""


def moment(seconds: int | None) -> datetime | None:
    """Aware UTC moment of stored seconds."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def local_start(first: date, minute: int) -> datetime:
    """Local wall clock of a stored minute, without zone.

    >>> local_start(date(2026, 11, 21), 1440 + 480)
    datetime.datetime(2026, 11, 22, 8, 0)
    """
    return _midnight(first) + timedelta(minutes=minute)


@lru_cache(maxsize=8)
def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
