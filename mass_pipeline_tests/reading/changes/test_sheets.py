"""Sheets of announcements: every item by itself, with the Sunday the page names."""

from __future__ import annotations

import pytest

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling.watching.articles import Article
from mass_pipeline.demo_web.compose import ComposedPage
from mass_pipeline.demo_web.web import DemoWeb
from mass_pipeline.reading.changes.sheets import announcement_items


@pytest.fixture(scope="module")
def sheets() -> list[tuple[ComposedPage, Article]]:
    pages = [page for parish in DemoWeb().parishes for page in parish.pages if page.sentences]
    return [
        (page, read_article(page.response.body, url=page.url, anchor=page.source.title, content_type=page.response.content_type))
        for page in pages
    ]


class TestOnTheDemoWeb:
    def test_every_announcement_is_an_item_of_its_own(self, sheets: list[tuple[ComposedPage, Article]]) -> None:
        missing = [(page.url, one.text) for page, article in sheets for one in page.sentences if one.text not in article.items]

        assert sum(len(page.sentences) for page, _ in sheets) >= 600
        assert missing == []

    def test_the_day_of_issue_is_the_sunday_the_page_names(self, sheets: list[tuple[ComposedPage, Article]]) -> None:
        days = [(page.url, article.issued) for page, article in sheets]

        assert [url for url, day in days if day is None or day.isoformat() not in url] == []


class TestItems:
    def test_numbers_and_bullets_go_and_short_lines_are_no_announcements(self) -> None:
        text = (
            "1. Dziękujemy za ofiary na remont.\n2) Zbiórka ministrantów w sobotę rano.\n- Kto zgubił klucze na parkingu?\nAmen."
        )

        assert announcement_items(text) == [
            "Dziękujemy za ofiary na remont.",
            "Zbiórka ministrantów w sobotę rano.",
            "Kto zgubił klucze na parkingu?",
        ]

    def test_a_single_notice_is_no_sheet(self) -> None:
        assert announcement_items("Zapraszamy na odpust w przyszłą niedzielę.") == []

    @pytest.mark.parametrize(
        "lines",
        [
            ("Poniedziałek 23.03 i wtorek 24.03:", "9.00 Msza św. z nauką", "18.00 Msza św."),
            ("W lipcu i sierpniu Msze święte będą odprawiane:", "w niedziele: 7.00, 9.00", "w dni powszednie: 18.00"),
            ("PORZĄDEK MSZY ŚW.", "24.12 – Wigilia", "kościół: 7.00", "25.12 – Boże Narodzenie", "kościół: 9.00"),
            ("PORZĄDEK KOLĘDY", "pon. 11.01 – ul. Polna od godz. 15.00", "W dniach kolędy nie ma Mszy św. o 18.00."),
            ("Środa Popielcowa rozpoczyna Wielki Post.", "Msze św. z posypaniem głów popiołem: 8.00, 18.00."),
            ("Niedziela Zmartwychwstania: rezurekcja o 6.00, Msza św. o 11.00.", "Poniedziałek: Msze św. o 8.00 i 11.00."),
        ],
    )
    def test_lines_that_only_go_on_stay_with_the_one_before(self, lines: tuple[str, ...]) -> None:
        around = ["Dziękujemy za ofiary na remont dachu.", "Kto zgubił klucze na parkingu?"]

        assert announcement_items("\n".join([around[0], *lines, around[1]])) == [around[0], "\n".join(lines), around[1]]
