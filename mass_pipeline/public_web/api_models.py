"""Objects of the API, under names that stay, and the parameters of its operations: FastAPI makes the description of them.

Every member is there in every answer, and no other one. What a member means is what its column means (`finding.index.records`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import MAXYEAR, date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from mass_pipeline.finding.expansion import Flag
from mass_pipeline.finding.formats.ics import ASSUMED_MINUTES
from mass_pipeline.finding.freshness import STATES
from mass_pipeline.finding.inbox import LONGEST_FIELD, LONGEST_TEXT, REPORT, REPORT_KINDS
from mass_pipeline.finding.index.changes import CHANGE
from mass_pipeline.finding.index.dictionary import Column
from mass_pipeline.finding.index.queries import DayOfParish, Town
from mass_pipeline.finding.index.records import CONFESSION, MASS, PARISH, ConfessionRecord, MassRecord, ParishRecord
from mass_pipeline.finding.questions import Interpretation as Reading
from mass_pipeline.finding.statements import KINDS, LANGUAGES, RITES
from mass_pipeline.model.states import TIED
from mass_pipeline.public_web.cards import flag_names
from mass_pipeline.public_web.params import BAD, LONGEST
from mass_pipeline.public_web.texts import ZONE

MOST: Final = 100
_FIRST_YEAR: Final = 1583  # of the Gregorian calendar, by which feasts are worked out
OWN_ORDER_NOTE: Final = "24 grudnia od 15:00, w Wielki Czwartek i w Wielkanoc prawie każda parafia ma inny porządek"
_ROUGHLY_M: Final = 5_000  # how far from the parish church another place of Mass may be


def _of(columns: Mapping[str, Column], name: str, **values: Any) -> Any:
    """A member that is a column: it means what the column means."""
    return Field(description=columns[name].meaning or None, **values)


def _at(columns: Mapping[str, Column], name: str, *within: str, **values: Any) -> Any:
    """The same, read from the record of its table, or from a part of it."""
    return _of(columns, name, validation_alias=AliasPath(*within, name) if within else name, **values)


def _from(*path: str, meaning: str | None = None, **values: Any) -> Any:
    """A member that is read from somewhere else in the record."""
    return Field(description=meaning, validation_alias=AliasPath(*path), **values)


def _closed(names: tuple[str, ...]) -> Any:
    return Field(json_schema_extra={"enum": list(names)})


class Record(BaseModel):
    """An object of an answer."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, from_attributes=True)

    @classmethod
    def of(cls, record: object) -> Self:
        """The object of a record of the index: each member where its field says."""
        return cls.model_validate(record)


Said = Annotated[str | None, BeforeValidator(lambda text: text or None)]
Weeks = Annotated[list[int] | None, BeforeValidator(lambda weeks: list(weeks or ()) or None)]


class Answer(Record):
    """An answer over an edition of the data."""

    generation: str = Field(description="Name of the edition of the data")


class Position(Record):
    latitude: float = _at(PARISH, "latitude")
    longitude: float = _at(PARISH, "longitude")
    precision_m: int | None = _at(PARISH, "precision_m")
    method: str | None = _at(PARISH, "position_method")
    source_id: str | None = _at(PARISH, "position_source_id")
    licence: str | None = _at(PARISH, "licence")
    attribution: str | None = _at(PARISH, "attribution")


class Wheelchair(Record):
    value: str = _from("wheelchair")
    as_of: date | None = _from("wheelchair_at")
    licence: str = _from("wheelchair_licence")


class Links(Record):
    page: str = _from("path")
    site: Said
    calendar: str


class Parish(Record):
    parish_id: str = _at(PARISH, "parish_id")
    name: str = _at(PARISH, "name")
    town: Said = _at(PARISH, "town")
    voivodeship: Said = _at(PARISH, "voivodeship")
    street: Said = Field(description="Street and number, or the village with its number")
    postcode: Said = _at(PARISH, "postcode")
    place: str = _at(PARISH, "town_key")
    diocese: str = _at(PARISH, "diocese_key")
    state: str = _at(PARISH, "state", json_schema_extra={"enum": list(STATES)})
    reason: Said = _at(PARISH, "reason")
    checked_at: datetime | None = _at(PARISH, "checked_at")
    approved_at: datetime | None = _at(PARISH, "approved_at")
    differs: bool = _at(PARISH, "differs")
    proposals: int = _at(PARISH, "proposals")
    position: Position | None = _from("located")
    wheelchair: Wheelchair | None = _from("with_access")
    links: Links = _from("itself")


class Checked(Record):
    """People who were asked about the row and said that it is right: how many, on which day; or the operator."""

    people: int
    on: date
    by: Literal["people", "operator"]


class Evidence(Record):
    quote: str = _at(MASS, "quote", "row")
    fetched_at: datetime | None = _at(MASS, "fetched_at", "row")
    checked_at: datetime | None = _at(MASS, "checked_at", "row")
    confidence: float = _at(MASS, "confidence", "row")
    page_sha256: str = _at(MASS, "page_sha256", "row")
    url: Said = _from("link", meaning=MASS["source_url"].meaning)
    confidence_word: Literal["high", "good", "low"]
    checked: Checked | None = _from("row", "checked")


class _Stated(Record):
    """What is read of a row."""

    mass_id: str = _at(MASS, "mass_id")
    language: str | None = _at(MASS, "language")
    rite: str | None = _at(MASS, "rite")
    kinds: list[str] = _at(MASS, "kinds")
    exception: Literal["added", "cancelled", "only"] | None = _at(MASS, "exception", "row")
    evidence: Evidence = _from("itself")


