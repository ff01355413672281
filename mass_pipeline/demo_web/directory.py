"""The directory of parishes in the form of deon.pl as of 2018: list pages of ten rows with a pager, one page per parish.

The cells of a row are dedication (in `td.temat`, with the link), town, voivodeship, diocese, deanery. A detail page
prints the address in the row after `adres adres2`, and on some parishes a bold "www:" after `tytul5 clear`.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Final

from mass_pipeline.demo_web.http import Host, Response
from mass_pipeline.demo_web.source import SiteSource
from mass_pipeline.model.identifiers import slug

DIRECTORY_HOST: Final = "parafie.demo-katalog.example"
DIRECTORY_PATH: Final = "/parafie-koscioly/"
ROWS_PER_PAGE: Final = 10
_HTML: Final = "text/html; charset=utf-8"


def detail_path(site: SiteSource, number: int) -> str:
    """Target of a parish's page; stable as long as its place in the directory is."""
    return f"{DIRECTORY_PATH}parafia,{number},{slug(site.name)}-{slug(site.town)}.html"


def list_path(page: int) -> str:
    """Target of the n-th list page, from 1."""
    return DIRECTORY_PATH if page == 1 else f"{DIRECTORY_PATH}strona,{page}.html"


def directory_host(sites: Sequence[SiteSource]) -> Host:
    """The host of the directory with every list and detail page."""
    host = Host(DIRECTORY_HOST)
    host.add("/robots.txt", Response(200, b"User-agent: *\nDisallow: /szukaj/\n", "text/plain"), validators=False)
    pages = max(1, math.ceil(len(sites) / ROWS_PER_PAGE))
    numbered = list(enumerate(sites, start=1))
    for page in range(1, pages + 1):
        rows = numbered[(page - 1) * ROWS_PER_PAGE : page * ROWS_PER_PAGE]
        host.add(list_path(page), Response(200, _list_page(rows, page, pages).encode(), _HTML))
    for number, site in numbered:
        host.add(detail_path(site, number), Response(200, _detail_page(site).encode(), _HTML))
    return host


def _list_page(rows: Sequence[tuple[int, SiteSource]], page: int, pages: int) -> str:
    body = "\n".join(_row(site, number) for number, site in rows)
    shown = sorted({1, *range(max(1, page - 3), min(pages, page + 3) + 1), pages})
    pager = " ".join(f"<b>{n}</b>" if n == page else f'<a href="{list_path(n)}">{n}</a>' for n in shown)
    return _document(
        f"Parafie i kościoły w Polsce - strona {page}",
        f"""<h1>Parafie i kościoły</h1>
<table class="lista" cellspacing="0">
<tr><th>Parafia</th><th>Miejscowość</th><th>Województwo</th><th>Diecezja</th><th>Dekanat</th></tr>
{body}
</table>
<div class="stronicowanie">{pager}</div>""",
    )


def _row(site: SiteSource, number: int) -> str:
    cells = "".join(f"<td>{html.escape(text)}</td>" for text in (site.town, site.voivodeship, site.diocese, site.deanery))
    link = f'<a href="{detail_path(site, number)}" title="{html.escape(site.name)}">{html.escape(site.name)}</a>'
    return f'<tr><td class="temat">{link}</td>{cells}</tr>'


def _detail_page(site: SiteSource) -> str:
    address = [site.name, site.street, f"{site.postcode} {site.town}"]
    if site.voivodeship:
        address.append(f"woj. {site.voivodeship}")
    lines = "<br>\n".join(html.escape(line) for line in address if line)
    www = f"<b>www:</b> {html.escape(site.start_url)}<br>\n" if site.website_in_directory else ""
    return _document(
        f"{site.name} - {site.town}",
        f"""<h1>{html.escape(site.name)}</h1>
<div class="kolumna"><div class="adres adres2">Adres</div>
<div class="row">{lines}</div></div>
<div class="tytul5 clear">Opis</div>
<div class="row"><b>diecezja:</b> {html.escape(site.diocese)}<br>
<b>dekanat:</b> {html.escape(site.deanery)}<br>
{www}</div>""",
    )


def _document(title: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="pl"><head><meta charset="utf-8"><title>{html.escape(title)}</title></head>
<body><div id="top"><a href="{DIRECTORY_PATH}">Parafie i kościoły</a> | <a href="/szukaj/">Szukaj</a></div>
{body}
<div id="stopka">Katalog demonstracyjny. Wszystkie parafie są zmyślone.</div></body></html>
"""
