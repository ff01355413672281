"""PDF files whose pages draw forms within forms: read within limits, left out beyond them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mass_pipeline.reading.text.pdf import pdf_text
from mass_pipeline_tests.hostile.files import nested_forms, pdf_page, stream


def _page_drawing(content: bytes, forms: Sequence[bytes]) -> bytes:
    """One page with a font F and the forms X0, X1, ..., each of which may use them all."""
    named = b"/XObject << %b >>" % b" ".join(b"/X%d %d 0 R" % (number, 6 + number) for number in range(len(forms)))
    entries = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F 5 0 R >> %b >>" % named
    return pdf_page(content, named, [stream(form, entries) for form in forms])


class TestForms:
    def test_the_text_of_a_form_is_read(self) -> None:
        content = _page_drawing(b"/X0 Do", [b"BT /F 9 Tf 50 700 Td (Niedziela 8.00) Tj ET"])

        assert pdf_text(content) == ("Niedziela 8.00", "plain")

    @pytest.mark.parametrize("levels", [6, 12, 40])
    def test_forms_that_draw_forms_without_end_are_left_out(self, levels: int) -> None:
        """Two to the power of the levels are drawn by a file of a few kilobytes."""
        assert pdf_text(nested_forms(levels))[0] == ""

    def test_a_form_that_draws_itself_is_left_out(self) -> None:
        assert pdf_text(_page_drawing(b"BT /F 9 Tf (Msza) Tj ET /X0 Do", [b"/X0 Do"]))[0] == ""

    def test_what_the_forms_draw_counts_as_content_of_the_page(self) -> None:
        large = b"BT /F 9 Tf (Msza) Tj ET\n" * 20_000

        assert pdf_text(_page_drawing(b"/X0 Do /X0 Do /X0 Do", [large]))[0] == ""
