"""What every page needs: the index in force, the clock, limits, templates; and the answers they share."""

from __future__ import annotations

import contextlib
import inspect
import re
import sqlite3
import threading
import time as clocks
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote_plus

import jinja2
from fastapi import APIRouter
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.finding.gazetteer import Locality
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.library import Library, OpenIndex
from mass_pipeline.finding.places import Places
from mass_pipeline.finding.questions import prepare
from mass_pipeline.finding.town_names import ParishRow
from mass_pipeline.model.errors import StorageError
from mass_pipeline.public_web import cards
from mass_pipeline.public_web.cards import Cards, Legend
from mass_pipeline.public_web.conditional import validated
from mass_pipeline.public_web.moving import ASSETS, MovingMap, digest, moving_map
from mass_pipeline.public_web.params import Params, Refused
from mass_pipeline.public_web.texts import LANGUAGES, ZONE, Words, words
from mass_pipeline.web_common.limits import SlidingWindow, TokenBucket
from mass_pipeline.web_common.origins import Network, client_address, client_prefix, parse_networks

RELATIVE_SECONDS: Final = 60  # how long an answer relative to now may be kept
STATIC: Final = Path(__file__).with_name("static")
TEMPLATES: Final = Path(__file__).with_name("templates")
ATTRIBUTION: Final = "Mass times as stated by the parishes' own sites; OpenStreetMap contributors (ODbL); GeoNames (CC BY 4.0)"
_CLOCKS_DIFFER: Final = timedelta(hours=1)  # a generation later than our clock by more: one of the two clocks is wrong
_ROOTS: Final = tuple((language, words(language).root) for language in LANGUAGES)
_NAMES: Final = {"pl": "Polski", "en": "English", "de": "Deutsch", "uk": "Українська"}
_BLANK_LINES: Final = re.compile(r"\n\s*\n+|\n[ \t]+")
_FIXED: Final = re.compile(r'\{\{ (?:t\("(?P<key>\w+)"\)|asset\["(?P<asset>[\w.]+)"\]|(?P<root>root)) \}\}')


