"""How probably published rows are right: each fifth of the sites told by weights fitted on the others, and sets never fitted.

    python -m mass_pipeline_tests.benchmarks.calibration [--weights]

Sets: the labelled real pages and strings beside the checkout, written schedules, pages and sites, pages whose answer is
"unknown" and those that only look so. A site falls into a fifth by the hash of its name. Announcement pages and the sets that
were written last are only told, never fitted. `--weights` prints those of all sites: the ones that are shipped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from sklearn.metrics import roc_auc_score

from mass_pipeline.learning.bundled import load_model
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.rows import RowSample
from mass_pipeline.model.records import Mass
from mass_pipeline.reading.regular.reading import PageReading, read_page, read_strings
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words.masking.lines import MASK
from mass_pipeline.site_reading.combine import decided_schedule
from mass_pipeline.site_reading.ownership.confidence import PUBLISH_FROM, WEIGHTS, probability, terms_of
from mass_pipeline.site_reading.ownership.features import RowEvidence, evidence_of, names_place, unexplained_of
from mass_pipeline.site_reading.ownership.own_names import OwnNames
from mass_pipeline.site_reading.ownership.publishing import with_place
from mass_pipeline.site_reading.ownership.samples import is_for_people, samples_of
from mass_pipeline.site_reading.ownership.sites import judge_site
from mass_pipeline_tests.evaluation.belonging.pages import NAMING, PARISHES, WrittenPage, html_of, written_pages
from mass_pipeline_tests.evaluation.reading import EVALUATION_DAY
from mass_pipeline_tests.evaluation.reliability import BINS, binned_error
from mass_pipeline_tests.evaluation.sets import GOLD, load_set
from mass_pipeline_tests.evaluation.written import PAGES, SCHEDULES, SITES, SITES_FOLDER, written_masses, written_records

Floats = npt.NDArray[np.float64]
# The sets were mended after their first sight; a row that is right today counts as much right as published rows of real pages
# were that nobody had seen (.9953 of 1,758 hours, docs/accuracy.md), so that probabilities hold for those.
FIRST_SIGHT = 0.995
# Of the second set of unknown pages, written in words that the vocabulary was not made on, 30 of 86 pages passed it at first
# sight. Rows that the vocabulary objects to count once more as if it did not, so that what else makes
# them strange is learnt from them; with less than that weight, as such pages are rarer among parishes than in these sets.
PASSED_AT_FIRST_SIGHT = 0.15
REAL = ("sites", "sites-ascii", "directory", "directory-2")
STRINGS = ("strings", "strings-2", "strings-3")
REAL_WEIGHT = 3.0  # of a row of a real page; 1 to 6 make no difference of .001
FOLDS = 5
STIFFNESS = 3.0  # variance of a weight before anything is seen
NEVER_FOR = ("strange", "strange_at_all", "strange_twice", "objections")
NEVER_AGAINST = ("words", "score", "own_named", "stated_though_strange")
LEAST_OF_WORDS = 0.2  # of the sets hardly a row admits another reading: that says nothing of those that do
_NEVER_FITTED = ("announcements", "unknown_pages_sixth", "unknown_pages_seventh", "unknown_pages_ninth", "own_pages_third")


@dataclass(frozen=True)
class Row:
    """One row of a site: its evidence, and whether the label has it.

    Attributes:
        is_aside: it was set aside; whatever its probability, it waits.
        sample: as the classifier sees it.
        is_shown: it is published when it is probable enough: its place can be shown, and nothing in it is for people alone.
    """

    kind: str
    site: str
    evidence: RowEvidence
    right: bool
    weight: float
    is_aside: bool
    sample: RowSample
    mass: Mass
    is_shown: bool

    @property
    def is_fitted(self) -> bool:
        """Whether weights may be fitted to its set."""
        return self.kind not in _NEVER_FITTED

    @property
    def fold(self) -> int:
        """Which fifth its site is in."""
        return hashlib.sha256(f"fold {self.site}".encode()).digest()[0] % FOLDS


def rows_of_site(
    kind: str, name: str, readings: Sequence[PageReading], truth: Sequence[Mass], model: Trained | None, today: date
) -> Iterator[Row]:
    """Rows that the site would publish and those set aside."""
    site = judge_site(readings, today)
    final = decided_schedule(site.schedule, site.readings, name, model)
    weight = REAL_WEIGHT if kind in REAL else 1.0
    for masses, is_aside in ((final.masses, False), ([one.read for one in final.withheld], True)):
        evidence = evidence_of(masses, site.pages, site.own, set_aside=is_aside)
        samples = samples_of(masses, evidence, site.own)
        for read, row, sample in zip(masses, evidence, samples, strict=True):
            yield Row(
                kind,
                name,
                row,
                stands_in_week(read.mass, truth),
                weight,
                is_aside,
                sample,
                read.mass,
                with_place(read, row).mass.place != MASK and not is_for_people(read, row),
            )


def stands_in(mass: Mass, truth: Iterable[Mass]) -> bool:
    """Whether every day of a row has, in the truth, a Mass of the same time, season and ordinals."""
    days = {day for t in truth if (t.time, t.season, t.nth) == (mass.time, mass.season, mass.nth) for day in t.days}
    return set(mass.days) <= days


def stands_in_week(mass: Mass, truth: Sequence[Mass]) -> bool:
    """Whether a row is right as it stands, or at least its days and hours where the label of its kind tells no more.

    Labels of announcement pages name no abolished feasts; nothing is held against what a page says of them.
    """
    named = {day for one in truth for day in one.days}
    days = [day for day in mass.days if day != "AF" or "AF" in named]
    return stands_in(mass, truth) or (
        bool(days) and {(d, mass.time) for d in days} <= {(d, t.time) for t in truth for d in t.days}
    )


def page_of(text: str, name: str = "") -> PageReading:
    """Read a page or a text of which nobody knows what it holds."""
    kind = "text/html" if "<html" in text.lower() else "text/plain"
    return read_page(read_document(text.encode(), content_type=f"{kind}; charset=utf-8", url=name or "http://x.example/"))


def never_fitted(model: Trained | None) -> Iterator[Row]:
    """Rows of the sets that only measure, and of attacks."""
    for name in ("unknown_pages_sixth", "unknown_pages_seventh", "unknown_pages_ninth", "own_pages_third"):
        yield from written_rows(name, written_pages(name), model)
    yield from beside_the_checkout(model)


def collect(model: Trained | None) -> Iterator[Row]:
    """All rows of all sets."""
    for name in ("sites", "sites-ascii", "directory", "directory-2", "snippets"):
        labelled = load_set(name)
        for record in labelled.records if labelled else ():
            if record.masses is not None:
                readings = [page_of(record.text)] if record.text else []
                readings += [read_page(read_document(p.read_bytes(), content_type=k, url=n)) for n, p, k in record.pages]
                truth = [Mass.from_dict(dict(mass)) for mass in record.masses]
                yield from rows_of_site(name, record.id, readings, truth, model, EVALUATION_DAY)
    yield from rows_of_strings()
    for source in (SCHEDULES, PAGES, SITES):
        for one in written_records(source):
            files = [SITES_FOLDER / line.strip() for line in one["text"].splitlines() if line.strip()] if source is SITES else []
            readings = [read_page(read_document(file.read_bytes(), url=file.name)) for file in files] or [page_of(one["text"])]
            truth = [Mass.from_dict(mass) for mass in one["masses"]]
            yield from rows_of_site("written", f"{source.stem} {one['id']}", readings, truth, model, EVALUATION_DAY)
    for name in ("unknown_pages", *(f"unknown_pages_{n}" for n in ("second", "third", "fourth", "fifth", "eighth"))):
        yield from written_rows(name, written_pages(name), model)
    for name in ("own_pages", "own_pages_second"):
        yield from written_rows(name, written_pages(name), model)
    yield from never_fitted(model)


def rows_of_strings() -> Iterator[Row]:
    """Rows of a directory's strings: nothing is known of them but their words."""
    for name in STRINGS:
        labelled = load_set(name)
        for record in labelled.records if labelled else ():
            if record.strings is None or record.masses is None:
                continue
            truth = [Mass.from_dict(dict(mass)) for mass in record.masses]
            for read in read_site([read_strings(*record.strings)]).masses:
                row = RowEvidence(read.confidence, unexplained=unexplained_of(read, OwnNames()), by_places=names_place(read))
                right = stands_in_week(read.mass, truth)
                row = replace(row, contradicted=read.contradicted)
                yield Row(name, record.id, row, right, 1.0, False, RowSample(probability(row)), read.mass, True)


