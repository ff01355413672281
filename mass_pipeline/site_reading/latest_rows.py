"""Which rows of crawled_pages are read: a page keeps its last body when a look at it fails. Pure; no files, no tables.

A look that failed, was deferred, or got an answer that says nothing of the page leaves what was known of it. A page its server
calls gone is not read, unless nothing of the site answers any more: then a site that is down for a season, or answers 404 to
everything, still has its last known order, with the date on which it was confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from mass_pipeline.model.columns import ANSWERED_OUTCOMES, GONE, READABLE_OUTCOMES

_SAID_SO: Final = (404, 410)  # RFC 9110 15.5.5, 15.5.11; a page of an address the parish has left is gone without a status


def rows_to_read(rows: Iterable[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
    """Rows of one site that hold a text worth reading, in their order.

    Args:
        rows: of crawled_pages, with `outcome`, `status` and `body`.
    """
    kept = [row for row in rows if row["body"]]
    if any(row["outcome"] in ANSWERED_OUTCOMES for row in kept):
        return [row for row in kept if row["outcome"] in READABLE_OUTCOMES]
    return [row for row in kept if row["outcome"] in READABLE_OUTCOMES or _is_gone(row)]


def _is_gone(row: Mapping[str, object]) -> bool:
    return row["outcome"] == GONE and row["status"] in _SAID_SO
