"""How a request ends without an answer that can be used: the errors the downloader raises, for whoever asked."""

from __future__ import annotations

from mass_pipeline.crawling.fetching.outcomes import Outcome


class Failure(Exception):
    """A URL gave no answer that can be used; the message is the reason.

    Attributes:
        outcome: how the URL ends unless it is tried again.
        retriable: whether another try may help.
        host_is_dead: whether the whole host is done for this run.
    """

    def __init__(self, outcome: Outcome, reason: str, *, retriable: bool = False, host_is_dead: bool = False) -> None:
        self.outcome = outcome
        self.reason = reason
        self.retriable = retriable
        self.host_is_dead = host_is_dead
        super().__init__(f"{outcome}: {reason}")


class LeasedElsewhere(Exception):
    """Another run is asking this host or its address: nothing was sent; try again after whatever else there is to do."""

    def __init__(self, name: str, trouble: str = "") -> None:
        self.name = name
        self.reason = trouble or f"{name} is being asked by another run"
        super().__init__(self.reason)
