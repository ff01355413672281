"""Which hours people should label next: those the classifier knows least about, spread over parishes.

Pure: tables in, table out; loading them into the app's queue is the app's business (`mass-pipeline annotate load`).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.near_duplicates import duplicate_groups
from mass_pipeline.learning.schema import is_mass_probability

_PER_PARISH = 5  # more of one parish teaches its template, not the language
_SIMILARITY = 0.8


def next_to_label(candidates: pd.DataFrame, labelled: set[str], model: Trained, count: int) -> pd.DataFrame:
    """The next hours to ask people about.

    Args:
        candidates: table candidate_hours.
        labelled: candidate_ids that need no more votes.
        model: the classifier in use.
        count: how many at most.

    Returns:
        Columns of `candidates` and `probability` (that it is a Mass), the most uncertain first, at most five of one
        parish and one of each text that stands on several pages; fewer rows when there are no more.
    """
    open_rows = candidates[~candidates["candidate_id"].isin(labelled)].reset_index(drop=True)
    if not len(open_rows):
        return open_rows.assign(probability=pd.Series(dtype=np.float64))
    probability = is_mass_probability(model.predict_proba(open_rows))
    ranked = open_rows.assign(probability=probability, distance=np.abs(probability - 0.5))
    ranked = ranked.sort_values(["distance", "candidate_id"], kind="stable", ignore_index=True)
    groups = duplicate_groups((ranked["left"] + "\n" + ranked["raw"] + "\n" + ranked["right"]).tolist(), _SIMILARITY)
    ranked = ranked[~pd.Series(groups).duplicated().to_numpy()]
    ranked = ranked[ranked.groupby("parish_id").cumcount() < _PER_PARISH]
    return ranked.drop(columns="distance").head(count).reset_index(drop=True)
