"""The day an article was issued, on pages without metadata: its title, its address, the Sunday it names."""

from __future__ import annotations

import pytest

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.reading.words.church_calendar import church_sunday


def _issued(title: str, *lines: str, url: str = "https://p.example/news/12") -> str:
    body = "".join(f"<p>{line}</p>" for line in (*lines, "W środę Msza św. o godz. 10.00 w intencji chorych naszej parafii."))
    page = f"<html><head><title>{title}</title></head><body><div class='tresc'><h1>{title}</h1>{body}</div></body></html>"
    return str(read_article(page.encode(), url=url, content_type="text/html; charset=utf-8").issued)


class TestDayOfIssue:
    @pytest.mark.parametrize(
        ("title", "day"),
        [
            ("Ogłoszenia duszpasterskie - XV Niedziela zwykła 2023", "2023-07-16"),
            ("Ogłoszenia: II Niedziela Adwentu 2026", "2026-12-06"),
            ("Niedziela Palmowa 2022 - ogłoszenia", "2022-04-10"),
            ("Ogłoszenia 4 .01. 2026", "2026-01-04"),
            ("18 grudnia, 2016r. Ogłoszenia", "2016-12-18"),
        ],
    )
    def test_a_sunday_named_in_the_title(self, title: str, day: str) -> None:
        assert day == _issued(title)

    @pytest.mark.parametrize(
        ("address", "day"),
        [
            ("ogloszenia-15-10-2023.html", "2023-10-15"),
            ("ogloszenia/2026-11-22", "2026-11-22"),
            ("aktualnosci-2026-11-22.html", "2026-11-22"),
            ("ogloszenia_20261122.php", "2026-11-22"),
            ("20261122.html", "2026-11-22"),
            ("ogloszenia-duszpasterskie-22-listopada-2026", "2026-11-22"),
            ("ogloszenia_parafialne_22_11_2026", "2026-11-22"),
            ("koncert-2026-12-12.html", "None"),
            ("pielgrzymka-12-grudnia-2026", "None"),
        ],
    )
    def test_an_address_with_the_day(self, address: str, day: str) -> None:
        assert day == _issued("Duszpasterstwo", url=f"https://p.example/{address}")

    @pytest.mark.parametrize(
        ("title", "day"),
        [
            ("Ogłoszenia parafialne 22-29.11.2026", "2026-11-22"),
            ("Ogłoszenia 22.11 - 29.11.2026 r.", "2026-11-22"),
            ("Ogłoszenia na tydzień od 22 do 29 listopada 2026", "2026-11-22"),
            ("Intencje 23–29 XI 2026", "2026-11-22"),  # weekdays of a week from Monday on are counted from the Sunday before
            ("Ogłoszenia 29 listopada – 6 grudnia 2026", "2026-11-29"),
            ("Ogłoszenia duszpasterskie 27.12 – 3.01.2027", "2026-12-27"),
        ],
    )
    def test_the_first_day_of_a_week_in_the_title(self, title: str, day: str) -> None:
        assert day == _issued(title)

    @pytest.mark.parametrize(
        "title",
        [
            "Koncert 12 grudnia 2026",
            "Pielgrzymka do Lichenia - 5.09.2026",
            "Rekolekcje adwentowe 13-16 grudnia 2026",
            "Msza św. prymicyjna 7 czerwca 2026",
            "Wyjazd na narty 3.02.2027",
            "Fotorelacja z niedzieli 11 X 2026",
        ],
    )
    def test_the_day_of_an_event_is_no_day_of_issue(self, title: str) -> None:
        assert _issued(title) == "None"

    def test_a_line_with_the_day_of_an_event_is_none_either(self) -> None:
        assert _issued("Zapraszamy", "Koncert kolęd: 20 grudnia 2026") == "None"

    def test_the_sunday_of_the_title_counts_before_another_day_on_the_page(self) -> None:
        """Weekdays are counted from the Sunday of the sheet, not from the day a link or an editor names."""
        assert _issued("V Niedziela Wielkiego Postu", "21 marca 2018") == "2018-03-18"

    def test_a_title_without_a_year_tells_no_day(self) -> None:
        assert _issued("Ogłoszenia - XV Niedziela zwykła") == "None"


class TestChurchSundays:
    @pytest.mark.parametrize(
        ("words", "year", "day"),
        [
            ("i niedziela adwentu", 2026, "2026-11-29"),
            ("druga niedziela wielkiego postu", 2023, "2023-03-05"),
            ("iii niedziela wielkanocna", 2024, "2024-04-14"),
            ("7. niedziela zwykla", 2017, "2017-02-19"),
            ("xxxiv niedziela zwykla", 2023, "2023-11-26"),
            ("chrystusa krola", 2020, "2020-11-22"),
            ("niedziela chrztu panskiego", 2022, "2022-01-09"),
            ("niedziela milosierdzia bozego", 2025, "2025-04-27"),
        ],
    )
    def test_is_found(self, words: str, year: int, day: str) -> None:
        assert day == str(church_sunday(words, year))

    def test_a_sunday_without_its_number_is_none(self) -> None:
        assert church_sunday("niedziela adwentu", 2026) is None
