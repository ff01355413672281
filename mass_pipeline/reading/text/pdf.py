"""Text of a PDF, within limits. A scan, a locked or a broken file gives none: the reader then notes an opaque source."""

from __future__ import annotations

import io
import logging
import struct
import zlib
from contextlib import suppress
from typing import Final, Literal

from mass_pipeline.reading.text.config import ExtractionConfig
from mass_pipeline.reading.text.pdf_layout import Part, parts_of, text_of

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


def pdf_text(content: bytes, config: ExtractionConfig) -> tuple[str, Literal["plain", "html"]]:
    """Text of the first pages as it stands on them, "" when there is none or the file cannot be read; and its kind.

    Lines are put together by the positions of what is drawn (`pdf_layout`): plain text, pages parted by a blank line, or
    markup when some page has columns or cells. A page that draws too much is left out.
    """
    if len(content) > config.pdf_max_bytes:
        return "", "plain"
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    from mass_pipeline.reading.text.pdf_drawing import TooMuchDrawn, drawn_text

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    pages: list[list[Part]] = []
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return "", "plain"
        budget = config.pdf_max_bytes_drawn
        for number in range(min(len(reader.pages), config.pdf_max_pages)):
            with suppress(TooMuchDrawn):
                words, size = drawn_text(reader.pages[number], config.pdf_max_forms, min(config.pdf_max_page_bytes, budget))
                budget -= size
                pages.append(parts_of(words))
    except (PyPdfError, *_UNREADABLE):
        pass  # the pages read so far still count
    return text_of([parts for parts in pages if parts])
