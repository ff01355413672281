"""All votes at once: how often each voter is right, and the label of each item.

Skill is a Dawid-Skene estimate with one accuracy per voter, drawn towards that of its network.

Unlimited cookies behind few networks cannot hide: a voter with few answers is judged by the company it keeps, and the votes
of one network count together at most with a fixed share.
Source: Dawid & Skene 1979 (EM); hazard W11 (caps).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from mass_pipeline.annotation.ballots import (
    FIRST_ACCURACY,
    LEAST_ACCURACY,
    MOST_ACCURACY,
    PRIOR,
    TRUSTED_ACCURACY,
    Ballot,
    answer_probability,
    ballot_of,
    judge,
)
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.vocabulary import KINDS, LABEL_OF_ANSWER, SIDE_OF, SIDES

COLUMNS: Final = {
    "candidate_id": "str",
    "kind": "str",
    "label": "str",
    "status": "str",
    "n_votes": "int64",
    "n_unknown": "int64",
    "weight": "float64",
    "agreement": "float64",
    "n_origins": "int64",
    "n_people": "int64",
}
VOTE_COLUMNS: Final = ("candidate_id", "voter_id", "answer", "origin", "standing", "kind")
ROUNDS: Final = 25  # changes fall below 1e-3 after about ten in the campaign simulation
ORIGIN_STRENGTH: Final = 6.0  # pseudo-answers of the prior behind a network's accuracy
VOTER_STRENGTH: Final = 8.0  # pseudo-answers of the network behind a voter's accuracy

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

# Sides of all kinds next to each other: an item has those of its own kind, the others are impossible for it.
_STATES: Final = tuple((kind, side) for kind in KINDS for side in SIDES[kind])
# (answered, true): probability of an answer of who is always right, and of who never is; 1 where both are of different kinds.
_RIGHT, _WRONG = (
    np.array([[answer_probability(sure, a, t, kind) if kind == of else 1.0 for of, t in _STATES] for kind, a in _STATES])
    for sure in (1.0, 0.0)
)
_PRIOR: Final = {kind: np.array([PRIOR[of][side] if of == kind else 0.0 for of, side in _STATES]) for kind in KINDS}


@dataclass(frozen=True, slots=True)
class VoterSkill:
    """What is known of one voter.

    Attributes:
        accuracy: estimated share of right answers, 0 to 1.
        share: how far the cap of its networks lets its votes count, 0 to 1.
        n_compared: answers to items that others answered too, or whose answer is known.
    """

    accuracy: float
    share: float
    n_compared: int


NEWCOMER: Final = VoterSkill(FIRST_ACCURACY, 1.0, 0)
Vote = tuple[str, str, str, str, str]  # voter, answer, origin, standing, kind of the item


def aggregate(votes: pd.DataFrame, known: Mapping[str, str], config: AnnotationConfig) -> pd.DataFrame:
    """One label per item that somebody answered.

    Args:
        votes: columns `VOTE_COLUMNS`, one row per vote. Answers of banned voters are not counted.
        known: candidate_id -> label decided by the operator; it wins over every vote.
        config: thresholds.

    Returns:
        One row per candidate_id with a counted vote or a decision, sorted by it: kind ("" without a vote), label (of that kind;
        "" when nobody could tell), status (published, withheld, decided), n_votes (counted), n_unknown (of them), weight (0 to
        1, probability of the label), agreement (share of informative votes that decide the same), n_origins and n_people
        (networks and people of these who are certainly distinct). Empty frame with the same columns without any.
    """
    skills = estimate_skills(votes, known, config)
    groups = counted_votes(votes)
    rows = [_row(candidate, group, skills, known, config) for candidate, group in groups.items()]
    rows += [
        (candidate, "", label, "decided", 0, 0, 1.0, 0.0, 0, 0) for candidate, label in known.items() if candidate not in groups
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS).sort_values("candidate_id", ignore_index=True)


def counted_votes(votes: pd.DataFrame) -> dict[str, list[Vote]]:
    """Item -> its votes but for those of banned voters."""
    groups: dict[str, list[Vote]] = {}
    for candidate, *vote in votes.loc[votes["standing"] != "banned", list(VOTE_COLUMNS)].itertuples(index=False):
        groups.setdefault(candidate, []).append(tuple(vote))
    return groups


def ballots_of(votes: Iterable[Vote], skills: Mapping[str, VoterSkill], config: AnnotationConfig) -> list[Ballot]:
    """Votes as ballots, with what is known of their voters."""
    return [
        ballot_of(answer, origin, standing, skill.accuracy, skill.share, skill.n_compared, config)
        for voter, answer, origin, standing, _ in votes
        for skill in (skills.get(voter, NEWCOMER),)
    ]


def _row(
    candidate: str,
    votes: Sequence[Vote],
    skills: Mapping[str, VoterSkill],
    known: Mapping[str, str],
    config: AnnotationConfig,
) -> tuple[object, ...]:
    kind, ballots = votes[0][-1], ballots_of(votes, skills, config)
    label_of, side_of = LABEL_OF_ANSWER[kind], SIDE_OF[kind]
    verdict = judge(ballots, config, kind)
    labels = [label_of[ballot.answer] for ballot in ballots if ballot.answer in label_of]
    if candidate in known:
        label, status, weight = known[candidate], "decided", 1.0
        agreement = sum(side_of[given] == side_of[label] for given in labels) / len(labels) if labels else 0.0
    else:
        label, status = verdict.label or "", "published" if verdict.is_settled else "withheld"
        weight, agreement = verdict.probability, verdict.agreement
    n_unknown = len(ballots) - len(labels)
    return (candidate, kind, label, status, len(ballots), n_unknown, weight, agreement, verdict.n_origins, verdict.n_people)


def estimate_skills(votes: pd.DataFrame, known: Mapping[str, str], config: AnnotationConfig) -> dict[str, VoterSkill]:
    """Accuracy of every voter who gave an informative answer.

    Args:
        votes: columns candidate_id, voter_id, answer, origin, standing, kind; one row per vote.
        known: candidate_id -> label of gold items and of the operator's decisions.
        config: caps.

    Returns:
        voter_id -> skill; empty without votes.
    """
    informative = votes[[answer in LABEL_OF_ANSWER[kind] for answer, kind in zip(votes["answer"], votes["kind"], strict=True)]]
    if informative.empty:
        return {}
    table = _Table.of(informative, known, config)
    accuracy = _iterate(table)
    compared = np.bincount(table.voter, weights=table.is_compared, minlength=len(table.voters)).astype(int)
    n_votes = np.bincount(table.voter, minlength=len(table.voters))
    share = np.bincount(table.voter, weights=table.share, minlength=len(table.voters)) / n_votes
    return {str(voter): VoterSkill(float(accuracy[i]), float(share[i]), int(compared[i])) for i, voter in enumerate(table.voters)}


@dataclass(frozen=True, slots=True)
class _Table:
    """Votes as arrays of equal length, and what is fixed about items."""

    item: Indices
    voter: Indices
    origin: Indices
    answer: Indices
    share: Floats
    weight: Floats
    is_compared: Floats
    least: Floats  # accuracy with which it counts at least (ballots.clipped_accuracy)
    voters: npt.NDArray[np.object_]
    fixed: Floats  # (n_items, n_states): 1 where the answer is known, else 0
    prior: Floats  # (n_items, n_states): logarithms
    n_origins: int

    @classmethod
    def of(cls, votes: pd.DataFrame, known: Mapping[str, str], config: AnnotationConfig) -> _Table:
        item, candidates = pd.factorize(votes["candidate_id"], sort=True)
        voter, voters = pd.factorize(votes["voter_id"], sort=True)
        origin, origins = pd.factorize(votes["origin"], sort=True)
        kinds = votes["kind"].to_numpy(dtype=object)
        states = [_state(kind, LABEL_OF_ANSWER[kind][word]) for kind, word in zip(kinds, votes["answer"], strict=True)]
        answer = np.array(states, dtype=np.intp)
        kind_of = dict(zip(votes["candidate_id"], kinds, strict=True))
        trusted = (votes["standing"] == "trusted").to_numpy()
        banned = (votes["standing"] == "banned").to_numpy()
        share = np.where(trusted, 1.0, _origin_shares(origin, len(origins), config)[origin])
        _, pair, pair_size = np.unique(item * len(origins) + origin, return_inverse=True, return_counts=True)
        fixed = np.zeros((len(candidates), len(_STATES)))
        for row, candidate in enumerate(candidates):
            if candidate in known:
                fixed[row, _state(kind_of[candidate], known[candidate])] = 1.0
        with np.errstate(divide="ignore"):
            prior = np.log(np.array([_PRIOR[kind_of[candidate]] for candidate in candidates]))
        n_votes = np.bincount(item, minlength=len(candidates))
        is_compared = ((n_votes > 1) | (fixed.sum(axis=1) > 0))[item].astype(float)
        is_proven = np.bincount(voter, weights=is_compared, minlength=len(voters)) >= config.proven_votes
        least = np.where(trusted & ~is_proven[voter], TRUSTED_ACCURACY, LEAST_ACCURACY)
        weight = np.where(banned, 0.0, np.where(trusted, 1.0, share / pair_size[pair]))
        return cls(item, voter, origin, answer, share, weight, is_compared, least, np.asarray(voters), fixed, prior, len(origins))


def _state(kind: str, label: str) -> int:
    return _STATES.index((kind, SIDE_OF[kind][label]))


def _origin_shares(origin: Indices, n_origins: int, config: AnnotationConfig) -> Floats:
    counts = np.bincount(origin, minlength=n_origins)
    cap = max(float(config.origin_floor), config.origin_share * len(origin))
    return np.minimum(1.0, cap / np.maximum(counts, 1))


def _iterate(table: _Table) -> Floats:
    accuracy = np.full(len(table.voters), FIRST_ACCURACY)
    for _ in range(ROUNDS):
        right = _posterior(table, accuracy)[table.item, table.answer] * table.is_compared
        accuracy = _accuracies(table, right)
    return accuracy


def _posterior(table: _Table, accuracy: Floats) -> Floats:
    """(n_items, n_states): probability of each side."""
    clipped = np.maximum(table.least, np.minimum(accuracy[table.voter], MOST_ACCURACY))
    scores = table.prior.copy()
    for column in range(len(_STATES)):
        slope = clipped * _RIGHT[table.answer, column] + (1.0 - clipped) * _WRONG[table.answer, column]
        scores[:, column] += np.bincount(table.item, weights=table.weight * np.log(slope), minlength=len(table.fixed))
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    scores /= scores.sum(axis=1, keepdims=True)
    is_fixed = table.fixed.sum(axis=1, keepdims=True) > 0
    return np.where(is_fixed, table.fixed, scores)


def _accuracies(table: _Table, right: Floats) -> Floats:
    """Voter's accuracy, drawn towards its networks' mean, which is drawn towards the first accuracy."""
    n_voters = len(table.voters)
    origin_right = np.bincount(table.origin, weights=right, minlength=table.n_origins)
    origin_votes = np.bincount(table.origin, weights=table.is_compared, minlength=table.n_origins)
    by_origin = (origin_right + ORIGIN_STRENGTH * FIRST_ACCURACY) / (origin_votes + ORIGIN_STRENGTH)
    n_votes = np.bincount(table.voter, minlength=n_voters)
    company = np.bincount(table.voter, weights=by_origin[table.origin], minlength=n_voters) / n_votes
    voter_right = np.bincount(table.voter, weights=right, minlength=n_voters)
    voter_votes = np.bincount(table.voter, weights=table.is_compared, minlength=n_voters)
    result: Floats = (voter_right + VOTER_STRENGTH * company) / (voter_votes + VOTER_STRENGTH)
    return result
