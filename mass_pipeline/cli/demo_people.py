"""The people of the demo: volunteers who answer about rows that wait, and what their answers changed.

They answer through the real queue, each from a network of its own, as the demo's truth says; their votes are erased before the
next demo. One row of each parish is asked about, so that it shows what answers do for rows that nobody was asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from mass_pipeline.model.records import Mass
from mass_pipeline.schedules.checked import RowQuestion, row_key

if TYPE_CHECKING:
    from mass_pipeline.annotation.store import Store
    from mass_pipeline.schedules.rows import ScheduleRow

CAMPAIGN: Final = "demo"
_VOLUNTEERS: Final = tuple(f"demo-volunteer-{number}" for number in range(1, 6))
_PERIOD: Final = "demo"  # of the keys of their networks


@dataclass(frozen=True, slots=True)
class Asked:
    """What the volunteers were asked.

    Attributes:
        waiting: questions about rows that waited, by row_id.
        settled: of these, row_id -> whether people found it right.
        n_answers: votes that were given.
    """

    waiting: Mapping[str, RowQuestion]
    settled: Mapping[str, bool]
    n_answers: int


def forget_volunteers(store: Store, now: datetime) -> None:
    """Erase what the volunteers of an earlier demo said."""
    from mass_pipeline.annotation.voting import forget

    with store.engine.begin() as connection:
        for voter in _VOLUNTEERS:
            forget(connection, voter, now=now, config=store.config)


def ask_volunteers(store: Store, questions: Sequence[RowQuestion], truth: Mapping[str, Sequence[Mass]], now: datetime) -> Asked:
    """Ask about one row of each parish until it is settled.

    Args:
        store: of the annotation app, without answers of the volunteers.
        questions: rows that people are needed for.
        truth: parish_id -> its standing order.
        now: moment of the answers.
    """
    from mass_pipeline.annotation.items import items_of_rows
    from mass_pipeline.annotation.queue import Draw, next_question
    from mass_pipeline.annotation.voting import cast

    items = items_of_rows(questions)
    waiting = {one.row_id: one for one in questions}
    first = {item.candidate_id for item in items if item.priority == 0.0}
    no_chance = Draw(wants_gold=False, wants_random=False, pivot=0.0)
    n_answers = 0
    store.add_items(items, now=now, campaign=CAMPAIGN)
    store.retire_rows(set(waiting), CAMPAIGN)
    for voter in _VOLUNTEERS:
        while True:
            with store.engine.begin() as connection:
                asked = next_question(connection, voter, CAMPAIGN, now, no_chance, store.config)
                if asked is None or asked.candidate_id not in first:
                    break
                is_right = says(waiting[asked.candidate_id], truth)
                cast(
                    connection, voter, asked.candidate_id, "yes" if is_right else "no_mass", origin=f"{_PERIOD}.{voter}"[:32],
                    now=now, config=store.config,
                )  # fmt: skip
                n_answers += 1
    said = store.settled()
    labels = said[said["id"].isin(first)][["id", "verdict"]].itertuples(index=False, name=None)
    return Asked(waiting, {name: verdict == "yes" for name, verdict in labels}, n_answers)


def says(question: RowQuestion, truth: Mapping[str, Sequence[Mass]]) -> bool:
    """Whether the order of its parish has the row on each of its days."""
    mass = question.mass
    days = {
        day
        for one in truth.get(question.parish_id, ())
        if (one.time, one.season, one.nth) == (mass.time, mass.season, mass.nth)
        for day in one.days
    }
    return set(mass.days) <= days


def loop_lines(asked: Asked, published: Mapping[tuple[str, str], ScheduleRow]) -> Iterator[str]:
    """What the answers changed, one line a fact.

    Args:
        published: (parish_id, `row_key`) -> row, after the answers.
    """
    now = {name: published.get((one.parish_id, row_key(one.mass))) for name, one in asked.waiting.items()}
    by_people = {name: row for name, row in now.items() if row is not None and row.checked is not None}
    taught = {name: row for name, row in now.items() if row is not None and row.checked is None}
    left_out = sum(not is_right for is_right in asked.settled.values())
    yield f"{len(now)} rows waited. {asked.n_answers} answers of volunteers settled {len(asked.settled)}, one of each parish."
    yield f"Published now by their word: {len(by_people)}; left out by it: {left_out}."
    for name, row in list(by_people.items())[:1]:
        people = row.checked.people if row.checked else 0
        yield f"  {_row_line(asked.waiting[name])}: settled by {people} people, method {row.method}"
    yield f"Published now that nobody was asked about, as the classifier learnt from them: {len(taught)}."
    for name, row in list(taught.items())[:1]:
        question = asked.waiting[name]
        yield f"  {_row_line(question)}: {question.probability:.2f} before, {row.confidence:.2f} now, method {row.method}"
    yield f"Waiting still: {len(now) - len(by_people) - len(taught) - left_out}."


def _row_line(question: RowQuestion) -> str:
    mass = question.mass
    return f"{question.parish}: {' '.join((*mass.days, mass.time, mass.place)).strip()}, “{question.quote}”"
