"""Objects of the API, under names that stay, and the parameters of its operations: FastAPI makes the description of them.

Every member is there in every answer, and no other one. What a member means is what its column means (`finding.index.records`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.formats.ics import ASSUMED_MINUTES
from mass_pipeline.finding.freshness import STATES
from mass_pipeline.finding.inbox import LONGEST_FIELD, LONGEST_TEXT, REPORT, REPORT_KINDS
from mass_pipeline.finding.index.changes import CHANGE
from mass_pipeline.finding.index.changes import Change as ChangeRow
from mass_pipeline.finding.index.dictionary import Column
from mass_pipeline.finding.index.queries import DayOfParish, Town
from mass_pipeline.finding.index.records import CONFESSION, MASS, PARISH, ConfessionRecord, Found, MassRecord, ParishRecord
from mass_pipeline.finding.questions import Interpretation as Reading
from mass_pipeline.finding.statements import KINDS, LANGUAGES, RITES
from mass_pipeline.model.states import TIED
from mass_pipeline.public_web.cards import flag_names
from mass_pipeline.public_web.params import BAD, LONGEST
from mass_pipeline.public_web.texts import ZONE

MOST: Final = 100
OWN_ORDER_NOTE: Final = "24 grudnia od 15:00, w Wielki Czwartek i w Wielkanoc prawie każda parafia ma inny porządek"
_ROUGHLY_M: Final = 5_000  # how far from the parish church another place of Mass may be


def _of(columns: Mapping[str, Column], name: str, **values: Any) -> Any:
    """A member that is a column: it means what the column means."""
    return Field(description=columns[name].meaning or None, **values)


def _closed(names: tuple[str, ...]) -> Any:
    return Field(json_schema_extra={"enum": list(names)})


class Record(BaseModel):
    """An object of an answer."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, use_attribute_docstrings=False)


class Answer(Record):
    """An answer over an edition of the data."""

    generation: str = Field(description="Name of the edition of the data")


class Position(Record):
    latitude: float = _of(PARISH, "latitude")
    longitude: float = _of(PARISH, "longitude")
    precision_m: int | None = _of(PARISH, "precision_m")
    method: str | None = _of(PARISH, "position_method")
    source_id: str | None = _of(PARISH, "position_source_id")
    licence: str | None = _of(PARISH, "licence")
    attribution: str | None = _of(PARISH, "attribution")


class Wheelchair(Record):
    value: str
    as_of: date | None
    licence: str


class Links(Record):
    page: str
    site: str | None
    calendar: str


class Parish(Record):
    parish_id: str = _of(PARISH, "parish_id")
    name: str = _of(PARISH, "name")
    town: str | None = _of(PARISH, "town")
    voivodeship: str | None = _of(PARISH, "voivodeship")
    street: str | None = Field(description="Street and number, or the village with its number")
    postcode: str | None = _of(PARISH, "postcode")
    place: str = _of(PARISH, "town_key")
    diocese: str = _of(PARISH, "diocese_key")
    state: str = _of(PARISH, "state", json_schema_extra={"enum": list(STATES)})
    reason: str | None = _of(PARISH, "reason")
    checked_at: datetime | None = _of(PARISH, "checked_at")
    approved_at: datetime | None = _of(PARISH, "approved_at")
    differs: bool = _of(PARISH, "differs")
    proposals: int = _of(PARISH, "proposals")
    position: Position | None
    wheelchair: Wheelchair | None
    links: Links

    @classmethod
    def of(cls, one: ParishRecord, **more: Any) -> Self:
        """The object of a parish."""
        point = None if one.point is None else Position(
            latitude=one.point.latitude, longitude=one.point.longitude, precision_m=one.precision_m, method=one.position_method,
            source_id=one.position_source_id, licence=one.licence, attribution=one.attribution,
        )  # fmt: skip
        return cls(
            parish_id=one.parish_id, name=one.name, town=one.town or None, voivodeship=one.voivodeship or None,
            street=one.street or None, postcode=one.postcode or None, place=one.town_key, diocese=one.diocese_key,
            state=one.state, reason=one.reason or None, checked_at=one.checked_at, approved_at=one.approved_at,
            differs=one.differs, proposals=one.proposals, position=point,
            wheelchair=Wheelchair(value=one.wheelchair, as_of=one.wheelchair_at, licence="ODbL-1.0") if one.wheelchair else None,
            links=Links(page=one.path, site=one.site or None, calendar=f"/api/v1/parishes/{one.parish_id}/calendar.ics"), **more,
        )  # fmt: skip


