"""An hour in its context as a sparse row of hashed features: the input layer of the classifier.

Each word around the marked hour votes several times: with its line distance, with its rank among the words between it and
the hour (clock times are skipped, so the head of a list stays near its last hour), and with its sub-words. Neighbouring
marks, gaps to other hours, heading, day words, block and clock follow. Every group of features is scaled by the root of
its size, as an average would be.

Belongs: what is measured. Not here: which features a model keeps (training) and what they mean (network).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from mass_pipeline.learning import clock_features as clock
from mass_pipeline.learning.schema import Bools, Ints, texts_of
from mass_pipeline.learning.sparse_rows import WIDTH, Repeated, RowBuilder, places_of
from mass_pipeline.learning.tokens import CLOCK, MARK, NEWLINE, NUMBER, WORD, Hashes, Lexicon, Tables, ranges

LEFT_CHARACTERS: Final = 420
RIGHT_CHARACTERS: Final = 270
_LEFT, _RIGHT, _HEADING, _DAYS = range(4)
_RANK_BORDERS: Final = np.array([1, 2, 3, 4, 6, 10])
_LINE_BORDERS: Final = np.array([1, 2, 4])
_GAP_BORDERS: Final = np.array([-720, 0, 1, 31, 60, 61, 90, 121, 241])  # minutes
_MOST_CLOCKS: Final = 5
_NEAR_RANK: Final = 3


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Tokens of one side of many hours, sorted by row, nearest to the hour first."""

    begins: Ints  # of each row
    counts: Ints
    row: Ints
    number: Ints
    kind: Ints
    line: Ints  # line breaks between token and hour
    rank: Ints  # words between token and hour, itself included

    def at(self, position: int) -> tuple[Ints, Ints]:
        """Rows that have so many tokens between the hour and another one, and where these stand."""
        row = np.flatnonzero(self.counts > position)
        return row, self.begins[row] + position


def feature_chunks(
    candidates: pd.DataFrame, keep: npt.NDArray[np.int64] | None = None, *, chunk: int = 4096
) -> Iterator[sparse.csr_matrix]:
    """Features of candidate hours, so many rows at a time.

    Args:
        candidates: has the columns `schema.INPUT_COLUMNS`; others are not read.
        keep: hashed columns to keep, in this order; None for all.
        chunk: hours measured at once; bounds memory, changes nothing.

    Yields:
        `(at most chunk, len(keep) or WIDTH)` float32 CSR, rows in the order of the frame; entries may repeat a column
        (they add up). Nothing for an empty frame.
    """
    lexicon = Lexicon()
    places, width = (None, WIDTH) if keep is None else (places_of(keep), len(keep))
    for start in range(0, len(candidates), chunk):
        part = candidates.iloc[start : start + chunk]
        yield _chunk_matrix(part, lexicon, RowBuilder(len(part), places, width))


def feature_matrix(candidates: pd.DataFrame, keep: npt.NDArray[np.int64] | None = None) -> sparse.csr_matrix:
    """All of `feature_chunks` as one matrix with each column once in a row; an empty frame gives no rows."""
    parts = list(feature_chunks(candidates, keep))
    width = WIDTH if keep is None else len(keep)
    matrix = sparse.vstack(parts, format="csr") if parts else sparse.csr_matrix((0, width), dtype=np.float32)
    matrix.sum_duplicates()
    return matrix


def _chunk_matrix(frame: pd.DataFrame, lexicon: Lexicon, builder: RowBuilder) -> sparse.csr_matrix:
    left = [text[-LEFT_CHARACTERS:] for text in texts_of(frame["left"])]
    right = [text[:RIGHT_CHARACTERS] for text in texts_of(frame["right"])]
    columns = left, right, texts_of(frame["heading"]), texts_of(frame["day_scope"])
    numbers, counts = lexicon.cut([text for column in columns for text in column])
    tables = lexicon.tables()
    times = texts_of(frame["time"])
    minutes = np.array([_minutes(time) for time in times], dtype=np.int64)
    begins = np.cumsum(counts) - counts
    for side in range(len(columns)):
        part = slice(side * len(frame), (side + 1) * len(frame))
        tokens = _tokens(numbers, begins[part], counts[part], tables, nearest_last=side == _LEFT)
        _word_features(builder, side, tokens, tables)
        if side in (_LEFT, _RIGHT):
            _shape_features(builder, 40 + side * 12, tokens, tables)
            _gap_features(builder, 64 + side * 8, tokens, tables, minutes if side == _RIGHT else -minutes)
    _cell_features(builder, frame, left, right, times)
    return builder.matrix()


def _tokens(numbers: Ints, begins: Ints, counts: Ints, tables: Tables, *, nearest_last: bool) -> _Tokens:
    """Tokens of the texts that begin there in `numbers` and have so many tokens; read backwards where the last is nearest."""
    own = np.cumsum(counts) - counts
    if nearest_last:
        number = numbers[np.repeat(begins + counts - 1 + own, counts) - np.arange(int(counts.sum()))]
    else:
        number = numbers[ranges(begins, counts)]
    starts = np.repeat(own, counts)
    kind = tables.kind[number]
    return _Tokens(
        begins=own,
        counts=counts,
        row=np.repeat(np.arange(len(counts)), counts),
        number=number,
        kind=kind,
        line=_count_since(kind == NEWLINE, starts),
        rank=_count_since(kind == WORD, starts),
    )


def _count_since(flags: Bools, starts: Ints) -> Ints:
    """How many flags stand from the start of the row up to and with each token."""
    total = np.concatenate(([0], np.cumsum(flags)))
    counted: Ints = total[1:] - total[starts]
    return counted


