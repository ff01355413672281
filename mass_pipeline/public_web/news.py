"""Pages and feeds of the news that were kept of parishes and portals (V12): all, of a day, of a site, of a parish.

Only the beginning of each is shown, with its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from starlette.responses import Response

from mass_pipeline.finding.formats.atom import news_feed
from mass_pipeline.finding.index import queries
from mass_pipeline.finding.index.news import NewsItem, days_with_news, news, sites_with_news
from mass_pipeline.finding.index.records import ParishRecord
from mass_pipeline.public_web.params import Refused
from mass_pipeline.public_web.site import Pages, Visit

router = Pages()
_ATOM = "application/atom+xml; charset=utf-8"
_ROOT = "/wiadomosci"


@router.page(_ROOT)
def all_news(visit: Visit) -> Response:
    """The latest of everybody."""
    return _page(visit, visit.say("news_title"), _ROOT, news(visit.connection))


@router.page(f"{_ROOT}.atom")
def feed_of_all(visit: Visit) -> Response:
    """The same as a feed."""
    return _feed(visit, visit.say("news_title"), _ROOT, news(visit.connection))


@router.page(f"{_ROOT}/dzien/{{day}}")
def news_of_day(visit: Visit, day: str) -> Response:
    """Of one day of publication."""
    try:
        wanted = date.fromisoformat(day)
    except ValueError as error:
        raise Refused(404, "no_date") from error
    found = news(visit.connection, day=wanted, limit=1_000)
    return _page(visit, f"{visit.say('news_title')}: {visit.say.day(wanted)}", f"{_ROOT}/dzien/{wanted}", _some(found))


@router.page(f"{_ROOT}/serwis/{{site}}")
def news_of_site(visit: Visit, site: str) -> Response:
    """Of one portal, or of the site of one parish."""
    name = site.removesuffix(".atom")
    found = _some(news(visit.connection, site=name))
    return (_page if name == site else _feed)(visit, name, f"{_ROOT}/serwis/{name}", found)


@router.page(f"{_ROOT}/parafia/{{name}}")
def news_of_parish(visit: Visit, name: str) -> Response:
    """Of one parish."""
    plain = name.removesuffix(".atom")
    one = queries.parish(visit.connection, plain.rsplit("-", 1)[-1])
    if one is None:
        raise Refused(404, "error_404")
    found = news(visit.connection, parish_id=one.parish_id)
    return (_page if plain == name else _feed)(visit, one.label, f"{_ROOT}/parafia/{_name(one)}", found)


def _name(one: ParishRecord) -> str:
    return one.path.rsplit("/", 1)[-1]


def _some(found: list[NewsItem]) -> list[NewsItem]:
    if not found:
        raise Refused(404, "error_404")
    return found


def _page(visit: Visit, title: str, path: str, found: Sequence[NewsItem]) -> Response:
    known = {one.parish_id: queries.parish(visit.connection, one.parish_id) for one in found}
    shown = [(one, known[one.parish_id]) for one in found]
    return visit.page(
        "news.html", title=title, shown=shown, path=path, name_of=_name, days=days_with_news(visit.connection)[:31],
        sites=sites_with_news(visit.connection), feed_path="" if "/dzien/" in path else f"{path}.atom",
    )  # fmt: skip


def _feed(visit: Visit, title: str, path: str, found: Sequence[NewsItem]) -> Response:
    return visit.answer(news_feed(title, visit.address, path, f"{path}.atom", found, visit.index.built_at), _ATOM)
