"""Elements of its own that a page defines: what each shows with the attributes that it has in the HTML.

Source: HTML (custom elements: `connectedCallback`, `getAttribute`, `dataset`, `attachShadow`); Lit (`static properties`,
`@property`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from tree_sitter import Node

from mass_pipeline.extraction.code.classes import CLASSES, class_scope
from mass_pipeline.extraction.code.data_files import json_value
from mass_pipeline.extraction.code.site_files import SCRIPTS, kind_of
from mass_pipeline.extraction.code.syntax import children, inner, text_of
from mass_pipeline.extraction.code.values import NOTHING, UNKNOWN, Element, Function, Native, Scope, Value, markup_of
from mass_pipeline.extraction.code.view import View
from mass_pipeline.extraction.held_data import DEFINES

_MOST: Final = 60  # elements of one page
_DEFINED: Final = re.compile(
    r"""customElements\.define\(\s*["'`]([a-z][\w.-]{0,60})["'`]\s*,\s*(?:(class)\b|([A-Za-z_$][\w$]*))"""
)
_DECORATED: Final = re.compile(r"""@customElement\(\s*["'`]([a-z][\w.-]{0,60})["'`]\s*\)""")
_MOST_NODES: Final = 60_000  # of one file that are looked at


class _Custom(NamedTuple):
    """The class of an element, the names around it and its file."""

    node: Node
    scope: Scope
    path: str


class CustomElements:
    """The elements that the scripts of a page and the files of its site define.

    Args:
        view: of the page.
        own: the name of the page's own scripts.
    """

    def __init__(self, view: View, own: str) -> None:
        self._view = view
        self._known: dict[str, _Custom] = {}
        for path, text in view.site.texts.items():
            if kind_of(path) in SCRIPTS and any(mark in text for mark in DEFINES):
                self._take(path)
        self._own = own

    def _take(self, path: str) -> None:
        scope, root = self._view.module(path)
        classes, named = [], {}
        for node in _walk(root):
            if node.type in CLASSES:
                classes.append(node)
                name = node.child_by_field_name("name") or _declared_name(node)
                named[text_of(name) if name is not None else ""] = node
        for match in list(_DEFINED.finditer(self._view.site.texts[path]))[:_MOST]:
            given = (one for one in classes if f'"{match[1]}"' in _call(one) or f"'{match[1]}'" in _call(one))
            defined = next(given, None) if match[2] else named.get(match[3] or "")
            if defined is not None:
                self._known.setdefault(match[1], _Custom(defined, scope, path))
        for node in classes:
            holder = node.parent if node.parent is not None and node.parent.type == "export_statement" else node
            written = _DECORATED.search(text_of(holder)[:300]) or _DECORATED.search(text_of(node)[:300])
            if written is not None:
                self._known.setdefault(written[1], _Custom(node, scope, path))

    def shown(self, tag: str, attributes: Mapping[str, str]) -> str | None:
        """Markup of an element with its attributes; None for other elements and where nothing can be known.

        Args:
            tag: name of the element.
            attributes: as the page writes them.
        """
        custom = self._known.get(tag)
        if custom is None:
            return None
        evaluator, this = self._view.shower.evaluator, Element("")
        inside = class_scope(evaluator, custom.node, custom.scope, this, _given(custom.node, attributes, this))
        found = markup_of(this)
        render = inside.names.get("render")
        if not found and isinstance(render, Function):
            value = evaluator.call(render, [])
            found = markup_of(value) or markup_of(this)
        if found and custom.path != self._own:
            self._view.used.add(custom.path)
        return found or None


def _given(node: Node, attributes: Mapping[str, str], this: Element) -> dict[str, Value]:
    """What an element has of the page: its attributes, also by the names of the properties that they set."""
    values: dict[str, Value] = {name: _value(text) for name, text in attributes.items()}
    data = {_camel(name[5:]): text for name, text in attributes.items() if name.startswith("data-")}
    given: dict[str, Value] = {_camel(name): one for name, one in values.items()}
    for name, attribute in _properties(node):
        if attribute in values:
            given[name] = values[attribute]
    return {
        **given,
        "getAttribute": Native(lambda asked: _text(attributes, asked)),
        "hasAttribute": Native(lambda asked: bool(asked) and asked[0] in attributes),
        "dataset": dict[str, Value](data),
        "attachShadow": Native(lambda _: this),
        "shadowRoot": this,
        "renderRoot": this,
    }


def _text(attributes: Mapping[str, str], asked: list[Value]) -> Value:
    name = asked[0] if asked else UNKNOWN
    return attributes.get(name.lower(), NOTHING) if isinstance(name, str) else UNKNOWN


def _value(text: str) -> Value:
    """Lists and objects are written as JSON."""
    if text.lstrip()[:1] in ("[", "{"):
        with suppress(ValueError, RecursionError):
            return json_value(text)
    return text


def _properties(node: Node) -> list[tuple[str, str]]:
    """Properties of a class with the attribute of each: `static properties`, `@property({attribute: "x"})`, fields."""
    found = []
    for member in children(node, "body"):
        name = member.child_by_field_name("name")
        if name is None:
            continue
        if text_of(name) == "properties":
            found += [(one[1], (one[2] or one[1]).lower()) for one in _PROPERTY.finditer(text_of(member)[:5_000])]
        elif member.type in ("public_field_definition", "field_definition"):
            attribute = _ATTRIBUTE.search(text_of(member)[:300])
            found.append((text_of(name), (attribute[1] if attribute else text_of(name)).lower()))
    return found


_PROPERTY: Final = re.compile(r"""["']?(\w{1,60})["']?\s*:\s*\{(?:[^{}]{0,200}?\battribute\s*:\s*["']([\w-]{1,60})["'])?""")
_ATTRIBUTE: Final = re.compile(r"""\battribute\s*:\s*["']([\w-]{1,60})["']""")


def _declared_name(node: Node) -> Node | None:
    """The name of `const Karta = class extends HTMLElement {...}`."""
    parent = node.parent
    return parent.child_by_field_name("name") if parent is not None and parent.type == "variable_declarator" else None


def _call(node: Node) -> str:
    """The beginning of the call that a class is given to."""
    parent = node.parent
    return text_of(parent)[:100] if parent is not None and parent.type == "arguments" else ""


def _camel(name: str) -> str:
    first, *others = name.split("-")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def _walk(node: Node) -> list[Node]:
    pending, found = [node], []
    for _ in range(_MOST_NODES):
        if not pending:
            break
        current = pending.pop()
        found.append(current)
        pending.extend(reversed(inner(current)))
    return found
