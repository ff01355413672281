"""How often may one voter, or one address, do something? Windows and buckets in memory; time is an argument."""

from __future__ import annotations

import math
import threading
from collections import deque
from typing import Final

MOST_KEYS: Final = 100_000  # about 60 MB; beyond it the keys unused for longest are dropped
_ROUNDING: Final = 1e-6  # events: whoever waits as long as told must not meet one


class SlidingWindow:
    """At most `limit` events per key within any `seconds`; refused events do not count."""

    def __init__(self, limit: int, seconds: float) -> None:
        self.limit = limit
        self.seconds = seconds
        self._lock = threading.Lock()
        self._events: dict[str, deque[float]] = {}

    def take(self, key: str, now: float, cost: int = 1) -> int | None:
        """Count `cost` events for a key.

        Args:
            now: seconds on any clock that does not run backwards.
            cost: at least 1; more than the limit counts as the limit.

        Returns:
            None when allowed, else the whole seconds (at least 1) after which to ask again; then nothing was counted.
        """
        cost = min(cost, self.limit)
        with self._lock:
            events = self._events.pop(key, None) or deque()
            self._events[key] = events  # moved to the end: the order of the dict is the order of use
            # The same sum as below: whoever waits as long as told must not meet a rounding.
            while events and events[0] + self.seconds <= now:
                events.popleft()
            free = self.limit - len(events)
            if cost <= free:
                events.extend([now] * cost)
                self._drop_stale(now)
                return None
            free_at = events[cost - free - 1] + self.seconds
            wait = max(1, math.ceil(free_at - now))
            return wait if now + wait >= free_at else wait + 1  # a difference may be rounded down to a whole second

    def _drop_stale(self, now: float) -> None:
        while self._events:
            key = next(iter(self._events))
            events = self._events[key]
            if len(self._events) <= MOST_KEYS and events and events[-1] > now - self.seconds:
                return
            del self._events[key]


class TokenBucket:
    """So many events a second per key over any time, and a burst on top; who goes on after a refusal is not let in again.

    Refused events count too, down to a burst below nothing: a crowd that asks less than `rate` altogether is never refused for
    long, and one client that asks more gets nothing until it stops.

    Args:
        rate: events a second. burst: events at once.
    """

    def __init__(self, rate: float, burst: int) -> None:
        self.rate = rate
        self.burst = burst
        self._lock = threading.Lock()
        self._levels: dict[str, tuple[float, float]] = {}  # free events, and the moment they are of

    def take(self, key: str, now: float) -> int | None:
        """Count an event for a key.

        Args:
            now: seconds on any clock that does not run backwards.

        Returns:
            None when allowed, else the whole seconds (at least 1) after which to ask again.
        """
        with self._lock:
            level, since = self._levels.pop(key, (float(self.burst), now))
            level = min(float(self.burst), level + (now - since) * self.rate) - 1
            level = max(level, -float(self.burst))
            self._levels[key] = level, now  # moved to the end: the order of the dict is the order of use
            self._drop_full(now)
        return None if level > -_ROUNDING else max(1, math.ceil((1 - level) / self.rate))

    def _drop_full(self, now: float) -> None:
        while self._levels:
            key = next(iter(self._levels))
            level, since = self._levels[key]
            if len(self._levels) <= MOST_KEYS and level + (now - since) * self.rate < self.burst:
                return
            del self._levels[key]
