"""Branches and what a visitor changes: which of two values is shown when the code alone cannot tell."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from mass_pipeline.extraction.code.syntax import inner, text_of
from mass_pipeline.extraction.code.values import LONGEST_TEXT, UNKNOWN, Many, Scope, Value, is_false

STATES: Final = frozenset(
    {"useState", "ref", "shallowRef", "$state", "signal", "createSignal", "createStore", "writable", "useRef"}
)
_EQUALITIES: Final = frozenset({"==", "===", "!=", "!=="})


def short(text: str) -> Value:
    """The text, unless it grew beyond every page."""
    return text if len(text) <= LONGEST_TEXT else UNKNOWN


def either(first: Value, second: Value) -> Value:
    """Both branches where nobody knows which: markup is shown in turn, and two texts are shown as alternatives."""
    if isinstance(first, str) and isinstance(second, str) and first.strip() and second.strip():
        return f"{first} lub {second}"
    if is_false(first) or is_false(second):
        return second if is_false(first) else first
    return Many((first, second))


def is_changing(node: Node, scope: Scope) -> bool:
    """Whether an expression is the bare name of something that a visitor changes, or asks what it is equal to."""
    if node.type == "member_expression" and text_of(node).startswith("this."):
        return True
    if node.type == "parenthesized_expression":
        return any(is_changing(one, scope) for one in inner(node))
    if node.type == "binary_expression" and text_of(node.child_by_field_name("operator") or node) in _EQUALITIES:
        return any(is_changing(side, scope) for side in inner(node))
    if node.type != "identifier":
        return False
    holder = scope.holder(text_of(node))
    return holder is not None and text_of(node) in holder.changing


def is_state(value: Node | None) -> bool:
    """Whether an expression makes something that a visitor changes: `useState(...)`, `ref(...)`."""
    if value is None or value.type != "call_expression":
        return False
    function = value.child_by_field_name("function")
    return function is not None and text_of(function).rpartition(".")[2] in STATES
