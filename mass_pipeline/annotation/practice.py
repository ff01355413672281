"""The practice round: questions whose answers are known, with the reason given at once. Nothing of it is stored."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

from mass_pipeline.annotation.questions import Question
from mass_pipeline.annotation.vocabulary import Answer


@dataclass(frozen=True, slots=True)
class Practice:
    """One practice question.

    Attributes:
        question: as it is shown.
        answer: the right one.
        reasons: language -> why it is right, one sentence.
    """

    question: Question
    answer: Answer
    reasons: dict[str, str]


@cache
def practice_round() -> tuple[Practice, ...]:
    """All practice questions, in the order in which they are asked (practice.toml)."""
    rows = tomllib.loads(resources.files(__package__).joinpath("practice.toml").read_text(encoding="utf-8"))["question"]
    return tuple(
        Practice(
            _question(row),
            row["answer"],
            {language: row[language] for language in ("pl", "en")},
        )
        for row in rows
    )


def _question(row: Mapping[str, Any]) -> Question:
    shown = Question("", "", "", row["heading"], row["day_scope"], row["left"], row["raw"], row["right"])
    if row["kind"] == "hour":
        return shown
    return replace(shown, kind="row", mass=json.dumps(row["mass"]), place=row["place"], quote=row["quote"])
