"""Google Places behind one protocol: the legacy API through `googlemaps`, and Places API (New). Plain classes, no Dagster.

New Google projects cannot enable the legacy API since March 2025; both are kept. Neither client retries by itself: every attempt
costs units, so asking again is decided where the quota is kept (`discovery.lookups`). The key never leaves this module: error
texts of the libraries, which quote URLs with the key, are not passed on. Source: P3; docs/terms.md.
"""

from __future__ import annotations

import json
import logging
import re
from typing import Any, Final

import googlemaps
import googlemaps.exceptions
import orjson
import requests

from mass_pipeline.discovery.ports import (
    Page,
    Place,
    PlacesBadRequest,
    PlacesClient,
    PlacesDenied,
    PlacesOverLimit,
    PlacesUnavailable,
)
from mass_pipeline.model.errors import FetchError
from mass_pipeline.resources.http import HttpClient

LEGACY_BASE_URL: Final = "https://maps.googleapis.com"
NEW_BASE_URL: Final = "https://places.googleapis.com"
_DETAIL_FIELDS: Final = ("website", "international_phone_number")
# Website and phone put the call in the most expensive class, but save the Details call.
FIELD_MASK: Final = ",".join(
    f"places.{name}"
    for name in (
        "id",
        "displayName",
        "formattedAddress",
        "types",
        "websiteUri",
        "internationalPhoneNumber",
        "businessStatus",
    )
)
_KEY_IN_URL: Final = re.compile(r"([?&](?:key|signature)=)[^&\s]+")
_DENIED_REMEDY: Final = "check the key, its restrictions, and that the API is enabled and billed in the Google Cloud project"


class GooglePlacesLegacy:
    """Text Search and Details of the legacy API; a `PlacesClient`."""

    def __init__(
        self,
        key: str,
        base_url: str = "",
        *,
        search_units: int = 10,
        details_units: int = 1,
        language: str = "pl",
        region: str = "pl",
        timeout_seconds: float = 20.0,
        queries_per_second: int = 10,
    ) -> None:
        """Args:
        key: API key, beginning with `AIza`.
        base_url: "" for Google's own; the demo profile gives its emulator.
        search_units, details_units: quota units of the two calls (P4).

        Raises:
            PlacesDenied: the key is missing or cannot be one.
        """
        self.search_units = search_units
        self.details_units = details_units
        self._language = language
        self._region = region
        session = requests.Session()
        session.trust_env = False  # no netrc, no proxy from the environment: the key goes to one host only
        # googlemaps asks again on 500, 503 and 504 by itself; raising here makes it one attempt.
        session.hooks["response"].append(_refuse_server_errors)
        logging.getLogger("urllib3.connectionpool").addFilter(_hide_key)
        try:
            self._client = googlemaps.Client(
                key=key,
                timeout=timeout_seconds,
                queries_per_second=queries_per_second,
                queries_per_minute=queries_per_second * 60,
                retry_over_query_limit=False,
                requests_session=session,
                requests_kwargs={"allow_redirects": False},
                base_url=base_url.rstrip("/") or LEGACY_BASE_URL,
            )
        except ValueError:
            raise PlacesDenied(
                "The Places key is missing or malformed (keys begin with AIza): set MASS_PIPELINE_PLACES_API_KEY."
            ) from None

    def search(self, query: str) -> tuple[Place, ...]:
        """Places for the words, best first; see `PlacesClient`."""
        body = self._ask("Text Search", self._client.places, query=query, language=self._language, region=self._region)
        return tuple(_legacy_place(item) for item in _items(body, "results"))

    def details(self, place: Place) -> Place:
        """The place with its web site and phone number; see `PlacesClient`."""
        body = self._ask("Details", self._client.place, place.place_id, fields=list(_DETAIL_FIELDS), language=self._language)
        found = body.get("result")
        result = found if isinstance(found, dict) else {}
        return Place(
            place.place_id,
            place.name,
            place.address,
            place.types,
            _word(result, "website") or None,
            _word(result, "international_phone_number") or None,
            place.is_closed,
        )

    def _ask(self, call: str, method: Any, *arguments: object, **options: object) -> dict[str, Any]:
        """One call with the library's errors named by what to do; `from None` because their texts may hold the key."""
        where = f"Places {call}"
        try:
            body = method(*arguments, **options)
        except googlemaps.exceptions.ApiError as error:
            raise _legacy_error(where, str(error.status), str(error.message or "")) from None
        except googlemaps.exceptions.HTTPError as error:
            raise _http_error(where, int(error.status_code)) from None
        except googlemaps.exceptions.Timeout:
            raise PlacesUnavailable(where, "time-out") from None
        except googlemaps.exceptions.TransportError as error:
            raise PlacesUnavailable(where, _transport_reason(error)) from None
        except (ValueError, KeyError, TypeError):
            raise PlacesUnavailable(where, "the answer is not the JSON that the API promises") from None
        if not isinstance(body, dict):
            raise PlacesUnavailable(where, "the answer is not a JSON object")
        return body


