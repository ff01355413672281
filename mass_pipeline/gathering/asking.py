"""Ask for directory pages and home pages; what came of it is named by what to do.

Belongs here: which errors a walk and a verification see. Not here: requests, retries, robots.txt, pauses
(`crawling.fetching.http_client`), what a page says (`deon`, `homes`).
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mass_pipeline.crawling.fetching.outcomes import REFUSING_STATUSES, TOO_LONG, Outcome, outcome_of_answer
from mass_pipeline.crawling.fetching.urls import BadUrl, canonicalize
from mass_pipeline.gathering.ports import Clock, FetchHome, HomePage, Page
from mass_pipeline.model.errors import FetchError, Forbidden, Gone, RetryLater

if TYPE_CHECKING:  # most runs ask nobody, and clients are heavy
    import httpx

    from mass_pipeline.crawling.fetching.http_client import RateLimitedClient

log = logging.getLogger(__name__)

_CLOSED: Final = frozenset({Outcome.FORBIDDEN_BY_ROBOTS, Outcome.BLOCKED_ADDRESS, Outcome.OUT_OF_SCOPE})
_BUSY: Final = frozenset(
    {Outcome.TIMEOUT, Outcome.HTTP_5XX, Outcome.DEFERRED, Outcome.REFUSED, Outcome.DNS_ERROR, Outcome.PROTOCOL_ERROR}
)


@dataclass(frozen=True, slots=True)
class FetchResult:
    """How one URL answered.

    Attributes:
        url: canonical URL that was asked for.
        outcome: `ok` and `truncated` have a page.
        reason: why, for people; "" when `ok`.
        final_url: the URL that answered, after redirects; None when none did.
        status: HTTP status, None without an answer.
        body: content encoding removed; empty without a page.
        tls_verified: False when the certificate failed and the page was read all the same.
    """

    url: str
    outcome: Outcome
    reason: str = ""
    final_url: str | None = None
    status: int | None = None
    content_type: str | None = None
    body: bytes = field(default=b"", repr=False)
    tls_verified: bool = True


class Directory:
    """Pages of directories and lists, whole and of any type.

    Args:
        client: `RateLimitedHttp.client("directory")`.
        attempts: requests of one URL that it makes before it gives up.
        now: the clock.
    """

    def __init__(self, client: RateLimitedClient, attempts: int, now: Clock) -> None:
        self._client = client
        self._given_up = f"given up after {attempts} attempt{'' if attempts == 1 else 's'}"
        self.now = now

    @property
    def counters(self) -> Mapping[str, int]:
        """See `RateLimitedClient.counters`."""
        return self._client.counters

    def get(self, url: str) -> Page:
        """The page at a URL, redirects followed, asked again while the server is out of order.

        Raises:
            Gone: 404 or 410. Forbidden: robots.txt, the gate or the server says no. RetryLater: no whole answer after all
            attempts. FetchError: anything else that asking again does not mend.
        """
        result = fetch(self._client, url)
        if result.outcome == Outcome.OK:
            return Page(result.final_url or url, 200, result.body, result.content_type, self.now())
        if result.outcome == Outcome.TRUNCATED:
            raise (FetchError if result.reason == TOO_LONG else RetryLater)(url, result.reason)
        failure = error_of(result)
        if isinstance(failure, RetryLater) and result.outcome != Outcome.DEFERRED:
            raise RetryLater(failure.url, f"{failure.reason}; {self._given_up}")
        raise failure


def home_reader(client: RateLimitedClient) -> FetchHome:
    """A reader of home pages for verification, shared by threads; what came of a page that was cut short is read.

    Args:
        client: `RateLimitedHttp.client()`.
    """
    from mass_pipeline.gathering.homes import parse_home  # what reads markup is heavy too

    def read(url: str) -> HomePage:
        result = fetch(client, url)
        if result.outcome not in (Outcome.OK, Outcome.TRUNCATED):
            raise error_of(result)
        try:
            return parse_home(result.final_url or url, result.body, result.content_type)
        except Exception as error:  # whatever a home page does, it ends at its address
            log.exception("home.unreadable", extra={"url": url})
            raise FetchError(url, f"the page cannot be read ({type(error).__name__})") from error

    return read


def fetch(client: httpx.Client, url: str) -> FetchResult:
    """How a URL answers, redirects followed; never raises for what a server does.

    Args:
        client: a `RateLimitedClient` for pages.
        url: as a person may have written it.
    """
    import httpx

    from mass_pipeline.crawling.fetching.http_client import RequestFailed

    try:
        start = canonicalize(url if "://" in url else "http://" + url)
        response = client.get(start)
    except (BadUrl, httpx.InvalidURL) as error:
        return FetchResult(url, Outcome.BAD_URL, str(error))
    except RequestFailed as error:
        return FetchResult(start, error.outcome, error.reason)
    except httpx.TooManyRedirects as error:
        return FetchResult(start, Outcome.TRAP, str(error))
    except httpx.HTTPError as error:
        return FetchResult(start, Outcome.PROTOCOL_ERROR, str(error))
    outcome, reason, body = outcome_of_answer(response.status_code), f"HTTP {response.status_code}", b""
    if outcome is Outcome.OK:
        reason, body = response.extensions["cut_short"], response.content
        outcome = Outcome.TRUNCATED if reason else Outcome.OK
    kind, answer = response.headers.get("content-type"), response.extensions
    return FetchResult(start, outcome, reason, answer["url"], response.status_code, kind, body, answer["tls_verified"])


def error_of(result: FetchResult) -> FetchError:
    """A fetch without a page as an error."""
    reason = result.reason or result.outcome
    if result.outcome in _CLOSED or result.status in REFUSING_STATUSES:
        return Forbidden(result.url, reason)
    if result.status in {404, 410}:
        return Gone(result.url, result.status)
    if result.outcome in _BUSY or result.status in {408, 425, 429}:
        return RetryLater(result.url, reason)
    return FetchError(result.url, reason)
