"""What one run holds: asks the store in a thread of its own, renews, gives back what others wait for.

A request needs no transaction: a host is claimed once and held while it is in use. Callers of any thread mark what they use;
the keeper's thread does the rest, so that neither a slow store nor a busy event loop ends a lease that is in use. When the
store is out of order nothing new is given, and what is held ends in its time.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Final

from mass_pipeline.crawling.fetching.leases.ports import ADDRESS, Claim, Grant, Heard, HostNote, LeaseStore, RulesNote, Said
from mass_pipeline.model.errors import StorageError

_BEATS_PER_LEASE: Final = 8
_MARGIN: Final = (
    0.1  # share of a lease at its end in which its holder asks no more: sending takes a moment, clocks differ a little
)
_IDLE_SECONDS: Final = 10.0  # an unused lease is kept so long, for whoever needs it next
_WANTED_IDLE_SECONDS: Final = 2.0  # that of a host so long when others wait: pages are read between two requests of a site
_ADDRESS_TURN: Final = 0.25  # share of a turn: an address is needed only while requests are on the wire
_LAST_WORD_SECONDS: Final = 20.0


@dataclass(slots=True)
class Holding:
    """A lease that this run holds; moments are those of its steady clock.

    Attributes:
        grant: as the store gave it; what it says of the host is reported once (`first`).
        until: no request goes out later.
        in_use: somebody asks, or waits to ask; then it is not given back.
    """

    grant: Grant
    until: float
    since: float
    in_use: bool = True
    first: bool = True
    idle_since: float = 0.0
    wanted: bool = False
    leaving: bool = False
    not_before: float | None = None
    note: HostNote | None = None
    said: bool = True


@dataclass(slots=True)
class _Asked:
    claim: Claim
    answer: Future[Holding | None] = field(default_factory=Future)


class LeaseKeeper:
    """The leases of one run; a context manager, closed after the run.

    Args:
        store: used by the keeper's thread alone, and closed with it.
        lease_seconds: a lease that is not renewed ends after so long.
        turn_seconds: a lease that others wait for is given back after so long, though its holder is not done.
        steady: this run's clock.

    Attributes:
        owner: name of this keeper.
        trouble: why the store could not be used the last time, "" when it could.
    """

    def __init__(
        self, store: LeaseStore, *, lease_seconds: float, turn_seconds: float, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self.owner = uuid.uuid4().hex
        self.trouble = ""
        self._store = store
        self._lease_seconds = lease_seconds
        self._turn_seconds = turn_seconds
        self._beat_seconds = lease_seconds / _BEATS_PER_LEASE
        self._steady = steady
        self._held: dict[str, list[Holding]] = {}
        self._asked: list[_Asked] = []
        self._rules: dict[str, dict[str, RulesNote]] = {}
        self._waiting_for_word: list[Future[None]] = []
        self._wake = threading.Condition()
        self._next_beat = 0.0
        self._poked = self._closed = False
        self._thread = threading.Thread(target=self._run, name="host-leases", daemon=True)
        self._thread.start()

    # For whoever asks hosts

    def occupy(self, key: str) -> Holding | None:
        """A lease of the key that is held and free, marked as used; None when one must be claimed first."""
        with self._wake:
            now = self._steady()
            for holding in self._held.get(key, ()):
                if holding.in_use or now >= holding.until or self._must_go(holding, now):
                    continue
                holding.in_use, holding.leaving = True, False
                return holding
            return None

    def claim(self, key: str, slots: int = 1) -> Future[Holding | None]:
        """Ask the store; the answer is a lease in use, or None while others hold or wait for it."""
        asked = _Asked(Claim(key, slots))
        with self._wake:
            if self._closed:
                asked.answer.set_result(None)
                return asked.answer
            now = self._steady()
            for holding in self._held.get(key, ()):
                holding.leaving |= not holding.in_use and (now >= holding.until or self._must_go(holding, now))
            self._asked.append(asked)
            self._wake.notify()
        return asked.answer

    def vacate(self, holding: Holding, note: HostNote | None = None) -> None:
        """Mark as unused, and say how the host stands (`note.wait_seconds` counts from now)."""
        with self._wake:
            now = self._steady()
            holding.in_use, holding.idle_since = False, now
            self._put_note(holding, note, now)
            if holding.wanted and (self._must_go(holding, now) or self._has_others(holding)):
                holding.leaving = True
                self._poke()

    def say(self, holding: Holding, note: HostNote) -> Future[None]:
        """Write at once how a host stands that asked for a pause: a process that dies now leaves it to the next one."""
        done: Future[None] = Future()
        with self._wake:
            self._put_note(holding, note, self._steady())
            if self._closed:
                done.set_result(None)
                return done
            self._waiting_for_word.append(done)
            self._poke()
        return done

    def put_rules(self, key: str, rules: RulesNote) -> None:
        """Remember robots.txt of a host's origin, for the next beat."""
        with self._wake:
            self._rules.setdefault(key, {})[rules.origin] = rules

    def give_up(self, key: str) -> None:
        """The key is needed no more; given back with the next beat, at once when others wait."""
        with self._wake:
            for holding in self._held.get(key, ()):
                if not holding.in_use:
                    holding.leaving = True
                    if holding.wanted:
                        self._poke()

    def holds(self, key: str) -> int:
        """How many leases of the key are held."""
        with self._wake:
            return sum(self._steady() < holding.until for holding in self._held.get(key, ()))

    def may_ask(self, holding: Holding) -> bool:
        """Whether the lease is still good for a request now."""
        return self._steady() < holding.until

    def close(self) -> None:
        """Give everything back and say how the hosts stand."""
        with self._wake:
            if self._closed:
                return
            self._closed = True
            self._wake.notify()
        self._thread.join(_LAST_WORD_SECONDS)

    def __enter__(self) -> LeaseKeeper:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Rules of holding; the lock is held

    def _must_go(self, holding: Holding, now: float) -> bool:
        """Others wait, and its holder has had a turn."""
        turn = self._turn_seconds * (_ADDRESS_TURN if _is_address(holding) else 1)
        return holding.wanted and (holding.leaving or now - holding.since >= turn)

    def _has_others(self, holding: Holding) -> bool:
        """Of several leases of one address one is enough when others have none."""
        return sum(not other.leaving for other in self._held.get(holding.grant.lease.key, ())) > 1

    def _put_note(self, holding: Holding, note: HostNote | None, now: float) -> None:
        if note is not None:
            holding.note, holding.not_before, holding.said = note, now + note.wait_seconds, False

    def _poke(self) -> None:
        self._poked = True
        self._wake.notify()

    # The keeper's thread

    def _run(self) -> None:
        while self._wait():
            self._turn()
        self._turn()
        self._store.close()

    def _wait(self) -> bool:
        """Until something is to be done; False when the run is over."""
        with self._wake:
            while not (self._closed or self._asked or self._poked):
                pause = self._next_beat - self._steady() if self._held else None
                if pause is not None and pause <= 0:
                    break
                self._wake.wait(pause)
            return not self._closed

    def _turn(self) -> None:
        """One transaction, and what it brought."""
        with self._wake:
            asked, self._asked, self._poked = self._asked, [], False
            waiting, self._waiting_for_word = self._waiting_for_word, []
            now = self._steady()
            said = self._to_say(asked, now)
        heard: Heard | None = None
        if said != Said():
            try:
                heard = self._store.exchange(self.owner, said, self._lease_seconds)
                self.trouble = ""
            except Exception as error:  # whatever it is, this thread must not die: claims would wait for ever
                self.trouble = str(error) if isinstance(error, StorageError) else f"{type(error).__name__}: {error}"
        with self._wake:
            answers = self._heard(asked, said, heard, now)
        for one, holding in answers:
            if one.answer.set_running_or_notify_cancel():
                one.answer.set_result(holding)
            elif holding is not None:
                self.vacate(holding)
        for future in waiting:
            future.set_result(None)

    def _to_say(self, asked: list[_Asked], now: float) -> Said:
        held = [holding for several in self._held.values() for holding in several]
        for holding in held:
            wanted_idle = 0.0 if _is_address(holding) else _WANTED_IDLE_SECONDS
            idle = now - holding.idle_since
            if not holding.in_use and (self._closed or idle >= (wanted_idle if holding.wanted else _IDLE_SECONDS)):
                holding.leaving = True
        going = [holding for holding in held if self._closed or (holding.leaving and not holding.in_use)]
        for holding in going:
            holding.until = float("-inf")  # nobody takes it up again while the store is told
        notes = {holding.grant.lease: _as_of(holding, now) for holding in held if not holding.said and holding.note is not None}
        for holding in held:
            holding.said = True
        leases = {holding.grant.lease.key: holding.grant.lease for holding in held}
        rules = {leases[key]: tuple(found.values()) for key, found in self._rules.items() if key in leases}
        self._rules = {}
        seconds = 0.0
        if not self._closed and (now >= self._next_beat or not held):
            self._next_beat = now + self._beat_seconds
            seconds = self._lease_seconds if held else 0.0
        leaving = tuple(holding.grant.lease for holding in going)
        return Said(notes, rules, leaving, seconds, () if self._closed else tuple(one.claim for one in asked))

    def _heard(
        self, asked: list[_Asked], said: Said, heard: Heard | None, asked_at: float
    ) -> list[tuple[_Asked, Holding | None]]:
        if heard is None:  # nothing was changed: what was to be given back is tried again with the next beat
            for lease in said.notes:
                for holding in self._held.get(lease.key, ()):
                    holding.said = False
            return [(one, None) for one in asked]
        until = asked_at + self._lease_seconds * (1 - _MARGIN)
        self._keep(heard, until if said.seconds else None)
        grants: Iterable[Grant | None] = heard.grants or (None for _ in asked)
        answers: list[tuple[_Asked, Holding | None]] = []
        for one, grant in zip(asked, grants, strict=True):
            given = None if grant is None else Holding(grant, until, asked_at)
            if given is not None:
                given.wanted = one.claim.key in heard.wanted
                self._held.setdefault(one.claim.key, []).append(given)
            answers.append((one, given))
        return answers

    def _keep(self, heard: Heard, until: float | None) -> None:
        """Forget what was given back or lost; a lost lease in use is good for no further request."""
        for key, several in list(self._held.items()):
            kept = [holding for holding in several if holding.grant.lease in heard.held]
            for holding in several:
                if holding not in kept:
                    holding.until = float("-inf")
            for holding in kept:
                holding.until = holding.until if until is None or holding.leaving else until
                holding.wanted = key in heard.wanted
                self._poked |= holding.wanted and _is_address(holding) and not holding.in_use
            if kept:
                self._held[key] = kept
            else:
                del self._held[key]


def _is_address(holding: Holding) -> bool:
    return holding.grant.lease.key.startswith(ADDRESS)


def _as_of(holding: Holding, now: float) -> HostNote:
    assert holding.note is not None
    assert holding.not_before is not None
    return replace(holding.note, wait_seconds=max(holding.not_before - now, 0.0))
