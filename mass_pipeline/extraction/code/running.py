"""What the scripts of a page put into it: their statements are followed in turn, then the functions that none of them calls.

Nothing is executed: `statements` follows what the code tells. Functions that nothing calls are called by the page or by another
file (`<body onload=...>`); what they are given is taken for elements of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from mass_pipeline.extraction.code.classes import CLASSES, class_scope
from mass_pipeline.extraction.code.showing import Shower
from mass_pipeline.extraction.code.statements import run
from mass_pipeline.extraction.code.syntax import children, inner, text_of
from mass_pipeline.extraction.code.values import Function, Scope

_FILLS: Final = re.compile(
    r"innerHTML|outerHTML|textContent|innerText|insertAdjacent|appendChild|\.append|\.prepend|replaceChildren"
    r"|document\.write|\.(?:html|text|setHTML\w*)\("
)
_MOST_FUNCTIONS: Final = 200  # of one file


def set_markup(shower: Shower, root: Node, scope: Scope) -> Iterator[str]:
    """Markup that the statements of a file put into the page, a section for each element that they fill.

    Args:
        shower: what works out the values.
        root: the file.
        scope: of the file; its names are not changed.
    """
    if not _FILLS.search(text_of(root)):
        return
    inside, evaluator = Scope(scope), shower.evaluator
    evaluator.start_page()
    run(evaluator, inner(root), inside)
    for node in inner(root):
        _begin_class(shower, node, inside)
    for name, function in _functions(shower, inside):
        if function.node.id not in evaluator.called:
            places = [evaluator.page.found(f"{name} {text_of(one)}") for one in children(function.node, "parameters")]
            evaluator.call(function, list(places))
        elif _chooses(function.node):
            evaluator.call(function, [])
    yield from (f"<section>{one}</section>" for one in evaluator.page.sections())


def _functions(shower: Shower, scope: Scope) -> list[tuple[str, Function]]:
    """Functions of a file that can fill elements, those first that the fewest others call."""
    found = [(name, shower.evaluator.name(name, scope)) for name in list(scope.names)[:_MOST_FUNCTIONS]]
    functions = [(name, value) for name, value in found if isinstance(value, Function)]
    texts = [text_of(function.node) for _, function in functions]
    together = "\n".join(texts)

    def others(place: int) -> int:
        name = re.compile(rf"\b{re.escape(functions[place][0])}\b")
        return len(name.findall(together)) - len(name.findall(texts[place]))

    return [functions[place] for place in sorted(range(len(functions)), key=others)]


def _begin_class(shower: Shower, statement: Node, scope: Scope) -> None:
    """Follow a class that fills elements: it may be an element of the page itself, and its methods are called by the page."""
    node = statement.child_by_field_name("declaration") or statement
    if node.type not in CLASSES or not _FILLS.search(text_of(node)):
        return
    evaluator = shower.evaluator
    inside = class_scope(evaluator, node, scope, evaluator.page.found(f"class {text_of(node)[:80]}"))
    for name in list(inside.names):
        method = inside.names[name]
        if isinstance(method, Function) and method.node.id not in evaluator.called and _FILLS.search(text_of(method.node)):
            evaluator.call(method, [])


def _chooses(function: Node) -> bool:
    """Whether a function fills an element with what its parameter names: a click calls it with another name."""
    code = text_of(function)
    names = [re.escape(text_of(one).partition(":")[0]) for one in children(function, "parameters")]
    return bool(names) and re.search(rf"\[\s*(?:{'|'.join(names)})\s*\]", code) is not None and _FILLS.search(code) is not None
