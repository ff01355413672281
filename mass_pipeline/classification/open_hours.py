"""The classifier's word on single hours: it decides those that the rules leave open.

Belongs: verdicts about hours. Not here: the schedule they make (combine), the rules' decisions (extraction.decisions).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from mass_pipeline.classification.combine import Policy
from mass_pipeline.classification.model import Trained
from mass_pipeline.classification.schema import standing_probability
from mass_pipeline.extraction.decisions import HourDecision
from mass_pipeline.model.columns import CANDIDATE_HOURS


def decide_open_hours(
    decided: Sequence[Sequence[HourDecision]], model: Trained, policy: Policy | None = None
) -> list[list[HourDecision]]:
    """Complete the rules' decisions about the hours of a site.

    Args:
        decided: for each page its hours in order, as `extraction.decisions.decide_hours` gives them.
        model: the classifier.
        policy: thresholds; those of the model when None.

    Returns:
        The same shape. An open hour is a Mass from `policy.accept` on and its score is the classifier's; what the rules
        accept stays a Mass, with a score that both raise; what they know to be something else stays so.
    """
    rule = policy or Policy.of(model)
    rows = [
        {name: getattr(decision.hour, name) for name in CANDIDATE_HOURS.names} for decisions in decided for decision in decisions
    ]
    frame = pd.DataFrame(rows, columns=CANDIDATE_HOURS.names)
    chances = iter(standing_probability(model.predict_proba(frame)).tolist())
    return [[_judged(decision, next(chances), rule) for decision in decisions] for decisions in decided]


def _judged(decision: HourDecision, standing: float, policy: Policy) -> HourDecision:
    if decision.is_mass:
        return replace(decision, score=1.0 - (1.0 - decision.score) * (1.0 - standing))
    if decision.is_open:
        return replace(decision, is_mass=standing >= policy.accept, score=standing)
    return decision
