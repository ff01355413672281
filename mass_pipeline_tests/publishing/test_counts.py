"""The numbers that the check `nothing_lost` rests on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mass_pipeline.model.errors import StorageError
from mass_pipeline.publishing.counts import PublishedCounts

NOW = datetime(2026, 11, 22, tzinfo=UTC)


class TestNumbers:
    def test_the_same_numbers_again_are_compared_with_those_before_them(self, tmp_path: Path) -> None:
        """A run that is repeated must not hide what the first one lost."""
        counts = PublishedCounts(tmp_path)
        counts.update("lodzka", {"a": 5, "b": 3}, NOW)
        counts.update("lodzka", {"a": 5}, NOW)
        counts.update("lodzka", {"a": 5}, NOW + timedelta(1))

        assert {parish: (one.rows, one.before) for parish, one in counts.read("lodzka").items()} == {"a": (5, 5), "b": (0, 3)}
        assert counts.read("lodzka")["b"].last_at == NOW.isoformat()

    def test_dioceses_are_counted_apart_and_an_unknown_one_is_empty(self, tmp_path: Path) -> None:
        counts = PublishedCounts(tmp_path)
        counts.update("lodzka", {"a": 5}, NOW)

        assert counts.read("elblaska") == {}

    def test_a_damaged_file_is_named(self, tmp_path: Path) -> None:
        counts = PublishedCounts(tmp_path)
        counts.update("lodzka", {"a": 5}, NOW)
        (tmp_path / "state" / "published" / "lodzka.json").write_bytes(b'{"a": 1}')

        with pytest.raises(StorageError, match=r"lodzka\.json"):
            counts.read("lodzka")
