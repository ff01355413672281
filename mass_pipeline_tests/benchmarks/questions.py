"""Questions to the one box: how many of the written sets are read right, the processor's time of every single one, the two laws.

    python -m mass_pipeline_tests.benchmarks.questions [--places parishes.tsv] [--laws 6800]

Each question is read three times, each time with a table newly put together, as its first reader finds it; the least counts:
other work on the machine only adds to it. Ends with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from mass_pipeline.finding.gazetteer import read_gazetteer
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import Interpretation, interpret, prepare
from mass_pipeline.finding.town_names import read_rows
from mass_pipeline_tests.benchmarks.targets import Quantiles, Targets
from mass_pipeline_tests.finding.questions.laws import check
from mass_pipeline_tests.finding.questions.scoring import HERE, Question, mistakes, read_set
from mass_pipeline_tests.shared import ROOT

_TIMES = 3
_SHOWN = 5  # of the slowest


def main() -> int:
    """Read every set and print what was wanted beside what came."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = ROOT.parent / "shared/directory/parishes-2018.tsv"
    parser.add_argument("--places", type=Path, default=beside, help=f"table of parishes (default: {beside})")
    parser.add_argument("--laws", type=int, default=6_800, help="made questions that the two laws are held against")
    chosen = parser.parse_args()
    rows, gazetteer = read_rows(chosen.places), read_gazetteer(ROOT / "data/gazetteer/pl.tsv")
    questions = [one for path in sorted(HERE.glob("*.txt")) for one in read_set(path.stem)]
    least = [float("inf")] * len(questions)
    right = 0
    for _ in range(_TIMES):
        began = time.process_time()
        places = Places.of(rows, gazetteer)
        prepare(places)
        print(f"table of {len(rows):,} parishes put together: {time.process_time() - began:.1f} s CPU")
        readings = [_timed(question, places) for question in questions]
        least = [min(before, spent) for before, (spent, _) in zip(least, readings, strict=True)]
        right = sum(not mistakes(question, reading) for question, (_, reading) in zip(questions, readings, strict=True))
    print(f"{right} of {len(questions)} questions read as written; {Quantiles.of(least)}")
    targets = Targets()
    targets.at_least("read right", right / len(questions), 0.95)
    for spent, words in sorted(zip(least, (question.words for question in questions), strict=True), reverse=True)[:_SHOWN]:
        print(f"  {spent:.2f} ms  {words}")
    targets.at_most("the slowest question", max(least), 5, " ms")
    broken = check(places, chosen.laws, seed=1, interpret=interpret)
    print(*broken[:_SHOWN], sep="\n")
    targets.at_most(f"of {chosen.laws:,} made questions break a law", len(broken), 0)
    return targets.end()


def _timed(question: Question, places: Places) -> tuple[float, Interpretation]:
    started = time.thread_time()
    reading = interpret(question.words, question.at, places)
    return (time.thread_time() - started) * 1000, reading


if __name__ == "__main__":
    sys.exit(main())
