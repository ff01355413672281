"""Read HTML markup as a stream of tags and text. Linear for every input; nothing here knows what a schedule is.

The tokenizer is our own because no fast parser tells where its text stands in the source, and evidence needs that; and
because tree builders take seconds on pages nested 100,000 deep (docs/decisions/0010-own-html-tokenizer.md). Where it
matters for visible text it follows WHATWG HTML 13.2.5 (tokenization), held against lexbor by a differential test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from mass_pipeline.extraction.builder import PageBuilder
from mass_pipeline.extraction.tags import tag_of

# Possessive groups cannot backtrack, and every alternative matches to the end of the source if need be: one pass,
# whatever comes. A token is a tag (raw text elements with all their content), a comment or a declaration.
_ATTRIBUTES: Final = r"""(?:[^>"'=]++|=(?:"[^"]*+"|\s*+(?:"[^"]*+"|'[^']*+')?+)|["'])*+"""
_SIMPLE_ATTRIBUTES: Final = "[^>]*+"
# Capitals are spelt out, as a search that ignores case takes a quarter longer, and raw text is passed over from "<" to "<".
_RAW: Final = "(?i:script|style|title|textarea|xmp|iframe|noembed|plaintext)"
_MARKUP: Final = r"""(
    </?(?:(?![stxinpSTXINP])|(?!#[\s/>]))[a-zA-Z][^\s/>]*+@>?
  | <!--(?:-?>|.*?--!?>|.*+)
  | <(#)@>(?:[^<]++|<(?!(?i:/\2)[\s/>]))*+
  | </?[a-zA-Z]@>?
  | <[!?/][^>]*+>?
)""".replace("#", _RAW)
_FLAGS: Final = re.VERBOSE | re.DOTALL
_TOKENS: Final = re.compile(_MARKUP.replace("@", _ATTRIBUTES), _FLAGS)
_SIMPLE_TOKENS: Final = re.compile(_MARKUP.replace("@", _SIMPLE_ATTRIBUTES), _FLAGS)
_START_TAG: Final = re.compile(r"<[a-zA-Z]+" + _ATTRIBUTES + ">", _FLAGS)
_SPLIT_AT_ONCE: Final = 300_000  # characters; faster than token by token, but all pieces are held at once
_RESTARTS: Final = 2  # after an open quotation mark, after an open title: more would cost a pass each


def feed(builder: PageBuilder, start: int = 0, end: int | None = None, *, self_closing: bool = False) -> None:
    """Send the tags and text of `builder.source[start:end]` to the builder.

    Args:
        builder: collects the lines; call its `finish` afterwards.
        start, end: part of the source to read.
        self_closing: `<div/>` is empty, as in JSX; in HTML it is a start tag.
    """
    end = len(builder.source) if end is None else end
    pattern = _TOKENS
    for attempt in range(_RESTARTS + 1):
        resume = _feed_once(builder, pattern, start, end, self_closing=self_closing, is_last=attempt == _RESTARTS)
        if resume is None:
            return
        start, simple = resume
        pattern = _SIMPLE_TOKENS if simple else pattern


def _feed_once(
    builder: PageBuilder, pattern: re.Pattern[str], position: int, end: int, *, self_closing: bool, is_last: bool
) -> tuple[int, bool] | None:
    """One pass; returns where to start again (and whether to ignore quotation marks) when markup swallowed the rest."""
    add_text, add_tag, sheet = builder.text, builder.tag, builder.sheet  # looked up for every tag
    for text, markup, raw in _tokens(pattern, builder.source, position, end):
        at = position + len(text)
        if text:
            add_text(position, at, text)
        position = at + len(markup)
        if raw is not None:
            if position == end and raw.lower() == "title" and not is_last:
                return at + len(raw) + 2, False
            _raw_text(builder, markup, raw.lower(), at)
        elif markup[-1] == ">" or markup[1] == "!":
            tag = tag_of(markup)
            if not tag.is_inert or builder.is_counting or (sheet is not None and sheet.hides(tag.attributes)):
                add_tag(tag, at, position)
                if self_closing and tag.is_self_closed:
                    builder.close(tag.name)
        elif pattern is _TOKENS and not is_last and ">" in markup:
            return at, True  # a quotation mark swallowed the rest: from here on a tag ends at the first ">"
    if position < end:
        builder.text(position, end)
    return None


def _tokens(pattern: re.Pattern[str], source: str, start: int, end: int) -> Iterable[tuple[str, str, str | None]]:
    """Text, the token after it, and the name of one with raw text; what is left after the last token is not among them."""
    if end - start > _SPLIT_AT_ONCE:
        return _tokens_one_by_one(pattern, source, start, end)
    pieces = pattern.split(source[start:end])
    return zip(pieces[:-1:3], pieces[1::3], pieces[2::3], strict=True)


def _tokens_one_by_one(pattern: re.Pattern[str], source: str, start: int, end: int) -> Iterator[tuple[str, str, str | None]]:
    for match in pattern.finditer(source, start, end):
        yield source[start : match.start()], match.group(), match.group(2)
        start = match.end()


def _raw_text(builder: PageBuilder, markup: str, name: str, at: int) -> None:
    """Deal with an element whose content is no markup."""
    match = _START_TAG.match(markup)
    if match is None:
        return
    tag = tag_of(match.group())
    start, end = at + match.end(), at + len(markup)
    if name == "title":
        builder.set_title(start, end)
    elif name == "script":
        if builder.opaque is not None and not builder.hidden:
            builder.opaque.script(tag.attributes, builder.source, start, end, builder.near)
    elif name in ("textarea", "xmp", "plaintext"):
        builder.verbatim(start, end)
    elif name == "iframe":
        builder.tag(tag, at, start)