class Checked(Record):
    """People who were asked about the row and said that it is right: how many, on which day; or the operator."""

    people: int
    on: date
    by: Literal["people", "operator"]


class Evidence(Record):
    quote: str = _of(MASS, "quote")
    fetched_at: datetime | None = _of(MASS, "fetched_at")
    checked_at: datetime | None = _of(MASS, "checked_at")
    confidence: float = _of(MASS, "confidence")
    page_sha256: str = _of(MASS, "page_sha256")
    url: str | None = _of(MASS, "source_url")
    confidence_word: Literal["high", "good", "low"]
    checked: Checked | None

    @classmethod
    def of(cls, mass: MassRecord) -> Self:
        """Where a row was read."""
        row = mass.row
        said = row.checked
        checked = Checked(people=said.people, on=said.on, by=said.by) if said else None
        word: Any = mass.confidence_word
        return cls(
            quote=row.quote, fetched_at=row.fetched_at, checked_at=row.checked_at, confidence=row.confidence,
            page_sha256=row.page_sha256, url=mass.link or None, confidence_word=word, checked=checked,
        )  # fmt: skip


class _Stated(Record):
    """What is read of a row."""

    mass_id: str = _of(MASS, "mass_id")
    language: str | None = _of(MASS, "language")
    rite: str | None = _of(MASS, "rite")
    kinds: list[str] = _of(MASS, "kinds")
    exception: Literal["added", "cancelled", "only"] | None = _of(MASS, "exception")
    evidence: Evidence

    @staticmethod
    def stated(mass: MassRecord) -> dict[str, Any]:
        """These members of a row."""
        return {
            "mass_id": mass.mass_id, "language": mass.language, "rite": mass.rite, "kinds": list(mass.kinds),
            "exception": mass.row.exception, "evidence": Evidence.of(mass),
        }  # fmt: skip


class Rule(_Stated):
    days: list[str] = Field(description="Mo to Su, PH (holy day of obligation), AF (abolished feast)")
    time: str = _of(MASS, "time")
    season: str = _of(MASS, "season")
    nth: list[int] | None = Field(description="Weeks of the month, -1 the last; null: every week")
    place: str = _of(MASS, "place")
    note: str = _of(MASS, "note")
    season_days: str = _of(MASS, "season_days")
    valid_from: date | None = _of(MASS, "valid_from")
    valid_to: date | None = _of(MASS, "valid_to")
    method: str = _of(MASS, "method")

    @classmethod
    def of(cls, rule: MassRecord) -> Self:
        """The object of a published row."""
        mass, row = rule.row.mass, rule.row
        return cls(
            **cls.stated(rule), days=list(mass.days), time=mass.time, season=mass.season,
            nth=list(mass.nth) if mass.nth else None,
            place=mass.place, note=mass.note, season_days=mass.season_days, valid_from=row.valid_from, valid_to=row.valid_to,
            method=row.method,
        )  # fmt: skip


class ParishOfMass(Record):
    parish_id: str = _of(PARISH, "parish_id")
    name: str = _of(PARISH, "name")
    town: str | None = _of(PARISH, "town")
    street: str | None = Field(description="Street and number, or the village with its number")
    page: str
    state: str = _of(PARISH, "state")


class Mass(_Stated):
    start: str = Field(description="With the offset of the day", json_schema_extra={"format": "date-time"})
    start_local: str = Field(description="Wall clock in Poland")
    end: str = Field(
        description=f"Assumed, since no parish says it: {ASSUMED_MINUTES} minutes later",
        json_schema_extra={"format": "date-time"},
    )
    parish: ParishOfMass
    place: str | None = _of(MASS, "place")
    note: str | None = _of(MASS, "note")
    distance_m: int | None
    precision_m: int | None
    status: Literal["confirmed", "tentative", "cancelled"] = Field(
        description="tentative: only assumed for its day; flags say why"
    )
    flags: list[Annotated[str, _closed(tuple(one.name.lower() for one in Flag if one.name))]]

    @classmethod
    def of(cls, found: Found) -> Self:
        """The object of a Mass of one date."""
        one, mass = found.parish, found.mass.row.mass
        start, end = _with_offset(found.start)
        known = one.precision_m
        return cls(
            **cls.stated(found.mass), start=start, start_local=found.start.isoformat(), end=end,
            parish=ParishOfMass(
                parish_id=one.parish_id, name=one.name, town=one.town or None, street=one.street or None, page=one.path,
                state=one.state,
            ),
            place=mass.place or None, note=mass.note or None,
            distance_m=None if found.distance_m is None else round(found.distance_m),
            precision_m=_ROUGHLY_M if found.flags & Flag.OTHER_PLACE and known else known,
            status=found.status, flags=[name.lower() for name in flag_names(found.flags)],
        )  # fmt: skip


