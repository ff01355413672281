"""Templates of Angular in the form of JSX: control flow in blocks, directives, inputs, pipes.

Source: Angular's guide to templates (control flow, structural directives, property bindings, pipes).
"""

from __future__ import annotations

import re
from typing import Final

_BLOCK: Final = re.compile(r"@(for|if|else if|else|switch|case|default|empty|defer|placeholder|loading|error)\b\s*")
_LET: Final = re.compile(r"@let\s+[^;{}]{1,300};")
_TOKEN: Final = re.compile(r"\{\{.*?\}\}|@(?=[a-z])|[{}]", re.S)
_FOR: Final = re.compile(r"\s*(.+?)\s+of\s+(.+?)\s*(?:;.*)?$", re.S)
_DIRECTIVE: Final = re.compile(r"(?<=\s)\*ng(For|If)(?==)")
_OTHER: Final = re.compile(r"""(?<=\s)(?:\*\w+|\(\(?[\w.@-]+\)?\)|\[\([\w.]+\)\])(?:=(?:"[^"]*"|'[^']*'))?""")
_INPUT: Final = re.compile(r"""(?<=\s)\[([\w.-]+)\](?==(?:"|'))""")
_REFERENCE: Final = re.compile(r"""(?<=\s)#(\w+)(?:="[^"]*")?""")
_ALIAS: Final = re.compile(r"\s*;.*$", re.S)
_PIPE: Final = re.compile(r"(?<!\|)\|(?!\|).*$", re.S)
_TEXTS: Final = ("innerHTML", "innerText", "textContent")
_LONGEST_HEAD: Final = 500  # characters of what stands between the brackets of a block


def angular_markup(markup: str) -> str:
    """A template without comments and style sheets, its directives as attributes that JSX can hold.

    >>> angular_markup("@for (d of days; track d) {<p>{{ d | uppercase }}</p>}")
    '{(days).map((d) => (<><p>{(d)}</p></>))}'
    """
    markup = _blocks(_LET.sub("", markup))
    markup = _DIRECTIVE.sub(lambda match: f"ng-{match[1].lower()}", markup)
    return _REFERENCE.sub(r'ng-ref="\1"', _INPUT.sub(_input, _OTHER.sub("", markup)))


def without_pipes(expression: str) -> str:
    """An expression without the pipes that only change how a value is written.

    >>> without_pipes("rows | async"), without_pipes("a || b")
    ('rows', 'a || b')
    """
    return _PIPE.sub("", expression).strip()


def condition_of(written: str) -> str:
    """The condition of `*ngIf="rows.length; else empty"`."""
    return without_pipes(_ALIAS.sub("", written))


def _input(match: re.Match[str]) -> str:
    name = match[1]
    if name in _TEXTS:
        return "v-html"
    return f"v-bind-{name}" if "." not in name else "ng-style"


def _blocks(markup: str) -> str:
    """Blocks as loops and conditions, interpolations in single braces; a brace that belongs to none stays out."""
    pieces: list[str] = []
    ends: list[str] = []
    at = 0
    while (token := _TOKEN.search(markup, at)) is not None:
        pieces.append(markup[at : token.start()])
        text, at = token[0], token.end()
        if text == "@":
            begin, end, at = _begun(markup, token.start())
            pieces.append(begin)
            ends += [end] if end else []
        elif text == "}":
            if ends:
                at = _continued(markup, at, pieces, ends)
        elif text != "{":
            pieces.append(f"{{({without_pipes(text[2:-2])})}}")
    pieces += [markup[at:], *reversed(ends)]
    return "".join(pieces)


def _begun(markup: str, start: int) -> tuple[str, str, int]:
    """What a block begins with, what it ends with ("" for no block), and where its content begins."""
    match = _BLOCK.match(markup, start)
    head, at = _head(markup, match.end()) if match is not None else ("", start + 1)
    if match is None or markup[at : at + 1] != "{":
        return "&#64;", "", start + 1
    kind = match[1]
    loop = _FOR.match(head) if kind == "for" else None
    if loop is not None:
        return f"{{({without_pipes(loop[2])}).map(({loop[1]}) => (<>", "</>))}", at + 1
    if kind == "if":
        return f"{{({condition_of(head) or 'unknown'}) ? (<>", "</>) : null}", at + 1
    return ("{false && (<>", "</>)}", at + 1) if kind in ("empty", "placeholder", "loading", "error") else ("<>", "</>", at + 1)


def _continued(markup: str, at: int, pieces: list[str], ends: list[str]) -> int:
    """Close the innermost block, or go on with the branch that follows a condition; where what follows begins."""
    end = ends.pop()
    match = _BLOCK.match(markup, at + len(markup[at:]) - len(markup[at:].lstrip())) if end.endswith("null}") else None
    if match is None or match[1] not in ("else", "else if"):
        pieces.append(end)
        return at
    head, begin = _head(markup, match.end())
    if markup[begin : begin + 1] != "{":
        pieces.append(end)
        return at
    pieces.append(f"</>) : ({condition_of(head)}) ? (<>" if match[1] == "else if" else "</>) : (<>")
    ends.append(end if match[1] == "else if" else "</>)}")
    return begin + 1


def _head(markup: str, at: int) -> tuple[str, int]:
    """What stands in brackets at a place, and where what follows it begins."""
    if markup[at : at + 1] != "(":
        return "", at
    depth = 0
    for place in range(at, min(len(markup), at + _LONGEST_HEAD)):
        depth += {"(": 1, ")": -1}.get(markup[place], 0)
        if depth == 0:
            rest = markup[place + 1 : place + 1 + _LONGEST_HEAD]
            return markup[at + 1 : place], place + 1 + len(rest) - len(rest.lstrip())
    return "", at
