"""What a campaign still needs, for what gain, and what people said so far: one screen for the operator.

Belongs: figures by diocese and kind. Not here: skill and standings (review), why labels are withheld (reasons).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa

from mass_pipeline.annotation.agreement import krippendorff_alpha
from mass_pipeline.annotation.database import aware, reading
from mass_pipeline.annotation.schema import items
from mass_pipeline.annotation.store import Store
from mass_pipeline.annotation.vocabulary import KINDS, SIDE_OF

_LONGEST: Final = 5  # questions that wait longest


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
    found = [
        Need(key, int(n["row"]), int(n["contradicted"]), int(n["hour"]), round(n["answers"]), round(n["gain"]))
        for key, n in dioceses.items()
    ]
    votes = store.votes()
    counted = votes[votes["standing"] != "banned"]
    alphas = {kind: krippendorff_alpha(counted[counted["kind"] == kind]) for kind in KINDS}
    return Needs(
        tuple(sorted(found, key=lambda one: (-one.gain / max(one.answers, 1), -one.rows, one.diocese))),
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
    for one in needs.dioceses:
        gain = f", then about {one.gain} rows more are published" if one.gain else ""
        rows = f"{one.rows} rows, {one.contradicted} of them contradicted" if one.contradicted else f"{one.rows} rows"
        lines.append(f"{one.diocese or 'diocese unknown'}: {one.answers} answers more ({rows}, {one.hours} hours){gain}")
    lines += [f"waits {one.days} days with {one.answers} answers: {one.place}" for one in needs.longest]
    lines += [f"{reason}: of {n} settled rows people found {wrong} wrong" for reason, (n, wrong) in needs.contradicted.items()]
    return lines
