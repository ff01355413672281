"""The one tree of errors, named by what the caller should do. No logging here.

Every message names the thing that failed and the remedy; data travel in attributes.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Final

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})  # of an OSError: the disk is full


class MassPipelineError(Exception):
    """Base of every error this project raises on purpose.

    Attributes:
        may_pass: whether the same again, later, may succeed.
    """

    may_pass: ClassVar[bool] = False


class UsageError(MassPipelineError):
    """The operator asked for something that cannot be: a wrong option, path or setting (exit code 2)."""


class ConfigurationError(UsageError):
    """A setting is missing, malformed or contradicts another."""


class BadInput(MassPipelineError):
    """A file or record cannot be read as what it should be; earlier good data stay untouched."""


class PromiseBroken(MassPipelineError):
    """Rows that do not hold what their table promises: they were not published."""


class LayoutChanged(BadInput):
    """A source no longer looks as its reader expects (the canary of a directory failed)."""

    def __init__(self, source: str, expectation: str, found: str) -> None:
        self.source = source
        self.expectation = expectation
        self.found = found
        super().__init__(
            f"{source}: expected {expectation}, found {found}. The layout has probably changed: compare the page with the "
            "selectors in the settings; the previous table is kept."
        )


class FetchError(MassPipelineError):
    """A request did not give a usable answer."""

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        self.reason = reason
        super().__init__(f"{url}: {reason}")


class RetryLater(FetchError):
    """The server is busy or out of order; asking again not before the given moment may succeed."""

    may_pass = True

    def __init__(self, url: str, reason: str, not_before: datetime | None = None) -> None:
        self.not_before = not_before
        super().__init__(url, reason)


class Forbidden(FetchError):
    """We must not ask for this: robots.txt, scope or the address gate says no."""


class Gone(FetchError):
    """The server says that nothing is there (404, 410)."""

    def __init__(self, url: str, status: int) -> None:
        self.status = status
        super().__init__(url, f"HTTP {status}")


class QuotaExhausted(MassPipelineError):
    """The paid look-ups allowed for now are spent; the rest stays pending."""


class StorageError(MassPipelineError):
    """A table or state file cannot be written or read; nothing was replaced."""


class StorageAway(StorageError):
    """A service that keeps state does not answer now; what it kept is untouched, and trying again later may succeed."""

    may_pass = True


class NetworkAway(MassPipelineError):
    """No host answers this machine; trying again later may succeed."""

    may_pass = True


class DiskFull(StorageError):
    """No room for what was to be written: free space and go on; everything acknowledged is kept."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, as a question behind an error; "" when none is near.

    >>> nearest("warszawa", ["lodzka", "warszawska"])
    ' Did you mean warszawska?'
    """
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1)
    return f" Did you mean {close[0]}?" if close else ""
