"""The practice round in the browser. Each answer is a link of its own that our signature keeps honest; nothing is stored."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from mass_pipeline.annotation.practice import practice_round
from mass_pipeline.annotation.vocabulary import Answer
from mass_pipeline.annotation.web.pages import choices, to, visited
from mass_pipeline.annotation.web.site import Site

router = APIRouter()


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