class GooglePlacesNew:
    """`places:searchText` of Places API (New) with a field mask; a `PlacesClient` that needs no Details call."""

    def __init__(
        self,
        key: str,
        http: HttpClient,
        base_url: str = "",
        *,
        search_units: int = 10,
        language: str = "pl",
        region: str = "pl",
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
        return tuple(_new_place(item) for item in _items(_json_object(page), "places"))

    def details(self, place: Place) -> Place:
        """The place itself: the search has told all."""
        return place


def _legacy_error(where: str, status: str, message: str) -> Exception:
    """By the status values of the legacy API's documentation."""
    reason = f"{status}: {_redact(message)[:200]}".rstrip(": ")
    if status == "OVER_QUERY_LIMIT" or status == "OVER_DAILY_LIMIT":
        return PlacesOverLimit(where, reason)
    if status == "REQUEST_DENIED":
        return PlacesDenied(f"{where}: {reason}; {_DENIED_REMEDY}.")
    if status in {"INVALID_REQUEST", "NOT_FOUND"}:
        return PlacesBadRequest(where, reason)
    return PlacesUnavailable(where, reason)


def _new_error(page: Page) -> Exception:
    """By the google.rpc status that Places API (New) sends with its HTTP status."""
    where = "Places searchText"
    try:
        error = _json_object(page).get("error")
    except PlacesUnavailable:
        error = None
    details = error if isinstance(error, dict) else {}
    reason = f"HTTP {page.status} {_word(details, 'status')}: {_redact(_word(details, 'message'))[:200]}".rstrip(": ")
    if page.status == 429:
        return PlacesOverLimit(where, reason)
    if page.status in {401, 403}:
        return PlacesDenied(f"{where}: {reason}; {_DENIED_REMEDY}.")
    if page.status == 400 and "API key" in reason:
        return PlacesDenied(f"{where}: {reason}; {_DENIED_REMEDY}.")
    if 400 <= page.status < 500:
        return PlacesBadRequest(where, reason)
    return PlacesUnavailable(where, reason)


def _http_error(where: str, status: int) -> Exception:
    if status in {401, 403}:
        return PlacesDenied(f"{where}: HTTP {status}; {_DENIED_REMEDY}.")
    if status == 429:
        return PlacesOverLimit(where, "HTTP 429")
    if 400 <= status < 500:
        return PlacesBadRequest(where, f"HTTP {status}")
    return PlacesUnavailable(where, f"HTTP {status}")


class _ServerError(Exception):
    """A 5xx answer, on its way through googlemaps, which wraps it in a TransportError."""

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(status)


def _refuse_server_errors(response: requests.Response, *_: object, **__: object) -> None:
    if response.status_code >= 500:
        raise _ServerError(response.status_code)


def _transport_reason(error: googlemaps.exceptions.TransportError) -> str:
    """The kind of failure only: the text of a requests error quotes the URL with the key."""
    base = error.base_exception
    return f"HTTP {base.status}" if isinstance(base, _ServerError) else type(base).__name__


def _hide_key(record: logging.LogRecord) -> bool:
    """urllib3 logs whole paths at debug level."""
    record.msg, record.args = _redact(record.getMessage()), ()
    return True


def _redact(text: str) -> str:
    return re.sub(r"AIza[\w-]+", "(key)", _KEY_IN_URL.sub(r"\1(hidden)", text))


def _json_object(page: Page) -> dict[str, Any]:
    try:
        body = json.loads(page.body)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise PlacesUnavailable("Places searchText", "the answer is not a JSON object")
    return body


def _items(body: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = body.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _word(item: dict[str, Any], name: str) -> str:
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _words(item: dict[str, Any], name: str) -> tuple[str, ...]:
    values = item.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()


def _legacy_place(item: dict[str, Any]) -> Place:
    closed = _word(item, "business_status") == "CLOSED_PERMANENTLY"
    return Place(
        _word(item, "place_id"), _word(item, "name"), _word(item, "formatted_address"), _words(item, "types"), is_closed=closed
    )


def _new_place(item: dict[str, Any]) -> Place:
    shown = item.get("displayName")
    return Place(
        _word(item, "id"),
        _word(shown, "text") if isinstance(shown, dict) else "",
        _word(item, "formattedAddress"),
        _words(item, "types"),
        _word(item, "websiteUri") or None,
        _word(item, "internationalPhoneNumber") or None,
        _word(item, "businessStatus") == "CLOSED_PERMANENTLY",
    )


__all__ = ("FIELD_MASK", "GooglePlacesLegacy", "GooglePlacesNew", "PlacesClient")
