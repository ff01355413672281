"""An emulator of Google Places: the legacy JSON protocol (textsearch, details) and Places API (New), with its errors.

Answers come from a book of places; faults can be ordered. Legacy: the `status` field tells the outcome, HTTP stays 200.
New: errors are HTTP statuses with a `google.rpc` body, and a field mask is compulsory. The book knows most demo parishes once,
some twice, in the wrong town, or not at all.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from mass_pipeline.demo_web.http import Request, Response
from mass_pipeline.demo_web.source import SiteSource
from mass_pipeline.model.identifiers import content_id, fold

_JSON: Final = "application/json; charset=UTF-8"
_LEGACY_SEARCH: Final = "/maps/api/place/textsearch/json"
_LEGACY_DETAILS: Final = "/maps/api/place/details/json"
_NEW_SEARCH: Final = "/v1/places:searchText"
_NEW_DETAILS: Final = "/v1/places/"
_DETAILS_ONLY: Final = frozenset({"website", "international_phone_number"})
_NEW_STATUS: Final = {
    "OVER_QUERY_LIMIT": (429, "RESOURCE_EXHAUSTED"),
    "REQUEST_DENIED": (403, "PERMISSION_DENIED"),
    "INVALID_REQUEST": (400, "INVALID_ARGUMENT"),
    "NOT_FOUND": (404, "NOT_FOUND"),
    "UNKNOWN_ERROR": (500, "INTERNAL"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """One object of the map; `website` and `phone` are "" when the map knows none."""

    name: str
    address: str
    website: str = ""
    latitude: float = 52.0
    longitude: float = 19.0
    types: tuple[str, ...] = ("church", "place_of_worship")
    phone: str = ""

    @property
    def place_id(self) -> str:
        """Identifier derived from name and address."""
        return "demo" + content_id(self.name, self.address, self.website)

    def legacy(self) -> dict[str, object]:
        """The object as the legacy API writes it."""
        result: dict[str, object] = {
            "place_id": self.place_id,
            "name": self.name,
            "formatted_address": self.address,
            "geometry": {"location": {"lat": self.latitude, "lng": self.longitude}},
            "types": [*self.types, "point_of_interest", "establishment"],
            "business_status": "OPERATIONAL",
        }
        return result | _known({"website": self.website, "international_phone_number": self.phone})

    def new(self) -> dict[str, object]:
        """The object as Places API (New) writes it."""
        result: dict[str, object] = {
            "id": self.place_id,
            "displayName": {"text": self.name, "languageCode": "pl"},
            "formattedAddress": self.address,
            "location": {"latitude": self.latitude, "longitude": self.longitude},
            "types": list(self.types),
            "businessStatus": "OPERATIONAL",
        }
        return result | _known({"websiteUri": self.website, "internationalPhoneNumber": self.phone})


PlacesBook = Callable[[str], Sequence[Place]]


def book_from_mapping(outcomes: Mapping[str, Sequence[Place]]) -> PlacesBook:
    """A book that knows whole queries, compared without case, accents and extra spaces; others find nothing."""
    folded = {fold(query): tuple(places) for query, places in outcomes.items()}
    return lambda query: folded.get(fold(query), ())


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong: an API status, or an HTTP status of 500 and above; slow answers take `delay_seconds`."""

    status: str = ""
    http_status: int = 200
    delay_seconds: float = 0.0


