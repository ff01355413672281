"""How probably dated changes are right: fit on one half of the written sheets, reliability on the other and on labelled pages.

    python -m mass_pipeline_tests.evaluation.announcement_trust [--weights] [--cross]

Sets: whole sheets, announcements by phenomenon; the condensed real announcements beside the checkout are only told, and
cross-validated. A sheet falls into a half by the hash of its text. A change is as right as the share of right ones among the
hours that it makes days gain or lose and no other change makes good, and counts once, however many days it has.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from mass_pipeline.reading.changes import ScheduleChange
from mass_pipeline.schedules.announced import settled
from mass_pipeline.schedules.rows import ScheduleRow
from mass_pipeline.schedules.trust import WEIGHTS, terms_of, trust_in
from mass_pipeline_tests.evaluation.announcements import FOLDER, WISHES
from mass_pipeline_tests.evaluation.reliability import binned_error, by_chance
from mass_pipeline_tests.evaluation.sets import GOLD
from mass_pipeline_tests.reading.changes import compared
from mass_pipeline_tests.reading.changes.compared import DATED, Written, standing_of, written

# The reader was mended on all of these sets; what is right today counts as that much right, as in `calibration`.
FIRST_SIGHT = 0.985
STIFFNESS = 5.0  # variance of a weight before anything is seen
_REAL = 6.0  # written rows that one of a real page is worth
_HALF = 0.5
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 1.001)
_GOLDEN = Path(compared.__file__).with_name("golden")
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
        for one in written(file):
            yield from _told("sheets", one)


def collect() -> Iterator[Told]:
    """All dated changes of all sets."""
    yield from told_of_sheets()
    for file in (*sorted(FOLDER.glob("*.txt")), *sorted(_GOLDEN.glob("*.txt")), WISHES):
        for one in written(file):
            yield from _told("by phenomenon", one)
    found = (GOLD / f"{name}.jsonl" for name in ("announcements", "announcements-2"))
    for line in (line for gold in found if gold.exists() for line in gold.read_text(encoding="utf-8").splitlines()):
        data = json.loads(line)
        if data["kind"] != "schedule":
            labels = tuple(compared.label(text.split()) for text in data["labels"] if text.split()[0] in DATED)
            issued = date.fromisoformat(data["issued"])
            sheet = Written(data["id"], issued, standing_of(data["standing"]), data["text"], labels)
            host = urlsplit(data.get("url", "")).netloc or data["id"]
            yield from (replace(row, sheet=host) for row in _told(_ONLY_TOLD, sheet))


def _told(source: str, one: Written) -> Iterator[Told]:
    dated = [announced for announced in settled(one.announced(), one.standing) if announced.change.valid_to is not None]
    together, wanted = one.made(dated), one.labelled()
    for announced in dated:
        found = one.made([announced]) & together  # what another change of the sheet makes good is not wrong
        if found:
            terms = terms_of(announced.change, one.standing)
            yield Told(source, one.text, terms, announced.change, one.standing, len(found & wanted) / len(found))


def fit(rows: Sequence[Told]) -> dict[str, float]:
    """Weights of the terms by penalised maximum likelihood; a row of real pages counts as several written ones."""
    names = [name for name in rows[0].terms if name != "constant"]
    x = np.array([[row.terms[name] for name in names] for row in rows])
    right = FIRST_SIGHT * np.array([row.right for row in rows])
    weight = np.array([_REAL if row.source == _ONLY_TOLD else 1.0 for row in rows])
    model = LogisticRegression(C=STIFFNESS, max_iter=5_000)
    model.fit(np.vstack([x, x]), np.repeat([1, 0], len(rows)), np.concatenate([weight * right, weight * (1 - right)]))
    found = zip(names, model.coef_[0], strict=True)
    return {"constant": round(float(model.intercept_[0]), 3)} | {name: round(float(value), 3) for name, value in found}


def cross(rows: Sequence[Told]) -> None:
    """What a threshold would publish of the real pages, each told by weights of the other hosts, beside what doubts publish."""
    probability = np.zeros(len(rows))
    for fitted, others in GroupKFold(10).split(rows, groups=[row.sheet for row in rows]):
        weights = fit([rows[at] for at in fitted])
        for at in others:
            probability[at] = trust_in(rows[at].change, rows[at].standing, weights)
    right = np.array([row.right for row in rows])
    real = np.array([row.source == _ONLY_TOLD for row in rows])
    doubtful = np.array([bool(row.change.doubts) for row in rows])
    print(f"real pages, cross-validated by host: {real.sum()} changes, {right[real].sum():.1f} right")
    told = {f"probability from {least}": probability >= least for least in (0.9, 0.95, 0.96, 0.97, 0.98)}
    for name, published in ({"without a doubt": ~doubtful} | told).items():
        own = published & real
        found = right[own].sum() / right[real].sum()
        print(f"  {name}: {own.sum()} published, right {right[own].mean():.3f}, of all that is right {found:.3f}")
    wrong, clear = (probability[~doubtful & part].mean() for part in (right < _HALF, right >= _HALF))
    print(f"  changes without a doubt, all sets: mean probability {wrong:.3f} of wrong, {clear:.3f} of right ones")


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
    parser.add_argument(
        "--cross", action="store_true", help="Only what a threshold would publish of real pages, beside the doubts."
    )
    parser.add_argument("--weights", action="store_true", help="Fit anew and print the weights, for schedules.trust.WEIGHTS.")
    given = parser.parse_args()
    rows = list(collect())
    if given.cross:
        cross(rows)
        return
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
