"""What scripts and data inside a page would put into it: JSON of its state, markup that they set, rows of constants.

Looked at only where the page itself shows no hours near words for Masses: state repeats what is shown, and holds versions that
are not. Scripts without hours are never parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.rows import is_technical, json_markup, rows_of
from mass_pipeline.extraction.code.running import set_markup
from mass_pipeline.extraction.code.showing import Shower
from mass_pipeline.extraction.code.site_files import SiteFiles
from mass_pipeline.extraction.code.syntax import LONGEST_CODE, inner, text_of
from mass_pipeline.extraction.code.values import Scope, Value, joined
from mass_pipeline.extraction.code.view import View
from mass_pipeline.extraction.wording import has_hour
from mass_pipeline.language.day_words import SUNDAY
from mass_pipeline.model.document import Region

_WORSHIP: Final = re.compile(rf"(?i)\bmsz|{SUNDAY}|powszedn|eucharyst|\bmass|sunday")
_NEAR: Final = 5  # lines above an hour in which its words stand
_MOST_SCRIPTS: Final = 12  # of one page that are looked at
_MOST_VALUES: Final = 20_000  # of one state that are looked at
_NAME: Final = "page.js"  # of all scripts of a page together
_OWNERS: Final = ("window", "self", "globalThis")


class ShownLine(Protocol):
    """A line of a page."""

    @property
    def text(self) -> str: ...
    @property
    def region(self) -> Region: ...


def shows_masses(lines: Sequence[ShownLine]) -> bool:
    """Whether a page shows hours near words for Masses or their days."""
    words = -_NEAR - 1
    for number, line in enumerate(lines):
        if line.region is not Region.NAV and _WORSHIP.search(line.text):
            words = number
        if number - words <= _NEAR and has_hour(line.text):
            return True
    return False


def scripts_markup(scripts: Sequence[tuple[str, str]]) -> str:
    """Markup of what the scripts of a page hold.

    Args:
        scripts: their attributes and texts, in order.
    """
    code = "\n;\n".join(text for kind, text in scripts[:_MOST_SCRIPTS] if "json" not in kind.lower())
    data = [json_markup(text) for kind, text in scripts[:_MOST_SCRIPTS] if "json" in kind.lower()]
    return joined([f"<section>{one}</section>" for one in (*data, *_script_parts(code)) if has_hour(one)])


def tabs_markup(scripts: Sequence[tuple[str, str]], closed: Mapping[str, Sequence[str]]) -> str:
    """Markup of what closed tabs would show: the rows of the state that are called as the tabs are.

    Args:
        scripts: their attributes and texts, in order.
        closed: labels of the tabs, by the heading over them.
    """
    states = [state for kind, text in scripts[:_MOST_SCRIPTS] if has_hour(text) for state in _held_states(kind, text)]
    pieces = []
    for heading, labels in closed.items():
        panes = [joined([next((one for state in states if (one := _pane(state, label))), "") for label in labels])]
        pieces += [f"<section><h1>{escape(heading, quote=False)}</h1>{pane}</section>" for pane in panes if has_hour(pane)]
    return joined(pieces)


def _held_states(kind: str, text: str) -> Iterator[Value]:
    if "json" in kind.lower():
        with suppress(ValueError, RecursionError):
            yield json.loads(text[:LONGEST_CODE])
        return
    view = View(SiteFiles({_NAME: text}))
    shower, (scope, root) = view.shower, view.module(_NAME)
    statements = inner(root)
    yield from (value for _, value in _assigned_states(shower, statements, scope))


def _pane(state: Value, label: str) -> str:
    """The object of the state in which the label is a text, or what stands under the label as a name; "" without one."""
    wanted, pending = " ".join(label.split()).casefold(), [state]
    for _ in range(_MOST_VALUES):
        if not pending:
            break
        value = pending.pop()
        if isinstance(value, dict):
            if any(isinstance(one, str) and " ".join(one.split()).casefold() == wanted for one in value.values()):
                return rows_of(value)
            pending.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            pending.extend(reversed(value))
    return ""


def _script_parts(code: str) -> Iterator[str]:
    if not code:
        return
    view = View(SiteFiles({_NAME: code}))
    shower = view.shower
    scope, root = view.module(_NAME)
    statements = inner(root)
    found = joined([*_states(shower, statements, scope), *set_markup(shower, root, scope)])
    yield found if has_hour(found) else View(view.site).markup(_NAME)


def _states(shower: Shower, statements: Sequence[Node], scope: Scope) -> Iterator[str]:
    for name, value in _assigned_states(shower, statements, scope):
        yield shower.rows.block(value, name) if isinstance(value, (dict, list)) else ""


def _assigned_states(shower: Shower, statements: Sequence[Node], scope: Scope) -> Iterator[tuple[str, Value]]:
    """Objects that a script hands to the whole page: `window.__NUXT__ = {...}`."""
    for statement in statements:
        node = next(iter(inner(statement)), None) if statement.type == "expression_statement" else None
        left = node.child_by_field_name("left") if node is not None and node.type == "assignment_expression" else None
        if node is None or left is None or left.type != "member_expression":
            continue
        owner, _, name = text_of(left).rpartition(".")
        if owner in _OWNERS and not is_technical(name):
            yield name, shower.evaluator.value(node.child_by_field_name("right"), scope)
