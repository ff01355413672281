"""Names shared by the learning part: classes of an hour, and what it reads of a candidate. No logic beyond look-ups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.reading.text.candidates import CandidateHour

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

# What an hour can be. `standing` and `dated` are Masses that take place; only `standing` belongs to the schedule.
CLASSES: Final = ("standing", "dated", "cancelled", "other")
STANDING: Final = CLASSES.index("standing")
DATED: Final = CLASSES.index("dated")
CANCELLED: Final = CLASSES.index("cancelled")
OTHER: Final = CLASSES.index("other")

# Columns of candidate_hours the classifier may see. `rule_reading` is left out on purpose: rule positives are training
# labels, and a model that sees the answer learns nothing else (docs/classifier.md).
TEXT_COLUMNS: Final = ("left", "right", "heading", "day_scope")
INPUT_COLUMNS: Final = ("time", "raw", *TEXT_COLUMNS, "block", "list_index", "page_score")


def is_mass_probability(probabilities: Floats) -> Floats:
    """Probability that the hour is a Mass that takes place, standing or dated: the annotator's question.

    Args:
        probabilities: `(n, 4)` in the order of `CLASSES`.

    Returns:
        `(n,)`.
    """
    total: Floats = probabilities[:, STANDING] + probabilities[:, DATED]
    return total


def standing_probability(probabilities: Floats) -> Floats:
    """Probability that the hour belongs to the standing schedule: `(n,)` of `(n, 4)`."""
    column: Floats = probabilities[:, STANDING]
    return column


def frame_of(hours: Iterable[CandidateHour]) -> pd.DataFrame:
    """Candidate hours as a frame with the columns of candidate_hours; an empty one keeps them."""
    return pd.DataFrame([hour.as_row() for hour in hours], columns=CANDIDATE_HOURS.names)


def texts_of(column: pd.Series) -> list[str]:
    """The texts of a column in order; "" where it is null."""
    return [text if isinstance(text, str) else "" for text in column.tolist()]
