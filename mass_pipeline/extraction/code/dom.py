"""Elements that a script finds, makes and fills: `getElementById(...).innerHTML = ...`, `createElement`, `append`, jQuery.

Belongs: the few operations that decide what is shown. Elements of the page are known by how they are sought; what stands in them
before the script fills them is not. Source: DOM Living Standard (4.2.6, 4.9), HTML (3.1.7), jQuery 3 (manipulation).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from mass_pipeline.extraction.code.values import (
    NOTHING,
    UNKNOWN,
    Element,
    Function,
    Many,
    Markup,
    Native,
    Today,
    Value,
    markup_of,
    number,
)

Call = Callable[[Function | Native, list[Value]], Value]
_MOST_ELEMENTS: Final = 2000  # of one page that are found, and pieces of one element
_FINDS: Final = frozenset({"getElementById", "querySelector", "closest", "find"})
_FIND_ALL: Final = frozenset({"querySelectorAll", "getElementsByClassName", "getElementsByTagName"})
_ITSELF: Final = frozenset({
    "body", "documentElement", "content", "shadowRoot", "parentNode", "parentElement", "firstElementChild", "lastElementChild",
    "firstChild", "tBodies", "renderRoot",
})  # fmt: skip
_MARKUP: Final = frozenset({"innerHTML", "outerHTML"})
_TEXT: Final = frozenset({"textContent", "innerText", "nodeValue"})
FILLED: Final = _MARKUP | _TEXT
_ADDS: Final = frozenset({"appendChild", "append", "add", "insertBefore", "insertAdjacentElement", "insertAdjacentText", "after"})
_STARTS: Final = frozenset({"DOMContentLoaded", "load", "ready", "readystatechange", "pageshow", "deviceready"})
_JQUERY_SELF: Final = frozenset(
    {
        "addClass",
        "removeClass",
        "attr",
        "css",
        "show",
        "hide",
        "fadeIn",
        "slideDown",
        "on",
        "off",
        "data",
        "end",
        "each",
        "attachShadow",
    }
)
_TAG: Final = re.compile(r"\s*<([a-z][a-z0-9]*)\s*/?>\s*(?:</\1\s*>)?\s*$", re.I)
JQUERY: Final = frozenset({"$", "jQuery"})
_DOCUMENT: Final = "document"


class Page:
    """The elements of one page that its scripts find, in the order in which they are first sought."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._found: dict[str, Element] = {}
        document = self.found(_DOCUMENT)
        later = Native(lambda arguments: self._run(arguments[:1]))
        query = Native(self._query)
        self.names: dict[str, Value] = {
            "document": document, "window": document, "$": query, "jQuery": query, "setTimeout": later,
            "requestAnimationFrame": later, "queueMicrotask": later, "dayjs": Native(_today), "moment": Native(_today),
        }  # fmt: skip

    def sections(self) -> list[str]:
        """Markup that the elements of the page were given."""
        return [text for one in self._found.values() if (text := markup_of(one))]

    def found(self, selector: str) -> Element:
        """The element of the page that is sought by these words; the same for the same words."""
        key = selector.strip().lstrip("#")
        if key not in self._found and len(self._found) >= _MOST_ELEMENTS:
            return Element("")
        return self._found.setdefault(key, Element(""))

    def method(self, owner: Value, method: str, arguments: list[Value]) -> Value:
        """What a method of an element, of the document or of `$` gives; effects are carried out."""
        first = arguments[0] if arguments else UNKNOWN
        if not isinstance(owner, Element):
            return self._each(arguments) if method == "each" else UNKNOWN
        if method in ("createElement", "createElementNS"):
            tag = arguments[-1] if method == "createElementNS" else first
            return Element(tag if isinstance(tag, str) and tag.isalnum() else "div")
        if method == "createDocumentFragment":
            return Element("")
        if method == "createTextNode":
            return first
        if method in ("addEventListener", "ready", "on") and (method == "ready" or first in _STARTS):
            return self._run(arguments[-1:])
        if method in _FIND_ALL:
            return [self._sought(owner, first)]
        if method in _FINDS:
            return self._sought(owner, first)
        return self._changed(owner, method, arguments)

    def _changed(self, owner: Element, method: str, arguments: list[Value]) -> Value:
        first, last = (arguments[0], arguments[-1]) if arguments else (UNKNOWN, UNKNOWN)
        if method in _ADDS:
            given = arguments if method == "append" else [first if method in ("appendChild", "add", "insertBefore") else last]
            for one in given:
                _add(owner, [_as_markup(one) if isinstance(one, str) and "<" in one else one])
            return first if method == "appendChild" else owner
        if method in ("insertAdjacentHTML", "write", "writeln"):
            _add(owner, [_as_markup(last)], in_front=first == "afterbegin")
        elif method == "prepend":
            _add(owner, [_as_markup(one) for one in arguments], in_front=True)
        elif method in ("insertRow", "insertCell"):
            row = Element("tr" if method == "insertRow" else "td")
            _add(owner, [row])
            return row
        elif method in ("replaceChildren", "empty", "setHTML", "setHTMLUnsafe") or (method in ("html", "text") and arguments):
            owner.content = [(one if method == "text" else _as_markup(one)) for one in arguments]
        elif method in ("appendTo", "prependTo"):
            _add(first if isinstance(first, Element) else self.found(first) if isinstance(first, str) else owner, [owner])
        elif method == "cloneNode":
            return Element(owner.tag, list(owner.content))
        elif method not in _JQUERY_SELF:
            return UNKNOWN
        return owner

    def _sought(self, owner: Element, selector: Value) -> Value:
        if owner is self._found.get(_DOCUMENT):
            return self.found(selector) if isinstance(selector, str) else UNKNOWN
        part = Element("div")  # a place inside a box, in the order in which its places are filled
        _add(owner, [part])
        return part

    def _query(self, arguments: list[Value]) -> Value:
        """`$("#a")`, `$("<p>")`, `$(function () {...})`, `$(element)`."""
        first = arguments[0] if arguments else UNKNOWN
        if isinstance(first, (Function, Native)):
            return self._run([first])
        if not isinstance(first, str):
            return first
        made = _TAG.match(first)
        if made is not None:
            return Element(made[1].lower())
        if first.lstrip()[:1] == "<":
            return Element("div", [Markup(first)])
        return self.found(first)

    def _each(self, arguments: list[Value]) -> Value:
        """`$.each(list or object, (key, value) => ...)`."""
        if len(arguments) < 2 or not isinstance(arguments[1], (Function, Native)):
            return UNKNOWN
        items = arguments[0]
        pairs = list(items.items()) if isinstance(items, dict) else []
        if isinstance(items, list):
            pairs = [(number(place), one) for place, one in enumerate(items)]
        for key, value in pairs[:_MOST_ELEMENTS]:
            self._call(arguments[1], [key, value])
        return items

    def _run(self, functions: list[Value]) -> Value:
        for one in functions:
            if isinstance(one, (Function, Native)):
                self._call(one, [])
        return UNKNOWN


