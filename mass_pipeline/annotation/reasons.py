"""Why a label is withheld, and what helps: a small team must not wonder why nothing of its work arrives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import pandas as pd

from mass_pipeline.annotation.config import AnnotationConfig

# In this order: the first that holds is the reason.
REMEDIES: Final[Mapping[str, str]] = {
    "nobody_could_tell": "Nobody could tell: look at the page and decide at the operator's desk, or leave it.",
    "too_few_answers": "More people are needed, or more trusted ones: of trusted people two agreeing answers are enough.",
    "too_few_networks": (
        "The answers come from too few networks that are certainly distinct (a team in one office counts as one, so does a "
        "provider's IPv6, and networks of different weeks are not told apart): make your own people trusted by an invitation "
        "of the operator's desk; two trusted people are enough, whatever their network."
    ),
    "disagreement": "People disagree: decide at the operator's desk (disputed).",
    "not_sure_enough": "Voters of short record agree: one more answer, a trusted one, or test questions that prove them.",
}


def reason_of(row: Mapping[str, object], config: AnnotationConfig) -> str:
    """A key of `REMEDIES` for one withheld row of `labels.aggregate`.

    >>> row = {"n_votes": 3, "n_unknown": 0, "n_origins": 1, "agreement": 1.0, "label": "mass"}
    >>> reason_of(row, AnnotationConfig())
    'too_few_networks'
    """
    n_votes, n_unknown = int(str(row["n_votes"])), int(str(row["n_unknown"]))
    if n_votes and n_unknown == n_votes:
        return "nobody_could_tell"
    if n_votes - n_unknown < min(2, config.overlap):
        return "too_few_answers"
    if float(str(row["agreement"])) < 1.0:
        return "disagreement"
    if int(str(row["n_origins"])) < config.independent_origins:
        return "too_few_networks"
    return "not_sure_enough" if n_votes >= config.overlap else "too_few_answers"


def withheld_reasons(labels: pd.DataFrame, config: AnnotationConfig) -> dict[str, int]:
    """Reason -> number of withheld labels, the most frequent first; empty when none is withheld.

    Args:
        labels: rows of `Store.all_labels`.
        config: thresholds of the campaign.
    """
    withheld = labels[labels["status"] == "withheld"]
    counts = Counter(reason_of({str(name): value for name, value in row.items()}, config) for row in withheld.to_dict("records"))
    return dict(counts.most_common())
