"""What is read out of an index: a parish, a row of its order, and a Mass of one date."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import orjson

from mass_pipeline.finding.expansion import ASSUMED_ONLY, Flag
from mass_pipeline.finding.freshness import NOT_TO_RELY_ON, confidence_word
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index.dictionary import column, columns_of
from mass_pipeline.model.records import WEEKDAYS, Mass
from mass_pipeline.model.states import KNOWN_STATES
from mass_pipeline.schedules.checked import Checked
from mass_pipeline.schedules.church_year import is_holy_day
from mass_pipeline.schedules.rows import ScheduleRow

_PLAIN_HOST: Final = re.compile(r"https?://([a-z0-9.-]+)(?=[/?#]|$)")  # nearly all; the others are taken apart by the library
_SAINT: Final = re.compile(r"\b(?:[Śś]w\.|[Śś]wi[ęe]t(?:ego|ej)) ?(?=[A-ZŁŚŻĆŹ])(?!Krzyża|Rodziny|Trójcy|Ducha|Boż)")
_NAMED_ITSELF: Final = re.compile(
    r"(?i)(?:parafia|ko[śs]ci[óo][łl]|bazylika|katedra|sanktuarium|kolegiata|kaplica|klasztor|o[śs]rodek|duszpasterstwo|rektorat|wsp[óo]lnota|misja)\b"
)
_ABOUT_M: Final = 2_000  # from this uncertainty on a distance is said with "about"


@dataclass(frozen=True, slots=True)
class ParishColumns:
    """What is said of a parish: columns of the table `parish`, moments aware UTC."""

    parish_id: str = column("Stable identifier of the parish")
    name: str = column("Dedication")
    town: str = column("Town or village")
    voivodeship: str = column("Voivodeship")
    diocese_key: str = column("Key of the diocese")
    diocese: str = column(default="")
    deanery: str = column(default="")
    street: str = column(default="")
    postcode: str = column("Postcode", default="")
    directory_url: str = column(default="")
    source: str = column("Where the parish is listed", default="")
    site: str = column("The parish's own web site", default="")
    state: str = column("Freshness of the order, or why none is known", default="pending")
    reason: str = column("Why, in words", default="")
    state_url: str = column(default="")
    checked_at: datetime | None = column("When the page of its order was last confirmed", kind="datetime", default=None)
    approved_at: datetime | None = column("When a person approved its order", kind="datetime", default=None)
    differs: bool = column("Whether the site says something else than the confirmed order", default=False)
    proposals: int = column("Changes that wait for a person", default=0)
    latitude: float | None = column("Latitude, WGS 84", default=None)
    longitude: float | None = column("Longitude, WGS 84", default=None)
    precision_m: int | None = column("How far the church may be from that point, metres", default=None)
    position_method: str | None = column("Step of the ladder that gave the point", default=None)
    position_source_id: str | None = column("Object of the source", default=None)
    licence: str | None = column("Licence of the point", default=None)
    attribution: str | None = column("Words that must stand beside the point", default=None)
    wheelchair: str | None = column("OpenStreetMap's tag: yes, limited, no", default=None)
    wheelchair_at: date | None = column("Day of the extract", kind="date", default=None)
    service_times: str = column("The whole order in OpenStreetMap's syntax, hours open-ended (08:00+)", default="")
    service_times_points: str = column("The same with hours as points of time (08:00)", default="")
    service_times_note: str = column("What that syntax cannot say of the order, in words", default="")


@dataclass(frozen=True, slots=True)
class ParishRecord(ParishColumns):
    """A parish as the index has it: a row of the table `parish`."""

    pk: int = column(default=0)
    slug: str = column(default="")
    town_key: str = column("Key of the town, as /places gives it", default="")

    @classmethod
    def of(cls, row: Iterable[Any]) -> ParishRecord:
        """A row of the table: all its columns in their order."""
        values = list(row)
        for at, read in _READ:
            values[at] = read(values[at])
        return cls(*values)

    @property
    def path(self) -> str:
        """Address of its page within the site."""
        return f"/parafia/{self.slug}-{self.parish_id}"

    @property
    def title(self) -> str:
        """Its name as a heading: dedications stand in the genitive, so a church or a parish goes before them.

        >>> ParishRecord("p1", "Świętego Jakuba i Św. Anny", "Nysa", "", "", pk=1).title
        'Kościół św. Jakuba i św. Anny'
        >>> ParishRecord("p1", "Parafia Opatrzności Bożej", "Nysa", "", "", pk=1).title
        'Parafia Opatrzności Bożej'
        """
        name = _SAINT.sub("św. ", self.name)
        return name if _NAMED_ITSELF.match(name) else f"Kościół {name}"

    @property
    def label(self) -> str:
        """Town and name; the name alone where the town is unknown."""
        return f"{self.town}, {self.name}" if self.town else self.name

    @property
    def point(self) -> Point | None:
        """Where it is."""
        return None if self.latitude is None or self.longitude is None else Point(self.latitude, self.longitude)

    @property
    def located(self) -> ParishRecord | None:
        """Itself where its position is known: what answers say of the position is of its own columns, as of the others."""
        return None if self.point is None else self

    @property
    def with_access(self) -> ParishRecord | None:
        """Itself where something is known of wheelchairs."""
        return self if self.wheelchair else None

    @property
    def itself(self) -> ParishRecord:
        """Itself, as a part of what answers say of it."""
        return self

    @property
    def wheelchair_licence(self) -> str:
        """Of what is known of wheelchairs: it is OpenStreetMap's."""
        return "ODbL-1.0"

    @property
    def calendar(self) -> str:
        """Address of its calendar within the site."""
        return f"/api/v1/parishes/{self.parish_id}/calendar.ics"

    @property
    def is_exact(self) -> bool:
        """Whether the point is that of the church."""
        return self.precision_m is not None and self.precision_m < _ABOUT_M

    @property
    def is_accessible(self) -> bool:
        """Whether OpenStreetMap says that wheelchairs get in, at least in part."""
        return self.wheelchair in ("yes", "limited")

    @property
    def is_doubted(self) -> bool:
        """Whether its hours are not to be relied on: not checked for long, or not said to be in force."""
        return self.state in NOT_TO_RELY_ON

    @property
    def is_known(self) -> bool:
        """Whether an order is published."""
        return self.state in KNOWN_STATES


