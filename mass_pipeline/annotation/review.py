"""What the operator looks after: everybody's skill, automatic bans, disputed items, figures of the campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from mass_pipeline.annotation.agreement import krippendorff_alpha
from mass_pipeline.annotation.ballots import judge
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.consensus import recount
from mass_pipeline.annotation.database import reading
from mass_pipeline.annotation.labels import VOTE_COLUMNS, ballot_of, group_votes
from mass_pipeline.annotation.schema import items, voters, votes
from mass_pipeline.annotation.skill import VoterSkill, estimate_skills
from mass_pipeline.annotation.store import Progress, Store

AUTOMATIC: Final = "automatic"
BAN_LIFT_MARGIN: Final = 0.1  # an automatic ban ends only when the record is clearly better again
NOTICEABLE: Final = 0.02  # smaller changes of accuracy or share move no label
_BATCH: Final = 25  # rows locked together
_STORE_SKILL: Final = (
    sa.update(voters)
    .where(voters.c.voter_id == sa.bindparam("voter"))
    .values(skill=sa.bindparam("skill"), share=sa.bindparam("share"), n_compared=sa.bindparam("compared"))
)


@dataclass(frozen=True, slots=True)
class Overview:
    """Figures for the operator; alpha is None when nothing can be compared."""

    progress: Progress
    alpha: float | None
    voters_by_standing: dict[str, int]
    answers: dict[str, int]
    median_seconds: float | None
    gold_accuracy: float | None


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
    frame = store.votes()[list(VOTE_COLUMNS)]
    outdated: list[str] = []
    for name, cast in group_votes(frame[frame["standing"] != "banned"]).items():
        row = stored.pop(name, None)
        if row is None:
            continue
        verdict = judge(
            [ballot_of(answer, origin, standing, skills.get(voter), store.config) for voter, answer, origin, standing, _ in cast],
            store.config,
            row.kind,
        )
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
