"""Pages that answer: the box, results, parish, day, town, diocese, feast, changes; each in Polish and in English."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final

from starlette.responses import RedirectResponse, Response

from mass_pipeline.finding.expansion import MINUTES_A_DAY
from mass_pipeline.finding.feasts import Season, feast_of, feasts_with_pages, next_day, season_near
from mass_pipeline.finding.formats.jsonld import parish_jsonld
from mass_pipeline.finding.freshness import IN_TIME_SEARCH
from mass_pipeline.finding.gazetteer import Point
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.building import basis_of
from mass_pipeline.finding.index.library import OpenIndex
from mass_pipeline.finding.index.queries import DayOfParish
from mass_pipeline.finding.index.records import Found, ParishRecord
from mass_pipeline.finding.order import order_lists
from mass_pipeline.finding.questions.feasts import next_holy_day
from mass_pipeline.finding.searching import PAGE, Answer, search
from mass_pipeline.finding.statements import KINDS, LANGUAGES
from mass_pipeline.public_web.asking import confession_asked_for, own_sites, read_question
from mass_pipeline.public_web.cards import day_choices, directions, geo_address, remarks, why_doubted
from mass_pipeline.public_web.params import Moved, Refused
from mass_pipeline.public_web.site import RELATIVE_SECONDS, Pages, Visit
from mass_pipeline.public_web.texts import Words, words
from mass_pipeline.public_web.ways import ways

router = Pages()
DAYS_SHOWN: Final = 14
_SUNDAY: Final = 6
_CHURCHES: Final = 15  # on the page of a town
_LARGEST: Final = 12  # towns on the first page
_CITY: Final = 5  # parishes at least of each of them
_VALID: Final = timedelta(28)  # how long a sheet for the church door holds
_DAYS_MARKED: Final = 60  # days of which machines are told what the standing order does not say
_FARTHEST: Final = timedelta(days=400)
_NIGHT: Final = timedelta(hours=3)  # how long the night of Christmas lasts past midnight
_EVENING: Final = 17  # and, so much earlier, when it begins


@router.page("/")
def home(visit: Visit) -> Response:
    """The box, today's feast, and how much is known; a question put to this address goes on to the results."""
    if visit.params.text("q"):
        return RedirectResponse(f"{visit.say.root}/msze?{visit.request.url.query}", status_code=302)
    states = queries.states(visit.connection)
    today = visit.today
    return visit.page(
        "home.html",
        max_age=RELATIVE_SECONDS,
        known=sum(states.get(name, 0) for name in queries.IN_ORDER),
        total=sum(states.values()),
        today=today,
        feast=feast_of(today),
        days=day_choices(today),
        is_advent=bool(_christmas(today)),
        towns=[one for one in visit.places.largest[:_LARGEST] if len(one.rows) >= _CITY],
        dioceses=queries.dioceses(visit.connection),
        fields={},
        mass_languages=LANGUAGES,
        kinds=KINDS,
    )


@router.page("/msze")
def results(visit: Visit) -> Response:
    """Results; every state of the search is an address."""
    params = visit.params
    now = visit.now
    places = visit.places
    question = read_question(params, visit.index, visit.connection, places, now)
    answer = Answer() if question.needs_place else search(visit.index, visit.connection, question.asked, now)
    shown, has_days = visit.cards(), len(answer.days) > 1 or "days" in answer.left_out
    is_earliest = params.flag("wczesniej")
    return visit.page(
        "results.html",
        max_age=RELATIVE_SECONDS,
        question=question,
        answer=answer,
        shown=shown,
        is_earliest=is_earliest,
        exact=shown.of(_in_order(answer.exact, question.asked.point, is_earliest, now), has_days, question.town),
        about=shown.of(_in_order(answer.about, question.asked.point, is_earliest, now), has_days),
        nearby=shown.of(answer.nearby),
        box=params.text("q"),
        page_number=question.asked.offset // PAGE + 1,
        last_day=queries.last_day(visit.index),
        is_triduum=any(basis_of(day) == "triduum" for day in (question.asked.days or answer.days)[:1]),
        ways=ways(question, answer, places, now.date()),
        own_sites=own_sites(question, answer),
        confession=confession_asked_for(question, answer, visit.connection),
        fields=question.params,
        mass_languages=LANGUAGES,
        kinds=KINDS,
    )


