"""Values of expressions, as far as the code itself tells them. Nothing is executed: an unknown name makes an unknown value.

Belongs: literals, names, loops over literals, functions written in the same file. Not here: what a value looks like on the page
(`showing`), which parts of a file are shown (`modules`). Every expression counts as a step; beyond the limits all is unknown, so
the time is bounded whatever the code says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.branches import STATES, is_changing, short
from mass_pipeline.extraction.code.declaring import bind, declare
from mass_pipeline.extraction.code.dom import JQUERY, Page
from mass_pipeline.extraction.code.library import FUNCTIONS_OF_THE_LANGUAGE, told_by_library
from mass_pipeline.extraction.code.methods import call_method, element, member
from mass_pipeline.extraction.code.months import included, of_today
from mass_pipeline.extraction.code.operators import binary, ternary, unary
from mass_pipeline.extraction.code.statements import assign, run
from mass_pipeline.extraction.code.syntax import children, inner, text_of, unescape_string
from mass_pipeline.extraction.code.tagged import STYLED, html_markup, styled_element
from mass_pipeline.extraction.code.values import (
    NOTHING,
    UNKNOWN,
    Element,
    Function,
    Imported,
    Many,
    Markup,
    Month,
    Months,
    Native,
    Number,
    Pattern,
    Scope,
    Today,
    Value,
    as_number,
    is_false,
)

_MOST_STEPS: Final = 60_000  # expressions of one page; the longest of thirty written ones takes 160
_DEEPEST: Final = 60  # expressions within each other, called functions included
_WRAPPERS: Final = frozenset(
    ["as_expression", "satisfies_expression", "non_null_expression", "parenthesized_expression", "await_expression"]
)
_HOLDERS: Final = STATES | frozenset(
    "reactive computed useMemo toRefs readable derived $derived defineComponent defineConfig memo forwardRef observer markRaw "  # noqa: SIM905
    "readonly useCallback cache lazy dynamic defineAsyncComponent".split()
)
_LATE: Final = frozenset({"lazy", "dynamic", "defineAsyncComponent"})  # components that are loaded when they are shown
_CREATE: Final = frozenset({"createElement", "h", "jsx", "jsxs", "_jsx", "_jsxs", "createVNode", "_createElementVNode"})


class Outside(Protocol):
    """What lies outside of the file that is worked out."""

    def file_of(self, origin: str, specifier: str) -> str | None:
        """The file that an import in another one means."""

    def imported(self, what: Imported) -> Value:
        """What a file gives by a name."""

    def known(self, name: str, scope: Scope) -> Value:
        """What frameworks give by a name that the file does not have."""

    def template(self, origin: str, address: str) -> str | None:
        """The text of a template that a file names."""

    def component(self, name: str) -> Value:
        """A component that frameworks find by its name alone."""


FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "function_declaration", "method_definition", "generator_function_declaration"}
)


class Evaluator:
    """Evaluates one file.

    Args:
        show: turns a JSX element into markup.
        create: the same for a call that creates an element (tag, properties, children).
        outside: the other files of the site and what frameworks give.
    """

    def __init__(
        self, show: Callable[[Node, Scope], Markup], create: Callable[[Sequence[Value]], Markup], outside: Outside
    ) -> None:
        self._show = show
        self._create = create
        self.outside = outside
        self._steps = 0
        self._depth = 0
        self.looked_up: set[str] = set()
        self.during: Months | None = None
        self.start_page()

    def start_page(self) -> None:
        """Begin with an empty page, and no function called."""
        self.called: set[int] = set()  # nodes of functions
        self.page = Page(self.call)

    def value(self, node: Node | None, scope: Scope) -> Value:
        """The value of an expression."""
        self._steps += 1
        if node is None or self._steps > _MOST_STEPS or self._depth > _DEEPEST:
            return UNKNOWN
        self._depth += 1
        try:
            return self._value(node, scope)
        finally:
            self._depth -= 1

    def _value(self, node: Node, scope: Scope) -> Value:
        kind = node.type
        if kind in _WRAPPERS:
            return self.value(next(iter(inner(node)), None), scope)
        if kind in ("jsx_element", "jsx_self_closing_element", "jsx_fragment"):
            return self._show(node, scope)
        if kind in FUNCTIONS:
            return Function(node, scope)
        reader = _READERS.get(kind)
        return reader(self, node, scope) if reader is not None else UNKNOWN

    # literals -------------------------------------------------------------------------------------------------------

    def _string(self, node: Node, scope: Scope) -> Value:
        return unescape_string(text_of(node)[1:-1])

    def _number(self, node: Node, scope: Scope) -> Value:
        written = text_of(node)
        return Number(written) if as_number(written) is not None else UNKNOWN

    def _template(self, node: Node, scope: Scope) -> Value:
        pieces: list[str] = []
        for child in node.children[1:-1]:
            if child.type == "template_substitution":
                value = self.value(next(iter(inner(child)), None), scope)
                if isinstance(value, (str, Markup)):
                    pieces.append(value if isinstance(value, str) else value.text)
                elif not is_false(value):
                    return UNKNOWN
            else:
                pieces.append(unescape_string(text_of(child)))
        return short("".join(pieces))

    def _array(self, node: Node, scope: Scope) -> Value:
        found: list[Value] = []
        for child in inner(node):
            if child.type == "spread_element":
                value = self.value(next(iter(inner(child)), None), scope)
                found += value if isinstance(value, list) else []
            else:
                found.append(self.value(child, scope))
        return found

    def _object(self, node: Node, scope: Scope) -> Value:
        found: dict[str, Value] = {}
        for child in inner(node):
            if child.type == "pair":
                found[self._key(child.child_by_field_name("key"), scope)] = self.value(child.child_by_field_name("value"), scope)
            elif child.type == "shorthand_property_identifier":
                found[text_of(child)] = self.name(text_of(child), scope)
            elif child.type == "method_definition":
                found[self._key(child.child_by_field_name("name"), scope)] = Function(child, scope)
            elif child.type == "spread_element":
                value = self.value(next(iter(inner(child)), None), scope)
                found.update(value if isinstance(value, dict) else {})
        return found

    def _key(self, node: Node | None, scope: Scope) -> str:
        if node is None:
            return ""
        if node.type == "computed_property_name":
            value = self.value(next(iter(inner(node)), None), scope)
            return value if isinstance(value, str) else ""
        return unescape_string(text_of(node)[1:-1]) if node.type == "string" else text_of(node)

    # names ----------------------------------------------------------------------------------------------------------

    def name(self, name: str, scope: Scope) -> Value:
        """The value of a name."""
        if name in ("undefined", "null"):
            return NOTHING
        holder = scope.holder(name)
        if holder is None:
            if name[:1] == "$" and scope.holder(name[1:]) is not None:  # the value of a store of Svelte
                return self.name(name[1:], scope)
            return FUNCTIONS_OF_THE_LANGUAGE.get(name) or self.page.names.get(name) or self.outside.known(name, scope)
        if holder.outer is None:
            self.looked_up.add(name)
        value = holder.names[name]
        if isinstance(value, Node):
            holder.names[name] = UNKNOWN  # a value that needs itself is unknown
            value = holder.names[name] = self.value(value, holder)
        elif isinstance(value, Imported):
            holder.names[name] = UNKNOWN
            value = holder.names[name] = self.outside.imported(value)
        return value

    def _identifier(self, node: Node, scope: Scope) -> Value:
        return self.name(text_of(node), scope)

    def _member(self, node: Node, scope: Scope) -> Value:
        owner, name = node.child_by_field_name("object"), text_of(node).rpartition(".")[2].strip()
        if owner is not None and owner.type == "this":
            return self.name(name, scope)
        value = self.value(owner, scope)
        return self.outside.known(text_of(node), scope) if value is UNKNOWN else member(value, name)

    def _subscript(self, node: Node, scope: Scope) -> Value:
        index = node.child_by_field_name("index")
        value = UNKNOWN if index is not None and is_changing(index, scope) else self.value(index, scope)
        return element(self.value(node.child_by_field_name("object"), scope), value)

    # operators ------------------------------------------------------------------------------------------------------

    def _binary(self, node: Node, scope: Scope) -> Value:
        return binary(self, node, scope)

    def _ternary(self, node: Node, scope: Scope) -> Value:
        return ternary(self, node, scope)

    def _unary(self, node: Node, scope: Scope) -> Value:
        return unary(self, node, scope)

    def _true(self, node: Node, scope: Scope) -> Value:
        return True

    def _false(self, node: Node, scope: Scope) -> Value:
        return False

    def _nothing(self, node: Node, scope: Scope) -> Value:
        return NOTHING

    # calls ----------------------------------------------------------------------------------------------------------

    def _call(self, node: Node, scope: Scope) -> Value:
        function = node.child_by_field_name("function")
        arguments = children(node, "arguments")
        if function is None:
            return UNKNOWN
        given_text = node.child_by_field_name("arguments")
        if given_text is not None and given_text.type == "template_string":  # graphql`...`, html`...`
            arguments = [given_text]
        name = text_of(function)
        if name[:1] in "stce" and (told := STYLED.match(name)) is not None:
            return self._styled(told[1] or told[2], scope)
        if name == "html" and given_text is not None and given_text.type == "template_string":
            return html_markup(self, given_text, scope)
        if function.type == "member_expression":
            return self._method(function, arguments, scope)
        if function.type == "identifier" and scope.holder(name) is None:
            if name in _CREATE:
                return self._create([self.value(one, scope) for one in arguments])
            if name in _HOLDERS:
                return self._held(name, arguments, scope)
        value = self.value(function, scope)
        if not arguments and isinstance(value, (str, list, dict, Many)):
            return value  # a signal is read by a call
        given = [self.value(one, scope) for one in arguments] if isinstance(value, (Function, Native)) else []
        return self.call(value, given) if isinstance(value, (Function, Native)) else UNKNOWN

    def _styled(self, name: str, scope: Scope) -> Value:
        """A component that gives a style to an element or to another component: it shows what that shows."""
        other = self.name(name, scope) if name[:1].isupper() else UNKNOWN
        return other if isinstance(other, (Function, Native)) else styled_element(name)

    def _held(self, name: str, arguments: Sequence[Node], scope: Scope) -> Value:
        """`useState(x)`, `ref(x)`, `computed(() => x)`: x, though a visitor may change it."""
        if not arguments:
            return UNKNOWN
        value = self.value(arguments[0], scope)
        if isinstance(value, Function) and name not in ("memo", "forwardRef", "observer"):
            value = self.call(value, [])
        if value is False:
            return NOTHING
        if name in _LATE and isinstance(value, dict):
            return value.get("default", UNKNOWN)
        return UNKNOWN if (name in STATES and isinstance(value, bool)) or value == {} else value  # filled later

    def _method(self, function: Node, arguments: Sequence[Node], scope: Scope) -> Value:
        owner, method = function.child_by_field_name("object"), text_of(function).rpartition(".")[2].strip()
        values = self._given(arguments, scope)
        name = text_of(owner) if owner is not None and owner.type == "identifier" else ""
        if method in _CREATE and name == "React":
            return self._create(values)
        if name in ("React", "Vue") and method in _HOLDERS:
            return self._held(method, arguments, scope)
        told = told_by_library(name, method, values, self.call)
        if told is not None:
            return told
        value, is_this = self.value(owner, scope), owner is not None and owner.type == "this"
        if is_this and scope.holder(method) is not None:
            own = self.name(method, scope)
            return self.call(own, values) if isinstance(own, (Function, Native)) else UNKNOWN if values else own
        if isinstance(value, Element) or name in JQUERY:
            return self.page.method(value, method, values)
        if isinstance(value, Today):
            return of_today(value, method)
        if isinstance(value, list) and method == "includes" and values and isinstance(values[0], Month):
            return included(value, values[0])
        held = member(value, method) if isinstance(value, dict) else UNKNOWN
        if value is UNKNOWN:
            held = self.name(method, scope) if is_this else self.outside.known(text_of(function), scope)
        elif isinstance(value, Native):  # `t.raw(key)`
            held = value.members.get(method, value)
        return self.call(held, values) if isinstance(held, (Function, Native)) else call_method(value, method, values, self.call)

    def _given(self, arguments: Sequence[Node], scope: Scope) -> list[Value]:
        """Arguments of a call, those of a list that is spread one by one."""
        found: list[Value] = []
        for one in arguments:
            value = self.value(inner(one)[0] if one.type == "spread_element" and inner(one) else one, scope)
            found += value if one.type == "spread_element" and isinstance(value, list) else [value]
        return found

    def call(self, function: Function | Native, arguments: list[Value]) -> Value:
        """What a function returns."""
        if isinstance(function, Native):
            return function.call(arguments)
        node = function.node
        self.called.add(node.id)
        scope = Scope(function.scope)
        parameter = node.child_by_field_name("parameter")
        targets = [parameter] if parameter is not None else children(node, "parameters")
        for number, target in enumerate(targets):
            self.bind(target, arguments[number] if number < len(arguments) else UNKNOWN, scope)
        body = node.child_by_field_name("body")
        if body is None or body.type != "statement_block":
            return self.value(body, scope)
        return run(self, inner(body), scope)

    def _assignment(self, node: Node, scope: Scope) -> Value:
        return assign(self, node, scope)

    def _regex(self, node: Node, scope: Scope) -> Value:
        return Pattern(text_of(node))

    def _new(self, node: Node, scope: Scope) -> Value:
        """`new Set(list)`, `new Map(pairs)`, an object of a class of the site."""
        name, arguments = text_of(node.child_by_field_name("constructor") or node), children(node, "arguments")
        value = self.value(arguments[0], scope) if arguments else list[Value]()
        if name == "Date":
            return UNKNOWN if arguments else Today()
        if name == "Set" and isinstance(value, list):
            texts = dict.fromkeys(one for one in value if isinstance(one, str))
            return list(texts) if len(texts) and all(isinstance(one, str) for one in value) else list(value)
        if name == "Map":
            return told_by_library("Object", "fromEntries", [value], self.call) or {}
        made = self.name(name, scope) if scope.holder(name) is not None else UNKNOWN
        return self.call(made, [value] if arguments else []) if isinstance(made, Native) else UNKNOWN

    # declarations ---------------------------------------------------------------------------------------------------

    def declare(self, statements: Sequence[Node], scope: Scope) -> None:
        """Take up the names that statements declare; their values are worked out when asked for."""
        declare(self, statements, scope)

    def bind(self, target: Node, value: Value, scope: Scope) -> None:
        """Give the names of a pattern their parts of a value."""
        bind(self, target, value, scope)


_READERS: Final[dict[str, Callable[[Evaluator, Node, Scope], Value]]] = {
    "string": Evaluator._string,
    "number": Evaluator._number,
    "template_string": Evaluator._template,
    "this": Evaluator._identifier,
    "array": Evaluator._array,
    "object": Evaluator._object,
    "identifier": Evaluator._identifier,
    "member_expression": Evaluator._member,
    "subscript_expression": Evaluator._subscript,
    "binary_expression": Evaluator._binary,
    "ternary_expression": Evaluator._ternary,
    "unary_expression": Evaluator._unary,
    "call_expression": Evaluator._call,
    "augmented_assignment_expression": Evaluator._assignment,
    "assignment_expression": Evaluator._assignment,
    "new_expression": Evaluator._new,
    "regex": Evaluator._regex,
    "true": Evaluator._true,
    "false": Evaluator._false,
    "null": Evaluator._nothing,
    "undefined": Evaluator._nothing,
}
