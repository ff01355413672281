"""Read a stretch of text in every way it admits: the likeliest reading, what else it may mean, and how sure each Mass is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mass_pipeline.model.document import Document
from mass_pipeline.model.records import Mass, ReadMass
from mass_pipeline.reading.doubts import Answers, Cut, Doubts, Fired, Question, weigh
from mass_pipeline.reading.grammar.time_groups import TimeGroup
from mass_pipeline.reading.phrases.nodes import NodeLine
from mass_pipeline.reading.validity.assembly import HourVerdict, assemble
from mass_pipeline.reading.validity.listed_times import standing_hours
from mass_pipeline.reading.validity.redactor import Redactor

LEAST_WEIGHT: Final = 0.05  # of a reading that is worth telling
MOST_ALTERNATIVES: Final = 5

Masses = tuple[ReadMass, ...]
Weighted = tuple[tuple[float, Masses], ...]  # readings with their weights, likeliest first


@dataclass(slots=True, unsafe_hash=True)
class Reading:
    """What a stretch of text says.

    Attributes:
        masses: the likeliest reading; the confidence of a Mass counts the weight of all readings that have it.
        verdicts: (line, start) of an hour -> what it is in the likeliest reading.
        runs: of the likeliest reading.
        weight: of the likeliest reading, 1 for a clear text.
        alternatives: the other readings.
        questions: what is open.
        fired: the rules that dealt with the nodes of the likeliest reading, in order (`reading.grammar.rules`).
        cuts: to which hours conditions between two of them belong in it (`reading.grammar.sides`).
    """

    masses: Masses
    verdicts: dict[tuple[int, int], HourVerdict]
    runs: tuple[TimeGroup, ...]
    weight: float = 1.0
    alternatives: Weighted = ()
    questions: Mapping[Question, Answers] | None = None
    fired: Sequence[Fired] = ()
    cuts: Sequence[Cut] = ()


def read_all(
    document: Document,
    lines: Sequence[NodeLine],
    read_runs: Callable[[Doubts], Sequence[TimeGroup]],
    is_worth_it: Callable[[Reading], bool] = lambda _: True,
    told: Redactor | None = None,
) -> Reading:
    """Read and resolve in every way that the open questions allow.

    Args:
        document: where the lines stand.
        lines: those of the stretch, in order.
        read_runs: reads the hours of the stretch by given answers.
        is_worth_it: whether the likeliest reading is one that anybody will use; else no other one is looked for.
        told: places of the document as they may be shown; None works them out anew.
    """

    def read(doubts: Doubts) -> Reading:
        runs = tuple(standing_hours(read_runs(doubts), doubts))
        masses, verdicts = assemble(document, lines, runs, doubts, told)
        return Reading(masses, verdicts, runs, fired=doubts.fired, cuts=doubts.cuts)

    readings, questions = weigh(read, is_worth_it)
    if len(readings) == 1:
        return readings[0][1]
    best, *others = distinct((weight, reading.masses) for weight, reading in readings)
    first = next(reading for _, reading in readings if schedule_of(reading.masses) == schedule_of(best[1]))
    masses = with_marginal_confidence(best[1], (best, *others))
    return replace(first, masses=masses, weight=best[0], alternatives=worth_telling(others), questions=questions)


def schedule_of(masses: Sequence[ReadMass]) -> frozenset[Mass]:
    """The Masses without their remarks, for comparing readings."""
    return frozenset([replace(read.mass, note="") if read.mass.note else read.mass for read in masses])


def distinct(readings: Iterable[tuple[float, Masses]]) -> Weighted:
    """Readings with equal schedules as one, likeliest first."""
    readings = tuple(readings)
    if len(readings) == 1:
        return readings
    merged: dict[frozenset[Mass], tuple[float, Masses]] = {}
    for weight, masses in readings:
        key = schedule_of(masses)
        known = merged.get(key)
        merged[key] = (weight, masses) if known is None else (known[0] + weight, known[1])
    return tuple(sorted(merged.values(), key=lambda reading: -reading[0]))


def worth_telling(readings: Sequence[tuple[float, Masses]]) -> Weighted:
    """The likelier ones, at most `MOST_ALTERNATIVES`."""
    return tuple(reading for reading in readings if reading[0] >= LEAST_WEIGHT)[:MOST_ALTERNATIVES]


def with_marginal_confidence(masses: Masses, readings: Weighted) -> Masses:
    """A Mass that only some readings have is as sure as their weight among all."""
    total = sum(weight for weight, _ in readings)
    cells = [(weight, _cells(reading)) for weight, reading in readings]
    return tuple(
        replace(read, confidence=read.confidence * sum(weight for weight, has in cells if _cells([read]) <= has) / total)
        for read in masses
    )


def _cells(masses: Sequence[ReadMass]) -> set[tuple[object, ...]]:
    return {(day, r.mass.time, r.mass.when, r.mass.nth, r.mass.place) for r in masses for day in r.mass.days}


def standing_slots(masses: Iterable[ReadMass]) -> frozenset[tuple[str, str]]:
    """(day, time) of an order, holy days included: what hours of other pages, and pages of the same site, are compared by."""
    return frozenset((day, read.mass.time) for read in masses for day in read.mass.days)
