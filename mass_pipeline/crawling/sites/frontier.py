"""The order of a crawl (V1): which URL of a site comes next, each only once, breadth-first or best-first by a scorer of links.

In memory; what must survive lies in the store. Depths are exact: when a shorter way to a waiting URL appears, its depth is
lowered; when the page was visited already, the caller is told to expand it again. Other orders are passed to `crawl_sites`;
scorers of papers are in `laboratory.scorers`.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol, runtime_checkable

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.fetching.urls import is_dated
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.model.identifiers import fold
from mass_pipeline.reading.words.weekday_patterns import SUNDAY


@dataclass(frozen=True, slots=True)
class Link:
    """A link that may enter the frontier.

    Attributes:
        url: canonical.
        text: anchor text.
        depth: links from the start page.
        referrer: page it stands on, "" for a start page.
        parish_id: whose site it is.
    """

    url: str
    text: str
    depth: int
    referrer: str
    parish_id: str


class LinkScorer(Protocol):
    """Says how promising a link is: best-first follows the highest score. Plug in by `crawl_sites(order=...)`."""

    def score(self, link: Link) -> float:
        """Any finite number; higher is followed earlier."""
        ...


@runtime_checkable
class PageReader(Protocol):
    """A scorer that learns from the pages of its site as they come in. It serves one site."""

    def observe(self, page: SeenPage) -> bool:
        """Take notice of a page, before its links enter the frontier.

        Returns:
            Whether links that wait already should be scored anew.
        """
        ...


_SCHEDULE_WORDS: Final = re.compile(
    rf"msz[eay]?\b|msze|mszy|porzadek|nabozenst|liturgi|godzin|{SUNDAY}|swieta|plan|rozklad|kosciol|parafi|kontakt|ogloszen|intencj|"
    r"informacj|aktualn|duszpaster|sakrament|kaplic|mass|schedule"
)
_SURE_WORDS: Final = re.compile(r"msz[eay]|mszal|nabozenst|porzadek|godzin")


_ANNOUNCEMENT_WORDS: Final = re.compile(r"ogloszen|intencj")


def _words_of(link: Link) -> str:
    return f"{fold(link.text)} {link.url[link.url.find('/', 8) :].lower()}"


def names_masses_or_announcements(link: Link) -> bool:
    """Whether the words of a link or of its address speak of Masses or announcements.

    >>> names_masses_or_announcements(Link("http://a.pl/wpis/7", "Ogłoszenia 7", 1, "", "p"))
    True
    """
    words = _words_of(link)
    return bool(_SURE_WORDS.search(words) or _ANNOUNCEMENT_WORDS.search(words))


class ScheduleWords:
    """Links whose words speak of Masses first, calendars last."""

    def score(self, link: Link) -> float:
        """2 for words of Mass times, 1 for words of parish life, 0 otherwise, -1 for a date.

        >>> ScheduleWords().score(Link("http://a.pl/x", "Porządek Mszy św.", 1, "", "p"))
        2.0
        """
        words = _words_of(link)
        if _SURE_WORDS.search(words):
            return 2.0
        if is_dated(link.url):
            return -1.0
        return 1.0 if _SCHEDULE_WORDS.search(words) else 0.0


class StopRule(Protocol):
    """Decides for one site when nothing new has to be asked any more."""

    def observe(self, page: SeenPage) -> None:
        """Take notice of a page; a page seen again replaces what it said before."""
        ...

    @property
    def reason(self) -> str:
        """Why no further URL is asked; "" while the crawl goes on."""
        ...


StopRuleFactory = Callable[[], StopRule]
SortKey = tuple[float, float]
Strategy = Callable[[Link], SortKey]


class SiteOrder:
    """The order of one site's frontier, told of its pages.

    Args:
        key: sort key of a link; smaller keys leave the frontier first, ties in order of discovery.
        scorer: what `key` asks; told of pages where it reads them.
        batch: links chosen at once.
        drops_worst: a full frontier drops its worst link, not the newest.

    Attributes:
        reads_pages: whether the scorer takes notice of pages.
    """

    def __init__(self, key: Strategy, scorer: LinkScorer, *, batch: int = 1, drops_worst: bool = False) -> None:
        self.key, self.batch, self.drops_worst = key, batch, drops_worst
        self._reader = scorer if isinstance(scorer, PageReader) else None
        self.reads_pages = self._reader is not None

    def observe(self, page: SeenPage) -> bool:
        """Whether the waiting links should be sorted anew."""
        return self._reader is not None and self._reader.observe(page)


OrderOfSite = Callable[[CrawlConfig, str], SiteOrder]  # settings and parish_id; called once for each site


def breadth_first(scorer: LinkScorer) -> SiteOrder:
    """Level by level; the scorer orders the links of a level."""
    return SiteOrder(lambda link: (link.depth, -scorer.score(link)), scorer)


def best_first(scorer: LinkScorer, *, batch: int = 1) -> SiteOrder:
    """The highest score first; so many at a time before what they led to is looked at (N-best-first)."""
    return SiteOrder(lambda link: (-scorer.score(link), link.depth), scorer, batch=batch, drops_worst=True)


def configured_order(config: CrawlConfig, parish_id: str) -> SiteOrder:
    """A fresh order for one site, by `config.strategy` and `config.scorer`."""
    scorer: LinkScorer = ScheduleWords()
    if config.scorer == "learnt":
        from mass_pipeline.crawling.sites.learnt_scorer import LearntScorer  # its topic and weights cost memory and a start

        scorer = LearntScorer()
    return best_first(scorer) if config.strategy == "best_first" else breadth_first(scorer)


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

    @property
    def is_start(self) -> bool:
        """Whether it is the start page of its site, or what that redirects to."""
        return self.depth == 0 and self.referrer_id is None


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
