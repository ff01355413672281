"""Elements of templates in the HTML of a page: their directives, which are shown as a whole, pieces of markup as elements."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from lxml import etree
from lxml.etree import _Element as Element

from mass_pipeline.extraction.code.values import UNKNOWN, Many, Markup, Scope, Value

LOOPS: Final = ("v-for", "x-for", "ng-repeat")
CONDITIONS: Final = ("v-if", "x-if", "ng-if", "v-show", "x-show", "ng-show")
VOID: Final = frozenset({"br", "hr", "img", "input", "meta", "link", "wbr", "source", "area", "base", "col", "embed", "track"})


class TooMuch(Exception):
    """The page shows more than any page of a parish."""


def is_bare(node: Element, told: Mapping[str, str], kind: str) -> bool:
    """Whether only what stands inside of the element is shown."""
    is_used = any(name in told for name in (*LOOPS, *CONDITIONS, "v-else", "v-else-if"))
    return node.tag == "template" and bool(kind) and is_used


def is_never(node: Element, kind: str) -> bool:
    """Whether an element is shown nowhere: templates without a directive, scripts other than data for search engines."""
    if node.tag == "script":
        return "ld+json" not in (node.get("type") or "")
    return node.tag == "template" and bool(kind)


def bare_value(value: str) -> str:
    """A value as it can stand between quotation marks."""
    return value.replace("'", "").replace('"', "")[:60]


def fill_slot(slot: Element, holder: Element) -> None:
    """Put what stands inside of an element into its slot."""
    if holder.text is None and not len(holder):
        return
    for one in list(slot):
        slot.remove(one)
    slot.text = holder.text
    slot.extend(deepcopy(list(holder)))
    slot.tag = "span"


def template_elements(written: str) -> list[Element]:
    """The elements of a piece of markup."""
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    tree = etree.fromstring(f"<body><div>{written}</div></body>".encode("utf-8", "replace"), parser)
    return [one for body in tree for one in body] if tree is not None else []


def scope_children(scope: Scope) -> Value:
    """What stands inside of the component that is shown."""
    holder = scope.holder("children")
    value = holder.names["children"] if holder is not None else UNKNOWN
    return value if isinstance(value, (Markup, Many)) else UNKNOWN


def directives_of(node: Element) -> dict[str, str]:
    """Attributes by name; `data-ng-repeat` and `ng:repeat` are `ng-repeat`."""
    found = {}
    for name, value in node.attrib.items() if isinstance(node.tag, str) else ():
        plain = str(name).removeprefix("data-") if str(name).startswith(("data-ng-", "data-x-", "data-v-")) else str(name)
        found[plain.replace("ng:", "ng-", 1) if plain.startswith("ng:") else plain] = str(value)
    return found
