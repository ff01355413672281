"""Operators and conditions of expressions: which side is taken, and what two known sides give.

A condition about the present month leaves both sides with their months (`months`); any other that
the code does not tell leaves both.
"""

from __future__ import annotations

from typing import Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.arithmetic import added, of_two, parsed_number
from mass_pipeline.extraction.code.branches import either, is_changing, short
from mass_pipeline.extraction.code.choices import other_pane, pane
from mass_pipeline.extraction.code.months import chosen, combined, compared, opposite
from mass_pipeline.extraction.code.syntax import text_of
from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Month, Months, Scope, Value, is_false, is_true


class Values(Protocol):
    """What operators need of the evaluator."""

    def value(self, node: Node | None, scope: Scope) -> Value: ...


def binary(values: Values, node: Node, scope: Scope) -> Value:
    """The value of `a + b`, `a && b`, `a < b` and their like."""
    operator = node.child_by_field_name("operator")
    sign = operator.type if operator is not None else ""
    if sign == "+":
        return _sum(values, node, scope)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign == "&&":
        value = steady(values, left, scope)  # what a click opens is seen
        if is_false(value):
            return NOTHING
        return _both(value, pane(values, left, values.value(right, scope), scope))
    if sign in ("||", "??"):
        value = values.value(left, scope)
        if isinstance(value, Months):
            return combined("||", value, values.value(right, scope))
        return value if is_true(value) or (value is UNKNOWN and left is None) else values.value(right, scope)
    first, second = steady(values, left, scope), steady(values, right, scope)
    known = compared(sign, first, second)
    return of_two(sign, first, second) if known is UNKNOWN else known


def steady(values: Values, node: Node | None, scope: Scope) -> Value:
    """The value of an expression; unknown where a visitor changes it. Nobody changes the month."""
    value = values.value(node, scope)
    if isinstance(value, (Month, Months)):
        return value
    return UNKNOWN if node is None or is_changing(node, scope) else value


def _both(first: Value, second: Value) -> Value:
    """`first && second`, where the first is not false."""
    if isinstance(first, Months):
        return combined("&&", first, second)
    return UNKNOWN if isinstance(second, Months) and not is_true(first) else second


def _sum(values: Values, node: Node, scope: Scope) -> Value:
    """Texts put together; long chains are no deeper than short ones."""
    parts: list[Node | None] = []
    current: Node | None = node
    while current is not None and current.type == "binary_expression":
        operator = current.child_by_field_name("operator")
        if operator is None or operator.type != "+":
            break
        parts.append(current.child_by_field_name("right"))
        current = current.child_by_field_name("left")
    parts.append(current)
    found = values.value(parts.pop(), scope)
    while parts and found is not UNKNOWN:
        value = values.value(parts.pop(), scope)
        found = compared("+", found, value) if isinstance(found, Month) else added(found, value)
        found = short(found) if isinstance(found, str) else found
    return found


def ternary(values: Values, node: Node, scope: Scope) -> Value:
    """The value of `a ? b : c`."""
    verdict = steady(values, node.child_by_field_name("condition"), scope)
    first, second = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if is_true(verdict):
        return values.value(first, scope)
    if is_false(verdict):
        return values.value(second, scope)
    one, other = values.value(first, scope), values.value(second, scope)
    asked = node.child_by_field_name("condition")
    one = pane(values, asked, one, scope)
    other = other_pane(values, asked, node.child_by_field_name("alternative"), other, scope)
    told = chosen(verdict, one, other) if isinstance(verdict, Months) else UNKNOWN
    return either(one, other) if told is UNKNOWN else told


def unary(values: Values, node: Node, scope: Scope) -> Value:
    """The value of `!a`, `-a`, `+a`."""
    argument, sign = node.child_by_field_name("argument"), text_of(node)[:1]
    if sign not in "!-+" or argument is None:
        return UNKNOWN
    value = steady(values, argument, scope)
    if sign != "!":
        return of_two("-", "0", value) if sign == "-" else parsed_number(value)
    if isinstance(value, Months):
        return opposite(value)
    return is_false(value) if is_false(value) or is_true(value) else UNKNOWN
