"""The classifier's word on single hours: it decides those that the rules leave open, page by page.

A page on which it finds times that the site's schedule does not know is believed in nothing: such pages list neighbouring
parishes or tell of other dates. A site without any schedule is left to the classifier.

Belongs: verdicts about hours. Not here: the schedule they make (combine), the rules' decisions (decisions).
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from typing import Final

import pandas as pd

from mass_pipeline.classification.model import Trained
from mass_pipeline.classification.schema import standing_probability
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.site_reading.combine import Policy
from mass_pipeline.site_reading.decisions import HourDecision

_AGREEING_SHARE: Final = 0.8  # of a page's accepted open hours; the same share by which a part of a page repeats the schedule


def decide_open_hours(
    decided: Sequence[Sequence[HourDecision]], model: Trained, policy: Policy | None = None
) -> list[list[HourDecision]]:
    """Complete the rules' decisions about the hours of a site.

    Args:
        decided: for each page its hours in order, as `decisions.decide_hours` gives them.
        model: the classifier.
        policy: thresholds; those of the model when None.

    Returns:
        The same shape. An open hour is a Mass from `policy.open_hour` on, on pages that agree with the site's schedule; its
        score is the classifier's. What the rules accept stays a Mass, with a score that both raise; what they know to be
        something else stays so.
    """
    rule = policy or Policy.of(model)
    rows = [
        {name: getattr(decision.hour, name) for name in CANDIDATE_HOURS.names} for decisions in decided for decision in decisions
    ]
    frame = pd.DataFrame(rows, columns=CANDIDATE_HOURS.names)
    chances = iter(standing_probability(model.predict_proba(frame)).tolist())
    standing = [[next(chances) for _ in decisions] for decisions in decided]
    times = {decision.hour.time for decisions in decided for decision in decisions if decision.is_mass}
    return [_judged_page(page, scores, times, rule.open_hour) for page, scores in zip(decided, standing, strict=True)]


def _judged_page(page: Sequence[HourDecision], standing: Sequence[float], times: Set[str], accept: float) -> list[HourDecision]:
    found = [d.hour.time for d, chance in zip(page, standing, strict=True) if d.is_open and not d.is_mass and chance >= accept]
    agrees = not times or sum(time in times for time in found) >= _AGREEING_SHARE * len(found)
    return [_judged(decision, chance, accept, agrees) for decision, chance in zip(page, standing, strict=True)]


def _judged(decision: HourDecision, standing: float, accept: float, agrees: bool) -> HourDecision:
    if decision.is_mass:
        return replace(decision, score=1.0 - (1.0 - decision.score) * (1.0 - standing))
    if decision.is_open and agrees:
        return replace(decision, is_mass=standing >= accept, score=standing)
    return decision
