"""Read a page through the door behind which its reading can be ended (`guard.sandbox`)."""

from __future__ import annotations

from functools import partial

from mass_pipeline.guard import Guard
from mass_pipeline.guard.sandbox import SLOW_SECONDS, parsed
from mass_pipeline.model.document import Document
from mass_pipeline.reading.regular.reading import PageReading, read_page
from mass_pipeline.reading.text.reader import read_document


def read_guarded(
    content: bytes | str,
    *,
    content_type: str | None = None,
    url: str = "",
    link_text: str = "",
    guard: Guard | None = None,
    slow_seconds: float = SLOW_SECONDS,
) -> tuple[Document, PageReading]:
    """A page and what the rules read on it.

    Args:
        content, content_type, url, link_text: as for `reading.text.reader.read_document`.
        guard, slow_seconds: as for `guard.sandbox.parsed`.

    Raises:
        TooCostly: its reading was ended. Whatever the readers raise.
    """
    read = partial(read_whole, content_type=content_type, url=url, link_text=link_text)
    return parsed(read, content, guard=guard, slow_seconds=slow_seconds)


def read_whole(
    content: bytes | str, content_type: str | None = None, url: str = "", link_text: str = ""
) -> tuple[Document, PageReading]:
    """Read it here and now."""
    document = read_document(content, content_type=content_type, url=url, link_text=link_text)
    return document, read_page(document)
