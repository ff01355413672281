"""The words around a link: what its page says about where it leads (B1, anchor context). A node in, plain words out."""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborNode

_INLINE: Final = frozenset({"a", "b", "em", "font", "i", "small", "span", "strong", "u"})
_SIDE_CHARS: Final = 100
_MOST_STEPS: Final = 12  # siblings looked at on each side: menus hold hundreds of links without words between them
_MOST_CLIMBS: Final = 4


def words_around(node: LexborNode) -> str:
    """Words before and after a link, its own left out as `[...]`; "" when it stands alone.

    Only siblings are read (of the link, or of the inline elements it is wrapped in), so that a page of thousands of links
    costs no more than its size.

    >>> from selectolax.lexbor import LexborHTMLParser
    >>> tree = LexborHTMLParser("<p>Transmisja w <b><a href='http://r.example'>radiu</a></b> co niedzielę</p>")
    >>> words_around(tree.css_first("a"))
    'Transmisja w [...] co niedzielę'
    """
    top = node
    for _ in range(_MOST_CLIMBS):
        parent = top.parent
        if parent is None or parent.tag not in _INLINE or top.prev is not None or top.next is not None:
            break
        top = parent
    before, behind = _side(top, forward=False), _side(top, forward=True)
    return f"{before} [...] {behind}".strip() if before or behind else ""


def _side(node: LexborNode, *, forward: bool) -> str:
    words = ""
    sibling = node.next if forward else node.prev
    for _ in range(_MOST_STEPS):
        if sibling is None or len(words) >= _SIDE_CHARS:
            break
        if sibling.tag not in ("script", "style", "_comment", "-comment"):
            found = " ".join((sibling.text(deep=True) or "").split())
            words = f"{words} {found}".strip() if forward else f"{found} {words}".strip()
        sibling = sibling.next if forward else sibling.prev
    return words[:_SIDE_CHARS].strip() if forward else words[-_SIDE_CHARS:].strip()
