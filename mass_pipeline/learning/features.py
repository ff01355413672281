"""An hour in its context as a sparse row of hashed features: the input layer of the classifier.

Each word around the marked hour votes several times: with its line distance, with its rank among the words between it and
the hour (clock times are skipped, so the head of a list stays near its last hour), and with its sub-words. Neighbouring
marks, gaps to other hours, heading, day words, block and clock follow. Every group of features is scaled by the root of
its size, as an average would be.

Belongs: what is measured. Not here: which features a model keeps (training) and what they mean (network).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import sparse

from mass_pipeline.learning.schema import INPUT_COLUMNS
from mass_pipeline.learning.tokens import CLOCK, MARK, NEWLINE, NUMBER, WORD, Token, minutes_of, shape, tokens_of

WIDTH: Final = 1 << 18  # of the hashed space; a model keeps a part of it
LEFT_CHARACTERS: Final = 420
RIGHT_CHARACTERS: Final = 270
_RANK_BORDERS: Final = (1, 2, 3, 4, 6, 10)
_LINE_BORDERS: Final = (1, 2, 4)
_GAP_BORDERS: Final = (-720, 0, 1, 31, 60, 61, 90, 121, 241)  # minutes
_NEAR_RANK: Final = 3
_NEAR_LINES: Final = 2
_NEIGHBOURS: Final = 3
_MOST: Final = 5  # clocks, words and tokens are counted up to here
_ROUND: Final = ("00", "15", "30", "45")
_CHUNK: Final = 4096  # hours measured at once: bounds memory, changes nothing

Names = dict[str, list[str]]  # group -> names of its features


def feature_matrix(candidates: pd.DataFrame, keep: npt.NDArray[np.int64] | None = None) -> sparse.csr_matrix:
    """Features of candidate hours.

    Args:
        candidates: has the columns `schema.INPUT_COLUMNS`; others are not read.
        keep: hashed columns to keep, in this order; None for all.

    Returns:
        `(len(candidates), len(keep) or WIDTH)` float32, rows in the order of the frame.
    """
    from sklearn.feature_extraction import FeatureHasher

    hasher = FeatureHasher(WIDTH, input_type="pair", dtype=np.float32, alternate_sign=False)
    parts = []
    for start in range(0, len(candidates), _CHUNK):
        hours = candidates.iloc[start : start + _CHUNK][[*INPUT_COLUMNS]].to_dict("records")
        part = hasher.transform(_weighed(_names_of(hour)) for hour in hours)
        parts.append(part if keep is None else part[:, keep])
    width = WIDTH if keep is None else len(keep)
    return sparse.vstack(parts, format="csr") if parts else sparse.csr_matrix((0, width), dtype=np.float32)


def _weighed(groups: Names) -> Iterator[tuple[str, float]]:
    for group, names in groups.items():
        weight = len(names) ** -0.5 if names else 0.0
        for name in names:
            yield f"{group} {name}", weight


def _names_of(hour: Mapping[Any, Any]) -> Names:
    left, right, heading, days, time, raw, block = (
        str(hour[name] or "") if isinstance(hour[name], str) else ""
        for name in ("left", "right", "heading", "day_scope", "time", "raw", "block")
    )
    left, right = left[-LEFT_CHARACTERS:], right[:RIGHT_CHARACTERS]
    minutes = minutes_of(time)
    groups: Names = {}
    for side, text in (("left", left), ("right", right), ("heading", heading), ("days", days)):
        tokens = tokens_of(text)
        if side == "left":
            tokens.reverse()  # nearest to the hour first
        _add_words(groups, side, tokens)
        if side in ("left", "right"):
            _add_shapes(groups, side, tokens)
            _add_gaps(groups, side, tokens, minutes if side == "right" else -minutes)
    kind, _, region = block.partition("/")
    hours, _, past = time.partition(":")
    groups["time"] = [hours, f"minute {past if past in _ROUND else 'five' if past[-1:] in ('0', '5') else 'odd'}", time[:4]]
    groups["raw"] = [shape(raw)[:8]]
    groups["block"] = [f"kind {kind}", f"region {region}"]
    groups["edge"] = [f"before {shape(left[-2:])}", f"behind {shape(right[:2])}", f"around {shape(left[-1:] + '|' + right[:1])}"]
    groups["index"] = [str(min(int(_number(hour["list_index"])), _MOST + 1))]
    groups["page"] = [str(min(max(int(_number(hour["page_score"]) * 4), 0), 3))]
    return groups


def _number(value: object) -> float:
    return 0.0 if value is None or pd.isna(value) else float(value)  # type: ignore[arg-type, call-overload]


def _add_words(groups: Names, side: str, tokens: Sequence[Token]) -> None:
    """Each word with its line, its rank, its parts, the word before it, and as it stands where it is near."""
    by_line, by_rank, by_part, by_pair, near = (
        groups.setdefault(f"{side} {n}", []) for n in ("line", "rank", "part", "pair", "near")
    )
    lines = rank = 0
    previous = ""
    for kind, word, parts in tokens:
        if kind == NEWLINE:
            lines, previous = lines + 1, ""
        elif kind == WORD:
            rank += 1
            line = bisect_right(_LINE_BORDERS, lines)
            by_line.append(f"{word} {line}")
            by_rank.append(f"{word} {bisect_right(_RANK_BORDERS, rank)}")
            by_part.extend([f"{part} {line}" for part in parts])
            if previous:
                by_pair.append(f"{word} {previous} {line}")
            if rank <= _NEAR_RANK:
                near.append(f"{word} {rank} {line}")
            previous = word


def _add_shapes(groups: Names, side: str, tokens: Sequence[Token]) -> None:
    """The neighbours as they stand (marks, numbers, line breaks) and what kinds of tokens share the hour's lines."""
    for at, (_, text, _) in enumerate(tokens[:_NEIGHBOURS]):
        groups[f"{side} neighbour {at}"] = [text]
    groups[f"{side} neighbours"] = [" ".join(text for _, text, _ in tokens[:2])]
    lines = 0
    for kind, text, _ in tokens:
        lines += kind == NEWLINE
        if lines > _NEAR_LINES:
            break
        if kind in (CLOCK, NUMBER, MARK):
            groups.setdefault(f"{side} {kind}", []).append(f"{text} {lines}")


def _add_gaps(groups: Names, side: str, tokens: Sequence[Token], minutes: int) -> None:
    """Minutes to the nearest other hour, how far it stands and after what, and how many hours there are."""
    clocks = [at for at, (kind, _, _) in enumerate(tokens) if kind == CLOCK]
    end = next((at for at, (kind, _, _) in enumerate(tokens) if kind == NEWLINE), len(tokens))
    if clocks:
        nearest = clocks[0]
        other = minutes_of(tokens[nearest][2][0])
        gap = bisect_right(_GAP_BORDERS, (other if minutes > 0 else -other) - minutes)
        lines = sum(kind == NEWLINE for kind, _, _ in tokens[:nearest])
        groups[f"{side} gap"] = [str(gap)]
        groups[f"{side} gap far"] = [f"{min(nearest, _MOST - 1)} {min(lines, 3)}"]
        groups[f"{side} gap both"] = [f"{gap} {min(nearest, _MOST - 1)}"]
        if nearest == 1:
            groups[f"{side} between"] = [tokens[0][1]]
    counted = (len(clocks), sum(at < end for at in clocks), sum(kind == WORD for kind, _, _ in tokens[:end]))
    for name, count in zip(("clocks", "clocks on line", "words on line"), counted, strict=True):
        groups[f"{side} {name}"] = [str(min(count, _MOST))]
