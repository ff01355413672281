"""From bytes to visible text with structure, and to candidate hours in context.

Belongs here: charset, markup, hidden parts, tables, lists, offsets, what is no text. Not here: what the words mean
(`schedule_grammar`).
"""

from mass_pipeline.extraction.candidates import CandidateHour, find_candidates
from mass_pipeline.extraction.config import ExtractionConfig
from mass_pipeline.extraction.reader import read_document

__all__ = ["CandidateHour", "ExtractionConfig", "find_candidates", "read_document"]
