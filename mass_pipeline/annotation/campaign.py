"""What the operator looks after: what a campaign needs and why labels are withheld, agreement, everybody's skill, bans.

Agreement is Krippendorff's alpha for nominal answers (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import numpy as np
import pandas as pd
import sqlalchemy as sa

from mass_pipeline.annotation.ballots import judge
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.database import aware, reading
from mass_pipeline.annotation.labels import VoterSkill, ballots_of, counted_votes, estimate_skills
from mass_pipeline.annotation.schema import items, voters, votes
from mass_pipeline.annotation.store import Progress, Store
from mass_pipeline.annotation.vocabulary import KINDS, SIDE_OF
from mass_pipeline.annotation.voting import recount

AUTOMATIC: Final = "automatic"
BAN_LIFT_MARGIN: Final = 0.1  # an automatic ban ends only when the record is clearly better again
NOTICEABLE: Final = 0.02  # smaller changes of accuracy or share move no label
_BATCH: Final = 25  # rows locked together
_LONGEST: Final = 5  # questions that wait longest
_STORE_SKILL: Final = (
    sa.update(voters)
    .where(voters.c.voter_id == sa.bindparam("voter"))
    .values(skill=sa.bindparam("skill"), share=sa.bindparam("share"), n_compared=sa.bindparam("compared"))
)
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


@dataclass(frozen=True, slots=True)
class Overview:
    """Figures for the operator; alpha is None when nothing can be compared."""

    progress: Progress
    alpha: float | None
    voters_by_standing: dict[str, int]
    answers: dict[str, int]
    median_seconds: float | None
    gold_accuracy: float | None


@dataclass(frozen=True, slots=True)
class Need:
    """What one diocese still needs.

    Attributes:
        diocese: its key, "" where it is not known.
        rows, hours: open questions.
        contradicted: of the rows those that another reading contradicts.
        answers: how many more they need, at the rate of those that are settled.
        gain: rows that wait and are published then, by the share that people found right so far.
    """

    diocese: str
    rows: int
    contradicted: int
    hours: int
    answers: int
    gain: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question that has been open for long."""

    candidate_id: str
    place: str
    days: int
    answers: int


@dataclass(frozen=True, slots=True)
class Needs:
    """The screen.

    Attributes:
        dioceses: the largest gain for the fewest answers first.
        longest: questions about rows that have waited longest.
        contradicted: why a row was asked about -> settled rows, and how many of them people found wrong.
        alpha: kind -> Krippendorff's alpha; kinds of which nothing can be compared are left out.
    """

    dioceses: tuple[Need, ...]
    longest: tuple[Waiting, ...]
    contradicted: dict[str, tuple[int, int]]
    alpha: dict[str, float]


def needs_of(store: Store, campaign: str, now: datetime) -> Needs:
    """What a campaign needs; test questions and questions that are asked no more are left out."""
    names = ("candidate_id", "kind", "diocese", "place", "reason", "state", "n_votes", "label", "added_at")
    query = sa.select(*(items.c[name] for name in names)).where(items.c.campaign == campaign, items.c.gold.is_(None))
    with reading(store.engine) as connection:
        rows = connection.execute(query.order_by(items.c.added_at, items.c.candidate_id)).all()
    spent = {kind: [row.n_votes for row in rows if row.kind == kind and row.state == "settled" and row.n_votes] for kind in KINDS}
    usual = {kind: sum(votes) / len(votes) if votes else float(store.config.overlap) for kind, votes in spent.items()}
    settled: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for row in rows:
        if row.kind == "row" and row.state == "settled":
            settled[row.reason] += 1
            wrong[row.reason] += SIDE_OF["row"][row.label] == "wrong"
    is_right = (settled["waits"] - wrong["waits"] + 1) / (settled["waits"] + 2)  # Laplace's rule of succession
    open_rows = [row for row in rows if row.state == "open"]
    dioceses: dict[str, defaultdict[str, float]] = {}
    for row in open_rows:
        need = dioceses.setdefault(row.diocese, defaultdict(float))
        need[row.kind] += 1
        need["contradicted"] += row.kind == "row" and row.reason == "contradicted"
        need["answers"] += max(usual[row.kind] - row.n_votes, 1.0)
        need["gain"] += is_right if row.reason == "waits" else 0.0
    needs = [
        Need(key, int(n["row"]), int(n["contradicted"]), int(n["hour"]), round(n["answers"]), round(n["gain"]))
        for key, n in dioceses.items()
    ]
    votes = store.votes()
    counted = votes[votes["standing"] != "banned"]
    alphas = {kind: krippendorff_alpha(counted[counted["kind"] == kind]) for kind in KINDS}
    return Needs(
        tuple(sorted(needs, key=lambda need: (-need.gain / max(need.answers, 1), -need.rows, need.diocese))),
        tuple(
            Waiting(row.candidate_id, row.place, (now - aware(row.added_at)).days, row.n_votes)
            for row in [row for row in open_rows if row.kind == "row"][:_LONGEST]
        ),
        {reason: (settled[reason], wrong[reason]) for reason in sorted(settled)},
        {kind: alpha for kind, alpha in alphas.items() if alpha is not None},
    )


