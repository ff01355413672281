"""What a parish says of itself: the page for parishes, the one behind its link, and the small page it shows within its own.

A link is a random token (`finding.parish_links`): whoever has it answers for the parish, once. Nothing of a cookie or a session
is involved, so that no other site can send a form in somebody's name; forms from other origins are refused besides (`Guard`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import Response

from mass_pipeline.finding.corrections import FARTHEST, BadField, Given, in_order, read_hours, read_order, written_order
from mass_pipeline.finding.feasts import season_near
from mass_pipeline.finding.inbox import harmless, state_of
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.finding.parish_links import LONGEST_TEXT, SAYINGS, Says, answer, answer_by, digest_of, link_of, want_link
from mass_pipeline.model.identifiers import content_id
from mass_pipeline.model.records import DAYS
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.prose import sections_of
from mass_pipeline.public_web.site import Pages, Site, Visit, language_of, private, site_of, visited
from mass_pipeline.public_web.texts import words
from mass_pipeline.schedules.rows import ScheduleRow

router = Pages()
_WIDGET_POLICY: Final = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"
_WIDGET_DAYS: Final = 7
_MOST_FOUND: Final = 20  # parishes listed for the words of somebody who looks for his own
_LONGEST_HOURS: Final = 80
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@router.page("/dla-parafii")
def own_page(visit: Visit) -> Response:
    """What a parish can do here: find itself, ask for its link, give the right hour, leave."""
    params = visit.params
    one = queries.parish(visit.connection, params.text("parafia"))
    asked = params.text("q")
    found = () if one or not asked else queries.search_parishes(visit.connection, asked, _MOST_FOUND)
    return visit.page(
        "own.html", parish=one, words=asked, found=found, mails=visit.site.config.parish_mail,
        sections=sections_of("dla-parafii", visit.site, visit.index, visit.say),
    )  # fmt: skip


@router.post("/dla-parafii")
async def ask_for_link(request: Request) -> Response:
    """Note that a parish wants its link; whether and where it is sent is decided by who knows its address."""
    site, say = site_of(request), language_of(request)
    site.take_report(request)
    fields = await request.form()
    with site.reading() as (_, connection):
        one = queries.parish(connection, str(fields.get("parish_id") or ""))
    if one is None or not site.config.parish_mail:
        raise Refused(400, "unknown_parish", "parish_id")
    want_link(site.inbox, one.parish_id, site.clock())
    sections = [("", [say("own_sent")])]
    links = [(f"{say.root}{one.path}", one.label)]
    return site.page(request, "prose.html", status=202, max_age=0, title=say("own_title"), sections=sections, links=links)


@dataclass(frozen=True, slots=True)
class _Said:
    """The form of a parish's answer, as it was filled in.

    Attributes:
        says: "" when nothing was chosen. text: its order in words, lines kept. hours: ISO date -> hours as written.
        other: the date that it chose itself.
    """

    says: Says | None = None
    text: str = ""
    hours: Mapping[str, str] | None = None
    other: str = ""

    @classmethod
    def of(cls, fields: FormData, season: Sequence[date], today: date) -> _Said:
        """Read the form.

        Raises:
            Refused: a field is malformed.
        """
        says = next((one for one in SAYINGS if one == fields.get("says")), None)
        if says is None:
            raise Refused(400, "not_accepted", "says")
        lines = str(fields.get("text") or "")[:LONGEST_TEXT].splitlines() if says == "changed" else []
        other = str(fields.get("day") or "").strip()[:10]
        written = {day.isoformat(): str(fields.get(f"hours-{day}") or "") for day in season}
        if other:
            try:
                chosen = date.fromisoformat(other)
            except ValueError as error:
                raise Refused(400, "no_date", "day") from error
            if not today <= chosen <= today + FARTHEST:
                raise Refused(400, "out_of_bounds", "day")
            written[other] = str(fields.get("hours") or "")
        hours = {day: harmless(text, _LONGEST_HOURS) for day, text in written.items() if text.strip()}
        return cls(says, "\n".join(harmless(line, LONGEST_TEXT) for line in lines), hours, other)

    def beside(self, published: Sequence[str]) -> _Said:
        """The same as an order that is in force where its words are those that it was shown."""
        if self.says != "changed" or self.text.split() != "\n".join(published).split():
            return self
        return replace(self, says="in_force", text="")

    @property
    def digest(self) -> str:
        """Of what a preview showed: something else is shown again before it is sent."""
        return content_id(str(self.says), self.text, *(f"{day} {text}" for day, text in sorted((self.hours or {}).items())))

    def bad_hours(self) -> list[str]:
        """Hours that cannot be read."""
        return [text for text in (self.hours or {}).values() if not _hours(text)]

    def read(self) -> list[str]:
        """Lines of the order that its words say, as they were read."""
        given = Given("", "", "", _NEVER)
        return _lines(in_order(given.row(mass) for mass in read_order(self.text)))


@router.get("/potwierdz/{token}")
def confirm_page(request: Request, token: str) -> Response:
    """The order a parish is asked about, or what became of its answer. Reading it writes nothing."""
    site = visited(request)
    said = answer_by(site.inbox, token)
    if said is not None:
        return _page_of_answer(request, site, token)
    return _form(request, site, token, _Said(), None)


@router.post("/potwierdz/{token}")
async def confirm(request: Request, token: str) -> Response:
    """Show how a parish's answer is read; take it, once, when it has been seen."""
    site = site_of(request)
    site.take_page(request)
    today = site.now().date()
    fields = await request.form()
    said = _Said.of(fields, _season(today), today).beside(_now_said(site, token))
    is_plain = said.says in ("in_force", "leave_out", "no_mail") and not said.hours
    is_seen = fields.get("send") == "1" and fields.get("seen") == said.digest and not said.bad_hours()
    if not (is_plain or is_seen):
        return _form(request, site, token, said, await run_in_threadpool(said.read))
    site.take_report(request)
    assert said.says is not None
    if not answer(site.inbox, token, said.says, said.text, site.clock(), said.hours):
        raise Refused(404, "confirm_bad")
    return _page_of_answer(request, site, token, 202)


