"""The operator's inbox of the annotation app, over the log of reviews and what is published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mass_pipeline.annotation.web.desk import Card, Verdict
from mass_pipeline.publishing import deciding
from mass_pipeline.publishing.deciding import ORIGINS, Waiting
from mass_pipeline.publishing.inbox import settle
from mass_pipeline.publishing.published import Published
from mass_pipeline.schedules.rows import ScheduleRow

_DATED: Final = {"only": "all Masses", "added": "in addition", "cancelled": "not"}


class PublishedDesk:
    """Proposals of one data folder.

    Args:
        published: its tables, log and inbox.
    """

    def __init__(self, published: Published) -> None:
        self._published = published

    def waiting(self) -> Sequence[Card]:
        """See `ProposalDesk`; what was sent since the last time is taken in first."""
        settle(self._published)
        return [_card(one) for one in deciding.waiting(self._published)]

    def decide(self, proposal_id: str, verdict: Verdict, by: str, order: str) -> None:
        """See `ProposalDesk`."""
        if verdict == "approve":
            deciding.approve(self._published, proposal_id, by, order)
        else:
            deciding.reject(self._published, proposal_id, by)


def _card(one: Waiting) -> Card:
    proposal = one.proposal
    begins = f", from {proposal.valid_from}" if proposal.valid_from else ""
    says = f" ({proposal.says})" if proposal.says else ""
    why = "the parish says so" if proposal.sender.startswith("parish link") else ORIGINS[proposal.origin]
    before = () if proposal.origin == "exception" else one.before
    return Card(
        proposal.proposal_id,
        one.label,
        f"{why}{begins}{says}",
        one.words,
        proposal.quote,
        proposal.source_url,
        tuple(_lines(before)),
        tuple(_lines(proposal.rows)),
        one.needs_order,
        proposal.doubts,
    )


def _lines(rows: Iterable[ScheduleRow]) -> Iterable[str]:
    """A line for each row of a standing order, and one for each date and what is done on it."""
    dated: dict[str, list[str]] = {}
    for row in rows:
        mass = row.mass
        season = mass.when if mass.when != "all" else ""
        said = ", ".join(word for word in (season, mass.place, mass.note) if word)
        hour = f"{mass.time} ({said})" if said else mass.time
        if row.exception is None:
            yield f"{' '.join(mass.days)} {hour}"
        else:
            until = f" to {row.valid_to}" if row.valid_to != row.valid_from else ""
            dated.setdefault(f"{row.valid_from}{until}, {_DATED[row.exception]}", []).append(hour)
    yield from (f"{day}: {', '.join(hours)}" for day, hours in dated.items())
