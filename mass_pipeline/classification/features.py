"""An hour in its context as a sparse row of hashed features: the input layer of the classifier.

Each token around the marked hour votes three times: with its line distance, with its rank among the words between it and
the hour (clock times are skipped, so the head of a list stays near its last hour), and with its sub-words. Heading, day
words, block, clock and gaps follow. Every group of features is scaled by the root of its size, as an average would be.

Belongs: what is measured. Not here: which features a model keeps (network) and what they mean (learned).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from mass_pipeline.classification.clock_features import clock_features
from mass_pipeline.classification.schema import Ints, texts_of
from mass_pipeline.classification.tokens import CLOCK, MARK, NEWLINE, NUMBER, WORD, Hashes, Lexicon, fold_case

HASH_BITS: Final = 18
WIDTH: Final = 1 << HASH_BITS  # of the hashed space; a model keeps a part of it
LEFT_TOKENS: Final = 70
RIGHT_TOKENS: Final = 45
_LEFT, _RIGHT, _HEADING, _DAYS = range(4)
_RANK_BUCKETS: Final = np.array([0, 1, 2, 3, 4, 6, 10])  # borders of the rank among words
_LINE_BUCKETS: Final = np.array([0, 1, 2, 4])
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)  # golden ratio: spreads consecutive codes over the hashed space
_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)

Indexes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Tokens of one side of many hours, nearest first: row, number, and distances from the hour."""

    row: Ints
    number: Ints
    kind: Ints
    hash: Hashes
    line: Ints  # line breaks between token and hour
    rank: Ints  # words between token and hour, itself included
    position: Ints  # tokens between token and hour, 0 for the neighbour


class _Builder:
    """Collects (row, feature, weight) triples group by group."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._row: list[Ints] = []
        self._column: list[Ints] = []
        self._weight: list[npt.NDArray[np.float32]] = []

    def add(self, group: int, row: Ints, *codes: Hashes | Ints | int) -> None:
        """Add one feature per row entry, hashed from the group and the codes, weighted by 1 / root of the row's count."""
        if not len(row):
            return
        mixed = np.full(len(row), group * 2 + 1, dtype=np.uint64)
        for code in codes:
            mixed = (mixed ^ np.asarray(code, dtype=np.uint64)) * _MULTIPLIER
            mixed ^= mixed >> np.uint64(29)
        mixed *= _MIX
        counts = np.bincount(row, minlength=self._rows)
        self._row.append(row)
        self._column.append((mixed >> np.uint64(64 - HASH_BITS)).astype(np.int64))
        self._weight.append((1.0 / np.sqrt(counts[row])).astype(np.float32))

    def matrix(self, keep: Indexes | None) -> sparse.csr_matrix:
        """Rows by features; only the columns of `keep`, renumbered in its order, when given."""
        row, column = np.concatenate(self._row), np.concatenate(self._column)
        weight, width = np.concatenate(self._weight), WIDTH
        if keep is not None:
            place = np.full(WIDTH, -1, dtype=np.int64)
            place[keep] = np.arange(len(keep))
            column, width = place[column], len(keep)
            known = column >= 0
            row, column, weight = row[known], column[known], weight[known]
        return sparse.csr_matrix((weight, (row, column)), shape=(self._rows, width))


def feature_matrix(candidates: pd.DataFrame, keep: Indexes | None = None, *, chunk: int = 8192) -> sparse.csr_matrix:
    """Features of candidate hours.

    Args:
        candidates: has the columns `schema.INPUT_COLUMNS`; others are not read.
        keep: hashed columns to keep, in this order; None for all.
        chunk: hours measured at once; bounds memory, changes nothing.

    Returns:
        `(n_candidates, len(keep) or WIDTH)` float32 CSR, rows in the order of the frame; an empty frame gives no rows.
    """
    width = WIDTH if keep is None else len(keep)
    if not len(candidates):
        return sparse.csr_matrix((0, width), dtype=np.float32)
    lexicon = Lexicon()
    parts = [_chunk_matrix(candidates.iloc[start : start + chunk], lexicon, keep) for start in range(0, len(candidates), chunk)]
    return parts[0] if len(parts) == 1 else sparse.vstack(parts, format="csr")