def property_of(element: Element, name: str) -> Value:
    """A property of an element, as far as the script itself set it."""
    if name in _ITSELF:
        return element
    if name in _MARKUP:
        return Markup(markup_of(element) if name == "outerHTML" else markup_of(list(element.content)))
    return next(iter(element.content), "") if name in _TEXT else UNKNOWN


def set_property(element: Element, name: str, value: Value) -> None:
    """Carry out `element.innerHTML = value` and its like; other properties show nothing."""
    if name in _MARKUP:
        element.content = [_as_markup(value)]
    elif name in _TEXT:
        element.content = [value]


def _add(owner: Element, values: list[Value], *, in_front: bool = False) -> None:
    given = [one for one in values if one is not UNKNOWN and one is not NOTHING and one is not owner]
    if len(owner.content) + len(given) <= _MOST_ELEMENTS:
        owner.content = [*given, *owner.content] if in_front else [*owner.content, *given]


def _as_markup(value: Value) -> Value:
    """Texts that scripts set are markup."""
    if isinstance(value, Many):
        return Many(tuple(_as_markup(one) for one in value.values), value.labels)
    if isinstance(value, list):
        return [_as_markup(one) for one in value]
    return Markup(value) if isinstance(value, str) else value


def _today(arguments: list[Value]) -> Value:
    return UNKNOWN if arguments else Today()
