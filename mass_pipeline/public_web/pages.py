"""Pages that answer: the box, results, parish, day, town, diocese, feast, changes; each in Polish and in English."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from mass_pipeline.finding.expansion import MINUTES_A_DAY
from mass_pipeline.finding.feasts import Feast, feast_of, feasts_with_pages, season_near
from mass_pipeline.finding.formats.jsonld import parish_jsonld
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.building import basis_of
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.finding.order import order_lists
from mass_pipeline.finding.searching import PAGE, Answer, search
from mass_pipeline.finding.statements import KINDS, LANGUAGES
from mass_pipeline.public_web.asking import own_sites, read_question
from mass_pipeline.public_web.doubts import why_doubted
from mass_pipeline.public_web.lines import remarks
from mass_pipeline.public_web.params import Params, Refused
from mass_pipeline.public_web.site import RELATIVE_SECONDS, language_of, root_of, visited
from mass_pipeline.public_web.texts import words
from mass_pipeline.public_web.ways import ways
from mass_pipeline.schedules.church_year import is_holy_day

router = APIRouter()
DAYS_SHOWN: Final = 14
_SUNDAY: Final = 6
_CHURCHES: Final = 15  # on the page of a town
_LARGEST: Final = 12  # towns on the first page
_CITY: Final = 5  # parishes at least of each of them
_VALID: Final = timedelta(28)  # how long a sheet for the church door holds
_DAYS_MARKED: Final = 60  # days of which machines are told what the standing order does not say
_FARTHEST: Final = timedelta(days=400)


@router.get("/")
def home(request: Request) -> Response:
    """The box, today's feast, and how much is known; a question put to this address goes on to the results."""
    site = visited(request)
    if Params.of(request.query_params).text("q"):
        root = "/en" if language_of(request).language == "en" else ""
        return RedirectResponse(f"{root}/msze?{request.url.query}", status_code=302)
    with site.reading() as (index, connection):
        states = queries.states(connection)
        today = site.now().date()
        return site.page(
            request,
            "home.html",
            index=index,
            max_age=RELATIVE_SECONDS,
            known=sum(states.get(name, 0) for name in queries.IN_ORDER),
            total=sum(states.values()),
            today=today,
            feast=feast_of(today),
            towns=[one for one in site.places(index, connection).largest[:_LARGEST] if len(one.rows) >= _CITY],
            dioceses=queries.dioceses(connection),
            fields={},
            languages=LANGUAGES,
            kinds=KINDS,
        )


@router.get("/msze")
def results(request: Request) -> Response:
    """Results; every state of the search is an address."""
    site = visited(request)
    params = Params.of(request.query_params)
    now = site.now()
    with site.reading() as (index, connection):
        places = site.places(index, connection)
        question = read_question(params, index, connection, places, now)
        answer = Answer() if question.needs_place else search(index, connection, question.asked, now)
        return site.page(
            request,
            "results.html",
            index=index,
            max_age=RELATIVE_SECONDS,
            question=question,
            answer=answer,
            box=params.text("q"),
            page_number=question.asked.offset // PAGE + 1,
            last_day=queries.last_day(index),
            is_triduum=any(basis_of(day) == "triduum" for day in (question.asked.days or answer.days)[:1]),
            ways=ways(question, answer, places, now.date()),
            own_sites=own_sites(question, answer),
            fields=question.params,
            languages=LANGUAGES,
            kinds=KINDS,
        )


@router.get("/parafia/{name}")
def parish(request: Request, name: str) -> Response:
    """One parish: its order by lists, the next days, changes, where it is."""
    site = visited(request)
    with site.reading() as (index, connection):
        one, moved = _parish(request, connection, name, "")
        if moved is not None or one is None:
            return moved or Response(status_code=404)
        rules = queries.rules_of(connection, one.pk)
        today = site.now().date()
        days = [queries.day_of_parish(index, one, rules, today + timedelta(offset)) for offset in range(_DAYS_MARKED)]
        return site.page(
            request,
            "parish.html",
            index=index,
            max_age=RELATIVE_SECONDS,
            parish=one,
            doubt=why_doubted(language_of(request), one.reason) if one.state == "not_said_current" else "",
            lists=order_lists(rules),
            days=days[:DAYS_SHOWN],
            sunday=days[(_SUNDAY - today.weekday()) % 7],
            coming=next((one for day in days[:DAYS_SHOWN] for one in day.masses if one.start >= site.now()), None),
            changed=[day for day in days[:DAYS_SHOWN] if day.cancelled or any(one.mass.row.exception for one in day.masses)],
            tomorrow=today + timedelta(1),
            gone=_taken_away(days[:DAYS_SHOWN]),
            today=today,
            feast_of=feast_of,
            holy_day=_next_holy_day(days[DAYS_SHOWN - 1].schedule.day),
            changes=queries.changes(connection, one.parish_id, 10),
            jsonld=parish_jsonld(one, rules, days, site.address(request), partial(remarks, words("pl"))),
        )


