"""Labels from votes: weighted by skill, with plain majority and the plain Dawid-Skene estimate as second opinions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import pandas as pd

from mass_pipeline.annotation.ballots import Ballot, Verdict, judge
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.skill import VoterSkill, estimate_skills
from mass_pipeline.annotation.vocabulary import KINDS, LABEL_OF_ANSWER, SIDE_OF

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
    "majority": "str",
    "dawid_skene": "str",
}
_ROUNDS: Final = 50
_SETTLED: Final = 1e-6  # change of a probability in a round
_LEAST: Final = 1e-10  # probability of what was never seen
VOTE_COLUMNS: Final = ("candidate_id", "voter_id", "answer", "origin", "standing", "kind")


def aggregate(
    votes: pd.DataFrame, *, known: Mapping[str, str] | None = None, config: AnnotationConfig | None = None
) -> pd.DataFrame:
    """One label per item that somebody answered.

    Args:
        votes: columns candidate_id, voter_id, answer; optional origin (network token; the voter when absent), standing
            (normal when absent) and kind (hour when absent). Answers of banned voters are not counted.
        known: candidate_id -> label decided by the operator; it wins over every vote.
        config: thresholds; the defaults when absent.

    Returns:
        One row per candidate_id with a counted vote, sorted by it: kind, label (of that kind; "" when nobody could tell), status
        (published, withheld, decided), n_votes (counted), n_unknown (of them), weight (0 to 1, probability of the label),
        agreement (share of informative votes that decide the same), n_origins and n_people (networks and people of these who
        are certainly distinct), majority (weighted majority vote) and dawid_skene (the plain estimate) as second opinions, ""
        where they say nothing. Empty frame with the same columns without votes.
    """
    known, config = dict(known or {}), config or AnnotationConfig()
    votes = _completed(votes)
    skills = estimate_skills(votes, known, config)
    counted = votes[votes["standing"] != "banned"]
    second = {name: label for kind in KINDS for name, label in dawid_skene(counted[counted["kind"] == kind], kind).items()}
    rows = [_row(str(candidate), group, skills, known, second, config) for candidate, group in group_votes(counted).items()]
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)
    return frame.sort_values("candidate_id", ignore_index=True)


def ballot_of(answer: str, origin: str, standing: str, skill: VoterSkill | None, config: AnnotationConfig) -> Ballot:
    """A ballot with what is known of its voter."""
    return Ballot(
        answer=answer,
        origin=origin,
        accuracy=skill.accuracy if skill else None,
        share=skill.share if skill else 1.0,
        is_trusted=standing == "trusted",
        is_proven=skill is not None and skill.n_compared >= config.proven_votes,
    )


def _completed(votes: pd.DataFrame) -> pd.DataFrame:
    votes = votes.copy()
    if "origin" not in votes:
        votes["origin"] = votes["voter_id"]
    for name, usual in (("standing", "normal"), ("kind", "hour")):
        if name not in votes:
            votes[name] = usual
    return votes[list(VOTE_COLUMNS)]


Vote = tuple[str, str, str, str, str]  # voter, answer, origin, standing, kind of the item


def group_votes(votes: pd.DataFrame) -> dict[str, list[Vote]]:
    """Item -> its votes, from a table with exactly the columns `VOTE_COLUMNS`."""
    groups: dict[str, list[Vote]] = {}
    for candidate, *vote in votes.itertuples(index=False):
        groups.setdefault(candidate, []).append(tuple(vote))
    return groups


def _row(
    candidate: str,
    votes: list[Vote],
    skills: Mapping[str, VoterSkill],
    known: Mapping[str, str],
    second: Mapping[str, str],
    config: AnnotationConfig,
) -> tuple[object, ...]:
    ballots = [ballot_of(answer, origin, standing, skills.get(voter), config) for voter, answer, origin, standing, _ in votes]
    kind = votes[0][-1]
    label_of, side_of = LABEL_OF_ANSWER[kind], SIDE_OF[kind]
    verdict = judge(ballots, config, kind)
    label, status, weight = _outcome(candidate, verdict, known)
    n_unknown = sum(ballot.answer not in label_of for ballot in ballots)
    agreement = verdict.agreement
    if status == "decided" and len(ballots) > n_unknown:
        same = (side_of[label_of[ballot.answer]] == side_of[label] for ballot in ballots if ballot.answer in label_of)
        agreement = sum(same) / (len(ballots) - n_unknown)
    return (
        candidate, kind, label, status, len(ballots), n_unknown, weight, agreement, verdict.n_origins, verdict.n_people,
        _weighted_majority(ballots, label_of), second.get(candidate, ""),
    )  # fmt: skip


def _outcome(candidate: str, verdict: Verdict, known: Mapping[str, str]) -> tuple[str, str, float]:
    if candidate in known:
        return known[candidate], "decided", 1.0
    return verdict.label or "", "published" if verdict.is_settled else "withheld", verdict.probability


def _weighted_majority(ballots: list[Ballot], label_of: Mapping[str, str]) -> str:
    """The label with the largest sum of accuracies; "" on a tie or without an informative answer."""
    sums: dict[str, float] = {}
    for ballot in ballots:
        if ballot.answer in label_of:
            label = label_of[ballot.answer]
            sums[label] = sums.get(label, 0.0) + (ballot.accuracy or 0.0) * ballot.share
    if not sums:
        return ""
    best = max(sums.values())
    leaders = [label for label, total in sums.items() if total == best]
    return leaders[0] if len(leaders) == 1 else ""


def dawid_skene(votes: pd.DataFrame, kind: str = "hour") -> dict[str, str]:
    """Labels by the estimate as it was published, with a full table of confusions for each voter and no caps: a second opinion.

    Args:
        votes: columns candidate_id, voter_id, answer, on items of one kind; answers that name no label do not count.

    Returns:
        candidate_id -> label, of the items with an answer that counts.

    Source: Dawid & Skene 1979. The test compares its labels with those of crowd-kit 1.4.
    """
    votes = votes[votes["answer"].isin(list(LABEL_OF_ANSWER[kind]))]
    if votes.empty:
        return {}
    item, items = pd.factorize(votes["candidate_id"])
    voter, voters = pd.factorize(votes["voter_id"])
    said, names = pd.factorize(votes["answer"].map(LABEL_OF_ANSWER[kind]), sort=True)
    n = len(names)
    true = np.zeros((len(items), n))  # probability of each label
    np.add.at(true, (item, said), 1.0)
    true /= true.sum(axis=1, keepdims=True)
    for _ in range(_ROUNDS):
        said_of = np.zeros((len(voters), n, n))  # voter, what it said, what was true
        np.add.at(said_of, (voter, said), true[item])
        said_of = np.maximum(said_of, _LEAST)
        said_of /= said_of.sum(axis=1, keepdims=True)
        weight = np.tile(np.log(np.maximum(true.mean(axis=0), _LEAST)), (len(items), 1))
        np.add.at(weight, item, np.log(said_of[voter, said]))
        new = np.exp(weight - weight.max(axis=1, keepdims=True))
        new /= new.sum(axis=1, keepdims=True)
        change = float(np.abs(new - true).max())
        true = new
        if change < _SETTLED:
            break
    return dict(zip(map(str, items), map(str, np.asarray(names)[true.argmax(axis=1)]), strict=True))
