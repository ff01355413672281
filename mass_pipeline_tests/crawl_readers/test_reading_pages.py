"""List pages, articles and repeats as pure functions: what is a link to news, what is one announcement, what is said twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawl_readers.articles import read_article
from mass_pipeline.crawling.fetching.scope import Scope
from mass_pipeline.crawling.fetching.urls import split
from mass_pipeline.crawling.pages.relevance import load_topic, topic_path
from mass_pipeline.crawling.watching.articles import is_repeat, relevant_announcements, text_print
from mass_pipeline.crawling.watching.config import WatchConfig
from mass_pipeline.crawling.watching.finding import ListReading, SitePage, find_lists, menu_of, read_list
from mass_pipeline.model.errors import UsageError

URL = "http://a.example/news"
_NEWS = (
    "W najbliższą niedzielę w naszej parafii odbędzie się koncert kolęd w wykonaniu chóru parafialnego oraz zaproszonych gości. "
    "Koncert rozpocznie się po Mszy świętej wieczornej. Serdecznie zapraszamy wszystkich parafian, ich rodziny i przyjaciół do "
    "wspólnego śpiewania. Wstęp wolny, a zebrane ofiary zostaną przeznaczone na remont dachu kościoła."
)
_MASS = "Msza święta odpustowa w najbliższą niedzielę o godz. 12.00, po niej procesja wokół kościoła i agapa w ogrodzie"


def _read(markup: str, xpath: str = "", menu: tuple[str, ...] = (), url: str = URL) -> ListReading:
    return read_list(markup.encode(), url=url, scope=Scope(split("http://a.example/")), xpath=xpath, menu=menu)


class TestListPages:
    @pytest.mark.parametrize(
        ("markup", "day"),
        [
            (
                "<div><h2><a href=/1>Odpust</a></h2><p>4 października 2026</p></div><div><a href=/2>Inne</a></div>",
                date(2026, 10, 4),
            ),
            ("<p>04.10.2026 <a href=/1>Odpust</a><br>1.10.2026 <a href=/2>Inne</a></p>", date(2026, 10, 4)),
            ("<p><a href=/1>Odpust</a> (04.10.2026)<br><a href=/2>Inne</a> (1.10.2026)</p>", date(2026, 10, 4)),
            ("<p><a href=/1>Odpust</a><a href=/2>Inne</a> 1.10.2026</p>", None),
        ],
    )
    def test_the_day_beside_a_link_is_its_own_and_not_its_neighbours(self, markup: str, day: date | None) -> None:
        assert next(link.published for link in _read(markup).articles if link.url.endswith("/1")) == day

    def test_several_links_to_one_article_are_one_with_its_title(self) -> None:
        reading = _read('<a href=/1><img src=x></a><h2><a href=/1>Rekolekcje adwentowe</a></h2><a href="/1">Czytaj dalej</a>')

        assert [(link.url, link.anchor) for link in reading.articles] == [("http://a.example/1", "Rekolekcje adwentowe")]

    def test_frames_of_the_page_pictures_tags_pagers_and_other_sites_are_no_articles(self) -> None:
        reading = _read(
            "<nav><a href=/menu>Menu</a></nav><a href=/1>Tytuł</a><a href=/foto.jpg>Zdjęcie</a><a href=/tag/x/>x</a>"
            "<a href='/news?page=2'>2</a><a href=http://b.example/>Obce</a><a href='mailto:a@b'>Poczta</a>"
            "<footer><a href=/f>F</a></footer>"
        )

        assert [link.url for link in reading.articles] == ["http://a.example/1"]
        assert "http://a.example/menu" in reading.links

    def test_addresses_of_the_menu_count_only_with_a_day_or_a_long_title(self) -> None:
        markup = "<a href=/m1>Kontakt</a><a href=/m2>Nowy porządek Mszy świętych od niedzieli</a><p><a href=/1>Wpis</a></p>"
        reading = _read(markup, menu=("http://a.example/m1", "http://a.example/m2"))

        assert [link.url for link in reading.articles] == ["http://a.example/m2", "http://a.example/1"]

    @pytest.mark.parametrize(
        ("markup", "url", "following"),
        [
            ("<a rel=next href=/news/page/2/>»</a>", URL, "/news/page/2/"),
            ("<a href='?p=1'>1</a><a href='?p=2'>2</a><a href='?p=3'>3</a>", URL, "/news?p=2"),
            ("<a href='?p=1'>1</a><a href='?p=2'>2</a><a href='?p=3'>3</a>", f"{URL}?p=2", "/news?p=3"),
            ("<a href='/news/strona/2'>Starsze wpisy</a>", URL, "/news/strona/2"),
            ("<a href='?p=1'>1</a><a href='?p=2'>2</a>", f"{URL}?p=2", None),
            ("<a href='/rok/2'>2</a>", URL, None),
        ],
    )
    def test_the_next_page_is_told_by_its_relation_its_words_or_its_number(
        self, markup: str, url: str, following: str | None
    ) -> None:
        """J1: page numbers and queries."""
        assert _read(markup, url=url).next_page == (following and f"http://a.example{following}")

    def test_an_xpath_may_give_elements_or_addresses(self) -> None:
        markup = "<ul class=n><li><a href=/1>Jeden</a></li></ul><a href=/2>Dwa</a>"

        assert [link.anchor for link in _read(markup, "//ul[@class='n']").articles] == ["Jeden"]
        assert [link.url for link in _read(markup, "//ul//@href").articles] == ["http://a.example/1"]

    def test_queries_are_in_the_encoding_of_their_page(self) -> None:
        """WHATWG URL 4.4: what else would be asked for is another page."""
        body = f"<meta charset=windows-1250><p>świąteczny porządek</p><a href='/?d=święta'>{_MASS}</a>".encode("cp1250")
        found = read_list(body, url=URL, scope=Scope(split("http://a.example/")))

        assert found.links == {"http://a.example/?d=%9Cwi%EAta"}

    def test_an_xpath_that_cannot_be_evaluated_is_named(self) -> None:
        with pytest.raises(UsageError, match="no-such"):
            _read("<a href=/1>x</a>", "no-such-function()")

    @given(st.binary(max_size=300))
    def test_no_bytes_break_the_reader(self, body: bytes) -> None:
        read_list(b"<a href=/1>x</a>" + body, url=URL, scope=Scope(split("http://a.example/")))


class TestFinding:
    def test_the_best_list_is_found_among_the_pages_of_a_site(self) -> None:
        menu = "<ul class=menu><li><a href=/>Start</a><li><a href=/ogloszenia>Ogłoszenia</a><li><a href=/kontakt>Kontakt</a></ul>"
        weekly = "<a href=/og/1>Ogłoszenia 8 listopada</a> 8.11.2026<br><a href=/og/2>Ogłoszenia 15 listopada</a> 15.11.2026"
        sheet = "<h1>Ogłoszenia 15 listopada</h1><ol>" + f"<li>{_MASS}</li>" * 3 + "</ol>"
        pages = [
            SitePage("http://a.example/", f"{menu}<h1>Parafia</h1>".encode()),
            SitePage("http://a.example/ogloszenia", f"{menu}<h1>Ogłoszenia</h1>{weekly}".encode(), "Ogłoszenia"),
            SitePage("http://a.example/kontakt", f"{menu}<h1>Kontakt</h1><p>Kancelaria</p>".encode(), "Kontakt"),
            SitePage("http://a.example/og/2", f"{menu}{sheet}".encode(), "Ogłoszenia 15 listopada"),
        ]
        found = find_lists(
            pages,
            scope=Scope(split("http://a.example/")),
            topic=load_topic(topic_path("services")),
            most=4,
            read_article=read_article,
        )

        assert [entry.url for entry in found.lists] == ["http://a.example/ogloszenia"]
        assert "http://a.example/kontakt" in found.menu

    def test_two_pages_tell_nothing_about_the_menu(self) -> None:
        assert menu_of([frozenset({"x"}), frozenset({"x"})]) == frozenset()


class TestArticles:
    @pytest.fixture(scope="class")
    def services(self) -> object:
        return load_topic(topic_path("services"))

    def test_a_sheet_is_many_announcements_and_prose_is_one(self, services) -> None:  # type: ignore[no-untyped-def]
        line = "<p>{} Msza święta o godz. {}.00 z nowenną i wystawieniem.</p>"
        sheet = "<h1>Ogłoszenia duszpasterskie</h1>" + "".join(line.format("W piątek", n) for n in (7, 8, 9))
        prose = "<h1>Odpust parafialny</h1>" + "".join(line.format("Zapraszamy,", n) for n in (7, 8, 9))
        counts = [
            len(relevant_announcements(read_article(page.encode(), url=URL), services, site_id="p", url=URL, issued=None))
            for page in (sheet, prose)
        ]

        assert counts == [3, 1]

    def test_an_announcement_keeps_its_identifier_and_another_day_gives_another(self, services) -> None:  # type: ignore[no-untyped-def]
        article = read_article(f"<h1>Odpust</h1><p>{_MASS}</p>".encode(), url=URL)
        ids = [
            relevant_announcements(article, services, site_id="p", url=URL, issued=day)[0].announcement_id
            for day in (date(2026, 11, 8), date(2026, 11, 8), date(2026, 11, 15), None)
        ]

        assert ids[0] == ids[1]
        assert len(set(ids)) == 3


class TestRepeats:
    def _same(self, other: str) -> bool:
        return is_repeat(_MASS, text_print(_MASS), other, text_print(other), 12)

    @pytest.mark.parametrize(
        "changed",
        [
            lambda text: text + " (red.)",
            lambda text: text.replace("Serdecznie zapraszamy", "Zapraszamy"),
            lambda text: text.rpartition(" Wstęp")[0],
            lambda text: "Koncert kolęd. " + text,
            lambda text: text.replace("naszej parafii", "parafii św. Jana").replace("wszystkich parafian", "parafian"),
            lambda text: text.upper() + " Źródło: diecezja",
        ],
    )
    def test_six_copies_of_one_news_item_are_one(self, changed: Callable[[str], str]) -> None:
        """C4: a source named, a sentence left out, a word changed."""
        other = changed(_NEWS)

        assert is_repeat(_NEWS, text_print(_NEWS), other, text_print(other), WatchConfig().near_duplicate_bits)

    @pytest.mark.parametrize(
        "other",
        [
            _MASS.replace("12.00", "11.00"),
            _MASS.replace("niedzielę", "sobotę"),
            _MASS.replace("Msza święta odpustowa", "Msza święta odpustowa nie"),
            "Zbiórka ministrantów w sobotę o dziewiątej rano w salce nad zakrystią, prosimy o punktualność",
        ],
    )
    def test_another_hour_day_or_a_negation_is_news_however_alike_the_rest(self, other: str) -> None:
        assert not self._same(other)