def _in_order(found: Sequence[Found], point: Point | None, is_earliest: bool, now: datetime) -> Sequence[Found]:
    """Masses near a point: churches with a Mass that is still reached today first, by distance; or all by their start."""
    if point is None:
        return found
    if is_earliest:
        return sorted(found, key=lambda one: one.start)
    today = {one.parish.pk for one in found if one.start.date() == now.date()}
    return sorted(found, key=lambda one: one.parish.pk not in today)


@router.page("/parafia/{name}")
def parish(visit: Visit, name: str) -> Response:
    """One parish: its order by lists, the next days, changes, where it is."""
    one = _parish(visit, name)
    rules = queries.rules_of(visit.connection, one.pk)
    today = visit.today
    days = [queries.day_of_parish(visit.index, one, rules, today + timedelta(offset)) for offset in range(_DAYS_MARKED)]
    shown, page, sunday = visit.cards(), f"{visit.say.root}{one.path}", days[(_SUNDAY - today.weekday()) % 7]
    return visit.page(
        "parish.html",
        max_age=RELATIVE_SECONDS,
        parish=one,
        doubt=why_doubted(visit.say, one.reason) if one.state == "not_said_current" else "",
        lists=order_lists(rules),
        days=days[:DAYS_SHOWN],
        sunday=sunday,
        shown=shown,
        today_hours=shown.hours(page, [mass for mass in days[0].masses if mass.start >= visit.now]),
        sunday_hours=shown.hours(page, sunday.masses),
        way=directions(shown.way, one),
        geo=geo_address(one),
        coming=next((one for day in days[:DAYS_SHOWN] for one in day.masses if one.start >= visit.now), None),
        changed=[day for day in days[:DAYS_SHOWN] if day.cancelled or any(one.mass.row.exception for one in day.masses)],
        tomorrow=today + timedelta(1),
        gone=_taken_away(days[:DAYS_SHOWN]),
        today=today,
        feast_of=feast_of,
        holy_day=next_holy_day(days[DAYS_SHOWN].schedule.day),
        confession=queries.confession_of(visit.connection, [one.pk]).get(one.pk, []),
        changes=queries.changes(visit.connection, one.parish_id, 10),
        jsonld=parish_jsonld(one, rules, days, visit.address, partial(remarks, words("pl"))),
    )


def _taken_away(days: Sequence[DayOfParish]) -> dict[int, list[date]]:
    """Key of a standing row -> days on which announcements take its Mass away."""
    found: dict[int, list[date]] = {}
    for day in days:
        for rule in day.taken_away:
            found.setdefault(rule.pk, []).append(day.schedule.day)
    return found


@router.page("/parafia/{name}/gablota")
def door(visit: Visit, name: str) -> Response:
    """The standing order as a sheet to print for the church door, with the day until which it may hang."""
    one = _parish(visit, name, "/gablota")
    lists = order_lists(queries.rules_of(visit.connection, one.pk))
    return visit.page("door.html", parish=one, lists=lists, valid_until=visit.today + _VALID)


