"""Whether a tree of some markup would cost far more than the markup is worth, and how to cut it down; before any is built.

HTML5 opens formatting elements anew in every paragraph after the one in which they were left open: n of them and m paragraphs
are n times m elements, and 34 kB are gigabytes. Source: WHATWG HTML 13.2.4.3 (the list of active formatting elements).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

_MANY_TAGS: Final = 10_000
_LARGE_CHARS: Final = 40_000
_LONG_TAG_CHARS: Final = 20_000
_MOST_REOPENED: Final = 200_000  # elements that paragraphs may open anew: 0.2 s and 70 MiB of lexbor; a real page has a tenth
_MOST_ALIKE: Final = 3  # WHATWG HTML 13.2.4.3: of equal open elements three count ("Noah's Ark clause")
_MOST_SCOPES: Final = 200  # elements inside which links may stand within links; the text of each holds that of all inside
# An `a` or `nobr` ends the one before it, so that they do not add up.
# The letters first: without regard to case, each of the names would be tried at every tag.
_FORMATTING: Final = re.compile(
    r"<(?=[bcefistu])(?:b(?:ig)?|code|em|font|i|s(?:mall|trike|trong)?|tt|u)(?=[\s/>])[^>]*", re.I | re.A
)
_SCOPES: Final = re.compile(r"<(?=[amo])(?:applet|marquee|object)(?=[\s/>])", re.I | re.A)

# For pages that are read all the same.
_MOST_TAGS: Final = 200_000  # of a page; the largest labelled page has 8,301
_FEW_TAGS: Final = 5_000  # of a page that cannot be too deep: lexbor takes 0.2 s for the worst
_DEEPEST: Final = 1_000  # open elements; browsers stop at 512, real pages at some sixty
_MOST_ATTRIBUTES: Final = 500  # of one element
_MOST_ATTRIBUTES_OF_A_PAGE: Final = 400_000
# Possessive, and every alternative matches to the end of the source if need be: one pass, whatever comes.
_TAG: Final = re.compile(
    r"""<(?:!--.*?(?:-->|\Z)|(/?)([a-zA-Z][^\s/>]*+)((?:[^>"'=]++|=(?:\s*+(?:"[^"]*+"|'[^']*+')?+)|["'])*+)(?:>|\Z))""", re.S
)
_ATTRIBUTE: Final = re.compile(r"""[^\s"'>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?""")
_FORMATTING_NAMES: Final = frozenset("b big code em font i s small strike strong tt u".split())  # noqa: SIM905
# Elements that nest without end tags no deeper than one, or have no content.
_SHALLOW: Final = frozenset(
    "a area base br caption col colgroup dd dt embed hr img input li link meta option p param source tbody td tfoot th thead tr "  # noqa: SIM905
    "track wbr".split()
)


def is_pathological(markup: bytes | str) -> bool:
    """Whether a tree of the markup would cost seconds: far too many tags, a tag that does not end, or elements without end.

    A tree of 50,000 nested elements, or an element of 50,000 attributes, costs the parser a quarter of a minute. Its time grows
    with the square there; below 40,000 characters that is nothing.
    """
    source = markup if isinstance(markup, str) else markup.decode("latin-1")  # bytes above ASCII are no part of a tag
    is_large = len(source) >= _LARGE_CHARS and (source.count("<") > _MANY_TAGS or _has_long_tag(source))
    return is_large or _reopens_too_much(source)


def _has_long_tag(source: str) -> bool:
    """Whether a tag has more characters than any that tools write."""
    pieces = source.split(">")
    if max(map(len, pieces)) <= _LONG_TAG_CHARS:
        return False
    return any(len(piece) - piece.rfind("<") > _LONG_TAG_CHARS for piece in pieces)


def _reopens_too_much(source: str) -> bool:
    """Whether paragraphs could open formatting elements anew too often, or links stand within links too deep.

    End tags are not trusted to close anything: in a cell, a comment or an attribute they do not.
    """
    tags = source.count("<")
    if tags * tags <= 4 * _MOST_REOPENED:  # half of them open, half of them paragraphs
        return False
    found = _FORMATTING.findall(source)
    reopened = min(len(found), _MOST_ALIKE * len(set(found))) * (tags - len(found))
    return reopened > _MOST_REOPENED or len(_SCOPES.findall(source)) > _MOST_SCOPES


def within_limits(source: str) -> str:
    """The page without what is too much for a tree; nearly all come back as they are. Linear.

    Left out are what comes after 200,000 tags, tags deeper than 1,000 open elements, attributes after the five hundredth of an
    element or the 400,000th of the page, and all formatting where blocks would open it anew too often; the words stay.
    """
    tags = source.count("<")
    if tags > _MOST_TAGS:
        source = source[: next(islice(re.finditer("<", source), _MOST_TAGS, None)).start()]
    reopens = _reopens_too_much(source)
    if tags <= _FEW_TAGS and not reopens and source.count(">") <= _FEW_TAGS and not _has_long_tag(source):
        return source
    return _TAG.sub(_Limits(reopens).kept, source)


class _Limits:
    """Open elements and attributes while the tags of a page are counted."""

    def __init__(self, drops_formatting: bool) -> None:
        self._left_out = _FORMATTING_NAMES if drops_formatting else frozenset[str]()
        self._depth = 0
        self._attributes = 0

    def kept(self, match: re.Match[str]) -> str:
        """The tag as it may stay, "" for one that is too much."""
        name = match[2].lower() if match[2] else ""
        if not name:
            return match[0]
        if name in self._left_out:
            return ""
        if name not in _SHALLOW:
            before = self._depth
            self._depth = max(0, before + (-1 if match[1] else 1))
            if max(before, self._depth) > _DEEPEST:
                return ""
        written = match[3] or ""
        number = len(written.split()) + written.count("/")
        self._attributes += number
        if self._attributes > _MOST_ATTRIBUTES_OF_A_PAGE:
            return f"<{match[1]}{match[2]}>"
        if number <= _MOST_ATTRIBUTES:
            return match[0]
        return f"<{match[1]}{match[2]} {' '.join(_ATTRIBUTE.findall(written)[:_MOST_ATTRIBUTES])}>"
