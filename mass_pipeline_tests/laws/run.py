"""The product's answers to generated texts, through the public doors, and the shares of their outcomes."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from mass_pipeline.cli.announced import AnnouncementRecord, read_announcement
from mass_pipeline.cli.judges import Judge, judge_of
from mass_pipeline.cli.reading_records import read_record
from mass_pipeline.cli.records import Record
from mass_pipeline.crawling.pages.relevance import Topic, load_topic, topic_path
from mass_pipeline_tests.laws.making import LAWS, PHRASES, cases, load_phrases
from mass_pipeline_tests.laws.texts import Case, Outcome, Page

OUTCOMES: Final[Sequence[Outcome]] = ("right", "waits", "wrong", "lost")
FLOORS: Final = Path(__file__).with_name("floors.json")
GATES: Final[Mapping[str, int]] = {"sample": 150, "all": 2000}  # texts of each law: in the suite, and by `make laws`
GATE_SEED: Final = 2026
_TODAY: Final = date(2026, 12, 1)


@dataclass(frozen=True, slots=True)
class Judged:
    """A text, the answer, and what became of its truth."""

    case: Case
    answer: Mapping[str, Any]
    outcome: Outcome
    why: str


@cache
def _judge() -> Judge:
    return judge_of(os.environ, rules_only=False)


@cache
def _topic() -> Topic:
    return load_topic(topic_path("services"))


def judged(case: Case) -> Judged:
    """Ask the product."""
    data = {"id": "text", **case.record}
    if isinstance(case.truth, Page):
        answer = read_record(Record("text", data, Path()), _judge(), today=_TODAY).as_dict()
    else:
        answer = read_announcement(AnnouncementRecord.of(data), _topic()).as_dict()
    return Judged(case, answer, *case.truth.outcome(answer))


def run(laws: Sequence[str], seed: int, count: int, phrases: Path, jobs: int = 2) -> list[Judged]:
    """So many texts of each law, judged; the same for the same seed and phrases."""
    made = [case for law in laws for case in cases(law, seed, count, load_phrases(phrases))]
    if jobs == 1:
        return [judged(case) for case in made]
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        return list(pool.map(judged, made, chunksize=50))


def shares(texts: Sequence[Judged]) -> dict[str, float]:
    """Of the texts of one law: shares of right, waits, wrong and lost, and of the controls that are right."""
    of_law, controls = ([one.outcome for one in texts if one.case.control is control] for control in (False, True))
    count = Counter(of_law)
    found = {str(name): round(count[name] / max(len(of_law), 1), 4) for name in OUTCOMES}
    return found | {"controls": round(controls.count("right") / max(len(controls), 1), 4)}


def faults(gate: str, law: str, figures: Mapping[str, float]) -> list[str]:
    """Where the shares of a law are worse than pinned: less right, or more wrong or lost."""
    floors = json.loads(FLOORS.read_text("utf-8"))
    if gate not in floors:
        return [f"{law}: no shares are pinned for {gate}; run `python -m mass_pipeline_tests.laws --pin {gate}`"]
    pinned: Mapping[str, float] = floors[gate][law]
    up = ("right", "controls")
    return [
        f"{law}: {name} is {figures[name]:.4f}, pinned {pinned[name]:.4f}"
        for name in (*up, "wrong", "lost")
        if (figures[name] < pinned[name] if name in up else figures[name] > pinned[name])
    ]


def pin(gate: str) -> None:
    """The present shares become the floors of a gate; what changes shows in review."""
    texts = run(LAWS, GATE_SEED, GATES[gate], PHRASES)
    found = json.loads(FLOORS.read_text("utf-8")) if FLOORS.exists() else {}
    found[gate] = {law: shares([one for one in texts if one.case.law == law]) for law in LAWS}
    FLOORS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
