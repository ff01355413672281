"""Pages that show nothing before their scripts have run, by what the crawl sees of them: visible text, links, scripts.

Quick and rough, on the tree that links are read from; whether a site states its schedule is for its readers to say.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

SHORTEST_TEXT: Final = 120  # characters; "Wczytywanie", "włącz JavaScript" and a name are shorter
MOST_LINKS: Final = 20  # their names alone are a text: seven letters each
_UNSEEN: Final = frozenset({"script", "style", "noscript", "template", "title"})
_TIME: Final = re.compile(r"\b\d{1,2}[:.]\d\d\b")


def is_shell(tree: LexborHTMLParser) -> bool:
    """Whether a page has scripts and next to no text: fewer than 120 characters, and no time of day among them.

    >>> is_shell(LexborHTMLParser('<div id="app"></div><script src="/app.js"></script>'))
    True
    >>> is_shell(LexborHTMLParser('<p>Niedziela: 8:00, 10:30</p><script src="/app.js"></script>'))
    False
    """
    return bool(tree.tags("script")) and tree.body is not None and not _shows_text(tree.body)


def _shows_text(body: LexborNode) -> bool:
    characters = 0
    waiting = [body]
    while waiting:
        for node in waiting.pop().iter(include_text=True):
            if node.is_text_node:
                words = " ".join((node.text_content or "").split())
                characters += len(words)
                if characters >= SHORTEST_TEXT or _TIME.search(words):
                    return True
            elif node.tag == "template" and "shadowrootmode" in node.attrs:
                return True  # its text is no part of the tree, and whoever declares a shadow root has filled it
            elif node.tag not in _UNSEEN:
                waiting.append(node)
    return False
