"""Settings of the extraction: limits against hostile documents, and how much context a candidate hour carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ExtractionConfig:
    """Limits and sizes; a document beyond a limit is read up to it or noted as an opaque source."""

    max_characters: int = 20_000_000  # Characters of one page that are read
    pdf_max_bytes: int = 20 * 2**20  # Largest PDF that is opened (docs/hazards.md)
    pdf_max_pages: int = 30  # Pages of a PDF that are read
    pdf_max_page_bytes: int = 2**20  # Largest unpacked content of one PDF page, its forms included
    pdf_max_bytes_drawn: int = 2 * 2**20  # Unpacked content of one PDF that is read
    pdf_max_forms: int = 50  # Forms (drawings within drawings) of one PDF page; with more its text is left out
    office_max_bytes: int = 2**20  # Largest unpacked document inside an office file
    most_candidates: int = 3000  # Candidate hours of one page that are told; archives of a year's intentions have 1,100
    left_words: int = 40  # Words kept before a candidate hour
    right_words: int = 25  # Words kept after a candidate hour


DEFAULT: Final = ExtractionConfig()
