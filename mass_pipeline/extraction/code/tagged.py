"""Tagged templates: the markup of Lit, and components that only style an element (`styled.h2`, `styled(Card)`, `tw.li`).

Source: Lit (templates overview), styled-components, Emotion, Linaria and twin.macro.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from tree_sitter import Node

from mass_pipeline.extraction.code.syntax import inner, text_of, unescape_string
from mass_pipeline.extraction.code.values import Markup, Native, Scope, Value, joined, markup_of

STYLED: Final = re.compile(r"(?:styled|tw|chakra|emotion)(?:\.([a-z][a-z0-9]*)|\(\s*['\"]?([A-Za-z]\w*)['\"]?\s*[,)])")
_EMPTY: Final = frozenset({"img", "hr", "br", "input", "svg", "path", "iframe"})


class Values(Protocol):
    """What a template needs of the evaluator."""

    def value(self, node: Node | None, scope: Scope) -> Value: ...


def html_markup(values: Values, node: Node, scope: Scope) -> Markup:
    """Markup of Lit; values of attributes and what is not known show nothing."""
    pieces: list[str] = []
    for child in node.children[1:-1]:
        if child.type != "template_substitution":
            pieces.append(unescape_string(text_of(child)))
        elif pieces and pieces[-1].endswith(("=", '="', "='")):
            pieces.append('""' if pieces[-1].endswith("=") else "")
        else:
            pieces.append(markup_of(values.value(next(iter(inner(child)), None), scope)))
    return Markup(joined(pieces))


def styled_element(name: str) -> Native:
    """A component that shows its content as an element.

    Args:
        name: of the element; one of a component that is not known is taken for a box.
    """
    tag = name if name.islower() or name[:1] == "h" else "div"

    def shown(arguments: list[Value]) -> Value:
        given = arguments[0] if arguments else None
        content = markup_of(given["children"]) if isinstance(given, dict) and "children" in given else ""
        return Markup("" if tag in _EMPTY else f"<{tag}>{content}</{tag}>")

    return Native(shown)
