"""Ask Places about one parish: P3's two queries, then the details of the first places, all through the quota ledger."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock
from typing import Final, Literal

from mass_pipeline.gathering.config import PlacesConfig
from mass_pipeline.gathering.decisions import find_answer
from mass_pipeline.gathering.ledger import BeingAsked, Check, ClaimedElsewhere, QuotaLedger
from mass_pipeline.gathering.parish import Parish
from mass_pipeline.gathering.ports import (
    Clock,
    Place,
    PlacesBadRequest,
    PlacesClient,
    PlacesDenied,
    PlacesOverLimit,
    PlacesUnavailable,
)
from mass_pipeline.gathering.state import DiscoveryState
from mass_pipeline.model.errors import ConfigurationError, QuotaExhausted

_LOOK_AGAIN_SECONDS: Final = 1.0
LookupStatus = Literal["answered", "pending", "error"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """How the look-up of one parish ended.

    Attributes:
        status: `answered`, `pending` (no units left, or another process is asking) or `error`.
        query: the query that found the places; the last one asked when none did, None when none was asked.
        places: best first; the first ones with web site and phone.
        reason: why it is pending or an error, "" otherwise.
        questions: keys of the answers used, so that their content can be removed after verification.
    """

    status: LookupStatus
    query: str | None = None
    places: tuple[Place, ...] = ()
    reason: str = ""
    questions: tuple[str, ...] = ()


def queries(parish: Parish) -> tuple[str, ...]:
    """P3's queries in order: name, town and street; then name and town. One when there is no street."""
    short = f"{parish.name} {parish.town}".strip()
    return (f"{short} {parish.street}", short) if parish.street else (short,)


@dataclass(frozen=True, slots=True)
class _Call:
    """A question to Places: its key, its cost, how it is sent, and when it has become needless."""

    question: str
    units: int
    send: Callable[[], tuple[Place, ...]]
    is_settled: Check | None


@dataclass(slots=True)
class PlacesLookup:
    """Looks parishes up; one instance per run, safe to share between threads.

    Attributes:
        stopped: the reason why nothing more is asked in this run, "" while it goes on.
    """

    client: PlacesClient
    ledger: QuotaLedger
    config: PlacesConfig
    clock: Clock
    sleep: Callable[[float], None] = time.sleep
    stopped: str = field(default="", init=False)
    _heard: dict[str, tuple[Place, ...]] = field(default_factory=dict, init=False)
    _locks: dict[str, Lock] = field(default_factory=dict, init=False)
    _locks_lock: Lock = field(default_factory=Lock, init=False)

    def look_up(self, parish: Parish, is_settled: Check | None = None) -> Lookup:
        """Ask about one parish; answered questions are taken from the state.

        Args:
            parish: whose place is sought.
            is_settled: tells, inside the ledger's transaction, that another process has decided the parish meanwhile.

        Raises:
            PlacesDenied: the key is refused; the operator must act.
        """
        asked: list[str] = []
        query = None
        try:
            places: tuple[Place, ...] = ()
            for query in queries(parish):
                places = self._search(query, asked, is_settled)
                if places:
                    break
            detailed = tuple(self._details(place, asked, is_settled) for place in places[: self.config.max_details])
        except (QuotaExhausted, PlacesOverLimit) as error:
            self.stopped = str(error)
            return Lookup("pending", query, (), str(error), tuple(asked))
        except ClaimedElsewhere as error:
            return Lookup("pending", query, (), str(error), tuple(asked))
        except (PlacesBadRequest, PlacesUnavailable) as error:
            return Lookup("error", query, (), str(error), tuple(asked))
        return Lookup("answered", query, detailed + places[self.config.max_details :], "", tuple(asked))

    def _search(self, query: str, asked: list[str], is_settled: Check | None) -> tuple[Place, ...]:
        question = search_question(self.config, query)
        return self._ask(_Call(question, self.client.search_units, lambda: self.client.search(query), is_settled), asked)

    def _details(self, place: Place, asked: list[str], is_settled: Check | None) -> Place:
        if self.client.details_units == 0:
            return place
        question = f"details:{place.place_id}"
        call = _Call(question, self.client.details_units, lambda: (self.client.details(place),), is_settled)
        return self._ask(call, asked)[0]

    def _ask(self, call: _Call, asked: list[str]) -> tuple[Place, ...]:
        """Threads of this run that have the same question (twins do) wait for one answer, which is kept in memory till the end
        of the run: its content may have been removed from the state when the first of them was decided."""
        with self._locks_lock:
            lock = self._locks.setdefault(call.question, Lock())
        with lock:
            heard = self._heard.get(call.question)
            places = self._heard[call.question] = self._known_or_asked(call) if heard is None else heard
        asked.append(call.question)
        return places

    def _known_or_asked(self, call: _Call) -> tuple[Place, ...]:
        """What another process is asking is waited for; was it killed, its question is asked again when the lease is over."""
        over = time.monotonic() + self.config.lease_seconds + _LOOK_AGAIN_SECONDS
        while True:
            known = find_answer(self.ledger.state, call.question, self.clock())
            if known is not None:
                return known
            if self.stopped:
                raise QuotaExhausted(self.stopped)
            try:
                return self._paid_attempts(call)
            except BeingAsked:
                if time.monotonic() > over:
                    raise
                self.sleep(min(_LOOK_AGAIN_SECONDS, self.config.lease_seconds))

    def _paid_attempts(self, call: _Call) -> tuple[Place, ...]:
        for attempt in range(1, self.config.max_attempts):
            try:
                return self._paid_call(call)
            except PlacesUnavailable:
                self.sleep(1.5**attempt)  # P2
        return self._paid_call(call)

    def _paid_call(self, call: _Call) -> tuple[Place, ...]:
        """One attempt. Whatever is not known to be answered stays spent: a crash here leaves the reservation open."""
        reservation = self.ledger.reserve(call.question, call.units, self.clock(), call.is_settled)
        try:
            places = call.send()
        except (PlacesBadRequest, PlacesUnavailable, PlacesOverLimit, PlacesDenied):
            self.ledger.settle(reservation, "failed", self.clock())
            raise
        self.ledger.settle(reservation, "answered", self.clock(), places)
        return places


def search_question(config: PlacesConfig, query: str) -> str:
    """Key of a search in the state: the query with the options that change its answer."""
    return f"search:{config.api}:{config.language}:{config.region}:{query}"


def open_ledger(
    state: DiscoveryState, config: PlacesConfig, *, stopwatch: Callable[[], tuple[str, float]] | None = None
) -> QuotaLedger:
    """The ledger with the limits of the settings; without a key nothing may be spent (P4).

    Raises:
        ConfigurationError: there is a key, but the operator has not confirmed the terms.
    """
    if config.api_key and config.units_per_day and not config.terms_confirmed:
        raise ConfigurationError(
            "Places may be asked only by somebody who holds a permitted use of its content: read docs/terms.md, then set "
            "MASS_PIPELINE_PLACES_TERMS_CONFIRMED=true, or unset MASS_PIPELINE_PLACES_API_KEY."
        )
    days = config.content_days or 1.0  # undecided answers live a day at most, so that a stopped run can go on
    return QuotaLedger(
        state,
        limit_units=config.units_per_day if config.api_key else 0,
        window=timedelta(hours=config.window_hours),
        lease=timedelta(seconds=config.lease_seconds),
        content_lifetime=timedelta(days=days),
        stopwatch=stopwatch,
    )