@lru_cache(maxsize=4_096)
def _with_offset(start: datetime) -> tuple[str, str]:
    """A wall clock in Poland as RFC 3339, and the assumed end: Masses of one window begin at few moments."""
    moment = start.replace(tzinfo=ZONE)
    end = moment.timestamp() + timedelta(minutes=ASSUMED_MINUTES).total_seconds()
    return moment.isoformat(), datetime.fromtimestamp(end, ZONE).isoformat()


class _Page(Answer):
    cursor: str | None = Field(description="For the next page, which the header Link names too; null on the last one")
    total: int | None = Field(description="How many there are; null where they are not counted (near a point)")


class Horizon(Record):
    first_day: date
    last_day: date


class Masses(_Page):
    from_: datetime = Field(alias="from")
    to: datetime
    horizon: Horizon = Field(description="The days that are laid out: beyond them nothing is found here; see /parishes/ID/days")
    is_beyond: bool = Field(description="Whether the window reaches beyond these days")
    masses: list[Mass]


class Parishes(_Page):
    parishes: list[Parish]


class ParishAnswer(Parish, Answer):
    """One parish."""


class Confession(Record):
    """When one can confess in every week."""

    days: list[str] = _of(CONFESSION, "days")
    nth: list[int] | None = Field(description="Weeks of the month, -1 the last; null: every week")
    tied: Annotated[str, _closed(TIED)] = _of(CONFESSION, "tied")
    start: str | None = Field(description="Local clock time, HH:MM")
    until: str | None = Field(description="Local clock time of the end, HH:MM")
    minutes: int | None = _of(CONFESSION, "minutes")
    masses: str | None = Field(description="The only Masses meant: morning, evening, or their hours; null: all of the days")
    quote: str = _of(CONFESSION, "quote")
    url: str | None = _of(CONFESSION, "source_url")
    checked_at: datetime | None = _of(CONFESSION, "checked_at")

    @classmethod
    def of(cls, one: ConfessionRecord) -> Self:
        """The object of a row."""
        return cls(
            days=list(one.days), nth=list(one.nth) or None, tied=one.tied, start=one.start or None, until=one.until or None,
            minutes=one.minutes, masses=one.masses or None, quote=one.quote, url=one.source_url or None,
            checked_at=one.checked_at,
        )  # fmt: skip


class Rules(Answer):
    parish: Parish
    rules: list[Rule]
    confession: list[Confession] = Field(description="When one can confess, as far as the parish's site says it plainly")
    service_times: str | None = _of(PARISH, "service_times")
    service_times_points: str | None = _of(PARISH, "service_times_points")
    service_times_note: str | None = _of(PARISH, "service_times_note")

    @classmethod
    def of(cls, one: ParishRecord, rules: list[MassRecord], confession: list[ConfessionRecord], generation: str) -> Self:
        """The order of a parish."""
        note = "; ".join(filter(None, (one.service_times_note, OWN_ORDER_NOTE))) if one.service_times else None
        return cls(
            generation=generation, parish=Parish.of(one), rules=[Rule.of(rule) for rule in rules],
            confession=[Confession.of(row) for row in confession],
            service_times=one.service_times or None, service_times_points=one.service_times_points or None,
            service_times_note=note,
        )  # fmt: skip


class Day(Answer):
    date_: date = Field(alias="date")
    basis: str
    masses: list[Mass]
    cancelled: list[Mass]
    perhaps: list[Mass] = Field(description="Left out only because the order changes about that day")

    @classmethod
    def of(cls, said: DayOfParish, generation: str) -> Self:
        """A date of a parish."""
        lists = {name: [Mass.of(one) for one in getattr(said, name)] for name in ("masses", "cancelled", "perhaps")}
        return cls.model_validate({"generation": generation, "date": said.schedule.day, "basis": said.schedule.basis, **lists})


