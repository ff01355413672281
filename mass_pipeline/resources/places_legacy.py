"""The legacy Places API through the `googlemaps` client. New Google projects cannot enable it since March 2025.

The key never leaves this module: error texts of the libraries, which quote URLs with the key, are not passed on.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any, Final

import googlemaps
import googlemaps.exceptions
import requests

from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.gathering.ports import Place, PlacesBadRequest, PlacesDenied, PlacesOverLimit, PlacesUnavailable
from mass_pipeline.resources.places_new import DENIED_REMEDY, MALFORMED_KEY, error_of_status, items, redact, word, words

LEGACY_BASE_URL: Final = "https://maps.googleapis.com"
_DETAIL_FIELDS: Final = ("website", "international_phone_number")


class GooglePlacesLegacy:
    """Text Search and Details of the legacy API; a `PlacesClient`."""

    def __init__(
        self,
        config: PlacesConfig,
        base_url: str = "",
    ) -> None:
        """Args:
        config: key (it begins with `AIza`), quota units of the two calls (P4), language, limits.
        base_url: "" for Google's own; the demo profile gives its emulator.

        Raises:
            PlacesDenied: the key is missing or cannot be one.
        """
        self.search_units, self.details_units = config.search_units, config.details_units
        self._language, self._region = config.language, config.region
        try:
            self._client = googlemaps.Client(
                key=config.api_key,
                timeout=config.timeout_seconds,
                queries_per_second=config.queries_per_second,
                queries_per_minute=config.queries_per_second * 60,
                retry_over_query_limit=False,
                requests_session=_session(),
                requests_kwargs={"allow_redirects": False},
                base_url=base_url.rstrip("/") or LEGACY_BASE_URL,
            )
        except ValueError:
            raise PlacesDenied(MALFORMED_KEY) from None

    def search(self, query: str) -> tuple[Place, ...]:
        """Places for the words, best first; see `PlacesClient`."""
        body = self._ask("Text Search", self._client.places, query=query, language=self._language, region=self._region)
        return tuple(_legacy_place(item) for item in items(body, "results"))

    def details(self, place: Place) -> Place:
        """The place with its web site and phone number; see `PlacesClient`."""
        body = self._ask("Details", self._client.place, place.place_id, fields=list(_DETAIL_FIELDS), language=self._language)
        found = body.get("result")
        result = found if isinstance(found, dict) else {}
        website, phone = word(result, "website"), word(result, "international_phone_number")
        return replace(place, website=website or None, phone=phone or None)

    def _ask(self, call: str, method: Any, *arguments: object, **options: object) -> dict[str, Any]:
        """One call with the library's errors named by what to do; `from None` because their texts may hold the key."""
        where = f"Places {call}"
        try:
            body = method(*arguments, **options)
        except googlemaps.exceptions.ApiError as error:
            raise _legacy_error(where, str(error.status), str(error.message or "")) from None
        except googlemaps.exceptions.HTTPError as error:
            raise error_of_status(where, int(error.status_code)) from None
        except googlemaps.exceptions.Timeout:
            raise PlacesUnavailable(where, "time-out") from None
        except googlemaps.exceptions.TransportError as error:
            raise PlacesUnavailable(where, _transport_reason(error)) from None
        except (ValueError, KeyError, TypeError):
            raise PlacesUnavailable(where, "the answer is not the JSON that the API promises") from None
        if not isinstance(body, dict):
            raise PlacesUnavailable(where, "the answer is not a JSON object")
        return body


def _legacy_error(where: str, status: str, message: str) -> Exception:
    """By the status values of the legacy API's documentation."""
    reason = f"{status}: {redact(message)[:200]}".rstrip(": ")
    if status == "OVER_QUERY_LIMIT" or status == "OVER_DAILY_LIMIT":
        return PlacesOverLimit(where, reason)
    if status == "REQUEST_DENIED":
        return PlacesDenied(f"{where}: {reason}; {DENIED_REMEDY}.")
    if status in {"INVALID_REQUEST", "NOT_FOUND"}:
        return PlacesBadRequest(where, reason)
    return PlacesUnavailable(where, reason)


def _session() -> requests.Session:
    """A session of one attempt each, that sends the key to one host only and does not log it."""
    session = requests.Session()
    session.trust_env = False  # no netrc, no proxy from the environment
    # googlemaps asks again on 500, 503 and 504 by itself; raising here makes it one attempt.
    session.hooks["response"].append(_refuse_server_errors)
    logging.getLogger("urllib3.connectionpool").addFilter(_hide_key)
    return session


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
    record.msg, record.args = redact(record.getMessage()), ()
    return True


def _legacy_place(item: dict[str, Any]) -> Place:
    closed = word(item, "business_status") == "CLOSED_PERMANENTLY"
    return Place(
        word(item, "place_id"), word(item, "name"), word(item, "formatted_address"), words(item, "types"), is_closed=closed
    )
