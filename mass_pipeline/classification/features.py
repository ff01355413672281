"""An hour in its context as a sparse row of hashed features: the input layer of the classifier.

Each word around the marked hour votes several times: with its line distance, with its rank among the words between it and
the hour (clock times are skipped, so the head of a list stays near its last hour), and with its sub-words. Neighbouring
marks, gaps to other hours, heading, day words, block and clock follow. Every group of features is scaled by the root of
its size, as an average would be.

Belongs: what is measured. Not here: which features a model keeps (training) and what they mean (learned).
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

from mass_pipeline.classification import clock_features as clock
from mass_pipeline.classification.schema import Bools, Ints, texts_of
from mass_pipeline.classification.sparse_rows import WIDTH, RowBuilder, places_of
from mass_pipeline.classification.tokens import BORDER, CLOCK, MARK, NEWLINE, NUMBER, WORD, Hashes, Lexicon, Tables

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

    row: Ints
    number: Ints
    kind: Ints
    hash: Hashes
    minutes: Ints
    line: Ints  # line breaks between token and hour
    rank: Ints  # words between token and hour, itself included
    position: Ints  # tokens between token and hour, 0 for the neighbour


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
    numbers = [lexicon.numbers(texts) for texts in (left, right, texts_of(frame["heading"]), texts_of(frame["day_scope"]))]
    tables = lexicon.tables()
    times = texts_of(frame["time"])
    minutes = np.array([_minutes(time) for time in times], dtype=np.int64)
    for side, sequence in enumerate(numbers):
        tokens = _tokens(sequence, tables, nearest_last=side == _LEFT)
        _word_features(builder, side, tokens, tables)
        if side in (_LEFT, _RIGHT):
            _shape_features(builder, 40 + side * 12, tokens)
            _gap_features(builder, 64 + side * 8, tokens, minutes if side == _RIGHT else -minutes, len(frame))
    _cell_features(builder, frame, left, right, times)
    return builder.matrix()


def _tokens(numbers: Ints, tables: Tables, *, nearest_last: bool) -> _Tokens:
    kinds = tables.kind[numbers] if len(numbers) else numbers
    border = kinds == BORDER
    row = np.cumsum(border)
    if nearest_last:
        numbers, kinds, border, row = numbers[::-1], kinds[::-1], border[::-1], row[::-1]
    inside = ~border
    number, kind, row = numbers[inside], kinds[inside], row[inside]
    if nearest_last and len(row):
        # Rows came out backwards: put them in order again, each row still nearest first.
        order = np.argsort(row, kind="stable")
        number, kind, row = number[order], kind[order], row[order]
    starts = np.searchsorted(row, row)
    return _Tokens(
        row=row,
        number=number,
        kind=kind,
        hash=tables.hash[number] if len(number) else np.zeros(0, dtype=np.uint64),
        minutes=tables.minutes[number] if len(number) else number,
        line=_count_since(kind == NEWLINE, starts),
        rank=_count_since(kind == WORD, starts),
        position=np.arange(len(number)) - starts,
    )


def _count_since(flags: Bools, starts: Ints) -> Ints:
    """How many flags stand from the start of the row up to and with each token."""
    total = np.concatenate(([0], np.cumsum(flags)))
    counted: Ints = total[1:] - total[starts]
    return counted


def _word_features(builder: RowBuilder, side: int, tokens: _Tokens, tables: Tables) -> None:
    words = tokens.kind == WORD
    row, code, exact = tokens.row[words], tokens.hash[words], tokens.rank[words]
    line = np.searchsorted(_LINE_BORDERS, tokens.line[words], side="right")
    base = side * 8
    builder.add(base + 1, row, code, line)
    builder.add(base + 2, row, code, np.searchsorted(_RANK_BORDERS, exact, side="right"))
    _sub_word_features(builder, base + 3, row, tokens.number[words], line, tables)
    same = (row[1:] == row[:-1]) & (tokens.line[words][1:] == tokens.line[words][:-1])
    builder.add(base + 4, row[1:][same], code[1:][same], code[:-1][same], line[1:][same])
    near = exact <= _NEAR_RANK
    builder.add(base + 5, row[near], code[near], exact[near], line[near])


def _sub_word_features(builder: RowBuilder, group: int, row: Ints, number: Ints, line: Ints, tables: Tables) -> None:
    counts = tables.borders[number + 1] - tables.borders[number]
    ends = np.cumsum(counts)
    inner = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    codes = tables.parts[np.repeat(tables.borders[number], counts) + inner]
    builder.add(group, np.repeat(row, counts), codes, np.repeat(line, counts))


def _shape_features(builder: RowBuilder, base: int, tokens: _Tokens) -> None:
    """The neighbours as they stand (marks, numbers, line breaks) and what kinds of tokens share the hour's lines."""
    for position in range(3):
        here = tokens.position == position
        builder.add(base + position, tokens.row[here], tokens.hash[here])
    two = (tokens.position[1:] == 1) & (tokens.row[1:] == tokens.row[:-1])
    builder.add(base + 3, tokens.row[1:][two], tokens.hash[1:][two], tokens.hash[:-1][two])
    line = np.searchsorted(_LINE_BORDERS, tokens.line, side="right")
    for offset, kind in ((4, CLOCK), (5, NUMBER), (6, MARK)):
        here = (tokens.kind == kind) & (tokens.line <= 2)
        builder.add(base + offset, tokens.row[here], tokens.hash[here], line[here])


