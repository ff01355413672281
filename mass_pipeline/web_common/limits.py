"""How often may one voter, or one address prefix, do something? Sliding windows in memory; time is an argument."""

from __future__ import annotations

import math
import threading
from collections import deque
from typing import Final

MOST_KEYS: Final = 100_000  # about 60 MB; beyond it the keys unused for longest are dropped


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
