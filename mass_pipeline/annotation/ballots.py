"""When do the answers to one question become a label? One rule, used while people vote and when labels are read.

No storage and no estimation of skill here: a ballot brings the accuracy of its voter along (skill).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER, LABELS, SIDE_OF, State
from mass_pipeline.web_common.origins import period_of

# Before any answer: half of the hours that the page filter lets through are Masses; few are called off. Rows that wait are
# right more often than not.
PRIOR: Final[Mapping[str, Mapping[str, float]]] = {
    "hour": {"mass": 0.475, "not_mass": 0.475, "cancelled": 0.05},
    "row": {"yes": 0.5, "other": 0.2, "not_this_parish": 0.15, "no_mass": 0.15},
}
# Whoever errs about an hour says yes for no and no for yes; cancelled is taken for another in one error of five.
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
        probability: that the label decides rightly, 0 to 1.
        is_settled: probable enough and backed by enough independent networks.
        agreement: share of informative ballots that decide as the label does, 0 to 1.
        n_origins: networks of these ballots that are certainly distinct.
        n_people: people of these ballots who are certainly distinct: one of a network, and each whom the operator trusts.
    """

    label: str | None
    probability: float
    is_settled: bool
    agreement: float
    n_origins: int
    n_people: int = 0


NOTHING: Final = Verdict(None, 0.0, False, 0.0, 0)


def error_probability(accuracy: float, answered: str, true: str, kind: str = "hour") -> float:
    """Probability that a voter of this accuracy answers the label `answered` when `true` is right.

    >>> [round(sum(error_probability(0.8, answered, true, kind) for answered in LABELS[kind]), 6)
    ...  for kind, true in (("hour", "mass"), ("row", "other"))]
    [1.0, 1.0]
    """
    if answered == true:
        return accuracy
    if kind == "row" or true == "cancelled":
        return (1.0 - accuracy) / (len(LABELS[kind]) - 1)
    return (1.0 - accuracy) * (CANCELLED_AMONG_ERRORS if answered == "cancelled" else 1.0 - CANCELLED_AMONG_ERRORS)


def judge(ballots: Sequence[Ballot], config: AnnotationConfig, kind: str = "hour") -> Verdict:
    """The verdict of the counted ballots on one item, in any order; `NOTHING` when each says that its voter cannot tell."""
    label_of, side_of = LABEL_OF_ANSWER[kind], SIDE_OF[kind]
    informative = [ballot for ballot in ballots if ballot.answer in label_of]
    if not informative:
        return NOTHING
    same_origin = Counter(ballot.origin for ballot in informative)
    scores = {label: math.log(PRIOR[kind][label]) for label in LABELS[kind]}
    for ballot in informative:
        weight = 1.0 if ballot.is_trusted else ballot.share / same_origin[ballot.origin]
        answered, accuracy = label_of[ballot.answer], clipped_accuracy(ballot)
        for label in scores:
            scores[label] += weight * math.log(error_probability(accuracy, answered, label, kind))
    label, probability = _best(scores, side_of)
    supporters = [ballot for ballot in informative if side_of[label_of[ballot.answer]] == side_of[label]]
    networks = _networks(supporters)
    return Verdict(
        label=label,
        probability=probability,
        is_settled=probability >= config.accept_probability and _independent(supporters, config),
        agreement=len(supporters) / len(informative),
        n_origins=networks,
        n_people=max(networks, sum(ballot.is_trusted for ballot in supporters)),
    )


def clipped_accuracy(ballot: Ballot) -> float:
    """Accuracy with which a ballot counts."""
    if ballot.accuracy is None:
        return TRUSTED_ACCURACY if ballot.is_trusted else FIRST_ACCURACY
    return min(max(ballot.accuracy, LEAST_ACCURACY), MOST_ACCURACY)


def _best(scores: Mapping[str, float], side_of: Mapping[str, str]) -> tuple[str, float]:
    """The most probable label of the most probable side, and the probability of that side."""
    most = max(scores.values())
    weights = {label: math.exp(score - most) for label, score in scores.items()}
    sides: dict[str, float] = {}
    for label, weight in weights.items():
        sides[side_of[label]] = sides.get(side_of[label], 0.0) + weight
    side = max(sides, key=lambda name: sides[name])
    return max((name for name in scores if side_of[name] == side), key=lambda name: scores[name]), sides[side] / sum(
        weights.values()
    )


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
