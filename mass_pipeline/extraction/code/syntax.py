"""Syntax trees of JavaScript, TypeScript and JSX. One grammar reads them all; faulty code gives a faulty tree, never an error."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

LONGEST_CODE: Final = 400_000  # characters; a bundle of a whole framework is longer, and no page of a parish
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.S)
_LETTERS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": " ", "v": " ", "0": "", "\n": "", "\r\n": ""}


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_typescript.language_tsx()))


def parse_code(text: str) -> Node:
    """The tree of a piece of code; what is longer than `LONGEST_CODE` is cut off."""
    return _parser().parse(text[:LONGEST_CODE].encode("utf-8", "replace")).root_node


def text_of(node: Node) -> str:
    """The code of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def unescape_string(written: str) -> str:
    r"""The text that a string literal stands for, without its quotation marks.

    >>> unescape_string(r"\u015bw. Anna\n")
    'św. Anna\n'
    """
    return _ESCAPE.sub(_escaped, written) if "\\" in written else written


def _escaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _LETTERS.get(match[4], match[4])
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""


def children(node: Node, field: str) -> list[Node]:
    """Named children of the node in one of its fields; none when the field is empty."""
    found = node.child_by_field_name(field)
    return inner(found) if found is not None else []


def inner(node: Node) -> list[Node]:
    """Named children that are no comments."""
    return [child for child in node.named_children if child.type not in ("comment", "html_comment")]
