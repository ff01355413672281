"""Merge what the pages of one site say into its schedule, or say why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mass_pipeline.model.document import Document, LineKind, OpaqueSource
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.model.sniffing import SOURCE_CODE
from mass_pipeline.reading.regular.combining import combine
from mass_pipeline.reading.regular.reading import PageReading
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.languages import title_pattern
from mass_pipeline.reading.words.masking.lines import masked_line

_BY_SCRIPTS: Final = ("page", "script")  # kinds of opaque sources
_MOST_NOTES: Final = 5
_CERTAIN_ENOUGH: Final = 0.5  # weight of the likeliest reading


def read_site(readings: Sequence[PageReading]) -> SiteSchedule:
    """The schedule of a site from the readings of its pages.

    Args:
        readings: one per page, in any order.

    Returns:
        The best notice, completed by what only others name; agreement raises confidence. What else the words may mean,
        or pages of equal standing say, are alternatives; `ambiguous` when none is likelier than not. Without any: `image_only`,
        `pdf_unreadable` or `javascript_only` with links in the notes when something that is no text looks like the
        schedule, else `none`.
    """
    found = combine([reading.notices for reading in readings])
    if not found:
        return _unread(readings)
    (weight, masses), *others = found
    alternatives = tuple((round(share, 3), tuple(read.mass for read in other)) for share, other in others)
    return SiteSchedule(masses, "read" if weight >= _CERTAIN_ENOUGH else "ambiguous", alternatives)


def shows_nothing_by_itself(reading: PageReading) -> bool:
    """Whether a page alone would be `javascript_only` because of its scripts; frames are pages of their own."""
    by_scripts = any(source.kind in _BY_SCRIPTS for source in reading.document.opaque)
    return by_scripts and read_site([reading]).status == "javascript_only"


def _unread(readings: Sequence[PageReading]) -> SiteSchedule:
    """Point to pictures, files and scripts that may hold the schedule."""
    every = [source for reading in readings for source in reading.document.opaque]
    sources = [source for source in every if source.kind != SOURCE_CODE]
    # What holds nothing at all, a feed for one, is not the page that can be read either.
    telling = [reading.document for reading in readings if reading.document.lines or reading.document.opaque]
    are_empty = all(any(source.kind == "page" for source in document.opaque) for document in telling)
    named = {source for document in telling if _heads_schedule(document) for source in document.opaque if source.kind == "script"}
    suspects = [
        source for source in sources if _may_hold_schedule(source) or source in named or (are_empty and source.kind == "page")
    ]
    if not suspects:
        return SiteSchedule(notes=tuple(f"{one.kind}: {one.url}" for one in every if one.kind == SOURCE_CODE)[:_MOST_NOTES])
    notes = tuple(dict.fromkeys(f"{source.kind}: {source.url} ({masked_line(source.near)})" for source in suspects))[:_MOST_NOTES]
    kinds = {source.kind for source in suspects}
    if "pdf" in kinds or "office" in kinds:
        return SiteSchedule(status="pdf_unreadable", notes=notes)
    if "image" in kinds:
        return SiteSchedule(status="image_only", notes=notes)
    return SiteSchedule(status="javascript_only", notes=notes)


def _heads_schedule(document: Document) -> bool:
    """Whether a heading of a page announces a schedule, which a script of it may put in."""
    return any(
        line.kind is LineKind.HEADING and title_pattern("hints").search(fold(line.text)) is not None for line in document.lines
    )


def _may_hold_schedule(source: OpaqueSource) -> bool:
    words = fold(f"{source.near} {source.url.rpartition('/')[2]}")
    return title_pattern("hints").search(words) is not None
