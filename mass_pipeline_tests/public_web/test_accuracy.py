"""What the page about the data says of its own accuracy is what was measured and written down."""

from __future__ import annotations

import re

from mass_pipeline.finding.measured import MEASURED, of_rows
from mass_pipeline_tests.public_web.support import Visitor
from mass_pipeline_tests.shared import ROOT


class TestAccuracy:
    def test_the_figures_are_those_of_the_report(self) -> None:
        """After a new calibration: the table of docs/confidence.md and `finding.measured` together."""
        text = (ROOT / "docs" / "confidence.md").read_text(encoding="utf-8")
        table = re.findall(r"^\| (0\.\d+)(?: to 0\.\d+| and more) \| (\d+) \| [\d.]+ \| ([\d.]+) \|$", text, re.MULTILINE)
        written = [(float(least), int(rows), float(right)) for least, rows, right in table if float(least) >= 0.5]

        assert written == [(band.least, band.rows, band.right) for band in MEASURED]

    def test_the_page_tells_them_in_both_languages(self, visitor: Visitor) -> None:
        high = of_rows(MEASURED, high=True)
        share = f"{high.right * 100:.1f}"

        assert f"of {high.rows} hours of high confidence (from 0.95) {share} % were right" in visitor.page("/en/o-danych")
        assert f"(od 0,95) prawidłowych było {share.replace('.', ',')} %" in visitor.page("/o-danych")

    def test_a_line_that_names_no_address_is_left_out(self, visitor: Visitor) -> None:
        for path in ("/o-danych", "/prywatnosc", "/dostepnosc", "/en/o-danych", "/en/prywatnosc", "/en/dostepnosc"):
            page = visitor.page(path)

            assert not re.search(r"(?:Pytania|Questions): *(?:–|</p>)|(?:napisz:|write to) *(?:–|</p>)", page)
