"""The quota ledger: units are reserved before a call, settled after it, and never overspent. Source: P4.

A reservation is a row on the disk before the request leaves. A call whose outcome is unknown (a crash, a time-out) counts as
spent. Two processes share the file: the sum and the new row are one transaction. What was answered is kept beside it
(`answers`), in the transaction that settles the call, so that no answered question is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

import sqlalchemy as sa

from mass_pipeline.gathering.decisions import store_answer
from mass_pipeline.gathering.ports import Place
from mass_pipeline.gathering.state import ANSWERS, CALLS, SPENT, DiscoveryState
from mass_pipeline.model.errors import MassPipelineError, QuotaExhausted

Check = Callable[[sa.Connection], bool]
Outcome = Literal["answered", "failed"]
Stopwatch = Callable[[], tuple[str, float]]  # (name of this boot, seconds since then): immune to a clock that is set
# Google counts a call when it arrives, we when we reserve; a call waits at most for its time-out in between.
_MARGIN: Final = timedelta(minutes=5)


class ClaimedElsewhere(MassPipelineError):
    """Another process has just been answered the same question; its decision will be there in a moment."""


class BeingAsked(ClaimedElsewhere):
    """Another process is asking the same question, or was killed while it asked: its answer or the end of its lease is near."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """Units set aside for one call."""

    call_id: int
    question: str
    units: int
    bucket: int


@dataclass(frozen=True, slots=True)
class LedgerState:
    """What the operator wants to see: the limit, what is spent of it, and when units come free again.

    Attributes:
        limit: units per window.
        spent: units of the window, open reservations included.
        open_calls: reservations without a known outcome.
        next_release: when the oldest units of the window come free, None when nothing is spent.
    """

    limit: int
    spent: int
    open_calls: int
    next_release: datetime | None

    @property
    def left(self) -> int:
        """Units that may still be spent now."""
        return max(0, self.limit - self.spent)


class QuotaLedger:
    """Reserves and settles units in one state file."""

    def __init__(
        self,
        state: DiscoveryState,
        *,
        limit_units: int,
        window: timedelta = timedelta(hours=24),
        lease: timedelta = timedelta(minutes=5),
        content_lifetime: timedelta = timedelta(days=1),
        stopwatch: Stopwatch | None = None,
    ) -> None:
        """Args:
        state: the database file.
        limit_units: most units in any window; 0 forbids every call.
        window: length of the rolling window.
        lease: how long an open reservation keeps others from asking the same question.
        content_lifetime: how long Places content of an answer may be kept (`answers`).
        stopwatch: guards against a clock that is set forward; None trusts the clock.
        """
        self.state = state
        self.limit_units = limit_units
        self._window = window + _MARGIN
        self._lease = lease
        self._content_lifetime = content_lifetime
        self._stopwatch = stopwatch if stopwatch is not None and not state.has_own_clock else (lambda: ("", 0.0))

    def reserve(self, question: str, units: int, called: datetime, is_settled: Check | None = None) -> Reservation:
        """Set units aside for one call; on the disk when this returns.

        Args:
            question: key of the call's answer.
            units: what it costs.
            called: aware UTC; a store with a clock of its own goes by that.
            is_settled: looked at in the same transaction; true when another process has made the call needless meanwhile.

        Raises:
            QuotaExhausted: the window has not that many units left.
            BeingAsked: another process asks the same question, and its lease is not over.
            ClaimedElsewhere: another process has been answered within the lease, or `is_settled`.
        """
        boot, uptime = self._stopwatch()

        with self.state.transaction() as connection:
            now = self.state.now(connection, called)
            if is_settled is not None and is_settled(connection):
                raise ClaimedElsewhere(f"{question!r} was settled by another process.")
            self._refuse_claimed(connection, question, now)
            spent = self._spent(connection, now, boot, uptime)
            if spent + units > self.limit_units:
                raise QuotaExhausted(
                    f"Places: {spent} of {self.limit_units} units are spent in the last {self._window - _MARGIN}; "
                    f"{units} more would exceed the limit. The rest stays pending and goes on when units come free."
                )
            bucket = _add_to_bucket(connection, units, now, boot, uptime)
            call = {"question": question, "units": units, "reserved_at": now.timestamp(), "outcome": "open", "bucket": bucket}
            call_id = connection.execute(sa.insert(CALLS).values(call).returning(CALLS.c.call_id)).scalar_one()
        return Reservation(call_id, question, units, bucket)

    def settle(self, reservation: Reservation, outcome: Outcome, called: datetime, places: Sequence[Place] | None = None) -> None:
        """Record how a call ended, and its answer, in one transaction.

        Args:
            outcome: `answered` (with places, perhaps none), or `failed`, which counts as spent.
            places: the answer; only with `answered`.
        """
        with self.state.transaction() as connection:
            now = self.state.now(connection, called)
            call = sa.update(CALLS).where(CALLS.c.call_id == reservation.call_id)
            connection.execute(call.values(outcome=outcome, settled_at=now.timestamp()))
            if outcome == "answered":
                store_answer(connection, reservation.question, places or (), now, now + self._content_lifetime)

    def _refuse_claimed(self, connection: sa.Connection, question: str, now: datetime) -> None:
        """Somebody is asking this, or has just asked it: looking and reserving are one step, or two processes ask both. A call
        whose lease is over was lost with its process; its units stay spent."""
        moment, since = now.timestamp(), (now - self._lease).timestamp()
        until = (now + self._lease).timestamp()  # who waited for the file may see a call reserved after its own `now`
        is_open = (CALLS.c.question == question) & (CALLS.c.outcome == "open")
        lost = sa.update(CALLS).where(is_open, ~CALLS.c.reserved_at.between(since, until))
        connection.execute(lost.values(outcome="failed", settled_at=moment))
        if connection.scalar(sa.select(sa.exists().where(is_open))):
            raise BeingAsked(f"{question!r} is being asked by another process.")
        is_new = (ANSWERS.c.answered_at > since) | (ANSWERS.c.content_until > moment)
        if connection.scalar(sa.select(sa.exists().where(ANSWERS.c.question == question, is_new))):
            raise ClaimedElsewhere(f"{question!r} was just answered to another process.")

    def look(self, now: datetime) -> LedgerState:
        """The state of the ledger at a moment."""
        boot, uptime = self._stopwatch()
        with self.state.transaction() as connection:
            now = self.state.now(connection, now)
            spent = self._spent(connection, now, boot, uptime)
            since = _minute(now - self._window)
            oldest = connection.scalar(sa.select(sa.func.min(SPENT.c.minute)).where(SPENT.c.units > 0, SPENT.c.minute >= since))
            open_calls = connection.scalar(sa.select(sa.func.count()).where(CALLS.c.outcome == "open")) or 0
        release = datetime.fromtimestamp((oldest + 1) * 60, UTC) + self._window if oldest is not None else None
        return LedgerState(self.limit_units, spent, open_calls, release)

    def _spent(self, connection: sa.Connection, now: datetime, boot: str, uptime: float) -> int:
        """Units of the window. Minutes from the future count (the clock was set back); so do minutes of this boot that the
        stopwatch puts in the window (the clock was set forward)."""
        recent = SPENT.c.minute >= _minute(now - self._window)
        since = uptime - self._window.total_seconds()
        of_boot = (SPENT.c.boot != "") & (SPENT.c.boot == boot) & (SPENT.c.uptime > since)
        return int(connection.scalar(sa.select(sa.func.sum(SPENT.c.units)).where(recent | of_boot)) or 0)


def _add_to_bucket(connection: sa.Connection, units: int, now: datetime, boot: str, uptime: float) -> int:
    """Units are summed by the minute: a day has 1,440 of them, however many calls it had."""
    minute = (SPENT.c.minute == _minute(now)) & (SPENT.c.boot == boot)
    known = connection.execute(sa.select(SPENT.c.bucket, SPENT.c.uptime).where(minute)).first()
    if known is None:
        new = {"minute": _minute(now), "boot": boot, "uptime": uptime, "units": units}
        return int(connection.execute(sa.insert(SPENT).values(new).returning(SPENT.c.bucket)).scalar_one())
    connection.execute(sa.update(SPENT).where(minute).values(units=SPENT.c.units + units, uptime=max(uptime, known.uptime)))
    return int(known.bucket)


def _minute(moment: datetime) -> int:
    return int(moment.timestamp() // 60)
