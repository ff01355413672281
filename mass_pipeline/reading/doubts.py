"""What a text leaves open: questions with weighted answers, asked while it is read.

Belongs here: the questions and how the readings that follow from their answers are weighed. Not here: where they come up
(`grammar`, `validity`). Nothing is asked of a text that custom or its own words make clear; a clear text costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeVar

_T = TypeVar("_T")
Fired = tuple[int, int, str]  # line and offset of a node, and the name of the rule that dealt with it
# Line, offset and hours of conditions between two hours, how many of them belong to the first, and the features of each.
Cut = tuple[int, int, str, int, tuple[tuple[str, ...], ...]]
Answers = Mapping[str, float]  # answer -> weight; the weights of a question make one

# Weights are judgements of how parishes mean it, not measured; the likeliest answer is what is published.
BARE_FEASTS: Final[Answers] = {"holy days": 0.7, "abolished feasts": 0.3}  # "święta" with nothing beside it: B, H2
DAILY: Final[Answers] = {"every day": 0.8, "weekdays": 0.2}  # "codziennie" where nobody names Sunday: H4
EITHER: Final[Answers] = {"both": 0.4, "first": 0.3, "second": 0.3}  # "lub": decided from week to week: H12
EVENING_BRACKET: Final[Answers] = {"other half of the year": 0.6, "first alone": 0.25, "both": 0.15}  # "17.00 (19.00)"
OTHER_BRACKET: Final[Answers] = {"first alone": 0.6, "both": 0.4}
KNOWN_BRACKET: Final[Answers] = {"other half of the year": 0.95, "first alone": 0.05}  # the months stand elsewhere
EVENING_PAIR: Final[Answers] = {"other half of the year": 0.85, "both": 0.15}  # weekdays "17.00, 18.00 (latem)": C
NEAREST: Final[Answers] = {"behind": 0.8, "before": 0.2}  # "8.00 wtorek 18.00" with no mark between: H5

_MOST_QUESTIONS: Final = 3
_MOST_READINGS: Final = 12
_LEAST_READINGS: Final = 2  # else a text with a question would count as clear
# A text of so many hours is read once again, one of half as many twice, one of a hundred hours in every way: nobody writes an
# order of more, and what a page has resolved twelve times over costs it twelve times as much.
_MOST_HOURS_READ_AGAIN: Final = 1200


class Question(NamedTuple):
    """Something that a text leaves open; equal questions of one text have one answer.

    Attributes:
        kind: what is asked: `feasts`, `daily`, `either`, `bracket`, `nearest`, `season`.
        about: the words or hours in question, "" when the kind says it all.
    """

    kind: str
    about: str = ""


@dataclass(slots=True)
class Doubts:
    """The questions of one reading of a text, with the answers it goes by.

    Attributes:
        given: answers to go by; the likeliest one where none is given.
        asked: every question that came up, with its answers, in the order of the text.
        hours: how many the text holds, those of brackets among them.
        fired: the rules that dealt with nodes (`reading.grammar.rules`), each with the line and offset of the node.
        cuts: to which hours conditions between two of them belong (`reading.grammar.sides`).
    """

    given: Mapping[Question, str] = field(default_factory=dict)
    asked: dict[Question, Answers] = field(default_factory=dict)
    hours: int = 0
    fired: list[Fired] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)

    def answer(self, question: Question, answers: Answers) -> str:
        """The answer to go by."""
        self.asked.setdefault(question, answers)
        return self.given.get(question) or max(answers, key=lambda answer: answers[answer])


def weigh(
    read: Callable[[Doubts], _T], is_worth_it: Callable[[_T], bool] = lambda _: True
) -> tuple[list[tuple[float, _T]], Mapping[Question, Answers]]:
    """Read a text in every way that its open questions allow.

    Args:
        read: reads the text by given answers.
        is_worth_it: whether the likeliest reading is one that anybody will use.

    Returns:
        Pairs of weight and reading, first the one by the likeliest answers; and the questions. A text without questions
        is read once. At most `_MOST_READINGS` readings, fewer of a text of hundreds of hours; the weights of those left out
        are missing from the sum.
    """
    doubts = Doubts()
    first = read(doubts)
    if not doubts.asked or not is_worth_it(first):
        return [(1.0, first)], {}
    closest = sorted(doubts.asked.items(), key=lambda item: max(item[1].values()))[:_MOST_QUESTIONS]
    questions = [question for question, _ in closest]
    combinations = sorted(
        ((prod(weight for _, weight in chosen), chosen) for chosen in product(*(answers.items() for _, answers in closest))),
        key=lambda item: -item[0],
    )
    readings = [(combinations[0][0], first)]
    affordable = _MOST_HOURS_READ_AGAIN // max(1, doubts.hours)
    for weight, chosen in combinations[1 : max(_LEAST_READINGS, min(_MOST_READINGS, affordable))]:
        answers = dict(zip(questions, (answer for answer, _ in chosen), strict=True))
        readings.append((weight, read(Doubts(answers))))
    return readings, doubts.asked