def written_rows(kind: str, pages: Sequence[WrittenPage], model: Trained | None) -> Iterator[Row]:
    """Rows of written pages in their designs."""
    for at, page in enumerate(pages):
        text = html_of(page, PARISHES[at % len(PARISHES)], at % NAMING)
        truth = [Mass.from_dict(mass) for mass in page.masses]
        yield from rows_of_site(kind, page.name, [page_of(text)], truth, model, EVALUATION_DAY)


def beside_the_checkout(model: Trained | None) -> Iterator[Row]:
    """Attacks and announcement pages, where they lie beside the checkout."""
    attacks = GOLD.parent / "attacks" / "unknown-pages.jsonl"
    for line in attacks.read_text(encoding="utf-8").splitlines() if attacks.exists() else ():
        data = json.loads(line)
        yield from rows_of_site("attacks", data["id"], [page_of(data["html"])], [], model, EVALUATION_DAY)
    announcements = GOLD / "announcements.jsonl"
    for line in announcements.read_text(encoding="utf-8").splitlines() if announcements.exists() else ():
        data = json.loads(line)
        said = [mass for label in data["labels"] if label.startswith("S ") for mass in written_masses(label[2:])]
        truth = [Mass.from_dict(mass) for mass in said]
        today = date.fromisoformat(data["issued"]) if data.get("issued") else EVALUATION_DAY
        yield from rows_of_site("announcements", data["id"], [page_of(data["text"])], truth, model, today)