def _taken_away(days: Sequence[DayOfParish]) -> dict[int, list[date]]:
    """Key of a standing row -> days on which announcements take its Mass away."""
    found: dict[int, list[date]] = {}
    for day in days:
        for rule in day.taken_away:
            found.setdefault(rule.pk, []).append(day.schedule.day)
    return found


def _next_holy_day(shown: date) -> date:
    """The first holy day of obligation after the days that the page shows."""
    return next(day for n in range(1, 367) if is_holy_day(day := shown + timedelta(n)))


@router.get("/parafia/{name}/gablota")
def door(request: Request, name: str) -> Response:
    """The standing order as a sheet to print for the church door, with the day until which it may hang."""
    site = visited(request)
    with site.reading() as (index, connection):
        one, moved = _parish(request, connection, name, "/gablota")
        if moved is not None or one is None:
            return moved or Response(status_code=404)
        lists = order_lists(queries.rules_of(connection, one.pk))
        return site.page(request, "door.html", index=index, parish=one, lists=lists, valid_until=site.now().date() + _VALID)


@router.get("/parafia/{name}/{day}")
def parish_day(request: Request, name: str, day: str) -> Response:
    """One date of a parish, with its basis in words and what is cancelled."""
    site = visited(request)
    asked = _date(day, site.now().date())
    with site.reading() as (index, connection):
        one, moved = _parish(request, connection, name, f"/{asked.isoformat()}")
        if moved is not None or one is None:
            return moved or Response(status_code=404)
        rules = queries.rules_of(connection, one.pk)
        return site.page(
            request,
            "parish_day.html",
            index=index,
            parish=one,
            day=asked,
            feast=feast_of(asked),
            said=queries.day_of_parish(index, one, rules, asked),
            before=asked - timedelta(1),
            after=asked + timedelta(1),
        )


def _parish(
    request: Request, connection: sqlite3.Connection, name: str, rest: str
) -> tuple[ParishRecord | None, Response | None]:
    """The parish of an address, or where to go instead: another slug, another identifier.

    Raises:
        Refused: 404 for nobody's, 410 for a removed one.
    """
    key = name.rsplit("-", 1)[-1]
    root = "/en" if request.url.path.startswith("/en/") else ""
    one = queries.parish(connection, key)
    if one is not None:
        right = f"{root}{one.path}{rest}"
        return (one, None) if request.url.path == right else (None, RedirectResponse(right, status_code=301))
    is_former, heir = queries.alias(connection, key)
    kept = queries.parish(connection, heir) if heir else None
    if kept is not None:
        return None, RedirectResponse(f"{root}{kept.path}{rest}", status_code=301)
    raise Refused(410 if is_former else 404, "error_410" if is_former else "error_404")


@router.get("/miejscowosc/{voivodeship}/{town}")
def town(request: Request, voivodeship: str, town: str) -> Response:
    """The churches of a town with all their hours of the next day that has any left."""
    site = visited(request)
    with site.reading() as (index, connection):
        found = queries.town_of(connection, f"{voivodeship}/{town}")
        if found is None:
            raise Refused(404, "error_404")
        if found.key != f"{voivodeship}/{town}":
            return RedirectResponse(f"{root_of(language_of(request))}/miejscowosc/{found.key}", status_code=301)
        listed = queries.parishes_of(connection, "town_key", found.key)
        now = site.now()
        day, masses = _next_day(index, connection, listed, now)
        churches = dict.fromkeys(one.parish.pk for one in masses)
        shown = set(list(churches)[:_CHURCHES])
        return site.page(
            request,
            "town.html",
            index=index,
            max_age=RELATIVE_SECONDS,
            town=found,
            masses=[one for one in masses if one.parish.pk in shown],
            more=len(churches) - len(shown),
            shown_day=day,
            today=now.date(),
            feast=feast_of(day),
            season=season_near(now.date()),
            others=[one for one in listed if one.pk not in churches],
        )


