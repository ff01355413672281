"""Classes of components: their fields, methods and what is set when they begin. Nothing else of a class is followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.syntax import children, text_of
from mass_pipeline.extraction.code.values import UNKNOWN, Function, Native, Scope, Value

CLASSES: Final = frozenset({"class_declaration", "class", "abstract_class_declaration"})
THIS: Final = "this"
# Methods that a framework or a browser calls before anything is shown.
_BEGINS: Final = (
    "constructor", "ngOnInit", "ngAfterViewInit", "componentWillMount", "componentDidMount", "connectedCallback", "firstUpdated",
    "created", "mounted",
)  # fmt: skip


class Values(Protocol):
    """What classes need of the evaluator."""

    def name(self, name: str, scope: Scope) -> Value: ...
    def call(self, function: Function | Native, arguments: list[Value]) -> Value: ...


def class_scope(
    values: Values, node: Node, outer: Scope, this: Value = UNKNOWN, given: Mapping[str, Value] | None = None
) -> Scope:
    """The names that the methods and the template of a class see, after it has begun.

    Args:
        values: works out what the methods do.
        node: the class.
        outer: names around it.
        this: the element of the page that it is, if it is one.
        given: what the page sets before it begins.
    """
    scope = Scope(outer)
    scope.names[THIS] = this
    members = children(node, "body")
    for member in members:
        name = member.child_by_field_name("name")
        if name is None:
            continue
        if member.type == "public_field_definition":
            value = member.child_by_field_name("value")
            scope.names[text_of(name)] = value if value is not None else UNKNOWN
        elif member.type == "method_definition":
            scope.names[text_of(name)] = Function(member, scope)
    getters = {name_of_getter: scope.names[name_of_getter] for name_of_getter in _getters(members)}
    if given is not None:
        scope.names |= given
        _work_out(values, getters, scope)
    for begin in _BEGINS:
        method = scope.names.get(begin)
        if isinstance(method, Function):
            values.call(method, [])
    _work_out(values, getters, scope)
    return scope


def _work_out(values: Values, getters: Mapping[str, object], scope: Scope) -> None:
    for name, getter in getters.items():
        if isinstance(getter, Function):
            scope.names[name] = values.call(getter, [])


def _getters(members: Sequence[Node]) -> list[str]:
    """Names of properties that are worked out when they are asked for: `get rows() {...}`."""
    found = []
    for member in members:
        name = member.child_by_field_name("name")
        if member.type == "method_definition" and name is not None and any(one.type == "get" for one in member.children):
            found.append(text_of(name))
    return found
