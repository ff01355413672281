"""P8: which bodies are text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mass_pipeline.crawling.fetching.content_type import is_binary, is_text, named_binary, sniff
from mass_pipeline_tests.shared import shared_folder

MARKUP = "<!DOCTYPE html><html><body><p>Msze święte: niedziela 7:00, 9:00, źródło łaski</p></body></html>"


@pytest.mark.row("P8")
class TestBinaryTest:
    @pytest.mark.parametrize(
        ("head", "binary"),
        [
            (b"", False),
            (MARKUP.encode(), False),
            (MARKUP.encode("cp1250"), False),
            (MARKUP.encode("iso8859-2"), False),
            (MARKUP.encode("utf-16"), False),
            (b"text\0text", True),
            (bytes([1, 2, 3, 4] * 100) + b"a" * 100, True),
            (bytes(range(256)) * 4, True),
        ],
    )
    def test_the_formula_of_p8(self, head: bytes, binary: bool) -> None:
        assert is_binary(head) == binary

    @pytest.mark.shared
    def test_no_polish_page_is_called_binary_wherever_it_is_cut(self) -> None:
        """T8: 600 heads in three encodings, cut inside a character too."""
        sentences = shared_folder("suites/own/polish_sentences.txt").read_text("utf-8")
        chance = random.Random(1)
        wrong = 0
        for encoding in ("utf-8", "cp1250", "iso8859-2"):
            body = sentences.replace("–", "-").encode(encoding, "ignore") * 2
            for _ in range(200):
                start = chance.randrange(len(body) - 1100)
                wrong += is_binary(body[start : start + chance.randrange(1, 1100)])

        assert wrong == 0

    @given(st.binary(max_size=1500))
    def test_no_bytes_raise(self, head: bytes) -> None:
        is_text(head, "text/html", "/x")


@pytest.mark.shared
class TestPublicSamples:
    BINARY = frozenset(
        [
            ".png",
            ".gif",
            ".jpg",
            ".heic",
            ".webp",
            ".eot",
            ".otf",
            ".ttf",
            ".woff",
            ".woff2",
            ".7z",
            ".bz2",
            ".lz4",
            ".lzma",
            ".rar",
            ".zst",
            ".mid",
            ".mp4",
            ".webm",
            ".pdf",
            ".doc",
            ".psd",
            ".avif",
            ".parquet",
            ".sqlite",
        ]
    )

    def files(self) -> list[Path]:
        return [path for path in shared_folder("suites/binary/binaryornot").rglob("*") if path.is_file()]

    def test_every_file_gets_a_decision_and_no_image_font_or_archive_is_text(self) -> None:
        """T8, T9: sent as text/html, as lying servers do."""
        heads = {path.name: path.read_bytes()[:1024] for path in self.files() if path.suffix in self.BINARY}
        taken = [name for name, head in heads.items() if head and is_text(head, "text/html")]

        assert len(self.files()) >= 55
        assert taken == []

    def test_texts_with_a_mark_or_in_utf8_are_text(self) -> None:
        names = {"bom_utf-8.txt", "bom_utf-16.txt", "bom_utf-16le.txt", "utf8cn.txt", "utf_8.txt", "unicode.txt", "robots.txt"}
        heads = {path.name: path.read_bytes()[:1024] for path in self.files() if path.name in names}
        refused = [name for name, head in heads.items() if not is_text(head, "text/plain")]

        assert refused == []


@pytest.mark.row("P8")
class TestRouting:
    def test_a_page_sent_as_pdf_is_text_and_a_pdf_sent_as_page_is_not(self) -> None:
        assert is_text(MARKUP.encode(), "application/pdf", "/msze.pdf")
        assert not is_text(b"%PDF-1.4 text text", "text/html", "/")

    def test_headers_decide_before_names_and_names_before_nothing(self) -> None:
        assert is_text(b"plain words", "text/plain", "/x.zip")
        assert not is_text(b"plain words", None, "/x.zip")
        assert not is_text(b"plain words", "application/octet-stream", "/")
        assert not is_text(b"plain words", None, "/", 'attachment; filename="a.docx"')
        assert is_text(b"plain words", None, "/msze")

    @pytest.mark.parametrize("path", ["/a.jpg", "/A.PDF", "/x/y.tar.gz", "/film.mp4"])
    def test_names_of_files_without_text_are_known(self, path: str) -> None:
        assert named_binary(path)

    def test_signatures_are_recognised(self) -> None:
        assert sniff(b"\x00\x00\x00\x18ftypmp42") == "video/mp4"
        assert sniff(b"RIFF\0\0\0\0WEBPVP8 ") == "application/x-riff"
        assert sniff(MARKUP.encode()) is None

    def test_what_nothing_tells_is_looked_at_for_five_thousand_bytes(self) -> None:
        """P8: bytes that only binary files have; what a header or a name promises is judged by the binary test alone."""
        lines = b"Msze o 7.00 i 18.00\n" * 200
        late = lines + b"\x01\x02" + lines

        assert is_text(lines, None, "/plik")
        assert not is_text(late, None, "/plik")
        assert is_text(late, "text/plain", "/plik")
        assert is_text(lines * 2 + b"\x01", None, "/plik")
