"""Evaluate one set: figures, phenomena, records with their faults."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from mass_pipeline.laboratory.labelled_hours import load_hours, match
from mass_pipeline_tests.evaluation.hours import HourScore, decide_record, score_hours
from mass_pipeline_tests.evaluation.reading import RecordReading, read_record
from mass_pipeline_tests.evaluation.scoring import VIEWS, Difference, Score, compare, total
from mass_pipeline_tests.evaluation.sets import GOLD, PARAPHRASES, LabelledRecord, LabelledSet


@dataclass(frozen=True)
class RecordResult:
    """A scored record."""

    record: LabelledRecord
    reading: RecordReading
    differences: dict[str, Difference]
    all_read: Difference  # of the week, with what is withheld

    @property
    def faults(self) -> int:
        """Wrong and missing cells of the week and the feasts."""
        return sum(len(self.differences[view].extras) + len(self.differences[view].misses) for view in ("week", "feast"))


@dataclass(frozen=True)
class SetResult:
    """Scores of a set.

    Attributes:
        scores: view -> score of what is published.
        all_read: score of the week, with what is withheld.
        withheld: rows that wait for a person.
        phenomena: phenomenon -> score of the week over the records that show it.
        records: every scored record, worst first.
        hours: decision m against n, where the set has labelled hours.
    """

    labelled: LabelledSet
    scores: dict[str, Score]
    all_read: Score
    withheld: int
    phenomena: dict[str, Score]
    records: tuple[RecordResult, ...]
    hours: HourScore | None

    @property
    def figures(self) -> dict[str, float]:
        """What the gate watches: that nothing wrong is published, that right rows do not wait, and that none gets lost."""
        found = {
            f"published {view} precision": score.precision for view, score in self.scores.items() if score.hits + score.extras
        }
        found |= {"withheld rows": float(self.withheld), "all read week recall": self.all_read.recall}
        if self.labelled.name == PARAPHRASES:
            found["share with a wrong row published"] = sum(map(_publishes_wrong, self.records)) / len(self.records)
            found["share read right"] = sum(not one.faults for one in self.records) / len(self.records)
        if self.hours is not None:
            found["hours cancelled rejected"] = float(self.hours.cancelled_accepted == 0)
        return found


def _publishes_wrong(result: RecordResult) -> bool:
    return any(difference.extras for difference in result.differences.values())


def evaluate(labelled: LabelledSet) -> SetResult:
    """Read and score every record of a set."""
    results, hour_results = [], []
    path = GOLD / f"{labelled.name}_hours.jsonl"
    labels = load_hours(path) if path.exists() else {}
    for record in labelled.records:
        reading = read_record(record)
        if labels:
            decisions = decide_record(record.id, reading)
            for name, _, _ in record.pages:
                hour_results.extend(match(labels.get(name, []), decisions[name]))
        if record.masses is not None:
            published = {view: compare(record.masses, reading.masses, view) for view in VIEWS}
            all_read = compare(record.masses, [*reading.masses, *reading.withheld], "week")
            results.append(RecordResult(record, reading, published, all_read))
    results.sort(key=lambda result: (-result.faults, result.record.id))
    return SetResult(
        labelled,
        {view: total((result.differences[view] for result in results), view) for view in VIEWS},
        total((result.all_read for result in results), "week"),
        sum(len(result.reading.withheld) for result in results),
        _by_phenomenon(results),
        tuple(results),
        score_hours(hour_results) if labels else None,
    )


def _by_phenomenon(results: list[RecordResult]) -> dict[str, Score]:
    grouped: dict[str, list[Difference]] = defaultdict(list)
    for result in results:
        for phenomenon in result.record.phenomena:
            grouped[phenomenon].append(result.differences["week"])
    return {name: total(differences, "week") for name, differences in sorted(grouped.items())}
