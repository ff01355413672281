"""The measures of a crawl (V11). Pages in the order of their requests in, numbers out; nothing is fetched or read here.

Source: F. Menczer, G. Pant, P. Srinivasan, Topical Web Crawlers: Evaluating Adaptive Algorithms, ACM TOIT 4 (2004) 378-419,
section 4; S. Chakrabarti, M. van den Berg, B. Dom, Focused crawling, Computer Networks 31 (1999) 1623-1640 (harvest rate,
robustness).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

WINDOW: Final = 50  # pages, V11
SHARES: Final = (0.1, 0.5, 0.9)  # of the targets, to which search lengths are told


@dataclass(frozen=True, slots=True)
class Visit:
    """One request of a crawl.

    Attributes:
        url: what was asked for.
        relevance: likeness of the page to the topic, 0 to 1; 0 where no page came (404 and the like).
        is_relevant: whether the page belongs to what is looked for.
    """

    url: str
    relevance: float = 0.0
    is_relevant: bool = False


def harvest_rate(visits: Sequence[Visit]) -> float:
    """Share of the requests that brought a relevant page, 0 to 1; 0 without requests.

    >>> harvest_rate([Visit("a", is_relevant=True), Visit("b")])
    0.5
    """
    return sum(visit.is_relevant for visit in visits) / len(visits) if visits else 0.0


def average_relevance(visits: Sequence[Visit]) -> list[float]:
    """Mean relevance of the first n requests, for every n; empty without requests.

    >>> average_relevance([Visit("a", 1.0), Visit("b", 0.0)])
    [1.0, 0.5]
    """
    return list(_means(visits, len(visits)))


def windowed_relevance(visits: Sequence[Visit], window: int = WINDOW) -> list[float]:
    """Mean relevance of the last `window` requests, for every n; of all so far while they are fewer.

    >>> windowed_relevance([Visit("a", 1.0), Visit("b", 0.0), Visit("c", 0.0)], window=2)
    [1.0, 0.5, 0.0]
    """
    return list(_means(visits, window))


def _means(visits: Sequence[Visit], window: int) -> Iterator[float]:
    total = 0.0
    for n, visit in enumerate(visits):
        total += visit.relevance
        if n >= window:
            total -= visits[n - window].relevance
        yield max(total, 0.0) / min(n + 1, window)


def target_recall(visits: Sequence[Visit], targets: Collection[str]) -> list[float]:
    """Share of the targets among the first n requests, for every n: the relevant pages known to exist, seeds left out.

    >>> target_recall([Visit("a"), Visit("b"), Visit("a")], {"b", "c"})
    [0.0, 0.5, 0.5]
    """
    found: set[str] = set()
    recall = []
    for visit in visits:
        if visit.url in targets:
            found.add(visit.url)
        recall.append(len(found) / len(targets) if targets else 0.0)
    return recall


def requests_until(visits: Sequence[Visit], targets: Collection[str]) -> int | None:
    """Requests up to and with the first target, None when it was not found.

    >>> requests_until([Visit("start"), Visit("msze")], {"msze"})
    2
    """
    return next((n for n, visit in enumerate(visits, 1) if visit.url in targets), None)


def search_lengths(visits: Sequence[Visit], targets: Collection[str]) -> dict[float, int | None]:
    """Share of the targets -> requests until it was reached, None where it never was; empty without targets.

    >>> search_lengths([Visit("start"), Visit("a"), Visit("x"), Visit("b")], {"a", "b"})
    {0.1: 2, 0.5: 2, 0.9: 4}
    """
    recall = target_recall(visits, targets)
    return {share: next((n for n, value in enumerate(recall, 1) if value >= share), None) for share in SHARES if targets}


def robustness(one: Sequence[Visit], other: Sequence[Visit]) -> float | None:
    """Overlap of the relevant pages of two crawls from disjoint seeds: common ones against all; None when neither found any.

    >>> robustness([Visit("a", is_relevant=True)], [Visit("a", is_relevant=True), Visit("b", is_relevant=True)])
    0.5
    """
    left, right = ({visit.url for visit in visits if visit.is_relevant} for visits in (one, other))
    return len(left & right) / len(left | right) if left | right else None
