"""How probably dated changes are right: fit on one half of the written sheets, reliability on the other and on labelled pages.

    python -m mass_pipeline_tests.evaluation.announcement_trust [--weights]

Sets: whole sheets, announcements by phenomenon; the condensed real announcements beside the checkout are only
told. A sheet falls into a half by the hash of its text. A change is as right as the share of right ones among the hours that it
alone makes days gain or lose, and counts once, however many days it has.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from mass_pipeline.cli.announced import AnnouncementRecord, changes_of, standing_order
from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.schedules.reconciling import settled
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.trust import WEIGHTS, terms_of, trust_in
from mass_pipeline_tests.evaluation.announcements import FOLDER
from mass_pipeline_tests.evaluation.reliability import binned_error, by_chance
from mass_pipeline_tests.evaluation.sets import GOLD
from mass_pipeline_tests.evaluation.wishes import WISHES
from mass_pipeline_tests.reading.changes import classes, effects

# The reader was mended on all of these sets; what is right today counts as that much right, as in `calibration`.
FIRST_SIGHT = 0.985
STIFFNESS = 5.0  # variance of a weight before anything is seen
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 1.001)
_GOLDEN = Path(effects.__file__).with_name("golden")
_ONLY_TOLD = "real, condensed"


@dataclass(frozen=True)
class Told:
    """A dated change with the share of its hours that are right."""

    source: str
    sheet: str
    terms: dict[str, float]
    change: ScheduleChange
    standing: tuple[ScheduleRow, ...]
    right: float

    @property
    def is_fitted(self) -> bool:
        """Which half its sheet is in."""
        return self.source != _ONLY_TOLD and hashlib.sha256(self.sheet.encode()).digest()[0] % 2 == 0


def told_of_sheets() -> Iterator[Told]:
    """The dated changes of the whole sheets."""
    for file in sorted(FOLDER.glob("sheets_*.toml")):
        for record in effects.records(file):
            yield from _of_sheet(record)


def collect() -> Iterator[Told]:
    """All dated changes of all sets."""
    yield from told_of_sheets()
    for file in (*sorted(FOLDER.glob("*.txt")), *sorted(_GOLDEN.glob("*.txt")), *sorted(WISHES.glob("announcements*.txt"))):
        for one in classes.written(file):
            yield from _of_class("by phenomenon", one)
    gold = GOLD / "announcements.jsonl"
    for line in gold.read_text(encoding="utf-8").splitlines() if gold.exists() else ():
        data = json.loads(line)
        if data["kind"] != "schedule":
            labels = [classes.label(text.split()) for text in data["labels"] if text.split()[0] in classes.DATED]
            issued = date.fromisoformat(data["issued"])
            yield from _of_class(_ONLY_TOLD, classes.Written(data["id"], issued, data["standing"], [data["text"]], labels))


def _told(source: str, sheet: str, change: ScheduleChange, standing: Sequence[ScheduleRow], right: int, hours: int) -> Told:
    return Told(source, sheet, terms_of(change, standing), change, tuple(standing), right / hours)


def _of_sheet(record: effects.Record) -> Iterator[Told]:
    dated = [change for change in effects.changes_of(record) if change.valid_to is not None]
    days, compared = effects.probes(record, dated), effects.compare(record)
    for change in dated:
        atoms = effects.made(record, [change], days)
        if atoms:
            yield _told("sheets", record.text, change, record.standing, len(atoms & compared.labelled), len(atoms))


def _of_class(source: str, one: classes.Written) -> Iterator[Told]:
    standing = tuple(standing_order(one.standing))
    record = AnnouncementRecord("a", one.text, one.issued, standing, one.dates)
    for announced in settled(changes_of(record), standing):
        if announced.change.valid_to is not None:
            found, wanted = classes.atoms_of(one, announced, standing)
            if found:
                yield _told(source, one.text, announced.change, standing, len(found & wanted), len(found))


def fit(rows: Sequence[Told]) -> dict[str, float]:
    """Weights of the terms by maximum likelihood."""
    names = list(rows[0].terms)
    x = np.array([[row.terms[name] for name in names] for row in rows])
    y = FIRST_SIGHT * np.array([row.right for row in rows])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = x @ w
        p = 1 / (1 + np.exp(-z))
        value = float((np.logaddexp(0, z) - y * z).sum() + (w[1:] @ w[1:]) / (2 * STIFFNESS))
        return value, x.T @ (p - y) + np.concatenate([[0.0], w[1:] / STIFFNESS])

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B")
    return {name: round(float(w), 3) for name, w in zip(names, found.x, strict=True)}


def show(title: str, rows: Sequence[Told], weights: dict[str, float]) -> None:
    """Reliability and calibration error, of all changes and of those published without a person."""
    for name, own in (("all", list(rows)), ("published", [row for row in rows if not row.change.doubts])):
        p = np.array([trust_in(row.change, row.standing, weights) for row in own])
        right = np.array([row.right for row in own])
        bins = np.digitize(p, BINS) - 1
        used = [b for b in range(len(BINS) - 1) if (bins == b).any()]
        constant = abs(0.9 - right.mean()) if own else 0.0
        error, chance = binned_error(p, right, BINS), by_chance(p, BINS)
        print(f"\n{title}, {name}: {len(own)} changes, right {right.mean():.3f}, ECE {error:.3f}")
        print(f"  {constant:.3f} of a constant 0.9, {chance:.3f} by chance where every probability is true")
        for b in used:
            span = f"{BINS[b]:.2f} to {min(BINS[b + 1], 1):.2f}"
            print(f"  {span}: {(bins == b).sum():5d}, mean {p[bins == b].mean():.3f}, right {right[bins == b].mean():.3f}")


def main() -> None:
    """Fit and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", action="store_true", help="Fit anew and print the weights, for schedules.trust.WEIGHTS.")
    given = parser.parse_args()
    rows = list(collect())
    weights = fit([row for row in rows if row.is_fitted]) if given.weights or not WEIGHTS else dict(WEIGHTS)
    if given.weights:
        print(weights)
    show("half that was fitted", [row for row in rows if row.is_fitted], weights)
    others = [row for row in rows if not row.is_fitted and row.source != _ONLY_TOLD]
    show("half that was not", others, weights)
    show("the fitted half by weights of the other", [row for row in rows if row.is_fitted], fit(others))
    for source in sorted({row.source for row in rows}):
        show(source, [row for row in rows if row.source == source and not row.is_fitted], weights)


if __name__ == "__main__":
    main()