def as_if_new(rows: Sequence[Row]) -> list[Row]:
    """Rows that words spoke against, as if the vocabulary had not known the words."""
    return [
        replace(
            row,
            kind=f"{row.kind}, words new",
            evidence=replace(row.evidence, objections=0),
            weight=PASSED_AT_FIRST_SIGHT * row.weight,
        )
        for row in rows
        if row.evidence.objections
    ]


def fit(rows: Sequence[Row]) -> dict[str, float]:
    """Weights of the terms by maximum likelihood, none with the wrong sign, then scaled to the rows as they are (Platt)."""
    names = list(terms_of(rows[0].evidence))
    x, y = _terms_and_right(rows, names)
    learnt = _learnt(rows, names)
    slope, shift = _scale(x @ learnt, y)
    found = slope * learnt
    found[names.index("constant")] += shift
    return {name: round(float(w), 3) for name, w in zip(names, found, strict=True)}


def _terms_and_right(rows: Sequence[Row], names: Sequence[str]) -> tuple[Floats, Floats]:
    """Terms `(rows, names)`, and how far each row counts as right `(rows,)`."""
    terms = [terms_of(row.evidence) for row in rows]
    right = [FIRST_SIGHT if row.right else 0.0 for row in rows]
    return np.array([[term[name] for name in names] for term in terms]), np.array(right)


def _scale(z: Floats, y: Floats) -> tuple[float, float]:
    """Slope and shift of log-odds `(rows,)`, as rows that count as if words were new tell what is strange, not how often."""
    found = minimize(lambda v: float((np.logaddexp(0, v[0] * z + v[1]) - y * (v[0] * z + v[1])).mean()), [1.0, 0.0])
    return float(found.x[0]), float(found.x[1])


