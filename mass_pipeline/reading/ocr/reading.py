"""The schedule that a picture seems to show: every row a proposal, unless another source says the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Final

from mass_pipeline.guard import Guard, Limits
from mass_pipeline.model.document import Document, Line
from mass_pipeline.model.records import Mass, ReadMass, SiteSchedule, WithheldMass
from mass_pipeline.model.sniffing import binary_kind
from mass_pipeline.reading.ocr.decoding import as_png, pictures_of_pdf
from mass_pipeline.reading.ocr.tesseract import PictureLine, PictureUnreadable, lines_of, tesseract_path
from mass_pipeline.reading.regular.reading import PageReading, read_page

_LEAST: Final = 0.6  # confidence of a line with hours; a digit below it is a guess
_OF_PICTURES: Final = 0.75  # most that a row from a picture alone is worth
_ONE_OF_TWO: Final = 0.5  # share of its confidence that a row keeps when the second reading of the picture differs
REASON: Final = "read from a picture"
_MEMORY_BYTES: Final = 256 * 2**20  # a picture is decoded to three bytes a point, more than once
UNSURE: Final = "two readings of the picture differ"


def read_picture(content: bytes, *, url: str = "") -> SiteSchedule:
    """What a picture or a scanned PDF shows, as proposals.

    Args:
        content: the file as received.
        url: its address, the evidence of every row.

    Returns:
        No Masses, and in `withheld` the rows with their confidence: that of the reading times that of the least sure hour of
        their lines. Rows whose hours are unsure are left out, and a note tells of how many lines.

    Raises:
        NoTesseract: tesseract is not installed.
        PictureUnreadable: the file cannot be decoded, or took too long.
        TooCostly: decoding it was ended.
    """
    tesseract_path()
    guard = _guard_of_pictures()
    is_picture = binary_kind(content) == "image"
    pictures = [content] if is_picture else guard.call(pictures_of_pdf, content, size=len(content))
    if not pictures:
        raise PictureUnreadable("the file holds no picture")
    readings = []
    for without_speckles in (False, True):
        decode = partial(as_png, without_speckles=without_speckles)
        lines = [line for one in pictures for line in lines_of(guard.call(decode, one, size=len(one)))]
        readings.append(schedule_of_lines(lines, url))
    return _agreed(*readings)


@cache
def _guard_of_pictures() -> Guard:
    return Guard(Limits(memory_bytes=_MEMORY_BYTES), modules=("mass_pipeline.reading.ocr.decoding",))


def _agreed(first: SiteSchedule, second: SiteSchedule) -> SiteSchedule:
    """The fuller of two readings of one picture; rows that the other does not have are worth half."""
    fuller, other = (first, second) if len(first.withheld) >= len(second.withheld) else (second, first)
    known = {(day, one.read.mass.time) for one in other.withheld for day in one.read.mass.days}
    rows = tuple(
        one
        if all((day, one.read.mass.time) in known for day in one.read.mass.days)
        else replace(
            one, read=replace(one.read, confidence=round(one.read.confidence * _ONE_OF_TWO, 4)), reasons=(REASON, UNSURE)
        )
        for one in fuller.withheld
    )
    return replace(fuller, withheld=rows)


def schedule_of_lines(lines: Sequence[PictureLine], url: str) -> SiteSchedule:
    """Proposals from the lines of a picture."""
    unsure = [line.text for line in lines if line.confidence < _LEAST and any(one.isdigit() for one in line.text)]
    document = Document(tuple(Line(line.text, block=1) for line in lines), url=url)
    reading = read_page(document)
    confidence = _confidences(reading, lines)
    rows = tuple(
        WithheldMass(replace(read, confidence=round(min(_OF_PICTURES, read.confidence * sure), 4)), (REASON,))
        for read in reading.masses
        if (sure := confidence.get(read.mass, 0.0)) >= _LEAST
    )
    notes = tuple(f"unsure: {len(unsure)} lines of the picture" for _ in unsure[:1])
    return SiteSchedule((), "image_only", withheld=rows, notes=notes)


def _confidences(reading: PageReading, lines: Sequence[PictureLine]) -> dict[Mass, float]:
    """The least confidence of the lines that hold the hours of a Mass."""
    found: dict[Mass, float] = {}
    for read in reading.masses:
        holding = [
            lines[line].confidence
            for (line, _), verdict in reading.verdicts.items()
            if verdict.mass is not None and verdict.mass.time == read.mass.time and set(verdict.mass.days) & set(read.mass.days)
        ]
        found[read.mass] = min(holding, default=0.0)
    return found


def confirmed(proposed: Iterable[WithheldMass], other: Iterable[Mass]) -> tuple[ReadMass, ...]:
    """Rows of a picture that another source states too: the same hour, ordinals and season, on the days that both have.

    Args:
        proposed: as `read_picture` gives them.
        other: what a source says that is no copy of the picture.
    """
    known = list(other)
    rows = []
    for one in proposed:
        mass = one.read.mass
        days = {
            day
            for said in known
            if (said.time, said.when, said.nth) == (mass.time, mass.when, mass.nth)
            for day in set(said.days) & set(mass.days)
        }
        if days:
            rows.append(replace(one.read, mass=replace(mass, days=tuple(day for day in mass.days if day in days))))
    return tuple(rows)
