"""What a visitor chooses by a click, and what is shown while it is chosen, as attributes that `chosen_panes` knows.

`<button onClick={() => setTab("nd")}>` and `{tab === "nd" && <div>...</div>}`; the same of Vue and Svelte.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.branches import is_changing
from mass_pipeline.extraction.code.syntax import children, inner, text_of
from mass_pipeline.extraction.code.values import UNKNOWN, Markup, Scope, Value

CLICKS: Final = ("onClick", "on:click", "onclick", "ng-click")
_SETTER: Final = re.compile(r"set([A-Z])(\w*)$")
_PART: Final = re.compile(r"\s*<(?:t[rdh]|tbody|thead|li|d[td]|option)\b")  # what can stand in no box of its own
_EQUAL: Final = frozenset({"==", "==="})


class Values(Protocol):
    """What choices need of the evaluator."""

    def value(self, node: Node | None, scope: Scope) -> Value: ...


def pane(values: Values, condition: Node | None, shown: Value, scope: Scope) -> Value:
    """Markup that is shown while something is chosen, in a box that names it; anything else as it is."""
    if not isinstance(shown, Markup) or not shown.text or _PART.match(shown.text):
        return shown
    names = choice_of(values, condition, scope)
    return Markup(f'<div x-show="{escape(" === ".join(names))}">{shown.text}</div>') if names else shown


def other_pane(values: Values, condition: Node | None, other: Node | None, shown: Value, scope: Scope) -> Value:
    """The same of the branch that is shown while something else is chosen; `other` is its expression."""
    while other is not None and other.type == "parenthesized_expression":
        other = next(iter(inner(other)), None)
    if other is None or other.type == "ternary_expression" or not isinstance(shown, Markup) or _PART.match(shown.text):
        return shown
    names = choice_of(values, condition, scope)
    return Markup(f'<div x-show="{escape(" !== ".join(names))}">{shown.text}</div>') if names and shown.text else shown


def choice_of(values: Values, condition: Node | None, scope: Scope) -> tuple[str, ...]:
    """Name and value (in quotation marks) of a condition like `tab === "nd"`, empty for any other."""
    while condition is not None and condition.type == "parenthesized_expression":
        condition = next(iter(inner(condition)), None)
    if condition is None or condition.type != "binary_expression":
        return ()
    sign = condition.child_by_field_name("operator")
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    if sign is None or sign.type not in _EQUAL or left is None or not is_changing(left, scope):
        return ()
    value = values.value(right, scope)
    name = _last(text_of(left))
    return (name, _quoted(value)) if isinstance(value, str) and name.isidentifier() else ()


def click(values: Values, handler: Node | None, scope: Scope) -> str:
    """The attribute that tells what a click chooses; "" where it chooses nothing that can be known.

    Args:
        values: works out what is chosen.
        handler: a function or a statement.
        scope: names around it.
    """
    body = handler.child_by_field_name("body") if handler is not None and handler.type == "arrow_function" else handler
    for _ in range(3):  # `{ setTab("nd"); }`
        if body is not None and body.type in ("statement_block", "expression_statement", "parenthesized_expression"):
            body = inner(body)[0] if len(inner(body)) == 1 else None
    if body is None:
        return ""
    if body.type == "assignment_expression":
        target = body.child_by_field_name("left")
        name = _last(text_of(target).removesuffix(".value")) if target is not None else ""
        return _written(name, values.value(body.child_by_field_name("right"), scope))
    function, given = body.child_by_field_name("function"), children(body, "arguments")
    if body.type != "call_expression" or function is None or len(given) != 1:
        return ""
    value, name = values.value(given[0], scope), _last(text_of(function))
    setter = _SETTER.match(name)
    if setter is not None:
        return _written(setter[1].lower() + setter[2], value)
    return f' @click="{escape(f"{name}({_quoted(value)})")}"' if isinstance(value, str) and name.isidentifier() else ""


def _written(name: str, value: Value) -> str:
    if value is UNKNOWN or not isinstance(value, str) or not name.isidentifier():
        return ""
    return f' @click="{escape(f"{name} = {_quoted(value)}")}"'


def _last(name: str) -> str:
    return name.removeprefix("this.").removeprefix("vm.")


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "").replace('"', "")[:60] + "'"
