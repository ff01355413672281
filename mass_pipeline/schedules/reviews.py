"""Proposed standing orders, what people decided about them, and which order is therefore in force. Plain values.

The rule: an order that a person approved is never overwritten by what is read later. Whatever differs becomes a
proposal; the same proposal is made once, also after it was rejected.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal

import orjson

from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.rows import ScheduleRow

Origin = Literal["announcement", "exception", "crawl", "published", "withheld", "report", "leave_out"]
_BY_WORDS: Final = ("announcement", "exception")  # origins whose proposals are the same when their words are
_NO_ORDER: Final = ("exception", "leave_out")  # origins whose approval is none of a standing order
_SENDERS: Final = ("report ", "parish link ")  # what the words of proposals of people begin with
Verdict = Literal["approved", "rejected"]
_ID_LENGTH: Final = 12
_PLAIN: Final = ("parish_id", "origin", "says", "source_url", "quote", "page_sha256")  # as the log of reviews holds them


@dataclass(frozen=True, slots=True)
class Proposal:
    """A standing order, or a lasting change of one, that waits for a person.

    Attributes:
        parish_id: whose.
        origin: `announcement` (it says so), `exception` (a dated change whose reading is doubtful), `crawl` (the site
            differs from the approved order), `published` (the order as it stands, put up by a person), `withheld` (what was
            read and is not sure enough to be published, with what is), `report` (a visitor or the parish itself says that
            the order is not right), `leave_out` (the parish asks not to be published).
        says: the change in words of the reader, "" for whole orders.
        valid_from: first day, None when it holds already.
        rows: the whole proposed order with evidence, or the rows of a dated change; () when the announcement alone does
            not tell them.
        source_url, quote, page_sha256: the page that says so.
        doubts: what speaks against a dated change as it was read (reading.changes), or why an order is withheld.
    """

    parish_id: str
    origin: Origin
    says: str
    valid_from: date | None
    rows: tuple[ScheduleRow, ...]
    source_url: str
    quote: str
    page_sha256: str
    doubts: tuple[str, ...] = ()

    @property
    def proposal_id(self) -> str:
        """Derived from what is proposed, not from when or on which version of the page."""
        said = [sorted(_spoken(row.mass) for row in self.rows)] if self.rows and self.origin not in _BY_WORDS else [self.quote]
        parts = [self.parish_id, self.origin, self.says, str(self.valid_from), said]
        return hashlib.sha256(orjson.dumps(parts)).hexdigest()[:_ID_LENGTH]

    @property
    def sender(self) -> str:
        """Which report or link of a parish it comes of, "" where nobody outside sent it."""
        return self.says.partition(":")[0] if self.says.startswith(_SENDERS) else ""

    def is_over(self, today: date) -> bool:
        """Whether it is a dated change whose last day is past."""
        ends = [row.valid_to for row in self.rows if row.valid_to is not None] or [self.valid_from or today]
        return self.origin == "exception" and max(ends) < today


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided.

    Attributes:
        proposal: about what.
        verdict: approved or rejected.
        by: who; at: when (ISO moment with zone).
        rows: the approved order; () when rejected.
        replaces: the order that was published before.
    """

    proposal: Proposal
    verdict: Verdict
    by: str
    at: str
    rows: tuple[ScheduleRow, ...] = ()
    replaces: tuple[ScheduleRow, ...] = ()


@dataclass(frozen=True, slots=True)
class InForce:
    """Standing order to publish, and what is to be shown to a person.

    Attributes:
        rows: the order with its bounds; an order that begins later stands after the one it follows.
        differs: what the site says now, where it is neither the approved order nor one known before; else None.
        approved: whether a person approved it.
    """

    rows: tuple[ScheduleRow, ...]
    differs: Proposal | None
    approved: bool


def in_force(parish_id: str, read: Sequence[ScheduleRow], decisions: Iterable[Decision]) -> InForce:
    """The standing order of a parish, given what was read now and what people decided, oldest decision first."""
    approved = [one for one in _approved(parish_id, decisions) if is_of_order(one)]
    if not approved:
        return InForce(tuple(read), None, False)
    orders = _confirmed(_in_time(approved), read)
    known = [_spoken_order(one.rows) for one in approved] + [_spoken_order(one.replaces) for one in approved]
    differs = None
    if read and _spoken_order(read) not in known:
        best = read[0]
        differs = Proposal(parish_id, "crawl", "", None, tuple(read), best.source_url, best.quote, best.page_sha256)
    return InForce(orders, differs, True)


def withheld_order(
    parish_id: str, rows: Sequence[ScheduleRow], reasons: Sequence[str], decisions: Iterable[Decision]
) -> Proposal | None:
    """The proposal of an order that is not sure enough; None when there is none or a person approved an order already.

    Args:
        rows: the whole order, published rows included, so that who approves it approves all of it.
        reasons: why some of it is withheld.
    """
    if not rows or any(map(is_of_order, _approved(parish_id, decisions))):
        return None
    best = rows[0]
    return Proposal(parish_id, "withheld", "", None, tuple(rows), best.source_url, best.quote, best.page_sha256, tuple(reasons))


