"""Tell documents apart by how they begin; servers name them wrongly. Source: WHATWG MIME Sniffing, section 6, for bytes."""

from __future__ import annotations

import re
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


_CODE_LOOKED_AT: Final = 20_000  # characters
_BEFORE_CODE: Final = r"""\A\ufeff?(?:\s++|//[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)*+"""
_SCRIPT_CODE: Final = re.compile(
    _BEFORE_CODE + r"""(?:["']use\ (?:client|strict|server)["']|import\s+(?:[\w*{][^;'"]{0,500}\sfrom\s*)?["']"""
    r"""|export\s+(?:default|const|let|function|interface|type|async)\b)"""
)
_ASTRO_CODE: Final = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(?:[^-]|-(?!--))*?(?:^import\s|^const\s|Astro\.)", re.M)
_COMPONENT: Final = re.compile(
    r"\A\ufeff?\s*<(?:script|template)(?:\s+(?:setup|lang\s*=\s*[\"'][a-z]+[\"']|context\s*=\s*[\"']module[\"']))*\s*>", re.I
)
_SVELTE: Final = re.compile(r"\{[#@/:](?:each|if|html|key|await|else)\b|\$lib/|^\s*export\s+let\s", re.M)
_JSON: Final = re.compile(r"\A\ufeff?\s*(?:\{\s*\"|\[\s*[\[{\"])")


def code_kind(text: str) -> str | None:
    """The kind of code or data that a text begins like (`js`, `vue`, `svelte`, `astro`, `json`), None for anything else.

    >>> code_kind("import React from 'react';"), code_kind("<p>8.00</p>")
    ('js', None)
    """
    head = text[:_CODE_LOOKED_AT]
    if _SCRIPT_CODE.match(head):
        return "js"
    if _JSON.match(head):
        return "json" if text.rstrip()[-1:] in ("}", "]") else None
    if _COMPONENT.match(head):
        if _SVELTE.search(head):
            return "svelte"
        return "vue" if "</template>" in text and "<script" in text else None
    return "astro" if _ASTRO_CODE.match(head) else None
