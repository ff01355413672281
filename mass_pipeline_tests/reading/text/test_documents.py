"""PDF, office files and JSON-LD: text where there is some, an opaque source where there is none, never an exception."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from mass_pipeline.model.document import LineKind
from mass_pipeline.reading.text.charset import repair
from mass_pipeline.reading.text.reader import read_document
from mass_pipeline_tests.hostile.files import pdf_page
from mass_pipeline_tests.shared import shared_folder

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"


def _pdf(lines: list[str]) -> bytes:
    """A one-page PDF with these lines."""
    shown = " T* ".join(f"({line}) Tj" for line in lines)
    return pdf_page(f"BT /F 12 Tf 14 TL 50 700 Td {shown} ET".encode("latin-1"))


def _archive(name: str, xml: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, xml)
    return out.getvalue()


def _docx(body: str) -> bytes:
    return _archive("word/document.xml", f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>')


class TestPdf:
    def test_text_is_read_line_by_line(self) -> None:
        document = read_document(_pdf(["Niedziele", "8.00, 10.00"]), content_type="text/html", url="http://p.example/msze.pdf")

        assert [line.text for line in document.lines] == ["Niedziele", "8.00, 10.00"]

    @pytest.mark.parametrize("content", [b"%PDF-1.7 broken", _pdf([]), _pdf(["x"])[:200], b"%PDF-" + b"<<" * 100_000])
    def test_without_text_it_is_an_opaque_source(self, content: bytes) -> None:
        document = read_document(content, url="http://p.example/msze.pdf", link_text="Porządek Mszy")

        assert document.lines == ()
        assert [(x.kind, x.url, x.near) for x in document.opaque] == [("pdf", "http://p.example/msze.pdf", "Porządek Mszy")]

    def test_a_page_that_unpacks_to_a_bomb_is_left_out(self) -> None:
        bomb = _pdf(["8.00" + " " * 40_000_000])

        assert len(bomb) < 100_000
        assert read_document(bomb).lines == ()


class TestOfficeFiles:
    def test_word_keeps_headings_tables_and_raised_minutes(self) -> None:
        run = "<w:r><w:t>{}</w:t></w:r>"
        raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>30</w:t></w:r>'
        heading = '<w:p><w:pPr><w:pStyle w:val="Nagwek1"/></w:pPr>' + run.format("Msze święte") + "</w:p>"
        cell = "<w:tc><w:p>{}</w:p></w:tc>"
        row = f"<w:tr>{cell.format(run.format('Niedziela'))}{cell.format(run.format('7') + raised)}</w:tr>"
        document = read_document(_docx(f"{heading}<w:tbl>{row}{row}</w:tbl>"))

        assert [line.text for line in document.lines[:3]] == ["Msze święte", "Niedziela", "7:30"]
        assert document.lines[0].kind is LineKind.HEADING
        assert document.lines[2].row_header == "Niedziela"

    @pytest.mark.parametrize("name", ["strike", "dstrike", "vanish"])
    def test_word_leaves_out_what_is_crossed_out_or_hidden(self, name: str) -> None:
        run = "<w:r><w:rPr><w:{}/></w:rPr><w:t>7.00 </w:t></w:r><w:r><w:rPr><w:{} w:val='false'/></w:rPr><w:t>8.00</w:t></w:r>"

        assert read_document(_docx(f"<w:p>{run.format(name, name)}</w:p>")).text == "8.00"

    def test_open_document_text_keeps_the_order_of_spans(self) -> None:
        body = "<text:p>o <text:span>8.00</text:span> i <text:span>9.00</text:span><text:line-break/>oraz 10.00</text:p>"
        xml = f'<office:body xmlns:office="{_OFFICE}" xmlns:text="{_TEXT}" xmlns:table="{_TABLE}">{body}</office:body>'

        assert [line.text for line in read_document(_archive("content.xml", xml)).lines] == ["o 8.00 i 9.00", "oraz 10.00"]

    @pytest.mark.parametrize(
        "content",
        [
            _archive("word/document.xml", "<w:document"),
            _archive("word/document.xml", " " * 50_000_000),
            _archive("other.xml", "<a/>"),
            _docx("x")[:60],
            _docx("<w:p>" * 5_000 + "</w:p>" * 5_000),
            _archive(
                "content.xml",
                '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a>&b;</a>',
            ),
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old",
        ],
        ids=["broken", "bomb", "other", "cut", "deep", "entities", "old"],
    )
    def test_what_cannot_be_read_is_an_opaque_source(self, content: bytes) -> None:
        document = read_document(content, url="http://p.example/a.docx")

        assert document.lines == ()
        assert [source.kind for source in document.opaque] == ["office"]


class TestImages:
    def test_an_image_sent_as_a_page_is_an_opaque_source(self) -> None:
        document = read_document(
            b"\xff\xd8\xff\xe0" + bytes(range(256)), content_type="text/html", url="http://p.example/plakat.jpg"
        )

        assert document.lines == ()
        assert document.opaque[0].kind == "image"


class TestJsonLd:
    def test_hours_are_written_out_behind_the_visible_text(self) -> None:
        document = read_document(
            '<p>Parafia</p><script type="application/ld+json">{"@graph": [{"@type": "Event", '
            '"name": "Msza święta", "eventSchedule": {"byDay": ["https://schema.org/Sunday"], "startTime": "08:00:00"}}]}'
            "</script><p>Kontakt</p>"
        )

        assert document.lines[-1].text == "Msza święta: niedziela 08:00"
        assert document.lines[-1].kind is LineKind.STRUCTURED

    @pytest.mark.parametrize(
        "block", ["{", "[" * 100_000, '{"openingHours": NaN}', '{"openingHours": [1, null, {"a": 1}]}', '"x"']
    )
    def test_broken_blocks_are_skipped(self, block: str) -> None:
        document = read_document(f'<p>a</p><script type="application/ld+json">{block}</script>')

        assert [line.text for line in document.lines] == ["a"]


@pytest.mark.shared
class TestPublicJson:
    def test_every_file_of_the_suite_is_survived_as_json_ld(self) -> None:
        files = sorted(path for path in shared_folder("suites", "json").rglob("*.json"))

        assert len(files) > 300
        for path in files:
            block = path.read_bytes().replace(b"</", b"<")
            document = read_document(b'<p>12:00</p><script type="application/ld+json">' + block + b"</script>")
            assert document.lines[0].text == "12:00"


@pytest.mark.shared
class TestPublicMojibake:
    def test_negatives_stay_untouched(self) -> None:
        cases = json.loads((shared_folder("suites", "encoding", "ftfy") / "negative.json").read_text("utf-8"))

        assert cases
        for case in cases:
            assert repair(case["original"]) == case["original"]
