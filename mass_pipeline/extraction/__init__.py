"""From bytes to visible text with structure, and to candidate hours in context.

Belongs here: charset, markup, hidden parts, tables, lists, offsets, what is no text. Not here: what the words mean
(`schedule_grammar`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mass_pipeline.model.lazy import lazy_names

if TYPE_CHECKING:
    from mass_pipeline.extraction.candidates import CandidateHour, find_candidates
    from mass_pipeline.extraction.config import ExtractionConfig
    from mass_pipeline.extraction.reader import read_document

__all__ = ["CandidateHour", "ExtractionConfig", "find_candidates", "read_document"]

__getattr__ = lazy_names(
    __name__,
    {
        "CandidateHour": "candidates",
        "find_candidates": "candidates",
        "ExtractionConfig": "config",
        "read_document": "reader",
    },
)
