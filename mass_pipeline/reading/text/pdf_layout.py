"""Lines, columns and cells of a page, put together by where its words are drawn.

Words of one baseline are a line; wide gaps that stay open over several lines part columns. Columns that say days or offices and
their hours each for themselves are texts side by side; all others are cells of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mass_pipeline.reading.text.wording import has_hour, is_raised_minutes

if TYPE_CHECKING:
    from mass_pipeline.reading.text.pdf import Word

_SAME_LINE: Final = 0.5  # of the size of letters, between baselines; raised minutes are on the line of their hour
_RAISED: Final = 0.2  # of the size above the baseline
_CELL_GAP: Final = 1.5  # of the size, between words of two cells; a justified line has gaps of one at most
_LEAST_GUTTER: Final = 0.8  # of the size, left open between two columns
_MOST_COLUMNS: Final = 40
_LEAST_ROWS: Final = 2  # that go through the same columns
_FAR_BELOW: Final = 4.0  # of the size; what is farther below belongs to no column above
_SAME_STEP: Final = 0.05  # letters placed one by one at equal steps differ by less
_LEAST_EQUAL: Final = 0.7  # share of equal steps
_SPACE_STEP, _CELL_STEP = 1.5, 4.0  # steps between two words, between two cells
_BEFORE_NUMBERS: Final = re.compile(r"\D*+")
_WORD: Final = re.compile(r"[^\W\d_]{3,}+")
_OF_HOURS: Final = "godz"  # a word that says nothing of the hour after it
_HOURS_ALONE: Final = re.compile(r"[\d\s.:,;–-]+")


class Segment(NamedTuple):
    """Words of a line without a wide gap between them."""

    text: str
    left: float
    right: float


class Row(NamedTuple):
    """A line: its segments from left to right, its baseline and the size of its letters."""

    segments: tuple[Segment, ...]
    base: float
    size: float


class Part(NamedTuple):
    """Lines of text, or rows of cells.

    Attributes:
        rows: of texts; one text in each row unless `is_table`.
        is_column: stands next to another part.
    """

    rows: tuple[tuple[str, ...], ...]
    is_table: bool = False
    is_column: bool = False


def text_of(pages: Sequence[Sequence[Part]]) -> tuple[str, Literal["plain", "html"]]:
    """Plain text when all is lines one below the other, else markup."""
    if not any(part.is_table or part.is_column for parts in pages for part in parts):
        return "\n\n".join("\n".join(row[0] for part in parts for row in part.rows) for parts in pages), "plain"
    return "<hr>".join("".join(map(_markup, parts)) for parts in pages), "html"


def _markup(part: Part) -> str:
    if part.is_table:
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in part.rows)
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
    lines = "".join(f"<p>{escape(row[0])}</p>" for row in part.rows)
    return f"<div>{lines}</div><hr>" if part.is_column else lines


def parts_of(words: Sequence[Word]) -> list[Part]:
    """The parts of a page from its words, in reading order."""
    rows = [_row(line) for line in _lines(words)]
    parts: list[Part] = []
    plain: list[tuple[str, ...]] = []
    at = 0
    while at < len(rows):
        end, columns = _zone(rows, at)
        if end == at:
            plain.append((" ".join(segment.text for segment in rows[at].segments),))
            at += 1
            continue
        if plain:
            parts.append(Part(tuple(plain)))
            plain = []
        parts += columns
        at = end
    return [*parts, Part(tuple(plain))] if plain else parts


# lines ------------------------------------------------------------------------------------------------------------------


def _lines(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Words of one baseline, from the top of the page down."""
    line: list[Word] = []
    base = size = 0.0
    for word in sorted(words, key=lambda one: (-one.base, one.left)):
        if line and base - word.base > _SAME_LINE * max(size, word.size):
            yield line
            line = []
        if not line or word.size > size:
            base, size = word.base, word.size
        line.append(word)
    if line:
        yield line


def _row(line: Sequence[Word]) -> Row:
    words = sorted(line, key=lambda one: one.left)
    size = max(word.size for word in words)
    base = min(word.base for word in words if word.size == size)
    step = _equal_step(words)
    segments: list[Segment] = []
    text, begin, before = "", words[0].left, words[0]
    for word in words:
        gap = word.left - before.right if not step else (word.left - before.left) / step
        is_cell = gap > (_CELL_STEP if step else _CELL_GAP * size)
        if text and is_cell:
            segments.append(Segment(text, begin, before.right))
            text, begin = "", word.left
        if text and is_raised_minutes(text, word.text) and word.base - base > _RAISED * size:
            text += ":"
        elif text and (word.after_space or gap > (_SPACE_STEP if step else word.space / 2)):
            text += " "
        text, before = text + word.text, word
    return Row((*segments, Segment(text, begin, before.right)), base, size)


