"""Which rows of a decided schedule are published: those that are probably right; the others wait for a person.

Not here: the probability (`confidence`, `samples`), how proposals are kept (schedules.reviews).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from mass_pipeline.model.records import ReadMass, SiteSchedule, WithheldMass
from mass_pipeline.reading.validity.redactor import vouched_place
from mass_pipeline.reading.words.masking.lines import MASK
from mass_pipeline.site_reading.ownership.confidence import (
    CONTRADICTED_REASON,
    PLAIN_WORDS,
    PUBLISH_FROM,
    UNEXPLAINED,
    probability,
    reasons_against,
    unexplained_reason,
)
from mass_pipeline.site_reading.ownership.features import RowEvidence, evidence_of, is_own, names_place, unexplained_of
from mass_pipeline.site_reading.ownership.judging import JudgedPage
from mass_pipeline.site_reading.ownership.own_names import OwnNames
from mass_pipeline.site_reading.ownership.samples import row_probabilities

if TYPE_CHECKING:
    from mass_pipeline.learning.rows import RowModel

# Of 4,578 weekly rows of labelled strings and of schedules by authors who did not know the reader, whose words admit one reading.
_OF_PLAIN_WORDS: Final = 0.996
_NOBODY: Final = OwnNames()
OTHER_CHURCH: Final = "w innym kościele"  # a place whose name may not be shown


def weighed(
    schedule: SiteSchedule,
    pages: Sequence[JudgedPage],
    own: OwnNames,
    rows: RowModel | None = None,
    *,
    least: float = PUBLISH_FROM,
) -> SiteSchedule:
    """The schedule with the probability of every row; rows below the threshold are withheld.

    Args:
        schedule: as rules and classifier read it; its confidences tell how surely the words were read.
        pages: of the site, judged.
        own: how the parish names itself.
        rows: the classifier's word on rows; None for the rules alone.
        least: least probability that is published.
    """
    evidence = evidence_of(schedule.masses, pages, own)
    chances = row_probabilities(schedule.masses, evidence, own, rows)
    chances = _as_lists(schedule.masses, evidence, chances)
    as_named = row_probabilities(schedule.masses, [replace(row, by_places=False) for row in evidence], own, rows)
    judged = [
        (replace(with_place(read, row) if rows is not None and named >= least else read, confidence=round(chance, 4)), row)
        for read, row, chance, named in zip(schedule.masses, evidence, chances, as_named, strict=True)
    ]
    kept = tuple(without_mask(read, own) for read, _ in judged if is_published(read, least))
    doubted = tuple(_doubted(read, row, least) for read, row in judged if not is_published(read, least))
    aside = tuple(_weighed_aside(schedule.withheld, pages, own))
    status = schedule.status if kept or not judged else "none"
    return replace(schedule, masses=kept, withheld=(*doubted, *aside), status=status)


def _as_lists(masses: Sequence[ReadMass], evidence: Sequence[RowEvidence], chances: Sequence[float]) -> list[float]:
    """The chances of rows, those of a line with unexplained words as of one: a list stands or falls as a whole."""
    least: dict[tuple[str, int], float] = {}
    lines = [(read.evidence[0].source_url, read.evidence[0].line) for read in masses]
    doubtful = [bool(row.unexplained) and not row.by_places for row in evidence]
    for line, chance in (pair for pair, doubted in zip(zip(lines, chances, strict=True), doubtful, strict=True) if doubted):
        least[line] = min(chance, least.get(line, chance))
    return [least[line] if doubted else chance for line, chance, doubted in zip(lines, chances, doubtful, strict=True)]


def weighed_alone(schedule: SiteSchedule) -> SiteSchedule:
    """The schedule of a text of which nothing but its words is known (a string of a directory), with the probability of each row.

    Rows whose words admit one reading are as probable as such rows were right; doubts and unexplained words lower that, and the
    latter make a row wait.
    """
    doubted: list[WithheldMass] = []
    kept: list[ReadMass] = []
    for read in schedule.masses:
        unexplained = unexplained_of(read, OwnNames())
        sure = min(1.0, read.confidence / PLAIN_WORDS) * _OF_PLAIN_WORDS
        reasons: tuple[str, ...] = () if names_place(read) or not unexplained else (unexplained_reason(unexplained),)
        reasons += (CONTRADICTED_REASON,) if read.contradicted else ()
        if reasons:
            waiting = replace(without_mask(read), confidence=round(sure * UNEXPLAINED, 4))
            doubted.append(WithheldMass(waiting, reasons))
        else:
            kept.append(replace(without_mask(read), confidence=round(sure, 4)))
    status = schedule.status if kept else "none"
    return replace(schedule, masses=tuple(kept), withheld=(*doubted, *schedule.withheld), status=status)


def is_published(read: ReadMass, least: float = PUBLISH_FROM) -> bool:
    """Whether a row, with its probability for confidence, is published."""
    return read.confidence >= least


def _doubted(read: ReadMass, evidence: RowEvidence, least: float) -> WithheldMass:
    """A row that waits, with what lowers its probability."""
    return WithheldMass(without_mask(read), reasons_against(evidence) if read.confidence < least else ())


def with_place(read: ReadMass, row: RowEvidence) -> ReadMass:
    """The row with the name of its place, where nothing hid it but that no list and no word of the page knows it as one: whoever
    is sure of the row is sure of that too."""
    if read.mass.place != MASK or not read.unexplained:
        return read
    return replace(read, mass=replace(read.mass, place=vouched_place(read.unexplained[-1], row.said.row)))


def without_mask(read: ReadMass, own: OwnNames = _NOBODY) -> ReadMass:
    """The row whose place cannot be shown as one of another church, which it is; the parish's own names are no secret."""
    if read.mass.place != MASK:
        return read
    name = read.unexplained[-1] if read.unexplained else ""
    return replace(read, mass=replace(read.mass, place=name if is_own(name, own) else OTHER_CHURCH))


def _weighed_aside(withheld: Sequence[WithheldMass], pages: Sequence[JudgedPage], own: OwnNames) -> Iterator[WithheldMass]:
    reads = [one.read for one in withheld]
    for one, evidence in zip(withheld, evidence_of(reads, pages, own, set_aside=True), strict=True):
        read = replace(one.read, confidence=round(probability(evidence), 4))
        waiting = _doubted(read, evidence, 0.0)
        yield replace(one, read=waiting.read, reasons=(*one.reasons, *waiting.reasons))


def explain_rows(masses: Sequence[ReadMass], pages: Sequence[JudgedPage], own: OwnNames) -> Iterator[str]:
    """The named evidence of every row, for people."""
    for read, evidence in zip(masses, evidence_of(masses, pages, own), strict=True):
        yield f"  {' '.join(read.mass.days)} {read.mass.time}: {read.confidence:.3f} ({_told(evidence)})"


def _told(evidence: RowEvidence) -> str:
    values = ((name, getattr(evidence, name)) for name in RowEvidence.__slots__ if name != "said")
    return ", ".join(f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}" for name, value in values)
