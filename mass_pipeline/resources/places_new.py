"""Places API (New): `places:searchText` with a field mask, which answers everything at once; the key travels in a header.

What both Places clients share is here too: reading untrusted JSON, hiding the key, the remedy of a refused key.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import httpx
import orjson

from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.gathering.ports import Place, PlacesBadRequest, PlacesDenied, PlacesOverLimit, PlacesUnavailable

NEW_BASE_URL: Final = "https://places.googleapis.com"
# Website and phone put the call in the most expensive class, but save the Details call.
FIELD_MASK: Final = ",".join(
    f"places.{name}"
    for name in ("id", "displayName", "formattedAddress", "types", "websiteUri", "internationalPhoneNumber", "businessStatus")
)


class GooglePlacesNew:
    """`places:searchText` of Places API (New) with a field mask; a `PlacesClient` that needs no Details call."""

    def __init__(
        self,
        config: PlacesConfig,
        client: httpx.Client,
        base_url: str = "",
    ) -> None:
        """Args:
        config: key (it begins with `AIza`, and travels in a header, never in a URL), language, quota units of a search (the
            field mask asks for the web site, the dearest class).
        client: `RateLimitedHttp.client("places")`.
        base_url: "" for Google's own.

        Raises:
            PlacesDenied: the key is missing or cannot be one.
        """
        key = config.api_key.strip()
        if not key.startswith("AIza"):
            raise PlacesDenied(MALFORMED_KEY)
        self.search_units = config.search_units
        self.details_units = 0
        self._headers = {"X-Goog-Api-Key": key, "X-Goog-FieldMask": FIELD_MASK, "Content-Type": "application/json"}
        self._client = client
        self._url = (base_url.rstrip("/") or NEW_BASE_URL) + "/v1/places:searchText"
        self._options = {"languageCode": config.language, "regionCode": config.region.upper()}

    def search(self, query: str) -> tuple[Place, ...]:
        """Places for the words, best first; see `PlacesClient`."""
        payload = orjson.dumps({"textQuery": query, **self._options})
        try:
            response = self._client.post(self._url, content=payload, headers=self._headers)
        except httpx.HTTPError as error:
            raise PlacesUnavailable("Places searchText", str(error)) from error
        if response.status_code != 200:
            raise _new_error(response)
        return tuple(_new_place(item) for item in items(_json_object(response), "places"))

    def details(self, place: Place) -> Place:
        """The place itself: the search has given all."""
        return place


def _new_error(response: httpx.Response) -> Exception:
    """By the google.rpc status that Places API (New) sends with its HTTP status."""
    where = "Places searchText"
    try:
        error = _json_object(response).get("error")
    except PlacesUnavailable:
        error = None
    details = error if isinstance(error, dict) else {}
    reason = f"HTTP {response.status_code} {word(details, 'status')}: {redact(word(details, 'message'))[:200]}".rstrip(": ")
    refused = response.status_code == 400 and "API key" in reason
    return error_of_status(where, 403 if refused else response.status_code, reason)


def error_of_status(where: str, status: int, reason: str = "") -> Exception:
    """The error to raise for an HTTP status other than 200.

    Args:
        reason: what the answer says; the status alone when it says nothing.
    """
    reason = reason or f"HTTP {status}"
    if status in {401, 403}:
        return PlacesDenied(f"{where}: {reason}; {DENIED_REMEDY}.")
    if status == 429:
        return PlacesOverLimit(where, reason)
    return PlacesBadRequest(where, reason) if 400 <= status < 500 else PlacesUnavailable(where, reason)


def _json_object(response: httpx.Response) -> dict[str, Any]:
    try:
        body = json.loads(response.content)
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


_KEY_IN_URL: Final = re.compile(r"([?&](?:key|signature)=)[^&\s]+")
MALFORMED_KEY: Final = "The Places key is missing or malformed (keys begin with AIza): set MASS_PIPELINE_PLACES_API_KEY."
DENIED_REMEDY: Final = "check the key, its restrictions, and that the API is enabled and billed in the Google Cloud project"


def redact(text: str) -> str:
    """Text without keys, for logs and messages.

    >>> redact("GET /json?key=AIzaSecret&x=1 AIzaOther")
    'GET /json?key=(hidden)&x=1 (key)'
    """
    return re.sub(r"AIza[\w-]+", "(key)", _KEY_IN_URL.sub(r"\1(hidden)", text))


def items(body: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list, [] when there is no list."""
    found = body.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def word(item: dict[str, Any], name: str) -> str:
    """A text, "" when there is none."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def words(item: dict[str, Any], name: str) -> tuple[str, ...]:
    """The texts of a list, () when there is no list."""
    values = item.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
