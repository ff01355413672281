"""The operator's inbox of the annotation app, over the log of reviews and what is published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mass_pipeline.annotation.web.proposals import Card, Verdict
from mass_pipeline.publishing import deciding
from mass_pipeline.publishing.deciding import ORIGINS, Waiting
from mass_pipeline.publishing.inbox import settle
from mass_pipeline.publishing.published import Published
from mass_pipeline.schedules.rows import ScheduleRow


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
    before = () if proposal.origin == "exception" else one.before
    return Card(
        proposal.proposal_id,
        one.label,
        f"{ORIGINS[proposal.origin]}{begins}{says}",
        one.words,
        proposal.quote,
        proposal.source_url,
        tuple(_lines(before)),
        tuple(_lines(proposal.rows)),
        one.needs_order,
        proposal.doubts,
    )


def _lines(rows: Iterable[ScheduleRow]) -> Iterable[str]:
    for row in rows:
        mass = row.mass
        season = mass.season if mass.season != "all" else ""
        day = f"{row.exception} {row.valid_from}" if row.exception else ""
        said = ", ".join(word for word in (season, mass.place, mass.note) if word)
        yield " ".join(word for word in (day or " ".join(mass.days), mass.time, f"({said})" if said else "") if word)