PARISH: Final = columns_of(ParishRecord)


@dataclass(frozen=True, slots=True)
class ConfessionRecord:
    """When one can confess in a parish: a row of the table `confession`, lists as words."""

    days: tuple[str, ...] = column("Mo to Su, PH (holy day of obligation)", kind="string")
    nth: tuple[int, ...] = column("Ordinals of the weekday in its month, -1 the last; empty: every week", kind="string")
    tied: str = column("hours: by the clock; before_mass, during_mass, after_mass: to the Masses of the days")
    start: str = column("Local clock time, HH:MM; empty: not said", default="")
    until: str = column("Local clock time of the end, HH:MM; empty: not said", default="")
    minutes: int | None = column("How many minutes before the Mass; empty: not said", default=None)
    masses: str = column("The only Masses meant: morning, evening, or their hours; empty: all of the days", default="")
    source_url: str = column("Page on which it was read", default="")
    quote: str = column("The words on that page", default="")
    checked_at: datetime | None = column("When its server last confirmed that page", kind="datetime", default=None)

    @classmethod
    def of(cls, row: Iterable[Any]) -> ConfessionRecord:
        """A row of the table without its parish."""
        days, nth, tied, start, until, minutes, masses, source_url, quote, checked_at = row
        address, weeks = web_address(source_url), tuple(map(int, nth.split()))
        return cls(tuple(days.split()), weeks, tied, start, until, minutes, masses, address, quote, moment(checked_at))

    def is_on(self, day: date) -> bool:
        """Whether it holds on a date.

        >>> ConfessionRecord(("Fr",), (1,), "hours", "16:00").is_on(date(2026, 12, 4))
        True
        """
        nth = ((day.day - 1) // 7 + 1, *([-1] if (day + timedelta(7)).month != day.month else []))
        is_named = WEEKDAYS[day.weekday()] in self.days or ("PH" in self.days and is_holy_day(day))
        return is_named and (not self.nth or bool(set(nth) & set(self.nth)))

    @property
    def host(self) -> str:
        """The site it was read on, "" for none."""
        return _host(self.source_url)


CONFESSION: Final = columns_of(ConfessionRecord)


@dataclass(slots=True)
class MassColumns:
    """A row of the table `mass` as it is stored: moments as seconds since 1970, lists as words or JSON."""

    pk: int = column()
    mass_id: str = column("Identifier of the row: of what it says")
    parish: int = column()
    days: str = column("Mo to Su, PH (holy day of obligation), AF (abolished feast), separated by spaces")
    time: str = column("Local clock time, HH:MM")
    season: str = column("all, a named season, or months MM-MM")
    nth: str | None = column("Ordinals of the weekday in its month as JSON, -1 the last; empty: every week")
    place: str = column("Place of the Mass; empty: the parish church")
    note: str = column("What the source says beside the hour")
    language: str | None = column("Language the words state; empty: not stated")
    kinds: str = column("Kinds the words state, separated by spaces")
    rite: str | None = column("Rite the words or the diocese state")
    method: str = column(
        "Who accepted the row: rules, classifier, both; person: given by the parish or a visitor, and approved; people: those "
        "who were asked about it"
    )
    confidence: float = column("Probability that the row is right")
    source_url: str = column("Page on which it was read")
    quote: str = column("The words on that page, at most 200 characters")
    page_sha256: str = column("SHA-256 of that page")
    fetched_at: int | None = column("When that page was fetched", kind="datetime")
    checked_at: int | None = column("When its server last confirmed it", kind="datetime")
    valid_from: str | None = column("First day of a dated row", kind="date")
    valid_to: str | None = column("Last day of a dated row", kind="date")
    exception: str | None = column("added, cancelled or only; empty: standing order")
    checked_people: int | None = column("How many people, certainly distinct ones, said that the row is right; empty: nobody")
    checked_on: str | None = column("Day on which that was settled", kind="date")
    checked_by: str | None = column("Who said so: people, or the operator, who is one")
    season_days: str = column("First and last day of the season, MM-DD/MM-DD; empty: the season says it")


MASS: Final = columns_of(MassColumns)


def _checked(row: MassColumns) -> Checked | None:
    by: Any = row.checked_by
    return Checked(row.checked_people, date.fromisoformat(row.checked_on or ""), by) if row.checked_people else None


@dataclass(frozen=True, slots=True)
class MassRecord:
    """A published row with what its words state."""

    pk: int
    mass_id: str
    row: ScheduleRow
    language: str | None
    kinds: tuple[str, ...]
    rite: str | None

    @classmethod
    def of(cls, row: Iterable[Any]) -> MassRecord:
        """A row of the table: all its columns in their order."""
        own = MassColumns(*row)
        mass = _mass(own.days, own.time, own.season, own.nth, own.place, own.note, own.season_days)
        method: Any = own.method
        exception: Any = own.exception
        published = ScheduleRow(
            mass, own.source_url, own.quote, own.page_sha256, moment(own.fetched_at), method, own.confidence, exception,
            _day(own.valid_from), _day(own.valid_to), moment(own.checked_at), checked=_checked(own),
        )  # fmt: skip
        return cls(own.pk, own.mass_id, published, own.language, tuple(own.kinds.split()), own.rite)

    @property
    def host(self) -> str:
        """Host of the page it was read on; "" when the address is none of the web."""
        return _host(self.row.source_url) if self.link else ""

    @property
    def link(self) -> str:
        """The page, when its address may stand in a link; "" for anything but http(s)."""
        return web_address(self.row.source_url)

    @property
    def itself(self) -> MassRecord:
        """Itself, as a part of what answers say of it."""
        return self

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


_BY_KIND: Final[Mapping[str, Callable[[Any], object]]] = {"datetime": moment, "date": _day, "boolean": bool}
_ADDRESSES: Final = ("site", "directory_url", "state_url")
_READ: Final[tuple[tuple[int, Callable[[Any], object]], ...]] = tuple(  # what a stored value is made into, by its place in a row
    (at, web_address if one.name in _ADDRESSES else _BY_KIND[one.kind])
    for at, one in enumerate(PARISH.values())
    if one.name in _ADDRESSES or one.kind in _BY_KIND
)
