"""The probability that a row is right, calibrated on pages it was not fitted to, and the threshold of publication.

Fit and reliability: `python -m mass_pipeline_tests.benchmarks.calibration`, docs/confidence.md. Not here: the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log, log1p
from types import MappingProxyType
from typing import Final

from mass_pipeline.site_reading.belonging.features import RowEvidence

# Least probability at which a row is published; docs/confidence.md tells precision and share withheld at others.
PUBLISH_FROM: Final = 0.7
_NEAR: Final = 0.005  # from 0 and 1, of what is read surely
_MOST: Final = 0.995  # nothing read by a machine is surer
_LEAST: Final = 0.005
_PLAIN_SCORE: Final = 1.0
_PLAIN_WORDS: Final = 0.95  # confidence of words that admit one reading (schedule_grammar.resolving.assembly)


def terms_of(row: RowEvidence) -> dict[str, float]:
    """The terms of the log-odds, by name; all but `constant` are 0 for a plain row that nothing is known of."""
    words = min(1 - _NEAR, max(_NEAR, row.words))
    own = float(row.own_named)
    # Orders without a heading are often told in a sentence, and plain lists stand under any heading; both together is strange.
    strange = log1p(min(row.strange_line, row.strange_heading))
    return {
        "constant": 1.0,
        "words": log(words / (1 - words)),
        "score": min(row.score, _PLAIN_SCORE) - _PLAIN_SCORE,
        "strange": strange,
        "own_named": own,
        "own_though_strange": own * strange,
        "pages": log(max(1, row.pages)),
        "elsewhere": float(row.elsewhere),
        "agreed": float(row.agreed and not strange),  # it knows single hours, not whose they are
        "objections": log1p(row.objections),
        "years_behind": log1p(row.years_behind),
    }


# `python -m mass_pipeline_tests.benchmarks.calibration`: fitted to one half of the sites of the labelled and written sets.
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constant": 0.83,
        "words": 0.788,
        "score": 0.321,
        "strange": -4.726,
        "own_named": 0.727,
        "own_though_strange": 4.557,
        "pages": 0.0,
        "elsewhere": -0.62,
        "agreed": 0.706,
        "objections": -9.863,
        "years_behind": 0.0,
    }
)


def probability(row: RowEvidence, weights: Mapping[str, float] = WEIGHTS) -> float:
    """How probably a row is right, 0.005 to 0.995."""
    odds = sum(weights.get(name, 0.0) * value for name, value in terms_of(row).items())
    return min(_MOST, max(_LEAST, 1 / (1 + exp(-max(-30.0, min(30.0, odds))))))


def reasons_against(row: RowEvidence, weights: Mapping[str, float] = WEIGHTS) -> tuple[str, ...]:
    """The named evidence that lowers a row most, strongest first; at least one, for a person to judge by."""
    plain = terms_of(RowEvidence(_PLAIN_WORDS))
    said = {name: weights.get(name, 0.0) * (value - plain[name]) for name, value in terms_of(row).items() if name in _SAYS}
    lowering = sorted((name for name in said if said[name] < -_WORTH_TELLING), key=lambda name: said[name])
    return tuple(_SAYS[name] for name in lowering[:2]) or ("little speaks for it",)


_WORTH_TELLING: Final = 0.2
_SAYS: Final = {
    "words": "its words admit another reading",
    "score": "the notice hardly looks like a standing order",
    "strange": "heading and lines tell of something else than an order",
    "elsewhere": "it is said of another place",
    "objections": "something speaks against its notice",
    "years_behind": "the page names no year of late",
}
