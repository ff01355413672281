"""What a file of code shows to a visitor: its components in the order they are written, the markup it sets, or its rows.

A component that another one of the file opens is shown there. Data that no component of the file uses is shown only when nothing
else of the file tells hours, as a file of data does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from mass_pipeline.extraction.code import dialects
from mass_pipeline.extraction.code.classes import CLASSES, class_scope
from mass_pipeline.extraction.code.evaluating import FUNCTIONS
from mass_pipeline.extraction.code.rows import is_technical
from mass_pipeline.extraction.code.running import set_markup
from mass_pipeline.extraction.code.showing import Shower
from mass_pipeline.extraction.code.statements import run_at_start
from mass_pipeline.extraction.code.syntax import LONGEST_CODE, inner, parse_code, text_of
from mass_pipeline.extraction.code.values import UNKNOWN, Function, Imported, Markup, Native, Scope, Value, joined, markup_of
from mass_pipeline.extraction.wording import has_hour

_JSX: Final = frozenset({"jsx_element", "jsx_self_closing_element", "jsx_fragment"})
_CREATES: Final = re.compile(r"(?<!document\.)\bcreateElement\(|jsx\(")
_MOST_NODES: Final = 120_000  # of one file that are looked at
_NAME: Final = re.compile(r"<([A-Z]\w*)")
_GIVING: Final = ("data", "setup", "asyncData", "computed", "computed")  # a computed value may need a later one
_LOADERS: Final = ("load", "getStaticProps", "getServerSideProps", "loader", "data")
_HOOKS: Final = ("beforeCreate", "created", "beforeMount", "mounted", "fetch")
_PARTS: Final = {"vue": dialects.vue_parts, "svelte": dialects.svelte_parts, "astro": dialects.astro_parts}
_TEMPLATE: Final = re.compile(r"""\btemplate\s*:\s*(?:`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")""", re.S)
_TEMPLATE_FILE: Final = re.compile(r"""\btemplateUrl\s*:\s*["'`]([^"'`]+)["'`]""")


def code_markup(shower: Shower, text: str, scope: Scope) -> str:
    """Markup that a file of JavaScript or TypeScript shows; "" when it shows nothing that can be known.

    Args:
        shower: what works it out.
        scope: of the file, without names.
    """
    root = parse_code(text)
    statements = inner(root)
    shower.evaluator.declare(statements, scope)
    assign_members(shower, statements, scope)
    if "@Component" in text:
        return joined(list(_angular(shower, root, scope)))
    shown = joined([*_shown_components(shower, root, scope), *set_markup(shower, root, scope)])
    if has_hour(re.sub(r"<[^<>]*>", " ", shown)):
        return shown
    return joined([shown, *_unused_rows(shower, statements, scope)])


def component_markup(shower: Shower, text: str, kind: str, scope: Scope, given: Mapping[str, Value]) -> str:
    """Markup that a component file of Vue, Svelte or Astro shows.

    Args:
        shower: what works it out.
        kind: `vue`, `svelte` or `astro`.
        scope: of the file, without names.
        given: its properties; `children` is what stands inside of it.
    """
    parts = _PARTS[kind](text[:LONGEST_CODE])
    root = parse_code(parts.code)
    properties: Value = dict(given)
    scope.names |= {
        "defineProps": Native(lambda _: properties),
        "withDefaults": Native(lambda all_of: {**_as_dict(all_of[1:2]), **given}),
        "$props": Native(lambda _: properties),
        "Astro": {"props": properties},
    }
    shower.evaluator.declare(inner(root), scope)
    scope.names |= given
    if kind == "vue":
        _take_options(shower, root, scope, given)
    if kind != "astro":
        run_at_start(shower.evaluator, inner(root), scope)
    return template_markup(shower, parts.template, scope)


def _as_dict(values: Sequence[Value]) -> dict[str, Value]:
    return next((one for one in values if isinstance(one, dict)), {})


def template_markup(shower: Shower, template: str, scope: Scope) -> str:
    """What a template in the form of JSX shows."""
    root = parse_code(f"(<>{template}</>)")
    found = next((node for node in _walk(root) if node.type in _JSX), None)
    return markup_of(shower.evaluator.value(found, scope)) if found is not None else ""


def _shown_components(shower: Shower, root: Node, scope: Scope) -> Iterator[str]:
    """Functions that return markup, and markup that stands by itself, without those that others open."""
    opened = {
        name
        for statement in inner(root)
        if statement.type != "expression_statement"
        for name in _NAME.findall(text_of(statement))
    }
    given = _loaded(shower, scope)
    for statement in inner(root):
        node = statement
        if statement.type == "export_statement":
            node = statement.child_by_field_name("declaration") or statement.child_by_field_name("value") or statement
        shown = [(name, function) for name, function in _functions(node) if name not in opened and _shows(function)]
        inside = class_scope(shower.evaluator, node, scope) if shown and node.type in CLASSES else scope
        for _, function in shown:
            found = shower.evaluator.call(Function(function, inside), [given] if given else [])
            yield f"<section>{markup_of(found)}</section>"


def _loaded(shower: Shower, scope: Scope) -> dict[str, Value]:
    """Properties that a page of Next has of its loader in the same file."""
    found: dict[str, Value] = {}
    for name in _LOADERS[1:3]:
        loader = shower.evaluator.name(name, scope) if name in scope.names else UNKNOWN
        if isinstance(loader, Function):
            found |= _as_dict([_as_dict([shower.evaluator.call(loader, [])]).get("props", UNKNOWN)])
    return found


def _functions(node: Node) -> Iterator[tuple[str, Node]]:
    """Functions that a statement declares, with their names; methods `render` of classes among them."""
    if node.type in FUNCTIONS:
        name = node.child_by_field_name("name")
        yield text_of(name) if name is not None else "", node
    elif node.type in ("lexical_declaration", "variable_declaration"):
        for declarator in inner(node):
            name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
            function = next((one for one in _walk(value, 40) if one.type in FUNCTIONS), None) if value is not None else None
            if function is not None and name is not None and value is not None and value.type not in ("object", "array"):
                yield text_of(name), function
    elif node.type in CLASSES:
        name = node.child_by_field_name("name")
        for one in _walk(node, 4000):
            method = one.child_by_field_name("name") if one.type == "method_definition" else None
            if method is not None and text_of(method) == "render":
                yield text_of(name) if name is not None else "", one


def _shows(function: Node) -> bool:
    code = text_of(function)
    if "<" not in code:
        return _CREATES.search(code) is not None
    return "html`" in code or any(one.type in _JSX for one in _walk(function)) or _CREATES.search(code) is not None


def assign_members(shower: Shower, statements: Sequence[Node], scope: Scope) -> None:
    """`pages.masses = "..."`, `tiles.push({...})` at the top of a file add to the object and to the list."""
    for statement in statements:
        node = next(iter(inner(statement)), None) if statement.type == "expression_statement" else None
        if node is not None and node.type == "call_expression":
            _push(shower, node, scope)
        left = node.child_by_field_name("left") if node is not None and node.type == "assignment_expression" else None
        if node is None or left is None or left.type not in ("member_expression", "subscript_expression"):
            continue
        owner = left.child_by_field_name("object")
        target = shower.evaluator.value(owner, scope) if owner is not None and owner.type == "identifier" else UNKNOWN
        if isinstance(target, dict):
            index = left.child_by_field_name("index")
            key = text_of(left).rpartition(".")[2] if index is None else shower.evaluator.value(index, scope)
            if isinstance(key, str):
                target[key] = shower.evaluator.value(node.child_by_field_name("right"), scope)


def _push(shower: Shower, call: Node, scope: Scope) -> None:
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    owner, _, method = text_of(function).rpartition(".") if function is not None else ("", "", "")
    if method != "push" or owner not in scope.names or arguments is None:
        return
    asked_before = owner in shower.evaluator.looked_up
    target = shower.evaluator.name(owner, scope)
    if isinstance(target, list):
        target += [shower.evaluator.value(one, scope) for one in inner(arguments)]
    if not asked_before:
        shower.evaluator.looked_up.discard(owner)  # adding to a list is no use of it


def _unused_rows(shower: Shower, statements: Sequence[Node], scope: Scope) -> Iterator[str]:
    """Constants that nothing in the file has asked for, and what it exports by default or returns from a loader."""
    for name in list(scope.names):
        if name in shower.evaluator.looked_up or is_technical(name) or isinstance(scope.names[name], Imported):
            continue
        value = shower.evaluator.name(name, scope)
        if isinstance(value, Function) and name in _LOADERS:
            value = shower.evaluator.call(value, [])
        if isinstance(value, (list, dict)):
            yield f"<section>{shower.rows.block(value, name)}</section>"
        elif isinstance(value, str) and "</" in value:
            yield f"<section>{value}</section>"  # markup that another script sets
    for statement in statements:
        value_node = statement.child_by_field_name("value") if statement.type == "export_statement" else None
        if value_node is not None and value_node.type in ("object", "array"):
            yield f"<section>{shower.rows.block(shower.evaluator.value(value_node, scope))}</section>"


def _take_options(shower: Shower, root: Node, scope: Scope, given: Mapping[str, Value]) -> None:
    """Names that the options of a Vue component give to its template: `props`, `data`, `setup`, `methods`, `computed`."""
    evaluator = shower.evaluator
    for statement in inner(root):
        if statement.type != "export_statement":
            continue
        options = _as_dict([evaluator.value(statement.child_by_field_name("value"), scope)])
        for name, described in _as_dict([options.get("props", UNKNOWN)]).items():
            default = _as_dict([described]).get("default", UNKNOWN)
            scope.names[name] = given.get(name) or (evaluator.call(default, []) if isinstance(default, Function) else default)
        scope.names |= _as_dict([options.get("methods", UNKNOWN)])
        for name in _GIVING:
            held = options.get(name, UNKNOWN)
            found = evaluator.call(held, [UNKNOWN]) if isinstance(held, Function) else held
            for key, value in _as_dict([found]).items():
                value = evaluator.call(value, []) if isinstance(value, Function) and name == "computed" else value
                is_flag = value is True or value == {} or not isinstance(value, (str, list, dict, Markup, Function))
                scope.names[key] = UNKNOWN if is_flag else value
                if name == "data" and isinstance(value, str):
                    scope.changing.add(key)  # the chosen tab
        for name in _HOOKS:
            hook = options.get(name, UNKNOWN)
            if isinstance(hook, Function):
                evaluator.call(hook, [])


def _angular(shower: Shower, root: Node, scope: Scope) -> Iterator[str]:
    """What the templates of the components of a file show; the fields of one whose template is not there, as a file of data."""
    classes = [node for node in _walk(root) if node.type in CLASSES]
    for node in classes:
        inside = class_scope(shower.evaluator, node, scope)
        decorators = _decorators(node)
        written = _TEMPLATE.search(decorators)
        address = _TEMPLATE_FILE.search(decorators)
        template = next(filter(None, written.groups()), "") if written is not None else None
        if template is None and address is not None:
            template = shower.evaluator.outside.template(scope.whole_file().file, address[1])
        if template is not None:
            yield template_markup(shower, dialects.angular_template(template), inside)
        elif address is not None:
            yield joined([f"<section>{shower.rows.block(one, name)}</section>" for name, one in _fields(shower, inside)])


def _decorators(node: Node) -> str:
    """The decorators of a class, which stand inside of it or before it."""
    holder = node.parent if node.parent is not None and node.parent.type == "export_statement" else node
    return "\n".join(
        text_of(one) for two in {holder.id: holder, node.id: node}.values() for one in two.children if one.type == "decorator"
    )


def _fields(shower: Shower, scope: Scope) -> Iterator[tuple[str, Value]]:
    for name in list(scope.names):
        value = shower.evaluator.name(name, scope)
        if isinstance(value, (list, dict)) and not is_technical(name):
            yield name, value


def _walk(node: Node, most: int = _MOST_NODES) -> Iterator[Node]:
    pending = [node]
    for _ in range(most):
        if not pending:
            return
        current = pending.pop()
        yield current
        pending.extend(reversed(current.named_children))
