"""Markdown, plain text, charsets gone wrong, and sources that are no text."""

from __future__ import annotations

import pytest

from mass_pipeline.model.document import LineKind
from mass_pipeline.reading.text.charset import repair
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.reading.text.lines import page


class TestFeeds:
    """Entries of a feed are news: no order of Masses is read from them run together."""

    @pytest.mark.parametrize(
        "feed",
        [
            "<?xml version='1.0'?>\n<rss version='2.0'><channel><item><title>Msze</title><description>W czwartek Msza o 17.00",
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>Msza</title><summary>Niedziela: Msza o 9.00</entry>",
            "<?xml version='1.0'?><?xml-stylesheet href='a.xsl'?><!-- made by a program -->\n<rdf:RDF><item><title>Msza o 9.00",
        ],
    )
    def test_have_no_lines(self, feed: str) -> None:
        assert read_document(feed, url="http://a.example/feed/").lines == ()

    def test_a_page_that_speaks_of_rss_is_a_page(self) -> None:
        assert [line.text for line in read_document("<rss-link></rss-link><p>Msza o 9.00</p>").lines] == ["Msza o 9.00"]


class TestMarkdown:
    def test_headings_lists_emphasis_and_tables(self) -> None:
        document = read_document(
            "---\ntitle: Msze\n---\n## Niedziele\n\n- **8.00**\n- 10.00 *(suma)*\n\n**Dni powszednie**\n18.00\\\nśr. 8.00\n\n"
            "| Dzień | Godzina |\n|---|---|\n| Sobota | 17.00 |\n",
            url="x/msze.md",
        )

        assert document.title == "Msze"
        assert [(line.kind.value, line.text) for line in document.lines] == [
            ("text", "Msze"),
            ("heading", "Niedziele"),
            ("list_item", "8.00"),
            ("list_item", "10.00 (suma)"),
            ("heading", "Dni powszednie"),
            ("text", "18.00"),
            ("text", "śr. 8.00"),
            ("cell", "Dzień"),
            ("cell", "Godzina"),
            ("cell", "Sobota"),
            ("cell", "17.00"),
        ]
        assert (document.lines[-1].row_header, document.lines[-1].column_header) == ("Sobota", "Godzina")

    def test_html_inside_and_jsx_components(self) -> None:
        document = read_document(
            'import X from "y"\n\n# Msze\n\n<table><tr><td>Środa</td><td>8.00</td></tr></table>\n\n<X a={1} />\n9.00\n',
            url="a.mdx",
        )

        assert [line.text for line in document.lines] == ["Msze", "Środa", "8.00", "9.00"]
        assert document.lines[2].row_header == "Środa"

    def test_hours_at_the_start_of_a_line_are_no_list_numbers(self) -> None:
        document = read_document("# Msze\n8. 00\n9.30\n", url="a.md")

        assert [line.text for line in document.lines] == ["Msze", "8. 00", "9.30"]


class TestPlainText:
    def test_one_line_each_and_blank_lines_as_gaps(self) -> None:
        document = read_document("Niedziele\n8.00 & 10.00\n\n- środa 18.00\n")

        assert [line.text for line in document.lines] == ["Niedziele", "8.00 & 10.00", "środa 18.00"]
        assert [line.after_rule for line in document.lines] == [False, False, True]
        assert LineKind.LIST_ITEM is document.lines[2].kind

    def test_nothing_gives_a_document_without_lines(self) -> None:
        assert read_document(b"").lines == ()


class TestMojibake:
    def test_certain_damage_is_repaired(self) -> None:
        original = "Msze święte w niedzielę i środę – kościół"

        assert original == repair(original.encode().decode("latin-1"))
        assert repair("w niedzielê, ¶roda, ¶wiêta s±") == "w niedzielę, środa, święta są"

    def test_sound_text_stays(self) -> None:
        for text in ("Ärzte in Österreich", "¶ 12, ± 3 °C", "Niedziela – 8.00 „suma”", "Åland"):
            assert text is repair(text)


class TestOpaqueSources:
    def test_posters_documents_and_frames_are_noted_with_their_address(self) -> None:
        document = page(
            "<h2>Msze święte</h2><img src='plakat.jpg'><a href='/pliki/porzadek.pdf'>Porządek Mszy</a>"
            "<iframe src='https://calendar.google.com/x'></iframe><iframe src='https://www.google.com/maps/embed'></iframe>",
            url="http://parafia.example/a/",
        )

        assert [(source.kind, source.url) for source in document.opaque] == [
            ("image", "http://parafia.example/a/plakat.jpg"),
            ("pdf", "http://parafia.example/pliki/porzadek.pdf"),
            ("frame", "https://calendar.google.com/x"),
        ]
        assert document.opaque[1].near == "Porządek Mszy"

    def test_scripts_that_hold_hours_are_noted(self) -> None:
        document = page("<script>const msze = ['8:00', '10:00', '18:00'];</script>")

        assert [source.kind for source in document.opaque] == ["script"]
