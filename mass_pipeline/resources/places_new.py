"""Places API (New): `places:searchText` with a field mask, which answers everything at once. The key travels in a header."""

from __future__ import annotations

import json
from typing import Any, Final

import orjson

from mass_pipeline.discovery.ports import Page, Place, PlacesBadRequest, PlacesDenied, PlacesOverLimit, PlacesUnavailable
from mass_pipeline.model.errors import FetchError
from mass_pipeline.resources.http import HttpClient
from mass_pipeline.resources.places_common import DENIED_REMEDY, items, redact, word, words

NEW_BASE_URL: Final = "https://places.googleapis.com"
# Website and phone put the call in the most expensive class, but save the Details call.
FIELD_MASK: Final = ",".join(
    f"places.{name}"
    for name in ("id", "displayName", "formattedAddress", "types", "websiteUri", "internationalPhoneNumber", "businessStatus")
)


class GooglePlacesNew:
    """`places:searchText` of Places API (New) with a field mask; a `PlacesClient` that needs no Details call."""

    def __init__(
        self, key: str, http: HttpClient, base_url: str = "", *, search_units: int = 10, language: str = "pl", region: str = "pl"
    ) -> None:
        """Args:
        key: API key; travels in a header, never in a URL.
        http: its transport, with gate and gap.
        base_url: "" for Google's own.
        search_units: quota units of one search (the field mask asks for the web site, the dearest class).

        Raises:
            PlacesDenied: the key is missing.
        """
        if not key.strip():
            raise PlacesDenied("The Places key is missing: set MASS_PIPELINE_PLACES_API_KEY.")
        self.search_units = search_units
        self.details_units = 0
        self._headers = {"X-Goog-Api-Key": key.strip(), "X-Goog-FieldMask": FIELD_MASK}
        self._http = http
        self._url = (base_url.rstrip("/") or NEW_BASE_URL) + "/v1/places:searchText"
        self._options = {"languageCode": language, "regionCode": region.upper()}

    def search(self, query: str) -> tuple[Place, ...]:
        """Places for the words, best first; see `PlacesClient`."""
        payload = orjson.dumps({"textQuery": query, **self._options})
        try:
            page = self._http.post_json(self._url, payload, self._headers)
        except FetchError as error:
            raise PlacesUnavailable("Places searchText", error.reason) from error
        if page.status != 200:
            raise _new_error(page)
        return tuple(_new_place(item) for item in items(_json_object(page), "places"))

    def details(self, place: Place) -> Place:
        """The place itself: the search has given all."""
        return place


def _new_error(page: Page) -> Exception:
    """By the google.rpc status that Places API (New) sends with its HTTP status."""
    where = "Places searchText"
    try:
        error = _json_object(page).get("error")
    except PlacesUnavailable:
        error = None
    details = error if isinstance(error, dict) else {}
    reason = f"HTTP {page.status} {word(details, 'status')}: {redact(word(details, 'message'))[:200]}".rstrip(": ")
    if page.status == 429:
        return PlacesOverLimit(where, reason)
    if page.status in {401, 403}:
        return PlacesDenied(f"{where}: {reason}; {DENIED_REMEDY}.")
    if page.status == 400 and "API key" in reason:
        return PlacesDenied(f"{where}: {reason}; {DENIED_REMEDY}.")
    if 400 <= page.status < 500:
        return PlacesBadRequest(where, reason)
    return PlacesUnavailable(where, reason)


def _json_object(page: Page) -> dict[str, Any]:
    try:
        body = json.loads(page.body)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise PlacesUnavailable("Places searchText", "the answer is not a JSON object")
    return body


def _new_place(item: dict[str, Any]) -> Place:
    shown = item.get("displayName")
    return Place(
        word(item, "id"),
        word(shown, "text") if isinstance(shown, dict) else "",
        word(item, "formattedAddress"),
        words(item, "types"),
        word(item, "websiteUri") or None,
        word(item, "internationalPhoneNumber") or None,
        word(item, "businessStatus") == "CLOSED_PERMANENTLY",
    )
