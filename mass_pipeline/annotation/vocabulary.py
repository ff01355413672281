"""Words of the annotation task: answers, labels, standings, states of an item."""

from __future__ import annotations

from typing import Final, Literal

Answer = Literal["yes", "no", "cancelled", "unknown"]
Standing = Literal["trusted", "normal", "banned"]
State = Literal["open", "settled", "disputed", "gold"]

ANSWERS: Final[tuple[Answer, ...]] = ("yes", "no", "cancelled", "unknown")
STANDINGS: Final[tuple[Standing, ...]] = ("trusted", "normal", "banned")
LABEL_OF_ANSWER: Final[dict[str, str]] = {"yes": "mass", "no": "not_mass", "cancelled": "cancelled"}
ANSWER_OF_LABEL: Final[dict[str, str]] = {label: answer for answer, label in LABEL_OF_ANSWER.items()}
