"""Written pages by phenomenon (`texts`), each read as a page of its own; more of them are reported by `make evaluate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.reading.classes import FILES, faults, pages


class TestClasses:
    @pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
    def test_each_page_is_read_as_it_is_meant(self, file: Path) -> None:
        """What is misread is a wish (`evaluation/wishes`)."""
        assert {f"{page.name}: {page.lines[0]}": found for page in pages(file) if (found := faults(page))} == {}
