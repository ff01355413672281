"""Panes that a value chooses: a click sets `tab = 'nd'`, the pane is shown while `tab === 'nd'`.

Belongs: the names of such panes in the attributes of Alpine, Vue and AngularJS. Not here: which line heads which pane (`tabs`).
Source: Alpine (`x-on`, `x-show`), Vue (`v-on`, `v-show`), AngularJS (`ng-click`, `ng-show`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
CONDITIONS: Final = ("x-show", "v-show", "ng-show")
_LITERAL: Final = r"""(?:'([^'"]{1,60})'|"([^'"]{1,60})"|(\d{1,4}))"""
_OWNER: Final = r"(?:this\.|vm\.|\$ctrl\.)?"
_SETS: Final = re.compile(rf"\s*+{_OWNER}([A-Za-z_$][\w$.]{{0,60}})\s*+=\s*+{_LITERAL}\s*+;?+\s*+$")
_CALLS: Final = re.compile(
    rf"\s*+{_OWNER}[A-Za-z_$][\w$.]{{0,60}}\(\s*+(?:(?:event|this|\$event)\s*+,\s*+)?{_LITERAL}\s*+\)\s*+;?+\s*+$"
)
_ASKS: Final = re.compile(rf"\s*+(?:\(\s*+)?{_OWNER}([A-Za-z_$][\w$.]{{0,60}})\s*+={{2,3}}\s*+{_LITERAL}\s*+(?:\)\s*+)?$")


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