@dataclass(slots=True)
class PlacesEmulator:
    """Answers Places requests from a book.

    Attributes:
        find: query -> places, best first.
        faults: used up one per request before anything is answered.
        requests: paths asked so far, for counting units.
    """

    find: PlacesBook
    faults: deque[Fault] = field(default_factory=deque)
    requests: list[str] = field(default_factory=list)
    _known: dict[str, Place] = field(default_factory=dict)

    def fail_next(self, times: int = 1, *, status: str = "", http_status: int = 200, delay_seconds: float = 0.0) -> None:
        """Make the next requests fail (or be slow)."""
        self.faults.extend([Fault(status, http_status, delay_seconds)] * times)

    def respond(self, request: Request) -> Response:
        """Answer one request of either API."""
        self.requests.append(request.path)
        fault = self.faults.popleft() if self.faults else Fault()
        if fault.http_status >= 500:
            return Response(fault.http_status, b"<html>Error</html>", "text/html")
        is_new = request.path.startswith("/v1/")
        answer = _new_error(fault.status) if is_new and fault.status else self._answer(request, fault)
        return Response(answer.status, answer.body, answer.content_type, answer.headers, fault.delay_seconds)

    def _answer(self, request: Request, fault: Fault) -> Response:
        if fault.status:
            return _legacy(fault.status)
        if request.path == _LEGACY_SEARCH:
            return self._legacy_search(_query(request))
        if request.path == _LEGACY_DETAILS:
            return self._legacy_details(_query(request))
        if request.path == _NEW_SEARCH and request.method == "POST":
            return self._new_search(request)
        if request.path.startswith(_NEW_DETAILS) and request.method == "GET":
            return self._new_details(request)
        return Response.error(404)

    def _search(self, query: str) -> Sequence[Place]:
        places = self.find(query)
        self._known.update((place.place_id, place) for place in places)
        return places

    def _legacy_search(self, query: Mapping[str, str]) -> Response:
        if not query.get("key"):
            return _legacy("REQUEST_DENIED")
        if not query.get("query", "").strip():
            return _legacy("INVALID_REQUEST")
        # Website and phone are no fields of a search; they need a Details call.
        places = self._search(query["query"])
        results = [{k: v for k, v in place.legacy().items() if k not in _DETAILS_ONLY} for place in places]
        return _legacy("OK" if results else "ZERO_RESULTS", results=results)

    def _legacy_details(self, query: Mapping[str, str]) -> Response:
        if not query.get("key"):
            return _legacy("REQUEST_DENIED")
        wanted = query.get("placeid") or query.get("place_id")
        if not wanted:
            return _legacy("INVALID_REQUEST")
        place = self._known.get(wanted)
        if place is None:
            return _legacy("NOT_FOUND")
        fields = {name for name in query.get("fields", "").split(",") if name}
        return _legacy("OK", result={k: v for k, v in place.legacy().items() if not fields or k in fields})

    def _new_search(self, request: Request) -> Response:
        mask = _mask(request)
        if "x-goog-api-key" not in request.headers:
            return _new_error("REQUEST_DENIED")
        try:
            body = json.loads(request.body)
        except ValueError:
            return _new_error("INVALID_REQUEST")
        text = body.get("textQuery") if isinstance(body, dict) else None
        if not mask or not isinstance(text, str) or not text.strip():
            return _new_error("INVALID_REQUEST")
        wanted = {name.removeprefix("places.") for name in mask}
        places = [_masked(place, wanted) for place in self._search(text)]
        return _json({"places": places} if places else {})

    def _new_details(self, request: Request) -> Response:
        if "x-goog-api-key" not in request.headers:
            return _new_error("REQUEST_DENIED")
        mask = _mask(request)
        if not mask:
            return _new_error("INVALID_REQUEST")
        place = self._known.get(request.path.removeprefix(_NEW_DETAILS))
        return _json(_masked(place, mask)) if place is not None else _new_error("NOT_FOUND")


def _known(fields: Mapping[str, str]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value}


def _query(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.target.partition("?")[2]))


def _mask(request: Request) -> set[str]:
    named = request.headers.get("x-goog-fieldmask") or _query(request).get("fields") or ""
    return {name.strip() for name in named.split(",") if name.strip()}


def _masked(place: Place, wanted: set[str]) -> dict[str, object]:
    names = {name.partition(".")[0] for name in wanted}
    return {k: v for k, v in place.new().items() if "*" in names or k in names}


def _json(value: object, status: int = 200) -> Response:
    return Response(status, json.dumps(value, ensure_ascii=False).encode(), _JSON)


def _legacy(status: str, **content: object) -> Response:
    body: dict[str, object] = {"html_attributions": [], "status": status, **content}
    if status not in ("OK", "ZERO_RESULTS"):
        body.setdefault("error_message", f"Demo answer: {status}.")
        body.setdefault("results", [])
    return _json(body)


def _new_error(status: str) -> Response:
    code, name = _NEW_STATUS.get(status, (500, "INTERNAL"))
    return _json({"error": {"code": code, "message": f"Demo answer: {status}.", "status": name}}, code)


WRONG_TOWN: Final = Place(
    "Parafia Rzymskokatolicka", "ul. Krakowska 1, 40-001 Odległe Małe, Polska", "http://parafia-odlegle.example/"
)


@dataclass(frozen=True, slots=True)
class _Entry:
    site: SiteSource
    town: frozenset[str]
    name: frozenset[str]
    street: frozenset[str]
    places: tuple[Place, ...]

    def answers(self, query: frozenset[str]) -> bool:
        """Whether a query asks for this parish: the town and at least half of the dedication are named."""
        if not self.town <= query or 2 * len(self.name & query) < len(self.name):
            return False
        return self.site.places != "without_street" or not self.street & query


def demo_book(sites: Sequence[SiteSource]) -> PlacesBook:
    """Find the places of the demo parishes by the words of a query."""
    entries = [_entry(site) for site in sites if site.places != "none"]

    def find(query: str) -> Sequence[Place]:
        words = _words(query)
        return [place for entry in entries if entry.answers(words) for place in entry.places]

    return find


def _entry(site: SiteSource) -> _Entry:
    town = _words(site.town)  # its number too: towns of a generated country differ by nothing else
    street = frozenset(word for word in _words(site.street) - town - {"ul"} if not word.isdigit())
    return _Entry(site, town, _words(site.name) - town, street, _places(site))


def _places(site: SiteSource) -> tuple[Place, ...]:
    address = f"{site.street}, {site.postcode} {site.town}, Polska"
    own = Place(f"Parafia Rzymskokatolicka pw. {site.name}", address, site.start_url)
    chapel = Place(f"Kaplica cmentarna, {site.town}", f"ul. Cmentarna, {site.postcode} {site.town}, Polska")
    wrong = Place(f"Parafia pw. {site.name}", WRONG_TOWN.address, WRONG_TOWN.website)
    return {"two": (own, chapel), "wrong_town": (wrong,), "no_website": (Place(own.name, address),)}.get(site.places, (own,))


def _words(text: str) -> frozenset[str]:
    letters = "".join(c if c.isalnum() else " " for c in fold(text))
    return frozenset(letters.split())
