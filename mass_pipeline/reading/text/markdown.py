"""Markdown, MDX and plain text as HTML: headings, lists, tables, emphasis, front matter; HTML inside Markdown stays.

A line reader on purpose: what parish sites commit is loose Markdown with HTML between. Source: CommonMark 0.31, GitHub tables,
as far as they change what people see. Soft line breaks are kept: authors of schedules write one statement per line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape, unescape
from itertools import pairwise
from typing import Final

FRONT_MATTER: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*\r?$", re.S | re.M)
_FIELD: Final = re.compile(r"^[ \t]*+(?:-[ \t]++)?(?:([\w-]++):[ \t]*+)?(.*)$", re.M)
_MODULE_LINE: Final = re.compile(r"(?:import\s.+\sfrom\s|import\s+['\"]|export\s+(?:const|default|let)\s)")
_HEADING: Final = re.compile(r"[ \t]{0,3}(#{1,6})(?:[ \t]++|(?=\d)|$)")
_RULE: Final = re.compile(r"[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})$")
_BULLET: Final = re.compile(r"([ \t]*)(?:[-+*•]|\d{1,3}[.)])[ \t]+(?=\S)")
_BARE_HOUR: Final = re.compile(r"[ \t]*\d{1,2}[.)][ \t]*\d\d(?!\d)")
_TABLE_RULE: Final = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
_QUOTE: Final = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_HTML_BLOCK: Final = re.compile(r"[ \t]*<(?:[a-zA-Z/!])")
_CELL_BORDER: Final = re.compile(r"(?<!\\)\|")
_EMPTY_TAG: Final = re.compile(r"<([a-zA-Z][\w.-]*+)((?:\s[^<>]*)?)/>")  # as JSX has it; in HTML it is a start tag
_INLINE: Final = re.compile(
    r"(?P<strong>\*\*\*?|__)|(?P<emphasis>(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|\*)|(?P<image>!\[)|(?P<target>\]\([^)\s]{0,400}+(?:\s{1,3}\"[^\"]{0,300}\")?\))"
    r"|(?P<open>\[)|(?P<code>`+)|(?P<escape>\\(?=[\\`*_{}\[\]()#+.!|<>-]))|(?P<break>\\$)|(?P<tag><[/a-zA-Z!][^<>]*>)"
)


def markdown_to_html(text: str) -> str:
    """The same as HTML.

    >>> markdown_to_html("# Msze\\n- **Niedziela**: 8.00"), markdown_to_html("| a | b |\\n|---|---|\\n| 1 | 2 |")[:31]
    ('<h1>Msze</h1><ul><li><b>Niedziela</b>: 8.00</li></ul>', '<table><tr><th>a</th><th>b</th>')
    """
    return _MarkdownReader(text).read()


class _MarkdownReader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._pieces: list[str] = []
        self._indents: list[int] = []
        self._in_table = False
        self._blanks = 0

    def read(self) -> str:
        position = self._front_matter()
        source = self._source
        while position < len(source):
            stop = source.find("\n", position)
            stop = len(source) if stop < 0 else stop
            position = self._line(position, stop)
        self._end_table()
        self._end_lists(0)
        return "".join(self._pieces)

    def _put(self, *pieces: str) -> None:
        self._pieces += pieces

    def _front_matter(self) -> int:
        """Values of the front matter, one line each; `title` also names the page."""
        match = FRONT_MATTER.match(self._source)
        if match is None:
            return 0
        titled = False
        for field in _FIELD.finditer(match[1]):
            name, value = field[1] or "", field[2].rstrip()
            if len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]:
                value = value[1:-1]
            value = escape(unescape(value), quote=False)
            if name.lower() == "title":
                self._put("" if titled else f"<title>{value}</title>")
                name, titled = "", True
            self._put("<p>", f"{name}: " * bool(name), value, "</p>")
        self._put("<hr>")
        return match.end()

    def _line(self, start: int, stop: int) -> int:
        """Read one source line; returns where the next one starts."""
        line = self._source[start:stop].rstrip("\r")
        quote = _QUOTE.match(line)
        if quote:
            line = line[quote.end() :]
        if not line.strip():
            self._end_table()
            self._blanks += 1
            if self._blanks > 1:  # one blank line parts paragraphs, a second one leaves a gap
                self._put("<hr>")
            return stop + 1
        self._blanks = 0
        if "|" in line and (self._in_table or line.lstrip().startswith("|") or self._next_is_table_rule(stop)):
            self._table_row(line)
        elif _HTML_BLOCK.match(line):
            return self._html_block(start + (quote.end() if quote else 0), stop)
        else:
            self._end_table()
            self._text_line(line)
        return stop + 1

    def _text_line(self, line: str) -> None:
        if _RULE.match(line):
            self._end_lists(0)
            self._put("<hr>")
            return
        if _MODULE_LINE.match(line):
            return
        heading = _HEADING.match(line)
        if heading:
            self._end_lists(0)
            name = f"h{len(heading[1])}"
            self._put(f"<{name}>", _inline(line[heading.end() :].rstrip().rstrip("#")), f"</{name}>")
            return
        bullet = None if _BARE_HOUR.match(line) else _BULLET.match(line)
        if bullet:
            self._item(len(bullet[1].expandtabs(4)))
            self._put(_inline(line[bullet.end() :]))
            return
        if not line[:1].isspace():
            self._end_lists(0)
        self._put("<p>", _inline(line), "</p>")

    def _item(self, indent: int) -> None:
        while self._indents and indent < self._indents[-1]:
            self._end_lists(len(self._indents) - 1)
        if not self._indents or indent > self._indents[-1] + 1:
            self._put("<ul>")
            self._indents.append(indent)
        else:
            self._put("</li>")
        self._put("<li>")

    def _end_lists(self, depth: int) -> None:
        while len(self._indents) > depth:
            self._indents.pop()
            self._put("</li></ul>")

    def _next_is_table_rule(self, stop: int) -> bool:
        after = self._source.find("\n", stop + 1)
        following = self._source[stop + 1 : after if after >= 0 else len(self._source)].rstrip("\r")
        return "-" in following and "|" in following and _TABLE_RULE.match(following) is not None

    def _table_row(self, line: str) -> None:
        if _TABLE_RULE.match(line):
            return
        if not self._in_table:
            self._end_lists(0)
            self._put("<table>")
        name = "td" if self._in_table else "th"
        edges = [-1, *(match.start() for match in _CELL_BORDER.finditer(line)), len(line)]
        self._put("<tr>")
        for number, (left, right) in enumerate(pairwise(edges)):
            cell = line[left + 1 : right].strip()
            if cell or number not in (0, len(edges) - 2):
                self._put(f"<{name}>", _inline(cell), f"</{name}>")
        self._put("</tr>")
        self._in_table = True

    def _end_table(self) -> None:
        if self._in_table:
            self._put("</table>")
            self._in_table = False

    def _html_block(self, start: int, stop: int) -> int:
        """Lines of HTML up to a blank line (CommonMark 4.6); the element may stay open after it."""
        self._end_table()
        end = stop
        while end < len(self._source):
            following = self._source.find("\n", end + 1)
            following = len(self._source) if following < 0 else following
            if not self._source[end + 1 : following].strip():
                break
            end = following
        self._put(_EMPTY_TAG.sub(r"<\1\2></\1>", self._source[start:end]), "\n")
        return end + 1


def _inline(text: str) -> str:
    """Text with emphasis, links, images and tags; bold ends with the line that opened it."""
    text = text.strip(" \t\r")
    pieces: list[str] = []
    bold, position = False, 0
    for match in _INLINE.finditer(text):
        if match.start() < position:
            continue
        pieces.append(text[position : match.start()].replace("<", "&lt;"))
        position = match.end()
        if match["strong"]:
            bold = not bold
            pieces.append("<b>" if bold else "</b>")
        elif match["tag"]:
            pieces.append(_EMPTY_TAG.sub(r"<\1\2></\1>", match["tag"]))
        elif match["escape"]:
            pieces.append(escape(text[position : position + 1], quote=False))
            position += 1
    pieces.append(text[position:].replace("<", "&lt;"))
    return "".join(pieces) + "</b>" * bold


_LINE: Final = re.compile(r"[^\r\n\f\v]+")
_DASHES: Final = re.compile(r"\s*+(?:[-=_*~.]\s*+){3,}+$")
_MARK: Final = re.compile(r"\s*[•·▪●◦‣⁃*+-]\s+(?=\S)")


def plain_to_html(text: str) -> str:
    """The same as HTML; bullets become list items, blank lines and rules gaps.

    >>> plain_to_html("Msze:\\n- 8.00 & 10.00\\n---\\nKancelaria")
    '<p>Msze:</p><li>8.00 &amp; 10.00</li><hr><p>Kancelaria</p>'
    """
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    behind = 0
    for match in _LINE.finditer(text):
        gap = text.count("\n", behind, match.start()) > 1
        behind = match.end()
        if match.group().isspace() or _DASHES.match(text, match.start(), match.end()):
            yield "<hr>"
            continue
        bullet = _MARK.match(text, match.start(), match.end())
        name, start = ("li", bullet.end()) if bullet else ("p", match.start())
        yield f"{'<hr>' * gap}<{name}>{escape(text[start:behind], quote=False)}</{name}>"
