"""What the cells of a table say about the hours in them: headers above and to the left, words to the right, where a row ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from sys import maxsize
from typing import Final

from mass_pipeline.model.document import Document, Line
from mass_pipeline.reading.doubts import Doubts
from mass_pipeline.reading.grammar.alternatives import either_of, season_alone
from mass_pipeline.reading.grammar.denials import with_denials
from mass_pipeline.reading.grammar.non_restrictive import surrounds
from mass_pipeline.reading.grammar.outline import CELL
from mass_pipeline.reading.grammar.reader import Reader
from mass_pipeline.reading.grammar.time_groups import ADDS
from mass_pipeline.reading.phrases.chunker import VIGIL
from mass_pipeline.reading.phrases.lines import PageLine, flatten, nodes_of
from mass_pipeline.reading.phrases.nodes import (
    LISTS_AND_DAYS,
    AtPlace,
    Cond,
    Dated,
    Denial,
    Dimension,
    Group,
    InList,
    InSeason,
    Node,
    NodeLine,
    OfKind,
    OnDays,
    OnNth,
    Op,
    Remark,
    Sep,
    Time,
    When,
    WhichDays,
    Word,
    has,
    left_out,
    operators_in,
    select,
)
from mass_pipeline.reading.phrases.predicates import has_time
from mass_pipeline.reading.words.folding import fold

_NEAR: Final = 40  # lines on either side, a week of several hours a day
_MASS: Final = frozenset({"mass", "anchor"})
_MOST_COLUMNS: Final = 12
_LONGEST_HEADER: Final = 200  # characters
_BETWEEN_HEADERS: Final = " | "  # of columns that one cell spans
_DAYS: Final = frozenset({InList, OnDays, OnNth})
_WHEN: Final = frozenset({InList, OnDays, OnNth, InSeason})
_PRONOUNS: Final = frozenset({"jej", "tej", "niej"})


class Row:
    """The row of a table that is being read.

    Attributes:
        first: position of its first line.
        first_hour: of its first line with an hour, -1 when there is none.
    """

    def __init__(self) -> None:
        self.first = 0
        self.first_hour = -1
        self._place = (-1, -1)
        self._columns: set[int] = set()

    def ends_before(self, line: Line) -> bool:
        """Whether a line begins another row below a full one; where its first cell is empty, the row goes on.

        `Odpust | 6 sierpnia`: what a cell says beside its label governs nothing in other rows.
        """
        table, row = self._place
        return line.table == table and line.row != row and line.column == 0 and len(self._columns) > 1

    def is_left_for(self, line: Line) -> bool:
        """Whether a line stands outside the row."""
        return (line.table, line.row) != self._place and self._place[0] >= 0

    def add(self, line: Line, read: PageLine) -> None:
        """Go on to a line, in a table or not."""
        if (line.table, line.row) != self._place:
            self._place, self.first, self.first_hour, self._columns = (line.table, line.row), read.index, -1, set()
        self._columns.add(line.column)
        if read.has_hour and self.first_hour < 0:
            self.first_hour = read.index


def _headers_of(lines: Sequence[PageLine], document: Document, position: int, beside: Sequence[PageLine]) -> list[Cond]:
    """What governs the hours in a cell, from its headers or, where it has none, the cells to the right.

    The services named there come along with one of the Masses where the cell has several hours of daily Masses.
    """
    line = lines[position]
    source = document.lines[line.index]
    heads = [head[:_LONGEST_HEADER].split(_BETWEEN_HEADERS) for head in (source.column_header, source.row_header) if head]
    headers = [cond for columns in heads for cond in _said_by_all(columns, line.language)]
    if not headers:
        headers = _days_beside(line, beside)
    elif not _is_of_a_column_of_masses(lines, document, position):
        headers += _services(beside)
    of_intention = any("intention" in other.kinds and not (other.nodes and surrounds(other.nodes[0])) for other in beside)
    return [*headers, Dated("intention", 0, 0)] if of_intention else headers


def _services(beside: Sequence[PageLine]) -> list[Cond]:
    """`17.45 | Nowenna`: what else than a Mass the cells after an hour say to happen."""
    kinds: list[Cond] = [
        node
        for other in beside
        if other.kinds and not surrounds(other.nodes[0])
        for node in flatten(other.nodes)
        if isinstance(node, OfKind) and node.value != "person"
    ]  # `18.00 | ks. proboszcz` says who celebrates, `8.00 | po Mszy kancelaria` what comes after
    return [] if any(kind.value in _MASS for kind in kinds) else kinds


def _is_of_a_column_of_masses(lines: Sequence[PageLine], document: Document, position: int) -> bool:
    """Whether the cell of a line holds several hours, one of which another row of its column has too.

    `środa | 7.00, 18.00 | nowenna` beside `czwartek | 7.00, 18.00`: the novena comes along with one of the Masses.
    """
    cell = document.lines[lines[position].index]
    here: set[str] = set()
    elsewhere: set[str] = set()
    count = 0
    for one in lines[max(0, position - _NEAR) : position + _NEAR]:
        other = document.lines[one.index]
        if (other.table, other.column) == (cell.table, cell.column):
            hours = [node.clock.time for node in select(one.nodes, Time)]
            count += len(hours) if other.row == cell.row else 0
            (here if other.row == cell.row else elsewhere).update(hours)
    return count > 1 and not here.isdisjoint(elsewhere)


class CellReader(Reader):
    """A reader that also reads tables, cell by cell."""

    def __init__(self, doubts: Doubts) -> None:
        super().__init__(doubts)
        self._row = Row()
        self._in_rows = False
        self._cell = (-1, -1, -1)
        self._cell_first = maxsize  # its first line
        self._beside: set[int] = set()  # lines of cells that govern the hour before them
        self._seasons: list[Cond] = []  # said there of all hours of the cell
        self._in_column_of_days = False

    def begin_line(self, lines: Sequence[PageLine], document: Document, position: int) -> None:
        """Come to a line, in a table or not: rows and headers before it end, those of its cell begin."""
        if self._in_rows or document.lines[lines[position].index].table >= 0:  # in a table, or right below one
            self._begin_line_of_cell(lines, document, position)

    def _begin_line_of_cell(self, lines: Sequence[PageLine], document: Document, position: int) -> None:
        line = lines[position]
        source = document.lines[line.index]
        if self._row.ends_before(source):
            self._leave_table()  # what the cells of a full row left waiting governs no other row, nor do its headers
            self._forget_from(self._row.first)
            self.outline.leave_kind(self._row.first)
        elif self._row.first_hour >= 0 and self._row.is_left_for(source):
            self._forget_from(self._row.first_hour)
        self._row.add(source, line)
        if (source.table, source.row, source.column) != self._cell:
            self._cell, self._cell_first = (source.table, source.row, source.column), line.index
        headers: list[Cond] = []
        self._in_column_of_days = False
        if source.table >= 0 and line.has_hour and line.index not in self._beside:
            beside = _cells_beside(lines, document, position)
            headers = _headers_of(lines, document, position, beside)
            if beside or self._beside:
                self._look_beside(line, beside)
            if not (source.row_header or source.column_header):  # "11.00 | Msza św. (od maja)" replaces no hour of another row
                self._seasons += select(headers, InSeason)
                headers = [cond for cond in headers if not isinstance(cond, InSeason)]
            days = has(headers, LISTS_AND_DAYS)
            self._in_column_of_days = bool(source.column_header) and days and InSeason not in line.conditions
        if headers and not self.outline.names_days_since(self._cell_first):
            self.begin_cell(headers)
        elif self._in_rows and source.table < 0:
            self._leave_table()
        self._in_rows = source.table >= 0

    def _look_beside(self, line: PageLine, beside: Sequence[PageLine]) -> None:
        """Which cells to the right are dealt with when the hour is read: brackets with hours, and seasons alone."""
        limits = {other.index: _limits_of(other) for other in beside}
        self._beside = {other.index for other in beside if other.has_hour and has_time(line.nodes)}
        self._beside |= {index for index, conds in limits.items() if conds}
        self._seasons = [cond for conds in limits.values() for cond in conds]

    def read_line(self, line: NodeLine) -> None:
        """Read one line; of a cell whose words govern the hour before it only the brackets are left."""
        item = self.run.items[-1] if self.run is not None and self.run.items else None
        if line.index not in self._beside or item is None or self.run is None:
            super().read_line(line)
            if self._seasons:
                seasons, self._seasons = self._seasons, []
                for limited in self.run.items if self.run is not None else ():
                    limited.restrictions.extend(seasons if limited.line == line.index else ())
            return
        self.line = line.index
        for group in (node for node in line.nodes if isinstance(node, Group)):
            self.read_bracket(group, item, self.run, self.outline.copy)

    def read_nodes(self, nodes: Sequence[Node]) -> None:
        """`7.00` below the names of six days stands beside `18.00` below those of three: it replaces nothing."""
        if self._in_column_of_days:
            self.clause.does(ADDS)
        super().read_nodes(nodes)

    def begin_cell(self, headers: Sequence[Cond]) -> None:
        """The headers of a table cell govern the hours in it, with what a line above them in the cell says."""
        self.outline.begin_heading(CELL)
        dims: set[Dimension] = {type(cond) for cond in headers}
        dims |= _DAYS if dims & _DAYS else set()
        own = [item for item in self.block if item.line >= self._cell_first and type(item.cond) in dims]
        self.block = [item for item in self.block if type(item.cond) not in dims]
        for cond in headers:
            self.say(cond, CELL)
        self.block.extend(own)

    def _forget_from(self, line: int) -> None:
        """What waits since a line governs nothing more: it stood after the hours of its row."""
        self.block = [item for item in self.block if item.line < line]

    def _leave_table(self) -> None:
        """What the headers of cells said ends with their table."""
        self.outline.begin_heading(CELL)
        self.block = [item for item in self.block if item.level < CELL]
        self.run = None


def _days_beside(line: PageLine, beside: Sequence[PageLine]) -> list[Cond]:
    """Tables that put the days, or what happens, after the hour; empty where the cell names days itself."""
    if line.conditions & _DAYS:
        return []
    shown = [node for other in beside for node in (other.nodes if other.has_hour else flatten(other.nodes))]
    said = select(shown, Cond)
    found = [cond for cond in said if not isinstance(cond, Remark)]
    if any(_is_remark(other) or any(cond.excluded for cond in _limits_of(other)) for other in beside):
        return []
    kinds = {cond.value for cond in select(found, OfKind)}
    if kinds & _MASS:
        found = [cond for cond in found if not isinstance(cond, OfKind) or cond.value in _MASS]
    return found if kinds or has(found, WhichDays) else []


def _limits_of(line: PageLine) -> list[Cond]:
    """What a cell says of when the hour before it is: `oprócz wakacji`, `w lipcu nie ma`, `bez soboty`; [] of another cell."""
    if line.has_hour or line.conditions.isdisjoint(_WHEN):
        return []
    said = [node for node in line.nodes if not (isinstance(node, Word) and (node.marker or node.text in _PRONOUNS))]
    named = [node for node in select(said, WhichDays) if node.excluded]
    if named and len(named) == len(said):
        return list(named)  # "bez soboty"
    if "without" in operators_in(said):
        when = [left_out(node) for node in said if isinstance(node, When)]
        rest = [node for node in said if not (isinstance(node, (When, Op)) or (isinstance(node, OfKind) and node.value in _MASS))]
        return when if when and not rest else []
    along = _comes_along(select(line.nodes, Cond), frozenset({InSeason}))
    if along or InSeason not in line.conditions or line.conditions & _DAYS or line.plain_words:
        return []  # "w zimie nieogrzewana", "w roku szkolnym z nauką"
    return select(flatten(line.nodes), InSeason)


def _is_remark(line: PageLine) -> bool:
    """`w środę z nowenną`, `w I sobotę z nabożeństwem`, `chrzty w II niedzielę`: what happens on some of the days."""
    conds = select(flatten(line.nodes), Cond)
    christened = any(
        isinstance(one, Remark) and str(one.value).startswith("chrz") and isinstance(then, WhichDays)
        for one, then in pairwise(conds)
    )
    after = any(fold(str(one.value)).startswith(("po msz", "po niej")) for one in select(conds, Remark))
    return (
        christened or after or (bool(line.nodes) and surrounds(line.nodes[0])) or _comes_along(conds, frozenset({OnDays, OnNth}))
    )


def _comes_along(conds: Sequence[Cond], dims: frozenset[Dimension]) -> bool:
    """Whether it is said at once what comes along with the Mass at that time."""
    when = next((index for index, cond in enumerate(conds) if type(cond) in dims), None)
    if when is None or when + 1 >= len(conds) or conds[when].excluded:
        return False
    then = conds[when + 1]
    return isinstance(then, Remark) and (then.value == VIGIL or str(then.value).startswith(("z ", "ze ", "bez ")))


def _cells_beside(lines: Sequence[PageLine], document: Document, position: int) -> list[PageLine]:
    """Cells to the right of a cell, in its row, that begin with words: an hour may stand in brackets after them."""
    cell = document.lines[lines[position].index]
    found: list[PageLine] = []
    for other in lines[position + 1 : position + 1 + _MOST_COLUMNS]:
        beside = document.lines[other.index]
        if (beside.table, beside.row) != (cell.table, cell.row):
            continue
        if all(
            isinstance(node, (Denial, Sep)) and not getattr(node, "changes", False)
            for node in with_denials(other.nodes, other.text)
        ):
            continue  # "w środy nie ma różańca" says nothing of the hours
        words = bool(other.nodes) and isinstance(other.nodes[0], Cond) and not has_time(other.nodes)
        bracket = words and has(other.nodes, Group)  # "poniedziałek, środa (zimą o 17.00)"
        if not other.has_hour or (bracket and beside.column > cell.column):
            found.append(other)
    return found


def _said_by_all(columns: Sequence[str], language: str) -> Sequence[Cond]:
    """What the heads of all columns that a cell spans say together: `pn. | wt.` are both days, `IV-X | XI-III` is the year."""
    said = [_said_in(column, language) for column in columns]
    if len(said) == 1:
        return said[0]
    found: list[Cond] = []
    for dim in dict.fromkeys(type(cond) for one in said for cond in one):
        same = [[cond for cond in one if type(cond) is dim] for one in said]
        found += filter(None, [either_of([cond for conds in same for cond in conds])] if all(same) else [])
    return found


@lru_cache(maxsize=1024)
def _said_in(header: str, language: str) -> Sequence[Cond]:
    """The conditions of a header; `Polany – kaplica` is one place, `lato (IV-IX)` are the months named."""
    nodes = nodes_of(header, language)
    named = [
        season_alone(after) if isinstance(node, InSeason) else None for node, after in zip(nodes, (*nodes[1:], None), strict=True)
    ]
    shown = [months or node for node, months in zip(nodes, named, strict=True)]
    conds = [node for node in select(shown, Cond) if not isinstance(node, Remark)]
    places = [cond for cond in select(conds, AtPlace) if cond.value]
    if len(places) != 2:
        return conds
    joined = replace(places[0], value=f"{places[0].value} – {places[1].value}", end=places[1].end)
    return [joined, *(cond for cond in conds if not isinstance(cond, AtPlace))]
