"""Panes that a value chooses: a click sets `tab = 'nd'`, the pane is shown while `tab === 'nd'`.

Belongs: the names of such panes in the attributes of Alpine, Vue and AngularJS. Not here: which line heads which pane (`tabs`).
Source: Alpine (`x-on`, `x-show`), Vue (`v-on`, `v-show`, `v-if`), AngularJS (`ng-click`, `ng-show`, `ng-if`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

CLICKS: Final = (
    "@click",
    "x-on:click",
    "v-on:click",
    "ng-click",
    "@click.prevent",
    "x-on:click.prevent",
    "v-on:click.prevent",
    "onclick",
)
CONDITIONS: Final = ("x-show", "v-show", "ng-show", "x-if", "v-if", "ng-if", "v-else-if")
_LITERAL: Final = r"""(?:'([^'"]{1,60})'|"([^'"]{1,60})"|(\d{1,4}))"""
_OWNER: Final = r"(?:this\.|vm\.|\$ctrl\.)?"
_SETS: Final = re.compile(rf"\s*+{_OWNER}([A-Za-z_$][\w$.]{{0,60}})\s*+=\s*+{_LITERAL}\s*+;?+\s*+$")
_CALLS: Final = re.compile(
    rf"\s*+{_OWNER}[A-Za-z_$][\w$.]{{0,60}}\(\s*+(?:(?:event|this|\$event)\s*+,\s*+)?{_LITERAL}\s*+\)\s*+;?+\s*+$"
)
_ASKS: Final = re.compile(rf"\s*+(?:\(\s*+)?{_OWNER}([A-Za-z_$][\w$.]{{0,60}})\s*+={{2,3}}\s*+{_LITERAL}\s*+(?:\)\s*+)?$")
_ASKS_NOT: Final = re.compile(_ASKS.pattern.replace("={2,3}", "!={1,2}"))
_REST: Final = " not "
_MARK: Final = "\n"
_LONGEST: Final = 400  # characters of a condition


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
        others = _others(values[name]) if name in values else ()
        if others:
            return others
    return ()


def _others(written: str) -> tuple[str, ...]:
    """The name of the pane that is shown while none of these values is chosen: `tab !== 'nd' && tab !== 'sob'`."""
    if "!=" not in written or len(written) > _LONGEST:
        return ()
    matches = [_ASKS_NOT.match(one) for one in written.split("&&")]
    found = [(match[1], _literal(match, 2)) for match in matches if match is not None]
    if len(found) < len(matches) or len({name for name, _ in found}) > 1:
        return ()
    return (f"{_REST}{found[0][0]}={_MARK.join(value for _, value in found)}",)


def label_of_rest(pane: str, labels: Iterable[str], panes: Iterable[str]) -> str | None:
    """The only label that is left for a pane shown while nothing of another pane is chosen; None for other panes.

    >>> label_of_rest(shown_pane({"v-show": "tab !== 'nd'"})[0], [" tab=nd", " tab=pw"], [" tab=nd"])
    ' tab=pw'
    """
    if not pane.startswith(_REST):
        return None
    name, _, values = pane.removeprefix(_REST).partition("=")
    taken = {*panes, *(f" {name}={value}" for value in values.split(_MARK))}
    left = [label for label in labels if label.startswith(f" {name}=") and label not in taken]
    return left[0] if len(left) == 1 else None


def _literal(match: re.Match[str], first: int) -> str:
    return match[first] or match[first + 1] or match[first + 2]
