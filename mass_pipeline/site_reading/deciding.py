"""One decided schedule of a site: the rules' reading with the classifier's word on every hour. No files, no tables of a lake."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from mass_pipeline.classification.model import Trained
from mass_pipeline.extraction.candidates import find_candidates
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.schedule_grammar import PageReading
from mass_pipeline.site_reading.combine import Policy, final_schedule


def candidates_of(readings: Iterable[PageReading], site: str) -> pd.DataFrame:
    """Candidate hours of the pages of one site, with the columns of candidate_hours; an empty frame keeps them.

    Args:
        site: goes into `parish_id`.
    """
    rows = []
    for reading in readings:
        standing = {place: verdict.mass for place, verdict in reading.verdicts.items() if verdict.mass is not None}
        rows.extend(find_candidates(reading.document, parish_id=site, page_score=reading.score, readings=standing))
    names = CANDIDATE_HOURS.names
    return pd.DataFrame([{column: getattr(row, column) for column in names} for row in rows], columns=names)


def judged(schedule: SiteSchedule, candidates: pd.DataFrame, model: Trained | None) -> SiteSchedule:
    """What the rules read of a site, completed and corrected by the classifier; unchanged without one.

    Args:
        candidates: candidate hours of the same site, columns of candidate_hours.
    """
    if model is None:
        return schedule
    return final_schedule(schedule, candidates, model.predict_proba(candidates), policy=Policy.of(model))