def _gap_features(builder: RowBuilder, base: int, tokens: _Tokens, minutes: Ints, rows: int) -> None:
    """Minutes to the nearest other hour, how far it stands and behind what, and how many hours there are."""
    clocks = np.flatnonzero(tokens.kind == CLOCK)
    row, first = np.unique(tokens.row[clocks], return_index=True)
    nearest = clocks[first]
    sign = np.where(minutes[row] > 0, 1, -1)
    gap = np.searchsorted(_GAP_BORDERS, sign * tokens.minutes[nearest] - minutes[row], side="right")
    builder.add(base, row, gap)
    builder.add(base + 1, row, np.minimum(tokens.position[nearest], 4), np.minimum(tokens.line[nearest], 3))
    one_between = tokens.position[nearest] == 1
    builder.add(base + 2, row[one_between], tokens.hash[nearest[one_between] - 1])
    builder.add(base + 3, row, gap, np.minimum(tokens.position[nearest], 4))
    everywhere = np.arange(rows)
    total = np.bincount(tokens.row[clocks], minlength=rows)
    on_line = np.bincount(tokens.row[clocks[tokens.line[clocks] == 0]], minlength=rows)
    builder.add(base + 4, everywhere, np.minimum(total, _MOST_CLOCKS))
    builder.add(base + 5, everywhere, np.minimum(on_line, _MOST_CLOCKS))
    words_on_line = np.bincount(tokens.row[(tokens.kind == WORD) & (tokens.line == 0)], minlength=rows)
    builder.add(base + 6, everywhere, np.minimum(words_on_line, 4))


def _cell_features(builder: RowBuilder, frame: pd.DataFrame, left: list[str], right: list[str], times: list[str]) -> None:
    edges = [f"{before[-2:]}\t{behind[:2]}" for before, behind in zip(left, right, strict=True)]
    indexes = [str(int(index)) for index in frame["list_index"].fillna(0).tolist()]
    quarters = [clock.page_quarter(score) for score in frame["page_score"].fillna(0.0).tolist()]
    for group, values, names in (
        (90, times, clock.time_names),
        (91, texts_of(frame["raw"]), clock.raw_names),
        (92, texts_of(frame["block"]), clock.block_names),
        (93, edges, clock.edge_names),
        (94, indexes, clock.index_names),
        (95, quarters, clock.page_names),
    ):
        codes, each = clock.coded(values, names)
        builder.add(group, np.repeat(np.arange(len(frame)), each), codes)


@lru_cache(maxsize=2048)  # a day has 1,440 of them
def _minutes(time: str) -> int:
    hour, _, minute = time.partition(":")
    return int(hour) * 60 + int(minute) if hour.isdigit() and minute.isdigit() else 0