@router.get("/miejscowosc/{voivodeship}/{town}/swieta")
def feast_of_town(request: Request, voivodeship: str, town: str) -> Response:
    """The feast that is near: which parishes of a town have said their hours for it, and which have not."""
    site = visited(request)
    today = site.now().date()
    season = season_near(today)
    with site.reading() as (index, connection):
        found = queries.town_of(connection, f"{voivodeship}/{town}")
        if found is None or season is None:
            raise Refused(404, "error_404")
        announced, silent = list[Found](), list[ParishRecord]()
        for one in queries.parishes_of(connection, "town_key", found.key):
            rules = queries.rules_of(connection, one.pk) if one.state in IN_TIME_SEARCH else []
            days = [queries.day_of_parish(index, one, rules, day) for day in season.days]
            said = [mass for day in days for mass in day.masses if not mass.is_assumed]
            is_announced = any(rule.row.exception and rule.row.holds_on(day) for rule in rules for day in season.days)
            announced += said if is_announced else []
            silent += [] if is_announced else [one]
        return site.page(
            request, "season.html", index=index, town=found, season=season, masses=announced, silent=silent,
            announced=len({one.parish.pk for one in announced}),
        )  # fmt: skip


def _next_day(
    index: OpenIndex, connection: sqlite3.Connection, parishes: Sequence[ParishRecord], now: datetime
) -> tuple[date, list[Found]]:
    """The hours of today that are still to come, else those of tomorrow, by time."""
    for day in (now.date(), now.date() + timedelta(1)):
        first = queries.minutes_of(index, day)
        masses = queries.of_parishes(index, connection, parishes, first, first + MINUTES_A_DAY - 1)
        coming = [one for one in masses if one.start >= now]
        if coming:
            break
    return day, coming


@router.get("/diecezja/{key}")
def diocese(request: Request, key: str) -> Response:
    """The parishes of a diocese by town, and what is known of them."""
    site = visited(request)
    with site.reading() as (index, connection):
        listed = queries.parishes_of(connection, "diocese_key", key)
        if not listed:
            raise Refused(404, "error_404")
        known = sum(one.is_known for one in listed)
        return site.page(request, "diocese.html", index=index, name=listed[0].diocese, parishes=listed, known=known)


@router.get("/dzien/{name}")
def day_page(request: Request, name: str) -> Response:
    """A date or a feast: what kind of day it is, and how many parishes say something of it."""
    site = visited(request)
    today = site.now().date()
    feast = next((one for one in feasts_with_pages() if one.slug == name), None)
    asked = feast.next_day(today) if feast else _date(name, today)
    with site.reading() as (index, connection):
        states = queries.states(connection)
        return site.page(
            request,
            "day.html",
            index=index,
            day=asked,
            feast=feast or feast_of(asked),
            basis=basis_of(asked),
            said=queries.parishes_that_speak_of(connection, asked),
            known=sum(states.get(one, 0) for one in queries.IN_ORDER),
            coming=_coming(today),
        )


def _coming(today: date) -> list[tuple[date, Feast]]:
    """The coming named days, soonest first."""
    return [(day, one) for day, _, one in sorted((one.next_day(today), one.slug, one) for one in feasts_with_pages())]


@router.get("/zmiany")
def changes(request: Request) -> Response:
    """What was published otherwise than before, newest first."""
    site = visited(request)
    with site.reading() as (index, connection):
        found = queries.changes(connection, limit=100)
        names = {one.parish_id: queries.parish(connection, one.parish_id) for one in found}
        return site.page(request, "changes.html", index=index, changes=found, names=names)


def _date(text: str, today: date) -> date:
    """A date within reach.

    Raises:
        Refused: 404 for what is no date, or one too far away.
    """
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise Refused(404, "no_date") from error
    if abs(found - today) > _FARTHEST:
        raise Refused(404, "out_of_bounds")
    return found