@dataclass(slots=True)
class Site:
    """The running site; one per process.

    Attributes:
        clock: the present moment, aware UTC.
        started_at: when the program began to serve, aware UTC.
        base_url: address of the site without a slash at its end, "" when it is that of the request.
        inbox: folder that takes reports; the only place this process writes to.
        secret: key of parish links, "" when there is none.
        map_points: the last points of the map in each language, with generation, language and minute of which they are.
    """

    library: Library
    config: PublicConfig
    clock: Callable[[], datetime]
    inbox: Path
    templates: Mapping[str, jinja2.Environment]
    trusted: tuple[Network, ...]
    pages: TokenBucket
    api: TokenBucket
    reports: SlidingWindow
    started_at: datetime
    moving: MovingMap
    base_url: str = ""
    map_points: dict[str, tuple[tuple[str, str, datetime], bytes]] = field(default_factory=dict)
    _places: tuple[str, Places] | None = field(default=None)
    _refreshing: threading.Lock = field(default_factory=threading.Lock)

    @contextlib.contextmanager
    def reading(self) -> Iterator[tuple[OpenIndex, sqlite3.Connection]]:
        """The index in force with a connection, for one request.

        Raises:
            Refused: 503, there is no index.
        """
        try:
            index = self.library.present(clocks.monotonic())
        except StorageError as error:
            raise Refused(503, "error_503") from error
        with index.connection() as connection:
            yield index, connection

    def now(self) -> datetime:
        """Local wall clock in Poland, without zone."""
        return self.clock().astimezone(ZONE).replace(tzinfo=None)

    @property
    def is_warm(self) -> bool:
        """Whether the table of places is put together."""
        return self._places is not None

    def places(self, index: OpenIndex, connection: sqlite3.Connection) -> Places:
        """Towns and parishes that questions may name; put together once for each generation."""
        known = self._places
        if known is None:
            known = self._places = (index.name, _places_of(_parish_rows(connection), queries.localities(connection)))
        elif known[0] != index.name and self._refreshing.acquire(blocking=False):
            # Towns hardly change from one generation to the next: nobody waits while the new ones are put together.
            threading.Thread(target=self._refresh_places, args=(index, known[1]), daemon=True).start()
        return known[1]

    def _refresh_places(self, index: OpenIndex, known: Places) -> None:
        try:
            with index.connection() as connection:
                rows, localities = _parish_rows(connection), queries.localities(connection)
            self._places = (index.name, known if rows == known.rows else _places_of(rows, localities))
        finally:
            self._refreshing.release()

    def take_page(self, request: Request) -> None:
        """Count a page for the client's address; raises Refused 429."""
        self._take(self.pages, client_address, request)

    def take_api(self, request: Request) -> None:
        """Count an API request for the client's address; raises Refused 429."""
        self._take(self.api, client_address, request)

    def take_report(self, request: Request) -> None:
        """Count a report for the client's network, which is kept in memory for a day, never written; raises Refused 429."""
        self._take(self.reports, client_prefix, request)

    def _take(self, limit: TokenBucket | SlidingWindow, client: Callable[..., str], request: Request) -> None:
        peer = request.client.host if request.client else None
        wait = limit.take(client(peer, request.headers.getlist("x-forwarded-for"), self.trusted), clocks.monotonic())
        if wait is not None:
            raise Refused(429, "error_429", retry_after=wait)

    def is_old(self, index: OpenIndex) -> bool:
        """Whether a banner must say of when the data are: too old, all days over, or of a day to come by our clock."""
        age = self.clock() - index.built_at
        is_to_come = age < -_CLOCKS_DIFFER
        return is_to_come or age > timedelta(hours=self.config.stale_index_hours) or self.now().date() > queries.last_day(index)

    def address(self, request: Request) -> str:
        """Address of the site, for links that leave it."""
        return self.base_url or f"{request.url.scheme}://{request.headers.get('host', '')}"

    def page(
        self,
        request: Request,
        template: str,
        *,
        index: OpenIndex | None = None,
        status: int = 200,
        max_age: int = 600,
        **values: object,
    ) -> Response:
        """A page in the language of its address, with its ETag; 304 when the browser has it."""
        say = language_of(request)
        html = (
            self.templates[say.language]
            .get_template(template)
            .render(
                t=say,
                here=plain_path(request),
                address=self.address(request),
                query=str(request.url.query),
                root=say.root,
                languages=_ROOTS,
                language_names=_NAMES,
                index=index,
                banner=self.words_of_age(say, index),
                now=self.now(),
                **values,
            )
        )
        response: Response = HTMLResponse(html, status_code=status)
        return self.cached(request, response, index, max_age if status == 200 else 0)

    def words_of_age(self, say: Words, index: OpenIndex | None) -> str:
        """The banner over old data; "" for fresh ones."""
        return say("banner_old", day=say.moment_day(index.built_at)) if index is not None and self.is_old(index) else ""

    def cached(self, request: Request, response: Response, index: OpenIndex | None, max_age: int) -> Response:
        """The answer with validators and how long it may be kept; 304 when the client has it.

        Args:
            max_age: seconds it holds; RELATIVE_SECONDS for what depends on the minute. Nothing is kept over midnight, when
                "today" becomes another day.
        """
        if index is None or not max_age:
            response.headers["Cache-Control"] = "no-store" if response.status_code >= 400 else f"public, max-age={max_age or 600}"
            return response
        now = self.now()
        midnight = datetime.combine(now.date(), time())
        # An answer changes with the data, with the day, and with the program.
        changed_at = None if max_age <= RELATIVE_SECONDS else max(index.built_at, midnight.replace(tzinfo=ZONE), self.started_at)
        to_midnight = int((midnight + timedelta(days=1) - now).total_seconds())
        fresh = min(max_age, to_midnight)
        stale = min(max_age, to_midnight - fresh)
        response.headers["Cache-Control"] = f"public, max-age={fresh}, stale-while-revalidate={stale}"
        response.headers["Link"] = f'<{self.address(request)}/dane>; rel="license"'
        response.headers["X-Data-Attribution"] = ATTRIBUTION
        return validated(request, response, changed_at)


