"""Written pages by class of error (`classes.txt` and its neighbours), each read as a page of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.schedule_grammar.classes import FILES, Page, faults, pages

_PAGES = [page for file in FILES for page in pages(file)]
_KNOWN_MISREADINGS = tuple(Path(__file__).with_name("classes_known.txt").read_text(encoding="utf-8").splitlines())


class TestClasses:
    @pytest.mark.parametrize("page", _PAGES, ids=lambda page: f"{page.name}: {page.lines[0][:40]}")
    def test_is_read_as_it_is_meant(self, page: Page) -> None:
        """A misreading that is mended leaves the list of those known, a new one is seen."""
        known = " / ".join(page.lines) in _KNOWN_MISREADINGS

        assert bool(faults(page)) == known, faults(page)
