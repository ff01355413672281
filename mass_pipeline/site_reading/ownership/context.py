"""Which words govern the hours of a line: the headings above, the lines that lead to it, its own, those after it.

Not here: what the words say (`counter_evidence`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mass_pipeline.model.document import Document, Line, LineKind, Region
from mass_pipeline.reading.phrases.lines import nodes_of
from mass_pipeline.reading.phrases.nodes import InList, OnDays, Sep, Word
from mass_pipeline.reading.regular.boxes import governs
from mass_pipeline.reading.words.expressions import expression
from mass_pipeline.reading.words.folding import fold
from mass_pipeline.reading.words.known_words import without_towns
from mass_pipeline.reading.words.prefilter import without_contact

_MOST_LEADING: Final = 3  # lines without hours above that lead to them
_MOST_TRAILING: Final = 3  # and below that take them back
_LEAST_WORDS: Final = 3
_MOST_WORDS: Final = 60  # of a line that leads
_MOST_NAME_WORDS: Final = 8
_CHURCH: Final = re.compile(r"\b(?:parafi(?!aln)|kosci[oe]l|zbor\b|cerk(?:iew|wi)|kaplic|wspolnot|u nas\b)")  # folded
_TELLS: Final = expression("<tells>")
_MOST_CELLS: Final = 40  # of one row of a table
_TODAY: Final = re.compile(r"\W*(?:dzis(?:iaj)?|obecnie|aktualnie|wspolczesnie|w (?:obecnych|dzisiejszych) czasach)\b(?! \w+ \d)")
_LONGEST: Final = 1000  # characters at either end
_LISTS_HOURS: Final = re.compile(r":(?:[\s,;i–-]*\d{1,2}[.:]\d\d)+\W*$")
_LONGEST_LABEL: Final = 40  # characters: "Od poniedziałku do soboty:"
_OTHER_TOPIC: Final = re.compile(r"(?:[©]|tel\.|copyright|wszelkie prawa)", re.I)


@dataclass(frozen=True, slots=True)
class Context:
    """The words around the hours of a line, as written.

    Attributes:
        line: position in the document.
        headings: above, outermost first.
        lead: lines without hours between the last heading or hours and this line.
        before: of the line, up to its first hour; cells of its row before it.
        own: the whole line.
        trail: lines after the hours, up to the next heading.
        church: the nearest short line above, no heading, that names a church or a parish; "" where none does.
        cell: first cell of its row, "" outside tables.
        region: part of the page.
        title: of the page.
    """

    line: int
    headings: tuple[str, ...]
    lead: str
    before: str
    own: str
    trail: str
    cell: str
    region: Region
    church: str = ""
    title: str = ""

    @property
    def row(self) -> str:
        """The whole line, with the first cell of its row."""
        return f"{self.cell} | {self.own}"


class Outline:
    """Which headings are open where, and which lines make up the rows of tables: one look at a page, for all of its notices.

    Args:
        document: the page.
    """

    def __init__(self, document: Document) -> None:
        self._changes: list[int] = []  # lines after which something else is open than before
        self._open: list[tuple[tuple[tuple[int, int], ...], Region]] = []
        self.cells: dict[tuple[int, int], list[int]] = {}  # table and row -> lines
        above: tuple[tuple[int, int], ...] = ()
        region = Region.MAIN
        for index, line in enumerate(document.lines):
            before = above, region
            if line.region is not region and Region.HEADER not in (line.region, region):
                above = ()
            region = line.region
            if line.kind is LineKind.HEADING:
                above = (*(one for one in above if one[1] < line.level), (index, line.level))
            if (above, region) != before:
                self._changes.append(index)
                self._open.append((above, region))
            if line.table >= 0:
                self.cells.setdefault((line.table, line.row), []).append(index)

    def before(self, line: int) -> tuple[list[tuple[int, int]], Region]:
        """Position and level of the headings that are open when a line begins, and the part of the page before it."""
        at = bisect_left(self._changes, line)
        above, region = self._open[at - 1] if at else ((), Region.MAIN)
        return list(above), region


def contexts(document: Document, hours: Mapping[int, int], outline: Outline | None = None) -> Iterator[Context]:
    """The context of every line with hours.

    Args:
        document: the page.
        hours: line -> where its first hour begins, in any order.
        outline: of the page; None makes it anew.
    """
    if not hours:
        return
    outline = outline or Outline(document)
    with_hours = hours.keys()
    rows = _rows(document, with_hours, outline)
    first = min(with_hours)
    above, region = outline.before(first)
    for index in range(first, max(with_hours) + 1):
        line = document.lines[index]
        if line.region is not region and Region.HEADER not in (line.region, region):
            above = []
        region = line.region
        if line.kind is LineKind.HEADING and index not in with_hours:
            above = [one for one in above if one[1] < line.level]
            above.append((index, line.level))
        if index not in hours:
            continue
        open_now = [at for at, _ in above if governs(document, at, index)]
        headings = tuple(document.lines[at].text for at in open_now)
        label, cells = rows.get(index, ("", ""))
        own = without_contact(line.text)
        before = own[: hours[index]]
        today = turns_to_today(before)
        yield Context(
            index,
            headings,
            "" if today else _lead(document, index, with_hours),
            " | ".join(part for part in (cells, line.row_header, line.column_header, before) if part),
            own,
            _trail(document, index, with_hours),
            label,
            line.region,
            "" if today else _church(document, index, with_hours),
            document.title,
        )


def turns_to_today(before: str) -> bool:
    """Whether a line that tells hours begins with today: `Dziś parafia modli się w takim rytmie`, whatever was said above.

    A day may be meant by "dziś" where the line says no more before its hour.
    """
    return _TODAY.match(fold(before)) is not None and len(before.split()) > _LEAST_WORDS


def _rows(document: Document, lines: Collection[int], outline: Outline) -> dict[int, tuple[str, str]]:
    """Line in a table -> first cell of its row, all cells before it."""
    found = {}
    for at in lines:
        line = document.lines[at]
        row = outline.cells[line.table, line.row][:_MOST_CELLS] if line.table >= 0 else []
        earlier = [document.lines[one] for one in row if document.lines[one].column < line.column]
        if earlier:
            label = " ".join(one.text for one in earlier if one.column == earlier[0].column)
            found[at] = label, " ".join(one.text for one in earlier if not any(map(str.isdigit, one.text)))
    return found


def _lead(document: Document, index: int, with_hours: Collection[int]) -> str:
    """Lines above that lead to the hours; the search passes the hours of the same list."""
    found: list[str] = []
    region, at = document.lines[index].region, index - 1
    for _ in range(_MOST_CELLS):
        if at < 0 or len(found) >= _MOST_LEADING:
            break
        line = document.lines[at]
        if line.region is not region or line.kind is LineKind.HEADING:
            break
        if _is_of_another_row(line, document.lines[index]) or (at not in with_hours and _has_hours_of_its_own(document, at)):
            at -= 1
            continue
        if at not in with_hours and _leads(line.text):
            found.append(line.text)
        elif at not in with_hours and found:
            break
        at -= 1
    return " ".join(reversed(found))


def _church(document: Document, index: int, with_hours: Collection[int]) -> str:
    """`Zbór baptystów` in a line of its own over hours is no heading of the page, and says whose they are."""
    region = document.lines[index].region
    for at in range(index - 1, max(-1, index - _MOST_CELLS), -1):
        line = document.lines[at]
        if line.region is not region or line.kind is LineKind.HEADING:
            break
        few = at not in with_hours and len(line.text.split()) <= _MOST_NAME_WORDS
        if few and names_church(line.text):
            return line.text
    return ""


def names_church(text: str) -> bool:
    """Whether a short line names a church or a parish, and tells nothing of it.

    >>> names_church("Zbór baptystów"), names_church("Proboszczem parafii jest ks. Adam Nowy.")
    (True, False)
    """
    folded = fold(text)
    return _CHURCH.search(folded) is not None and _TELLS.search(folded) is None


def _is_of_another_row(line: Line, cell: Line) -> bool:
    """`9.00 | Odsłonięcie obrazu`: what a row says beside its own hour leads to no hour of the rows below."""
    return line.table == cell.table >= 0 and line.row != cell.row and line.column > cell.column


def _has_hours_of_its_own(document: Document, at: int) -> bool:
    """`Odjazdy autobusu: 15.45, 16.45`: a label with hours behind it, in its line or its row, leads to no hour below."""
    line, following = document.lines[at], document.lines[at + 1]
    behind = following.text if line.table >= 0 and (following.table, following.row) == (line.table, line.row) else ""
    return _LISTS_HOURS.search(f"{line.text}: {behind}" if behind else line.text) is not None


def _trail(document: Document, index: int, with_hours: Collection[int]) -> str:
    found: list[str] = []
    region, at = document.lines[index].region, index + 1
    for _ in range(_MOST_CELLS):
        if at >= len(document.lines) or len(found) >= _MOST_TRAILING:
            break
        line = document.lines[at]
        if line.region is not region or line.kind is LineKind.HEADING or _OTHER_TOPIC.search(line.text) or _heads_list(line.text):
            break
        if at not in with_hours:
            found.append(line.text)
        at += 1
    return " ".join(found)


@lru_cache(maxsize=1024)
def _heads_list(text: str) -> bool:
    """`W dni powszednie:` in a line of its own: what follows is said of another list."""
    nodes = nodes_of(text) if len(text) <= _LONGEST_LABEL else ()
    named = any(isinstance(node, (InList, OnDays)) for node in nodes)
    return named and all(isinstance(node, (InList, OnDays, Sep)) or (isinstance(node, Word) and node.marker) for node in nodes)


def _leads(text: str) -> bool:
    """A sentence, or words before a colon; links of a menu are neither."""
    words = len(text.split())
    return (_LEAST_WORDS <= words <= _MOST_WORDS or text.rstrip().endswith(":")) and _OTHER_TOPIC.search(text) is None


def folded(*parts: str) -> str:
    """Parts folded and joined by a bar, so that no pattern reaches from one into the next; long ones cut at both ends, names of
    towns left out."""
    return " | ".join(fold(without_towns(shortened(part))) for part in parts if part)


def shortened(text: str) -> str:
    """The beginning and the end of a long text: what governs hours stands near them."""
    return text if len(text) <= 2 * _LONGEST else f"{text[:_LONGEST]} | {text[-_LONGEST:]}"
