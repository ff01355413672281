"""The main text of a news page by text density over the DOM (C7).

Source: Sun, Song and Liao, "DOM based content extraction via text density", SIGIR 2011: the element with the largest sum
of composite text densities of its children. Changed: text that stands directly in an element, between line breaks,
counts as children of its own, because pages of 2003 have no paragraphs.
"""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.extraction.markup_tree import lines_of

_WORD: Final = re.compile(r"\S+")
_LINK_BLOCK_SHARE: Final = 0.6  # a block whose text is mostly links leads elsewhere
_LINK_BLOCK_TAGS: Final = frozenset({"div", "ul", "ol", "p", "table", "center", "li", "span", "td"})


@dataclass(slots=True)
class _Counts:
    """Characters and tags below an element, all and in links."""

    characters: int = 0
    tags: int = 0
    link_characters: int = 0
    link_tags: int = 0

    def add(self, other: _Counts) -> None:
        self.characters += other.characters
        self.tags += other.tags
        self.link_characters += other.link_characters
        self.link_tags += other.link_tags


def find_main(tree: Element) -> Element | None:
    """The element that holds the main text; None when the page has no text.

    Args:
        tree: of the page, freed of its frame (`markup_tree.drop_frame`).
    """
    counts = _count(tree)
    whole = counts[tree]
    if not whole.characters:
        return None
    return max(counts, key=lambda node: _density_sum(node, counts, whole))


def main_lines(main: Element) -> list[str]:
    """Lines of the main text, without blocks of links."""
    shares = _link_shares(main)
    for node in list(main.iter("*")):
        if node is not main and node.tag in _LINK_BLOCK_TAGS and shares[node] > _LINK_BLOCK_SHARE:
            for inside in list(node):
                node.remove(inside)
            node.text = None
    return list(lines_of(main))


def _count(tree: Element) -> dict[Element, _Counts]:
    counts = {node: _Counts() for node in tree.iter("*")}
    for node in reversed(list(counts)):
        own = counts[node]
        own.characters += len((node.text or "").strip())
        if node.tag == "a":
            own.link_characters = own.characters
            own.link_tags += 1
        own.tags += 1
        parent = node.getparent()
        if parent is not None and parent in counts:
            counts[parent].add(own)
            counts[parent].characters += len((node.tail or "").strip())
    return counts


def _density(counts: _Counts, whole: _Counts) -> float:
    """Composite text density, formula 3 of the paper; zeros in denominators count as ones."""
    characters = counts.characters
    if not characters:
        return 0.0
    links, tags, link_tags = max(1, counts.link_characters), max(1, counts.tags), max(1, counts.link_tags)
    plain = max(1, characters - counts.link_characters)
    base = math.log(characters / plain * counts.link_characters + whole.link_characters / whole.characters * characters + math.e)
    argument = max(1.0, characters / links * tags / link_tags)
    return characters / tags * math.log(argument) / math.log(max(base, 1.01))


def _density_sum(node: Element, counts: dict[Element, _Counts], whole: _Counts) -> float:
    runs = [len((node.text or "").strip()), *(len((child.tail or "").strip()) for child in node)]
    own = sum(_density(_Counts(run, 1), whole) for run in runs if run)
    return own + sum(_density(counts[child], whole) for child in node if child in counts)


def _link_shares(main: Element) -> dict[Element, float]:
    """Of each element, the share of its text that lies in links; in one walk, as elements may lie in one another by thousands."""
    begins: dict[Element, tuple[int, int]] = {}
    shares: dict[Element, float] = {}
    lengths = _Lengths("".join(str(part) for part in main.itertext()))
    at = linked = 0
    for event, node in etree.iterwalk(main, events=("start", "end", "comment", "pi")):
        if event != "end":
            begins[node] = at, linked
            at += len(node.text or "")
        if event == "end":
            start, linked_before = begins[node]
            length = lengths.between(start, at)
            shares[node] = (linked - linked_before) / length if length else 0.0
            linked += length if node.tag == "a" else 0
        if event != "start" and node is not main:
            at += len(node.tail or "")
    return shares


class _Lengths:
    """Lengths of stretches of a text, white space folded."""

    def __init__(self, text: str) -> None:
        words = [word.span() for word in _WORD.finditer(text)]
        self._starts = [start for start, _ in words]
        self._ends = [end for _, end in words]
        self._sums = [0, *itertools.accumulate(end - start for start, end in words)]

    def between(self, start: int, end: int) -> int:
        first, behind = bisect_right(self._ends, start), bisect_left(self._starts, end)
        if first >= behind:
            return 0
        cut = max(0, start - self._starts[first]) + max(0, self._ends[behind - 1] - end)
        return self._sums[behind] - self._sums[first] - cut + behind - first - 1