def _form(request: Request, site: Site, token: str, said: _Said, read: list[str] | None) -> Response:
    one = _linked(site, token)
    if one is None:
        raise Refused(404, "confirm_bad")
    today, now_said = site.now().date(), _now_said(site, token)
    season, hours = _season(today), said.hours or {}
    return private(
        site.page(
            request,
            "confirm.html",
            max_age=0,
            parish=one,
            now_said=now_said,
            token=token,
            longest=LONGEST_TEXT,
            sayings=SAYINGS,
            says=said.says,
            text=said.text,
            hours=hours,
            other=said.other,
            season=season,
            season_days=[day.isoformat() for day in season],
            today=today,
            farthest=today + FARTHEST,
            read=read,
            dated=[(date.fromisoformat(day), found) for day, text in sorted(hours.items()) if (found := _hours(text))],
            bad=said.bad_hours(),
            seen=said.digest,
        )
    )


def _linked(site: Site, token: str) -> ParishRecord | None:
    """The parish of a link that may be answered."""
    link = link_of(site.inbox, token, site.clock())
    if link is None:
        return None
    with site.reading() as (_, connection):
        return queries.parish(connection, link.parish_id)


def _now_said(site: Site, token: str) -> list[str]:
    """Lines of the order that is published of the link's parish."""
    one = _linked(site, token)
    if one is None:
        return []
    with site.reading() as (_, connection):
        return _lines(rule.row for rule in queries.rules_of(connection, one.pk))


def _page_of_answer(request: Request, site: Site, token: str, status: int = 200) -> Response:
    say = language_of(request)
    state = say.named("report_states", state_of(site.inbox, digest_of(token)) or "received")
    sections = [("", [say("confirm_done"), say("report_status", state=state)])]
    title = say("confirm_title")
    return private(site.page(request, "prose.html", status=status, max_age=0, title=title, sections=sections, links=()))


def _season(today: date) -> tuple[date, ...]:
    """Days of the feasts that are near, for which a parish has hours of its own."""
    season = season_near(today)
    return tuple(day for day in season.days if day >= today) if season else ()


def _hours(text: str) -> tuple[str, ...]:
    try:
        return read_hours(text)
    except BadField:
        return ()


def _lines(rows: Iterable[ScheduleRow]) -> list[str]:
    """An order as the grammar reads it back: in Polish, whatever the page's language."""
    say = words("pl")
    names = {"weekdays": say("weekdays_all")} | {str(day): say.named("order_days", day) for day in DAYS}
    return written_order(rows, names, say.season).splitlines()


@router.page("/widget/{parish_id}")
def widget(visit: Visit, parish_id: str) -> Response:
    """The next days of a parish, to be framed by its own site; no script, no cookie, no link to follow unasked."""
    one = queries.parish(visit.connection, parish_id)
    if one is None:
        raise Refused(404, "unknown_parish")
    rules, today = queries.rules_of(visit.connection, one.pk), visit.today
    days = [queries.day_of_parish(visit.index, one, rules, today + timedelta(offset)) for offset in range(_WIDGET_DAYS)]
    page = visit.page("widget.html", parish=one, days=days, shown=visit.cards())
    page.headers["Content-Security-Policy"] = _WIDGET_POLICY
    page.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return page
