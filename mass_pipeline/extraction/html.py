"""Read HTML markup as a stream of tags and text. Linear for every input; nothing here knows what a schedule is.

The tokenizer is our own because no fast parser tells where its text stands in the source, and evidence needs that; and
because tree builders take seconds on pages nested 100,000 deep (docs/decisions/0010-own-html-tokenizer.md). Where it
matters for visible text it follows WHATWG HTML 13.2.5 (tokenization), held against lexbor by a differential test.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from mass_pipeline.extraction.builder import PageBuilder
from mass_pipeline.extraction.elements import RAW_TEXT

# Possessive groups cannot backtrack, and the tag always matches up to the end of the source: one pass, whatever comes.
_TAG: Final = re.compile(r"""<(?:(/?)([a-zA-Z][^\s/>]*+)((?:[^>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+)(>?)|(!--)|[!?/])""")
_SIMPLE_TAG: Final = re.compile(r"<(?:(/?)([a-zA-Z][^\s/>]*+)([^>]*+)(>?)|(!--)|[!?/])")
_COMMENT_END: Final = re.compile(r"--!?>")


@cache
def _raw_text_end(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.I)


def feed(builder: PageBuilder, start: int = 0, end: int | None = None, *, self_closing: bool = False) -> None:
    """Send the tags and text of `builder.source[start:end]` to the builder.

    Args:
        builder: collects the lines; call its `finish` afterwards.
        start, end: part of the source to read.
        self_closing: `<div/>` is empty, as in JSX; in HTML it is a start tag.
    """
    source = builder.source
    end = len(source) if end is None else end
    tag = _TAG
    position = start
    while position < end:
        match = tag.search(source, position, end)
        if match is None:
            break
        at = match.start()
        if at > position:
            builder.text(position, at)
        closing, name, _, closed, comment = match.groups()
        position = match.end()
        if name is None:
            position = _end_of_markup(source, at, position, end, is_comment=comment is not None)
        elif not closed:
            # A quotation mark swallowed the rest: from here on a tag ends at the first ">".
            if tag is _SIMPLE_TAG or source.find(">", at, end) < 0:
                return
            tag, position = _SIMPLE_TAG, at
        elif closing:
            builder.close(name.lower())
        else:
            position = _start(builder, match, end, self_closing=self_closing)
    if position < end:
        builder.text(position, end)


def _start(builder: PageBuilder, match: re.Match[str], end: int, *, self_closing: bool) -> int:
    """Deal with a start tag; returns where reading goes on."""
    name, attributes = match[2].lower(), match[3]
    builder.open(name, attributes, match.start(), match.end())
    if name in RAW_TEXT:
        return _raw_text(builder, name, attributes, match.end(), end)
    if self_closing and attributes.endswith("/"):
        builder.close(name)
    return match.end()


def _end_of_markup(source: str, at: int, position: int, end: int, *, is_comment: bool) -> int:
    """End of a comment, declaration or stray end tag."""
    if is_comment:
        match = _COMMENT_END.search(source, at + 2, end)
        return match.end() if match else end
    stop = source.find(">", position, end)
    return stop + 1 if stop >= 0 else end


def _raw_text(builder: PageBuilder, name: str, attributes: str, position: int, end: int) -> int:
    """Deal with an element whose content is no markup; returns where its end tag begins."""
    match = None if name == "plaintext" else _raw_text_end(name).search(builder.source, position, end)
    stop = match.start() if match else end
    if name == "title":
        if match is None:
            # Browsers take the rest of the page for its title; a page cut there still shows people nothing more.
            stop = min(x for x in (builder.source.find("<", position, end), end) if x >= 0)
        builder.set_title(position, stop)
    elif name == "script":
        if builder.opaque is not None and not builder.hidden:
            builder.opaque.script(attributes, builder.source, position, stop)
    elif name in {"textarea", "xmp", "plaintext"}:
        builder.verbatim(position, stop)
    return stop
