"""Settle the inbox of the public site: what visitors and parishes said, on its way to a person, or dropped when it is spent.

The order a parish was shown and confirmed is approved at once, for its link proves that it is the parish; everything else waits
for a person. Words of senders stay in the inbox and go with it: no log of reviews holds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from mass_pipeline.finding import inbox, parish_links
from mass_pipeline.finding.corrections import BadField, Given, dated, in_order, read_hours, read_order
from mass_pipeline.finding.inbox import Report
from mass_pipeline.finding.parish_links import ParishAnswer
from mass_pipeline.finding.reports import outcome, proposal_of, sender_of, state_of
from mass_pipeline.model.identifiers import content_id
from mass_pipeline.publishing.published import Published
from mass_pipeline.schedules.reviews import Decision, Proposal, Verdict
from mass_pipeline.schedules.rows import ScheduleRow

KEPT: Final = timedelta(60)  # a settled report, with its words and its page; a parish's answer
LONGEST_KEPT: Final = timedelta(365)  # whatever became of it
_SETTLED: Final = ("changed", "declined")
_READ_AGAIN: Final = "the page, read again"  # decides that a proposal is not needed any more


@dataclass(frozen=True, slots=True)
class Settled:
    """What an import did.

    Attributes:
        reports: how many the inbox holds. to_read: parishes whose pages are to be read again.
        proposed: new proposals. confirmed: parishes that confirmed their order. dropped: reports that were spent.
    """

    reports: int
    to_read: tuple[str, ...]
    proposed: int
    confirmed: tuple[str, ...]
    dropped: int


def settle(published: Published) -> Settled:
    """Take in what was sent since the last time.

    Raises:
        StorageError: the inbox or the log cannot be written.
    """
    folder, now = published.inbox, datetime.fromisoformat(published.now()).astimezone(UTC)
    reports, answers = list(inbox.read_reports(folder)), list(parish_links.read_answers(folder))
    if not reports and not answers:
        return Settled(0, (), 0, (), 0)
    orders = published.orders_of({one.parish_id for one in reports} | {one.parish_id for one in answers})
    reviews = published.log.read()
    known = {one.sender for one in reviews.proposals} | {one.proposal.sender for one in reviews.decisions}
    verdicts: dict[str, Verdict] = {one.proposal.sender: one.verdict for one in reviews.decisions if one.by != _READ_AGAIN}
    states: dict[str, str] = {}
    proposals: list[Proposal] = []
    for report in reports:
        rows = orders[report.parish_id]
        now_said = outcome(report, rows)
        made = proposal_of(report, rows, _given(published, report.parish_id, rows, report.report_id, report.sent_at, "report"))
        is_new = sender_of(report) not in known and (bool(made.rows) or now_said == "same") and now_said != "changed"
        proposals += [made] if is_new else []
        is_proposed = is_new or sender_of(report) in known
        states[report.report_id] = state_of(now_said, verdicts.get(sender_of(report)), is_proposed)
    _withdraw(published, {f"report {key}" for key, state in states.items() if state == "changed"} - verdicts.keys())
    confirmed = []
    for answer in answers:
        order = tuple(row for row in orders[answer.parish_id] if row.exception is None)
        sender = _sender(answer)
        states[answer.digest] = state_of("received", verdicts.get(sender), is_proposed=True)
        if sender in known:
            continue
        if answer.says == "in_force" and order and answer.order == parish_links.order_digest(answer.parish_id, order):
            _confirm(published, answer, order)
            states[answer.digest] = "waits" if answer.hours else "changed"
            confirmed.append(answer.parish_id)
        proposals += _proposals_of(published, answer, order, is_confirmed=answer.parish_id in confirmed)
    proposed = published.log.propose(proposals)
    inbox.write_states(folder, states)
    return Settled(
        len(reports),
        tuple(sorted({one.parish_id for one in reports if states[one.report_id] in ("received", "waits")})),
        proposed,
        tuple(confirmed),
        _drop(published, reports, states, now),
    )


def words_of_senders(published: Published) -> dict[str, str]:
    """What the senders of proposals wrote, by `Proposal.sender`; for people who decide, never published."""
    found = {sender_of(one): _words(one) for one in inbox.read_reports(published.inbox)}
    return found | {_sender(one): one.text for one in parish_links.read_answers(published.inbox)}


def _words(report: Report) -> str:
    said = " ".join(word for word in (report.time, report.days, report.day) if word)
    return "; ".join(word for word in (said, report.text) if word)


def _sender(answer: ParishAnswer) -> str:
    return f"parish link {answer.digest[:12]}"


def _given(published: Published, parish_id: str, rows: Sequence[ScheduleRow], key: str, sent_at: str, sender: str) -> Given:
    sent = datetime.fromisoformat(sent_at).astimezone(UTC)
    said = {"report": "zgłoszenie z {day}, sprawdzone przez człowieka", "parish": "odpowiedź parafii z {day}"}[sender]
    quote = said.format(day=f"{sent:%d.%m.%Y}")
    page = next(iter(rows), None)
    if page is not None:
        return Given(page.source_url, page.page_sha256, quote, sent)
    return Given(published.address_of(parish_id), content_id(key), quote, sent)


def _confirm(published: Published, answer: ParishAnswer, rows: tuple[ScheduleRow, ...]) -> None:
    """The order as the parish says: it was confirmed when it answered."""
    at = datetime.fromisoformat(answer.sent_at).astimezone(UTC)
    confirmed = tuple(replace(row, checked_at=max(row.checked_at or at, at)) for row in rows)
    first, says = rows[0], f"{_sender(answer)}: {answer.says}"
    proposal = Proposal(answer.parish_id, "published", says, None, rows, first.source_url, first.quote, first.page_sha256)
    published.log.decide(Decision(proposal, "approved", "parish link", answer.sent_at, confirmed, rows))


def _proposals_of(
    published: Published, answer: ParishAnswer, rows: tuple[ScheduleRow, ...], is_confirmed: bool
) -> Iterator[Proposal]:
    """What waits for a person of a parish's answer: its whole order, and the hours of some dates."""
    given = _given(published, answer.parish_id, rows, answer.digest, answer.sent_at, "parish")
    says = f"{_sender(answer)}: {answer.says}"
    order = in_order(given.row(mass) for mass in read_order(answer.text))
    if answer.says == "leave_out":
        yield Proposal(answer.parish_id, "leave_out", says, None, (), given.source_url, given.quote, given.page_sha256)
    elif answer.text or (answer.says == "in_force" and not is_confirmed):  # confirmed was another order than that of today
        yield Proposal(answer.parish_id, "report", says, None, order, given.source_url, given.quote, given.page_sha256)
    try:
        days = dated({date.fromisoformat(day): read_hours(hours) for day, hours in answer.hours.items()}, given)
    except (BadField, ValueError):
        return
    if days:
        first = min(row.valid_from for row in days if row.valid_from is not None)
        says = f"{_sender(answer)}: dates"
        yield Proposal(answer.parish_id, "exception", says, first, days, given.source_url, given.quote, given.page_sha256)


def _withdraw(published: Published, senders: set[str]) -> None:
    """Proposals that wait while the page itself says otherwise now need nobody."""
    reviews = published.log.read()
    decided = {one.proposal.proposal_id for one in reviews.decisions}
    for one in reviews.proposals:
        if one.sender in senders and one.proposal_id not in decided:
            published.log.decide(Decision(one, "rejected", _READ_AGAIN, published.now()))


def _drop(published: Published, reports: Sequence[Report], states: Mapping[str, str], now: datetime) -> int:
    def is_spent(one: Report) -> bool:
        age = now - datetime.fromisoformat(one.sent_at)
        return age > LONGEST_KEPT or (age > KEPT and states.get(one.report_id) in _SETTLED)

    gone = {one.report_id for one in reports if is_spent(one)}
    if gone:
        inbox.drop_reports(published.inbox, gone)
    parish_links.drop_answers(published.inbox, now - KEPT)
    return len(gone)
