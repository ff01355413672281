"""What the style sheet inside a page hides or strikes out: classes and ids that no rule, link or script shows again.

Belongs: reading `<style>` as far as it hides elements. Not here: style attributes (`attributes`), linked style sheets, which
are never fetched. When in doubt an element is shown: a menu, a tab, a dialogue is part of the page for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from mass_pipeline.extraction.attributes import hides, is_opened_by_click, strikes_out

_LONGEST_SHEET: Final = 200_000  # characters of all style sheets of a page that are looked at
_MOST_NAMES: Final = 100  # classes and ids; each is looked for in the page, and a page that hides more is left as it is
_SHEETS_REMEMBERED: Final = 16  # the pages of a site have one and the same; more of the longest would take megabytes
_BRACES: Final = re.compile(r"[{}]")
_SIMPLE: Final = re.compile(r"(?:[a-z][\w-]*)?([.#])([\w-]+)", re.I)
_SHOWS: Final = re.compile(
    r"display\s*:\s*(?!none)\w|text-decoration\s*:\s*none|visibility\s*:\s*visible|(?:height|opacity)\s*:\s*(?!0)\w", re.I
)


@dataclass(frozen=True, slots=True)
class HiddenByStyle:
    """Classes and ids that are never shown."""

    classes: frozenset[str]
    ids: frozenset[str]

    def hides(self, values: Mapping[str, str]) -> bool:
        """Whether an element with these attributes is hidden."""
        if not values:
            return False
        return values.get("id", "") in self.ids or not self.classes.isdisjoint(values.get("class", "").split())


def hidden_by_style(tree: LexborHTMLParser, source: str) -> HiddenByStyle | None:
    """What the style sheets of a page hide for good; None when that is nothing.

    Args:
        tree: the page.
        source: the same as written.

    >>> def hidden(sheet: str) -> list[str]:
    ...     page = f"<style>{sheet}</style>"
    ...     return sorted(hidden_by_style(LexborHTMLParser(page), page).classes)
    >>> hidden(".old, #x p.y {display:none} .tab{display:none} .a{color:red}")
    ['old', 'y']
    >>> hidden(".sr-only {height:1px; overflow:hidden; clip:rect(0,0,0,0)}")
    ['sr-only']
    """
    sheet = _without_comments(_contents(tree, "style"))[:_LONGEST_SHEET]
    hidden = _hidden_by_rules(sheet) if sheet else frozenset()
    if not hidden:
        return None
    scripts = _contents(tree, "script")
    kept = {name for name in hidden if not _is_shown_elsewhere(name, source, scripts)}
    if not kept:
        return None
    return HiddenByStyle(
        frozenset(name[1:] for name in kept if name[0] == "."), frozenset(name[1:] for name in kept if name[0] == "#")
    )


@lru_cache(maxsize=_SHEETS_REMEMBERED)
def _hidden_by_rules(sheet: str) -> frozenset[str]:
    """What the rules of a style sheet hide and none of them shows again; nothing where they hide too much."""
    rules = list(_rules(sheet))
    hidden: set[str] = set()
    for selectors, declarations, depth in rules:
        if depth == 0 and (hides(declarations) or strikes_out(declarations)):
            hidden |= {name for selector in selectors.split(",") if (name := _last_name(selector))}
    if len(hidden) > _MOST_NAMES:
        return frozenset()
    for selectors, declarations, _ in rules if hidden else ():
        if _SHOWS.search(declarations) and not hides(declarations):  # of a height of 1px, and cut off
            hidden -= {name for name in hidden if name in selectors}
    return frozenset(hidden)


def _contents(tree: LexborHTMLParser, name: str) -> str:
    """What stands inside all elements of one name."""
    return " ".join([node.text() for node in tree.css(name)])


def _without_comments(sheet: str) -> str:
    kept: list[str] = []
    for part in sheet.split("/*"):
        kept.append(part.partition("*/")[2] if kept else part)
    return " ".join(kept).replace("<!--", " ").replace("-->", " ")


def _rules(sheet: str) -> Iterator[tuple[str, str, int]]:
    """Selectors, declarations and how many `@media` and the like stand around them."""
    depth, position, selectors = 0, 0, ""
    for brace in _BRACES.finditer(sheet):
        between, position = sheet[position : brace.start()], brace.end()
        if brace.group() == "{":
            depth, selectors = depth + 1, between.rpartition(";")[2]
        else:
            if selectors and not selectors.lstrip().startswith("@"):
                yield selectors, between, depth - 1
            depth, selectors = max(0, depth - 1), ""


def _last_name(selector: str) -> str:
    """The class or id that a selector ends with, `.name` or `#name`; "" for anything more than that, as states are."""
    parts = selector.split()
    match = _SIMPLE.fullmatch(parts[-1]) if parts else None
    return match[1] + match[2] if match and not any(mark in selector for mark in ":[>+~*") else ""


def _is_shown_elsewhere(name: str, source: str, scripts: str) -> bool:
    """Whether a click may show it, by its name or because a link or a script of the page names it."""
    bare = name[1:]
    if is_opened_by_click(bare) or bare in scripts:
        return True
    return name[0] == "#" and any(f'{mark}{bare}"' in source for mark in ('href="#', 'data-target="#', 'for="', 'controls="'))
