"""Which page is read in this process, and which where its reading can be ended.

Ordinary pages are read here: the cost of reading grows with the length, and a few hundred kilobytes cost a second or two. What
is larger, every PDF and office file (libraries of others read them), and a page that turns out slow go to a process in which
time and memory can be ended. The reading is the same either way.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.sniffing import binary_kind
from mass_pipeline.guard import Guard, Slow, TooCostly, within_seconds
from mass_pipeline.model.document import Document
from mass_pipeline.schedule_grammar import PageReading, read_page

# Of 1,096 real and generated pages one is larger, an archive of fifteen years' announcements.
ORDINARY_BYTES: Final = 200_000
SLOW_SECONDS: Final = 3.0  # of the clock; an ordinary page takes some milliseconds, the largest a second on a slow machine
_MODULES: Final = (__name__, "mass_pipeline.extraction.pdf", "mass_pipeline.extraction.office", "pypdf")


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
        content, content_type, url, link_text: as for `extraction.read_document`.
        slow_seconds: of the clock, after which a page is read anew where its reading can be ended.
        guard: where what is not ordinary is read; None for the one that all readings of this process share.

    Raises:
        TooCostly: its reading was ended. Whatever the readers raise.
    """
    if is_ordinary(content):
        try:
            return within_seconds(slow_seconds, read_whole, content, content_type, url, link_text)
        except Slow:
            pass
        except MemoryError as error:
            raise TooCostly("memory", (guard or shared_guard()).limits.memory_for(len(content)), len(content)) from error
    return (guard or shared_guard()).call(read_whole, content, content_type, url, link_text, size=len(content))


def is_ordinary(content: bytes | str) -> bool:
    """Whether a page is small enough, and text."""
    return len(content) <= ORDINARY_BYTES and (isinstance(content, str) or binary_kind(content) is None)


def read_whole(content: bytes | str, content_type: str | None, url: str, link_text: str) -> tuple[Document, PageReading]:
    """Read it here and now."""
    document = read_document(content, content_type=content_type, url=url, link_text=link_text)
    return document, read_page(document)


@cache
def shared_guard() -> Guard:
    """The guard of this process; it begins with the first page that needs it and ends with the program."""
    return Guard(modules=_MODULES)
