"""Classes: their fields, methods and what is set when they begin. Nothing else of a class is followed.

A class with `render` is a component; an object of any other one has its fields and methods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.syntax import children, text_of
from mass_pipeline.extraction.code.values import UNKNOWN, Function, Native, Scope, Value

CLASSES: Final = frozenset({"class_declaration", "class", "abstract_class_declaration"})
THIS: Final = "this"
_MOST_MEMBERS: Final = 200  # of one object
# Methods that a framework or a browser calls before anything is shown.
_BEGINS: Final = (
    "constructor", "ngOnInit", "ngAfterViewInit", "componentWillMount", "componentDidMount", "connectedCallback", "firstUpdated",
    "created", "mounted",
)  # fmt: skip


class Values(Protocol):
    """What classes need of the evaluator."""

    def name(self, name: str, scope: Scope) -> Value: ...
    def call(self, function: Function | Native, arguments: list[Value]) -> Value: ...


def class_value(values: Values, node: Node, outer: Scope) -> Native:
    """A class by its name: what its component shows with the properties given, or an object of it.

    Args:
        values: works out what the methods do.
        node: the class.
        outer: names around it.
    """
    open_now: list[Node] = []  # a class that makes an object of itself has no end

    def made(arguments: list[Value]) -> Value:
        if open_now:
            return UNKNOWN
        open_now.append(node)
        try:
            scope = class_scope(values, node, outer, given={"props": arguments[0]} if arguments else None)
            render = scope.names.get("render")
            if isinstance(render, Function):
                return values.call(render, [])
            return {name: values.name(name, scope) for name in list(scope.names)[:_MOST_MEMBERS] if name != THIS}
        finally:
            open_now.pop()

    return Native(made)


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
    _begin(values, scope)
    _work_out(values, getters, scope)
    return scope


def _begin(values: Values, scope: Scope) -> None:
    """Follow what a class does before anything of it is shown."""
    for begin in _BEGINS:
        method = scope.names.get(begin)
        if isinstance(method, Function):
            values.call(method, _taken(values, method, scope) if begin == "constructor" else [])


def _taken(values: Values, constructor: Function, scope: Scope) -> list[Value]:
    """What a constructor is called with: properties, or objects of the classes it names (`private masses: MassService`)."""
    taken: list[Value] = []
    for parameter in children(constructor.node, "parameters"):
        pattern, annotation = parameter.child_by_field_name("pattern"), parameter.child_by_field_name("type")
        service = values.name(text_of(annotation).lstrip(": "), scope) if annotation is not None else UNKNOWN
        given = values.call(service, []) if isinstance(service, Native) else UNKNOWN
        if pattern is not None and any(one.type in ("accessibility_modifier", "readonly") for one in parameter.children):
            scope.names[text_of(pattern)] = given
        taken.append(given)
    if "props" in scope.names:
        taken[:1] = [values.name("props", scope)]
    return taken


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
