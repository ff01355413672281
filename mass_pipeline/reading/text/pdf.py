"""Text of a PDF, within limits. A scan, a locked or a broken file gives none: the reader then notes an opaque source."""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from sys import maxsize
from typing import TYPE_CHECKING, Final, Literal

from mass_pipeline.reading.text.config import ExtractionConfig
from mass_pipeline.reading.text.pdf_layout import Part, parts_of, text_of

if TYPE_CHECKING:
    from pypdf import PageObject
    from pypdf.generic import DictionaryObject, StreamObject

_DRAWN: Final = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")
_DEEPEST_FORM: Final = 20  # forms within forms; word processors nest two or three
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


class _Drawing:
    """How much is drawn for a page, the forms within its forms counted as often as they are drawn, each read once.

    A form that draws another one twice, which draws another one twice, makes a file of three kilobytes cost an hour.
    """

    def __init__(self, config: ExtractionConfig) -> None:
        self._limit = config.pdf_max_forms + 1
        self._known: dict[int, tuple[int, int]] = {}

    def of_page(self, page: PageObject) -> tuple[int, int]:
        """Forms drawn, and bytes of content of page and forms; without content more bytes than any limit."""
        contents = page.get_contents()
        return (0, maxsize) if contents is None else self._drawn(page, contents.get_data(), 0)

    def _drawn(self, drawing: DictionaryObject, content: bytes, depth: int) -> tuple[int, int]:
        forms, size = 0, len(content)
        named = _form_objects(drawing) if b"Do" in content else {}
        for name in _DRAWN.findall(content) if named else ():
            form = named.get(f"/{name.decode('latin-1')}")
            if form is not None:
                more, further = self._of_form(form, depth + 1)
                forms, size = forms + 1 + more, size + further
        return min(forms, self._limit), size

    def _of_form(self, form: StreamObject, depth: int) -> tuple[int, int]:
        if depth > _DEEPEST_FORM:
            return self._limit, 0
        if id(form) not in self._known:
            self._known[id(form)] = (self._limit, 0)  # until it is known: a form that draws itself has no end
            self._known[id(form)] = self._drawn(form, form.get_data(), depth)
        return self._known[id(form)]


def _form_objects(drawing: DictionaryObject) -> dict[str, StreamObject]:
    """Forms that the resources of a page or form name."""
    resources = drawing.get("/Resources")
    objects = resources.get_object().get("/XObject") if resources is not None else None
    named = {name: item.get_object() for name, item in objects.get_object().items()} if objects is not None else {}
    return {name: item for name, item in named.items() if item is not None and item.get("/Subtype") == "/Form"}


def pdf_text(content: bytes, config: ExtractionConfig) -> tuple[str, Literal["plain", "html"]]:
    """Text of the first pages as it stands on them, "" when there is none or the file cannot be read; and its kind.

    Lines are put together by the positions of what is drawn (`pdf_layout`): plain text, pages parted by a blank line, or
    markup when some page has columns or cells. A page that draws too much is left out.
    """
    if len(content) > config.pdf_max_bytes:
        return "", "plain"
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    from mass_pipeline.reading.text.pdf_drawing import drawn_text

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    pages: list[list[Part]] = []
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            return "", "plain"
        budget = config.pdf_max_bytes_drawn
        for number in range(min(len(reader.pages), config.pdf_max_pages)):
            page = reader.pages[number]
            forms, size = _Drawing(config).of_page(page)
            if forms <= config.pdf_max_forms and size <= min(config.pdf_max_page_bytes, budget):
                budget -= size
                pages.append(parts_of(drawn_text(page)))
    except (PyPdfError, *_UNREADABLE):
        pass  # the pages read so far still count
    return text_of([parts for parts in pages if parts])
