"""What speaks for and against a part of a page as its standing order; what is read of pages: pages.txt."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.regular.reading import read_page
from mass_pipeline.reading.regular.sites import read_site
from mass_pipeline.reading.text.reader import read_document


class TestEvidence:
    ORDER = "<p>Niedziele: 8.00, 10.00, 12.00</p><p>Dni powszednie: 7.00, 18.00</p>"

    @pytest.mark.parametrize(("body", "counts"), [("<main>{}</main>", True), ("<aside>{}</aside>", False)])
    def test_the_title_of_a_page_of_news_counts_against_its_text_and_not_against_the_boxes_beside(
        self, body: str, counts: bool
    ) -> None:
        markup = body.format(f"<h3>Msze święte</h3>{self.ORDER}")
        document = read_document(f"<title>Ogłoszenia duszpasterskie</title>{markup}".encode(), content_type="text/html")

        (block,) = read_page(document).notices

        assert any(reason.startswith("news") for reason in block.reasons) == counts

    @pytest.mark.parametrize(("days", "counts"), [("środa", False), ("środa, piątek", True)])
    def test_a_single_working_day_is_no_list_of_weekdays(self, days: str, counts: bool) -> None:
        document = read_document(f"<p>Niedziele: 8.00, 10.00; {days}: 18.00</p>".encode(), content_type="text/html")

        (block,) = read_page(document).notices

        assert ("weekdays +0.25" in block.reasons) == counts

    def test_pages_that_agree_are_quoted_up_to_five(self) -> None:
        pages = [
            read_page(read_document(f"<h3>Msze święte</h3>{self.ORDER}".encode(), content_type="text/html", url=f"http://a/{at}"))
            for at in range(8)
        ]

        assert [len(read.evidence) for read in read_site(pages).masses] == [6] * 5
