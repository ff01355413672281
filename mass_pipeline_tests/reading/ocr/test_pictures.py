"""A schedule in a picture is proposed, never published; hostile pictures cost nothing but themselves."""

from __future__ import annotations

import io
import shutil
import struct
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from mass_pipeline.cli.extract import extract
from mass_pipeline.model.records import Mass
from mass_pipeline.reading.ocr import decoding, tesseract
from mass_pipeline.reading.ocr.reading import UNSURE, confirmed, read_picture, schedule_of_lines
from mass_pipeline.reading.ocr.tesseract import NoTesseract, PictureLine, PictureUnreadable, lines_of_table
from mass_pipeline_tests.reading.ocr.rendering import fonts, picture_of

POSTER = "PORZĄDEK MSZY ŚWIĘTYCH\nNiedziele i święta:\n7.00, 8.30, 10.00\nDni powszednie:\n7.00, 18.00"
LINES = [PictureLine(text, 0.9) for text in POSTER.splitlines()]
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None or not fonts(), reason="needs tesseract-ocr, tesseract-ocr-pol and a font"
)


def png_that_claims(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose head names a size."""

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(b"\0" * 64)) + part(b"IEND", b"")


class TestProposals:
    def test_nothing_is_published_from_a_picture_alone(self) -> None:
        found = schedule_of_lines(LINES, "plakat.png")

        assert found.masses == ()
        assert {one.read.mass.time for one in found.withheld} == {"07:00", "08:30", "10:00", "18:00"}
        assert all(one.reasons == ("read from a picture",) and one.read.confidence <= 0.75 for one in found.withheld)

    def test_rows_of_a_line_with_unsure_digits_are_not_even_proposed(self) -> None:
        lines = [PictureLine(one.text, 0.4 if "8.30" in one.text else 0.9) for one in LINES]
        found = schedule_of_lines(lines, "plakat.png")

        assert {day for one in found.withheld for day in one.read.mass.days}.isdisjoint({"Su", "PH"})
        assert found.notes == ("unsure: 1 lines of the picture",)

    def test_a_second_source_confirms_the_days_that_both_have(self) -> None:
        rows = schedule_of_lines(LINES, "plakat.png").withheld
        second = [Mass(days=("Su",), time="08:30"), Mass(days=("Su",), time="11:00")]

        assert [(one.mass.days, one.mass.time) for one in confirmed(rows, second)] == [(("Su",), "08:30")]

    def test_confidence_of_a_line_is_that_of_its_least_sure_number(self) -> None:
        cells = "5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t"

        assert lines_of_table([cells + "40\tMsze", cells + "95\t8.00", cells + "70\t9.00", "4\tno word"]) == [
            PictureLine("Msze 8.00 9.00", 0.7)
        ]


class TestHostilePictures:
    @pytest.mark.parametrize(
        "content",
        [
            png_that_claims(100_000, 100_000),
            png_that_claims(20_000, 2_000),
            b"\x89PNG\r\n\x1a\nbroken",
            b"%!PS-Adobe-3.0 EPSF-3.0\n",
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"",
            b"\x89PNG" + b"0" * (decoding.MOST_BYTES + 1),
        ],
        ids=["bomb", "large", "broken", "postscript", "svg", "empty", "long"],
    )
    def test_are_refused_with_a_word(self, content: bytes) -> None:
        with pytest.raises(PictureUnreadable):
            decoding.as_png(content)

    def test_a_broken_pdf_is_refused_with_a_word(self) -> None:
        with pytest.raises(PictureUnreadable):
            decoding.pictures_of_pdf(b"%PDF-1.4\nbroken")

    def test_the_pictures_of_a_scan_are_taken_out(self) -> None:
        written = io.BytesIO()
        Image.new("L", (30, 20), 200).save(written, "PDF")

        assert [Image.open(io.BytesIO(one)).size for one in decoding.pictures_of_pdf(written.getvalue())] == [(30, 20)]

    def test_what_is_not_painted_is_white(self) -> None:
        written = io.BytesIO()
        Image.new("RGBA", (20, 10), (0, 0, 0, 0)).save(written, "PNG")

        assert Image.open(io.BytesIO(decoding.as_png(written.getvalue()))).getextrema() == (255, 255)


class TestWithoutTesseract:
    def test_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(shutil, "which", lambda name: None)
        tesseract.tesseract_path.cache_clear()
        file = tmp_path / "a.png"
        file.write_bytes(png_that_claims(10, 10))

        with pytest.raises(NoTesseract, match="tesseract-ocr-pol"):
            read_picture(file.read_bytes())
        assert isinstance(CliRunner().invoke(extract, ["--picture", str(file)]).exception, NoTesseract)


@needs_tesseract
@pytest.mark.slow
class TestReading:
    def test_a_clean_poster_is_read(self) -> None:
        tesseract.tesseract_path.cache_clear()
        found = read_picture(picture_of(POSTER), url="plakat.png")

        assert {one.read.mass.time for one in found.withheld} == {"07:00", "08:30", "10:00", "18:00"}
        assert not any(UNSURE in one.reasons for one in found.withheld)