def lines_of(needs: Needs) -> list[str]:
    """The screen as lines for a terminal."""
    lines = [f"agreement about {kind}s (Krippendorff's alpha): {alpha:.3f}" for kind, alpha in needs.alpha.items()]
    for need in needs.dioceses:
        gain = f", then about {need.gain} rows more are published" if need.gain else ""
        rows = f"{need.rows} rows, {need.contradicted} of them contradicted" if need.contradicted else f"{need.rows} rows"
        lines.append(f"{need.diocese or 'diocese unknown'}: {need.answers} answers more ({rows}, {need.hours} hours){gain}")
    lines += [f"waits {question.days} days with {question.answers} answers: {question.place}" for question in needs.longest]
    lines += [f"{reason}: of {n} settled rows people found {wrong} wrong" for reason, (n, wrong) in needs.contradicted.items()]
    return lines


def krippendorff_alpha(votes: pd.DataFrame) -> float | None:
    """Agreement beyond chance: 1 perfect, 0 as by chance, negative below.

    Args:
        votes: columns candidate_id and answer, one row per vote; items with a single vote say nothing and are left out.

    Returns:
        alpha, or None when no item has two votes or all votes are equal (nothing to disagree on).
    """
    if votes.empty:
        return None
    counts = pd.crosstab(votes["candidate_id"], votes["answer"]).to_numpy(dtype=float)
    per_item = counts.sum(axis=1)
    counts, per_item = counts[per_item > 1], per_item[per_item > 1]
    total = per_item.sum()
    if not len(counts):
        return None
    by_answer = counts.sum(axis=0)
    expected = total**2 - np.square(by_answer).sum()
    if expected == 0:
        return None
    disagreeing = ((np.square(per_item) - np.square(counts).sum(axis=1)) / (per_item - 1)).sum()
    return float(1.0 - (total - 1) * disagreeing / expected)


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


def overview(store: Store, campaign: str) -> Overview:
    """Figures of a campaign and of all voters."""
    frame = store.votes()
    counted = frame[frame["standing"] != "banned"]
    durations = counted["duration_ms"].dropna()
    with reading(store.engine) as connection:
        standings = connection.execute(sa.select(voters.c.standing, sa.func.count()).group_by(voters.c.standing))
        by_standing = {str(standing): int(count) for standing, count in standings}
        gold = connection.execute(
            sa.select(sa.func.avg(sa.case((votes.c.answer == items.c.gold, 1.0), else_=0.0)))
            .join(items, items.c.candidate_id == votes.c.candidate_id)
            .where(items.c.gold.is_not(None), ~votes.c.withdrawn)
        ).scalar_one()
    return Overview(
        progress=store.progress(campaign),
        alpha=krippendorff_alpha(counted),
        voters_by_standing=by_standing,
        answers={str(answer): int(count) for answer, count in counted["answer"].value_counts().sort_index().items()},
        median_seconds=float(durations.median()) / 1000 if len(durations) else None,
        gold_accuracy=None if gold is None else float(gold),
    )