def approved_exceptions(parish_id: str, decisions: Iterable[Decision]) -> tuple[ScheduleRow, ...]:
    """Rows of dated changes that a person approved, oldest decision first."""
    return tuple(row for one in _approved(parish_id, decisions) if one.proposal.origin == "exception" for row in one.rows)


def is_of_order(decision: Decision) -> bool:
    """Whether it is about a standing order."""
    return decision.proposal.origin not in _NO_ORDER


def left_out(decisions: Iterable[Decision]) -> frozenset[str]:
    """Parishes that asked to be left out and were; an order that is approved later takes one in again."""
    last = {one.proposal.parish_id: one for one in decisions if one.verdict == "approved" and one.proposal.origin != "exception"}
    return frozenset(key for key, one in last.items() if one.proposal.origin == "leave_out")


def _approved(parish_id: str, decisions: Iterable[Decision]) -> list[Decision]:
    return [one for one in decisions if one.verdict == "approved" and one.proposal.parish_id == parish_id]


def _in_time(approved: Sequence[Decision]) -> tuple[ScheduleRow, ...]:
    """Approved orders one after the other: each ends on the eve of the next; the last decision about a day counts."""
    first = approved[0]
    orders: list[tuple[date | None, tuple[ScheduleRow, ...]]] = []
    if first.proposal.valid_from is not None:
        orders.append((None, first.replaces))
    for one in approved:
        begins = one.proposal.valid_from
        orders = [order for order in orders if begins is not None and (order[0] is None or order[0] < begins)]
        orders.append((begins, one.rows))
    rows: list[ScheduleRow] = []
    for (begins, order), following in zip(orders, [*orders[1:], None], strict=True):
        ends = following[0] - timedelta(1) if following is not None and following[0] is not None else None
        rows.extend(replace(row, valid_from=begins, valid_to=ends) for row in order)
    return tuple(rows)


def _confirmed(order: Iterable[ScheduleRow], read: Sequence[ScheduleRow]) -> tuple[ScheduleRow, ...]:
    """The rows, each with the moment at which the site last said the same on all of its days."""
    said: dict[str, datetime] = {}
    for row in read:
        for spoken in _spoken_order([row]):
            if row.checked_at is not None:
                said[spoken] = max(row.checked_at, said.get(spoken, row.checked_at))
    rows = []
    for row in order:
        moments = [said.get(spoken) for spoken in _spoken_order([row])]
        known = [moment for moment in moments if moment is not None]
        rows.append(replace(row, checked_at=min(known)) if known and len(known) == len(moments) else row)
    return tuple(rows)


def pending(proposals: Iterable[Proposal], decisions: Iterable[Decision]) -> list[Proposal]:
    """Proposals nobody decided about, each once, by parish and identifier."""
    decided = {one.proposal.proposal_id for one in decisions}
    waiting = {one.proposal_id: one for one in proposals if one.proposal_id not in decided}
    return sorted(waiting.values(), key=lambda one: (one.parish_id, str(one.valid_from), one.proposal_id))


def _spoken(mass: Mass) -> str:
    """What a Mass says to a churchgoer: remarks left out, so that a new remark proposes no new order."""
    return orjson.dumps([list(mass.days), mass.time, mass.when, mass.nth, mass.place]).decode()


def _spoken_order(rows: Iterable[ScheduleRow]) -> frozenset[str]:
    """An order taken apart by days, so that grouping does not matter."""
    return frozenset(
        _spoken(Mass((day,), row.mass.time, row.mass.season, row.mass.nth, row.mass.place, season_days=row.mass.season_days))
        for row in rows
        for day in row.mass.days
    )


def proposal_as_dict(proposal: Proposal) -> dict[str, Any]:
    """As the log of reviews holds it."""
    return {
        "proposal_id": proposal.proposal_id,
        **{name: getattr(proposal, name) for name in _PLAIN},
        "valid_from": proposal.valid_from,
        "rows": [row.as_logged(proposal.parish_id) for row in proposal.rows],
        **({"doubts": list(proposal.doubts)} if proposal.doubts else {}),
    }


def proposal_from_dict(data: Mapping[str, Any]) -> Proposal:
    """Back from the log."""
    plain = {name: data[name] for name in _PLAIN}
    rows, doubts = rows_from_dicts(data["rows"]), tuple(data.get("doubts", ()))
    return Proposal(**plain, valid_from=_date(data["valid_from"]), rows=rows, doubts=doubts)


def rows_from_dicts(rows: Iterable[Mapping[str, Any]]) -> tuple[ScheduleRow, ...]:
    """Rows of the log, where days and moments are ISO texts."""
    return tuple(
        ScheduleRow.from_dict(
            {
                **row,
                **{name: _date(row[name]) for name in ("valid_from", "valid_to")},
                **{name: _moment(row.get(name)) for name in ("fetched_at", "checked_at")},
            }
        )
        for row in rows
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _date(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
