"""The frontier of one open site: which URL comes next, each only once (V1). In memory; what must survive lies in the store.

Depths are exact: when a shorter way to a waiting URL appears, its depth is lowered; when the page was visited already, the
caller is told to expand it again.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

from mass_pipeline.crawling.sites.scorers.ports import Link
from mass_pipeline.crawling.sites.strategies import SortKey, Strategy

_LAST: Final[SortKey] = (math.inf, 0.0)


@dataclass(slots=True)
class Item:
    """A URL on its way through the crawl.

    Attributes:
        url_id: number in the state file.
        key: identity of the URL (see `urls.identity`).
        referrer_id: number of the page the link stands on, None for a start page.
        attempts: tries so far.
        hops: redirects that led here.
        known: the page was stored by an earlier run (asked conditionally now).
    """

    url_id: int
    url: str
    key: str
    depth: int
    referrer_id: int | None = None
    text: str = ""
    attempts: int = 0
    hops: int = 0
    known: bool = False


class Added(Enum):
    """What became of a link."""

    NEW = "new"
    KNOWN = "known"
    SHORTER = "shorter"  # visited before over a longer way: expand it again
    FULL = "full"


class SiteFrontier:
    """Waiting URLs and everything seen.

    Args:
        strategy: order.
        capacity: most waiting URLs; a full frontier refuses new ones (breadth-first) or drops its worst (best-first).
        batch: so many URLs are chosen at once; what is found meanwhile waits for the next choice (N-best-first).
    """

    __slots__ = (
        "_batch", "_capacity", "_chosen", "_delayed", "_drop_worst", "_heap", "_number", "_seen", "_strategy", "_waiting",
        "dropped",
    )  # fmt: skip

    def __init__(self, strategy: Strategy, capacity: int, *, drop_worst: bool = False, batch: int = 1) -> None:
        self._strategy = strategy
        self._capacity = capacity
        self._drop_worst = drop_worst
        self._batch = batch
        self._chosen: deque[Item] = deque()
        self._heap: list[tuple[SortKey, int, Item, Link]] = []
        self._delayed: list[tuple[float, int, Item]] = []
        self._waiting: dict[str, Item] = {}
        self._seen: dict[str, int] = {}  # key -> least depth
        self._number = 0
        self.dropped: list[Item] = []

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def known(self) -> int:
        """How many URLs were ever considered."""
        return len(self._seen)

    def status(self, key: str, depth: int) -> Added:
        """What adding a URL at that depth would be; lowers the depth of a waiting one."""
        known = self._seen.get(key)
        if known is None:
            return Added.FULL if len(self._waiting) >= self._capacity and not self._drop_worst else Added.NEW
        if depth >= known:
            return Added.KNOWN
        self._seen[key] = depth
        waiting = self._waiting.get(key)
        if waiting is None:
            return Added.SHORTER
        waiting.depth = depth
        return Added.KNOWN

    def add(self, item: Item, link: Link, *, last: bool = False) -> None:
        """Add a URL that `status` called new; `last`: after all others, whatever the strategy."""
        self._seen[item.key] = item.depth
        self._waiting[item.key] = item
        self._number += 1
        heapq.heappush(self._heap, (_LAST if last else self._strategy(link), self._number, item, link))
        if len(self._waiting) > self._capacity:
            self._drop_the_worst()

    def remember(self, key: str, depth: int) -> None:
        """A URL that is done already (resumed crawl), or will never be asked."""
        self._seen[key] = min(depth, self._seen.get(key, depth))

    def retry(self, item: Item, not_before: float) -> None:
        """Ask again, not before the moment."""
        self._waiting[item.key] = item
        self._number += 1
        heapq.heappush(self._delayed, (not_before, self._number, item))

    def take(self, now: float) -> Item | None:
        """The next URL to ask, None when nothing is due."""
        if self._delayed and self._delayed[0][0] <= now:
            item = heapq.heappop(self._delayed)[2]
        elif self._chosen or self._heap:
            if not self._chosen:
                self._chosen.extend(heapq.heappop(self._heap)[2] for _ in range(min(self._batch, len(self._heap))))
            item = self._chosen.popleft()
        else:
            return None
        del self._waiting[item.key]
        return item

    def resort(self) -> None:
        """Score every waiting URL anew: its scorer has learnt something about it."""
        self._heap = [
            (key if key == _LAST else self._strategy(link), number, item, link) for key, number, item, link in self._heap
        ]
        heapq.heapify(self._heap)

    def due_at(self) -> float | None:
        """Moment when the next delayed URL is due, None without any."""
        return self._delayed[0][0] if self._delayed else None

    def drain(self) -> list[Item]:
        """Everything that waits, in order of discovery; the frontier is empty afterwards."""
        rest = list(self._waiting.values())
        self._heap.clear()
        self._chosen.clear()
        self._delayed.clear()
        self._waiting.clear()
        return rest

    def _drop_the_worst(self) -> None:
        worst = max(self._heap)
        self._heap.remove(worst)
        heapq.heapify(self._heap)
        del self._waiting[worst[2].key]
        self.dropped.append(worst[2])
