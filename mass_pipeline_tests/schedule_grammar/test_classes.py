"""Written pages by phenomenon (`texts`), each read as a page of its own; more of them are reported by `make evaluate`."""

from __future__ import annotations

import pytest

from mass_pipeline_tests.schedule_grammar.classes import FILES, Page, faults, pages

_PAGES = [page for file in FILES for page in pages(file)]


class TestClasses:
    @pytest.mark.parametrize("page", _PAGES, ids=lambda page: f"{page.name}: {page.lines[0][:40]}")
    def test_is_read_as_it_is_meant(self, page: Page) -> None:
        """What is misread is a wish (`evaluation/wishes`)."""
        assert faults(page) == []
