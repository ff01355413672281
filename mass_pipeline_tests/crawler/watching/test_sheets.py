"""Sheets of announcements: every item by itself, with the Sunday the page names."""

from __future__ import annotations

import pytest

from mass_pipeline.crawler.watching.articles import Article, read_article
from mass_pipeline.crawler.watching.sheets import announcement_items
from mass_pipeline.demo_web import DemoWeb
from mass_pipeline.demo_web.compose import ComposedPage


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
