"""Churches from OpenStreetMap: Overpass JSON of places of worship, as parishes and as a source of web sites.

Data © OpenStreetMap contributors, ODbL 1.0: `ATTRIBUTION` stays with everything derived from it (docs/terms.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import orjson

from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.gathering.parish import Parish, entry_id
from mass_pipeline.gathering.tables import voivodeship_of
from mass_pipeline.model.columns import WHEELCHAIR
from mass_pipeline.model.errors import BadInput

SOURCE: Final = "osm"
ATTRIBUTION: Final = "© OpenStreetMap contributors, ODbL 1.0, https://www.openstreetmap.org/copyright"
_CATHOLIC: Final = frozenset({"catholic", "roman_catholic", "greek_catholic", "ukrainian_greek_catholic"})
_WEBSITES: Final = ("contact:website", "website", "url")


@dataclass(frozen=True, slots=True)
class Church:
    """A Catholic church as OSM describes it; "" where it does not.

    Attributes:
        osm_id: `node/123`, `way/123` or `relation/123`.
        service_times: opening_hours syntax as mapped; evidence for readers of schedules, not taken over.
        latitude, longitude: degrees, None when the answer lacks them.
        mapped_at: when OSM's data were exported, None when the answer does not say.
        wheelchair: yes, limited or no; "" when not mapped or anything else.
    """

    osm_id: str
    name: str
    town: str
    street: str
    postcode: str
    voivodeship: str
    diocese: str
    deanery: str
    website: str
    phone: str
    service_times: str
    latitude: float | None
    longitude: float | None
    mapped_at: datetime | None
    wheelchair: str = ""

    @property
    def page(self) -> str:
        """The object on openstreetmap.org."""
        return f"https://www.openstreetmap.org/{self.osm_id}"


def read_overpass(content: bytes, where: str = "Overpass answer") -> Iterator[Church]:
    """Churches of an Overpass JSON answer that have a name; other places of worship are passed over.

    Args:
        content: the answer (`[out:json]`, `out center tags`).
        where: file or URL, for messages.

    Raises:
        BadInput: it is no Overpass JSON, or Overpass broke off (its `remark` says why).
    """
    try:
        answer = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{where}: is not JSON ({error}); export it with [out:json].") from error
    elements = answer.get("elements") if isinstance(answer, dict) else None
    if not isinstance(elements, list):
        raise BadInput(f"{where}: has no list of elements; export it with [out:json] and out center tags.")
    remark = str(answer.get("remark", ""))
    if "error" in remark:
        raise BadInput(f"{where}: Overpass broke off ({remark[:200]}); ask for a smaller area or a longer time-out.")
    mapped_at = _moment(answer.get("osm3s"))
    for element in elements:
        church = _church(element, mapped_at) if isinstance(element, dict) else None
        if church is not None:
            yield church


def osm_parishes(churches: Iterator[Church], dioceses: Dioceses) -> Iterator[Parish]:
    """Churches as parishes: those that name a town and a diocese of the list; others only lend their web site (`listing`)."""
    for church in churches:
        key = dioceses.find(church.diocese) if church.diocese else None
        if key is None or not church.town:
            continue
        parts = (church.name, church.street, f"{church.postcode} {church.town}".strip())
        yield Parish(
            parish_id=entry_id(SOURCE, church.osm_id),
            name=church.name,
            town=church.town,
            voivodeship=church.voivodeship or voivodeship_of(church.postcode or None),
            address="|".join(part for part in parts if part),
            street=church.street or None,
            postcode=church.postcode or None,
            deanery=church.deanery or None,
            diocese=church.diocese,
            diocese_key=key,
            directory_url=church.page,
            website_hint=church.website or None,
            source=SOURCE,
            fetched_at=church.mapped_at,
        )


def _church(element: Mapping[str, object], mapped_at: datetime | None) -> Church | None:
    raw = element.get("tags")
    tags = {str(key): str(value) for key, value in raw.items()} if isinstance(raw, dict) else {}
    is_church = tags.get("amenity") == "place_of_worship" and tags.get("denomination") in _CATHOLIC
    name = tags.get("official_name") or tags.get("name", "")
    if not is_church or not name:
        return None
    town = tags.get("addr:city") or tags.get("addr:place") or tags.get("is_in:city", "")
    street = " ".join(
        part for part in (tags.get("addr:street") or tags.get("addr:place", ""), tags.get("addr:housenumber", "")) if part
    )
    position = element.get("center") if isinstance(element.get("center"), dict) else element
    assert isinstance(position, Mapping)
    return Church(
        osm_id=f"{element.get('type')}/{element.get('id')}",
        name=name,
        town=town,
        street=street,
        postcode=tags.get("addr:postcode", ""),
        voivodeship=tags.get("addr:state", "").lower().removeprefix("województwo "),
        diocese=tags.get("diocese", ""),
        deanery=tags.get("deanery", ""),
        website=next((tags[key] for key in _WEBSITES if tags.get(key)), ""),
        phone=tags.get("contact:phone") or tags.get("phone", ""),
        service_times=tags.get("service_times", ""),
        latitude=_degrees(position.get("lat")),
        longitude=_degrees(position.get("lon")),
        mapped_at=mapped_at,
        wheelchair=tags["wheelchair"] if tags.get("wheelchair") in WHEELCHAIR else "",
    )


def _degrees(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _moment(header: object) -> datetime | None:
    text = header.get("timestamp_osm_base") if isinstance(header, dict) else None
    try:
        return datetime.fromisoformat(str(text)) if text else None
    except ValueError:
        return None
