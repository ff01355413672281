"""Names of things: identifiers that derive from content, so that a rebuild gives the same ones."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final, NewType

ParishId = NewType("ParishId", str)
DioceseKey = NewType("DioceseKey", str)

_ID_CHARACTERS: Final = 16  # 64 bits: for 10 million items a clash has a probability of 3 in a million


def content_id(*parts: str) -> str:
    """Sixteen hexadecimal digits that depend on every part and on their borders.

    >>> content_id("a", "bc") == content_id("ab", "c")
    False
    """
    joined = "\x1f".join(part.replace("\x1f", " ") for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_CHARACTERS]


def url_md5(canonical_url: str) -> str:
    """Name under which a page is stored: the MD5 of its canonical URL (V3); no secret depends on it.

    >>> url_md5("http://example.org/")
    'd0d92cdc9b30c1300fbc3c7ebd304be0'
    """
    return hashlib.md5(canonical_url.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def fold(text: str) -> str:
    """Lower case without accents and Polish strokes, white space folded: for comparing names, never for showing.

    >>> fold("  Łódź\\u00a0 Górna ")
    'lodz gorna'
    """
    if text.isascii():
        return " ".join(text.lower().split())
    plain = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L"))
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).casefold().split())


def slug(text: str) -> str:
    """Lower-case ASCII letters, digits and hyphens.

    >>> slug("Warmińska (olsztyńska)")
    'warminska-olsztynska'
    """
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")


def one_line(text: str) -> str:
    """Words of others in one line, without control characters: they shape no header, no file and no terminal.

    >>> one_line("a\x1b[31m b\\n c")
    'a [31m b c'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
