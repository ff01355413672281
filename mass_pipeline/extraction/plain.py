"""Read plain text: one line of text is one line of the document, a blank line or a row of dashes leaves a gap."""

from __future__ import annotations

import re
from typing import Final

from mass_pipeline.extraction.builder import PageBuilder

_LINE: Final = re.compile(r"[^\r\n\f\v]+")
_RULE: Final = re.compile(r"\s*+(?:[-=_*~.]\s*+){3,}+$")
_BULLET: Final = re.compile(r"\s*[•·▪●◦‣⁃*+-]\s+(?=\S)")


def feed(builder: PageBuilder) -> None:
    """Send every line of the source to the builder; bullets become list items, paragraphs become blocks."""
    source = builder.source
    behind = 0
    for match in _LINE.finditer(source):
        gap = source.count("\n", behind, match.start()) > 1
        behind = match.end()
        if match.group().isspace() or _RULE.match(source, match.start(), match.end()):
            builder.rule()
            continue
        if gap:
            builder.rule()
        bullet = _BULLET.match(source, match.start(), match.end())
        if bullet:
            builder.open("li")
        builder.text(bullet.end() if bullet else match.start(), match.end(), literal=True)
        builder.flush()
        if bullet:
            builder.close("li")
