"""How sure a published row of the schedule is: one logistic model over what speaks for it.

Published confidence 0.9 must mean right nine times in ten. Belongs: the model. Not here: which rows are published
(combine), and how it is fitted (benchmarks).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from mass_pipeline.classification.calibration import logit, sigmoid
from mass_pipeline.classification.schema import Floats

# Order of the coefficients. `rules`: log-odds of the rules' own confidence, 0 when they were silent; `hour`: log-odds of
# the hour's probability, 0 when unknown; `pages`: log of the number of agreeing pages.
TERMS: Final = ("constant", "rules", "hour", "pages", "classifier_only", "hour_unknown")


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Coefficients `(6,)` of the log-odds, in the order of `TERMS`."""

    coefficients: npt.NDArray[np.float64]

    def confidence(self, terms: Floats) -> Floats:
        """Probability that each row is right: `(n,)` of `(n, 6)` as `terms_of` builds them."""
        return sigmoid(terms @ self.coefficients)


# `python -m mass_pipeline_tests.benchmarks.confidence`: fitted to golden pages, written schedules and demo sites, none of them a
# real page; what it means there and on real pages: docs/classifier.md.
PRIOR: Final = ConfidenceModel(np.array([1.391, 0.664, 0.01, 1.134, 1.021, 0.064]))


def terms_of(rule_confidence: float | None, hour_probability: float | None, pages: int) -> Floats:
    """The terms of one row: `(6,)`.

    Args:
        rule_confidence: 0..1 as the rules gave it, None when they did not read the row.
        hour_probability: greatest probability of `standing` among its hours, None when no candidate belongs to it.
        pages: how many pages say it, at least 1.
    """
    return np.array(
        [
            1.0,
            0.0 if rule_confidence is None else float(logit(np.array(rule_confidence))),
            0.0 if hour_probability is None else float(logit(np.array(hour_probability))),
            float(np.log(max(pages, 1))),
            float(rule_confidence is None),
            float(hour_probability is None),
        ]
    )
