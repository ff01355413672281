"""The loop closed: rows that wait, answers about other sites, and what is published then.

    python -m mass_pipeline_tests.benchmarks.people_loop [--rivals] [--plot FILE.png] [--ship]

Labelled real pages, folded by site: a model of rows knows the written sets alone (no real page), gets answers about the sites
of four folds, and judges the fifth. Asked are rows as the queue leads (those that wait, sites in turns) or any at random; an
answer is a question that people who err so often settled by the rule of the app. Two vocabularies:

* as it is: hardly a row waits on these pages, as the reader was mended on them;
* thinned: without its list of towns and three in ten of its fillers, as it may be for pages that nobody looked at.

On two of three copies of a page a box stands that names no Mass (`foreign_boxes.txt`; other labels in every fold, others again
on the written sites): so wrong rows wait too. Hostile pages are never answered. `--ship` fits the shipped model, to all of it.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from mass_pipeline.annotation.ballots import Ballot, judge, next_state
from mass_pipeline.annotation.config import AnnotationConfig
from mass_pipeline.annotation.items import turns
from mass_pipeline.annotation.vocabulary import SIDE_OF
from mass_pipeline.learning import bundled, storage
from mass_pipeline.learning.bundled import load_model
from mass_pipeline.learning.learning_curve import COUNTS, FOLDS, KnownRows, LearningPoint, fold_of, learning_curve, point_of
from mass_pipeline.learning.model import Trained
from mass_pipeline.learning.plots import learning_curve_png
from mass_pipeline.learning.rows import RowModel, fit_rows
from mass_pipeline.model.records import Mass
from mass_pipeline.publishing.taught import SURE
from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.text.charset import decode
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.reading.words import known_words
from mass_pipeline.site_reading.ownership import out_of_vocabulary
from mass_pipeline.site_reading.ownership.confidence import PUBLISH_FROM
from mass_pipeline.site_reading.ownership.features import evidence_of
from mass_pipeline.site_reading.ownership.samples import row_probabilities
from mass_pipeline.site_reading.ownership.sites import judge_site
from mass_pipeline_tests.benchmarks.calibration import FIRST_SIGHT, REAL, Row, collect, never_fitted, rows_of_site
from mass_pipeline_tests.evaluation.belonging.pages import foreign_boxes
from mass_pipeline_tests.evaluation.reading import EVALUATION_DAY
from mass_pipeline_tests.evaluation.sets import GOLD, load_set
from mass_pipeline_tests.evaluation.written import PAGES, SITES, SITES_FOLDER, written_records

Floats = npt.NDArray[np.float64]
BOXES: Final = "boxes"  # kind of rows of copies with a box
COPIES: Final = 3  # of a page: as it is, and with two boxes
THIN: Final = 0.3  # share of fillers left out
ERRORS: Final = (0.0, 0.05, 0.2)  # of a person
MANY: Final = 50_000  # rows, for the speed
RIGHT: Final = SURE  # an answer is as sure as that
BINS: Final = (0.2, 0.5, 0.7, 0.9)
_END: Final = re.compile(r"</(?:main|body|html)\s*>", re.I)


@contextmanager
def vocabulary(without: float) -> Iterator[None]:
    """The vocabulary without a share of its fillers, by their hash, and without its towns; as it is for 0."""
    kept = known_words.fillers, out_of_vocabulary.fillers, known_words._nouns, known_words._stems
    if without:
        less = frozenset(word for word in known_words.fillers() if hashlib.sha256(word.encode()).digest()[0] >= 256 * without)
        known_words.fillers = out_of_vocabulary.fillers = lambda: less  # type: ignore[assignment]
        known_words._nouns = known_words._stems = frozenset  # type: ignore[assignment]
    known_words.is_town.cache_clear()
    try:
        yield
    finally:
        known_words.fillers, out_of_vocabulary.fillers, known_words._nouns, known_words._stems = kept
        known_words.is_town.cache_clear()


def with_box(markup: str, box: str, form: int) -> str:
    """A page with a box below its text: a heading over the times, a label before them, or words after them."""
    label, times = box.split(" | ")
    shapes = (f"<h3>{label}</h3><p>{times}</p>", f"<p>{label}: {times}</p>", f"<p>{times} - {label.lower()}</p>")
    end = _END.search(markup)
    at = end.start() if end else len(markup)
    return f"{markup[:at]}{shapes[form % len(shapes)]}{markup[at:]}"


def real_rows(model: Trained) -> Iterator[Row]:
    """Rows of the labelled real pages, of each page thrice: as it is, and twice with a box."""
    boxes = [box for at, box in enumerate(foreign_boxes()) if at % 2]
    drawn = 0
    for name in REAL:
        found = load_set(name)
        for record in found.records if found else ():
            if record.masses is None:
                continue
            truth = [Mass.from_dict(dict(mass)) for mass in record.masses]
            own = [box for at, box in enumerate(boxes) if at % FOLDS == fold_of(record.id)]
            for copy in range(COPIES):
                readings = []
                for url, path, kind in record.pages:
                    reading = read_page(read_document(path.read_bytes(), content_type=kind, url=url))
                    if copy and reading.masses:
                        drawn += 1
                        text = with_box(decode(path.read_bytes(), kind).text, own[drawn % len(own)], drawn // FOLDS)
                        reading = read_page(read_document(text.encode(), content_type="text/html; charset=utf-8", url=url))
                    readings.append(reading)
                yield from rows_of_site(f"{BOXES} {name}" if copy else name, record.id, readings, truth, model, EVALUATION_DAY)


def boxed_written_rows(model: Trained) -> Iterator[Row]:
    """Wrong rows of written sites with boxes of other labels."""
    boxes = [box for at, box in enumerate(foreign_boxes()) if not at % 2]
    drawn = 0
    for source in (PAGES, SITES):
        for one in written_records(source):
            files = [SITES_FOLDER / line.strip() for line in one["text"].splitlines() if line.strip()] if source is SITES else []
            texts = [decode(file.read_bytes(), None).text for file in files] or [one["text"]]
            truth = [Mass.from_dict(mass) for mass in one["masses"]]
            for _ in range(COPIES - 1):
                readings = []
                for at, text in enumerate(texts):
                    boxed = with_box(text, boxes[drawn % len(boxes)], drawn // 2)
                    drawn += 1
                    document = read_document(
                        boxed.encode(), content_type="text/html; charset=utf-8", url=f"http://x.example/{at}"
                    )
                    readings.append(read_page(document))
                site = f"{source.stem} {one['id']}"
                rows = rows_of_site(f"{BOXES} written", site, readings, truth, model, EVALUATION_DAY)
                yield from (row for row in rows if not row.right)


def distinct(rows: Sequence[Row]) -> list[Row]:
    """Rows that may be published, each once, as copies of a page state most of them again: not those whose place is hidden."""
    found: dict[str, Row] = {}
    for row in rows:
        if row.is_shown and not row.is_aside:
            found.setdefault(f"{row.site} {row.mass} {row.sample}", row)
    return list(found.values())


def known(rows: Sequence[Row]) -> KnownRows:
    """Rows as the learning curve takes them."""
    return KnownRows([row.sample for row in rows], np.array([row.right for row in rows]), [row.site for row in rows])


def of_written(rows: Sequence[Row]) -> RowModel:
    """What a model knows before the first answer: of sets of the project, and none of a real page."""
    right = [FIRST_SIGHT if row.right else 0.0 for row in rows]
    return fit_rows([row.sample for row in rows], right, np.ones(len(rows)), [row.site for row in rows])


def asked(rows: KnownRows, way: str, seed: int) -> list[int]:
    """In which order people are asked: rows that wait, parishes in turns, as the queue has it, or any rows at random."""
    order = [int(at) for at in np.random.default_rng(seed).permutation(len(rows.samples))]
    if way == "random":
        return order
    turn = turns((rows.samples[at].prior >= PUBLISH_FROM, rows.parishes[at]) for at in order)
    ranked = sorted(zip(order, turn, strict=True), key=lambda one: (rows.samples[one[0]].prior >= PUBLISH_FROM, one[1]))
    return [at for at, _ in ranked]


def answered(rows: KnownRows, error: float, seed: int) -> Floats:
    """What people who err so often settle by the rule of the app, as a probability; .5 where they settle nothing."""
    drawn, config = np.random.default_rng(seed), AnnotationConfig()
    found = np.full(len(rows.samples), 0.5)
    for at, right in enumerate(rows.right.tolist()):
        ballots: list[Ballot] = []
        state, wanted = "open", config.overlap
        while state == "open":
            says_right = right ^ bool(drawn.random() < error)
            ballots.append(Ballot("yes" if says_right else "no_mass", f"1.{len(ballots)}", 1 - error))
            verdict = judge(ballots, config, "row")
            state, wanted = next_state(verdict, len(ballots), 0, wanted, config)
        if state == "settled":
            sure = min(RIGHT, verdict.probability)
            found[at] = sure if SIDE_OF["row"][str(verdict.label)] == "right" else 1 - sure
    return found


def show(point: LearningPoint) -> str:
    """A line of a table."""
    return (
        f"{point.answers:5d} answers: of {point.waiting} right rows that wait {point.share:.3f} published, of "
        f"{point.waiting_wrong} wrong ones {point.waiting_wrong_published}; published {point.published}, P {point.precision:.4f}"
    )


def hostile_published(rows: KnownRows, hostile: KnownRows, start: RowModel, count: int) -> str:
    """Wrong and right rows of hostile pages that are published after so many answers."""
    order, answers = asked(rows, "queue", 0), answered(rows, 0.0, 0)
    model = taught_all(rows, answers, order[:count], start)
    point = point_of(
        count,
        model.probabilities(hostile.samples) >= PUBLISH_FROM,
        np.array([one.prior for one in hostile.samples]) >= PUBLISH_FROM,
        hostile.right,
    )
    return f"wrong {point.published - point.right}, right {point.right}"


def taught_all(rows: KnownRows, answers: Floats, order: Sequence[int], start: RowModel) -> RowModel:
    """A model taught by these answers, whatever their fold."""
    return fit_rows(
        [rows.samples[at] for at in order], answers[list(order)], np.ones(len(order)), [rows.parishes[at] for at in order], start
    )


def curves(name: str, rows: KnownRows, start: RowModel, hostile: KnownRows) -> dict[str, list[LearningPoint]]:
    """Print and return the curves of one vocabulary."""
    found = {}
    for way in ("queue", "random"):
        for error in ERRORS:
            runs = [
                list(learning_curve(rows, answered(rows, error, seed), asked(rows, way, seed), start, publish_from=PUBLISH_FROM))
                for seed in range(3 if error or way == "random" else 1)
            ]
            middle = [sorted((run[at] for run in runs), key=lambda one: one.share)[len(runs) // 2] for at in range(len(COUNTS))]
            found[f"{way}, {error:.0%} err"] = middle
            said = answered(rows, error, 0)
            wrong = ((said > 0.5) != rows.right)[said != 0.5]
            print(f"{name}, {way}, people err {error:.0%}: {(said == 0.5).mean():.1%} not settled, {wrong.mean():.2%} wrongly")
            for point in middle:
                print(f"  {show(point)}", flush=True)
    for count in COUNTS:
        print(f"  hostile and unknown pages after {count} answers: {hostile_published(rows, hostile, start, count)}")
    return found


def cross_validated(rows: KnownRows, start: RowModel) -> Floats:
    """The probability of each row by a model that saw all rows of the other sites."""
    chances, answers = np.zeros(len(rows.samples)), answered(rows, 0.0, 0)
    for fold in range(FOLDS):
        judged = np.flatnonzero(rows.folds == fold)
        model = taught_all(rows, answers, [int(at) for at in np.flatnonzero(rows.folds != fold)], start)
        chances[judged] = model.probabilities([rows.samples[at] for at in judged])
    return chances


def show_calibration(title: str, p: Floats, right: npt.NDArray[np.bool_]) -> None:
    """ECE over five bins, and where the wrong rows are."""
    bins = np.digitize(p, BINS)
    used = [bins == one for one in range(len(BINS) + 1) if (bins == one).any()]
    error = sum(own.mean() * abs(p[own].mean() - right[own].mean()) for own in used)
    print(f"{title}: {len(p)} rows, ECE {error:.4f}")
    for own in used:
        print(f"  mean {p[own].mean():.3f}: {own.sum()} rows, right {right[own].mean():.3f}, wrong {(~right[own]).sum()}")


def show_default(rows: Sequence[Row], p: Floats) -> None:
    """What is published by default and with `--rules-only`."""
    right, by_rules = np.array([row.right for row in rows]), np.array([row.sample.prior for row in rows]) >= PUBLISH_FROM
    real = np.array([row.kind in REAL for row in rows])
    for title, own in (("real pages as they are", real), ("with boxes", ~real)):
        for way, published in (("rules only", by_rules), ("default", p >= PUBLISH_FROM)):
            found, wrong = (right & published & own).sum(), (~right & published & own).sum()
            print(f"  {title}, {way}: right {found} of {(right & own).sum()}, wrong {wrong}")


def show_rivals(written: Sequence[Row], rows: KnownRows, hostile: KnownRows) -> None:
    """Rivals after answers about every other site, in nested cross-validation: a table for docs/classifier.md."""
    from mass_pipeline_tests.benchmarks.row_rivals import RIVALS, nested

    taught, answers = known(written), answered(rows, 0.0, 0)
    by_rules = np.array([one.prior for one in rows.samples]) >= PUBLISH_FROM
    print("| model of rows | precision | recall | right rows that wait | hostile wrong rows | CPU s |\n|---|---|---|---|---|---|")
    for name, learners in RIVALS.items():
        started = time.process_time()
        right = np.where(taught.right, FIRST_SIGHT, 0.0)
        with threadpool_limits(limits=1):  # several threads hinder each other in so small a network
            chances, judges = nested(learners, rows, answers, taught, right, PUBLISH_FROM)
        point = point_of(len(answers), chances >= PUBLISH_FROM, by_rules, rows.right)
        wild = max(int(((judge(hostile.samples) >= PUBLISH_FROM) & ~hostile.right).sum()) for judge in judges)
        recall = point.right / rows.right.sum()
        spent = time.process_time() - started
        print(f"| {name} | {point.precision:.4f} | {recall:.3f} | {point.share:.2f} | {wild} | {spent:.0f} |", flush=True)


def show_speed(rows: KnownRows, model: Trained) -> None:
    """CPU seconds to fit 50,000 rows, and of the judgement of rows beside the reading of their pages."""
    many = [at % len(rows.samples) for at in range(MANY)]
    began = time.process_time()
    taught_all(rows, answered(rows, 0.05, 0), many, model.rows)
    print(f"fitted to {MANY:,} rows in {time.process_time() - began:.1f} CPU s")
    reading = judging = 0.0
    for name in REAL:
        found = load_set(name)
        for record in found.records if found else ():
            began = time.process_time()
            readings = [
                read_page(read_document(path.read_bytes(), content_type=kind, url=url)) for url, path, kind in record.pages
            ]
            site = judge_site(readings, EVALUATION_DAY)
            evidence = evidence_of(site.schedule.masses, site.pages, site.own)
            reading += time.process_time() - began
            began = time.process_time()
            row_probabilities(site.schedule.masses, evidence, site.own, model.rows)
            judging += time.process_time() - began
    print(f"reading of the real pages {reading:.1f} CPU s, judgement of their rows {judging:.2f} ({judging / reading:.1%})")


def ship(written: Sequence[Row], real: Sequence[Row], model: Trained) -> None:
    """Fit to everything that is labelled but the hostile sets, and write it beside the network that is shipped."""
    rows = fit_rows(
        [row.sample for row in real],
        [RIGHT if row.right else 1 - RIGHT for row in real],
        np.ones(len(real)),
        [row.site for row in real],
        of_written(written),
    )
    said = {
        "written": {
            "rows": len(written),
            "right": sum(row.right for row in written),
            "sites": len({row.site for row in written}),
        },
        "real": {"rows": len(real), "right": sum(row.right for row in real), "sites": len({row.site for row in real})},
        "words": len(rows.columns),
        "fitted_on": "written pages of the project and labelled real pages, with boxes that name no Mass; no answer of a person",
    }
    folder = Path(str(bundled.__file__)).parent / bundled.PRETRAINED
    saved = storage.save(replace(model, rows=rows, card={**model.card, "row_model": said}), folder)
    print(f"model {saved.model_id} written to {folder}: {said}")


def main() -> None:
    """Read, teach, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rivals", action="store_true", help="other models, in nested cross-validation")
    parser.add_argument("--plot", type=Path, help="where to draw the curve of the thinned vocabulary")
    parser.add_argument("--ship", action="store_true", help="write the model that is shipped, and stop")
    given = parser.parse_args()
    model = load_model(None)
    if model is None or not GOLD.is_dir():
        print(f"needs {GOLD} and a shipped model; nothing measured", file=sys.stderr)
        return
    every = list(collect(model))
    written = distinct([row for row in every if row.is_fitted and row.kind not in (*REAL, "snippets", "attacks")])
    written += distinct(list(boxed_written_rows(model)))
    if given.ship:
        ship(written, distinct(list(real_rows(model))), model)
        return
    start = of_written(written)
    for name, without in (("as it is", 0.0), ("thinned", THIN)):
        with vocabulary(without):
            read = distinct(list(real_rows(model)))
            hostile = known(distinct(list(never_fitted(model))))
        rows = known(read)
        drawn = curves(f"vocabulary {name}", rows, start, hostile)
        if not without:
            p = cross_validated(rows, start)
            real = np.array([row.kind in REAL for row in read])
            show_calibration("real pages, every other site answered", p[real], rows.right[real])
            show_calibration("with boxes", p, rows.right)
            show_default(read, p)
        if given.rivals:
            show_rivals(written, rows, hostile)
        if not without:
            show_speed(rows, model)
        if given.plot and without == THIN:
            given.plot.write_bytes(learning_curve_png(drawn))


if __name__ == "__main__":
    main()
