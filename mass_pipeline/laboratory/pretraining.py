"""Train the network that is shipped with the package, from what belongs to the project: phrase book and demo sites.

No page of a real parish takes part; the model of rows that is shipped beside it stays as it is (docs/people-loop.md).
Phrases are for training only; the hand-written demo sites are split by site, so that
stopping, calibration and thresholds are chosen, and the card's figures measured, on pages written for another purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from mass_pipeline.demo_web.annotations import Annotation, match_annotations
from mass_pipeline.demo_web.web import DemoParish, DemoWeb
from mass_pipeline.learning.bundled import bundled_model
from mass_pipeline.learning.config import LearningConfig
from mass_pipeline.learning.evaluation import Evaluation, evaluate
from mass_pipeline.learning.model import JsonValue, Trained
from mass_pipeline.learning.splits import split_of
from mass_pipeline.learning.training import train, training_digest, with_phrases
from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.errors import MassPipelineError
from mass_pipeline.reading.regular.reading import PageReading, read_page
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline.site_reading.hours import candidates_of

SEED: Final = 20261120
# More dev than an operator's set has: 48 sites are few, and everything that is chosen is chosen on them.
CONFIG: Final = LearningConfig(dev_share=0.25, test_share=0.2, phrase_pages=2_500, phrase_weight=1.0)


@dataclass(frozen=True, slots=True)
class SiteHours:
    """A demo site read as a crawl would: its pages, and its hours with the labels of their author."""

    parish: DemoParish
    readings: tuple[PageReading, ...]
    hours: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Pretrained:
    """The shipped model, and how it does on demo sites it has not seen."""

    model: Trained
    evaluation: Evaluation


def pretrain(seed: int = SEED, config: LearningConfig = CONFIG) -> Pretrained:
    """Train, calibrate and measure the shipped model; the same arguments give the same bytes."""
    rows = labelled_rows(demo_sites(), config)
    model = train(rows, seed=seed, config=config)
    evaluation = evaluate(model, rows[rows["split"] == "test"])
    card: dict[str, JsonValue] = {
        **model.card,
        "trained_on_digest": shipped_digest(rows, seed, config),
        "trained_on": "phrase book and demo sites of the project; no page of a real parish",
        "measured_on_unseen_demo_sites": _figures(evaluation),
    }
    shipped = bundled_model()
    if shipped is not None:
        card["row_model"] = shipped.card.get("row_model")
    model = replace(model, card=card, rows=shipped.rows if shipped else model.rows)
    return Pretrained(model, evaluation)


def shipped_digest(rows: pd.DataFrame, seed: int, config: LearningConfig) -> str:
    """Of what the shipped model is trained on, its phrases included: another one, and it is to be trained anew."""
    return training_digest(with_phrases(rows, config), seed, config)


def labelled_rows(sites: Iterable[SiteHours], config: LearningConfig) -> pd.DataFrame:
    """Hours of the demo sites that their author labelled, as `train` takes them, split by site."""
    demo = pd.concat([site.hours for site in sites], ignore_index=True)
    demo["split"] = [split_of(parish, config) for parish in demo["parish_id"]]
    rows = demo[demo["label"].notna()].drop_duplicates("candidate_id")
    rows = rows.assign(source="crowd", weight=1.0, dated=rows["dated"].astype("boolean"))
    return rows.sort_values("candidate_id", kind="stable", ignore_index=True)


def demo_sites() -> Iterator[SiteHours]:
    """The bundled demo sites, read page by page."""
    web = DemoWeb()
    by_url: dict[str, list[Annotation]] = {}
    for annotation in web.annotations:
        by_url.setdefault(annotation.url, []).append(annotation)
    for parish in web.parishes:
        frames, readings = [], []
        for page in parish.pages:
            try:
                document = read_document(page.response.body, content_type=page.response.content_type, url=page.url)
            except MassPipelineError:
                continue  # a poster or a broken file: no hours to label
            reading = read_page(document)
            readings.append(reading)
            frames.append(_labelled(reading, parish.key, by_url.get(page.url, [])))
        hours = pd.concat(frames, ignore_index=True).drop_duplicates("candidate_id", ignore_index=True)
        yield SiteHours(parish, tuple(readings), hours)


def _labelled(reading: PageReading, parish_id: str, annotations: list[Annotation]) -> pd.DataFrame:
    hours = candidates_of(reading, parish_id)
    labels = match_annotations(hours, annotations)
    frame = pd.DataFrame([hour.as_row() for hour in hours], columns=CANDIDATE_HOURS.names, dtype=object)
    frame["label"] = [labels[i].label if i in labels else None for i in range(len(hours))]
    frame["dated"] = pd.array([labels[i].dated if i in labels else None for i in range(len(hours))], dtype="boolean")
    return frame


def _figures(evaluation: Evaluation) -> dict[str, JsonValue]:
    columns = ("precision", "recall", "f1", "average_precision", "calibration_error")
    return {
        str(row["question"]): {name: round(float(row[name]), 4) for name in columns}
        for row in evaluation.metrics.to_dict("records")
    }


__all__ = ["CONFIG", "SEED", "Pretrained", "SiteHours", "demo_sites", "labelled_rows", "pretrain", "shipped_digest"]