def _equal_step(words: Sequence[Word]) -> float:
    """The distance at which single letters are placed whatever their width; 0 for lines that are set otherwise."""
    if len(words) < 4 or sum(len(word.text) == 1 for word in words) < len(words) - 1:
        return 0.0
    steps = [two.left - one.left for one, two in pairwise(words)]
    step = median(steps)
    equal = sum(abs(one - step) <= _SAME_STEP * step for one in steps)
    return step if step > 0 and equal >= _LEAST_EQUAL * len(steps) else 0.0


# columns ----------------------------------------------------------------------------------------------------------------

Gap = tuple[float, float]
_FAR: Final = 1e9


def _zone(rows: Sequence[Row], start: int) -> tuple[int, list[Part]]:
    """The row after those that the same columns go through, and the parts that these are; `start` where no two columns begin."""
    gaps: list[Gap] = [(-_FAR, _FAR)]
    end, inner = start, 1
    while end < len(rows):
        row = rows[end]
        left = _left_open(gaps, row)
        if len(_between(left)) < inner or (end > start and rows[end - 1].base - row.base > _FAR_BELOW * row.size):
            break
        gaps, inner, end = left, len(_between(left)), end + 1
    cells = [_cells(row, _between(gaps)) for row in rows[start:end]]
    shared = len(cells)
    while shared and not any(cells[shared - 1][1:]):
        shared -= 1
    if shared < _LEAST_ROWS:
        return start, []
    columns = _columns(cells)
    if len(columns) > 1:
        return end, columns
    return start + shared, _columns(cells[:shared])  # what follows below the first cell is text again


def _left_open(gaps: Sequence[Gap], row: Row) -> list[Gap]:
    for segment in row.segments if len(row.segments) <= _MOST_COLUMNS else ():
        pieces = (piece for gap in gaps for piece in ((gap[0], min(gap[1], segment.left)), (max(gap[0], segment.right), gap[1])))
        gaps = sorted({piece for piece in pieces if piece[1] - piece[0] >= _LEAST_GUTTER * row.size})
    return list(gaps)


def _between(gaps: Sequence[Gap]) -> list[Gap]:
    return [gap for gap in gaps if gap[0] > -_FAR and gap[1] < _FAR]


def _cells(row: Row, gutters: Sequence[Gap]) -> tuple[str, ...]:
    borders = [-_FAR, *(sum(gap) / 2 for gap in gutters), _FAR]
    return tuple(
        " ".join(segment.text for segment in row.segments if left <= segment.left < right) for left, right in pairwise(borders)
    )


def _columns(cells: Sequence[tuple[str, ...]]) -> list[Part]:
    """Columns that speak for themselves one after the other; those between which a row means something as a table."""
    columns = list(zip(*cells, strict=True))
    starts = [0]
    for number in range(1, len(columns)):
        has_hours = any(has_hour(text) for column in columns[starts[-1] : number] for text in column)
        if has_hours and _begins_text(columns, number):
            starts.append(number)
    parts = []
    for first, last in pairwise((*starts, len(columns))):
        rows = [texts for texts in zip(*columns[first:last], strict=True) if any(texts)]
        parts.append(Part(tuple(rows), is_table=last - first > 1, is_column=len(starts) > 1))
    return parts


def _begins_text(columns: Sequence[tuple[str, ...]], number: int) -> bool:
    """Whether a column says whose its hours are, or heads a column of hours, as a text of its own does."""
    texts = [text for text in columns[number] if text]
    if any(has_hour(text) and _says_before(text) for text in texts):
        return True
    after = [text for text in columns[number + 1] if text][1:] if number + 1 < len(columns) else []
    is_label = not any(map(has_hour, texts)) and len(texts) > 1
    return is_label and bool(after) and all(_HOURS_ALONE.fullmatch(text) for text in after)


def _says_before(text: str) -> bool:
    """Whether words stand before the first number of a cell."""
    match = _BEFORE_NUMBERS.match(text)
    return match is not None and any(not word.lower().startswith(_OF_HOURS) for word in _WORD.findall(match.group()))
