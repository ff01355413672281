"""When do the answers to one question become a label? One rule, used while people vote and when labels are read.

No storage and no estimation of skill here: a ballot brings the accuracy of its voter along (labels).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER, LABELS, SIDE_OF, SIDES, State
from mass_pipeline.web_common.origins import period_of

# Of the sides, before any answer: half of the hours that the page filter lets through are Masses; few are called off. Of 50 real
# rows that waited 47 were right; rows that other readings contradict are so less often.
PRIOR: Final[Mapping[str, Mapping[str, float]]] = {
    "hour": {"mass": 0.475, "not_mass": 0.475, "cancelled": 0.05},
    "row": {"right": 0.7, "wrong": 0.3},
}
# Whoever errs about an hour says yes for no and no for yes; cancelled is taken for another in one error of five.
CANCELLED_AMONG_ERRORS: Final = 0.2
LEAST_ACCURACY: Final = 0.5  # a voter who is mostly wrong is ignored, never read backwards
MOST_ACCURACY: Final = 0.93  # cap of one voter's weight (hazard W11): a record of a dozen answers flatters (docs/annotation.md)
FIRST_ACCURACY: Final = 0.8  # of a voter without record: below the 0.9 of honest ones in the simulation
TRUSTED_ACCURACY: Final = 0.95


@dataclass(frozen=True, slots=True)
class Ballot:
    """One counted answer.

    Attributes:
        answer: word of `vocabulary.ANSWERS`.
        origin: token of the voter's network; answers of one network on one item count as one together.
        accuracy: estimated share of right answers of its voter.
        share: 0 to 1, how far the cap of its network lets it count.
        is_trusted: the operator vouches for the voter.
        is_proven: the voter has a record of enough compared answers.
    """

    answer: str
    origin: str
    accuracy: float = FIRST_ACCURACY
    share: float = 1.0
    is_trusted: bool = False
    is_proven: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the ballots on one item say.

    Attributes:
        label: of the most probable side the one with the most weight, None without an informative answer.
        probability: of that side, 0 to 1.
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


def ballot_of(
    answer: str, origin: str, standing: str, accuracy: float | None, share: float, n_compared: int, config: AnnotationConfig
) -> Ballot:
    """A ballot with the record of its voter: accuracy (None before any estimate), share, and how many answers were compared."""
    known = FIRST_ACCURACY if accuracy is None else accuracy
    return Ballot(answer, origin, known, share, standing == "trusted", n_compared >= config.proven_votes)


def answer_probability(accuracy: float, answered: str, true: str, kind: str = "hour") -> float:
    """Probability that a voter of this accuracy takes the side `answered` when the side `true` is right.

    >>> [round(sum(answer_probability(0.8, answered, true, kind) for answered in SIDES[kind]), 6)
    ...  for kind, true in (("hour", "mass"), ("row", "wrong"))]
    [1.0, 1.0]
    """
    if answered == true:
        return accuracy
    if kind == "row":
        return 1.0 - accuracy
    if true == "cancelled":
        return (1.0 - accuracy) / 2.0
    return (1.0 - accuracy) * (CANCELLED_AMONG_ERRORS if answered == "cancelled" else 1.0 - CANCELLED_AMONG_ERRORS)


def judge(ballots: Sequence[Ballot], config: AnnotationConfig, kind: str = "hour") -> Verdict:
    """The verdict of the counted ballots on one item, in any order; `NOTHING` when each says that its voter cannot tell."""
    label_of, side_of = LABEL_OF_ANSWER[kind], SIDE_OF[kind]
    informative = [ballot for ballot in ballots if ballot.answer in label_of]
    if not informative:
        return NOTHING
    same_origin = Counter(ballot.origin for ballot in informative)
    scores = {side: math.log(PRIOR[kind][side]) for side in SIDES[kind]}
    weights = dict.fromkeys(LABELS[kind], 0.0)
    for ballot in informative:
        weight = 1.0 if ballot.is_trusted else ballot.share / same_origin[ballot.origin]
        label, accuracy = label_of[ballot.answer], clipped_accuracy(ballot)
        weights[label] += weight
        for side in scores:
            scores[side] += weight * math.log(answer_probability(accuracy, side_of[label], side, kind))
    side = max(scores, key=lambda name: scores[name])
    probability = 1.0 / sum(math.exp(score - scores[side]) for score in scores.values())
    supporters = [ballot for ballot in informative if side_of[label_of[ballot.answer]] == side]
    backing = [ballot for ballot in supporters if clipped_accuracy(ballot) > LEAST_ACCURACY]  # who is ignored backs nothing
    networks = _networks(backing)
    return Verdict(
        label=max((label for label in weights if side_of[label] == side), key=lambda label: weights[label]),
        probability=probability,
        is_settled=probability >= config.accept_probability and _independent(backing, config),
        agreement=len(supporters) / len(informative),
        n_origins=networks,
        n_people=max(networks, sum(ballot.is_trusted for ballot in backing)),
    )


def clipped_accuracy(ballot: Ballot) -> float:
    """Accuracy with which a ballot counts; whom the operator vouches for is believed until there is a record."""
    least = TRUSTED_ACCURACY if ballot.is_trusted and not ballot.is_proven else LEAST_ACCURACY
    return min(max(ballot.accuracy, least), TRUSTED_ACCURACY if ballot.is_trusted else MOST_ACCURACY)


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
