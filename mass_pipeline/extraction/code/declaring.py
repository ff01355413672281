"""Names that statements declare, import or take apart, and what they are filled with later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.branches import is_state
from mass_pipeline.extraction.code.classes import class_value
from mass_pipeline.extraction.code.exports import imports_of, source_of
from mass_pipeline.extraction.code.methods import member
from mass_pipeline.extraction.code.syntax import inner, text_of
from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Function, Imported, Native, Scope, Value, number


class Files(Protocol):
    """Where an import leads."""

    def file_of(self, origin: str, specifier: str) -> str | None: ...


class Working(Protocol):
    """What declarations need of the evaluator."""

    @property
    def outside(self) -> Files: ...
    def value(self, node: Node | None, scope: Scope) -> Value: ...
    def name(self, name: str, scope: Scope) -> Value: ...
    def call(self, function: Function | Native, arguments: list[Value]) -> Value: ...


def declare(values: Working, statements: Sequence[Node], scope: Scope) -> None:
    """Take up the names that statements declare or import; their values are worked out when asked for."""
    for statement in statements:
        node: Node | None = statement
        if statement.type == "export_statement":
            node = statement.child_by_field_name("declaration")
        elif statement.type == "import_statement":
            _import(values, statement, scope)
            continue
        if node is None:
            continue
        if node.type in ("function_declaration", "class_declaration", "generator_function_declaration"):
            name = node.child_by_field_name("name")
            if name is not None:
                is_class = node.type == "class_declaration"
                scope.names[text_of(name)] = class_value(values, node, scope) if is_class else Function(node, scope)
        elif node.type == "enum_declaration":
            _declare_enum(values, node, scope)
        elif node.type in ("lexical_declaration", "variable_declaration"):
            is_let = text_of(node)[:5] != "const"
            for declarator in inner(node):
                _declare_one(values, declarator, scope, is_let)


def _declare_enum(values: Working, node: Node, scope: Scope) -> None:
    """`enum Day { Sunday = "Niedziela" }` of TypeScript; members without a value are counted."""
    members: dict[str, Value] = {}
    for place, one in enumerate(inner(node.child_by_field_name("body") or node)):
        name = one.child_by_field_name("name") or one
        members[text_of(name).strip("'\"")] = (
            values.value(one.child_by_field_name("value"), scope) if name is not one else number(place)
        )
    scope.names[text_of(node.child_by_field_name("name") or node)] = members


def _declare_one(values: Working, declarator: Node, scope: Scope, is_let: bool) -> None:
    target, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    if target is None:
        return
    changes = is_let or is_state(value)
    if target.type == "identifier":
        scope.names[text_of(target)] = value if value is not None else UNKNOWN
        if changes:
            scope.changing.add(text_of(target))
    else:
        if changes:
            scope.changing.update(text_of(one) for one in inner(target))
        found = values.value(value, scope)
        is_pair = target.type == "array_pattern" and is_state(value)
        bind(values, target, [found, _setter(target, scope)] if is_pair else found, scope)


def bind(values: Working, target: Node, value: Value, scope: Scope) -> None:
    """Give the names of a pattern their parts of a value."""
    kind = target.type
    if kind in ("required_parameter", "optional_parameter"):
        default = target.child_by_field_name("value")
        pattern = target.child_by_field_name("pattern")
        if pattern is not None:
            bind(values, pattern, values.value(default, scope) if value is UNKNOWN and default is not None else value, scope)
    elif kind in ("identifier", "shorthand_property_identifier_pattern"):
        scope.names[text_of(target)] = value
    elif kind == "array_pattern":
        for number, part in enumerate(inner(target)):
            bind(values, part, member(value, str(number)), scope)
    elif kind == "object_pattern":
        for part in inner(target):
            _bind_property(values, part, value, scope)


def _bind_property(values: Working, part: Node, value: Value, scope: Scope) -> None:
    if part.type == "shorthand_property_identifier_pattern":
        bind(values, part, member(value, text_of(part)), scope)
    elif part.type == "pair_pattern":
        key, target = part.child_by_field_name("key"), part.child_by_field_name("value")
        if key is not None and target is not None:
            bind(values, target, member(value, text_of(key)), scope)
    elif part.type == "object_assignment_pattern":
        left, default = part.child_by_field_name("left"), part.child_by_field_name("right")
        if left is not None:
            found = member(value, text_of(left))
            missing = found is UNKNOWN or found is NOTHING
            bind(values, left, values.value(default, scope) if missing else found, scope)


def _import(values: Working, statement: Node, scope: Scope) -> None:
    """Names of other files of the site; those of packages stay unknown."""
    file = values.outside.file_of(scope.whole_file().file, source_of(statement) or "")
    if file is not None:
        for here, there in imports_of(statement):
            scope.names[here] = Imported(file, there)


def _setter(target: Node, scope: Scope) -> Value:
    """`setRows(rows)` of `const [rows, setRows] = useState([])`."""
    name = text_of(next(iter(inner(target)), target))

    def store(arguments: list[Value]) -> Value:
        fill(scope, name, arguments[0] if arguments else UNKNOWN)
        return NOTHING

    return Native(store)


def fill(scope: Scope, name: str, value: Value) -> None:
    """Give a name that holds nothing yet what is fetched for it; what it shows at first is left to it."""
    before = scope.names.get(name, UNKNOWN)
    is_empty = before in (UNKNOWN, NOTHING, [], {}, "")
    if is_empty and isinstance(value, (str, list, dict)):
        scope.names[name] = value