def private(page: Response) -> Response:
    """A page of somebody's own address: kept nowhere, in no search engine."""
    page.headers["Cache-Control"] = "no-store"
    page.headers["X-Robots-Tag"] = "noindex"
    return page


@dataclass(frozen=True, slots=True)
class Visit:
    """One request: the index in force with a connection, the moment, and the language of the visitor.

    Attributes:
        now: local wall clock, without zone.
    """

    site: Site
    request: Request
    index: OpenIndex
    connection: sqlite3.Connection
    now: datetime

    @property
    def params(self) -> Params:
        """The parameters of the address; raises Refused for malformed ones."""
        return Params.of(self.request.query_params)

    @property
    def say(self) -> Words:
        """Words of the language that the address names."""
        return language_of(self.request)

    @property
    def today(self) -> date:
        """The local date."""
        return self.now.date()

    @property
    def places(self) -> Places:
        """Towns and parishes that questions may name."""
        return self.site.places(self.index, self.connection)

    @property
    def address(self) -> str:
        """Address of the site, for links that leave it."""
        return self.site.address(self.request)

    def cards(self) -> Cards:
        """How the Masses of the page are shown."""
        return Cards(self.say, self.now, self.site.config.directions, Legend(self.say))

    def page(self, template: str, **values: Any) -> Response:
        """A page over the index; see `Site.page`."""
        return self.site.page(self.request, template, index=self.index, **values)

    def answer(self, content: str | bytes, media_type: str, max_age: int = 600) -> Response:
        """Another answer over the index; see `Site.cached`."""
        return self.site.cached(self.request, Response(content, media_type=media_type), self.index, max_age)


class Pages(APIRouter):
    """Routes whose functions are called with the visit, which is counted for the client's address."""

    def page(self, path: str, **said: Any) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
        """GET of an address; returns what answers a request, and may be given to another address too."""

        def registered(function: Callable[..., Response]) -> Callable[..., Response]:
            answer = function if hasattr(function, "__signature__") else _with_visit(function, self.count)
            self.get(path, **said)(answer)
            return answer

        return registered

    def count(self, site: Site, request: Request) -> None:
        """Count the request; raises Refused 429."""
        site.take_page(request)


def _with_visit(function: Callable[..., Response], count: Callable[[Site, Request], None]) -> Callable[..., Response]:
    def answer(request: Request, **path: str) -> Response:
        site = site_of(request)
        count(site, request)
        with site.reading() as (index, connection):
            return function(Visit(site, request, index, connection, site.now()), **path)

    asked = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
    own = [*inspect.signature(function, eval_str=True).parameters.values()][1:]
    answer.__signature__ = inspect.Signature([asked, *own])  # type: ignore[attr-defined]  # what FastAPI reads
    answer.__doc__, answer.__name__ = function.__doc__, function.__name__
    return answer


def inline(answer: Callable[..., Response]) -> Callable[..., Awaitable[Response]]:
    """The function called in the thread of the requests; in another one while the table of places, some seconds, is made."""

    async def call(request: Request) -> Response:
        if site_of(request).is_warm:
            return answer(request)
        return await run_in_threadpool(answer, request)

    return call


def site_of(request: Request) -> Site:
    """The running site."""
    found = request.app.state.site
    assert isinstance(found, Site)
    return found


def visited(request: Request) -> Site:
    """The running site, with a page counted for the client's network; raises Refused 429."""
    site = site_of(request)
    site.take_page(request)
    return site


