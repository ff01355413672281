"""Visible text of HTML: what breaks a line, what does not, what is hidden, and what broken markup may not lose."""

from __future__ import annotations

import pytest

from mass_pipeline.model.document import LineKind, Region
from mass_pipeline_tests.reading.text.lines import line_with, page, texts


@pytest.mark.row("P11")
class TestInlineMarkup:
    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<p>o <b>9</b>.<b>30</b> i <i>1</i>1.00</p>", "o 9.30 i 11.00"),
            ("<p>7<sup>30</sup>, 9<SUP>00</SUP></p>", "7:30, 9:00"),
            ("<p>7<sup><u>30</u></sup> 18 <sup>oo</sup></p>", "7:30 18:oo"),
            ("<p>7<u>30</u>, 17<u>00</u></p>", "7:30, 17:00"),
            ("<p>7<span style='vertical-align: super'>30</span>, 9</p>", "7:30, 9"),
            ("<p>7³⁰ i 18⁰⁰</p>", "7:30 i 18:00"),
            ("<p>7<sup>00</sup>8<sup>30</sup>,10<sup>00</sup></p>", "7:00 8:30,10:00"),
            ("<p>20 m<sup>2</sup>, 2018<sup>12</sup></p>", "20 m2, 201812"),
            ("<p>8.00<!-- x -->&nbsp;&ndash; suma</p>", "8.00 – suma"),
            ("<p>Nie&#347;wi&eogon;ta&nbsp;8&#46;00</p>", "Nieświęta 8.00"),
            ("<p>Msze\u00ad św\u200bięte</p>", "Msze święte"),
            ("<p><span>Niedziela</span><span>8:00</span><span>10:00</span></p>", "Niedziela 8:00 10:00"),
            ("<p>M S Z E&nbsp; Ś W I Ę T E 8.00</p>", "MSZE ŚWIĘTE 8.00"),
            ("<p>P o r z ą d e k  8.00</p>", "Porządek 8.00"),
            ("<p><ruby>Nie<rp>(</rp><rt>x</rt></ruby>dziela <s>7.00</s> 8.00</p>", "Niedziela 8.00"),
        ],
    )
    def test_never_splits_or_joins_a_time(self, markup: str, expected: str) -> None:
        """A time torn apart or glued to its neighbour is a Mass lost."""
        assert [expected] == texts(markup)

    def test_glued_words_behind_a_time_are_parted(self) -> None:
        assert texts("<div><b>17.30</b><span>Proboszcz</span></div>") == ["17.30 Proboszcz"]

    @pytest.mark.parametrize(
        ("markup", "expected"),
        [
            ("<li><b>Kaplica w Zawadce</b><span>niedziela 9:30</span></li>", "Kaplica w Zawadce niedziela 9:30"),
            ("<div>Dni powszednie<small>zimą o 17:00</small></div>", "Dni powszednie zimą o 17:00"),
            ("<p><span class=a>Soboty</span><span class=b>msza</span></p>", "Soboty msza"),
            ("<p><span>Nie</span><span lang=PL>dziela</span></p>", "Niedziela"),
            ("<p><span class=cap>M</span>sze</p>", "Msze"),
            ("<p>nie<b>dzie</b>la</p>", "niedziela"),
        ],
    )
    def test_words_that_the_style_sheet_parts_are_parted(self, markup: str, expected: str) -> None:
        assert texts(markup) == [expected]


@pytest.mark.row("P11")
class TestLines:
    def test_blocks_and_breaks_end_a_line_and_inline_elements_do_not(self) -> None:
        assert texts("<div>a <b>b</b><p>c<br>d</div>e") == ["a b", "c", "d", "e"]
        assert texts("<div>a<span style='display:block'>b</span>c</div>") == ["a", "b", "c"]

    def test_lines_of_one_container_share_a_block(self) -> None:
        document = page("<div><p>a</p><p>b</p></div><div>c</div>")

        assert document.lines[0].block == document.lines[1].block
        assert document.lines[1].block != document.lines[2].block

    def test_headings_keep_their_level_and_bold_lines_look_like_one(self) -> None:
        document = page("<h2>Msze</h2><p><b>Niedziele:</b></p><p>8.00</p><p><b>a</b> b</p>")

        assert [(x.kind.value, x.level) for x in document.lines] == [("heading", 2), ("heading", 7), ("text", 0), ("text", 0)]

    def test_a_page_that_is_bold_throughout_has_no_bold_headings(self) -> None:
        document = page("<b><p>Parafia<p>św. Jana<p>w Iksinie<p>Kancelaria<p>Kontakt</b><p>x")

        assert {LineKind.TEXT} == {line.kind for line in document.lines}

    def test_a_break_inside_a_heading_parts_words_unless_hours_stand_there(self) -> None:
        assert texts("<h2>MSZE ŚWIĘTE<br>I NABOŻEŃSTWA</h2>") == ["MSZE ŚWIĘTE I NABOŻEŃSTWA"]
        assert texts("<h3>Niedziele<br>8.00<br>Dni powszednie<br>18.00</h3>") == ["Niedziele 8.00", "Dni powszednie 18.00"]

    def test_lists_carry_their_depth_and_definition_lists_their_terms(self) -> None:
        document = page("<ul><li>a<ul><li>b</ul><li>c</ul><dl><dt>Niedziela<dd>8.00</dl>")

        assert [line.level for line in document.lines[:3]] == [1, 2, 1]
        assert [line.kind for line in document.lines[3:]] == [LineKind.TERM, LineKind.LIST_ITEM]

    def test_blank_space_and_rules_are_noted(self) -> None:
        document = page("<p>a</p><p>b</p><p>&nbsp;</p><p>c</p>d<br><br>e<br>f<hr>g")

        assert [line.after_rule for line in document.lines] == [False, False, True, False, True, False, True]


