"""The probability that a row is right by the evidence of the rules alone, and the threshold of publication.

Fit and reliability: `python -m mass_pipeline_tests.benchmarks.calibration`, docs/confidence.md. Not here: the evidence, and the
classifier's word on rows (samples).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, log1p
from types import MappingProxyType
from typing import Final

from mass_pipeline.site_reading.ownership.features import RowEvidence, strangest

# Least probability at which a row is published; docs/confidence.md tells precision and share withheld at others.
PUBLISH_FROM: Final = 0.7
_NEAR: Final = 0.005  # from 0 and 1, of what is read surely
MOST: Final = 0.995  # nothing read by a machine is surer
LEAST: Final = 0.005
_AT_HOME: Final = 0.35  # how much strange words count there; swept 0.25 to 1 (docs/confidence.md)
_BESIDE_PLAIN: Final = 0.3  # and beside rows in plain words: all ten such rows of the labelled and written sets are right
HARDLY: Final = 0.5  # below it hardly a word is strange
_PLAIN_SCORE: Final = 1.0
UNEXPLAINED: Final = (
    0.6  # of the probability is left where words are unexplained; below `PUBLISH_FROM` whatever else speaks for it
)
_CONTRADICTED: Final = 0.3  # least weight of contradicting orders that counts: below, they are remains of older ones
PLAIN_WORDS: Final = 0.95  # confidence of words that admit one reading (reading.validity.assembly)


def terms_of(row: RowEvidence) -> dict[str, float]:
    """The terms of the log-odds, by name; all but `constant` are 0 for a plain row that nothing is known of."""
    words = min(1 - _NEAR, max(_NEAR, row.words))
    own = float(row.own_named)
    # What stands on a page that presents nothing but the parish is the parish's own, so long as little speaks against it.
    # So is a chapel with a season of its own below the plain order of the parish.
    counted = (_AT_HOME if row.home else 1.0) * (_BESIDE_PLAIN if row.beside_plain else 1.0)
    weighed = strangest(row) * counted
    strange = log1p(weighed)
    unsaid = not (row.own_named and row.stated)
    return {
        "constant": 1.0,
        "words": log(words / (1 - words)),
        "score": min(row.score, _PLAIN_SCORE) - _PLAIN_SCORE,
        "strange": strange,
        "strange_at_all": float(weighed >= HARDLY and unsaid),  # a first strange word says more than a second
        "strange_twice": log1p(min(row.strange_line, row.strange_title) * counted)
        * unsaid,  # what heads the hours, and their lines too
        "own_named": own,
        "stated_though_strange": own * row.stated * strange,  # "in our church Masses are celebrated", in whatever story
        "objections": log1p(row.objections),
    }


# `python -m mass_pipeline_tests.benchmarks.calibration`: fitted to labelled real pages, thrice, real strings and written sets.
WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "constant": 4.217,
        "words": 0.209,
        "score": 2.178,
        "strange": -2.063,
        "strange_at_all": -3.442,
        "strange_twice": -5.87,
        "own_named": 0.304,
        "stated_though_strange": 1.196,
        "objections": -9.385,
    }
)


def surest(row: RowEvidence) -> float:
    """The probability of the reading of its words: no row is surer."""
    return max(LEAST, min(MOST, row.words / PLAIN_WORDS))


def probability(row: RowEvidence, weights: Mapping[str, float] = WEIGHTS) -> float:
    """How probably a row is right, 0.005 to 0.995."""
    odds = sum(weights.get(name, 0.0) * value for name, value in terms_of(row).items())
    known = min(MOST, max(LEAST, 1 / (1 + exp(-max(-30.0, min(30.0, odds))))))
    known *= UNEXPLAINED if row.unexplained and not row.by_places else 1.0
    return known * (1.0 - row.contradicted) if is_contradicted(row) else known


def is_contradicted(row: RowEvidence) -> bool:
    """Whether another order of the site, as likely the present one, lacks the row."""
    return row.contradicted >= _CONTRADICTED


def reasons_against(row: RowEvidence, weights: Mapping[str, float] = WEIGHTS) -> tuple[str, ...]:
    """The named evidence that lowers a row most, strongest first; at least one, for a person to judge by."""
    plain = terms_of(RowEvidence(PLAIN_WORDS))
    said: dict[str, float] = {}
    for name, value in terms_of(row).items():
        named = _TOLD_AS.get(name, name)
        if named in _SAYS:
            said[named] = said.get(named, 0.0) + weights.get(name, 0.0) * (value - plain[name])
    lowering = sorted((name for name in said if said[name] < -_WORTH_TELLING), key=lambda name: said[name])
    unexplained = (unexplained_reason(row.unexplained),) if row.unexplained and not row.by_places else ()
    contradicted = (CONTRADICTED_REASON,) if is_contradicted(row) else ()
    return (*unexplained, *contradicted, *(_SAYS[name] for name in lowering[:2])) or ("little speaks for it",)


def unexplained_reason(words: Sequence[str]) -> str:
    """The reason for which a row waits that rests on unexplained words.

    Args:
        words: masked.
    """
    return f"no rule accounts for {', '.join(f'„{word}”' for word in words[:_MOST_WORDS_NAMED])}"


_TOLD_AS: Final = {"strange_at_all": "strange", "strange_twice": "strange"}
WORDS_REASON: Final = "its words admit another reading"
CONTRADICTED_REASON: Final = "the site states other times too"
_WORTH_TELLING: Final = 0.2
_MOST_WORDS_NAMED: Final = 3
_SAYS: Final = {
    "words": WORDS_REASON,
    "score": "the notice hardly looks like a standing order",
    "strange": "heading and lines tell of something else than an order",
    "objections": "something speaks against its notice",
}