class Place(Record):
    place: str = _of(PARISH, "town_key")
    name: str
    voivodeship: str | None
    parishes: int
    score: float
    why: str

    @classmethod
    def of(cls, town: Town, score: float, why: str) -> Self:
        """A town that words may mean."""
        land = town.voivodeship or None
        return cls(place=town.key, name=town.name, voivodeship=land, parishes=town.parishes, score=score, why=why)


class Places(Answer):
    places: list[Place]


class TownName(Record):
    name: str
    voivodeship: str | None
    parishes: int


class Interpretation(Answer):
    """How a question was read; null or [] where nothing is said."""

    id: str | None = None
    place: dict[str, str | bool | None] | None
    dates: list[date]
    from_: str | None = Field(alias="from")
    to: str | None
    standing: str | list[str] | None
    pick: Literal["first", "last", "next"] | None
    language: str | None
    kind: str | None
    wheelchair: bool | None
    feast: str | None
    radius_m: int | None = Field(description="Metres round the place")
    asks_obligation: bool | None = Field(description="Whether the days are holy days of obligation is asked")
    unread: list[str]
    not_served: list[str] = Field(description="Words that ask for something else than Masses; unread too")
    error: Literal["too_long", "bad_characters"] | None
    did_you_mean: list[TownName]
    also: list[TownName] = Field(description="Towns named beside the place")

    @classmethod
    def of(cls, reading: Reading, generation: str) -> Self:
        """The object of a question that was read."""
        return cls.model_validate({"generation": generation, **reading.to_record()})


class Change(Record):
    parish_id: str = _of(CHANGE, "parish_id")
    kind: str = _of(CHANGE, "kind")
    before: str = _of(CHANGE, "before")
    after: str = _of(CHANGE, "after")
    quote: str = _of(CHANGE, "quote")
    source_url: str = _of(CHANGE, "source_url")
    seen_at: datetime = _of(CHANGE, "seen_at")

    @classmethod
    def of(cls, change: ChangeRow) -> Self:
        """The object of a change."""
        return cls.model_validate(asdict(change))


class Changes(Answer):
    changes: list[Change]


class Meta(Answer):
    built_at: datetime
    first_day: date
    last_day: date
    parishes_by_state: dict[str, int]
    licences: dict[str, str]
    thresholds: dict[str, float]


class PointProperties(Record):
    name: str = _of(PARISH, "name")
    town: str | None = _of(PARISH, "town")
    state: str = _of(PARISH, "state")
    precision_m: int | None = _of(PARISH, "precision_m")
    method: str | None = _of(PARISH, "position_method")
    licence: str | None = _of(PARISH, "licence")
    attribution: str | None = _of(PARISH, "attribution")
    page: str


class Geometry(Record):
    type: Literal["Point"]
    coordinates: list[float]


class Feature(Record):
    type: Literal["Feature"]
    id: str = _of(PARISH, "parish_id")
    geometry: Geometry
    properties: PointProperties


class Points(Record):
    """A FeatureCollection (RFC 7946)."""

    type: Literal["FeatureCollection"]
    features: list[Feature]


