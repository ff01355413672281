"""What the tests of discovery share: parishes, a directory of one's own making, dioceses, a clock, pages without a network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from mass_pipeline.gathering.dioceses import Diocese, Dioceses
from mass_pipeline.gathering.parish import Parish, entry_id
from mass_pipeline.gathering.ports import Page
from mass_pipeline.model.errors import Gone
from mass_pipeline.model.identifiers import DioceseKey

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
START = "http://katalog.example/parafie-koscioly/"
DIOCESES = Dioceses(
    [
        Diocese(DioceseKey("opolska"), "diecezja opolska", ("opolska",)),
        Diocese(DioceseKey("koszalinsko-kolobrzeska"), "diecezja koszalińsko-kołobrzeska", ("koszlińsko-kołobrzeska",)),
    ]
)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, **duration: float) -> None:
        self.now += timedelta(**duration)


def parish(name: str = "Świętej Anny", town: str = "Opole", **fields: object) -> Parish:
    """A parish with every field filled in."""
    values: dict[str, object] = {
        "parish_id": entry_id("test", name, town, str(fields.get("street", ""))),
        "name": name,
        "town": town,
        "voivodeship": "opolskie",
        "address": f"{name}|ul. Kościelna 5|45-010 {town}|woj. opolskie",
        "street": "ul. Kościelna 5",
        "postcode": "45-010",
        "deanery": "Opole",
        "diocese": "opolska",
        "diocese_key": DioceseKey("opolska"),
        "directory_url": None,
        "website_hint": None,
        "source": "test",
        "fetched_at": NOW,
    }
    return Parish(**{**values, **fields})  # type: ignore[arg-type]


def row(number: int, diocese: str = "opolska", css: str = "temat") -> str:
    """One row of a list page."""
    cells = "".join(f"<td>{text}</td>" for text in (f"Miejscowość {number}", "opolskie", diocese, "Biała"))
    return f'<tr><td class="{css}"><a href="/parafie-koscioly/parafia,{number}.html">św. Anny {number}</a></td>{cells}</tr>'


def list_page(numbers: range, pages: int, **options: str) -> str:
    """A list page with its pager."""
    pager = "".join(f'<a href="/parafie-koscioly/strona,{n}.html">{n}</a>' for n in range(2, pages + 1))
    rows = "".join(row(n, **options) for n in numbers)
    return f"<html><head><title>Parafie</title></head><body><table>{rows}</table><div>{pager}</div></body></html>"


def detail_page(number: int, website: str = "", css: str = "adres adres2") -> str:
    """A parish's page."""
    www = f"<b>www:</b> {website}<br>ks. proboszcz" if website else ""
    return (
        f'<html><body><div class="{css}">Adres</div><div class="row">św. Anny {number}<br>ul. Leśna {number}<br>'
        f'48-217 Miejscowość {number}<br>woj. opolskie</div><div class="tytul5 clear">Opis</div><div class="row">{www}</div>'
        "</body></html>"
    )


def directory(parishes: int = 25) -> dict[str, str]:
    """URL -> page of a whole small directory."""
    pages = -(-parishes // 10)
    site = {
        (START if n == 1 else f"{START}strona,{n}.html"): list_page(range((n - 1) * 10 + 1, min(n * 10, parishes) + 1), pages)
        for n in range(1, pages + 1)
    }
    return site | {f"{START}parafia,{n}.html": detail_page(n) for n in range(1, parishes + 1)}


def fetch_from(site: Mapping[str, str]) -> Callable[[str], Page]:
    """A fetcher over pages in memory; anything else is gone."""

    def fetch(url: str) -> Page:
        if url not in site:
            raise Gone(url, 404)
        return Page(url, 200, site[url].encode(), "text/html; charset=utf-8", NOW)

    return fetch
