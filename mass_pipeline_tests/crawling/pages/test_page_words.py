"""Words of pages: where they stand, and that no markup breaks them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.pages.links import read_links
from mass_pipeline.crawling.pages.relevance import words_of
from mass_pipeline.crawling.pages.spider import SeenPage
from mass_pipeline.crawling.sites.learnt_scorer import likeness


class TestWordsOf:
    def test_scripts_and_styles_are_no_words(self) -> None:
        assert words_of("<style>p{}</style><p>Msze</p><script>Msze()</script>").text == "Msze"

    def test_meta_elements_and_the_lesser_headings(self) -> None:
        words = words_of(
            '<meta name=Keywords content="msze,  parafia"><meta name=author content=x><h3>Niedziela</h3><h4>godz.</h4>'
        )

        assert (words.meta, words.headings) == ("msze, parafia", "Niedziela")

    @given(st.text(alphabet='<>/aAbh1="& \0\ud800żtitle', max_size=300))
    def test_no_markup_breaks_them(self, markup: str) -> None:
        assert 0.0 <= likeness(words_of(markup)) <= 1.0


class TestSeenPage:
    def page(self, markup: str) -> SeenPage:
        return SeenPage("p", "http://a.example/x/", 1, "", markup.encode(), "text/html", "utf-8", read_links(markup))

    def test_each_address_counts_where_it_stands_first(self) -> None:
        links = self.page("<a href=../a>A</a><a href=b>B</a><a href=/a>C</a><a href='mailto:x@a.example'>D</a>").links

        assert [(link.url, link.position, link.raw.text()) for link in links] == [
            ("http://a.example/a", 0, "A"),
            ("http://a.example/x/b", 1, "B"),
        ]

    def test_the_base_of_the_page_and_the_wish_not_to_be_followed_are_respected(self) -> None:
        links = self.page("<base href=/unten/><a href=a>A</a><a rel=nofollow href=b>B</a>").links

        assert [link.url for link in links] == ["http://a.example/unten/a"]

    def test_a_trap_of_many_links_is_read_in_part(self) -> None:
        assert len(self.page("".join(f"<a href=/{n}>x</a>" for n in range(4000))).links) == 1000
