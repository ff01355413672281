"""How a URL can end: the closed list, what each end means for trying again, and the errors by which a request ends. No I/O.

The list itself is `model.columns.OUTCOMES`; a test holds both together (importing the columns costs a start of pyarrow).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Outcome(StrEnum):
    """Exactly one of these is the end of every URL and of every site."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    REDIRECT = "redirect"
    FORBIDDEN_BY_ROBOTS = "forbidden_by_robots"
    BLOCKED_ADDRESS = "blocked_address"
    TOO_LARGE = "too_large"
    TRUNCATED = "truncated"
    NOT_TEXT = "not_text"
    TIMEOUT = "timeout"
    TLS_ERROR = "tls_error"
    PROTOCOL_ERROR = "protocol_error"
    HTTP_4XX = "http_4xx"
    HTTP_5XX = "http_5xx"
    DNS_ERROR = "dns_error"
    REFUSED = "refused"
    DEFERRED = "deferred"
    NOINDEX = "noindex"
    TRAP = "trap"
    DUPLICATE = "duplicate"
    OUT_OF_SCOPE = "out_of_scope"
    BAD_URL = "bad_url"
    GONE = "gone"
    NOT_NEEDED = "not_needed"
    ERROR = "error"
    PAUSED_DISK = "paused_disk"  # of sites alone: the run ended because the disk was full


# The closed list of what is worth another try (P2). A 4xx is an answer, not a failure: asking again would be rude.
RETRIED_OUTCOMES: Final = frozenset(
    {Outcome.TIMEOUT, Outcome.REFUSED, Outcome.DNS_ERROR, Outcome.PROTOCOL_ERROR, Outcome.HTTP_5XX}
)
RETRIED_STATUSES: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
BUSY_STATUSES: Final = frozenset({429, 503})  # RFC 6585 4, RFC 9110 15.6.4: the server asks for a pause
TOO_LONG: Final = "longer than the limit"  # why a page that our own limit cut is not whole
REFUSING_STATUSES: Final = frozenset({401, 403, 407, 451})  # hazards P13: respected, never tried with other headers

# Ends that a finished crawl does not keep: the next run tries the URL again.
TEMPORARY: Final = frozenset({*RETRIED_OUTCOMES, Outcome.DEFERRED, Outcome.ERROR, Outcome.TLS_ERROR})

# Ends without a word from the host: of all sites at once they are the fault of this machine's network or resolver.
UNANSWERED: Final = frozenset({Outcome.TIMEOUT, Outcome.REFUSED, Outcome.DNS_ERROR, Outcome.BLOCKED_ADDRESS})

# Answers by which a page that was known is no more what it was; the parish may have erred, so it is asked again soon.
LOST: Final = frozenset({Outcome.GONE, Outcome.REDIRECT, Outcome.HTTP_4XX, Outcome.NOT_TEXT, Outcome.TOO_LARGE})


def outcome_of_answer(status: int) -> Outcome:
    """Outcome of an answer by its status; a page comes with 200 alone.

    >>> outcome_of_answer(404), outcome_of_answer(403), outcome_of_answer(204)
    (<Outcome.HTTP_4XX: 'http_4xx'>, <Outcome.REFUSED: 'refused'>, <Outcome.PROTOCOL_ERROR: 'protocol_error'>)
    """
    if status in REFUSING_STATUSES:
        return Outcome.REFUSED
    if 500 <= status <= 599:
        return Outcome.HTTP_5XX
    if 400 <= status <= 499:
        return Outcome.HTTP_4XX
    if 300 <= status <= 399:
        return Outcome.REDIRECT
    return Outcome.OK if status == 200 else Outcome.PROTOCOL_ERROR


class Failure(Exception):
    """A URL gave no answer that can be used; the message is the reason.

    Attributes:
        outcome: how the URL ends unless it is tried again.
        retriable: whether another try may help.
        host_is_dead: whether the whole host is done for this run.
        is_final: asking again, even days later, is pointless or rude.
        url: that ended so, after redirects; "" where the caller knows it.
    """

    def __init__(
        self, outcome: Outcome, reason: str, *, retriable: bool = False, host_is_dead: bool = False, is_final: bool = False,
        url: str = "",
    ) -> None:  # fmt: skip
        self.outcome, self.reason = outcome, reason
        self.retriable, self.host_is_dead, self.is_final = retriable, host_is_dead, is_final
        self.url = url
        super().__init__(f"{outcome}: {reason}")


class LeasedElsewhere(Exception):
    """Another run is asking this host or its address: nothing was sent; try again after whatever else there is to do."""

    def __init__(self, name: str, trouble: str = "") -> None:
        self.name = name
        self.reason = trouble or f"{name} is being asked by another run"
        super().__init__(self.reason)
