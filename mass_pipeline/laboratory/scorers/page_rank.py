"""PageRank of a small, partly known graph. Links in, shares out; no page is read here.

Source: L. Page, S. Brin, R. Motwani, T. Winograd, The PageRank citation ranking, 1998. Pages without known links, so those that
wait, hand their share to all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

DAMPING: Final = 0.85  # of the paper
_TOLERANCE: Final = 1e-6
_MOST_ROUNDS: Final = 100


def page_rank(links: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Share of each URL that links or is linked; the shares add up to 1, empty for no links.

    >>> {url: round(share, 2) for url, share in page_rank({"a": ["b", "c"], "b": ["c"]}).items()}
    {'a': 0.2, 'b': 0.28, 'c': 0.52}
    """
    numbers = {url: n for n, url in enumerate(dict.fromkeys([*links, *(to for many in links.values() for to in many)]))}
    if not numbers:
        return {}
    from scipy.sparse import csr_array  # needed by one of the orders of a crawl alone

    size = len(numbers)
    pairs = {(numbers[to], numbers[source]) for source, many in links.items() for to in many if to != source}
    out = np.zeros(size)
    for _, source in pairs:
        out[source] += 1
    rows, columns = zip(*sorted(pairs), strict=True) if pairs else ((), ())
    matrix = csr_array(([1 / out[column] for column in columns], (list(rows), list(columns))), shape=(size, size))
    rank = np.full(size, 1 / size)
    for _ in range(_MOST_ROUNDS):
        following = (1 - DAMPING) / size + DAMPING * (matrix @ rank + rank[out == 0].sum() / size)
        done = float(np.abs(following - rank).sum()) < _TOLERANCE
        rank = following
        if done:
            break
    return {url: float(rank[number]) for url, number in numbers.items()}
