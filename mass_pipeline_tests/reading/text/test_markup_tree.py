"""What frames a page is removed as a reader would do it: one element after the other, each with the text it holds."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.reading.text.markup_tree import counted, drop_frame, is_frame, parse_markup, text_of

_PIECES = [
    "<nav>", "</nav>", "<div>", "</div>", "<div class=menu>", "<script>", "</script>", "<p>", "</p>", "<b>", "</b>", " ", "\xa0",
    "a", "bc d", "<ul id=sidebar>", "</ul>", "<br>", "<form>", "</form>",
]  # fmt: skip


def _removed_one_by_one(tree: Element) -> None:
    for node in list(tree.iter("script", "head")):
        _remove(node)
    counts = counted(tree)
    limit = 0.6 * max(1, counts[tree].characters)
    for node in list(tree.iter()):
        if node.getparent() is not None and is_frame(node) and counts[node].characters < limit:
            _remove(node)


def _remove(node: Element) -> None:
    parent, before, tail = node.getparent(), node.getprevious(), node.tail or ""
    assert parent is not None
    parent.remove(node)
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail


class TestDropFrame:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=40).map("".join))
    def test_is_the_same_as_removing_one_by_one(self, markup: str) -> None:
        found, expected = parse_markup(markup), parse_markup(markup)
        if found is not None and expected is not None:
            drop_frame(found)
            _removed_one_by_one(expected)

            assert etree.tostring(found) == etree.tostring(expected)


class TestManyTags:
    def test_of_a_page_the_first_two_hundred_thousand_are_read(self) -> None:
        """Each element costs memory in the tree and in all that reads it."""
        tree = parse_markup(b"<p>a</p>" * 150_000)

        assert tree is not None
        assert sum(1 for _ in tree.iter("p")) == 100_000

    def test_an_ordinary_page_is_read_to_its_end(self) -> None:
        tree = parse_markup(b"<div>" + b"<p>a &lt; b</p>" * 30_000 + b"<p>koniec</p></div>")

        assert tree is not None
        assert text_of(tree).endswith("koniec")
