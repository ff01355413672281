"""Bring component files of Vue, Svelte, Astro and Angular into code and a template in the form of JSX.

The template keeps its texts and attributes; directives become attributes and calls that `showing` knows. Rewriting is by
expressions that never look back, so it is linear.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from mass_pipeline.extraction.code.angular import angular_markup

_ATTRIBUTES: Final = r"""(?:[^<>"']|"[^"]{0,2000}"|'[^']{0,2000}'|=>)*+"""
_SCRIPT: Final = re.compile(rf"<script\b{_ATTRIBUTES}>(.*?)(?:</script\s*>|\Z)", re.I | re.S)
_STYLE: Final = re.compile(rf"<style\b{_ATTRIBUTES}>.*?(?:</style\s*>|\Z)", re.I | re.S)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)|<!doctype[^>]*>", re.I | re.S)
_VOID: Final = re.compile(rf"<(br|hr|img|input|meta|link|wbr|source)\b({_ATTRIBUTES})>", re.I)
_FENCE: Final = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.S | re.M)
_INTERPOLATION: Final = re.compile(r"\{\{((?:[^{}]|\{(?!\{)|\}(?!\})){0,500})\}\}")
_BOUND: Final = re.compile(r"(?<=\s)(?::|v-bind:)([\w.-]+)(?==)")
_CLICK: Final = re.compile(r"(?<=\s)(?:@|v-on:)click(?:\.(?:prevent|stop))*(?==)")
_EVENT: Final = re.compile(r"""(?<=\s)[@#][\w.:\[\]-]*(?:=(?:"[^"]*"|'[^']*'))?""")
_EACH: Final = re.compile(
    r"\{#each\s+(.{1,300}?)\s+as\s+([^{}]*?\{[^{}]*\}[^{}()]*?|\[[^\]]*\][^{}()]*?|[^{}()]*?)\s*(?:\([^{}]*\))?\s*\}", re.S
)
_BLOCKS: Final = (
    (re.compile(r"\{#(?:await|key|snippet)\s[^{}]*\}", re.S), "<>"),
    (re.compile(r"\{:(?:else|then|catch)[^{}]*\}"), " "),
    (re.compile(r"\{/each\}"), "</>))}"),
    (re.compile(r"\{/(?:await|key|snippet)\}"), "</>"),
    (re.compile(r"\{@html\s+"), "{__html("),
    (re.compile(r"\{@(?:const|debug|render)[^{}]*\}"), " "),
)
_BRANCH: Final = re.compile(r"\{(?:#(if|each)\s|:(else(?:\s+if\s)?)|/(if|each)\b)((?:[^{}]|\{[^{}]*\})*)\}", re.S)
_THEN: Final = re.compile(
    r"\{#await\s+([^{}]{1,300}?)(?:\}(?:[^{]|\{(?!:then|/await))*?\{:then\s+|\s+then\s+)([^{}]{1,100})\}", re.S
)
_HTML_CALL: Final = re.compile(r"\{__html\(([^{}]*)\}")
_SHORTHAND: Final = re.compile(r"(?<=\s)\{(\w+)\}(?=[\s/>])(?=[^<]*>)")


class Component(NamedTuple):
    """A component file taken apart: its code, and its template as the inside of a JSX fragment."""

    code: str
    template: str


def vue_parts(text: str) -> Component:
    """A single-file component of Vue."""
    code = "\n".join(_SCRIPT.findall(text))
    rest = _bare(_SCRIPT.sub("", text))
    start = rest.find("<template")
    begin, end = rest.find(">", start) + 1, rest.rfind("</template")
    inside = rest[begin:end] if 0 <= start < end else ""
    return Component(code, vue_template(inside))


def vue_template(markup: str) -> str:
    """A template of Vue: interpolations in single braces, directives as attributes that JSX can hold."""
    markup = _CLICK.sub("ng-click", markup)
    markup = _BOUND.sub(r"v-bind-\1", _EVENT.sub("", _INTERPOLATION.sub(r"{(\1)}", markup)))
    return _closed(markup)


def angular_template(markup: str) -> str:
    """A template of Angular."""
    return _closed(angular_markup(_bare(markup)))


def svelte_parts(text: str) -> Component:
    """A component of Svelte: blocks become loops and fragments; both branches of a condition are kept."""
    code = "\n".join(_SCRIPT.findall(text))
    markup = _bare(_SCRIPT.sub("", text))
    markup = _branches(_awaited(markup))
    markup = _EACH.sub(r"{(\1).map((\2) => (<>", markup)
    for pattern, replacement in _BLOCKS:
        markup = pattern.sub(replacement, markup)
    markup = _HTML_CALL.sub(r"<span dangerouslySetInnerHTML={\1} />", markup)
    return Component(re.sub(r"^(\s*)\$:\s*(?=\w+\s*=)", r"\1let ", code, flags=re.M), _closed(_SHORTHAND.sub(r"\1={\1}", markup)))


def _branches(markup: str) -> str:
    """`{#if a}..{:else if b}..{:else}..{/if}` as `{(a) ? <>..</> : (b) ? <>..</> : <>..</>}`; the `else` of a loop is left."""
    pieces, position = [], 0
    open_blocks: list[tuple[str, bool]] = []  # kind, and whether its `else` was met
    for match in _BRANCH.finditer(markup):
        kind, written = match[1] or match[3], ""
        if match[1]:
            open_blocks.append((match[1], False))
            written = f"{{({match[4]}) ? <>" if kind == "if" else match[0]
        elif match[2] and open_blocks and open_blocks[-1][0] == "if":
            is_last = match[2] == "else"
            open_blocks[-1] = "if", is_last
            written = "</> : <>" if is_last else f"</> : ({match[4]}) ? <>"
        elif match[3] and open_blocks and open_blocks[-1][0] == match[3]:
            has_else = open_blocks.pop()[1]
            written = match[0] if kind == "each" else "</>}" if has_else else "</> : null}"
        else:
            written = match[0]
        pieces += [markup[position : match.start()], written]
        position = match.end()
    return "".join([*pieces, markup[position:]])


def _awaited(markup: str) -> str:
    """`{#await x}..{:then y}..{/await}` shows what is there once `x` has come."""
    if not _THEN.search(markup):
        return markup
    markup = re.sub(r"\{:catch[^{}]*\}(?:[^{]|\{(?!/await))*(?=\{/await\})", "", _THEN.sub(r"{\1.then((\2) => (<>", markup))
    return markup.replace("{/await}", "</>))}")


def astro_parts(text: str) -> Component:
    """A component of Astro: code between the fences, then a template that is JSX but for open tags."""
    fence = _FENCE.match(text)
    code, markup = (fence[1], text[fence.end() :]) if fence else ("", text)
    markup = _bare(_SCRIPT.sub("", markup))
    return Component(code, _closed(_SHORTHAND.sub(r"\1={\1}", markup)))


def _bare(markup: str) -> str:
    return _STYLE.sub("", _COMMENT.sub("", markup))


def _closed(markup: str) -> str:
    """Void elements with the slash that JSX wants."""
    return _VOID.sub(lambda match: f"<{match[1]}{match[2].rstrip(' /')} />", markup)
