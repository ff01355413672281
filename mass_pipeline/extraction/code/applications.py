"""What the scripts of a page say about its templates: which element an application fills, what its components and data are.

Source: Vue 2 and 3 (`new Vue`, `createApp`), petite-vue, Alpine (`Alpine.data`, `Alpine.store`), AngularJS (`.controller`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from mass_pipeline.extraction.code.evaluating import FUNCTIONS, Evaluator
from mass_pipeline.extraction.code.syntax import children, inner, text_of
from mass_pipeline.extraction.code.values import UNKNOWN, Scope, Value

_MOST_NODES: Final = 120_000  # of the scripts of a page that are looked at
_MOST_FOUND: Final = 60  # applications, components and controllers
_MOUNT: Final = re.compile(r"""\.\$?mount\(\s*(?:document\.\w+\(\s*)?["']([^"']{1,80})["']""")


class Application(NamedTuple):
    """An application and the element it fills; `selector` is "" for every element that petite-vue marks."""

    selector: str
    options: dict[str, Value]
    scope: Scope


class Applications:
    """What the scripts of one page tell.

    Attributes:
        of_vue: applications, in order.
        components: options of components by their names in small letters without hyphens.
        data: functions and objects of `Alpine.data`.
        stores: of `Alpine.store`.
        controllers: of AngularJS.
    """

    def __init__(self, evaluator: Evaluator, root: Node, scope: Scope) -> None:
        self._evaluator = evaluator
        self._scope = scope
        self.of_vue: list[Application] = []
        self.components: dict[str, Value] = {}
        self.data: dict[str, Value] = {}
        self.stores: dict[str, Value] = {}
        self.controllers: dict[str, Value] = {}
        mounts = _MOUNT.findall(text_of(root))
        for node in list(_calls(root))[:_MOST_FOUND]:
            self._take(node, mounts)

    def _take(self, node: Node, mounts: list[str]) -> None:
        name, given = _name(node), children(node, "arguments")
        last = name.rpartition(".")[2]
        if last in ("createApp", "Vue", "createPetiteApp"):
            scope = self._around(node)
            options = self._evaluator.value(given[0], scope) if given else {}
            element = options.get("el", UNKNOWN) if isinstance(options, dict) else UNKNOWN
            selector = element if isinstance(element, str) else mounts.pop(0) if mounts else ""
            if isinstance(options, dict):
                self.of_vue.append(Application(selector, options, scope))
                self.named(options.get("components", UNKNOWN))
            return
        key = self._evaluator.value(given[0], self._scope) if len(given) > 1 else UNKNOWN
        if not isinstance(key, str):
            return
        value = self._evaluator.value(given[1], self._around(node))
        if last == "component":
            self.components[plain_name(key)] = value
        elif last in ("data", "store") and name.startswith("Alpine."):
            (self.data if last == "data" else self.stores)[key] = value
        elif last == "controller":
            self.controllers[key] = value

    def named(self, components: Value) -> None:
        """Take up the components that an application or another component names."""
        for name, options in components.items() if isinstance(components, dict) else ():
            self.components.setdefault(plain_name(name), options)

    def _around(self, node: Node) -> Scope:
        """The names that a place in the scripts sees: those of the functions around it too."""
        blocks: list[Node] = []
        parent = node.parent
        while parent is not None:
            if parent.type == "statement_block" and parent.parent is not None and parent.parent.type in FUNCTIONS:
                blocks.append(parent)
            parent = parent.parent
        scope = self._scope
        for block in reversed(blocks):
            scope = Scope(scope)
            self._evaluator.declare(inner(block), scope)
        return scope


def plain_name(name: str) -> str:
    """The name of a component as all its spellings have it.

    >>> plain_name("MszaKarta") == plain_name("msza-karta")
    True
    """
    return name.replace("-", "").lower()


def _calls(root: Node) -> Iterator[Node]:
    pending = [root]
    for _ in range(_MOST_NODES):
        if not pending:
            return
        node = pending.pop()
        if node.type in ("call_expression", "new_expression"):
            last = _name(node).rpartition(".")[2]
            if last in _WANTED and (node.type == "call_expression") == (last != "Vue"):
                yield node
        pending.extend(reversed(node.named_children))


_WANTED: Final = frozenset({"createApp", "createPetiteApp", "Vue", "component", "data", "store", "controller"})


def _name(node: Node) -> str:
    function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if function is None:
        return ""
    if function.type == "member_expression":  # of a long chain the last name alone is wanted
        owner, last = function.child_by_field_name("object"), function.child_by_field_name("property")
        first = text_of(owner) if owner is not None and owner.type == "identifier" else ""
        return f"{first}.{text_of(last) if last is not None else ''}"
    return text_of(function) if function.type == "identifier" else ""