def _word_features(builder: RowBuilder, side: int, tokens: _Tokens, tables: Tables) -> None:
    words = np.flatnonzero(tokens.kind == WORD)
    row, number, exact = tokens.row[words], tokens.number[words], tokens.rank[words]
    line = np.searchsorted(_LINE_BORDERS, tokens.line[words], side="right")
    base = side * 8
    steps = len(_LINE_BORDERS) + 1
    keys = Repeated.of(number * steps + line, len(tables.kind) * steps)
    distinct, distinct_line = np.divmod(keys.distinct, steps)
    builder.add_repeated(base + 1, row, keys, tables.hash[distinct], distinct_line)
    _rank_features(builder, base + 2, row, number, exact, tables)
    sizes = tables.borders[distinct + 1] - tables.borders[distinct]
    parts = tables.parts[ranges(tables.borders[distinct], sizes)]
    builder.add_bundles(base + 3, row, keys, sizes, parts, np.repeat(distinct_line, sizes))
    exact_line = tokens.line[words]
    second = np.flatnonzero((row[1:] == row[:-1]) & (exact_line[1:] == exact_line[:-1])) + 1
    code = tables.hash[number]
    builder.add(base + 4, row[second], code[second], code[second - 1], line[second])
    near = np.flatnonzero(exact <= _NEAR_RANK)
    builder.add(base + 5, row[near], code[near], exact[near], line[near])


def _rank_features(builder: RowBuilder, group: int, row: Ints, number: Ints, exact: Ints, tables: Tables) -> None:
    steps = len(_RANK_BORDERS) + 1
    rank = np.searchsorted(_RANK_BORDERS, exact, side="right")
    keys = Repeated.of(number * steps + rank, len(tables.kind) * steps)
    distinct, distinct_rank = np.divmod(keys.distinct, steps)
    builder.add_repeated(group, row, keys, tables.hash[distinct], distinct_rank)


def _shape_features(builder: RowBuilder, base: int, tokens: _Tokens, tables: Tables) -> None:
    """The neighbours as they stand (marks, numbers, line breaks) and what kinds of tokens share the hour's lines."""
    for position in range(3):
        row, here = tokens.at(position)
        builder.add(base + position, row, tables.hash[tokens.number[here]])
    row, second = tokens.at(1)
    builder.add(base + 3, row, tables.hash[tokens.number[second]], tables.hash[tokens.number[second - 1]])
    near = np.flatnonzero(tokens.line <= 2)
    kinds = tokens.kind[near]
    for offset, kind in ((4, CLOCK), (5, NUMBER), (6, MARK)):
        here = near[kinds == kind]
        line = np.searchsorted(_LINE_BORDERS, tokens.line[here], side="right")
        builder.add(base + offset, tokens.row[here], tables.hash[tokens.number[here]], line)


def _gap_features(builder: RowBuilder, base: int, tokens: _Tokens, tables: Tables, minutes: Ints) -> None:
    """Minutes to the nearest other hour, how far it stands and after what, and how many hours there are."""
    rows = len(tokens.counts)
    clocks = np.flatnonzero(tokens.kind == CLOCK)
    nearest = clocks[np.diff(tokens.row[clocks], prepend=-1) > 0]
    row, position = tokens.row[nearest], nearest - tokens.begins[tokens.row[nearest]]
    sign = np.where(minutes[row] > 0, 1, -1)
    gap = np.searchsorted(_GAP_BORDERS, sign * tables.minutes[tokens.number[nearest]] - minutes[row], side="right")
    builder.add(base, row, gap)
    builder.add(base + 1, row, np.minimum(position, 4), np.minimum(tokens.line[nearest], 3))
    one_between = position == 1
    builder.add(base + 2, row[one_between], tables.hash[tokens.number[nearest[one_between] - 1]])
    builder.add(base + 3, row, gap, np.minimum(position, 4))
    everywhere = np.arange(rows)
    total = np.bincount(tokens.row[clocks], minlength=rows)
    on_line = np.bincount(tokens.row[clocks[tokens.line[clocks] == 0]], minlength=rows)
    builder.add(base + 4, everywhere, np.minimum(total, _MOST_CLOCKS))
    builder.add(base + 5, everywhere, np.minimum(on_line, _MOST_CLOCKS))
    words_on_line = np.bincount(tokens.row[(tokens.kind == WORD) & (tokens.line == 0)], minlength=rows)
    builder.add(base + 6, everywhere, np.minimum(words_on_line, 4))


def _cell_features(builder: RowBuilder, frame: pd.DataFrame, left: list[str], right: list[str], times: list[str]) -> None:
    edges = [f"{before[-2:]}\t{behind[:2]}" for before, behind in zip(left, right, strict=True)]
    for group, texts, names in (
        (90, times, clock.time_names),
        (91, texts_of(frame["raw"]), clock.raw_names),
        (92, texts_of(frame["block"]), clock.block_names),
        (93, edges, clock.edge_names),
    ):
        _add_cells(builder, group, *clock.coded(np.array(texts, dtype=object), names))
    _add_cells(builder, 94, *clock.coded(frame["list_index"].fillna(0).to_numpy(), clock.index_names))
    _add_cells(builder, 95, *clock.coded(frame["page_score"].fillna(0.0).to_numpy(), clock.page_names))


def _add_cells(builder: RowBuilder, group: int, codes: Hashes, each: int) -> None:
    builder.add(group, np.repeat(np.arange(len(codes) // each), each), codes)


@lru_cache(maxsize=2048)  # a day has 1,440 of them
def _minutes(time: str) -> int:
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute) if hour.isdigit() and minute.isdigit() else 0
