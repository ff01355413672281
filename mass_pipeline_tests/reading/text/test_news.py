"""News pages as records: main text, day, title, author on ninety written pages of six layouts (C6, C7)."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.model.document import Wrapper
from mass_pipeline.model.errors import UsageError
from mass_pipeline.reading.text.news import NewsRecord, read_news
from mass_pipeline.reading.words.written_dates import is_date_line, read_date
from mass_pipeline_tests.reading.text.news_corpus import LAYOUTS, NewsPage, news_pages

_PAGES = list(news_pages())
_LEAST_F1 = 0.95  # issue 7, section 4
_LEAST_DATES = 0.98


def _tokens(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def _token_f1(found: str, expected: str) -> float:
    one, other = _tokens(found), _tokens(expected)
    return 2 * (one & other).total() / max(1, one.total() + other.total())


@pytest.fixture(scope="module")
def records() -> list[tuple[NewsPage, NewsRecord]]:
    return [(page, read_news(page.markup)) for page in _PAGES]


@pytest.mark.row("C6", "C7")
class TestWrittenPages:
    def test_there_are_at_least_60_in_six_layouts(self) -> None:
        assert len(_PAGES) >= 60
        assert len({page.layout for page in _PAGES}) == len(LAYOUTS) == 6

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_the_main_text_of_every_layout_is_found(self, records: list[tuple[NewsPage, NewsRecord]], layout: str) -> None:
        scores = [_token_f1(record.text, page.text) for page, record in records if page.layout == layout]

        assert sum(scores) / len(scores) >= _LEAST_F1
        assert min(scores) >= 0.9

    def test_dates_of_publication_are_right(self, records: list[tuple[NewsPage, NewsRecord]]) -> None:
        assert sum(record.date == page.date for page, record in records) >= _LEAST_DATES * len(records)

    def test_titles_are_right(self, records: list[tuple[NewsPage, NewsRecord]]) -> None:
        assert [page.title for page, record in records if record.title != page.title] == []

    def test_a_stated_author_is_found(self, records: list[tuple[NewsPage, NewsRecord]]) -> None:
        stated = [(p, r) for p, r in records if p.layout not in ("tables", "soup")]  # there a bare name stands at the end

        assert [page.layout for page, record in stated if record.author != page.author] == []

    def test_comments_related_articles_and_side_columns_stay_out(self, records: list[tuple[NewsPage, NewsRecord]]) -> None:
        text = "\n".join(record.text for _, record in records)

        assert not re.search(r"Pozdrawiamy z Chicago|Festyn rodzinny|Myśl dnia|Msze święte\s+Niedziele|plików cookies", text)


@pytest.mark.row("C7")
class TestWrapper:
    _PAGE = (
        '<html><head><meta name="keywords" content="a, b"></head>'
        "<body><i id=t>Tytuł</i><u>3.02.2026</u><p id=x>Raz.<br>Dwa.</p><p>Inne</p>"
    )

    def test_fields_given_by_xpath_win(self) -> None:
        wrapper = Wrapper(title="//i[@id='t']", date="//u/text()", text="//p[@id='x']", author="string(//p[last()])")
        record = read_news(self._PAGE, url="http://a.example/", anchor="więcej", wrapper=wrapper)

        assert record == NewsRecord("http://a.example/", "więcej", "Tytuł", date(2026, 2, 3), "Raz.\nDwa.", "Inne", "a, b")

    def test_a_malformed_xpath_is_named(self) -> None:
        with pytest.raises(UsageError, match=r"//\[title"):
            read_news(self._PAGE, wrapper=Wrapper(title="//[title"))


@pytest.mark.row("C6")
class TestDates:
    @pytest.mark.parametrize(
        ("text", "day"),
        [
            ("4 października 2026", date(2026, 10, 4)),
            ("Dodano: 2026-10-04 20:15", date(2026, 10, 4)),
            ("04.10.2026 r.", date(2026, 10, 4)),
            ("4/10/2026", date(2026, 10, 4)),
            ("4 X 2026", date(2026, 10, 4)),
            ("1 maja 2026 i 2 maja 2026", date(2026, 5, 1)),
            ("31.09.2026", None),
            ("godz. 18.30", None),
            ("15 sierpnia", None),
            ("22 ноября 2026 г.", date(2026, 11, 22)),
            ("1 мая 2026", date(2026, 5, 1)),
            ("3 марта 2026 года", date(2026, 3, 3)),
            ("9 июля 2026", date(2026, 7, 9)),
        ],
    )
    def test_every_notation_is_read_and_impossible_days_are_not(self, text: str, day: date | None) -> None:
        assert read_date(text) == day

    def test_a_day_the_text_speaks_of_is_no_day_of_publication(self) -> None:
        page = "<html><body><h1>Remont</h1><p>Prace zaczęto 4 października 2025, potrwają do 30.06.2027, mówi proboszcz.</p>"

        assert read_news(page).date is None

    def test_the_day_of_a_change_and_todays_date_are_not_meant(self) -> None:
        page = (
            "<html><body><div>Dziś jest 3 stycznia 2027</div><h1>Remont</h1><div>12 maja 2026</div>"
            "<p>Prace trwają, prosimy o cierpliwość i modlitwę.</p><div>Poprawiony: 28 grudnia 2026</div>"
        )

        assert read_news(page).date == date(2026, 5, 12)

    def test_the_address_tells_the_day_where_the_page_does_not(self) -> None:
        page = "<html><body><p>Prace trwają, prosimy o cierpliwość i modlitwę.</p>"

        assert read_news(page, url="http://a.example/2026/05/12/remont/").date == date(2026, 5, 12)

    def test_a_line_with_other_words_is_no_date_line(self) -> None:
        assert is_date_line("Niedziela, 4 października 2026 r. 19:07")
        assert not is_date_line("Od 4 października 2026 nowy porządek")


class TestRobustness:
    @given(st.binary(max_size=300))
    def test_no_bytes_break_it(self, content: bytes) -> None:
        assert isinstance(read_news(b"<html><body><p>" + content).text, str)

    @pytest.mark.parametrize("content", ["", " ", "<", "<!-- -->", "<html></html>", "zwykły tekst"])
    def test_pages_without_elements_have_an_empty_record(self, content: str) -> None:
        assert read_news(content).date is None

    def test_a_page_that_is_one_form_is_read(self) -> None:
        page = "<form><div class=menu><a href=/a>Start</a></div><div><p>Msza święta o dziewiątej w kaplicy.</p></div></form>"

        assert read_news(page).text == "Msza święta o dziewiątej w kaplicy."

    def test_a_deep_page_is_read(self) -> None:
        assert "Msza" in read_news("<div>" * 3000 + "Msza święta o dziewiątej").text
