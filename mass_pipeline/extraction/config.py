"""Settings of the extraction: limits against hostile documents, and how much context a candidate hour carries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class ExtractionConfig:
    """Limits and sizes; a document beyond a limit is read up to it or noted as an opaque source."""

    max_characters: int = setting(20_000_000, "Characters of one page that are read", unit="characters", minimum=1000)
    pdf_max_bytes: int = setting(20 * 2**20, "Largest PDF that is opened", unit="bytes", source="docs/hazards.md", minimum=0)
    pdf_max_pages: int = setting(30, "Pages of a PDF that are read", unit="pages", minimum=1)
    pdf_max_page_bytes: int = setting(
        2**20, "Largest unpacked content of one PDF page, its forms included", unit="bytes", minimum=1000
    )
    pdf_max_bytes_drawn: int = setting(2 * 2**20, "Unpacked content of one PDF that is read", unit="bytes", minimum=1000)
    pdf_max_forms: int = setting(
        50, "Forms (drawings within drawings) of one PDF page; with more its text is left out", unit="forms", minimum=0
    )
    office_max_bytes: int = setting(2**20, "Largest unpacked document inside an office file", unit="bytes", minimum=1000)
    most_candidates: int = setting(
        3000, "Candidate hours of one page that are told; archives of a year's intentions have 1,100", unit="hours", minimum=1
    )
    left_words: int = setting(40, "Words kept before a candidate hour", unit="words", minimum=1)
    right_words: int = setting(25, "Words kept after a candidate hour", unit="words", minimum=1)


DEFAULT: Final = ExtractionConfig()
