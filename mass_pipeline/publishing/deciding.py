"""Decide about proposals: what an operator approves or rejects, at the command line or with one tap in the desk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mass_pipeline.finding.corrections import read_order
from mass_pipeline.model.errors import UsageError
from mass_pipeline.publishing.published import Published
from mass_pipeline.schedules.reviews import Decision, Proposal, pending
from mass_pipeline.schedules.rows import ScheduleRow

ORIGINS = {
    "announcement": "an announcement says so",
    "exception": "for some days",
    "crawl": "the site differs from what was approved",
    "published": "put up by a person",
    "withheld": "read, but not surely enough",
    "report": "a report says so",
    "leave_out": "the parish asks to be left out",
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A proposal with what a person needs to decide about it.

    Attributes:
        label: town and name of the parish, its identifier when the directory has it no longer.
        before: the order published now; () for what changes no order.
        words: what its sender wrote, for people only; "" for none.
    """

    proposal: Proposal
    label: str
    before: tuple[ScheduleRow, ...]
    words: str

    @property
    def needs_order(self) -> bool:
        """Whether it can only be approved with an order in words."""
        return not self.proposal.rows and self.proposal.origin != "leave_out"


def waiting(published: Published) -> list[Waiting]:
    """Every proposal that nobody decided about and that is not over, those of people first."""
    from mass_pipeline.publishing.inbox import words_of_senders

    reviews, today = published.log.read(), published.today()
    found = [one for one in pending(reviews.proposals, reviews.decisions) if not one.is_over(today)]
    parishes = {one.parish_id: one for one in published.parishes()} if found else {}
    words = words_of_senders(published)
    rows = published.rows_of({parishes[one.parish_id].diocese_key for one in found if one.parish_id in parishes})
    made = [
        Waiting(
            one,
            parishes[one.parish_id].label if one.parish_id in parishes else one.parish_id,
            tuple(row for row in rows.get(one.parish_id, ()) if row.exception is None),
            words.get(one.sender, ""),
        )
        for one in found
    ]
    return sorted(made, key=lambda one: (not one.proposal.sender, one.label, str(one.proposal.valid_from)))


def approve(published: Published, proposal_id: str, by: str, order: str = "") -> str:
    """Make a proposal the standing order, publish a dated change, or leave a parish out; returns the parish's label.

    Args:
        order: the whole order in words, where the proposal has none.

    Raises:
        UsageError: none of that identifier waits; it cannot be approved so; the order cannot be read.
    """
    proposal = published.pending(proposal_id)
    if proposal.origin == "exception" and (order or not proposal.rows):
        raise UsageError(f"{proposal_id} is a dated change: approve it as it was read, or reject it.")
    rows = _in_words(proposal, order) if order else proposal.rows
    if not rows and proposal.origin != "leave_out":
        raise UsageError(f"The announcement of {proposal_id} does not tell the whole order: give it with --order (see --help).")
    parish = published.parish(proposal.parish_id)
    replaced = tuple(row for row in published.rows(parish) if row.exception is None)
    published.log.decide(Decision(proposal, "approved", by, published.now(), rows, replaced))
    return parish.label


def reject(published: Published, proposal_id: str, by: str) -> None:
    """Reject a proposal; the same one is not made again.

    Raises:
        UsageError: none of that identifier waits.
    """
    published.log.decide(Decision(published.pending(proposal_id), "rejected", by, published.now()))


def confirm(published: Published, words: str, by: str) -> tuple[str, int]:
    """Approve the published standing order of a parish as it is; returns its label and the number of rows.

    Args:
        words: as of `Published.parish`.

    Raises:
        UsageError: no parish or several fit, or no standing order of it is published.
    """
    parish = published.parish(words)
    rows = tuple(row for row in published.rows(parish) if row.exception is None)
    if not rows:
        raise UsageError(f"{parish.label}: no standing order is published that could be confirmed.")
    best = rows[0]
    proposal = Proposal(parish.parish_id, "published", "", None, rows, best.source_url, best.quote, best.page_sha256)
    published.log.propose([proposal])
    published.log.decide(Decision(proposal, "approved", by, published.now(), rows, rows))
    return parish.label, len(rows)


def _in_words(proposal: Proposal, order: str) -> tuple[ScheduleRow, ...]:
    """The order a person wrote, read by the grammar; its evidence is the page of the proposal."""
    masses = read_order(order)
    if not masses:
        raise UsageError(
            f"No Masses can be read in {order!r}; write as parishes do: Niedziele: 8.00, 10.00; dni powszednie: 18.00."
        )
    blank = ScheduleRow(masses[0], proposal.source_url, proposal.quote, proposal.page_sha256, None)
    return tuple(replace(blank, mass=mass) for mass in masses)
