"""Hours with their remarks in boxes of their own (cards, tiles): each box is the row of a table that only the eye sees.

`<article><div>13:30</div><div>1. niedziela</div></article><article><div>18:00</div></article>`: what stands in a box beside the
hour says nothing of the hour in the next box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from mass_pipeline.extraction.alignment import BARE_HOUR
from mass_pipeline.extraction.drafts import Alignment, LineDraft
from mass_pipeline.model.document import LineKind, common_box

_MOST_REMARKS: Final = 3  # lines in a box beside its hour
_LONGEST_REMARK: Final = 80  # characters

Card = list[LineDraft]


def align_cards(drafts: Sequence[LineDraft], parents: Sequence[int], groups: int) -> None:
    """Note the rows in the drafts themselves.

    Args:
        drafts: of the page, in reading order.
        parents: `parents[b]` is the box around box `b`.
        groups: how many lists of the page are aligned already.
    """
    for cards in _runs_of_cards(drafts, parents):
        groups += 1
        for row, card in enumerate(cards):
            for column, line in enumerate(card):
                line.aligned = Alignment(groups, row, min(column, 1), "")
                line.kind, line.level = LineKind.CELL, 0


def _runs_of_cards(drafts: Sequence[LineDraft], parents: Sequence[int]) -> Iterator[list[Card]]:
    """Neighbouring boxes that begin with nothing but an hour, two and more, some of which say something beside it."""
    run: list[Card] = []
    for card in (*_lines_by_hour(drafts), []):
        if run and card and _is_box(run[-1], card[0], parents):
            run.append(card)
            continue
        if len(run) > 1:
            run[-1] = _trimmed(run, parents)
            if any(len(one) > 1 for one in run):
                yield run
        run = [card] if card else []


def _lines_by_hour(drafts: Sequence[LineDraft]) -> Iterator[Card]:
    """Every line that is nothing but an hour, with the few short ones below it; an empty list where others follow."""
    card: Card = []
    for draft in drafts:
        if draft.cell is None and draft.aligned is None and BARE_HOUR.fullmatch(draft.text):
            if card:
                yield card
            card = [draft]
        elif card and _may_be_remark(draft) and len(card) <= _MOST_REMARKS:
            card.append(draft)
        elif card:
            yield from (card, [])
            card = []
    if card:
        yield card


def _may_be_remark(draft: LineDraft) -> bool:
    plain = draft.kind is not LineKind.HEADING and draft.cell is None and draft.aligned is None
    return plain and len(draft.text) <= _LONGEST_REMARK and not BARE_HOUR.match(draft.text)


def _is_box(card: Card, following: LineDraft, parents: Sequence[int]) -> bool:
    """Whether all lines of a card are nearer to its hour than the next hour is."""
    around = common_box(parents, card[0].block, following.block)
    return around != card[0].block and all(common_box(parents, card[0].block, line.block) > around for line in card[1:])


def _trimmed(run: Sequence[Card], parents: Sequence[int]) -> Card:
    """The last card of a run, without the lines that stand below its box."""
    hour = run[-1][0].block
    around = common_box(parents, run[-2][0].block, hour)
    return list(takewhile(lambda line: common_box(parents, hour, line.block) > around, run[-1]))
