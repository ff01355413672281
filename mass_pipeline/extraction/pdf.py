"""Text of a PDF, within limits. A scan, a locked or a broken file gives none: the reader then notes an opaque source."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from typing import Final

from mass_pipeline.extraction.config import ExtractionConfig

# pypdf meets hostile files with whatever its objects raise; each of these means "cannot be read".
_UNREADABLE: Final = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    NotImplementedError,
    OSError,
    zlib.error,
    struct.error,
)


def pdf_text(content: bytes, config: ExtractionConfig) -> str:
    """Text of the first pages, pages parted by a blank line; "" when there is none or the file cannot be read."""
    if len(content) > config.pdf_max_bytes:
        return ""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    texts: list[str] = []
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return ""
        for number in range(min(len(reader.pages), config.pdf_max_pages)):
            page = reader.pages[number]
            contents = page.get_contents()
            if contents is not None and len(contents.get_data()) <= config.pdf_max_page_bytes:
                texts.append(page.extract_text())
    except (PyPdfError, *_UNREADABLE):
        pass  # the pages read so far still count
    return "\n\n".join(text for text in texts if text.strip())
