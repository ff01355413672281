"""What a style sheet inside the page hides is no part of the page; what a click, a hover or another screen shows is."""

from __future__ import annotations

import pytest

from mass_pipeline.reading.text.reader import read_document

WORDS = "<p>Niedziela: 8.00</p>"


def text_of(page: str) -> str:
    """The visible text of a page."""
    return read_document(f"<html><body>{page}</body></html>", content_type="text/html").text


class TestWhatIsNeverShown:
    @pytest.mark.parametrize(
        "page",
        [
            f'<style>.old{{display:none}}</style><div class="x old">{WORDS}</div>',
            f'<style>#old , .b {{ visibility : hidden }}</style><div id="old">{WORDS}</div>',
            f'<style>div.a p.old{{display:none!important}}</style><div class="a"><p class="old">{WORDS[3:]}</div>',
            f'<style>.seo{{height:0;overflow:hidden}}</style><div class="seo">{WORDS}</div>',
            '<style>.old{display:none}</style><p>x <span class="old">Niedziela: 8.00</span></p>',
            f'<div style="position:absolute;left:-9999px">{WORDS}</div>',
            '<p style="font-size:0">Niedziela: 8.00</p>',
            '<p style="color:#fff; background-color:#fff">Niedziela: 8.00</p>',
            '<p style="color:white; background:#FFFFFF">Niedziela: 8.00</p>',
            '<p><span style="text-decoration: line-through;">Niedziela: 8.00</span> 9.00</p>',
            '<p style="color: red; text-decoration-line: line-through">Niedziela: 8.00</p>',
            f'<style>.dawniej{{color:gray;text-decoration:line-through}}</style><div class="dawniej">{WORDS}</div>',
        ],
    )
    def test_it_is_left_out(self, page: str) -> None:
        assert "Niedziela" not in text_of(page)

    def test_a_cell_that_is_struck_out_keeps_its_place(self) -> None:
        head = "<tr><th></th><th>Niedziela</th><th>Sobota</th></tr>"
        row = "<tr><td>Kaplica</td><td style='text-decoration:line-through'>8.00</td><td>17.00</td></tr>"
        document = read_document(f"<table>{head}{row}</table>", content_type="text/html")

        assert [(line.text, line.column_header) for line in document.lines][-1] == ("17.00", "Sobota")
        assert "8.00" not in document.text


class TestWhatMayBeShown:
    @pytest.mark.parametrize(
        "page",
        [
            f'<style>.day{{display:none}} .day.open{{display:block}}</style><div class="day">{WORDS}</div>',
            f'<style>.day{{display:none}} li:hover .day{{display:block}}</style><div class="day">{WORDS}</div>',
            f'<style>#day{{display:none}}</style><a href="#day">Msze</a><div id="day">{WORDS}</div>',
            f'<style>.day{{display:none}}</style><script>show(".day")</script><div class="day">{WORDS}</div>',
            f'<style>@media print{{.day{{display:none}}}}</style><div class="day">{WORDS}</div>',
            f'<style>.tabs-pane{{display:none}}</style><div class="tabs-pane">{WORDS}</div>',
            f'<style>.day{{display:none</style><div class="day">{WORDS}</div>',
            '<ul style="font-size:0"><li style="font-size:14px">Niedziela: 8.00</li></ul>',
            f'<div style="opacity:0;transform:translateY(20px)">{WORDS}</div>',
            '<p style="text-decoration: underline">Niedziela: 8.00</p>',
            '<p style="color:#fff; background:#f00">Niedziela: 8.00</p>',
            f'<style>.x{{text-decoration:line-through}} .x{{text-decoration:none}}</style><div class="x">{WORDS}</div>',
        ],
    )
    def test_it_is_read(self, page: str) -> None:
        assert "Niedziela" in text_of(page)
