"""Whether a tree of some markup would cost far more than the markup is worth; counted before any is built, at every length.

HTML5 opens formatting elements anew in every paragraph after the one in which they were left open: n of them and m paragraphs
are n times m elements, and 34 kB are gigabytes. Source: WHATWG HTML 13.2.4.3 (the list of active formatting elements).
"""

from __future__ import annotations

import re
from typing import Final

_MANY_TAGS: Final = 10_000
_LARGE_CHARS: Final = 40_000
_LONG_TAG_CHARS: Final = 20_000
_MOST_REOPENED: Final = 200_000  # elements that paragraphs may open anew: 0.2 s and 70 MiB of lexbor; a real page has a tenth
_MOST_ALIKE: Final = 3  # WHATWG HTML 13.2.4.3: of equal open elements three count ("Noah's Ark clause")
_MOST_SCOPES: Final = 200  # elements inside which links may stand within links; the text of each holds that of all inside
# An `a` or `nobr` ends the one before it, so that they do not add up.
# The letters first: without regard to case, each of the names would be tried at every tag.
_FORMATTING: Final = r"<(?=[bcefistu])(?:b(?:ig)?|code|em|font|i|s(?:mall|trike|trong)?|tt|u)(?=[\s/>])[^>]*"
_SCOPES: Final = r"<(?=[amo])(?:applet|marquee|object)(?=[\s/>])"
_FORMATTING_TEXT: Final = re.compile(_FORMATTING, re.IGNORECASE)
_FORMATTING_BYTES: Final = re.compile(_FORMATTING.encode(), re.IGNORECASE)
_SCOPES_TEXT: Final = re.compile(_SCOPES, re.IGNORECASE)
_SCOPES_BYTES: Final = re.compile(_SCOPES.encode(), re.IGNORECASE)


def is_pathological(markup: bytes | str) -> bool:
    """Whether a tree of the markup would cost seconds: far too many tags, a tag that does not end, or elements without end."""
    return has_too_many_tags(markup) or reopens_too_much(markup)


def has_too_many_tags(markup: bytes | str) -> bool:
    """A tree of 50,000 nested elements, or an element of 50,000 attributes, costs the parser a quarter of a minute.

    Its time grows with the square there; below 40,000 characters that is nothing.
    """
    opening, closing = (b"<", b">") if isinstance(markup, bytes) else ("<", ">")
    if len(markup) < _LARGE_CHARS:
        return False
    if markup.count(opening) > _MANY_TAGS:  # type: ignore[arg-type]
        return True
    pieces = markup.split(closing)  # type: ignore[arg-type]
    if max(map(len, pieces)) <= _LONG_TAG_CHARS:
        return False
    return any(len(piece) - piece.rfind(opening) > _LONG_TAG_CHARS for piece in pieces)  # type: ignore[arg-type]


def reopens_too_much(markup: bytes | str) -> bool:
    """Whether paragraphs could open formatting elements anew too often, or links stand within links too deep.

    End tags are not trusted to close anything: in a cell, a comment or an attribute they do not.
    """
    if isinstance(markup, bytes):
        tags = markup.count(b"<")
        if tags * tags <= 4 * _MOST_REOPENED:  # half of them open, half of them paragraphs
            return False
        found: list[bytes] | list[str] = _FORMATTING_BYTES.findall(markup)
        scopes = _SCOPES_BYTES.findall(markup)
    else:
        tags = markup.count("<")
        if tags * tags <= 4 * _MOST_REOPENED:
            return False
        found, scopes = _FORMATTING_TEXT.findall(markup), _SCOPES_TEXT.findall(markup)
    reopened = min(len(found), _MOST_ALIKE * len(set(found))) * (tags - len(found))
    return reopened > _MOST_REOPENED or len(scopes) > _MOST_SCOPES
