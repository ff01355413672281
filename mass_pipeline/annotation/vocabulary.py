"""Words of the annotation task: kinds of questions, answers, labels, standings, states of an item.

There are two kinds of questions. An *hour* of a page: does a Mass start then? A *row* of a schedule: does the page say so of the
parish's own Masses? What a row's answers decide is whether it is published: `SIDE_OF` gathers the labels that decide the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Kind = Literal["hour", "row"]
Answer = Literal["yes", "no", "cancelled", "unknown", "other", "not_this_parish", "no_mass", "cannot_tell"]
Label = Literal["mass", "not_mass", "cancelled", "yes", "other", "not_this_parish", "no_mass"]
Standing = Literal["trusted", "normal", "banned"]
State = Literal["open", "settled", "disputed", "gold", "retired"]

KINDS: Final[tuple[Kind, ...]] = ("hour", "row")
ANSWERS: Final[Mapping[str, tuple[Answer, ...]]] = {  # the last one says nothing
    "hour": ("yes", "no", "cancelled", "unknown"),
    "row": ("yes", "other", "not_this_parish", "no_mass", "cannot_tell"),
}
STANDINGS: Final[tuple[Standing, ...]] = ("trusted", "normal", "banned")
LABEL_OF_ANSWER: Final[Mapping[str, Mapping[str, str]]] = {
    "hour": {"yes": "mass", "no": "not_mass", "cancelled": "cancelled"},
    "row": {answer: answer for answer in ANSWERS["row"][:-1]},
}
ANSWER_OF_LABEL: Final[Mapping[str, Mapping[str, str]]] = {
    kind: {label: answer for answer, label in labels.items()} for kind, labels in LABEL_OF_ANSWER.items()
}
LABELS: Final[Mapping[str, tuple[str, ...]]] = {kind: tuple(labels.values()) for kind, labels in LABEL_OF_ANSWER.items()}
SIDE_OF: Final[Mapping[str, Mapping[str, str]]] = {  # a wrong row is left out, whatever is wrong with it
    "hour": {label: label for label in LABELS["hour"]},
    "row": {label: "right" if label == "yes" else "wrong" for label in LABELS["row"]},
}

SIDES: Final[Mapping[str, tuple[str, ...]]] = {kind: tuple(dict.fromkeys(sides.values())) for kind, sides in SIDE_OF.items()}


def says_nothing(kind: str) -> Answer:
    """The answer of who cannot tell.

    >>> says_nothing("hour"), says_nothing("row")
    ('unknown', 'cannot_tell')
    """
    return ANSWERS[kind][-1]
