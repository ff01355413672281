"""How often things may be done in the app, in memory alone: no address reaches a disk (hazards W6, W7)."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.web_common.limits import SlidingWindow


@dataclass(frozen=True, slots=True)
class Limits:
    """One window for each thing that can be done too often; moments are seconds of a clock that is never set."""

    votes: SlidingWindow
    prefix_votes: SlidingWindow
    prefix_pages: SlidingWindow
    prefix_voters: SlidingWindow
    logins: SlidingWindow

    @classmethod
    def of(cls, config: AnnotationConfig) -> Limits:
        """The limits of the settings."""
        return cls(
            votes=SlidingWindow(config.votes_per_minute, 60.0),
            prefix_votes=SlidingWindow(config.prefix_votes_per_minute, 60.0),
            prefix_pages=SlidingWindow(config.prefix_pages_per_minute, 60.0),
            prefix_voters=SlidingWindow(config.prefix_voters_per_hour, 3600.0),
            logins=SlidingWindow(config.logins_per_minute, 60.0),
        )

    def take_votes(self, voter_id: str, prefix: str, now: float, count: int) -> int | None:
        """Count answers of a voter and its network; the seconds to wait when one of both has answered too often."""
        return self.votes.take(voter_id, now, count) or self.prefix_votes.take(prefix, now, count)
