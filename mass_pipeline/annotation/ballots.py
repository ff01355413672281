"""When do the answers to one question become a label? One rule, used while people vote and when labels are read.

No storage and no estimation of skill here: a ballot brings the accuracy of its voter along (skill).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER, State
from mass_pipeline.model.columns import LABELS
from mass_pipeline.web_common.origins import period_of

# Before any answer: half of the hours that the page filter lets through are Masses; few are called off.
PRIOR: Final[dict[str, float]] = {"mass": 0.475, "not_mass": 0.475, "cancelled": 0.05}
# Whoever errs says yes for no and no for yes; cancelled is taken for another in one error of five.
CANCELLED_AMONG_ERRORS: Final = 0.2
LEAST_ACCURACY: Final = 0.5  # a voter who is mostly wrong is ignored, never read backwards
MOST_ACCURACY: Final = 0.97  # cap of one voter's weight (hazard W11)
FIRST_ACCURACY: Final = 0.8  # of a voter without record: below the 0.9 of honest ones in the simulation
TRUSTED_ACCURACY: Final = 0.95


@dataclass(frozen=True, slots=True)
class Ballot:
    """One counted answer.

    Attributes:
        answer: word of `vocabulary.ANSWERS`.
        origin: token of the voter's network; answers of one network on one item count as one together.
        accuracy: estimated share of right answers of its voter, None before any estimate.
        share: 0 to 1, how far the cap of its network lets it count.
        is_trusted: the operator vouches for the voter.
        is_proven: the voter has a record of enough compared answers.
    """

    answer: str
    origin: str
    accuracy: float | None = None
    share: float = 1.0
    is_trusted: bool = False
    is_proven: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the ballots on one item say.

    Attributes:
        label: the most probable label, None without an informative answer.
        probability: of that label, 0 to 1.
        is_settled: probable enough and backed by enough independent networks.
        agreement: share of informative ballots that gave the label, 0 to 1.
        n_origins: networks behind the label that are certainly distinct.
    """

    label: str | None
    probability: float
    is_settled: bool
    agreement: float
    n_origins: int


NOTHING: Final = Verdict(None, 0.0, False, 0.0, 0)


def error_probability(accuracy: float, answered: str, true: str) -> float:
    """Probability that a voter of this accuracy answers the label `answered` when `true` is right.

    >>> round(sum(error_probability(0.8, answered, "mass") for answered in LABELS), 6)
    1.0
    """
    if answered == true:
        return accuracy
    if true == "cancelled":
        return (1.0 - accuracy) / 2.0
    return (1.0 - accuracy) * (CANCELLED_AMONG_ERRORS if answered == "cancelled" else 1.0 - CANCELLED_AMONG_ERRORS)


def judge(ballots: Sequence[Ballot], config: AnnotationConfig) -> Verdict:
    """The verdict of the counted ballots on one item, in any order; `NOTHING` when none says yes, no or cancelled."""
    informative = [ballot for ballot in ballots if ballot.answer in LABEL_OF_ANSWER]
    if not informative:
        return NOTHING
    same_origin = Counter(ballot.origin for ballot in informative)
    scores = {label: math.log(PRIOR[label]) for label in LABELS}
    for ballot in informative:
        weight = 1.0 if ballot.is_trusted else ballot.share / same_origin[ballot.origin]
        answered, accuracy = LABEL_OF_ANSWER[ballot.answer], clipped_accuracy(ballot)
        for label in LABELS:
            scores[label] += weight * math.log(error_probability(accuracy, answered, label))
    label, probability = _best(scores)
    supporters = [ballot for ballot in informative if LABEL_OF_ANSWER[ballot.answer] == label]
    return Verdict(
        label=label,
        probability=probability,
        is_settled=probability >= config.accept_probability and _independent(supporters, config),
        agreement=len(supporters) / len(informative),
        n_origins=_networks(supporters),
    )


def clipped_accuracy(ballot: Ballot) -> float:
    """Accuracy with which a ballot counts."""
    if ballot.accuracy is None:
        return TRUSTED_ACCURACY if ballot.is_trusted else FIRST_ACCURACY
    return min(max(ballot.accuracy, LEAST_ACCURACY), MOST_ACCURACY)


def _best(scores: dict[str, float]) -> tuple[str, float]:
    label = max(LABELS, key=lambda name: scores[name])
    total = sum(math.exp(score - scores[label]) for score in scores.values())
    return label, 1.0 / total


def _independent(supporters: Iterable[Ballot], config: AnnotationConfig) -> bool:
    """Two voters whom the operator trusts, two networks of proven ones, or enough networks of whomever."""
    supporters = list(supporters)
    if sum(ballot.is_trusted for ballot in supporters) >= 2:
        return True
    if _networks(ballot for ballot in supporters if ballot.is_proven) >= 2:
        return True
    return _networks(supporters) >= config.independent_origins


def _networks(supporters: Iterable[Ballot]) -> int:
    """Networks that are certainly distinct: those of one key period, as the same network has another token in the next one."""
    of_period: dict[str, set[str]] = {}
    for ballot in supporters:
        of_period.setdefault(period_of(ballot.origin), set()).add(ballot.origin)
    return max((len(origins) for origins in of_period.values()), default=0)


def next_state(verdict: Verdict, n_votes: int, n_unknown: int, wanted: int, config: AnnotationConfig) -> tuple[State, int]:
    """State of an item and how many answers it wants now.

    Early agreement settles it; disagreement asks one more person at a time up to `max_overlap`; then, or when most cannot
    tell, it goes to the operator.
    """
    if verdict.is_settled:
        return "settled", wanted
    if n_unknown >= config.overlap and 2 * n_unknown > n_votes:
        return "disputed", wanted
    if n_votes < wanted:
        return "open", wanted
    if n_votes >= config.max_overlap:
        return "disputed", wanted
    return "open", n_votes + 1