def _learnt(rows: Sequence[Row], names: Sequence[str]) -> Floats:
    """Weights `(names,)` learnt from the rows and from those that count as if the words against them were new."""
    rows = [*rows, *as_if_new(rows)]
    weight = np.array([row.weight for row in rows])
    x, y = _terms_and_right(rows, names)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = x @ w
        p = 1 / (1 + np.exp(-z))
        value = float(weight @ (np.logaddexp(0, z) - y * z) + (w[1:] @ w[1:]) / (2 * STIFFNESS))
        return value, x.T @ (weight * (p - y)) + np.concatenate([[0.0], w[1:] / STIFFNESS])

    least = {name: LEAST_OF_WORDS if name == "words" else 0.0 for name in NEVER_AGAINST}
    bounds = [(None, 0.0) if n in NEVER_FOR else (least.get(n), None) for n in names]
    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds)
    return np.asarray(found.x, dtype=np.float64)


def cross_validated(rows: Sequence[Row]) -> Floats:
    """The probability of every row by weights fitted to the other four fifths of the sites."""
    weights = [fit([row for row in rows if row.fold != fold]) for fold in range(FOLDS)]
    return np.array([probability(row.evidence, weights[row.fold]) for row in rows])


def show_folds(rows: Sequence[Row]) -> None:
    """All rows, then those of real pages and of real strings, as weights of other sites tell them."""
    p = cross_validated(rows)
    kinds = np.array([row.kind for row in rows])
    for title, kept in (("all sets", None), ("real pages", REAL), ("real strings", STRINGS), ("real", (*REAL, *STRINGS))):
        own = np.isin(kinds, kept) if kept else np.ones(len(rows), dtype=np.bool_)
        show(f"{title}, cross-validated by site", [row for row, is_own in zip(rows, own, strict=True) if is_own], p[own])


def show(title: str, rows: Sequence[Row], p: Floats) -> None:
    """Reliability, calibration error and what the threshold does."""
    right = np.array([row.right for row in rows])
    bins = np.digitize(p, BINS) - 1
    used = [b for b in range(len(BINS) - 1) if (bins == b).any()]
    error = binned_error(p, right.astype(np.float64))
    sites = len({row.site for row in rows})
    wrong = roc_auc_score(~right, -p) if 0 < right.sum() < len(right) else float("nan")
    print(f"\n{title}: {len(rows)} rows of {sites} sites, {(~right).sum()} wrong, ECE {error:.4f}, AUC of wrong {wrong:.3f}")
    for b in used:
        own = bins == b
        span = f"{BINS[b]:.2f} to {min(BINS[b + 1], 1):.2f}"
        print(f"  {span}: {own.sum():5d} rows, mean {p[own].mean():.3f}, right {right[own].mean():.3f}")
    for least in (0.5, 0.7, 0.8, 0.9, 0.95):
        kept = p >= least
        lost = (right & ~kept).sum() / max(1, right.sum())
        mark = " *" if least == PUBLISH_FROM else ""
        precision = right[kept].mean() if kept.any() else 1.0
        print(f"  from {least:.2f}: precision {precision:.4f}, published {kept.mean():.3f}, right rows withheld {lost:.4f}{mark}")


def main() -> None:
    """Fit and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", action="store_true", help="Print the fitted weights, for confidence.WEIGHTS.")
    given = parser.parse_args()
    rows = list(collect(load_model(None)))
    fitted = [row for row in rows if row.is_fitted]
    weights = dict(WEIGHTS)
    if given.weights:
        weights = fit(fitted)
        print(weights)
    show_folds(fitted)
    never = [row for row in rows if not row.is_fitted and row.kind != "announcements"]
    show("sets that were never fitted", never, _by(weights, never))
    rows += as_if_new(rows)
    for kind in sorted({row.kind for row in rows}):
        own = [row for row in rows if row.kind == kind]
        show(kind, own, _by(weights, own))


def _by(weights: dict[str, float], rows: Sequence[Row]) -> Floats:
    return np.array([probability(row.evidence, weights) for row in rows])


if __name__ == "__main__":
    main()
