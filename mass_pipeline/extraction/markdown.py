"""Read Markdown and MDX: headings, lists, tables, emphasis, front matter; HTML inside goes to the HTML reader.

A line reader on purpose: what parish sites commit is loose Markdown with HTML between, and every character must keep
its place in the source. Source: CommonMark 0.31, GitHub tables, as far as they change what people see. Soft line breaks
are kept: authors of schedules write one statement per line.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from mass_pipeline.extraction import html
from mass_pipeline.extraction.builder import PageBuilder

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
_INLINE: Final = re.compile(
    r"(?P<strong>\*\*\*?|__)|(?P<emphasis>(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|\*)|(?P<image>!\[)|(?P<target>\]\([^)\s]{0,400}+(?:\s{1,3}\"[^\"]{0,300}\")?\))"
    r"|(?P<open>\[)|(?P<code>`+)|(?P<escape>\\(?=[\\`*_{}\[\]()#+.!|<>-]))|(?P<break>\\$)|(?P<tag><[/a-zA-Z!][^<>]*>)"
)


def feed(builder: PageBuilder) -> None:
    """Send the structure of the Markdown source to the builder."""
    _MarkdownReader(builder).read()


class _MarkdownReader:
    def __init__(self, builder: PageBuilder) -> None:
        self._builder = builder
        self._source = builder.source
        self._bold = False
        self._indents: list[int] = []
        self._in_table = False
        self._blanks = 0

    def read(self) -> None:
        position = self._front_matter()
        source = self._source
        while position < len(source):
            stop = source.find("\n", position)
            stop = len(source) if stop < 0 else stop
            position = self._line(position, stop)
        self._end_table()
        self._end_lists(0)

    def _front_matter(self) -> int:
        """Values of the front matter, one line each; `title` also names the page."""
        match = FRONT_MATTER.match(self._source)
        if match is None:
            return 0
        for field in _FIELD.finditer(self._source, match.start(1), match.end(1)):
            start = field.start(2)
            end = start + len(field[2].rstrip())
            if end - start > 1 and self._source[start] in "\"'" and self._source[end - 1] == self._source[start]:
                start, end = start + 1, end - 1
            is_title = bool(field[1]) and field[1].lower() == "title"
            if is_title and not self._builder.title:
                self._builder.set_title(start, end)
            self._builder.text(start if is_title or not field[1] else field.start(1), end)
            self._builder.flush()
        self._builder.rule()
        return match.end()

    def _line(self, start: int, stop: int) -> int:
        """Read one source line; returns where the next one starts."""
        line = self._source[start:stop].rstrip("\r")
        quote = _QUOTE.match(line)
        if quote:
            start, line = start + quote.end(), line[quote.end() :]
        if not line.strip():
            self._end_table()
            self._blank_line()
            return stop + 1
        self._blanks = 0
        if "|" in line and (self._in_table or line.lstrip().startswith("|") or self._next_is_table_rule(stop)):
            self._table_row(start, line)
        elif _HTML_BLOCK.match(line):
            return self._html_block(start, stop)
        else:
            self._end_table()
            self._text_line(start, line)
        return stop + 1

    def _blank_line(self) -> None:
        """One blank line parts paragraphs, a second one leaves a gap."""
        self._builder.flush()
        if self._blanks:
            self._builder.rule()
        self._blanks += 1

    def _text_line(self, start: int, line: str) -> None:
        if _RULE.match(line):
            self._end_lists(0)
            self._builder.rule()
            return
        if _MODULE_LINE.match(line):
            return
        heading = _HEADING.match(line)
        if heading:
            self._end_lists(0)
            self._heading(start, line, heading)
            return
        bullet = None if _BARE_HOUR.match(line) else _BULLET.match(line)
        if bullet:
            self._item(len(bullet[1].expandtabs(4)))
            self._inline(start + bullet.end(), start + len(line))
        else:
            if not line[:1].isspace():
                self._end_lists(0)
            self._inline(start, start + len(line))
        self._builder.flush()

    def _heading(self, start: int, line: str, heading: re.Match[str]) -> None:
        name = f"h{len(heading[1])}"
        self._builder.open(name)
        self._inline(start + heading.end(), start + len(line.rstrip().rstrip("#")))
        self._builder.close(name)

    def _item(self, indent: int) -> None:
        while self._indents and indent < self._indents[-1]:
            self._end_lists(len(self._indents) - 1)
        if not self._indents or indent > self._indents[-1] + 1:
            self._builder.open("ul")
            self._indents.append(indent)
        self._builder.open("li")

    def _end_lists(self, depth: int) -> None:
        while len(self._indents) > depth:
            self._indents.pop()
            self._builder.close("ul")

    # tables ---------------------------------------------------------------------------------------------------------

    def _next_is_table_rule(self, stop: int) -> bool:
        after = self._source.find("\n", stop + 1)
        following = self._source[stop + 1 : after if after >= 0 else len(self._source)].rstrip("\r")
        return "-" in following and "|" in following and _TABLE_RULE.match(following) is not None

    def _table_row(self, start: int, line: str) -> None:
        if _TABLE_RULE.match(line):
            return
        if not self._in_table:
            self._end_lists(0)
            self._builder.open("table")
        self._builder.open("tr")
        borders = [match.start() for match in _CELL_BORDER.finditer(line)]
        edges = [-1, *borders, len(line)]
        for number, (left, right) in enumerate(pairwise(edges)):
            outer = number in (0, len(edges) - 2) and not line[left + 1 : right].strip()
            if not outer:
                self._builder.open("td" if self._in_table else "th")
                self._inline(start + left + 1, start + right)
                self._builder.close("td" if self._in_table else "th")
        self._builder.close("tr")
        self._in_table = True

    def _end_table(self) -> None:
        if self._in_table:
            self._builder.close("table")
            self._in_table = False

    # HTML and inline markup -----------------------------------------------------------------------------------------

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
        html.feed(self._builder, start, end, self_closing=True)
        self._builder.flush()
        return end + 1

    def _inline(self, start: int, end: int) -> None:
        """Text with emphasis, links, images and tags; bold ends with the line that opened it."""
        builder = self._builder
        position = start
        while end > start and self._source[end - 1] in " \t\r":
            end -= 1
        for match in _INLINE.finditer(self._source, start, end):
            if match.start() < position:
                continue
            if match.start() > position:
                builder.text(position, match.start())
            position = match.end()
            if match["strong"]:
                self._toggle_bold()
            elif match["tag"]:
                html.feed(builder, match.start(), match.end(), self_closing=True)
            elif match["escape"]:
                builder.text(position, min(position + 1, end), literal=True)
                position += 1
        if position < end:
            builder.text(position, end)
        if self._bold:
            self._toggle_bold()

    def _toggle_bold(self) -> None:
        if self._bold:
            self._builder.close("b")
        else:
            self._builder.open("b")
        self._bold = not self._bold