class TestHiddenParts:
    @pytest.mark.parametrize(
        "markup",
        [
            "<script>x</script><style>x</style><template>x</template><select><option>x</select>",
            "<p hidden>x</p>",
            "<div style='color:red; DISPLAY : none'><p>x</p><div>x</div></div>",
            "<span style='visibility:hidden'>x<span>x</span>x</span>",
            "<ul><li hidden>x<li hidden>x</ul>",
            "<noframes>x</noframes><!-- x --><?php x ?><![CDATA[x]]>",
            "<noscript><p>x</p></noscript>",
            "<!-- <noscript> --><script>'<noscript>'</script><NOSCRIPT class=a><p>x</p></NOSCRIPT>",
        ],
    )
    def test_are_dropped_and_what_follows_stays(self, markup: str) -> None:
        assert texts(f"{markup}<div>12:00</div>") == ["12:00"]

    @pytest.mark.parametrize(
        "markup",
        [
            "<div aria-hidden='true'>12:00</div>",
            "<embed src='barka.mid' hidden=true><p>12:00</p>",
            "<div class='hidden md:block'>12:00</div>",
            "<div class='tab-pane' style='display:none'>12:00</div>",
            "<div class='page' style='display:none'>12:00</div>",
            "<a href='#msze'></a><div id='msze' style='display:none'>12:00</div>",
            "<b onclick=\"pokaz('msze')\"></b><div id='msze' style='display:none'>12:00</div>",
            "<body style='display:none'>12:00</body>",
            "<details><p>12:00</p></details>",
        ],
    )
    def test_what_people_can_see_stays(self, markup: str) -> None:
        assert texts(markup) == ["12:00"]


class TestRegions:
    def test_come_from_landmarks_ids_and_classes(self) -> None:
        document = page(
            "<header>a</header><nav>b</nav><div class='sidebar-left'>c</div>"
            "<main>d<header>e</header></main><div id=stopka>f</div>"
        )

        assert [line.region for line in document.lines] == [
            Region.HEADER,
            Region.NAV,
            Region.ASIDE,
            Region.MAIN,
            Region.HEADER,
            Region.FOOTER,
        ]

    def test_a_run_of_links_is_a_menu_and_the_text_behind_it_is_not(self) -> None:
        links = "".join(f"<a href=/{name}>{name}</a><br>" for name in ("Start", "Historia", "Chór", "Kontakt"))
        document = page(f"<table><tr><td>{links}<td><p>Niedziele: 8.00</p><p><a href=/x>Więcej</a></p></table>")

        assert [line.region for line in document.lines] == [Region.NAV] * 4 + [Region.MAIN] * 2


@pytest.mark.row("V7")
class TestBrokenMarkup:
    @pytest.mark.parametrize(
        "markup",
        [
            "<div>" * 100_000,
            "<b>" * 100_000,
            "<ul><li>" * 20_000,
            "<table><tr><td>" * 20_000,
            "</div></li></td>" * 50_000,
            "<td>" + "<div>" * 5_000 + "</li>" * 50_000,
            "x" * 90_000 + " ",
            "<p " + " ".join(f"a{i}=1" for i in range(50_000)) + ">",
            "<a title='" + "<b>" * 100_000 + "'>",
            '<a title=">' * 50_000 + ">",
        ],
        ids=["divs", "bold", "lists", "tables", "ends", "barrier", "text", "attributes", "quoted", "open quotes"],
    )
    def test_keeps_the_text_inside_and_behind_it(self, markup: str) -> None:
        found = texts(f"{markup}12:00</p><p>13:00")

        assert any("12:00" in text for text in found)
        assert any("13:00" in text for text in found)

    def test_stray_quotation_marks_do_not_swallow_the_page(self) -> None:
        assert texts("""<p title=Jan's>a</p><p class="x"">b</p>""") == ["a", "b"]

    def test_unclosed_elements_end_where_browsers_end_them(self) -> None:
        document = page("<table><tr><td>Niedziela<td>8.00<tr><td>Piątek<td>18.00</table>po")

        assert [(line.row, line.column) for line in document.lines] == [(0, 0), (0, 1), (1, 0), (1, 1), (-1, -1)]

    def test_alternative_texts_are_lines_of_their_own(self) -> None:
        document = page("<p>Msze <img src=a.gif alt='Niedziele 8.00'> <img alt='DSC_001.jpg' src=b.jpg></p>")

        assert [line.kind for line in document.lines] == [LineKind.TEXT, LineKind.ALT]
        assert line_with(document, "8.00").text == "Niedziele 8.00"