@router.page("/parafia/{name}/{day}")
def parish_day(visit: Visit, name: str, day: str) -> Response:
    """One date of a parish, with its basis in words and what is cancelled."""
    asked = _date(day, visit.today)
    one = _parish(visit, name, f"/{asked.isoformat()}")
    rules = queries.rules_of(visit.connection, one.pk)
    said = queries.day_of_parish(visit.index, one, rules, asked)
    shown, page, hour = visit.cards(), f"{visit.say.root}{one.path}", visit.params.hour("o")
    return visit.page(
        "parish_day.html",
        asked_hour=hour,
        marked=next((mass for mass in said.masses if hour and mass.start.time() == hour), None),
        shown=shown,
        lines=[shown.hours(page, said.masses)] if said.masses else [],
        perhaps=[shown.hours(page, said.perhaps)] if said.perhaps else [],
        way=directions(shown.way, one),
        geo=geo_address(one),
        parish=one,
        day=asked,
        feast=feast_of(asked),
        said=said,
        before=asked - timedelta(1),
        after=asked + timedelta(1),
    )


def _parish(visit: Visit, name: str, rest: str = "") -> ParishRecord:
    """The parish of an address.

    Raises:
        Refused: 404 for nobody's, 410 for a removed one. Moved: its page has another slug or identifier.
    """
    key = name.rsplit("-", 1)[-1]
    one = queries.parish(visit.connection, key)
    is_former, heir = queries.alias(visit.connection, key) if one is None else (False, None)
    one = one or (queries.parish(visit.connection, heir) if heir else None)
    if one is None:
        raise Refused(410 if is_former else 404, "error_410" if is_former else "error_404")
    right = f"{visit.say.root}{one.path}{rest}"
    if visit.request.url.path != right:
        raise Moved(right)
    return one


@router.page("/miejscowosc/{voivodeship}/{town}")
def town(visit: Visit, voivodeship: str, town: str) -> Response:
    """The churches of a town with all their hours of the next day that has any left."""
    found = queries.town_of(visit.connection, f"{voivodeship}/{town}")
    if found is None:
        raise Refused(404, "error_404")
    if found.key != f"{voivodeship}/{town}":
        raise Moved(f"{visit.say.root}/miejscowosc/{found.key}")
    listed = queries.parishes_of(visit.connection, "town_key", found.key)
    now = visit.now
    day, masses = _next_day(visit.index, visit.connection, listed, now)
    churches = dict.fromkeys(one.parish.pk for one in masses)
    first, shown = set(list(churches)[:_CHURCHES]), visit.cards()
    return visit.page(
        "town.html",
        max_age=RELATIVE_SECONDS,
        town=found,
        shown=shown,
        list=shown.of((one for one in masses if one.parish.pk in first), within=found),
        more=len(churches) - len(first),
        shown_day=day,
        today=now.date(),
        feast=feast_of(day),
        season=_season(now.date()),
        others=[one for one in listed if one.pk not in churches],
    )


@router.page("/swieta")
def christmas_page(visit: Visit) -> Response:
    """Christmas in a town: from here one goes to its page."""
    name = visit.params.text("miejsce")
    town, _, land = name.partition(",")
    found = queries.towns_named(visit.connection, town, land.strip() or None) if name else []
    if len(found) == 1:
        return RedirectResponse(f"{visit.say.root}/miejscowosc/{found[0].key}/swieta", status_code=302)
    largest = [one.rows[0].town_key for one in visit.places.largest[:_LARGEST]]
    towns = found or [one for key in largest if (one := queries.town_of(visit.connection, key))]
    return visit.page("christmas.html", name=name, is_known=bool(found), towns=towns)


@router.page("/miejscowosc/{voivodeship}/{town}/swieta")
def feast_of_town(visit: Visit, voivodeship: str, town: str) -> Response:
    """The feasts that are near, day by day: what parishes of a town have announced, and what is only their usual order."""
    found = queries.town_of(visit.connection, f"{voivodeship}/{town}")
    season = _season(visit.today)
    if found is None or season is None:
        raise Refused(404, "error_404")
    shown, listed = visit.cards(), queries.parishes_of(visit.connection, "town_key", found.key)
    rules = {one: queries.rules_of(visit.connection, one.pk) for one in listed if one.state in IN_TIME_SEARCH}
    days = [day for day in _days_of(season) if day >= visit.today]
    said = {one: any(rule.row.exception and any(map(rule.row.holds_on, days)) for rule in own) for one, own in rules.items()}
    masses = [
        mass for day in days for one, own in rules.items() for mass in queries.day_of_parish(visit.index, one, own, day).masses
    ]
    return visit.page(
        "season.html",
        town=found,
        season=season,
        shown=shown,
        parts_of_season=[
            (key, title, day, shown.of((one for one in held if not one.is_assumed), within=found),
             shown.of((one for one in held if one.is_assumed), within=found))
            for key, title, day, held in _parts_of_season(visit.say, days, masses)
        ],
        silent=[one for one in listed if not said.get(one)],
        announced=sum(said.values()),
    )  # fmt: skip


