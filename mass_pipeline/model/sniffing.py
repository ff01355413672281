"""Tell documents apart by how they begin; servers name them wrongly. Source: WHATWG MIME Sniffing, section 6, for bytes."""

from __future__ import annotations

from typing import Final, Literal

Binary = Literal["pdf", "zip", "office", "image"]

_MARKS: Final[tuple[tuple[bytes, Binary], ...]] = (
    (b"PK\x03\x04", "zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"),  # doc, xls, ppt of 1997-2003
    (b"{\\rtf", "office"),
    (b"\xff\xd8\xff", "image"),
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"BM", "image"),
)
SOURCE_CODE: Final = "source code"  # the kind of such a file
_CODE_ENDINGS: Final = frozenset({"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "vue", "svelte", "astro", "yml", "yaml"})
_STARTS: Final = tuple([mark for mark, _ in _MARKS])
_PDF_WITHIN: Final = 1024  # bytes; ISO 32000-1 annex H.3.4.1: readers accept the header anywhere in them


def binary_kind(content: bytes) -> Binary | None:
    """What a document that is no text is, or None for text.

    >>> binary_kind(b"%PDF-1.4"), binary_kind(b"<html>")
    ('pdf', None)
    """
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image"
    for mark, kind in _MARKS if content.startswith(_STARTS) else ():
        if content.startswith(mark) and (mark != b"BM" or b"\x00" in content[:32]):
            return kind
    head = content[:_PDF_WITHIN]
    return "pdf" if b"%PDF-" in head and b"<html" not in head.lower() else None


def is_source_code(name: str) -> bool:
    """Whether a file is made for a tool or a browser, and not for visitors, by its name.

    >>> is_source_code("src/App.vue"), is_source_code("msze.mdx")
    (True, False)
    """
    return name.rpartition("/")[2].rpartition(".")[2].lower() in _CODE_ENDINGS
