"""How often hours of a probability were right, as measured (docs/confidence.md): what the page about the data tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mass_pipeline.finding.freshness import HIGH


@dataclass(frozen=True, slots=True)
class Band:
    """Rows of labelled sets whose probability lay in a band.

    Attributes:
        least: smallest probability of the band.
        rows: how many there were. right: share of them that was right, 0 to 1.
    """

    least: float
    rows: int
    right: float


# Each fifth of the labelled sets by weights fitted on the others; the table of docs/confidence.md, kept equal by a test.
MEASURED: Final = (Band(0.5, 126, 0.976), Band(0.95, 178, 0.978), Band(0.98, 8482, 0.997))
AT_FIRST_SIGHT: Final = (0.94, 0.98)  # precision of hours of written sets that the reader had never met


def of_rows(bands: Iterable[Band], *, high: bool) -> Band:
    """Everything that is called high, or everything below, as one band.

    >>> of_rows((Band(0.8, 10, 0.5), Band(0.95, 10, 0.9), Band(0.98, 30, 1.0)), high=True)
    Band(least=0.95, rows=40, right=0.975)
    """
    chosen = [band for band in bands if (band.least >= HIGH) is high]
    rows = sum(band.rows for band in chosen)
    return Band(chosen[0].least, rows, round(sum(band.rows * band.right for band in chosen) / rows, 4))
