"""Labels from votes, weighted by skill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd

from mass_pipeline.annotation.ballots import Ballot, Verdict, judge
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.skill import VoterSkill, estimate_skills
from mass_pipeline.annotation.vocabulary import LABEL_OF_ANSWER, SIDE_OF

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
        are certainly distinct). Empty frame with the same columns without votes.
    """
    known, config = dict(known or {}), config or AnnotationConfig()
    votes = _completed(votes)
    skills = estimate_skills(votes, known, config)
    counted = votes[votes["standing"] != "banned"]
    rows = [_row(str(candidate), group, skills, known, config) for candidate, group in group_votes(counted).items()]
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
    return (candidate, kind, label, status, len(ballots), n_unknown, weight, agreement, verdict.n_origins, verdict.n_people)


def _outcome(candidate: str, verdict: Verdict, known: Mapping[str, str]) -> tuple[str, str, float]:
    if candidate in known:
        return known[candidate], "decided", 1.0
    return verdict.label or "", "published" if verdict.is_settled else "withheld", verdict.probability
