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
    # Orders are told in sentences, or stand below words that lead to something else; both together is strange. So is a list,
    # however plain, that is headed by something else than an order: whose it is nothing says; and so is a sentence that leads
    # to hours in words of its own, though the page be named after Masses.
    strange = log1p(max(min(row.strange_line, row.strange_heading), row.strange_before, row.strange_title))
    return {
        "constant": 1.0,
        "words": log(words / (1 - words)),
        "score": min(row.score, _PLAIN_SCORE) - _PLAIN_SCORE,
        "strange": strange,
        "own_named": own,
        "stated_though_strange": own * row.stated * strange,  # "in our church Masses are celebrated", in whatever story
        "pages": log(max(1, row.pages)),
        "elsewhere": float(row.elsewhere),
        "agreed": float(row.agreed and not strange),  # it knows single hours, not whose they are
        "objections": log1p(row.objections),
        "years_behind": log1p(row.years_behind),
    }


# `python -m mass_pipeline_tests.benchmarks.calibration`: fitted to one half of the sites of the labelled and written sets.
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constant": 2.365,
        "words": 0.374,
        "score": 1.071,
        "strange": -5.891,
        "own_named": 0.161,
        "stated_though_strange": 5.821,
        "pages": 0.067,
        "elsewhere": -0.517,
        "agreed": 0.771,
        "objections": -9.275,
        "years_behind": -0.101,
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
