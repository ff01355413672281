"""The final extractor: what the rules read, judged and completed by the classifier (P18).

Published is what the rules accept unless the classifier strongly rejects every hour it rests on, and, for days on which
the rules read nothing, the hours that the classifier accepts and whose own words the grammar can read. A day that has a
list already is not added to: a further hour there belongs to a neighbouring parish more often than to this one
(docs/classifier.md). A site on which the rules found no order is not opened by the classifier: what it took there were the
orders of other churches, programmes and history. Belongs: the decision and its confidence. Not here: reading days and
seasons (schedule_grammar), probabilities (model).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np
import pandas as pd

from mass_pipeline.classification.confidence import PRIOR, ConfidenceModel, terms_of
from mass_pipeline.classification.model import Trained
from mass_pipeline.classification.schema import DATED, STANDING, Floats, texts_of
from mass_pipeline.language.masking import masked_line
from mass_pipeline.model.errors import BadInput
from mass_pipeline.model.records import Evidence, Mass, ReadMass, SiteSchedule
from mass_pipeline.schedule_grammar.resolving.quotes import quote_of_line

_QUOTE_CHARACTERS: Final = 300
_LEAST_DAYS_OF_A_LIST: Final = 3  # beside a schedule only a missing list is added, not a single day's hour
HourReader = Callable[["Hour"], Sequence[Mass]]


@dataclass(frozen=True, slots=True)
class Policy:
    """When the classifier is followed.

    Attributes:
        accept: least probability of `standing` at which an hour the rules left open is published.
        open_hour: the same for the verdict on a single hour, which publishes nothing by itself.
        reject: greatest probability of being a Mass at all at which an hour the rules accepted is taken back.
        firm: confidence of the rules from which on they are not overruled.
        least_page_score: hours of pages below it are never added.
        confidence: turns the evidence into the published confidence.
    """

    accept: float = 0.98
    open_hour: float = 0.9
    reject: float = 0.005
    firm: float = 0.9
    least_page_score: float = 0.3
    confidence: ConfidenceModel = PRIOR

    @classmethod
    def of(cls, model: Trained) -> Policy:
        """The policy with the threshold and the confidence of a model."""
        base = cls(confidence=model.confidence)
        return replace(base, accept=max(model.threshold, base.accept), open_hour=max(model.threshold, base.open_hour))


@dataclass(frozen=True, slots=True)
class Hour:
    """One candidate hour and what is thought of it."""

    time: str
    url: str
    standing: float
    mass: float
    page_score: float
    day_scope: str
    reading: Mass | None
    left: str = field(repr=False)
    right: str = field(repr=False)
    raw: str = field(repr=False)

    @property
    def quote(self) -> str:
        """What proves the hour in its line, behind the day words above it."""
        before = self.left.rpartition("\n")[2]
        line = f"{before}{self.raw}{self.right.partition(chr(10))[0]}"
        quote = quote_of_line(line, len(before), len(before) + len(self.raw))
        day = masked_line(self.day_scope)
        return quote if not day or day in quote else f"{day} … {quote}"[:_QUOTE_CHARACTERS]


def final_schedule(
    site: SiteSchedule,
    candidates: pd.DataFrame,
    probabilities: Floats,
    *,
    policy: Policy | None = None,
    read_hour: HourReader | None = None,
) -> SiteSchedule:
    """Combine the rules' schedule of one site with the probabilities of its hours.

    Args:
        site: what the rules read.
        candidates: candidate hours of the same site, columns of candidate_hours.
        probabilities: `(n_candidates, 4)` as `Trained.predict_proba` gives them.
        policy: thresholds and confidence; the cautious default when None.
        read_hour: reads an hour that the rules left open into Masses; the schedule grammar when None.

    Returns:
        The schedule with method and confidence of every row; without candidates the rules' own rows, confidence fitted.

    Raises:
        BadInput: candidates and probabilities do not fit together.
    """
    if probabilities.shape[0] != len(candidates):
        raise BadInput(f"{len(candidates)} candidate hours, but {probabilities.shape[0]} rows of probabilities.")
    rule = policy or Policy()
    hours = hours_of(candidates, probabilities)
    kept = [row for read in site.masses if (row := _judged(read, hours, rule)) is not None]
    added = _added(hours, [row.mass for row in kept], rule, read_hour or read_by_grammar) if kept else []
    masses = tuple(sorted((*kept, *added), key=lambda row: row.mass.sort_key()))
    if not masses:
        return replace(site, masses=masses, status="none" if site.masses else site.status)
    return replace(site, masses=masses, status="ambiguous" if site.status == "ambiguous" else "read")


def hours_of(candidates: pd.DataFrame, probabilities: Floats) -> list[Hour]:
    """Candidate hours as values, in the order of the frame."""
    left, right, raw, scope = (texts_of(candidates[name]) for name in ("left", "right", "raw", "day_scope"))
    readings, urls, times = (texts_of(candidates[name]) for name in ("rule_reading", "url", "time"))
    page_scores = candidates["page_score"].fillna(0.0).to_numpy(dtype=float)
    return [
        Hour(
            times[i],
            urls[i],
            float(probabilities[i, STANDING]),
            float(probabilities[i, STANDING] + probabilities[i, DATED]),
            float(page_scores[i]),
            scope[i],
            Mass.from_dict(json.loads(readings[i])) if readings[i] else None,
            left[i],
            right[i],
            raw[i],
        )
        for i in range(len(candidates))
    ]


def supporting(mass: Mass, hours: Iterable[Hour]) -> list[Hour]:
    """Hours that the rules read as this Mass: same time and at least one common day."""
    return [
        hour for hour in hours if hour.reading is not None and hour.time == mass.time and set(hour.reading.days) & set(mass.days)
    ]


def row_terms(read: ReadMass, hours: Sequence[Hour]) -> Floats:
    """What speaks for a row that the rules read: the terms of its confidence."""
    support = supporting(read.mass, hours)
    pages = {evidence.source_url for evidence in read.evidence} | {hour.url for hour in support}
    return terms_of(read.confidence, max((hour.standing for hour in support), default=None), len(pages))


def _judged(read: ReadMass, hours: Sequence[Hour], policy: Policy) -> ReadMass | None:
    support = supporting(read.mass, hours)
    best = max((hour.standing for hour in support), default=None)
    if support and read.confidence < policy.firm and max(hour.mass for hour in support) < policy.reject:
        return None
    confidence = float(policy.confidence.confidence(row_terms(read, hours)[None, :])[0])
    agreed = best is not None and best >= policy.accept
    return replace(read, confidence=round(confidence, 4), method="both" if agreed else "rules")


def _added(hours: Sequence[Hour], present: Sequence[Mass], policy: Policy, read_hour: HourReader) -> list[ReadMass]:
    taken = {day for mass in present for day in mass.days} | {"PH", "AF"}
    found: dict[Mass, list[Hour]] = {}
    for hour in hours:
        if hour.reading is not None or hour.standing < policy.accept or hour.page_score < policy.least_page_score:
            continue
        for mass in read_hour(hour):
            days = tuple(day for day in mass.days if day not in taken)
            if days and mass.time == hour.time and ("Su" in days or len(days) >= _LEAST_DAYS_OF_A_LIST):
                found.setdefault(replace(mass, days=days), []).append(hour)
    return [_added_row(mass, sources, policy) for mass, sources in found.items()]


def _added_row(mass: Mass, hours: Sequence[Hour], policy: Policy) -> ReadMass:
    best = sorted(hours, key=lambda hour: (-hour.standing, hour.url))
    terms = terms_of(None, best[0].standing, len({hour.url for hour in hours}))
    confidence = float(policy.confidence.confidence(terms[None, :])[0])
    evidence = tuple(Evidence(hour.url, hour.quote) for hour in best)
    return ReadMass(mass, round(float(np.clip(confidence, 0.0, 1.0)), 4), evidence, "classifier")


def read_by_grammar(hour: Hour) -> Sequence[Mass]:
    """What the grammar reads when it is told that these lines are about Masses: from the day words to the hour's line end.

    Returns:
        Masses at the hour's time; none for an hour without day words.
    """
    if not hour.day_scope:
        return []
    lines = hour.left.split("\n")
    word = hour.day_scope.split()[0]
    start = next((i for i in range(len(lines) - 1, -1, -1) if word in lines[i]), None)
    before = f"{hour.day_scope}: " if start is None else "\n".join(lines[start:])
    masses = _masses_of(f"Msze święte\n{before}{hour.raw}{hour.right.partition(chr(10))[0]}")
    return [mass for mass in masses if mass.time == hour.time]


@lru_cache(maxsize=1024)  # the same box stands on every page of a site
def _masses_of(text: str) -> tuple[Mass, ...]:
    from mass_pipeline.schedule_grammar import read_text

    return tuple(read.mass for read in read_text(text).masses)
