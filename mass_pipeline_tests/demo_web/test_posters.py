"""The PDF and the image that stand in for text on some sites."""

from __future__ import annotations

import io

import pypdf

from mass_pipeline.demo_web.posters import IMAGE_LINES, PDF_LINES, draw_poster
from mass_pipeline.demo_web.source import DEMO_FOLDER


def _pdf_text(body: bytes) -> str:
    return pypdf.PdfReader(io.BytesIO(body)).pages[0].extract_text()


class TestPosters:
    def test_the_bundled_pdf_has_text_with_polish_letters(self) -> None:
        text = _pdf_text((DEMO_FOLDER / "files" / "porzadek-mszy.pdf").read_bytes())

        assert all(line in text for line in PDF_LINES)

    def test_drawing_it_again_gives_the_same_words(self) -> None:
        assert _pdf_text(draw_poster(PDF_LINES, "pdf")).split() == " ".join(PDF_LINES).split()

    def test_the_image_has_no_text_layer(self) -> None:
        image = (DEMO_FOLDER / "files" / "plakat-msze.png").read_bytes()

        assert image.startswith(b"\x89PNG")
        assert not any(line.encode() in image for line in IMAGE_LINES)

    def test_the_pdf_holds_the_truth_of_its_site(self) -> None:
        from mass_pipeline.demo_web.source import load_site

        site = load_site(DEMO_FOLDER / "sites" / "k04-sarbinowko.toml")
        text = " ".join(PDF_LINES)

        assert all(mass.time.lstrip("0").replace(":", ".") in text for mass in site.truth)
