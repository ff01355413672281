"""The practice round: questions whose answers are known, with the reason given at once.

Each answer is a link of its own that our signature keeps honest; nothing is stored.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from mass_pipeline.annotation.questions import Question
from mass_pipeline.annotation.vocabulary import Answer
from mass_pipeline.annotation.web.pages import choices, to, visited
from mass_pipeline.annotation.web.site import Site

router = APIRouter()


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


@router.get("/practice", response_class=HTMLResponse)
def show_practice(
    request: Request, step: Annotated[str, Query(max_length=500)] = "", answer: Annotated[Answer | None, Query()] = None
) -> Response:
    """A practice question; with an answer, whether it is right and why; after the last one, how many were right."""
    site = visited(request)
    now = site.clock()
    voter = site.voter(request, now)
    if voter is None:
        return to("/instructions")
    questions = practice_round()[: site.config.practice_questions]
    number, right = _read(site, step, voter.voter_id)
    if number >= len(questions):
        return site.page(request, "practice_end.html", right=right, total=len(questions))
    asked = questions[number]
    is_right = answer == asked.answer
    after = site.signing.form_token(voter.voter_id, f"practice:{number + 1}:{right + is_right}", now=now)
    return site.page(
        request,
        "practice.html",
        number=number + 1,
        total=len(questions),
        question=asked.question,
        answers=choices(asked.question.kind),
        given=answer,
        is_right=is_right,
        practice=asked,
        step=step,
        after=after,
    )


def _read(site: Site, step: str, voter_id: str) -> tuple[int, int]:
    """Number of the question and right answers so far; the beginning for a step that is not ours."""
    form = site.signing.read_form(step, voter_id=voter_id, now=site.clock())
    kind, _, rest = form.subject.partition(":") if form else ("", "", "")
    if kind != "practice":
        return 0, 0
    number, _, right = rest.partition(":")
    return int(number), int(right)
