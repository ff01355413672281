"""How the hosts of the demo web behave beyond their pages: robots.txt, redirects of www, endless calendars.

Robots rules: RFC 9309.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl

from mass_pipeline.demo_web.http import Host, Request, Response
from mass_pipeline.demo_web.source import SiteSource

_CALENDAR: Final = "/kalendarz.php"
_MONTH_NAMES: Final = (
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień".split()  # noqa: SIM905
)


def add_behaviour(site: SiteSource, host: Host, hosts: dict[str, Host]) -> None:
    """Give a site's host its robots.txt, its calendar and its www twin."""
    if site.robots or site.robots_status != 200:
        host.add("/robots.txt", robots_answer(site), validators=False)
    if site.calendar:
        host.makers.append(calendar_page)
    if site.www_redirect and site.prefix == "/":
        hosts[f"www.{site.host}"] = Host(f"www.{site.host}", makers=[lambda request: redirect_to(site.host, request)])


def robots_answer(site: SiteSource) -> Response:
    """The site's robots.txt, or the failure it stands for."""
    if site.robots_status != 200:
        return Response.error(site.robots_status)
    return Response(200, site.robots.encode(), "text/plain; charset=utf-8")


def redirect_to(host: str, request: Request) -> Response:
    """The same target on another host."""
    return Response.redirect(f"http://{host}{request.target}")


def calendar_page(request: Request) -> Response | None:
    """One month of a calendar without end: every page links to the months beside it and to each of its days."""
    if request.path != _CALENDAR:
        return None
    query = dict(parse_qsl(request.target.partition("?")[2]))
    year, month = _number(query.get("rok"), 2026), _number(query.get("miesiac"), 11)
    if not 1 <= month <= 12 or not 1 <= year <= 9999:
        return Response.error(404)
    links = [_month_link(year, month - 1, "poprzedni"), _month_link(year, month + 1, "następny")]
    days = "".join(
        f'<td><a href="{_CALENDAR}?rok={year}&amp;miesiac={month}&amp;dzien={day}">{day}</a></td>' for day in range(1, 29)
    )
    title = f"Kalendarz parafialny – {_MONTH_NAMES[month - 1]} {year}"
    page = (
        f'<html><head><meta charset="utf-8"><title>{title}</title></head><body><h1>{title}</h1><p>{" | ".join(links)}</p>'
        f"<table><tr>{days}</tr></table><p>Brak wydarzeń w wybranym terminie.</p></body></html>"
    )
    return Response(200, page.encode(), "text/html; charset=utf-8")


def _month_link(year: int, month: int, words: str) -> str:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return f'<a href="{_CALENDAR}?rok={year}&amp;miesiac={month}">{words}</a>'


def _number(text: str | None, default: int) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,5}", text) else default