class Rule(_Stated):
    days: list[str] = _from("row", "mass", "days", meaning="Mo to Su, PH (holy day of obligation), AF (abolished feast)")
    time: str = _at(MASS, "time", "row", "mass")
    season: str = _at(MASS, "season", "row", "mass")
    nth: Weeks = _from("row", "mass", "nth", meaning="Weeks of the month, -1 the last; null: every week")
    place: str = _at(MASS, "place", "row", "mass")
    note: str = _at(MASS, "note", "row", "mass")
    season_days: str = _at(MASS, "season_days", "row", "mass")
    valid_from: date | None = _at(MASS, "valid_from", "row")
    valid_to: date | None = _at(MASS, "valid_to", "row")
    method: str = _at(MASS, "method", "row")


class ParishOfMass(Record):
    parish_id: str = _at(PARISH, "parish_id")
    name: str = _at(PARISH, "name")
    town: Said = _at(PARISH, "town")
    street: Said = Field(description="Street and number, or the village with its number")
    page: str = _from("path")
    state: str = _at(PARISH, "state")


class Mass(_Stated):
    start: str = Field(description="With the offset of the day", json_schema_extra={"format": "date-time"})
    start_local: str = Field(description="Wall clock in Poland")
    end: str = Field(
        description=f"Assumed, since no parish says it: {ASSUMED_MINUTES} minutes later",
        json_schema_extra={"format": "date-time"},
    )
    parish: ParishOfMass
    place: Said = _of(MASS, "place")
    note: Said = _of(MASS, "note")
    distance_m: int | None
    precision_m: int | None
    status: Literal["confirmed", "tentative", "cancelled"] = Field(
        description="tentative: only assumed for its day; flags say why"
    )
    flags: list[Annotated[str, _closed(tuple(one.name.lower() for one in Flag if one.name))]]

    @classmethod
    def of(cls, found: Any) -> Self:
        """The object of a Mass of one date."""
        rule, mass = found.mass, found.mass.row.mass
        start, end = _with_offset(found.start)
        known = found.parish.precision_m
        return cls(
            mass_id=rule.mass_id, language=rule.language, rite=rule.rite, kinds=list(rule.kinds), exception=rule.row.exception,
            evidence=Evidence.of(rule), start=start, start_local=found.start.isoformat(), end=end,
            parish=ParishOfMass.of(found.parish), place=mass.place, note=mass.note,
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

    days: list[str] = _at(CONFESSION, "days")
    nth: Weeks = Field(description="Weeks of the month, -1 the last; null: every week")
    tied: Annotated[str, _closed(TIED)] = _at(CONFESSION, "tied")
    start: Said = Field(description="Local clock time, HH:MM")
    until: Said = Field(description="Local clock time of the end, HH:MM")
    minutes: int | None = _at(CONFESSION, "minutes")
    masses: Said = Field(description="The only Masses meant: morning, evening, or their hours; null: all of the days")
    quote: str = _at(CONFESSION, "quote")
    url: Said = _at(CONFESSION, "source_url")
    checked_at: datetime | None = _at(CONFESSION, "checked_at")


class Rules(Answer):
    parish: Parish
    rules: list[Rule]
    confession: list[Confession] = Field(description="When one can confess, as far as the parish's site says it plainly")
    service_times: Said = _of(PARISH, "service_times")
    service_times_points: Said = _of(PARISH, "service_times_points")
    service_times_note: str | None = _of(PARISH, "service_times_note")

    @classmethod
    def of_parish(cls, one: ParishRecord, rules: list[MassRecord], confession: list[ConfessionRecord], generation: str) -> Self:
        """The order of a parish."""
        note = "; ".join(filter(None, (one.service_times_note, OWN_ORDER_NOTE))) if one.service_times else None
        return cls(
            generation=generation, parish=Parish.of(one), rules=[Rule.of(rule) for rule in rules],
            confession=[Confession.of(row) for row in confession], service_times=one.service_times,
            service_times_points=one.service_times_points, service_times_note=note,
        )  # fmt: skip


class Day(Answer):
    date_: date = Field(alias="date")
    basis: str
    masses: list[Mass]
    cancelled: list[Mass]
    perhaps: list[Mass] = Field(description="Left out only because the order changes about that day")

    @classmethod
    def of_parish(cls, said: DayOfParish, generation: str) -> Self:
        """A date of a parish."""
        lists = {name: [Mass.of(one) for one in getattr(said, name)] for name in ("masses", "cancelled", "perhaps")}
        return cls.model_validate({"generation": generation, "date": said.schedule.day, "basis": said.schedule.basis, **lists})


class Place(Record):
    place: str = _of(PARISH, "town_key")
    name: str
    voivodeship: Said
    parishes: int
    score: float
    why: str

    @classmethod
    def of_town(cls, town: Town, score: float, why: str) -> Self:
        """A town that words may mean."""
        land = town.voivodeship
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
    def of_reading(cls, reading: Reading, generation: str) -> Self:
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
    """A moment as local wall clock: RFC 3339 with its offset, or local without; of a year whose feasts are known."""
    try:
        found = datetime.fromisoformat(str(value).strip().replace(" ", "+"))
        if not _FIRST_YEAR <= found.year < MAXYEAR:
            raise ValueError(value)
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
