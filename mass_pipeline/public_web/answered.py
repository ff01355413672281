"""What a page of results answers, as one JSON object: for measuring many questions at once. No search here; see `asking`."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from starlette.datastructures import QueryParams

from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.finding.searching import Answer, search
from mass_pipeline.public_web.asking import Question, own_sites, read_question
from mass_pipeline.public_web.params import Params, Refused
from mass_pipeline.public_web.site import Site
from mass_pipeline.public_web.ways import ways

Kind = Literal["masses", "next_best", "ask_place", "not_understood", "nothing"]


def answer_record(site: Site, params: dict[str, str], now: datetime) -> dict[str, object]:
    """What `/msze` with these parameters shows.

    Args:
        site: over the index in force.
        params: of the address: `q`, `lat`, `lon` and so on.
        now: the moment of asking, Polish wall clock without zone.

    Returns:
        `kind` of the answer; `place` that was searched; `parishes`, `dates` and `hours` shown, each once and in order; `masses`,
        those `nearby`, and `orders` one by one; parishes of the place `without_hours`; `unread` words, `left_out` parts of the
        question, and addresses of `ways` on; what was `searched`; and what the page has a sentence for: `not_served` words with
        the sites of parishes to ask (`own_sites`), towns `also` named, `obligations` of days.

    Raises:
        Refused: there is no index.
    """
    with site.reading() as (index, connection):
        try:
            question = read_question(Params.of(QueryParams(params)), index, connection, site.places(index, connection), now)
        except Refused as refused:
            if refused.status != 400:
                raise
            return {
                "kind": "not_understood",
                **_shown(Answer()),
                "place": None,
                "without_hours": [],
                "left_out": [],
                "unread": [],
                "ways": [],
            }
        answer = Answer() if question.needs_place else search(index, connection, question.asked, now)
        further = ways(question, answer, site.places(index, connection), now.date())
    said = {
        "searched": _searched(question),
        "not_served": list(question.not_served),
        "own_sites": [one.site for one in own_sites(question, answer)],
        "also": [one.name for one in question.also],
        "obligations": {day.isoformat(): kind for day, kind in question.obligations},
    }
    return {
        "kind": _kind(question, answer),
        "place": _place(question, answer),
        **_shown(answer),
        "without_hours": [_parish(one) for one in (*answer.stale, *answer.unknown)],
        "left_out": list(dict.fromkeys((*question.left_out, *answer.left_out))),
        "unread": list(question.untold),
        **said,
        "ways": [one.path for one in further],
    }


def _kind(question: Question, answer: Answer) -> Kind:
    if answer.has_masses or answer.nearby:
        is_whole = (answer.has_masses or question.asked.radius_m) and not (
            answer.left_out or question.left_out or question.village
        )
        return "masses" if is_whole else "next_best"
    if not question.needs_place:
        return "nothing"
    said = question.interpretation
    is_understood = said is not None and (said.place or said.dates or said.start or said.end or said.standing or said.pick)
    return "ask_place" if is_understood or question.towns or question.parishes or not question.unread else "not_understood"


def _searched(question: Question) -> dict[str, object]:
    """The conditions of the search as the page's labels show them; those that were not asked for left out."""
    asked, filters = question.asked, question.asked.filters
    found = {
        "from": asked.start and f"{asked.start:%H:%M}",
        "to": asked.end and f"{asked.end:%H:%M}",
        "pick": asked.pick,
        "standing": asked.standing,
        "language": filters.language,
        "kind": filters.kind or filters.rite,
        "wheelchair": filters.wheelchair,
        "radius_km": asked.radius_m and asked.radius_m / 1000,
    }
    return {key: value for key, value in found.items() if value}


def _place(question: Question, answer: Answer) -> dict[str, object] | None:
    said = question.interpretation.place if question.interpretation else None
    if said is not None:
        return said.to_record()
    return {"name": answer.town.name, "voivodeship": answer.town.voivodeship} if answer.town else None


def _shown(answer: Answer) -> dict[str, object]:
    found = [*answer.exact, *answer.about]
    parishes = [*(one.parish for one in found), *(order.parish for order in answer.orders)]
    return {
        "parishes": list({one.parish_id: _parish(one) for one in parishes}.values()),
        "dates": sorted({one.start.date().isoformat() for one in found}),
        "hours": list(dict.fromkeys(f"{one.start:%H:%M}" for one in found)),
        "masses": [_mass(one) for one in found],
        "nearby": [_mass(one) for one in answer.nearby],
        "orders": [
            {"parish_id": order.parish.parish_id, "days": list(lines.days), "hours": [one.row.mass.time for one in lines.masses]}
            for order in answer.orders
            for lines in order.lists
        ],
    }


def _parish(one: ParishRecord) -> dict[str, object]:
    return {"parish_id": one.parish_id, "name": one.name, "town": one.town, "voivodeship": one.voivodeship}


def _mass(one: Found) -> dict[str, object]:
    return {
        "start": one.start.isoformat(timespec="minutes"),
        "parish_id": one.parish.parish_id,
        "distance_m": None if one.distance_m is None else round(one.distance_m),
    }
