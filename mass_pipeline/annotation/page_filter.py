"""Which hours reach the crowd: those of pages that may tell Masses, and a sample of the others (P12, P14).

Most hours of a site stand on pages without any Mass (offices, concerts, archives): asking people about them all wastes their
patience, and asking about none hides what the page score misses. The sample derives from the item's id, so that loading again
keeps it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mass_pipeline.annotation.items import Item


@dataclass(slots=True)
class PageFilter:
    """Lets items through and counts.

    Attributes:
        least_score: page score from which every hour is asked, 0 to 1; 0 lets everything through.
        sample: share of the hours below it that are asked all the same, 0 to 1.
        kept_as_sample: how many came through below it.
        left_out: how many did not come through.
    """

    least_score: float
    sample: float
    kept_as_sample: int = 0
    left_out: int = 0

    def __call__(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items that are asked, in order; test questions and items without a score always come through."""
        for item in items:
            if item.gold is None and item.page_score is not None and item.page_score < self.least_score:
                if not self.asks(item.candidate_id, item.page_score):
                    self.left_out += 1
                    continue
                self.kept_as_sample += 1
            yield item

    def asks(self, candidate_id: str, page_score: float) -> bool:
        """Whether an hour of a page of this score is asked."""
        return not page_score < self.least_score or _place(candidate_id) < self.sample

    def __str__(self) -> str:
        return (
            f"{self.left_out} hours of pages scored below {self.least_score:g} are not asked, "
            f"{self.kept_as_sample} of such pages are, as a sample"
        )


def _place(candidate_id: str) -> float:
    # Not `Item.shuffle`: the random slice of the queue would then hold these items at its beginning alone.
    digest = hashlib.sha256(b"page filter\x1f" + candidate_id.encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
