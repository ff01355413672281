"""How sure published rows are, and how sure they may be: fit on the project's own sets, measured on real pages.

    python -m mass_pipeline_tests.benchmarks.confidence [--plot FILE.png]

Fitted to golden pages, written schedules and demo sites; the labelled real pages beside the checkout only measure.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mass_pipeline.classification.bundled import load_model
from mass_pipeline.classification.confidence import PRIOR, TERMS, ConfidenceModel
from mass_pipeline.classification.evaluation import Answers, calibration_error, reliability
from mass_pipeline.classification.model import Trained
from mass_pipeline.classification.plots import confidence_png
from mass_pipeline.classification.splits import split_of
from mass_pipeline.experiments.pretraining import CONFIG, demo_sites
from mass_pipeline.extraction.reader import read_document
from mass_pipeline.model.records import Mass
from mass_pipeline.schedule_grammar.judging.reading import PageReading, read_page
from mass_pipeline.schedule_grammar.judging.sites import read_site
from mass_pipeline.site_reading.combine import row_terms
from mass_pipeline.site_reading.hours import judge_hours
from mass_pipeline_tests.benchmarks.confidence_fit import fit_confidence, stands_in
from mass_pipeline_tests.evaluation.sets import load_set
from mass_pipeline_tests.evaluation.written import PAGES, SCHEDULES, written_records

FIRST_SIGHT_PRECISION = 0.97  # of written sets when they were read for the first time (README): rules know these sets by now


@dataclass(frozen=True)
class Rows:
    """Published rows of one set: terms `(n, 6)` and whether each is right `(n,)`."""

    name: str
    terms: np.ndarray
    right: np.ndarray

    def answers(self, model: ConfidenceModel) -> Answers:
        return Answers(self.right, model.confidence(self.terms), 0.5)


def site_rows(readings: Sequence[PageReading], truth: Sequence[Mass], model: Trained) -> Iterator[tuple[np.ndarray, bool]]:
    """Rows the rules publish."""
    schedule = read_site(readings)
    hours = [hour for page in judge_hours(readings, schedule, parish_id="x", model=model) for hour in page]
    for read in schedule.masses:
        yield row_terms(read, hours), stands_in(read.mass, truth)


def own_sets(model: Trained) -> list[Rows]:
    """The sets the model is fitted to."""
    demo: dict[bool, list[tuple[np.ndarray, bool]]] = {True: [], False: []}
    for site in demo_sites():
        seen = split_of(site.parish.key, CONFIG) == "train"
        demo[seen] += site_rows(site.readings, site.parish.site.truth, model)
    written = []
    for record in written_records(SCHEDULES) + written_records(PAGES):
        kind = "text/html" if "<html" in record["text"] else "text/plain"
        page = read_page(read_document(record["text"].encode(), content_type=f"{kind}; charset=utf-8", url="http://x.example/"))
        written += site_rows([page], [Mass.from_dict(mass) for mass in record["masses"]], model)
    named = {"demo, unseen": demo[False], "demo, seen": demo[True], "golden": labelled_rows("golden", model), "written": written}
    return [rows_of(name, rows) for name, rows in named.items()]


def labelled_rows(name: str, model: Trained) -> list[tuple[np.ndarray, bool]]:
    """Rows of a labelled set of pages; none where it does not lie beside the checkout."""
    found = load_set(name)
    rows: list[tuple[np.ndarray, bool]] = []
    for record in found.records if found else ():
        if record.masses is not None:
            pages = [read_page(read_document(path.read_bytes(), content_type=kind, url=url)) for url, path, kind in record.pages]
            rows += site_rows(pages, [Mass.from_dict(dict(mass)) for mass in record.masses], model)
    return rows


def rows_of(name: str, rows: Sequence[tuple[np.ndarray, bool]]) -> Rows:
    return Rows(name, np.stack([terms for terms, _ in rows]), np.array([right for _, right in rows]))


def fit(sets: Sequence[Rows]) -> tuple[ConfidenceModel, float]:
    """The model, and the weight of unseen rows with which the share of right rule rows is that of first sight."""
    rules = [rows.right[rows.terms[:, TERMS.index("classifier_only")] == 0] for rows in sets]
    unseen, known = rules[0], np.concatenate(rules[1:])
    wrong_wanted = 1 - FIRST_SIGHT_PRECISION
    weight = (wrong_wanted * len(known) - (~known).sum()) / ((~unseen).sum() - wrong_wanted * len(unseen))
    weights = np.concatenate([np.full(len(rows.right), weight if rows is sets[0] else 1.0) for rows in sets])
    fitted = fit_confidence(np.concatenate([rows.terms for rows in sets]), np.concatenate([rows.right for rows in sets]), weights)
    return fitted, float(weight)


def show(rows: Rows, model: ConfidenceModel) -> None:
    """Mean, share and bins of one set."""
    answers = rows.answers(model)
    print(f"{rows.name}: {len(rows.right)} rows, mean {answers.probability.mean():.3f}, right {rows.right.mean():.3f}, "
          f"calibration error {calibration_error(answers):.3f}")  # fmt: skip
    print(reliability(answers).round(3).to_string(index=False))


def main() -> None:
    """Fit, print, plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path, help="where to draw it")
    given = parser.parse_args()
    model = load_model(None)
    assert model is not None
    sets = own_sets(model)
    fitted, weight = fit(sets)
    print(f"unseen rows weigh {weight:.2f}; coefficients", dict(zip(TERMS, fitted.coefficients.round(3).tolist(), strict=True)))
    print("in use      ", dict(zip(TERMS, PRIOR.coefficients.round(3).tolist(), strict=True)))
    for rows in sets:
        show(rows, fitted)
    real = [row for name in ("sites", "directory") for row in labelled_rows(name, model)]
    shown = rows_of("real pages (nothing fitted on them)", real) if real else sets[0]
    rules = shown.terms[:, TERMS.index("classifier_only")] == 0
    for name, chosen in ((f"{shown.name}, rows of the rules", rules), (f"{shown.name}, classifier alone", ~rules)):
        if chosen.any():
            show(Rows(name, shown.terms[chosen], shown.right[chosen]), fitted)
    if given.plot:
        given.plot.write_bytes(confidence_png(Rows(shown.name, shown.terms[rules], shown.right[rules]).answers(fitted)))


if __name__ == "__main__":
    main()
