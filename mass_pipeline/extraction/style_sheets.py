"""What the style sheet inside a page hides for good: classes and ids that no rule, link or script of the page shows again.

Belongs: reading `<style>` as far as it hides elements. Not here: style attributes (`attributes`), linked style sheets, which
are never fetched. When in doubt an element is shown: a menu, a tab, a dialogue is part of the page for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from mass_pipeline.extraction.attributes import hides, is_opened_by_click, parse_attributes

_LONGEST_SHEET: Final = 200_000  # characters of all style sheets of a page that are looked at
_MOST_NAMES: Final = 100  # classes and ids; each is looked for in the page, and a page that hides more is left as it is
_STYLE: Final = re.compile(r"<style[^>]{0,1000}>", re.I)
_SCRIPT: Final = re.compile(r"<script[^>]{0,5000}>", re.I)
_BRACES: Final = re.compile(r"[{}]")
_SIMPLE: Final = re.compile(r"(?:[a-z][\w-]*)?([.#])([\w-]+)", re.I)
_SHOWS: Final = re.compile(r"display\s*:\s*(?!none)\w|visibility\s*:\s*visible|(?:height|opacity)\s*:\s*(?!0)\w", re.I)


@dataclass(frozen=True, slots=True)
class HiddenByStyle:
    """Classes and ids that are never shown."""

    classes: frozenset[str]
    ids: frozenset[str]

    def hides(self, attributes: str) -> bool:
        """Whether an element with these attributes (as written) is hidden."""
        values = parse_attributes(attributes)
        return values.get("id", "") in self.ids or not self.classes.isdisjoint(values.get("class", "").split())


def hidden_by_style(source: str) -> HiddenByStyle | None:
    """What the style sheets of a page hide for good; None when that is nothing.

    >>> sorted(hidden_by_style("<style>.old, #x p.y {display:none} .tab{display:none} .a{color:red}</style>").classes)
    ['old', 'y']
    """
    sheet = _without_comments(_contents(source, _STYLE, "</style"))[:_LONGEST_SHEET]
    rules = list(_rules(sheet)) if sheet else []
    hidden: set[str] = set()
    for selectors, declarations, depth in rules:
        if depth == 0 and hides(declarations):
            hidden |= {name for selector in selectors.split(",") if (name := _last_name(selector))}
    if not 0 < len(hidden) <= _MOST_NAMES:
        return None
    for selectors, declarations, _ in rules:
        if _SHOWS.search(declarations):
            hidden -= {name for name in hidden if name in selectors}
    scripts = _contents(source, _SCRIPT, "</script")
    kept = {name for name in hidden if not _is_shown_elsewhere(name, source, scripts)}
    if not kept:
        return None
    return HiddenByStyle(
        frozenset(name[1:] for name in kept if name[0] == "."), frozenset(name[1:] for name in kept if name[0] == "#")
    )


def _contents(source: str, start: re.Pattern[str], end: str) -> str:
    """What stands inside all elements of one name; the first one without an end tag is the last one."""
    found: list[str] = []
    position = 0
    lowered = ""
    while match := start.search(source, position):
        lowered = lowered or source.lower()
        position = lowered.find(end, match.end())
        if position < 0:
            break
        found.append(source[match.end() : position])
    return " ".join(found)


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