def _chunk_matrix(frame: pd.DataFrame, lexicon: Lexicon, keep: Indexes | None) -> sparse.csr_matrix:
    builder = _Builder(len(frame))
    texts = {name: texts_of(frame[name]) for name in ("left", "right", "heading", "day_scope", "time", "raw", "block")}
    left = [numbers[::-1][:LEFT_TOKENS] for numbers in _numbers(texts["left"], lexicon)]
    right = [numbers[:RIGHT_TOKENS] for numbers in _numbers(texts["right"], lexicon)]
    heading, days = _numbers(texts["heading"], lexicon), _numbers(texts["day_scope"], lexicon)
    kinds, hashes, borders, parts = lexicon.tables()
    sides = [_tokens(numbers, kinds, hashes) for numbers in (left, right, heading, days)]
    for side, tokens in enumerate(sides):
        _word_features(builder, side, tokens, borders, parts)
    for side in (_LEFT, _RIGHT):
        _shape_features(builder, side, sides[side])
    names = clock_features(
        texts["time"],
        texts["raw"],
        texts["left"],
        texts["right"],
        texts["block"],
        frame["list_index"].fillna(0).tolist(),
        frame["page_score"].fillna(0.0).tolist(),
    )
    row = np.repeat(np.arange(len(frame)), [len(codes) for codes in names])
    flat = np.fromiter((code for codes in names for code in codes), dtype=np.uint64, count=len(row))
    builder.add(90, row, flat)
    return builder.matrix(keep)


def _numbers(texts: Sequence[str], lexicon: Lexicon) -> list[list[int]]:
    return [lexicon.numbers(fold_case(text)) for text in texts]


def _tokens(numbers: Sequence[list[int]], kinds: Ints, hashes: Hashes) -> _Tokens:
    lengths = np.fromiter((len(n) for n in numbers), dtype=np.int64, count=len(numbers))
    row = np.repeat(np.arange(len(numbers)), lengths)
    number = np.fromiter((n for ns in numbers for n in ns), dtype=np.int64, count=int(lengths.sum()))
    kind = kinds[number] if len(number) else np.zeros(0, dtype=np.int64)
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return _Tokens(
        row=row,
        number=number,
        kind=kind,
        hash=hashes[number] if len(number) else np.zeros(0, dtype=np.uint64),
        line=_count_since(kind == NEWLINE, starts),
        rank=_count_since(kind == WORD, starts),
        position=np.arange(len(number)) - starts,
    )


def _count_since(flags: npt.NDArray[np.bool_], starts: Ints) -> Ints:
    """How many flags stand from the start of the row up to and with each token."""
    total = np.concatenate(([0], np.cumsum(flags)))
    return total[1:] - total[starts] if len(flags) else np.zeros(0, dtype=np.int64)


def _word_features(builder: _Builder, side: int, tokens: _Tokens, borders: Ints, parts: Hashes) -> None:
    words = tokens.kind == WORD
    row, code = tokens.row[words], tokens.hash[words]
    line = np.searchsorted(_LINE_BUCKETS, tokens.line[words], side="right")
    rank = np.searchsorted(_RANK_BUCKETS, tokens.rank[words], side="right")
    base = side * 8
    builder.add(base + 1, row, code, line)
    builder.add(base + 2, row, code, rank)
    _sub_word_features(builder, base + 3, row, tokens.number[words], line, borders, parts)
    if len(row) > 1:
        same = (row[1:] == row[:-1]) & (tokens.line[words][1:] == tokens.line[words][:-1])
        builder.add(base + 4, row[1:][same], code[1:][same], code[:-1][same], line[1:][same])
    near = tokens.rank[words] <= 3
    builder.add(base + 5, row[near], code[near], tokens.rank[words][near], line[near])


def _sub_word_features(builder: _Builder, group: int, row: Ints, number: Ints, line: Ints, borders: Ints, parts: Hashes) -> None:
    counts = borders[number + 1] - borders[number]
    ends = np.cumsum(counts)
    inner = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    builder.add(
        group, np.repeat(row, counts), parts[np.repeat(borders[number], counts) + inner], np.minimum(np.repeat(line, counts), 3)
    )


def _shape_features(builder: _Builder, side: int, tokens: _Tokens) -> None:
    """The neighbours as they stand (marks, numbers, line breaks) and what kinds of tokens share the hour's line."""
    base = 40 + side * 8
    for position in range(3):
        here = tokens.position == position
        builder.add(base + position, tokens.row[here], tokens.hash[here])
    two = (tokens.position[1:] == 1) & (tokens.row[1:] == tokens.row[:-1])
    builder.add(base + 3, tokens.row[1:][two], tokens.hash[1:][two], tokens.hash[:-1][two])
    line = np.searchsorted(_LINE_BUCKETS, tokens.line, side="right")
    for offset, kind in ((4, CLOCK), (5, NUMBER), (6, MARK)):
        here = (tokens.kind == kind) & (tokens.line <= 2)
        builder.add(base + offset, tokens.row[here], tokens.hash[here], line[here])
