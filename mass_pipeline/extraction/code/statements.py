"""Statements of a function: branches, loops over known lists, what is added to lists and texts, what is returned.

A condition that the code does not tell leaves both branches open: what both return is returned, and a name that one of them sets
has either value. Loops end after a number of rounds, and every expression counts as a step of the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.arithmetic import added, of_two
from mass_pipeline.extraction.code.branches import either, short
from mass_pipeline.extraction.code.classes import THIS
from mass_pipeline.extraction.code.declaring import fill
from mass_pipeline.extraction.code.dom import FILLED, set_property
from mass_pipeline.extraction.code.months import chosen, negated, opposite, replaced, within
from mass_pipeline.extraction.code.syntax import children, inner, text_of
from mass_pipeline.extraction.code.values import (
    NOTHING,
    UNKNOWN,
    Element,
    Markup,
    Months,
    Number,
    Scope,
    Value,
    is_false,
    is_true,
    number,
)

_MOST_ROUNDS: Final = 500  # of one loop
_JUMPS: Final = {"break_statement": "break", "continue_statement": "continue"}
_PASSED: Final = frozenset({"try_statement", "labeled_statement"})
_ASSIGNS: Final = frozenset({"assignment_expression", "augmented_assignment_expression", "update_expression"})
_SHORT_CUTS: Final = {"||=": is_false, "??=": lambda value: value is NOTHING, "&&=": is_true}


class Values(Protocol):
    """What statements need of the evaluator."""

    during: Months | None  # in which the statements that are being followed are reached

    def value(self, node: Node | None, scope: Scope) -> Value: ...
    def name(self, name: str, scope: Scope) -> Value: ...
    def declare(self, statements: Sequence[Node], scope: Scope) -> None: ...
    def bind(self, target: Node, value: Value, scope: Scope) -> None: ...


@dataclass(slots=True)
class _Outcome:
    """What statements returned so far, and in which months; `ended` tells how they ended once nothing after them is reached."""

    returned: list[tuple[Value, Months | None]] = field(default_factory=list)
    ended: str = ""


def run(values: Values, statements: Sequence[Node], scope: Scope) -> Value:
    """What a function with these statements returns, `NOTHING` when it returns nothing."""
    outcome = _Outcome()
    values.declare(statements, scope)
    _all(values, statements, scope, outcome, sure=True)
    found = [value for value, _ in outcome.returned]
    if len(found) < 2:
        return found[0] if found else NOTHING
    months = outcome.returned[0][1]
    if months is not None and len(found) == 2 and outcome.returned[1][1] in (None, opposite(months)):
        return chosen(months, *found)
    shown = [one for one in found if isinstance(one, Markup)]
    return Markup("".join(one.text for one in shown)) if shown else UNKNOWN


def _all(values: Values, statements: Iterable[Node], scope: Scope, outcome: _Outcome, *, sure: bool) -> None:
    for statement in statements:
        if outcome.ended:
            return
        _one(values, statement, scope, outcome, sure=sure)


def _one(values: Values, node: Node, scope: Scope, outcome: _Outcome, *, sure: bool) -> None:
    kind = node.type
    if kind == "return_statement":
        value = values.value(next(iter(inner(node)), None), scope) if inner(node) else NOTHING
        outcome.returned.append((value, values.during))
        outcome.ended = "return" if sure else ""
    elif kind in _JUMPS:
        outcome.ended = _JUMPS[kind] if sure else ""
    elif kind == "statement_block":
        values.declare(inner(node), scope)
        _all(values, inner(node), scope, outcome, sure=sure)
    elif kind == "if_statement":
        _branch(values, node, scope, outcome, sure=sure)
    elif kind in ("for_in_statement", "for_statement"):
        _loop(values, node, scope, outcome, sure=sure)
    elif kind == "switch_statement":
        _switch(values, node, scope, outcome, sure=sure)
    elif kind in _PASSED:
        body = node.child_by_field_name("body")
        _all(values, [body] if body is not None else [], scope, outcome, sure=sure)
    elif kind == "expression_statement":
        for one in inner(node)[:1]:
            _effect(values, one, scope, sure=sure)


def _branch(values: Values, node: Node, scope: Scope, outcome: _Outcome, *, sure: bool) -> None:
    verdict = values.value(node.child_by_field_name("condition"), scope)
    first, second = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    otherwise = inner(second) if second is not None else []
    if is_true(verdict) or is_false(verdict):
        taken = [first] if is_true(verdict) and first is not None else [] if is_true(verdict) else otherwise
        _all(values, taken, scope, outcome, sure=sure)
        return
    before = values.during
    for taken, months in (([first] if first is not None else [], verdict), (otherwise, negated(verdict))):
        values.during = within(before, months)
        _all(values, taken, scope, outcome, sure=False)
    values.during = before


def _loop(values: Values, node: Node, scope: Scope, outcome: _Outcome, *, sure: bool) -> None:
    body = node.child_by_field_name("body")
    rounds = _items(values, node, scope) if node.type == "for_in_statement" else _counted(values, node, scope)
    for inside in rounds:
        _all(values, [body] if body is not None else [], inside, outcome, sure=sure)
        if outcome.ended == "return":
            return
        is_left, outcome.ended = outcome.ended == "break", ""
        if is_left:
            return


def _items(values: Values, node: Node, scope: Scope) -> Iterable[Scope]:
    """A scope for each round of `for (const x of list)` or `for (const key in object)`."""
    found, left = values.value(node.child_by_field_name("right"), scope), node.child_by_field_name("left")
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "in" and isinstance(found, (dict, list)):
        found = list(found) if isinstance(found, dict) else [number(place) for place in range(len(found))]
    for item in found[:_MOST_ROUNDS] if isinstance(found, list) else []:
        inside = Scope(scope)
        if left is not None:
            values.bind(left, item, inside)
        yield inside


def _counted(values: Values, node: Node, scope: Scope) -> Iterable[Scope]:
    """A scope for each round of `for (let i = 0; i < n; i++)`."""
    counter, start = Scope(scope), node.child_by_field_name("initializer")
    if start is not None:
        values.declare([start], counter)
        counter.changing.clear()  # what counts is changed by the loop alone
    for _ in range(_MOST_ROUNDS):
        if not is_true(values.value(_bare(node.child_by_field_name("condition")), counter)):
            return
        yield Scope(counter)
        step = node.child_by_field_name("increment")
        if step is not None:
            _effect(values, step, counter, sure=True)


def _bare(node: Node | None) -> Node | None:
    return next(iter(inner(node)), None) if node is not None and node.type == "expression_statement" else node


def _switch(values: Values, node: Node, scope: Scope, outcome: _Outcome, *, sure: bool) -> None:
    value, is_met = values.value(node.child_by_field_name("value"), scope), False
    for case in children(node, "body"):
        wanted = case.child_by_field_name("value")
        verdict = of_two("===", value, values.value(wanted, scope)) if wanted is not None else True
        if is_met or not is_false(verdict):
            is_met = is_met or is_true(verdict)
            _all(values, [one for one in inner(case) if one != wanted], scope, outcome, sure=sure and is_met)
        if outcome.ended:
            break
    outcome.ended = "" if outcome.ended == "break" else outcome.ended


def _effect(values: Values, node: Node, scope: Scope, *, sure: bool) -> None:
    if node.type in _ASSIGNS:
        assign(values, node, scope, sure=sure)
    elif node.type == "call_expression":
        if not _add(values, node, scope) and (sure or values.during is not None):
            values.value(node, scope)  # `forEach`: its function has effects of its own
    elif node.type in ("await_expression", "parenthesized_expression") and inner(node):
        _effect(values, inner(node)[0], scope, sure=sure)


def _add(values: Values, call: Node, scope: Scope) -> bool:
    """`list.push(x)`, `set.add(x)`, `map.set(key, x)`; False for other calls."""
    function, arguments = call.child_by_field_name("function"), children(call, "arguments")
    method = text_of(function).rpartition(".")[2] if function is not None else ""
    if function is None or function.type != "member_expression" or method not in ("push", "add", "set", "unshift"):
        return False
    owner, given = values.value(function.child_by_field_name("object"), scope), [values.value(one, scope) for one in arguments]
    if isinstance(owner, Element):
        return False
    if values.during is not None:
        given = [chosen(values.during, one, NOTHING) for one in given]
    if isinstance(owner, list) and method != "set":
        if method == "unshift":
            owner[:0] = given
        elif method == "push" or not isinstance(given[0] if given else UNKNOWN, str) or given[0] not in owner:
            owner.extend(given)
    elif isinstance(owner, dict) and method == "set" and len(given) > 1 and isinstance(given[0], str):
        owner[given[0]] = given[1]
    return True


def assign(values: Values, node: Node, scope: Scope, *, sure: bool = True) -> Value:
    """Carry out `x = y`, `x += y`, `x ||= y`, `x++`; the value that was set.

    Names of the file itself are only filled: a function that is worked out twice would change them twice.
    """
    left = node.child_by_field_name("left") or node.child_by_field_name("argument")
    if left is None:
        return UNKNOWN
    is_kept = not sure or values.during is not None or node.type != "assignment_expression"
    before = values.value(left, scope) if is_kept else UNKNOWN
    after = _assigned(values, node, before, scope)
    if values.during is not None and node.type == "assignment_expression":
        after = replaced(values.during, before, after)
    elif not sure and (values.during is None or node.type == "update_expression"):
        after = either(before, after)
    _store(values, left, after, scope)
    return after


def _assigned(values: Values, node: Node, before: Value, scope: Scope) -> Value:
    if node.type == "update_expression":
        return added(before, Number("1")) if "++" in text_of(node) else of_two("-", before, "1")
    right, operator = node.child_by_field_name("right"), node.child_by_field_name("operator")
    sign = operator.type if operator is not None else "="
    if sign in _SHORT_CUTS:
        return values.value(right, scope) if _SHORT_CUTS[sign](before) else before
    value = values.value(right, scope)
    if sign == "=":
        return value
    if values.during is not None:
        value = chosen(values.during, value, NOTHING)
    found = added(before, value) if sign == "+=" else of_two(sign[:-1], before, value)
    return short(found) if isinstance(found, str) else found


def _store(values: Values, left: Node, value: Value, scope: Scope) -> None:
    if left.type == "identifier":
        holder = scope.holder(text_of(left))
        if holder is not None and holder.outer is not None:
            holder.names[text_of(left)] = value
        elif holder is not None:
            _fill(values, text_of(left), value, holder)
        return
    if left.type not in ("member_expression", "subscript_expression"):
        return
    owner_name, _, last = text_of(left).rpartition(".")
    if owner_name == "this":
        holder = scope.holder(THIS)
        this = holder.names[THIS] if holder is not None else UNKNOWN
        if isinstance(this, Element) and last in FILLED:
            set_property(this, last, value)
        else:
            _fill(values, last, value, holder or scope.whole_file())
        return
    if last == "value" and (holder := scope.holder(owner_name)) is not None:  # of a `ref` of Vue
        _fill(values, owner_name, value, holder)
        return
    owner, index = values.value(left.child_by_field_name("object"), scope), left.child_by_field_name("index")
    key = values.value(index, scope) if index is not None else text_of(left).rpartition(".")[2].strip()
    if isinstance(owner, dict) and isinstance(key, str):
        owner[key] = value
    elif isinstance(owner, Element) and isinstance(key, str):
        set_property(owner, key, value)


def _fill(values: Values, name: str, value: Value, holder: Scope) -> None:
    """What is fetched for a name that the file leaves empty; a value that it shows at first is kept."""
    values.name(name, holder)  # a value not yet asked for is worked out
    fill(holder, name, value)


def run_at_start(values: Values, statements: Sequence[Node], scope: Scope) -> None:
    """Carry out what a component does when it is first shown: `onMounted(...)`, `fetch(...).then(...)`, `load()`."""
    for statement in statements:
        for one in inner(statement)[:1] if statement.type == "expression_statement" else []:
            _effect(values, one, scope, sure=True)