class Report(BaseModel):
    """An error that somebody has found."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"parish_id": "p0123456789abcdef", "kind": "wrong_hour", "time": "09:30"}}
    )

    parish_id: str = _of(REPORT, "parish_id", max_length=LONGEST_FIELD)
    kind: Annotated[str, _closed(REPORT_KINDS)]
    mass_id: str = _of(REPORT, "mass_id", default="", max_length=LONGEST_FIELD)
    text: str = _of(REPORT, "text", default="", max_length=LONGEST_TEXT)
    generation: str = _of(REPORT, "generation", default="", max_length=LONGEST_FIELD)
    time: str = _of(REPORT, "time", default="", max_length=LONGEST_FIELD)
    days: str = _of(REPORT, "days", default="", max_length=LONGEST_FIELD)
    day: str = _of(REPORT, "day", default="", max_length=LONGEST_FIELD)


class ReportTaken(Record):
    id: str
    status: str = Field(description="Page that says what became of it")


class Problem(BaseModel):
    """Problem details (RFC 9457)."""

    type: str
    status: int
    title: str
    detail: str | None = None
    parameter: str | None = Field(default=None, description="The parameter at fault")
    bulk_data: str | None = Field(default=None, description="Where all data can be downloaded, for who asks too often")


def _clean(text: str) -> str:
    if BAD.search(text):
        raise PydanticCustomError("bad_characters", "control characters")
    return " ".join(text.split())


def _moment(value: object) -> object:
    """A moment as local wall clock: RFC 3339 with its offset, or local without."""
    try:
        found = datetime.fromisoformat(str(value).strip().replace(" ", "+"))
        return found.astimezone(ZONE).replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError) as error:
        raise PydanticCustomError("no_date", "no date") from error


def _one_of(names: tuple[str, ...]) -> Any:
    def check(text: str) -> str:
        if text not in names:
            raise PydanticCustomError("not_accepted", "not in the list")
        return text

    return AfterValidator(check)


Text = Annotated[str, StringConstraints(max_length=LONGEST), AfterValidator(_clean)]
Moment = Annotated[datetime, BeforeValidator(_moment)]


class Query(BaseModel):
    """Parameters of an operation: a name that it does not know is refused, an empty value is none."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, data: Any) -> Any:
        return {name: value for name, value in data.items() if value != ""} if isinstance(data, dict) else data


class MassesQuery(Query):
    lat: float | None = Field(None, ge=-90, le=90, description="Latitude, with lon", examples=[50.061])
    lon: float | None = Field(None, ge=-180, le=180, description="Longitude, with lat", examples=[19.937])
    radius_m: float = Field(50_000.0, ge=1, le=200_000, description="Radius in metres")
    place: Text = Field("", description="Town: its name, or voivodeship/town as /places gives it")
    parish: Text = Field("", description="Identifier of a parish")
    from_: Moment | None = Field(None, alias="from", description="RFC 3339, or local without offset; now by default")
    to: Moment | None = Field(None, description="Likewise; a day later by default, 60 days at most")
    language: Annotated[Text, _closed(LANGUAGES), _one_of(LANGUAGES)] | None = Field(None, description="Stated language")
    kind: Annotated[Text, _closed(KINDS), _one_of(KINDS)] | None = Field(None, description="Stated kind")
    rite: Annotated[Text, _closed(RITES), _one_of(RITES)] | None = Field(None, description="Stated rite")
    wheelchair: bool = Field(False, description="OpenStreetMap says yes or limited")
    min_confidence: float = Field(0.0, ge=0, le=1, description="Least confidence")
    include: Literal["exact", "approximate"] = Field("approximate", description="exact: no Masses of seasons about to change")
    limit: int = Field(20, ge=1, le=MOST, description="At most so many")
    cursor: int = Field(0, ge=0, le=5_000, description="As the last answer gave it")


class ParishesQuery(Query):
    q: Text = Field(
        "", description="Words of the town, dedication, street or postcode; the best hundred, without a cursor",
        examples=["mariacka krakow"],
    )  # fmt: skip
    diocese: Text = Field("", description="Key of the diocese", examples=["krakowska"])
    town: Text = Field("", description="voivodeship/town", examples=["malopolskie/krakow"])
    state: Text = Field("", description="State of the order")
    updated_since: Moment | None = Field(None, description="Confirmed since this moment")
    bbox: Text = Field("", description="west,south,east,north in degrees", examples=["19.8,49.9,20.2,50.2"])
    cursor: int = Field(0, ge=0, le=10_000_000, description="As the last answer gave it")


class CalendarQuery(Query):
    days: int = Field(60, ge=1, le=180, description="How many")
    at: Moment | None = Field(None, description="Only the Mass that begins then", examples=["2026-11-29T17:00"])


class PlacesQuery(Query):
    q: Text = Field("", description="Words", examples=["krakow"])


class QuestionQuery(Query):
    q: Annotated[str, StringConstraints(max_length=LONGEST)] = Field(
        "", description="The question", examples=["msza jutro po 18 w Gnieźnie"]
    )
    at: Moment | None = Field(None, description="Asked when", examples=["2026-11-22T09:00"])


class ChangesQuery(Query):
    since: Moment | None = Field(None, description="Moment or day", examples=["2026-11-20"])
