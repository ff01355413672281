"""Short forms for tests of the extraction: a document from markup, its lines as text."""

from __future__ import annotations

from mass_pipeline.model.document import Document, Line
from mass_pipeline.reading.text.reader import read_document


def page(markup: str | bytes, url: str = "") -> Document:
    """Read markup as an HTML page."""
    return read_document(markup, content_type="text/html", url=url)


def texts(markup: str | bytes) -> list[str]:
    """Visible lines of an HTML page."""
    return [line.text for line in page(markup).lines]


def line_with(document: Document, words: str) -> Line:
    """The one line that holds these words."""
    (found,) = [line for line in document.lines if words in line.text]
    return found