def make_site(
    library: Library,
    config: PublicConfig,
    clock: Callable[[], datetime],
    inbox: Path,
    map_assets: Path = ASSETS,
) -> Site:
    """Put together what the pages share.

    Raises:
        ConfigurationError: malformed trusted proxies, or tiles of the map.
    """
    return Site(
        library=library,
        config=config,
        clock=clock,
        inbox=inbox,
        started_at=clock(),
        moving=moving_map(map_assets, config),
        templates={language: _templates(words(language)) for language in LANGUAGES},
        trusted=parse_networks(config.trusted_proxies),
        pages=_bucket(config.pages_per_minute),
        api=_bucket(config.api_per_minute),
        reports=SlidingWindow(config.reports_per_day, 86_400.0),
        base_url=config.base_url.rstrip("/"),
    )


def _bucket(per_minute: int) -> TokenBucket:
    """A limit of so many a minute, of which a third may come at once."""
    return TokenBucket(per_minute / 60, max(1, per_minute // 3))


@cache
def _templates(say: Words) -> jinja2.Environment:
    """The templates in one language; its fixed words stand in their source, since asking for each took a part of every page.

    Compiled once in a process: nothing in them is of a single site.
    """
    assets = {path.name: f"/static/{path.name}?v={digest(path)}" for path in sorted(STATIC.iterdir())}

    def fixed(found: re.Match[str]) -> str:
        if found["key"]:
            return str(escape(say(found["key"])))
        return assets[found["asset"]] if found["asset"] else say.root

    def source(name: str) -> str:
        return _BLANK_LINES.sub("\n", _FIXED.sub(fixed, (TEMPLATES / name).read_text(encoding="utf-8")))

    templates = jinja2.Environment(
        loader=jinja2.FunctionLoader(source), autoescape=True, undefined=jinja2.StrictUndefined, auto_reload=False,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    for shared in (
        cards.announced, cards.day_choices, cards.evidence_of, cards.flag_names, cards.minutes_until, cards.remarks,
        cards.short_day,
        options, with_params,
    ):  # fmt: skip
        templates.globals[shared.__name__] = shared
    for path in sorted(TEMPLATES.iterdir()):
        templates.get_template(path.name)  # compiled now, not while the first people wait
    return templates


@lru_cache(maxsize=256)
def options(say: Words, group: str, names: tuple[str, ...], chosen: str | None) -> Markup:
    """Options of a select, the chosen one marked."""
    mark = Markup('<option value="{}"{}>{}</option>')
    selected = Markup(" selected")
    return Markup("").join(mark.format(one, selected if one == chosen else "", say.named(group, one)) for one in names)


def _parish_rows(connection: sqlite3.Connection) -> tuple[ParishRow, ...]:
    rows = connection.execute(
        "SELECT town, voivodeship, name, street || '|' || postcode || ' ' || town, deanery, parish_id, town_key FROM parish"
    )
    return tuple(ParishRow(*row) for row in rows)


def _places_of(rows: tuple[ParishRow, ...], localities: Sequence[Locality]) -> Places:
    places = Places.of(rows, localities)
    prepare(places)
    return places


def language_of(request: Request) -> Words:
    """Words of the language that the address names: English under /en and so on, else Polish."""
    first = request.url.path[1:].partition("/")[0]
    return words(first if first in LANGUAGES[1:] else LANGUAGES[0])


def plain_path(request: Request) -> str:
    """The path without the language."""
    return request.url.path.removeprefix(language_of(request).root) or "/"


def with_params(path: str, params: Mapping[str, object], **changes: object) -> str:
    """An address with its parameters, some changed; None and "" leave one out."""
    chosen = [f"{name}={_quoted(str(value))}" for name, value in {**params, **changes}.items() if value not in (None, "", False)]
    return f"{path}?{'&'.join(chosen)}" if chosen else path


@lru_cache(maxsize=1_024)
def _quoted(value: str) -> str:
    return quote_plus(value)
