"""Plain text as HTML: one line of text is one line of the document, a blank line or a row of dashes leaves a gap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

_LINE: Final = re.compile(r"[^\r\n\f\v]+")
_RULE: Final = re.compile(r"\s*+(?:[-=_*~.]\s*+){3,}+$")
_BULLET: Final = re.compile(r"\s*[•·▪●◦‣⁃*+-]\s+(?=\S)")


def to_html(text: str) -> str:
    """The same as HTML; bullets become list items, blank lines and rules gaps.

    >>> to_html("Msze:\\n- 8.00 & 10.00\\n---\\nKancelaria")
    '<p>Msze:</p><li>8.00 &amp; 10.00</li><hr><p>Kancelaria</p>'
    """
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    behind = 0
    for match in _LINE.finditer(text):
        gap = text.count("\n", behind, match.start()) > 1
        behind = match.end()
        if match.group().isspace() or _RULE.match(text, match.start(), match.end()):
            yield "<hr>"
            continue
        bullet = _BULLET.match(text, match.start(), match.end())
        name, start = ("li", bullet.end()) if bullet else ("p", match.start())
        yield f"{'<hr>' * gap}<{name}>{escape(text[start:behind], quote=False)}</{name}>"
