"""Tabs: a row of labels, then the panes that a click shows. Each pane is headed by its label, as people see it.

Where a page is served with one pane only, it is that of the tab that is marked as chosen, and the other labels head nothing.

Belongs here: which label names which pane, and the headings that follow from it. Not here: what is hidden (`elements`).
What a click sets and a condition asks (`@click="tab = 'nd'"`, `x-show="tab === 'nd'"`) names panes too.
Source: WAI-ARIA 1.2 (roles tab and tabpanel, aria-controls, aria-labelledby); Bootstrap's `nav-tabs` and `tab-pane`; Alpine
(`x-on`, `x-show`), Vue (`v-on`, `v-show`), AngularJS (`ng-click`, `ng-show`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from mass_pipeline.model.document import DEEPEST_BOX, LineKind, Region
from mass_pipeline.reading.text.tables import TITLE_LEVEL, LineDraft
from mass_pipeline.reading.text.wording import has_hour

_PANE: Final = re.compile(r"tab|pane|zak[lł]ad|accord|collaps", re.IGNORECASE)
_LONGEST_LABEL: Final = 60  # characters
_MOST: Final = 60  # labels and panes of one page
_LONGEST_PANE: Final = 300  # lines
_DEEPEST_LEVEL: Final = 6
_NO_BLOCK: Final = -1  # of a pane that is no box of its own
_NAMES: Final = ("href", "data-target", "data-bs-target")
# Names that no element can have, as they begin with a blank: a tab, the one that is chosen, a pane without a name.
_TAB: Final = " tab"
_CHOSEN: Final = " chosen"
_PANEL: Final = " panel"
_TAB_CLASS: Final = re.compile(r"(?i)(?:^|[\s_-])tabs?(?:[-_]*(?:link|item|btn|button|label|title|trigger|przycisk))?(?=[\s_]|$)")
_ACTIVE: Final = re.compile(r"(?i)(?:^|[\s_-])(?:is[-_]?)?(?:active|selected|current|aktywn[aey])(?=[\s_]|$)")

# Panes that a value chooses: a click sets `tab = 'nd'`, the pane is shown while `tab === 'nd'`.
CLICKS: Final = (
    "@click", "x-on:click", "v-on:click", "ng-click", "@click.prevent", "x-on:click.prevent", "v-on:click.prevent", "onclick",
)  # fmt: skip
CONDITIONS: Final = ("x-show", "v-show", "ng-show")
_LITERAL: Final = r"""(?:'([^'"]{1,60})'|"([^'"]{1,60})"|(\d{1,4}))"""
_OWNER: Final = r"(?:this\.|vm\.|\$ctrl\.)?"
_SETS: Final = re.compile(rf"\s*+{_OWNER}([A-Za-z_$][\w$.]{{0,60}})\s*+=\s*+{_LITERAL}\s*+;?+\s*+$")
_CALLS: Final = re.compile(
    rf"\s*+{_OWNER}[A-Za-z_$][\w$.]{{0,60}}\(\s*+(?:(?:event|this|\$event)\s*+,\s*+)?{_LITERAL}\s*+\)\s*+;?+\s*+$"
)
_ASKS: Final = re.compile(rf"\s*+(?:\(\s*+)?{_OWNER}([A-Za-z_$][\w$.]{{0,60}})\s*+={{2,3}}\s*+{_LITERAL}\s*+(?:\)\s*+)?$")


def label_of(values: Mapping[str, str]) -> tuple[str, ...]:
    """What a pane may be called that these attributes of a link, button or item name; empty when they name none.

    >>> label_of({"role": "tab", "id": "t1", "aria-controls": "p1"})
    ('p1', 't1', ' tab')
    """
    if not values:
        return ()
    targets = [values[name][1:] for name in _NAMES if values.get(name, "")[:1] == "#"]
    targets += [values["aria-controls"]] if "aria-controls" in values else []
    mark = _tab_mark(values)
    own = values.get("id", "") if targets or mark else ""
    return tuple(name for name in dict.fromkeys((*targets, own, mark, *clicked_pane(values))) if name)


def _tab_mark(values: Mapping[str, str]) -> str:
    """Whether an element of these attributes is a tab, and the chosen one."""
    words = values.get("class", "")
    if values.get("role", "").lower() != "tab" and not _TAB_CLASS.search(words):
        return ""
    is_chosen = values.get("aria-selected", values.get("data-state", "")).lower() in ("true", "active")
    return _CHOSEN if is_chosen or ("aria-selected" not in values and _ACTIVE.search(words)) else _TAB


def pane_of(values: Mapping[str, str], *, is_box: bool) -> tuple[str, ...]:
    """By what names a pane may be called that has these attributes; empty for any other box.

    Args:
        values: attributes by name.
        is_box: whether the element is a plain box; lists, tables and cells are panes by what shows them alone.

    >>> pane_of({"class": "tab-pane", "id": "rok"}, is_box=True), pane_of({"id": "menu"}, is_box=True)
    (('rok',), ())
    """
    names = shown_pane(values)
    if names or not is_box or not _PANE.search(" ".join(values.get(name, "") for name in ("class", "role", "id"))):
        return names
    names = tuple(name for name in (values.get("id", ""), values.get("aria-labelledby", "")) if name)
    return (*names, _PANEL) if values.get("role", "").lower() == "tabpanel" else names


def clicked_pane(values: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the pane that a click on an element of these attributes chooses; empty for other elements.

    >>> [clicked_pane({"@click": one}) for one in ("tab = 'nd'", "wybierz('nd')", "open = !open")]
    [(' tab=nd',), (' ()=nd',), ()]
    """
    written = next((values[name] for name in CLICKS if name in values), "")
    match = _SETS.match(written)
    if match is not None:
        return (f" {match[1]}={_literal(match, 2)}",)
    match = _CALLS.match(written)
    if match is None:
        return ()
    return (f" ()={_literal(match, 1)}", *([_literal(match, 1)] if "onclick" in values else []))  # the id of an element


def shown_pane(values: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the pane that an element of these attributes is; empty for other elements.

    >>> shown_pane({"x-show": "tab === 'nd'"}), shown_pane({"x-show": "open"})
    ((' tab=nd', ' ()=nd'), ())
    """
    for name in CONDITIONS:
        match = _ASKS.match(values[name]) if name in values else None
        if match is not None:
            return f" {match[1]}={_literal(match, 2)}", f" ()={_literal(match, 2)}"
        match = _CALLS.match(values[name]) if name in values else None
        if match is not None:
            return (f" ()={_literal(match, 1)}",)
    return ()


def _literal(match: re.Match[str], first: int) -> str:
    return match[first] or match[first + 1] or match[first + 2]


class Tabs:
    """The labels and panes of a page while it is read."""

    __slots__ = ("_labels", "_panes", "_tabs")

    def __init__(self) -> None:
        self._labels: dict[str, int] = {}  # name of a pane -> position of the line that labels it
        self._panes: list[tuple[tuple[str, ...], int, int]] = []  # names, position of the first line, block
        self._tabs: dict[int, bool] = {}  # position of the line of a tab -> whether it is the chosen one

    def note(self, pane: tuple[str, ...], label: Sequence[str], line: int, block: int) -> None:
        """A pane, or a label of one, begins with the line that comes next.

        Args:
            pane, label: names of the pane; empty where none begins.
            line: position of that line.
            block: of the pane.
        """
        if pane and len(self._panes) < _MOST:
            self._panes.append((pane, line, block))
        for name in label if len(self._labels) < _MOST else ():
            if name in (_TAB, _CHOSEN):
                self._tabs[line] = name == _CHOSEN
            else:
                self._labels.setdefault(name, line)

    def headed(self, lines: Sequence[LineDraft], parents: Sequence[int]) -> list[LineDraft]:
        """The lines of the page with a heading over each labelled pane; as they are where fewer than two are labelled."""
        found = self._labelled(lines, parents)
        rows = self._rows(lines)
        if len(set(found.values())) < 2 and not rows:
            return list(lines)
        for row in rows:
            found |= self._of_row(row, lines, parents, found)
            for label in row if any(label in row for label in found.values()) else ():
                lines[label].region = Region.NAV
        if not found:
            return list(lines)
        level = _level_below(lines[: min(found.values())])
        heads: dict[int, LineDraft] = {}
        for (position, block), label in found.items():
            if label == position - 1:  # an accordion: each label stands over its pane
                if lines[label].kind is not LineKind.HEADING:
                    lines[label].kind, lines[label].level = LineKind.HEADING, level
            else:
                head, region = lines[label].text, lines[position].region
                heads[position] = LineDraft(head, LineKind.HEADING, level, max(block, 0), region, after_rule=True)
                lines[label].region = Region.NAV
            if block != _NO_BLOCK:
                _lower_headings(islice(lines, position, position + _LONGEST_PANE), parents, block, level)
        return [draft for at, line in enumerate(lines) for draft in ((heads[at], line) if at in heads else (line,))]

    def _labelled(self, lines: Sequence[LineDraft], parents: Sequence[int]) -> dict[tuple[int, int], int]:
        """(first line, block) of a pane -> the line before it that labels it."""
        found: dict[tuple[int, int], int] = {}
        for names, position, block in self._panes:
            label = next((self._labels[name] for name in names if name in self._labels), position)
            if not label < position < len(lines) or not _may_label(lines[label].text):
                continue
            is_empty = _PANEL in names and not _is_inside(lines[position].block, block, parents)
            if not is_empty and lines[position].text != lines[label].text:
                found[position, block] = label
        return found

    def _rows(self, lines: Sequence[LineDraft]) -> list[list[int]]:
        """Tabs that follow each other, each on a line of its own: the positions of their lines, for each row of tabs."""
        rows: list[list[int]] = []
        for line in sorted(self._tabs):
            if line < len(lines) and _may_label(lines[line].text):
                if rows and rows[-1][-1] == line - 1:
                    rows[-1].append(line)
                else:
                    rows.append([line])
        return [row for row in rows if len(row) > 1]

    def _of_row(
        self, row: Sequence[int], lines: Sequence[LineDraft], parents: Sequence[int], found: Mapping[tuple[int, int], int]
    ) -> dict[tuple[int, int], int]:
        """Panes without names: as many as tabs, in their order; else the first, or what follows, is that of the chosen tab."""
        after = row[-1] + 1
        if after >= len(lines) or any(label in row for label in found.values()):
            return {}
        end = next((line for line in sorted(self._tabs) if line > row[-1]), len(lines))
        panes = [
            (position, block)
            for names, position, block in self._panes
            if _PANEL in names and after <= position < end and _is_inside(lines[position].block, block, parents)
        ]
        if len(panes) == len(row):
            return dict(zip(panes, row, strict=True))
        chosen = [line for line in row if self._tabs[line]]
        if len(chosen) != 1 or lines[after].text == lines[chosen[0]].text:
            return {}
        return {panes[0] if panes else (after, _NO_BLOCK): chosen[0]}


def _may_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and not has_hour(text)


def _level_below(lines: Sequence[LineDraft]) -> int:
    """The level of a heading that leaves the last one of these lines in force."""
    above = next((line.level for line in reversed(lines) if line.kind is LineKind.HEADING), TITLE_LEVEL - 1)
    return min(above + 1, _DEEPEST_LEVEL)


def _lower_headings(lines: Iterable[LineDraft], parents: Sequence[int], block: int, level: int) -> None:
    """Headings inside a pane stand below its label."""
    inside: list[LineDraft] = []
    for line in lines:
        if not _is_inside(line.block, block, parents):
            break
        if line.kind is LineKind.HEADING:
            inside.append(line)
    lift = level + 1 - min((line.level for line in inside), default=level + 1)
    for line in inside if lift > 0 else ():
        line.level += lift


def _is_inside(block: int, pane: int, parents: Sequence[int]) -> bool:
    for _ in range(DEEPEST_BOX):
        if block <= pane or block >= len(parents):
            break
        block = parents[block]
    return block == pane