def _season(today: date) -> Season | None:
    """The season near a day; from Advent on Christmas, to Epiphany."""
    return _christmas(today) or season_near(today)


def _christmas(today: date) -> Season | None:
    year = today.year - (today.month == 1)
    first, last = date(year, 12, 24), date(year + 1, 1, 6)
    is_near = next_day("advent", today, year) <= today <= last
    return Season("Święta", "Christmas", first, (last - first).days + 1) if is_near else None


def _days_of(season: Season) -> list[date]:
    """The days of a season that have an order of their own: of a long one its named days and Sundays."""
    is_long = season.count > _SUNDAY + 1
    return [day for day in season.days if not is_long or feast_of(day) or day.weekday() == _SUNDAY]


def _parts_of_season(say: Words, days: Sequence[date], masses: Sequence[Found]) -> Iterator[tuple[str, str, date, list[Found]]]:
    """Key, title, day and Masses of each day, by hour; of the night of Christmas Midnight Mass by itself."""
    midnight = [one for one in masses if _is_of_christmas_night(one.start)]
    for day in days:
        named = feast_of(day)
        title = f"{say.long_day(day)[:1].upper()}{say.long_day(day)[1:]}" + (f": {say.feast(named)}" if named else "")
        of_day = sorted((one for one in masses if one.start.date() == day and one not in midnight), key=lambda one: one.minute)
        yield f"d{day}", title, day, of_day
        if midnight and (day.month, day.day) == (12, 24):
            yield "pasterka", say("midnight_mass"), day, sorted(midnight, key=lambda one: one.minute)


def _is_of_christmas_night(start: datetime) -> bool:
    evening = start - _NIGHT
    return (evening.month, evening.day) == (12, 24) and evening.hour >= _EVENING


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


@router.page("/diecezja/{key}")
def diocese(visit: Visit, key: str) -> Response:
    """The parishes of a diocese by town, and what is known of them."""
    listed = queries.parishes_of(visit.connection, "diocese_key", key)
    if not listed:
        raise Refused(404, "error_404")
    known = sum(one.is_known for one in listed)
    return visit.page("diocese.html", name=listed[0].diocese, parishes=listed, known=known)


@router.page("/dzien/{name}")
def day_page(visit: Visit, name: str) -> Response:
    """A date or a feast: what kind of day it is, and how many parishes say something of it."""
    today = visit.today
    feast = next((one for one in feasts_with_pages() if one.slug == name), None)
    asked = feast.next_day(today) if feast else _date(name, today)
    states = queries.states(visit.connection)
    return visit.page(
        "day.html",
        day=asked,
        feast=feast or feast_of(asked),
        basis=basis_of(asked),
        said=queries.parishes_that_speak_of(visit.connection, asked),
        known=sum(states.get(one, 0) for one in queries.IN_ORDER),
        coming=sorted((one.next_day(today), one.slug, one) for one in feasts_with_pages()),
    )


@router.page("/zmiany")
def changes(visit: Visit) -> Response:
    """What was published otherwise than before, newest first."""
    found = queries.changes(visit.connection, limit=100)
    names = {one.parish_id: queries.parish(visit.connection, one.parish_id) for one in found}
    return visit.page("changes.html", changes=found, names=names)


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
