"""Written announcements by phenomenon (`golden/*.txt`): read, divided, chosen and published as the asset does it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mass_pipeline_tests.reading.changes.compared import compare, written


@pytest.mark.parametrize("file", sorted(Path(__file__).with_name("golden").glob("*.txt")), ids=lambda file: file.stem)
class TestGolden:
    def test_nothing_wrong_is_published_all_is_read_and_what_is_sure_published(self, file: Path) -> None:
        found = {one.text: compare(one) for one in written(file)}

        assert {text: result.wrong for text, result in found.items() if result.wrong} == {}
        assert {text: (result.waiting, result.missed) for text, result in found.items() if result.waiting or result.missed} == {}
