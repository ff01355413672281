"""Rows that people settled, as the classifier sees them today: what its model of rows is taught with.

An answer teaches as long as the site still says the row in the same lines; they are read anew, so that an answer of last year
teaches the reader of this year. Not here: the model (learning.rows), what becomes of the row itself (schedules.standing_order).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import numpy as np

from mass_pipeline.learning.bundled import bundled_model
from mass_pipeline.learning.learning_curve import KnownRows, LearningPoint, learning_curve, taught
from mass_pipeline.learning.model import JsonValue, Trained
from mass_pipeline.learning.promotion import PublishedRows
from mass_pipeline.learning.rows import BY_RULES, RowModel, RowSample
from mass_pipeline.learning.schema import Floats
from mass_pipeline.resources.lake import TableReader
from mass_pipeline.schedules.checked import RowAnswer, row_id
from mass_pipeline.site_reading.combine import decided_schedule
from mass_pipeline.site_reading.ownership.confidence import PUBLISH_FROM
from mass_pipeline.site_reading.ownership.features import evidence_of
from mass_pipeline.site_reading.ownership.publishing import with_place, without_mask
from mass_pipeline.site_reading.ownership.samples import samples_of
from mass_pipeline.site_reading.ownership.sites import schedule_of_pages
from mass_pipeline.site_reading.pages import SiteReader, SiteReading, each_site

SURE: Final = 0.995  # no answer is surer: of settled ones at most 0.5 % are wrong (docs/people-loop.md)


@dataclass(frozen=True, slots=True)
class AnsweredRows:
    """Rows with what people said of them.

    Attributes:
        known: the rows.
        answers: how probably each is right by the answers: `(n,)`, in the order in which they were settled.
        lost: answers whose lines no site states any more. One about a line that is left out of the order is none of them, and
            teaches nothing: what spoke against its line is no evidence of a row.
    """

    known: KnownRows
    answers: Floats
    lost: int


def answered_rows(
    crawled_pages: TableReader, parishes: TableReader, site_reader: SiteReader, answers: Sequence[RowAnswer], model: Trained
) -> AnsweredRows:
    """The rows that were answered, out of the pages of their parishes.

    Args:
        crawled_pages, parishes: tables; of them the rows of the parishes that were answered about.
        site_reader: reads the sites.
        answers: of people.
        model: whose word on the hours goes with the rows.
    """
    wanted = {one.row_id: one for one in answers}
    found: dict[str, tuple[RowSample | None, str]] = {}
    sites = _sites(crawled_pages, parishes, site_reader, {one.parish_id for one in answers})
    for samples in each_site(sites, lambda site: list(_samples(site, model)), {}):
        found |= {name: (sample, parish) for name, sample, parish in samples if name in wanted}
    order = sorted(found, key=lambda name: (wanted[name].checked.on, name))
    rows = [(name, sample, found[name][1]) for name in order if (sample := found[name][0]) is not None]
    right = np.array([_right(wanted[name]) for name, _, _ in rows], dtype=np.float64)
    known = KnownRows([sample for _, sample, _ in rows], right >= 0.5, [parish for _, _, parish in rows])
    return AnsweredRows(known, right, len(wanted) - len(found))


def with_answers_learnt(model: Trained, rows: AnsweredRows) -> tuple[Trained, tuple[LearningPoint, ...]]:
    """The model with what people's answers teach, and its learning curve.

    The model of rows begins each time with the one that is shipped, so that no answer counts twice.
    """
    shipped = bundled_model()
    start = shipped.rows if shipped else BY_RULES
    asked = range(len(rows.answers))
    curve = tuple(learning_curve(rows.known, rows.answers, asked, start, publish_from=PUBLISH_FROM)) if asked else ()
    learnt: RowModel = taught(rows.known, rows.answers, asked, start)
    said = {"answers": len(rows.answers), "right": int(rows.known.right.sum()), "parishes": len(set(rows.known.parishes))}
    begins = shipped.model_id if shipped else "the rules"
    points: list[JsonValue] = [{**asdict(point), "share": point.share, "precision": point.precision} for point in curve]
    card: dict[str, JsonValue] = {**model.card, "row_model": {**said, "begins_with": begins, "learning_curve": points}}
    return replace(model, rows=learnt, card=card), curve


def published_of(model: Trained, rows: AnsweredRows) -> PublishedRows:
    """What a model publishes of them: what replaces a model is no worse in that."""
    published = model.rows.probabilities(rows.known.samples) >= PUBLISH_FROM
    right = rows.known.right
    return PublishedRows(int((published & right).sum()), int((published & ~right).sum()), int(right.sum()))


def _right(answer: RowAnswer) -> float:
    sure = min(SURE, answer.probability)
    return sure if answer.verdict == "yes" else 1.0 - sure


def _sites(crawled_pages: TableReader, parishes: TableReader, site_reader: SiteReader, wanted: set[str]) -> Iterator[SiteReading]:
    crawled = wanted & {str(row["parish_id"]) for row in crawled_pages.rows(["parish_id"])}  # one column: bodies are large
    rows = parishes.rows(["parish_id", "name", "town"])
    names = {str(row["parish_id"]): (str(row["name"]), str(row["town"])) for row in rows if row["parish_id"] in crawled}
    if crawled:
        yield from site_reader.sites(crawled_pages.among(crawled), names)


def _samples(site: SiteReading, model: Trained) -> Iterator[tuple[str, RowSample | None, str]]:
    """Identity, sample and parish of each row of a site, once for each page that states it; no sample of those left out."""
    pages = site.judged
    schedule = decided_schedule(schedule_of_pages(pages), [page.reading for page in pages], site.parish_id, model)
    evidence = evidence_of(schedule.masses, pages, site.own)
    samples = samples_of(schedule.masses, evidence, site.own)
    for read in (one.read for one in schedule.withheld):
        for url in {one.source_url for one in read.evidence if one.quote}:
            yield row_id(site.parish_id, without_mask(read).mass, read.quote_of(url)), None, site.parish_id
    for read, row, sample in zip(schedule.masses, evidence, samples, strict=True):
        masses = {read.mass, without_mask(read).mass, with_place(read, row).mass}  # as it waited, and as it may be published
        for url in {one.source_url for one in read.evidence if one.quote}:
            for mass in masses:
                yield row_id(site.parish_id, mass, read.quote_of(url)), sample, site.parish_id
