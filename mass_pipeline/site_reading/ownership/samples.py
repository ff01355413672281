"""A row as the classifier sees it, and the probability of rows with and without it.

Without a classifier the evidence alone says how probably a row is right (`confidence`). With one that is where its model of rows
begins (`learning.rows`): it adds the network's word on the hour, the words the row stands in, and what people answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log, log1p
from typing import TYPE_CHECKING, Final

from mass_pipeline.model.records import ReadMass
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import title_pattern
from mass_pipeline.reading.words.masking.words import names_person
from mass_pipeline.site_reading.ownership.confidence import HARDLY, LEAST, MOST, is_contradicted, probability, surest
from mass_pipeline.site_reading.ownership.context import Context
from mass_pipeline.site_reading.ownership.features import RowEvidence, strangest
from mass_pipeline.site_reading.ownership.own_names import OwnNames

if TYPE_CHECKING:
    from mass_pipeline.learning.rows import RowModel, RowSample

_NAME: Final = re.compile(r"[A-ZĄĆĘŁŃÓŚŹŻ][\w'-]*")
_AT: Final = r"\b(?i:w|we|u|na|przy|koło)\s+"
_LONGEST: Final = 600  # characters of a text
_HEADINGS: Final = 2


def row_probabilities(
    masses: Sequence[ReadMass], evidence: Sequence[RowEvidence], own: OwnNames, rows: RowModel | None
) -> list[float]:
    """How probably each row is right, 0.005 to 0.995.

    Args:
        masses: as rules and classifier read them.
        evidence: of each.
        own: how the parish names itself.
        rows: the classifier's word on rows; None for the rules alone.
    """
    if rows is None:
        return [min(probability(one), surest(one)) for one in evidence]
    samples = [
        replace(sample, prior=probability(row)) for sample, row in zip(samples_of(masses, evidence, own), evidence, strict=True)
    ]
    chances = [min(MOST, max(LEAST, chance)) for chance in rows.probabilities(samples).tolist()]
    return [
        min(chance, surest(row), sample.prior if is_for_people(read, row) else MOST)
        for read, row, chance, sample in zip(masses, evidence, chances, samples, strict=True)
    ]


def is_for_people(read: ReadMass, row: RowEvidence) -> bool:
    """Whether a row waits for people whatever the classifier says: no word tells which of two orders holds now, who is meant
    by a name, or where a Mass is that is said `w domu` of somebody."""
    words = read.unexplained if row.unexplained else ()
    return is_contradicted(row) or any(_is_for_people(word, row.said.row) for word in words)


def _is_for_people(word: str, line: str) -> bool:
    return names_person(word) or len(_NAME.findall(word)) > 1 or re.search(rf"{_AT}{re.escape(word)}\b", line) is not None


def samples_of(masses: Sequence[ReadMass], evidence: Sequence[RowEvidence], own: OwnNames) -> list[RowSample]:
    """The rows with their evidence as the classifier learns from them: a row with an unknown name is one with that name."""
    from mass_pipeline.learning.rows import RowSample, hashed_common, hashed_words  # numpy: the rules alone do without

    masked = _masking(own)
    return [
        RowSample(
            probability(replace(row, by_places=False)),
            {name: value for name, value in _values(read, row, own).items() if value},
            hashed_words(_texts(row.said, masked), unexplained),
            hashed_common(unexplained),
        )
        for read, row in zip(masses, evidence, strict=True)
        for unexplained in [_unexplained(read, own) if row.unexplained else ()]
    ]


def _texts(said: Context, masked: Callable[[str], str]) -> dict[str, str]:
    headings = " : ".join(said.headings[-_HEADINGS:])
    texts = {"headings": headings, "lead": said.lead, "line": said.row, "trail": said.trail, "title": said.title}
    return {name: masked(text) for name, text in texts.items()}


def _values(read: ReadMass, row: RowEvidence, own: OwnNames) -> dict[str, float]:
    unexplained = _unexplained(read, own) if row.unexplained else ()
    standing = 0.0 if read.standing is None else _odds(read.standing)
    if strangest(row) >= HARDLY:
        standing = min(0.0, standing)  # the network knows hours, and not whose they are
    return {
        "constant": 1.0,
        "standing": standing,
        "standing_unknown": float(read.standing is None),
        "standing_unexplained": standing * bool(unexplained),
        "unexplained": float(bool(unexplained)),
        "unexplained_more": log1p(max(0, len(unexplained) - 1)),
        "unexplained_names": float(bool(unexplained) and all(word[:1].isupper() for word in unexplained)),
        "pages": log(max(1, len({one.source_url for one in read.evidence}))),
        "strange": log1p(strangest(row)),
        "home": float(row.home),
        "beside_plain": float(row.beside_plain),
        "own_named": float(row.own_named),
        "stated": float(row.stated),
        "score": min(row.score, 1.3) - 1.0,
        "headed_by_masses": float(any(title_pattern("dedicated").search(fold(one)) for one in row.said.headings)),
    }


def _odds(chance: float) -> float:
    """Log-odds of the network's word, about -1 to 1."""
    cut = min(MOST, max(LEAST, chance))
    return log(cut / (1 - cut)) / 5


def _unexplained(read: ReadMass, own: OwnNames) -> tuple[str, ...]:
    """What nothing accounts for, as written; the parish's own names explain themselves."""
    return tuple(dict.fromkeys(one for one in read.unexplained if not (own and own.has_all(one.split()))))


def _masking(own: OwnNames) -> Callable[[str], str]:
    """Puts one sign for each of the parish's own names: whose they are is known, and who they are is not learnt."""
    from mass_pipeline.learning.rows import OWN

    known: dict[str, str] = {}

    def sign(match: re.Match[str]) -> str:
        word = match[0]
        if word not in known:
            known[word] = OWN if own and own.has(word) else word
        return known[word]

    return lambda text: _NAME.sub(sign, text[:_LONGEST])