def refresh_skills(store: Store, *, now: datetime) -> int:
    """Estimate every voter anew, ban and unban by record, and recount the items whose verdict this changes.

    Returns:
        number of voters whose accuracy, share or standing changed.
    """
    skills = estimate_skills(store.votes(), store.known_labels(), store.config)
    n_changed = _write_skills(store, skills)
    if n_changed:
        _recount(store, _outdated_items(store, skills), now)
    return n_changed


def _write_skills(store: Store, skills: dict[str, VoterSkill]) -> int:
    """Store what changed, a few voters at a time: a vote waits for the lock on its voter's row."""
    with reading(store.engine) as connection:
        rows = connection.execute(sa.select(voters).order_by(voters.c.voter_id)).all()
    known = [(row, skills[row.voter_id]) for row in rows if row.voter_id in skills]
    changed = [(row, skill) for row, skill in known if _has_moved(row, skill, store.config)]
    for start in range(0, len(changed), _BATCH):
        values = [
            {"voter": row.voter_id, "skill": skill.accuracy, "share": skill.share, "compared": skill.n_compared}
            for row, skill in changed[start : start + _BATCH]
        ]
        with store.engine.begin() as connection:
            connection.execute(_STORE_SKILL, values)
    return len(changed) + _write_standings(store, known)


def _write_standings(store: Store, known: Sequence[tuple[Any, VoterSkill]]) -> int:
    n_changed = 0
    for row, skill in known:
        standing, by = _standing_by_record(row.standing, row.standing_by, skill, store.config)
        if standing != row.standing:
            # Only from the standing that was read: the operator may have decided meanwhile.
            unchanged = (voters.c.voter_id == row.voter_id) & (voters.c.standing == row.standing)
            with store.engine.begin() as connection:
                connection.execute(sa.update(voters).where(unchanged).values(standing=standing, standing_by=by))
            n_changed += 1
    return n_changed


def _has_moved(row: Any, skill: VoterSkill, config: AnnotationConfig) -> bool:
    if row.skill is None or (row.n_compared < config.proven_votes) != (skill.n_compared < config.proven_votes):
        return True
    return bool(abs(row.skill - skill.accuracy) > NOTICEABLE or abs(row.share - skill.share) > NOTICEABLE)


def _standing_by_record(standing: str, by: str, skill: VoterSkill, config: AnnotationConfig) -> tuple[str, str]:
    if standing == "normal" and skill.n_compared >= config.proven_votes and skill.accuracy < config.ban_below:
        return "banned", AUTOMATIC
    if standing == "banned" and by == AUTOMATIC and skill.accuracy >= config.ban_below + BAN_LIFT_MARGIN:
        return "normal", AUTOMATIC
    return standing, by


def _outdated_items(store: Store, skills: dict[str, VoterSkill]) -> list[str]:
    """Items whose stored count, state or label differs from what the votes say with the new skills, in order of id.

    Judged from one read of all votes: asking the database item by item would disturb the people who vote meanwhile.
    """
    with reading(store.engine) as connection:
        query = sa.select(items.c.candidate_id, items.c.kind, items.c.state, items.c.label, items.c.n_votes)
        stored = {
            row.candidate_id: row
            for row in connection.execute(query.where(items.c.gold.is_(None), ~items.c.decided, items.c.state != "retired"))
        }
    outdated: list[str] = []
    for name, cast in counted_votes(store.votes()).items():
        row = stored.pop(name, None)
        if row is None:
            continue
        verdict = judge(ballots_of(cast, skills, store.config), store.config, row.kind)
        label = verdict.label if verdict.is_settled else None
        if (row.n_votes, row.state == "settled", row.label) != (len(cast), verdict.is_settled, label):
            outdated.append(name)
    outdated += [name for name, row in stored.items() if row.n_votes > 0]  # only banned voters are left
    return sorted(outdated)


def _recount(store: Store, outdated: list[str], now: datetime) -> None:
    """In small transactions, so that people who vote meanwhile never wait long."""
    for start in range(0, len(outdated), _BATCH):
        with store.engine.begin() as connection:
            for candidate_id in outdated[start : start + _BATCH]:
                recount(connection, candidate_id, now, store.config)
