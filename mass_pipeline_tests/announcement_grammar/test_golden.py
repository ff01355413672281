"""Written announcements by phenomenon (`golden/*.txt`): read, divided, chosen and published as the asset does it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from mass_pipeline_tests.announcement_grammar.classes import Compared, compare, written

_WRITTEN = {
    f"{file.stem}: {one.text[:50]}": one
    for file in sorted(Path(__file__).with_name("golden").glob("*.txt"))
    for one in written(file)
}


@cache
def _compared(name: str) -> Compared:
    return compare(_WRITTEN[name])


class TestGolden:
    @pytest.mark.parametrize("name", _WRITTEN)
    def test_nothing_wrong_is_published(self, name: str) -> None:
        assert not _compared(name).wrong

    @pytest.mark.parametrize("name", _WRITTEN)
    def test_all_is_read_and_what_is_sure_published(self, name: str) -> None:
        assert (frozenset(), frozenset()) == (_compared(name).waiting, _compared(name).missed)
