"""What discovery needs from the outside, as protocols: a page fetcher, a home page reader, a Places client, a clock.

The adapters live in `resources` (HTTP, Places) and in the crawler (home pages). No network here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from mass_pipeline.model.errors import ConfigurationError, FetchError

Clock = Callable[[], datetime]  # aware UTC


@dataclass(frozen=True, slots=True)
class Page:
    """An answer of a directory or API.

    Attributes:
        url: URL that answered, after redirects.
        status: HTTP status.
        body: content encoding removed.
        content_type: header as sent, None when absent.
        fetched_at: when the answer was complete, aware UTC.
    """

    url: str
    status: int
    body: bytes
    content_type: str | None
    fetched_at: datetime


Fetch = Callable[[str], Page]  # raises FetchError when there is no usable answer after all retries


@dataclass(frozen=True, slots=True)
class HomePage:
    """What verification sees of a candidate's home page.

    Attributes:
        url: URL that answered, after redirects.
        text: visible text, title included.
        title: the title alone, "" when none.
        contact_urls: pages of the same host where address and phone usually stand, likeliest first.
    """

    url: str
    text: str
    title: str = ""
    contact_urls: tuple[str, ...] = ()


FetchHome = Callable[[str], HomePage]  # raises FetchError


@dataclass(frozen=True, slots=True)
class Place:
    """What Places tells about one place. Only `place_id` may be kept without limit (docs/terms.md).

    Attributes:
        place_id: identifier of the place.
        name: display name.
        address: formatted address.
        types: Places types, for example `church`, `cemetery`.
        website: web site, None when unknown or not asked for.
        phone: phone number as written, None when unknown.
        is_closed: whether the place is reported as permanently closed.
    """

    place_id: str
    name: str
    address: str
    types: tuple[str, ...] = ()
    website: str | None = None
    phone: str | None = None
    is_closed: bool = False


class PlacesClient(Protocol):
    """Text search and details of one Places API.

    Attributes:
        search_units: quota units of one search.
        details_units: quota units of one details call; 0 when the search answers everything at once.
    """

    search_units: int
    details_units: int

    def search(self, query: str) -> tuple[Place, ...]:
        """Places for the words, best first; empty when there are none.

        Raises:
            PlacesDenied, PlacesOverLimit, PlacesBadRequest, PlacesUnavailable
        """

    def details(self, place: Place) -> Place:
        """The place with web site and phone filled in; the place itself when the search gave all.

        Raises:
            PlacesDenied, PlacesOverLimit, PlacesBadRequest, PlacesUnavailable
        """


class PlacesDenied(ConfigurationError):
    """The key is refused or the API is not enabled: nothing more can be asked in this run."""


class PlacesOverLimit(FetchError):
    """Google counts more than it allows: the run stops asking, the rest stays pending."""


class PlacesBadRequest(FetchError):
    """This one request is malformed; other requests may go on."""


class PlacesUnavailable(FetchError):
    """No usable answer (5xx, time-out, broken JSON); whether it was billed is unknown."""
