"""The directory: the form of deon.pl as of 2018, cell by cell."""

from __future__ import annotations

import math

from bs4 import BeautifulSoup, Tag

from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline_tests.demo_web.conftest import Get


def _soup(get: Get, url: str) -> BeautifulSoup:
    return BeautifulSoup(get(url).text, "html.parser")


def _rows(soup: BeautifulSoup) -> list[list[str]]:
    cells = soup.select("td.temat")
    return [[cell.get_text(), *(other.get_text() for other in cell.find_next_siblings("td"))] for cell in cells]


class TestListPages:
    def test_the_first_page_has_ten_rows_of_five_cells_in_order(self, served: DemoWeb, get: Get) -> None:
        rows = _rows(_soup(get, served.directory_url))
        site = served.parishes[0].site

        assert len(rows) == 10
        assert rows[0] == [site.name, site.town, site.voivodeship, site.diocese, site.deanery]

    def test_the_pager_names_the_last_page(self, served: DemoWeb, get: Get) -> None:
        pager = _soup(get, served.directory_url).select_one(".stronicowanie")
        assert pager is not None
        last = math.ceil(len(served.parishes) / 10)

        assert pager.select("a")[-1]["href"] == f"/parafie-koscioly/strona,{last}.html"

    def test_all_pages_together_hold_every_parish_once(self, served: DemoWeb, get: Get) -> None:
        pages = [served.directory_url]
        pages += [f"{served.directory_url}strona,{n}.html" for n in range(2, math.ceil(len(served.parishes) / 10) + 1)]
        towns = [row[1] for url in pages for row in _rows(_soup(get, url))]

        assert towns == [parish.site.town for parish in served.parishes]

    def test_behind_the_last_page_there_is_nothing(self, served: DemoWeb, get: Get) -> None:
        assert get(f"{served.directory_url}strona,99.html").status_code == 404


class TestDetailPages:
    def test_the_link_of_a_row_leads_to_the_parish(self, served: DemoWeb, get: Get) -> None:
        link = _soup(get, served.directory_url).select_one("td.temat a")
        assert link is not None

        assert f"http://parafie.demo-katalog.example{link['href']}" == served.parishes[0].directory_url

    def test_the_address_stands_in_the_row_behind_its_heading(self, served: DemoWeb, get: Get) -> None:
        parish = served.parishes[0]
        heading = _soup(get, parish.directory_url).find(class_="adres adres2")
        assert isinstance(heading, Tag)
        row = heading.find_next("div", class_="row")
        assert isinstance(row, Tag)
        parts = list(row.stripped_strings)

        assert parts == [parish.site.name, "ul. Kościelna 5", "82-118 Młyniska Górne", "woj. pomorskie"]

    def test_a_parish_without_voivodeship_has_three_parts(self, served: DemoWeb, get: Get) -> None:
        parish = next(p for p in served.parishes if p.key == "k03-mielenko")
        row = _soup(get, parish.directory_url).select_one("div.row")
        assert row is not None

        assert len(list(row.stripped_strings)) == 3

    def test_only_some_parishes_have_a_www_line(self, served: DemoWeb, get: Get) -> None:
        with_www = {p.key for p in served.parishes if "www:" in get(p.directory_url).text}

        assert with_www == {p.key for p in served.parishes if p.site.website_in_directory}
        assert 3 <= len(with_www) < len(served.parishes) / 2
